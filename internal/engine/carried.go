// Points that blocks carry: those of skins whose points are no blocks, such as the corners of rigid bodies. They are
// numbered after all blocks. Positions and velocities of a step have room for them behind those of its blocks, so that
// detection sees one array, and nothing is copied.

package engine

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// numberCarried numbers the points of the next skin if the blocks of its body carry them, after those that were
// numbered before.
func (w *World) numberCarried(skin *contact.Skin, of int) {
	if len(skin.Carriers.By) == 0 {
		return
	}
	w.scratch.carrying = append(w.scratch.carrying, carrying{of, len(w.scratch.skins)})
	skin.First = int32(len(w.pos) + w.scratch.carried)
	w.scratch.carried += skin.Points
	skin.Carriers.By = append([]contact.Carrier(nil), skin.Carriers.By...)
	for i := range skin.Carriers.By {
		skin.Carriers.By[i].Block += int32(w.bodies[of].first)
	}
}

// eachCarrying calls visit for every body that carries points, with its skin of the step.
func (s *step) eachCarrying(visit func(b *placedBody, carrying mech.Carrying, skin *contact.Skin)) {
	for _, k := range s.carrying {
		b := &s.w.bodies[k.body]
		visit(b, b.carrying, &s.skins[k.skin]) // as validateBody has seen
	}
}

// points returns an array by block with the points behind it.
func (s *step) points(x []r3.Vec) []r3.Vec { return x[:len(s.x0)+s.carried] }

// fixedPoints returns which points do not give way: those of held blocks, and those that a body carries which is led.
func (s *step) fixedPoints() []bool {
	if s.carried == 0 {
		return s.w.fixed
	}
	copy(s.heldPoints, s.w.fixed)
	s.eachCarrying(func(b *placedBody, _ mech.Carrying, skin *contact.Skin) {
		isLed := b.led != nil && b.led.IsLed()
		for i := range skin.Points {
			s.heldPoints[int(skin.First)+i] = isLed
		}
	})
	return s.heldPoints
}

// carryStart finds where carried points are at the start of the step, how they move, and what moves them.
func (s *step) carryStart() {
	x0, v0 := s.points(s.x0), s.points(s.v0)
	s.eachCarrying(func(b *placedBody, carrying mech.Carrying, skin *contact.Skin) {
		carrying.Carry(b.of(s.x0), x0[skin.First:int(skin.First)+skin.Points])
		for i, own := range b.Skin().Carriers.By {
			skin.Carriers.By[i].M = own.M
		}
		for i := range skin.Points {
			var v r3.Vec
			for _, by := range skin.Carriers.By[skin.Carriers.Start[i]:skin.Carriers.Start[i+1]] {
				v = v.Add(by.M.MulVec(s.v0[by.Block]))
			}
			v0[int(skin.First)+i] = v
		}
	})
}

// ends returns where points are when blocks are at x, which has room for them.
func (s *step) ends(x []r3.Vec) []r3.Vec {
	all := s.points(x)
	s.eachCarrying(func(b *placedBody, carrying mech.Carrying, skin *contact.Skin) {
		carrying.Carry(b.of(x), all[skin.First:int(skin.First)+skin.Points])
	})
	return all
}
