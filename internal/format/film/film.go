// Package film describes meshes and curves that move, for formats that hold the whole motion in one file.
package film

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/r3"
)

// Film is meshes and curves that move. Of the motion only one frame is in memory at a time, and of rigid bodies their
// poses.
type Film struct {
	Name   string
	FPS    float64 // frames a second [1/s], positive
	Frames []int   // the numbers of the frames, ascending, not negative
	Actors []Actor
}

// Actor is a mesh or curves of a film.
type Actor struct {
	// Mesh is the shape at the first frame; of a rigid actor in its own axes. Its attributes and groups are
	// not written. Normals, if it has any, are asked for in every frame.
	Mesh *model.Mesh
	// Curves, if there is no Mesh, are curves at the first frame; shots have their points as positions. They are lines
	// in glTF, and splines as thick as they are in USD, where those of an actor are all open or all closed. Attributes
	// are not written.
	Curves *model.Curves
	// Rigid says that the mesh keeps its shape and is moved by poses.
	Rigid bool
}

// Shot is where an actor is in one frame.
type Shot struct {
	Positions []r3.Vec // [m], Z-up; not of a rigid actor
	Normals   []r3.Vec // as many, if the actor's mesh has normals
	Pose      r3.Pose  // of a rigid actor, from its axes to those of the film
}

// Shoot returns where all actors are in frame Frames[i]. What it returns is used until it is called again.
type Shoot func(i int) ([]Shot, error)

// Validate lists what would keep the film from being written, but for numbers that its unit makes too large.
func (f *Film) Validate() error {
	var faults []string
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if !(f.FPS > 0) || !model.Finite64(f.FPS) {
		add("FPS is %v, it must be positive", f.FPS)
	}
	if len(f.Frames) == 0 {
		add("no frames")
	}
	for i, n := range f.Frames {
		if n < 0 || i > 0 && n <= f.Frames[i-1] {
			add("frame %d has number %d; numbers ascend and are not negative", i, n)
			break
		}
	}
	if len(f.Actors) == 0 {
		add("no actors")
	}
	for i := range f.Actors {
		if err := f.Actors[i].validate(); err != nil {
			add("actor %d: %v", i, err)
		}
	}
	return model.JoinFaults("film", faults)
}

func (a *Actor) validate() error {
	switch {
	case (a.Mesh != nil) == (a.Curves != nil):
		return errors.New("it must be either a mesh or curves")
	case a.Mesh != nil:
		return a.Mesh.Validate()
	case a.Rigid:
		return errors.New("curves are not moved by poses")
	}
	return a.Curves.Validate()
}

// WithPoints returns the film with the points of curves as meshes without triangles, so that what concerns points need
// not tell them apart.
func (f *Film) WithPoints() *Film {
	g := *f
	g.Actors = slices.Clone(f.Actors)
	for i := range g.Actors {
		if c := g.Actors[i].Curves; c != nil {
			g.Actors[i].Mesh = &model.Mesh{Name: c.Name, Positions: c.Points}
		}
	}
	return &g
}

// Fits says which number of the meshes single precision cannot hold in the axes and unit of the file.
func (f *Film) Fits(fr model.Frame) error {
	for i := range f.Actors {
		if err := model.FitsSingle(f.Actors[i].Mesh, fr); err != nil {
			return fmt.Errorf("%q: %w", f.Actors[i].Mesh.Name, err)
		}
	}
	return nil
}

// Check refuses shots that do not fit their actors, or single precision.
func (f *Film) Check(i int, shots []Shot, fr model.Frame) error {
	// a shot for each actor
	if len(shots) != len(f.Actors) {
		return fmt.Errorf("meshio: film: frame %d shows %d of %d actors", f.Frames[i], len(shots), len(f.Actors))
	}
	for k := range shots {
		a, s := &f.Actors[k], &shots[k]
		// rigid actors: a place and a rotation
		if a.Rigid {
			if !s.Pose.T.Finite() || !(s.Pose.R.Dot(s.Pose.R) > 0.5) {
				return fmt.Errorf("meshio: film: frame %d: the pose of %q is %v", f.Frames[i], a.Mesh.Name, s.Pose)
			}
			continue
		}
		// deforming actors: as many vertices as the mesh has
		n := len(a.Mesh.Positions)
		if len(s.Positions) != n || len(a.Mesh.Normals) > 0 && len(s.Normals) != n {
			return fmt.Errorf("meshio: film: frame %d: %q has %d positions and %d normals for %d vertices",
				f.Frames[i], a.Mesh.Name, len(s.Positions), len(s.Normals), n)
		}
		// positions and normals that can be written
		tooFar := func(p r3.Vec) bool { return !(fr.ToFile(p).MaxAbs() <= math.MaxFloat32) }
		if v := slices.IndexFunc(s.Positions, tooFar); v >= 0 {
			return fmt.Errorf(
				"meshio: film: frame %d: vertex %d of %q is at %v, which cannot be written in single precision",
				f.Frames[i],
				v,
				a.Mesh.Name,
				s.Positions[v],
			)
		}
		if v := model.FirstNotFinite(s.Normals); v >= 0 {
			return fmt.Errorf(
				"meshio: film: frame %d: normal %d of %q is %v",
				f.Frames[i],
				v,
				a.Mesh.Name,
				s.Normals[v],
			)
		}
	}
	return nil
}
