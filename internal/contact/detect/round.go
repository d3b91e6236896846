package detect

import "github.com/toile-sim/toile/internal/contact"

// Balls and capsules.
//
// A ball is a free point, and a capsule a free edge, of a skin with a radius R: all that is within R of the point or
// the edge, which is its core. Search, times of impact and crossings work on cores. With d the distance of two cores
// and R the sum of their radii, the gap of the round surfaces is
//
//	z = d − R,
//
// and it is z, not d, that is held at the thickness, is said to be near within the reach, and is reported. Both
// surfaces are pushed at places that are their radius from their cores, along the normal (writer.arms), which is what
// makes a ball roll.
//
// A skin without a radius has R = 0 and every number as it would be without this file, bit for bit.
//
// Cores of dimension 0 and 1 meet in ways that triangles without a radius do not: a ball meets a ball or the axis of a
// capsule, and that axis meets corners. So where something is round, vertices are tested against free edges and free
// points as they are against faces.
//
// What is certified (guard_impacts.go): on the ways of a step no core meets anything, and no two surfaces of which one
// is round that were apart at the start come to overlap. Surfaces that overlap at the start are pushed apart as all
// that is too near; of these the certificate keeps cores apart. What counts as a crossing is one of cores.

// radius returns the radius of a point of moving skins [m].
func (s *scene) radius(point int32) float64 {
	if s.roundest == 0 {
		return 0
	}
	return s.skins[s.skinOf[point]].Radius
}

// radii returns the radii of both features of a pair [m].
func (s *scene) radii(k *pair) (p, q float64) {
	if s.roundest == 0 {
		return 0, 0
	}
	first, second := k.vertices()
	if k.p.led == contact.None {
		p = s.radius(first)
	}
	if k.q.led == contact.None {
		q = s.radius(second)
	}
	return p, q
}

// bothRadii returns the sum of the radii of a pair [m].
func (s *scene) bothRadii(k *pair) float64 {
	p, q := s.radii(k)
	return p + q
}

// findRoundest finds the greatest radius of all.
func (s *scene) findRoundest() {
	s.roundest = 0
	for i := range s.skins {
		s.roundest = max(s.roundest, s.skins[i].Radius)
	}
}
