package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// chain is a row of n unit masses joined to the next and the seventh next by springs whose force grows with the cube of
// the stretch as well: g(v) = v - c + Σ k (d + cubic d³) over the springs, d = v_i - v_j.
type chain struct {
	springs [][2]int32
	a       *sparse.BSR
	b       []r3.Vec
	fixed   []bool
	pull    []r3.Vec
	k       float64
	cubic   float64
}

func newChain(n int, k, cubic float64, rng *rand.Rand) *chain {
	p := sparse.NewPattern(n)
	var springs [][2]int32
	for _, reach := range []int{1, 7} {
		for i := range max(0, n-reach) {
			p.Add(int32(i), int32(i+reach))
			springs = append(springs, [2]int32{int32(i), int32(i + reach)})
		}
	}
	c := &chain{
		springs: springs,
		a:       p.Build(),
		b:       make([]r3.Vec, n),
		fixed:   make([]bool, n),
		pull:    make([]r3.Vec, n),
		k:       k,
		cubic:   cubic,
	}
	for i := range c.pull {
		c.pull[i] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
	}
	c.fixed[0] = true
	return c
}

func (c *chain) Fixed() []bool { return c.fixed }

func (c *chain) Mass() []float64 {
	mass := make([]float64, len(c.b))
	for i := range mass {
		mass[i] = 1
	}
	return mass
}

func (c *chain) Balance(v, out []r3.Vec) {
	for i := range v {
		out[i] = v[i].Sub(c.pull[i])
	}
	for _, s := range c.springs {
		d := v[s[0]].Sub(v[s[1]])
		f := d.Scale(c.k * (1 + c.cubic*d.Norm2()))
		out[s[0]], out[s[1]] = out[s[0]].Add(f), out[s[1]].Sub(f)
	}
}

func (c *chain) Linearize(v []r3.Vec) (*sparse.BSR, []r3.Vec) {
	if v == nil {
		v = make([]r3.Vec, len(c.b))
	}
	c.a.Zero()
	for i := range v {
		c.a.Val[c.a.Diag[i]].AddDiagonal(1)
	}
	for _, s := range c.springs {
		i, j := s[0], s[1]
		d := v[i].Sub(v[j])
		h := r3.Diagonal(c.k * (1 + c.cubic*d.Norm2()))
		h.AddOuter(2*c.k*c.cubic, d, d)
		minus := h.Scale(-1)
		c.a.Val[c.a.Index(i, i)].Add(&h)
		c.a.Val[c.a.Index(j, j)].Add(&h)
		c.a.Val[c.a.Index(i, j)].Add(&minus)
		c.a.Val[c.a.Index(j, i)].Add(&minus)
	}
	c.Balance(v, c.b)
	av := make([]r3.Vec, len(v))
	c.a.Mul(nil, v, av)
	for i := range c.b {
		c.b[i] = c.b[i].Sub(av[i])
	}
	return c.a, c.b
}

// Oracle: what Solve returns balances, measured by Balance alone, and prescribed velocities stay.
func TestFreeSolvesLinearAndNonlinearProblems(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, method := range []Method{Auto, PCG, Direct} {
		for _, c := range []struct {
			n, newton int
			cubic     float64
		}{{5, 1, 0}, {800, 1, 0}, {40, 60, 10}, {40, 60, 1000}} {
			p := newChain(c.n, 50, c.cubic, rng)
			f := Free{
				Linear: Linear{Method: method, Tolerance: 1e-10, MaxIterations: 1000},
				Newton: Newton{Iterations: c.newton, Tolerance: 1e-9}, Team: par.New(1),
			}
			out := Result{V: make([]r3.Vec, c.n)}
			out.V[0] = r3.V(1, 2, 3)
			f.Solve(p, &out)
			if !out.Converged {
				t.Errorf("method %d, %+v: not converged: %+v", method, c, out.Nonlinear)
			}
			if out.V[0] != r3.V(1, 2, 3) {
				t.Errorf("method %d, %+v: the prescribed velocity became %v", method, c, out.V[0])
			}
			g := make([]r3.Vec, c.n)
			p.Balance(out.V, g)
			for i := 1; i < c.n; i++ {
				if r := g[i].Norm(); !(r <= 1.01e-9) {
					t.Fatalf("method %d, %+v: block %d is off by %g", method, c, i, r)
				}
			}
		}
	}
}

// What was not reached is said.
func TestFreeSaysWhatItDidNotReach(t *testing.T) {
	p := newChain(400, 1e4, 0, rand.New(rand.NewPCG(1, 1)))
	f := Free{
		Linear: Linear{Method: PCG, Tolerance: 1e-12, MaxIterations: 1},
		Newton: Newton{Iterations: 1, Tolerance: 1},
	}
	out := Result{V: make([]r3.Vec, 400)}
	f.Solve(p, &out)
	if out.Converged || !(out.Residual > 1e-12) || !math.IsNaN(out.Nonlinear) {
		t.Errorf("after one iteration: %v, residual %g, nonlinear %g", out.Converged, out.Residual, out.Nonlinear)
	}
	p = newChain(40, 50, 1000, rand.New(rand.NewPCG(1, 1)))
	f = Free{
		Linear: Linear{Method: Direct, Tolerance: 1e-9, MaxIterations: 1},
		Newton: Newton{Iterations: 2, Tolerance: 1e-9},
	}
	out = Result{V: make([]r3.Vec, 40)}
	f.Solve(p, &out)
	if out.Converged || !(out.Nonlinear > 1e-9) {
		t.Errorf("after two Newton iterations: %v, nonlinear %g", out.Converged, out.Nonlinear)
	}
}
