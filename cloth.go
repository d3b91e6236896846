package toile

import (
	"slices"

	"github.com/toile-sim/toile/elastic"
	"github.com/toile-sim/toile/r3"
)

// findClampHolders finds, for every clamp, the handle that holds its edge or, if none does, the one that did last.
func (c *cloth) findClampHolders(handles []holder) {
	c.clampHolder = slices.Grow(c.clampHolder[:0], len(c.Spec.Clamps))[:len(c.Spec.Clamps)]
	for i, k := range c.Spec.Clamps {
		c.clampHolder[i] = -1
		node := int32(c.first) + k.Edge[0]
		for h := range handles {
			if slices.Contains(handles[h].nodes, node) {
				c.clampHolder[i] = h
			}
		}
	}
}

// turnClamps turns the clamps of all sheets with the handles that hold them, when these are turned by the given
// rotations. Whoever evaluates elements calls it first, so that clamps are no state of their own.
func (w *World) turnClamps(turn func(*holder) r3.Quat) {
	for i := range w.cloths {
		c := &w.cloths[i]
		plate, ok := c.Bending.(*elastic.Plate)
		if !ok {
			continue
		}
		for k, clamp := range c.Spec.Clamps {
			if h := c.clampHolder[k]; h >= 0 {
				plate.SetClamp(k, turn(&w.handles[h]).Mul(w.handles[h].added.R.Conj()).Rotate(clamp.Dir))
			}
		}
	}
}
