package problems

import (
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Random is a net of up to 40 masses with stiffnesses over up to four decades and contacts of all sorts: with obstacles
// and with each other, several on a mass, some between prescribed ones. Unless wild, all can hold together: normals
// point upwards, and later masses lie on earlier ones.
func Random(seed uint64) (p *Problem, wild bool) {
	rng := rand.New(rand.NewPCG(seed, 77))
	n := 1 + rng.IntN(40)
	pattern := sparse.NewPattern(n)
	var springs [][2]int32
	for i := 1; i < n; i++ {
		for range 1 + rng.IntN(3) {
			j := rng.IntN(i)
			pattern.Add(int32(i), int32(j))
			springs = append(springs, [2]int32{int32(i), int32(j)})
		}
	}
	p = &Problem{A: pattern.Build(), B: make([]r3.Vec, n), Mass: make([]float64, n), Fixed: make([]bool, n)}
	decades := 4 * rng.Float64()
	for i := range n {
		m := math.Pow(10, rng.Float64())
		p.A.Val[p.A.Diag[i]], p.Mass[i] = r3.Diagonal(m), m
		p.B[i] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()+1).Scale(m)
	}
	for _, e := range springs {
		d := r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit()
		k := math.Pow(10, decades*rng.Float64())
		m := r3.Outer(d, d)
		m = m.Scale(k)
		minus := m.Scale(-1)
		i, j := e[0], e[1]
		p.A.Val[p.A.Diag[i]].Add(&m)
		p.A.Val[p.A.Diag[j]].Add(&m)
		p.A.Val[p.A.Index(i, j)].Add(&minus)
		p.A.Val[p.A.Index(j, i)].Add(&minus)
	}
	for i := range n {
		p.Fixed[i] = n > 5 && rng.IntN(20) == 0
	}
	wild = rng.IntN(5) == 0
	top := []float64{0, 0.2, 0.6, 1.2}[rng.IntN(4)]
	for c := range 1 + rng.IntN(n+n/2+1) {
		normal := r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit()
		if !wild {
			normal = normal.Add(r3.V(0, 0, 1.5)).Unit()
		}
		a := int32(rng.IntN(n))
		k := contact.Contact{
			ID: contact.ID{
				A: contact.Feature{ID: int64(c)},
			},
			A:     a,
			B:     contact.None,
			Frame: contact.FrameOf(normal),
			Mu:    top * rng.Float64(),
			Uf:    r3.V(0.1*rng.NormFloat64(), 0.3*rng.NormFloat64(), 0.3*rng.NormFloat64()),
		}
		if a > 0 && rng.IntN(2) == 0 {
			k.B = int32(rng.IntN(int(a)))
		}
		if !wild && (p.Fixed[a] || k.B >= 0 && p.Fixed[k.B]) {
			continue // a prescribed mass cannot give way
		}
		p.Set.Add(k)
	}
	return p, wild
}

// Single is a node with one contact: stiffness w, momentum and friction as given, in the frame of the contact. Its mass
// is the mean of w.
func Single(w *r3.Mat, b r3.Vec, mu float64, normal r3.Vec) *Problem {
	e := contact.FrameOf(normal)
	transposed := e.T()
	we := w.Mul(&e)
	p := &Problem{
		A:     sparse.NewPattern(1).Build(),
		B:     []r3.Vec{transposed.MulVec(b)},
		Mass:  []float64{w.Trace() / 3},
		Fixed: make([]bool, 1),
	}
	p.A.Val[p.A.Diag[0]] = transposed.Mul(&we)
	p.Set.Add(contact.Contact{A: 0, B: contact.None, Frame: e, Mu: mu})
	return p
}

// TwoMasses are two masses that mostly move towards each other, with a contact between them.
func TwoMasses(seed uint64) *Problem {
	rng := rand.New(rand.NewPCG(seed, 12))
	gauss := func() r3.Vec { return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()) }
	p := &Problem{
		A:     sparse.NewPattern(2).Build(),
		B:     make([]r3.Vec, 2),
		Mass:  make([]float64, 2),
		Fixed: make([]bool, 2),
	}
	normal := gauss().Unit()
	for i, towards := range []float64{-2, 2} {
		m := math.Pow(10, -4+rng.Float64())
		p.A.Val[p.A.Diag[i]], p.Mass[i] = r3.Diagonal(m), m
		p.B[i] = gauss().AddScaled(towards, normal).Scale(-m)
	}
	p.Set.Add(contact.Contact{
		A: 0, B: 1, Frame: contact.FrameOf(normal), Mu: 1.2 * rng.Float64(),
		Uf: r3.V(0.3*rng.NormFloat64(), 0.1*rng.NormFloat64(), 0.1*rng.NormFloat64()),
	})
	return p
}

// Spread returns the problem with the rows of points between masses in place of pairs: side A among its mass and later
// ones, side B among its mass and those before side A. What can hold together still can.
func Spread(p *Problem, seed uint64) *Problem {
	// pairs in place of which rows come
	rng := rand.New(rand.NewPCG(seed, 78))
	out := &Problem{A: p.A, B: p.B, Mass: p.Mass, Fixed: p.Fixed}
	for _, k := range p.Set.Contacts {
		if k.B == contact.None {
			out.Set.Add(k)
			continue
		}
		// a side: its mass and others, with shares
		var row []contact.Weight
		side := func(first, low, high int32, sign float64) {
			blocks := []int32{first}
			for range rng.IntN(2) {
				if i := low + int32(rng.IntN(int(high-low))); i != first {
					blocks = append(blocks, i)
				}
			}
			share := 1.0
			for i, block := range blocks {
				w := share
				if i < len(blocks)-1 {
					w *= 0.1 + 0.8*rng.Float64()
				}
				share -= w
				row = append(row, contact.Weight{Block: block, W: sign * w})
			}
		}
		// both sides of a pair
		side(k.A, k.A, int32(p.A.N), 1)
		side(k.B, 0, k.A, -1)
		out.Set.AddWeighted(k, row...)
	}
	return out
}
