package scenefile

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// meshSolid makes the tets of a solid at its own place and size, with those of its skin first.
func (s *SolidShape) meshSolid(r *fileReader, d *decoder) {
	var m *mesh.Tets
	var err error
	at := s.at
	// regular shapes
	switch {
	case s.Block != nil:
		c := s.Block.Cells
		m = shape.Block(s.Block.Size.R3().Scale(0.5), c[0], c[1], c[2])
	case s.Ball != nil:
		m = shape.Ball(s.Ball.Radius, s.Ball.Rings)
	case s.Shell != nil:
		m = shape.Shell(s.Shell.Inner, s.Shell.Outer, s.Shell.Rings, s.Shell.Layers)
	case s.HalfBall != nil:
		m = shape.HalfBall(s.HalfBall.Radius, s.HalfBall.Fine, s.HalfBall.Rings)
	case s.Ring != nil:
		c := s.Ring.Cells
		m = shape.Ring(s.Ring.Inner, s.Ring.Outer, s.Ring.Length, c[0], c[1], c[2])
	// boxes in cells, and letters
	case s.Boxes != nil:
		at = s.Boxes.at
		if m = shape.Boxes(s.Boxes.boxes(), s.Boxes.Cell); m == nil {
			err = errors.New("no box is as large as a cell")
		}
	case s.Letter != nil:
		at = s.Letter.at
		m, err = s.Letter.make()
	// closed surfaces, filled with tets
	case s.Fill != nil:
		f := s.Fill
		at = f.at
		in := r.mesh(meshFile{f.File, f.Up, f.Unit, f.Weld}, f.key("file"), d)
		if in == nil {
			return
		}
		m, err = shape.FillSurface(in.Positions, in.Triangles, f.Size)
	// mannequins of flesh
	case s.Flesh != nil:
		at = s.Flesh.at
		m, err = s.Flesh.make()
	// mesh files of tets
	default:
		at = s.key("file")
		m, err = r.tets(s)
	}
	// sound tets, with the vertices of the skin first
	if err == nil && m != nil {
		err = m.Validate()
	}
	if err != nil {
		d.faults.add(at, "%s", OneLine(err))
		return
	}
	s.tets, _, _ = m.SkinFirst()
}

// make makes the letter: upright, in the xz plane, with its middle at the origin across and its foot on the ground.
func (l *LetterShape) make() (*mesh.Tets, error) {
	runes := []rune(l.Letter)
	if len(runes) != 1 {
		return nil, fmt.Errorf("letter must be one letter, not %s", shown(l.Letter))
	}
	outline, err := shape.Letter(runes[0], l.Height)
	if err != nil {
		return nil, err
	}
	m, err := shape.Extrude(outline, l.Depth, l.Size)
	if err != nil {
		return nil, err
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range m.X {
		lo, hi = min(lo, x.X), max(hi, x.X)
	}
	for i, x := range m.X {
		m.X[i] = r3.V(x.X-(lo+hi)/2, -x.Z, x.Y)
	}
	return m, nil
}

// make fills the mannequin.
func (f *FleshShape) make() (*mesh.Tets, error) {
	film, err := f.Mannequin.Film()
	if err != nil {
		return nil, err
	}
	if f.made, err = film.Body.Flesh(f.Size, f.Bones); err != nil {
		return nil, err
	}
	return f.made.Tets, nil
}
