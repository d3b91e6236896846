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
	var t tile
	for a := a0; a <= a1; a++ {
		for b := max(b0, a+1); b <= b1; b++ {
			m.c.sets.cut(set, &t, a, b)
			m.buildTile(s, &t, a-a0, a1-a0+4+b-b0)
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

// buildTile adds force and matrices of a tile whose control points begin at places a and b of the set.
func (m *models) buildTile(s *block, t *tile, a, b int) {
	c := m.c
	near := c.material.near(t.a, t.b)
	scale := c.opt.Stiffness * c.lay.rest[t.a] * c.lay.rest[t.b] / float64(c.b*c.b)
	stiffness, damping := assembly{s.stiffness, len(s.rest), a, b}, assembly{s.damping, len(s.rest), a, b}
	for i := t.iLo; i < t.iHi; i++ {
		lo, hi := t.jLo, t.jHi
		if near {
			wLo, wHi := c.material.window(t.a, i, t.b)
			lo, hi = max(lo, wLo), min(hi, wHi)
		}
		for j := lo; j < hi; j++ {
			d := c.spline.at[t.a*c.b+i].Sub(c.spline.at[t.b*c.b+j])
			ratio := d.Norm2() / c.diameter2
			if ratio >= 1 {
				continue
			}
			_, slope, curvature := penalty(ratio)
			wa, wb := &c.spline.basis[i], &c.spline.basis[j]
			push := d.Scale(-2 * scale * slope / c.diameter2)
			for k := range 4 {
				s.force[a+k] = s.force[a+k].AddScaled(wa[k], push)
				s.force[b+k] = s.force[b+k].AddScaled(-wb[k], push)
			}
			hessian := isotropic(2*scale*slope/c.diameter2, 4*scale*curvature/(c.diameter2*c.diameter2), d)
			stiffness.add(&hessian, wa, wb)
			if c.damped {
				kt, kn := c.opt.DampTangent, c.opt.DampNormal
				drag := isotropic(2*kt, -2*(kt-kn)/d.Norm2(), d)
				weighted := symmetric{}
				weighted.add(scale/c.opt.Stiffness, &drag)
				damping.add(&weighted, wa, wb)
			}
		}
	}
}

// assembly adds the matrices of pairs of points to that of a set of n control points.
type assembly struct {
	matrix  []float32
	n, a, b int // the control points of the two segments begin at a < b
}

// add adds what the forces -h (x_i - x_j) and their opposite do to the control points with the given weights.
func (s *assembly) add(h *symmetric, wa, wb *[4]float64) {
	for k := range 4 {
		for l := range 4 {
			s.addBlock(s.a+k, s.b+l, wa[k]*wb[l], h)
			if k <= l {
				s.addBlock(s.a+k, s.a+l, -wa[k]*wa[l], h)
				s.addBlock(s.b+k, s.b+l, -wb[k]*wb[l], h)
			}
		}
	}
}

func (s *assembly) addBlock(i, j int, scale float64, h *symmetric) {
	at := 6 * (i*(2*s.n-i-1)/2 + j)
	block := s.matrix[at : at+6 : at+6]
	for k := range block {
		block[k] += float32(scale * h[k])
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
