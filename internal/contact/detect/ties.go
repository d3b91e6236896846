package detect

import "github.com/toile-sim/toile/internal/contact"

// What is tied together does not touch. Pairs of surfaces that are joined are never looked at: they may overlap. A
// point that is fixed to a surface is no contact with it, and neither is a place of its skin that moves along with it:
// contacts would ask for what the tie decides. Features with all their points fixed to a surface cannot cross it if
// they do not at the start. All others are kept from crossing it, as everything is.

// mayTouch tells whether two primitives of moving skins may touch each other.
func (s *scene) mayTouch(i, j int32) bool {
	u, v := &s.moving.prim[i], &s.moving.prim[j]
	a, b := &s.skins[s.skinOf[u[0]]], &s.skins[s.skinOf[v[0]]]
	switch {
	case a == b:
		return a.TouchesItself()
	case s.Joined != nil && s.Joined(a.Surface, b.Surface):
		return false
	}
	return s.TiedTo == nil || !s.allTied(u, b.Surface) && !s.allTied(v, a.Surface)
}

// allTied tells whether all corners of a primitive are fixed to a surface.
func (s *scene) allTied(corners *[3]int32, surface int32) bool {
	return s.TiedTo[corners[0]] == surface && s.TiedTo[corners[1]] == surface && s.TiedTo[corners[2]] == surface
}

// movesAlong tells whether one of the two places of a candidate is moved by the other side: what can move it besides
// has less than leastShare.
func (s *scene) movesAlong(c *candidate) bool {
	if s.TiedTo == nil || c.obstacle != contact.None || c.smooth {
		return false
	}
	var free [2]float64
	on := [2]int32{s.surfaceAt(c.b), s.surfaceAt(c.a)}
	for _, w := range c.row[:c.terms] {
		side, weight := 0, w.W
		if weight < 0 {
			side, weight = 1, -weight
		}
		if s.TiedTo[w.Point] != on[side] {
			free[side] += weight
		}
	}
	return min(free[0], free[1]) < leastShare
}

// surfaceAt returns the surface of a point.
func (s *scene) surfaceAt(point int32) int32 { return s.skins[s.skinOf[point]].Surface }
