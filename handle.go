package toile

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Handle holds vertices of a cloth and moves them like one rigid thing. Without a limit the vertices
// are exactly where the handle is; with one they are drawn there by a force of at most that size.
type Handle struct {
	Name     string
	Cloth    ClothID
	Vertices []int32     // vertices of that cloth
	Path     *Path       // where the handle goes; nil: it stays until MoveHandle
	Follow   *Follow     // an obstacle that it rides on instead; nil: none
	Limit    *ForceLimit // nil: exact
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
	nodes []int32  // blocks it holds; gone where it was released and remeshing has removed a vertex
	ids   []int64  // of its vertices, in a cloth that is remeshed
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

// AddHandle adds a handle. Its vertices are taken where they are now.
func (w *World) AddHandle(h Handle) (HandleID, error) {
	if h.Cloth < 0 || int(h.Cloth) >= len(w.cloths) {
		return 0, fmt.Errorf("handle %q: there is no cloth %d", h.Name, h.Cloth)
	}
	c := &w.cloths[h.Cloth]
	if len(h.Vertices) == 0 {
		return 0, fmt.Errorf("handle %q holds no vertex", h.Name)
	}
	if h.Path != nil {
		if err := h.Path.Validate(); err != nil {
			return 0, fmt.Errorf("handle %q: %w", h.Name, err)
		}
	}
	if h.Limit != nil {
		if err := h.Limit.validate(len(h.Vertices)); err != nil {
			return 0, fmt.Errorf("handle %q: %w", h.Name, err)
		}
	}
	k := holder{spec: h, mover: moverOn(h.Path, w.time)}
	if h.Limit != nil {
		limit := *h.Limit // tracks change it
		k.spec.Limit = &limit
	}
	if h.Follow != nil {
		if err := w.canFollow(&h); err != nil {
			return 0, fmt.Errorf("handle %q: %w", h.Name, err)
		}
		if w.deforming(&k) == nil {
			k.pose = w.ObstaclePose(h.Follow.Obstacle)
			k.target, k.next = k.pose, k.pose
		}
	}
	k.added = k.pose
	seen := make(map[int32]bool, len(h.Vertices))
	for _, v := range h.Vertices {
		if v < 0 || int(v) >= c.count {
			return 0, fmt.Errorf("handle %q: cloth %q has no vertex %d", h.Name, c.Spec.Name, v)
		}
		node := int32(c.first) + v
		if w.isTaken(node) || seen[node] {
			return 0, fmt.Errorf("handle %q: vertex %d of cloth %q is held already", h.Name, v, c.Spec.Name)
		}
		seen[node] = true
		k.nodes = append(k.nodes, node)
		if c.adaptive != nil {
			k.ids = append(k.ids, c.adaptive.uid[v])
		}
	}
	w.grip(&k)
	if o := w.deforming(&k); o != nil {
		for j, a := range k.anchors {
			if _, ok := frameOf(o.spec.Tri[a.tri], o.x); !ok {
				return 0, fmt.Errorf(
					"handle %q: vertex %d is nearest to triangle %d of obstacle %q, which has no area",
					h.Name,
					h.Vertices[j],
					a.tri,
					o.spec.Name,
				)
			}
		}
	}
	w.handles = append(w.handles, k)
	w.print = nil
	w.hold()
	return HandleID(len(w.handles) - 1), nil
}

// isTaken tells whether some handle holds a block, or may do so again.
func (w *World) isTaken(node int32) bool {
	if w.held[node] {
		return true
	}
	for i := range w.handles {
		if k := &w.handles[i]; k.idle && !k.released && slices.Contains(k.nodes, node) {
			return true
		}
	}
	return false
}

// MoveHandle says where a handle is to be at the end of the next Step or Advance: pose maps the place
// where each vertex was when the handle was added. It ends a path that the handle was on. A handle that follows an
// obstacle cannot be moved.
func (w *World) MoveHandle(id HandleID, pose r3.Pose) {
	h := &w.handles[id]
	if h.spec.Follow != nil {
		panic(fmt.Sprintf("toile: handle %q follows an obstacle and cannot be moved", h.spec.Name))
	}
	h.moveTo(pose.Mul(h.added))
}

// Release lets go of a handle's vertices for good.
func (w *World) Release(id HandleID) {
	h := &w.handles[id]
	h.released = true
	h.next, h.force = h.pose, r3.Vec{}
	w.hold()
}

// HandleForce returns the force that a handle exerted on its vertices in the last step [N].
func (w *World) HandleForce(id HandleID) r3.Vec { return w.handles[id].force }

// hold marks the blocks that handles hold and those that exact handles prescribe, and finds the handles that clamps
// turn with.
func (w *World) hold() {
	clear(w.held)
	clear(w.fixed)
	for i := range w.handles {
		h := &w.handles[i]
		if h.free() {
			continue
		}
		for _, n := range h.nodes {
			w.held[n] = true
			w.fixed[n] = h.spec.Limit == nil
		}
	}
	for i := range w.cloths {
		w.cloths[i].findClampHolders(w.handles)
	}
}

// moment is the start or the end of the step under way.
type moment int

const (
	now moment = iota
	later
)

// place writes where handles want their vertices at that moment.
func (w *World) place(when moment, out []r3.Vec) {
	for i := range w.handles {
		k := &w.handles[i]
		if k.free() {
			continue
		}
		at, surface := k.pose, w.deforming(k)
		if surface != nil {
			x := surface.x
			if when == later {
				x = surface.xNext
			}
			k.ride(surface.spec.Tri, x, out)
			continue
		}
		if when == later {
			at = k.next
		}
		for j, node := range k.nodes {
			out[node] = at.Apply(k.rest[j])
		}
	}
}

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
