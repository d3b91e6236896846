package engine

import (
	"slices"

	"github.com/toile-sim/toile/r3"
)

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
	for i := range w.bodies {
		if w.bodies[i].clamped != nil {
			w.bodies[i].findClampHolders(w.handles)
		}
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

// turnClamps turns the clamps of all bodies with the handles that hold them, when these are turned by the given
// rotations. Whoever evaluates elements calls it first, so that clamps are no state of their own.
func (w *World) turnClamps(turn func(*holder) r3.Quat) {
	for i := range w.bodies {
		b := &w.bodies[i]
		for k, h := range b.clampHolder {
			if h >= 0 {
				b.clamped.TurnClamp(k, turn(&w.handles[h]).Mul(w.handles[h].added.R.Conj()))
			}
		}
	}
}

// findClampHolders finds, for every clamp, the handle that holds its edge or, if none does, the one that did last.
func (m *placedBody) findClampHolders(handles []holder) {
	m.clampHolder = m.clampHolder[:0]
	for _, block := range m.clamped.Clamps(nil) {
		holds := -1
		for h := range handles {
			if slices.Contains(handles[h].nodes, int32(m.first)+block) {
				holds = h
			}
		}
		m.clampHolder = append(m.clampHolder, holds)
	}
}
