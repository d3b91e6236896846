package body

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// A skin that tets carry, such as a fine surface in coarse tets. Each of its points is at
//
//	x = Σ w_k x_k,   Σ w_k = 1,
//
// of the corners of one tet, inside of it or not: outside, some w are negative. Where the tets move rigidly, so does
// the skin. A force f at a point is w_k f at the corners, which has the same sum, and the same moment Σ x_k × w_k f = x
// × f.

// CarriedSkin is a surface whose points are carried by tets.
type CarriedSkin struct {
	Tri    [][3]int32
	Tet    []int32      // by point: the tet that carries it
	Weight [][4]float64 // by point: of the corners of that tet
}

// SkinIn returns the skin with points at x and the given triangles, in tets at rest. The tet that contains a point
// carries it, or else the one that is nearest.
func SkinIn(m *mesh.Tets, x []r3.Vec, tri [][3]int32) *CarriedSkin {
	s := &CarriedSkin{Tri: tri}
	boxes := make([]r3.Box, len(m.Tet))
	for t, v := range m.Tet {
		boxes[t] = r3.EmptyBox().With(m.X[v[0]]).With(m.X[v[1]]).With(m.X[v[2]]).With(m.X[v[3]])
	}
	tree := geom.NewTree(boxes)
	for _, p := range x {
		tet, _ := tree.Nearest(p, math.Inf(1), func(t int32) float64 { return distanceToTet2(m, t, p) })
		s.Tet = append(s.Tet, tet)
		s.Weight = append(s.Weight, tetWeights(m, tet, p))
	}
	return s
}

// tetWeights returns the weights of the corners of a tet at p.
func tetWeights(m *mesh.Tets, tet int32, p r3.Vec) [4]float64 {
	v := m.Tet[tet]
	a := m.X[v[0]]
	u, s, t, q := m.X[v[1]].Sub(a), m.X[v[2]].Sub(a), m.X[v[3]].Sub(a), p.Sub(a)
	volume := u.Dot(s.Cross(t))
	one, two, three := q.Dot(s.Cross(t))/volume, u.Dot(q.Cross(t))/volume, u.Dot(s.Cross(q))/volume
	return [4]float64{1 - one - two - three, one, two, three}
}

// distanceToTet2 returns the squared distance of p to a tet, zero inside [m²].
func distanceToTet2(m *mesh.Tets, tet int32, p r3.Vec) float64 {
	if w := tetWeights(m, tet, p); min(w[0], w[1], w[2], w[3]) >= 0 {
		return 0
	}
	v, least := m.Tet[tet], math.Inf(1)
	for k := range 4 {
		_, _, d2 := geom.PointTriangle(p, m.X[v[(k+1)%4]], m.X[v[(k+2)%4]], m.X[v[(k+3)%4]])
		least = min(least, d2)
	}
	return least
}

// validate lists what is wrong with the skin, in so many tets.
func (s *CarriedSkin) validate(tets int) error {
	if len(s.Weight) != len(s.Tet) {
		return fmt.Errorf("skin: %d points have tets, and %d have weights", len(s.Tet), len(s.Weight))
	}
	var faults []error
	for i, t := range s.Tet {
		if t < 0 || int(t) >= tets {
			faults = append(faults, fmt.Errorf("skin: tet %d, which carries point %d, is not one of %d", t, i, tets))
		}
		w := s.Weight[i]
		const rounding = 1e-9
		if sum := w[0] + w[1] + w[2] + w[3]; !(math.Abs(sum-1) < rounding) {
			faults = append(faults, fmt.Errorf("skin: weights of point %d add up to %g, not to 1", i, sum))
		}
	}
	return errors.Join(faults...)
}

// positions writes where the points are when the vertices of the tets are at x.
func (s *CarriedSkin) positions(m *mesh.Tets, x, out []r3.Vec) {
	for i, t := range s.Tet {
		v, w := &m.Tet[t], &s.Weight[i]
		out[i] = x[v[0]].Scale(w[0]).AddScaled(w[1], x[v[1]]).AddScaled(w[2], x[v[2]]).AddScaled(w[3], x[v[3]])
	}
}

// skin returns what contacts see of it.
func (s *CarriedSkin) skin(m *mesh.Tets) contact.Skin {
	out := contact.Skin{Points: len(s.Tet), Tri: s.Tri}
	for i, t := range s.Tet {
		out.Carriers.Start = append(out.Carriers.Start, int32(len(out.Carriers.By)))
		for k, v := range m.Tet[t] {
			out.Carriers.By = append(out.Carriers.By, contact.Carrier{Block: v, M: r3.Diagonal(s.Weight[i][k])})
		}
	}
	out.Carriers.Start = append(out.Carriers.Start, int32(len(out.Carriers.By)))
	rest := make([]r3.Vec, len(s.Tet))
	s.positions(m, m.X, rest)
	out.Made, out.Rest = rest, &solidRest{rest, s.Tri}
	return out
}
