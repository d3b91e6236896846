package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// randomProblem is a net of up to 40 masses with stiffnesses over up to four decades and contacts of all sorts: with obstacles and with each other,
// several on a mass, some between prescribed ones. Unless wild, all can hold together: normals point upwards, and later masses lie on earlier ones.
func randomProblem(seed uint64) (p *touchingProblem, wild bool) {
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
	p = &touchingProblem{a: pattern.Build(), b: make([]r3.Vec, n), fixed: make([]bool, n)}
	decades := 4 * rng.Float64()
	for i := range n {
		m := math.Pow(10, rng.Float64())
		p.a.Val[p.a.Diag[i]] = r3.Diagonal(m)
		p.b[i] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()+1).Scale(m)
	}
	for _, e := range springs {
		d := r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit()
		k := math.Pow(10, decades*rng.Float64())
		m := r3.Outer(d, d)
		m = m.Scale(k)
		minus := m.Scale(-1)
		i, j := e[0], e[1]
		p.a.Val[p.a.Diag[i]].Add(&m)
		p.a.Val[p.a.Diag[j]].Add(&m)
		p.a.Val[p.a.Index(i, j)].Add(&minus)
		p.a.Val[p.a.Index(j, i)].Add(&minus)
	}
	for i := range n {
		p.fixed[i] = n > 5 && rng.IntN(20) == 0
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
			ID: contact.ID{A: contact.Feature{ID: int64(c)}}, A: a, B: contact.None, Frame: contact.FrameOf(normal), Mu: top * rng.Float64(),
			Uf: r3.V(0.1*rng.NormFloat64(), 0.3*rng.NormFloat64(), 0.3*rng.NormFloat64()),
		}
		if a > 0 && rng.IntN(2) == 0 {
			k.B = int32(rng.IntN(int(a)))
		}
		if !wild && (p.fixed[a] || k.B >= 0 && p.fixed[k.B]) {
			continue // a prescribed mass cannot give way
		}
		p.set.Add(k)
	}
	return p, wild
}

// C22, a part: 99.5 % of the library are solved, contacts that contradict each other excepted. What the dual solver finds is compared
// by the way: more than one solution may exist, and both have a residual below tolerance then.
func TestLibrary(t *testing.T) {
	count := 200
	if !testing.Short() {
		count = 2000
	}
	var failed, flagged, tame, same, other int
	s := DefaultNodal()
	for seed := range uint64(count) {
		p, wild := randomProblem(seed)
		if err := p.set.Validate(p.a.N); err != nil {
			t.Fatal(err)
		}
		out := p.solve(&s)
		marked := 0
		for c := range out.Infeasible {
			if out.Infeasible[c] {
				marked++
			}
			if !out.R[c].Finite() || !out.U[c].Finite() {
				t.Fatalf("seed %d: not finite", seed)
			}
		}
		switch {
		case !out.Converged:
			failed++
			t.Logf("seed %d: %d blocks, %d contacts, wild %v: %+v after %d sweeps, %d steps; %d marked", seed, p.a.N, p.set.Len(), wild, out.Residual, out.Sweeps, out.Newton, marked)
		case marked > 0:
			flagged++
			if !wild {
				tame++
				t.Logf("seed %d: %d of %d contacts called infeasible, though all can hold", seed, marked, p.set.Len())
			}
		case seed%10 == 0:
			if dual := p.dual(t, 1e-8); dual.Converged {
				if farthest(out, dual) <= 1e-6 {
					same++
				} else {
					other++
				}
			}
		}
	}
	t.Logf("%d problems: %d not solved, %d with infeasible contacts; against the dual solver %d same velocities, %d other solutions", count, failed, flagged, same, other)
	if (failed+tame)*200 > count {
		t.Errorf("%d of %d not solved, %d wrongly called infeasible", failed, count, tame)
	}
}
