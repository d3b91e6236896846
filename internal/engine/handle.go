package engine

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// Handle holds vertices of a cloth or of a soft body and moves them like one rigid thing. Without a limit the vertices
// are exactly where the handle is; with one they are drawn there by a force of at most that size.
type Handle struct {
	Name     string
	Cloth    ClothID // whose vertices these are, unless Body says otherwise
	Body     *BodyID // a soft body, whose vertices these are instead, such as those at a bone; nil: none
	Vertices []int32
	Path     *Path                   // where the handle goes; nil: it stays until MoveHandle
	Guide    func(t float64) r3.Pose // where it goes at a time [s], instead of a path; nil: none
	Follow   *Follow                 // an obstacle that it rides on instead; nil: none
	Limit    *ForceLimit             // nil: exact
}

// ForceLimit makes a handle weak. Each of its n vertices is drawn by a spring of Stiffness/n whose force is at most
// Force/n: pulled further away, it gives way. A step that linearizes once keeps the limit up to the square of how far a
// vertex moves aside in it, relative to its distance from where it should be.
type ForceLimit struct {
	Force     float64 // of the whole handle, at most [N]
	Stiffness float64 // of the whole handle [N/m]

	// ForceAt and StiffnessAt, unless nil, say for each vertex of the handle what the whole handle would have if all
	// its vertices were like that one: vertex i then has ForceAt[i]/n instead of Force/n.
	ForceAt, StiffnessAt []float64
}

// validate lists what is wrong with the limit of a handle with n vertices.
func (l *ForceLimit) validate(n int) error {
	good := func(force, stiffness float64) bool {
		return force >= 0 && stiffness > 0 && !math.IsInf(stiffness, 0)
	}
	for _, at := range [][]float64{l.ForceAt, l.StiffnessAt} {
		if at != nil && len(at) != n {
			return fmt.Errorf("strength has %d values for %d vertices", len(at), n)
		}
	}
	for i := range n {
		if force, stiffness := l.of(i); !good(force, stiffness) {
			return fmt.Errorf("force %g and stiffness %g must be positive", force, stiffness)
		}
	}
	return nil
}

// of returns what the whole handle would have if all its vertices were like vertex i.
func (l *ForceLimit) of(i int) (force, stiffness float64) {
	force, stiffness = l.Force, l.Stiffness
	if l.ForceAt != nil {
		force = l.ForceAt[i]
	}
	if l.StiffnessAt != nil {
		stiffness = l.StiffnessAt[i]
	}
	return force, stiffness
}

// holder is a handle at work.
type holder struct {
	spec  Handle
	on    owner    // whose vertices it holds
	nodes []int32  // blocks it holds; gone where it was released and remeshing has removed a vertex
	ids   []int64  // of its vertices, of a body that is remeshed
	added r3.Pose  // where it was when it was added
	rest  []r3.Vec // where its vertices are when its pose is still: added⁻¹ x
	mover
	anchors  []anchor // on a mesh that deforms: what its vertices ride on; rest is then beside them
	released bool
	idle     bool   // its track says that it does not hold
	force    r3.Vec // exerted in the last step [N]
	exerts   r3.Vec // in the step under way [N]

	// Taking hold in the step under way: where its vertices were held before, should the step fail.
	wasIdle, gripped bool
	restBefore       []r3.Vec
	anchorsBefore    []anchor
}

// free tells whether the handle does not hold its vertices.
func (k *holder) free() bool { return k.released || k.idle }

// spring returns the energy [J], the force [N] and the Hessian [N/m] of vertex i of a weak handle at
// distance d from where it should be: Huber's function of |d|, quadratic up to the limit and linear
// beyond, so that its Hessian is positive.
func (h *holder) spring(i int, d r3.Vec) (energy float64, force r3.Vec, hessian r3.Mat) {
	share := 1 / float64(len(h.nodes))
	limit, k := h.spec.Limit.of(i)
	k, limit = k*share, limit*share
	r := d.Norm()
	if k*r <= limit {
		return k * r * r / 2, d.Scale(-k), r3.Diagonal(k)
	}
	u := d.Scale(1 / r)
	hessian = r3.Diagonal(limit / r)
	hessian.AddOuter(-limit/r, u, u)
	return limit * (r - limit/(2*k)), u.Scale(-limit), hessian
}

// Follow makes a handle ride on an obstacle, which must not be a press.
type Follow struct {
	Obstacle ObstacleID
	// Gap, unless nil, is the distance from the surface at which vertices are wanted [m], outside of it; nil leaves
	// them at the distance that they have when the handle takes hold of them. It needs a limit: an exact handle would
	// throw them there in one step.
	Gap *float64
}

// anchor is the point of a deforming mesh that a vertex rides on.
type anchor struct {
	tri    int32
	weight r3.Vec // of the three corners
}

// frameOf returns the frame of a triangle, and false if it has none because it has no area.
func frameOf(t [3]int32, x []r3.Vec) (frame r3.Mat, ok bool) {
	along := x[t[1]].Sub(x[t[0]])
	e1, n := along.Unit(), along.Cross(x[t[2]].Sub(x[t[0]])).Unit()
	return r3.Rows(e1, n.Cross(e1), n), n != r3.Vec{}
}

// ride writes where the anchors of a handle bring its vertices when those of the mesh are at x.
func (k *holder) ride(tri [][3]int32, x, out []r3.Vec) {
	for j, node := range k.nodes {
		a := &k.anchors[j]
		t := tri[a.tri]
		frame, _ := frameOf(t, x)
		point := x[t[0]].Scale(a.weight.X).AddScaled(a.weight.Y, x[t[1]]).AddScaled(a.weight.Z, x[t[2]])
		out[node] = point.Add(frame.MulVecT(k.rest[j]))
	}
}

// gone stands for a block that is there no more.
const gone = mech.Gone
