package yarn

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Obstacle is a surface that yarns touch and that does not feel it: an analytic shape or a mesh.
type Obstacle struct {
	Name  string
	Shape geom.Field // in axes of its own; nil for a mesh
	Place r3.Pose    // where those axes are, before Motion moves them

	Tri       [][3]int32 // of a mesh, counter-clockwise seen from outside
	Positions []r3.Vec   // its vertices, in axes of its own [m]

	Motion   Motion      // nil: it stands still
	Deform   Deformation // where the vertices of a mesh are over time, in world axes; Place and Motion then play no part
	Friction float64
}

// Motion is a rigid motion over time.
type Motion interface {
	// At returns the map of space at time t [s].
	At(t float64) r3.Pose
}

// Deformation is a mesh that changes over time.
type Deformation interface {
	// At writes where the vertices are at time t [s] to out.
	At(t float64, out []r3.Vec) error
}

// Load is what yarns do to an obstacle in a step.
type Load struct {
	Force  r3.Vec // [N]
	Torque r3.Vec // about the origin of its axes [N m]
	Points int    // control points that touch it
}

func (o *Obstacle) validate() error {
	mesh := len(o.Tri) > 0
	switch {
	case mesh == (o.Shape != nil):
		return errors.New("must be either an analytic shape or a mesh with triangles")
	case o.Deform != nil && (!mesh || o.Motion != nil):
		return errors.New("only a mesh without another motion can deform")
	case math.Abs(o.Place.R.Dot(o.Place.R)-1) > 1e-9 || !o.Place.T.Finite():
		return errors.New("its place is not a rigid motion; start from r3.Still()")
	case !(o.Friction >= 0) || math.IsInf(o.Friction, 1):
		return fmt.Errorf("friction %g is not zero or positive", o.Friction)
	}
	for i, t := range o.Tri {
		for _, v := range t {
			if v < 0 || int(v) >= len(o.Positions) {
				return fmt.Errorf("triangle %d has a vertex %d that does not exist", i, v)
			}
		}
	}
	return nil
}

// object is an Obstacle at work.
type object struct {
	spec       Obstacle
	pose, next r3.Pose         // at the start and at the end of the step under way
	inverse    r3.Pose         // of pose
	mesh       *geom.MeshField // in its own axes, or in those of the world if it deforms
	x, xNext   []r3.Vec        // of a mesh that deforms
	travel     float64         // no point of its surface moves farther in the step [m]; infinite if that is not known
	clearance  []float64       // by control point: it is at least so far away [m]
	load       Load
	ball       bool // it moves by itself: next is given, not found
}

// newObject returns an obstacle at time t.
func newObject(o Obstacle, t float64) (*object, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	k := &object{spec: o}
	if len(o.Tri) > 0 {
		k.x = append([]r3.Vec(nil), o.Positions...)
		if o.Deform != nil {
			if err := o.Deform.At(t, k.x); err != nil {
				return nil, err
			}
			k.xNext = append([]r3.Vec(nil), k.x...)
		}
		k.mesh = geom.NewMeshField(k.x, o.Tri)
	}
	k.pose = k.at(t)
	return k, nil
}

// at returns where the axes of the obstacle are at time t.
func (k *object) at(t float64) r3.Pose {
	switch {
	case k.spec.Deform != nil:
		return r3.Still()
	case k.spec.Motion == nil:
		return k.spec.Place
	}
	return k.spec.Motion.At(t).Mul(k.spec.Place)
}

// begin finds where the obstacle goes in a step that ends at time t.
func (k *object) begin(t float64) error {
	k.inverse, k.load = k.pose.Inverse(), Load{}
	if !k.ball {
		k.next = k.at(t)
	}
	if k.spec.Deform != nil {
		if err := k.spec.Deform.At(t, k.xNext); err != nil {
			return err
		}
		k.travel = 0
		for i, x := range k.xNext {
			if !x.Finite() {
				return fmt.Errorf("vertex %d at t = %.6g s is not finite", i, t)
			}
			k.travel = max(k.travel, x.Sub(k.x[i]).Norm())
		}
		return nil
	}
	if k.next == k.pose {
		k.travel = 0
		return nil
	}
	box := k.field().Bounds()
	k.travel = 0
	for c := range 8 {
		p := box.Corner(c)
		if !p.Finite() || p.MaxAbs() > math.MaxFloat64/4 {
			k.travel = math.Inf(1)
			return nil
		}
		k.travel = max(k.travel, k.next.Apply(p).Sub(k.pose.Apply(p)).Norm())
	}
	return nil
}

func (k *object) field() geom.Field {
	if k.mesh != nil {
		return k.mesh
	}
	return k.spec.Shape
}

// commit makes the end of the step the present.
func (k *object) commit(team *par.Team) {
	k.pose = k.next
	if k.spec.Deform != nil {
		copy(k.x, k.xNext)
		k.mesh.Update(team, k.x)
	}
}

// meet returns the distance of x to the surface [m], the outward normal, and how far the nearest point of the surface
// moves in the step [m].
func (k *object) meet(x r3.Vec) (d float64, n, moved r3.Vec) {
	d, n = k.field().Distance(k.inverse.Apply(x))
	n = k.pose.R.Rotate(n)
	foot := x.AddScaled(-d, n)
	if k.spec.Deform == nil {
		return d, n, k.next.Apply(k.inverse.Apply(foot)).Sub(foot)
	}
	at, ok := k.mesh.Nearest(x, math.Inf(1))
	if !ok {
		return d, n, r3.Vec{}
	}
	t, w := k.spec.Tri[at.Triangle], at.Weights
	for c, weight := range [3]float64{w.X, w.Y, w.Z} {
		moved = moved.AddScaled(weight, k.xNext[t[c]].Sub(k.x[t[c]]))
	}
	return d, n, moved
}
