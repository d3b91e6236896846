package toile

import (
	"math"
	"slices"
)

// rubs tells whether some surface has friction of its own.
func (w *World) rubs() bool {
	return slices.ContainsFunc(w.cloths, func(c cloth) bool { return c.Spec.Maps.Friction != nil }) ||
		slices.ContainsFunc(w.obstacles, func(o obstacle) bool { return o.spec.Friction != nil })
}

// mapSurfaces tells detection what differs from place to place.
func (w *World) mapSurfaces() {
	n := len(w.pos)
	w.finder.VertexThickness, w.finder.VertexFriction = nil, nil
	if slices.ContainsFunc(w.cloths, func(c cloth) bool { return c.Spec.Maps.Thickness != nil }) {
		w.finder.VertexThickness = make([]float64, n)
		w.spreadThickness()
	}
	for i := range w.cloths {
		c := &w.cloths[i]
		if m := c.Spec.Maps.Friction; m != nil {
			if w.finder.VertexFriction == nil {
				const none = -1
				w.finder.VertexFriction = filled(n, none)
			}
			copy(w.finder.VertexFriction[c.first:], m)
		}
	}
	w.finder.Listed = func(a, b int32) bool { return !math.IsNaN(w.friction[pairOf(SurfaceID(a), SurfaceID(b))]) }
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
	for i := range w.cloths {
		copy(all[w.cloths[i].first:], w.cloths[i].Spec.Maps.Thickness)
	}
}

func filled(n int, value float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = value
	}
	return out
}
