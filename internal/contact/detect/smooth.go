package detect

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/r3"
)

// Smooth skins [Larionov21].
//
// Where a skin is smooth, points of other skins meet the smooth surface of its triangles (package smooth), and nothing
// else of the two skins meets: neither edges, nor the points of the smooth one and the triangles of the other, unless
// that is smooth, too. So the triangles of the two may cross a little. Nothing keeps them from it, since what did would
// push against the smooth surface; they are counted. With itself a smooth skin is as any other, and so it is with what
// is round and with shapes, whose distance is smooth already.
//
// The surface is known as far as samples reach. A point that is deeper inside than that is pushed out as it is of
// closed meshes (rule_inside.go), to the nearest triangle.

// beginSmooth takes the smooth skins of a step; known tells that the features of moving ones are those of the last.
func (s *scene) beginSmooth(known bool) {
	s.smoothOf = slices.Grow(s.smoothOf, len(s.skins))[:len(s.skins)]
	s.smoothed = s.smoothed[:0]
	for i := range s.skins {
		skin, m := &s.skins[i], s.smoothOf[i]
		if skin.Smooth == nil || len(skin.Tri) == 0 {
			s.smoothOf[i] = nil
			continue
		}
		if m == nil || !known || m.o != s.obstacleOf[i] || m.surface != nil && m.surface.Options != *skin.Smooth {
			m = &smoothed{skin: int32(i), o: s.obstacleOf[i], first: skin.First}
			s.smoothOf[i] = m
		}
		s.smoothed = append(s.smoothed, m)
	}
}

// moveSmooth moves smooth skins along.
func (s *scene) moveSmooth() {
	for _, m := range s.smoothed {
		skin := &s.skins[m.skin]
		x0, x1 := skin.X0, []r3.Vec(nil)
		if m.o != nil {
			m.o.move(s.travel(m.o))
			x1 = m.o.x1
		} else {
			x0 = s.motion.X0[m.first : int(m.first)+skin.Points]
			x1 = s.motion.X1[m.first : int(m.first)+skin.Points]
		}
		m.move(skin, x0, x1, s.Reach*s.most, s.Team, len(s.skinOf))
	}
}

// move takes positions at the start and at the end of a step; there are so many points of moving skins.
func (m *smoothed) move(skin *contact.Skin, x0, x1 []r3.Vec, reach float64, team *par.Team, points int) {
	if m.surface == nil {
		m.surface = smooth.New(skin.Tri, x0, restBase(skin), *skin.Smooth, reach)
		m.mesh = geom.NewMeshField(x0, skin.Tri)
		m.last, m.clearance = slices.Clone(x0), make([]clearance, points)
	}
	m.surface.Reach = reach
	m.surface.Move(team, x0, x1)
	m.bounds = m.surface.Bounds()
	most, fastest := 0.0, 0.0
	for v, x := range x0 {
		most, fastest = max(most, x.Sub(m.last[v]).Norm2()), max(fastest, x1[v].Sub(x).Norm2())
	}
	if m.fastest = math.Sqrt(fastest); most > 0 {
		m.drift += math.Sqrt(most)
		copy(m.last, x0)
		m.mesh.Update(team, x0)
	}
}

// restBase returns the base of the triangles of a skin at rest, 0 if it has none [m].
func restBase(skin *contact.Skin) float64 {
	if skin.Rest == nil {
		return 0
	}
	most := 0.0
	for i := range skin.Tri {
		most = max(most, smooth.Base(
			[3]float64{skin.Rest.RestLength(i, 0), skin.Rest.RestLength(i, 1), skin.Rest.RestLength(i, 2)},
		))
	}
	return most
}

// smoothPair tells whether a pair is of two skins of which one is smooth, and nothing of it is round.
func (s *scene) smoothPair(k *pair) bool {
	if len(s.smoothed) == 0 || k.same || s.bothRadii(k) > 0 {
		return false
	}
	if k.edges {
		return s.smoothAt(k.p, k.p.edge[k.i][0]) || s.smoothAt(k.q, k.q.edge[k.j][0])
	}
	return s.smoothAt(k.p, k.i) || s.smoothAt(k.q, k.q.prim[k.j][0])
}

// smoothAt tells whether the skin of a vertex of a side is smooth.
func (s *scene) smoothAt(of *side, vertex int32) bool {
	if of.led != contact.None {
		return s.smoothOf[of.led] != nil
	}
	return s.smoothOf[s.skinOf[vertex]] != nil
}

// smoothPrims is smoothPair for primitives, of moving skins and perhaps an obstacle.
func (s *scene) smoothPrims(ij [2]int32, o *obstacle) bool {
	if len(s.smoothed) == 0 {
		return false
	}
	i := s.moving.prim[ij[0]][0]
	one := s.skinOf[i]
	if o != nil {
		return s.radius(i) == 0 && o.Field == nil && (s.smoothOf[one] != nil || s.smoothOf[o.skin] != nil)
	}
	j := s.moving.prim[ij[1]][0]
	two := s.skinOf[j]
	return one != two && s.radius(i)+s.radius(j) == 0 && (s.smoothOf[one] != nil || s.smoothOf[two] != nil)
}
