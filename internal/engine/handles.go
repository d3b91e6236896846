package engine

import (
	"fmt"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// AddHandle adds a handle. Its vertices are taken where they are now.
func (w *World) AddHandle(h Handle) (HandleID, error) {
	on, count, err := w.verticesOf(h.Cloth, h.Body)
	if err != nil {
		return 0, fmt.Errorf("handle %q: %w", h.Name, err)
	}
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
	way := h.Path.way()
	if h.Guide != nil {
		if h.Path != nil || h.Follow != nil {
			return 0, fmt.Errorf("handle %q has a guide, and a path or an obstacle to follow; only one can lead it", h.Name)
		}
		way = h.Guide
	}
	k := holder{spec: h, on: on, mover: moverOn(way, w.time)}
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
		if v < 0 || int(v) >= count {
			return 0, fmt.Errorf("handle %q: %s has no vertex %d", h.Name, w.nameOfBearer(on), v)
		}
		node := w.firstOf(on) + v
		if w.isTaken(node) || seen[node] {
			return 0, fmt.Errorf("handle %q: vertex %d of %s is held already", h.Name, v, w.nameOfBearer(on))
		}
		if w.isAttached(node) {
			return 0, fmt.Errorf("handle %q: vertex %d of %s is attached to a body", h.Name, v, w.nameOfBearer(on))
		}
		seen[node] = true
		k.nodes = append(k.nodes, node)
		if r := w.bodies[on].remesher; r != nil {
			k.ids = append(k.ids, r.IDs()[v])
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

// HandleSlips returns how many vertices of a handle are farther from where it wants them than its largest force can
// hold; 0 for an exact handle.
func (w *World) HandleSlips(id HandleID) int {
	k := &w.handles[id]
	if k.free() || k.spec.Limit == nil {
		return 0
	}
	w.build()
	w.place(now, w.scratch.target)
	slips := 0
	for i, node := range k.nodes {
		if node == gone {
			continue
		}
		force, stiffness := k.spec.Limit.of(i)
		if stiffness*w.pos[node].Sub(w.scratch.target[node]).Norm() > force {
			slips++
		}
	}
	return slips
}
