package yarn

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// symmetric is a symmetric matrix of 3 x 3: xx, yy, zz, xy, xz, yz.
type symmetric [6]float64

// isotropic returns p times the identity plus q times d dᵀ.
func isotropic(p, q float64, d r3.Vec) symmetric {
	return symmetric{p + q*d.X*d.X, p + q*d.Y*d.Y, p + q*d.Z*d.Z, q * d.X * d.Y, q * d.X * d.Z, q * d.Y * d.Z}
}

func (s *symmetric) add(k float64, t *symmetric) {
	for i := range s {
		s[i] += k * t[i]
	}
}

// build makes the model of a set where it is now; exact must have been called.
func (m *models) build(set *contactSet) {
	mo := &set.model
	s := &mo.store
	var mean r3.Vec
	for i, p := range m.points(set) {
		s.rest[i] = m.pos[p]
		mean = mean.Add(m.pos[p])
	}
	mean = mean.Scale(1 / float64(len(s.rest)))
	for i := range s.rest {
		s.rest[i] = s.rest[i].Sub(mean)
	}
	clear(s.stiffness)
	clear(s.damping)
	clear(s.force)
	m.weigh(set)
	a0, a1, b0, b1 := m.c.sets.segments(&set.box)
	for a := a0; a <= a1; a++ {
		for b := max(b0, a+1); b <= b1; b++ {
			m.buildPart(set, a, b, assembly{n: len(s.rest), a: a - a0, b: a1 - a0 + 4 + b - b0})
		}
	}
	mo.rotation, mo.least, mo.valid = r3.NoRotation(), set.least, true
	mo.share = 0
	if size := set.push.Norm(); size > 0 {
		mo.share = set.normal / size
	}
}

// weigh computes M of (6) in [Kaldor10]: how much of the set each control point moves.
func (m *models) weigh(set *contactSet) {
	clear(set.model.store.weight)
	a0, a1, b0, _ := m.c.sets.segments(&set.box)
	onB := set.model.store.weight[a1-a0+4:]
	for p := set.box.iLo; p < set.box.iHi; p++ {
		m.weighPoint(set.model.store.weight, int(p), a0)
	}
	for p := set.box.jLo; p < set.box.jHi; p++ {
		m.weighPoint(onB, int(p), b0)
	}
}

func (m *models) weighPoint(weight []float64, point, first int) {
	b := m.c.b
	for k, w := range m.c.spline.basis[point%b] {
		weight[point/b-first+k] += math.Abs(w) / float64(b)
	}
}

// buildPart adds force and matrices of the part of a set that is in two segments.
func (m *models) buildPart(set *contactSet, a, b int, at assembly) {
	c, s := m.c, &set.model.store
	near := c.material.near(a, b)
	part := c.sets.cut(&set.box, a, b)
	scale := c.opt.Stiffness * c.lay.rest[a] * c.lay.rest[b] / float64(c.b*c.b)
	stiffness, damping := at, at
	for i := int(part.iLo); i < int(part.iHi); i++ {
		lo, hi := int(part.jLo), int(part.jHi)
		if near {
			first, end := c.material.window(a, i-a*c.b, b)
			lo, hi = max(lo, b*c.b+first), min(hi, b*c.b+end)
		}
		for j := lo; j < hi; j++ {
			d := c.spline.at[i].Sub(c.spline.at[j])
			ratio := d.Norm2() / c.diameter2
			if ratio >= 1 {
				continue
			}
			_, slope, curvature := penalty(ratio)
			wa, wb := &c.spline.basis[i-a*c.b], &c.spline.basis[j-b*c.b]
			push := d.Scale(-2 * scale * slope / c.diameter2)
			spread(s.force[at.a:], wa, push)
			spread(s.force[at.b:], wb, push.Neg())
			hessian := isotropic(2*scale*slope/c.diameter2, 4*scale*curvature/(c.diameter2*c.diameter2), d)
			stiffness.add(&hessian, wa, wb)
			if c.damped {
				weight, kt, kn := 2*scale/c.opt.Stiffness, c.opt.DampTangent, c.opt.DampNormal
				drag := isotropic(weight*kt, -weight*(kt-kn)/d.Norm2(), d)
				damping.add(&drag, wa, wb)
			}
		}
	}
	stiffness.addTo(s.stiffness)
	if c.damped {
		damping.addTo(s.damping)
	}
}

// assembly sums the matrices of pairs of points of two segments, in full precision, for that of a set of n control
// points.
type assembly struct {
	n, a, b int // the control points of the two segments begin at a < b
	mixed   [4][4]symmetric
	ownA    [4][4]symmetric
	ownB    [4][4]symmetric
}

// add adds what the forces -h (x_i - x_j) and their opposite do to the control points with the given weights.
func (s *assembly) add(h *symmetric, wa, wb *[4]float64) {
	for k := range 4 {
		for l := range 4 {
			s.mixed[k][l].add(wa[k]*wb[l], h)
			if k <= l {
				s.ownA[k][l].add(-wa[k]*wa[l], h)
				s.ownB[k][l].add(-wb[k]*wb[l], h)
			}
		}
	}
}

// addTo adds the sums to the matrix of the set.
func (s *assembly) addTo(matrix []float32) {
	for k := range 4 {
		for l := range 4 {
			s.addBlock(matrix, s.a+k, s.b+l, &s.mixed[k][l])
			if k <= l {
				s.addBlock(matrix, s.a+k, s.a+l, &s.ownA[k][l])
				s.addBlock(matrix, s.b+k, s.b+l, &s.ownB[k][l])
			}
		}
	}
}

func (s *assembly) addBlock(matrix []float32, i, j int, h *symmetric) {
	at := 6 * (i*(2*s.n-i-1)/2 + j)
	block := matrix[at : at+6 : at+6]
	for k := range block {
		block[k] += float32(h[k])
	}
}

// arena holds the storage of models in large pieces, and keeps what was given back for models of the same size.
type arena struct {
	free   map[int][]block
	floats []float32
	vecs   []r3.Vec
	scales []float64
}

// arenaPiece is how many models of the common size a piece of storage has room for.
const arenaPiece = 256

func (a *arena) get(n int, damped bool) block {
	if list := a.free[n]; len(list) > 0 {
		a.free[n] = list[:len(list)-1]
		return list[len(list)-1]
	}
	size := 3 * n * (n + 1)
	b := block{stiffness: carve(&a.floats, size)}
	if damped {
		b.damping = carve(&a.floats, size)
	}
	b.rest, b.force, b.work = carve(&a.vecs, n), carve(&a.vecs, n), carve(&a.vecs, n)
	b.weight = carve(&a.scales, n)
	return b
}

func (a *arena) put(b block) {
	if a.free == nil {
		a.free = map[int][]block{}
	}
	a.free[len(b.rest)] = append(a.free[len(b.rest)], b)
}

// carve takes n elements from a piece of storage, or from a new one if too little is left.
func carve[T any](piece *[]T, n int) []T {
	if len(*piece) < n {
		*piece = make([]T, max(1, n)*arenaPiece)
	}
	part := (*piece)[:n:n]
	*piece = (*piece)[n:]
	return part
}
