package build

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// placedFilm is a moving body in its place.
type placedFilm struct {
	*mannequin.Film
	scale float64
	pose  r3.Pose
}

// At implements toile.Deformation.
func (p *placedFilm) At(t float64, out []r3.Vec) error {
	if err := p.Film.At(t, out); err != nil {
		return err
	}
	for i, x := range out {
		out[i] = p.pose.Apply(x.Scale(p.scale))
	}
	return nil
}

// placedSequence is a sequence in its place.
type placedSequence struct {
	*meshio.Sequence
	scale float64
	pose  r3.Pose
}

// At implements toile.Deformation.
func (p *placedSequence) At(t float64, out []r3.Vec) error {
	if err := p.Sequence.At(t, out); err != nil {
		return err
	}
	for i, x := range out {
		out[i] = p.pose.Apply(x.Scale(p.scale))
	}
	return nil
}

func openSequence(s *scenefile.Scene, q *scenefile.Sequence, at *scenefile.Place) (*placedSequence, error) {
	if s.Folder() == "" {
		return nil, errors.New(
			"a sequence is read while the scene runs, so that the scene must be a file in the same folder",
		)
	}
	file := func(name string) string {
		if name == "" {
			return ""
		}
		return filepath.Join(s.Folder(), filepath.FromSlash(name))
	}
	spec := meshio.SequenceSpec{
		Files: file(q.Files), First: q.First, Cache: file(q.Cache), Base: file(q.Base),
		FPS: q.FPS, Start: q.Start, Up: scenefile.UpAxes[q.Up], Unit: q.Unit, Weld: q.Weld,
	}
	if q.Last != nil {
		spec.Last = *q.Last
	}
	seq, err := meshio.OpenSequence(spec)
	if err != nil {
		return nil, err
	}
	return &placedSequence{seq, at.Scale, at.Pose()}, nil
}

// ReadSequences reads every frame of the sequences of obstacles, which a run does only when it gets there: one whose
// triangles change would end a run that has been sewn and played for hours.
func ReadSequences(s *scenefile.Scene) error {
	for i := range s.Obstacles {
		o := &s.Obstacles[i]
		if o.Shape.Sequence == nil {
			continue
		}
		seq, err := openSequence(s, o.Shape.Sequence, &o.Place)
		if err != nil {
			return fmt.Errorf("obstacle %s: %w", o.Name, err)
		}
		err = seq.Check()
		if err = errors.Join(err, seq.Close()); err != nil {
			return fmt.Errorf("obstacle %s: %w", o.Name, err)
		}
	}
	return nil
}
