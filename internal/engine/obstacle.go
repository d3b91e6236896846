package engine

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Obstacle is a surface that cloth touches and that does not feel it, but for a press. It is an analytic shape or a
// mesh.
type Obstacle struct {
	Name  string
	Shape shape.Field // an analytic shape in axes of its own; nil for a mesh
	Place r3.Pose     // where those axes are, before Path moves them

	Tri       [][3]int32 // triangles of a mesh, counter-clockwise seen from outside
	Positions []r3.Vec   // its vertices, in axes of its own [m]

	Path   *Path       // how it moves; nil: it stays until MoveObstacle
	Deform Deformation // where the vertices of a mesh are over time, in world axes; Place and Path then play no part
	Press  *Press      // lets it slide along one axis, driven by a force

	// Smooth has cloth and bodies touch the smooth surface of a closed mesh; nil: they touch its triangles.
	Smooth *smooth.Options

	Friction []float64 // its own coefficient, as Maps.Friction is that of a sheet: of a mesh by vertex, of a shape one number; nil: none
}

// Deformation is a shape that changes over time.
type Deformation interface {
	// At writes where the vertices are at time t [s] to out.
	At(t float64, out []r3.Vec) error
}

// carrier is a body that an obstacle rides on: its one block is added to the motion of the obstacle.
type carrier interface {
	mech.Body
	// Frame tells where the obstacle's path is at the start and at the end of a step.
	Frame(from, to r3.Pose)
	// Offset returns how far it has carried the obstacle, in the frame of the path [m].
	Offset() r3.Vec
	// SetForce changes the force that drives it [N].
	SetForce(force float64)
}

// alone is where an obstacle rides that rides on nothing.
const alone = -1

// obstacle is an Obstacle at work.
type obstacle struct {
	spec    Obstacle
	surface SurfaceID
	mover
	made     []r3.Vec // mesh: when it was added
	x, xNext []r3.Vec // mesh: now, and at the end of the step under way without the way of its carriage in it
	on       carrier  // what it rides on, or nil
	rides    int      // its place among the bodies, or alone
}

func (o *Obstacle) validate() error {
	// faults are gathered
	var faults []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	// a shape or a mesh, whose triangles have vertices that exist
	mesh := len(o.Tri) > 0
	check(mesh != (o.Shape != nil), "must be either an analytic shape or a mesh with triangles")
	for i, t := range o.Tri {
		for _, v := range t {
			check(v >= 0 && int(v) < len(o.Positions), "triangle %d has a vertex %d that does not exist", i, v)
		}
		if len(faults) > 10 {
			return errors.Join(faults...)
		}
	}
	// positions
	for i, x := range o.Positions {
		check(x.Finite(), "position of vertex %d is not finite", i)
	}
	check(mesh || len(o.Positions) == 0, "has positions but no triangles")
	// friction: by vertex of a mesh, one number for a shape
	if o.Friction != nil {
		want := max(1, len(o.Positions))
		check(len(o.Friction) == want, "has %d coefficients of friction; it needs %d", len(o.Friction), want)
	}
	for _, mu := range o.Friction {
		check(mu >= 0 && !math.IsInf(mu, 1), "friction %g is not zero or positive", mu)
	}
	// place and shape
	check(rigid(o.Place), "its place is not a rigid motion; start from r3.Still()")
	if o.Shape != nil {
		if err := validateShape(o.Shape); err != nil {
			faults = append(faults, err)
		}
	}
	// what only meshes can have, and what excludes each other
	check(o.Smooth == nil || mesh, "an analytic shape is smooth already: leave out Smooth")
	check(o.Deform == nil || mesh, "only a mesh can deform")
	check(
		o.Deform == nil || o.Path == nil && o.Press == nil,
		"a deforming mesh has its motion in itself: it takes no path and is no press",
	)
	// motion
	if o.Path != nil {
		if err := o.Path.Validate(); err != nil {
			faults = append(faults, err)
		}
	}
	if o.Press != nil {
		if err := o.Press.validate(); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// rigid reports whether a pose is a rotation and a finite translation.
func rigid(p r3.Pose) bool { return math.Abs(p.R.Dot(p.R)-1) < 1e-9 && p.T.MaxAbs() < farthest }

// validateShape refuses shapes that are none. A field that it does not know is taken as it is.
func validateShape(field shape.Field) error {
	sizes := func(kind string, all ...float64) error {
		for _, s := range all {
			if !(s > 0 && s < farthest) {
				return fmt.Errorf("%s with a size of %g m, which must be positive", kind, s)
			}
		}
		return nil
	}
	switch s := field.(type) {
	case nil:
		return errors.New("a shape is placed that is none")
	case shape.Plane:
		if !(math.Abs(s.Normal.Norm2()-1) < 1e-9) || !s.Point.Finite() {
			return fmt.Errorf("plane with the normal %v, which must be of length 1, through %v", s.Normal, s.Point)
		}
	case shape.Sphere:
		return sizes("sphere", s.Radius)
	case shape.Capsule:
		if s.Half == 0 { // a sphere
			return sizes("capsule", s.Radius)
		}
		return sizes("capsule", s.Radius, s.Half)
	case shape.Box:
		return sizes("box", s.Half.X, s.Half.Y, s.Half.Z)
	case shape.Cylinder:
		return sizes("cylinder", s.Radius, s.Half)
	case shape.Cone:
		return sizes("cone", s.Radius, s.Height)
	case shape.Placed:
		if !rigid(s.Pose) {
			return errors.New("a shape is placed by what is not a rigid motion; start from r3.Still()")
		}
		return validateShape(s.Shape)
	}
	return nil
}

// place returns where the obstacle's own axes are when its path is at the given pose.
func (k *obstacle) place(path r3.Pose) r3.Pose {
	if k.on != nil {
		path = path.Mul(r3.Translation(k.on.Offset()))
	}
	return path.Mul(k.spec.Place)
}

// shapeAt writes the vertices of a mesh at time t, or with its axes at the given place if it is rigid.
func (k *obstacle) shapeAt(t float64, place r3.Pose, out []r3.Vec) error {
	if k.spec.Deform != nil {
		if err := k.spec.Deform.At(t, out); err != nil {
			return err
		}
		for i, x := range out {
			if !x.Finite() {
				return fmt.Errorf("vertex %d at t = %.6g s: %w", i, t, ErrNotFinite)
			}
		}
		return nil
	}
	for i, x := range k.spec.Positions {
		out[i] = place.Apply(x)
	}
	return nil
}
