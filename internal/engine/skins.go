package engine

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/r3"
)

func (o NewtonOptions) solver() solve.Newton {
	return solve.Newton{Iterations: o.Iterations, Tolerance: o.Tolerance}
}

// spreadThickness gives every vertex the thickness of its map, or that of the options.
func (w *World) spreadThickness() {
	all := w.finder.VertexThickness
	if all == nil {
		return
	}
	for i := range all {
		all[i] = w.opt.Contact.Thickness
	}
	for i := range w.bodies {
		copy(all[w.bodies[i].first:], w.bodies[i].mapOf(mech.Thickness))
	}
}

// skinOf returns where the skin of an obstacle is among those of a step: after those of bodies.
func (w *World) skinOf(obstacle int) int { return w.scratch.bodySkins + obstacle }

// skin is an obstacle on its way from one pose to another, as detection sees it. A mesh ends at x.
func (w *World) skin(k *obstacle, from, to r3.Pose, x []r3.Vec) contact.Skin {
	return contact.Skin{
		Surface: int32(k.surface), Block: w.blockOf(k), Field: k.spec.Shape, From: k.place(from), To: k.place(to),
		Tri: k.spec.Tri, Made: k.made, X0: k.x, X1: x, Deforms: k.spec.Deform != nil, Friction: k.spec.Friction,
		Smooth: k.spec.Smooth,
	}
}
