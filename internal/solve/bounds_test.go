package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// linear is a problem without contacts: A v + b = 0.
type linear struct {
	a    *sparse.BSR
	b    []r3.Vec
	mass []float64
}

func (p *linear) Fixed() []bool                              { return make([]bool, len(p.b)) }
func (p *linear) Mass() []float64                            { return p.mass }
func (p *linear) Linearize([]r3.Vec) (*sparse.BSR, []r3.Vec) { return p.a, p.b }
func (p *linear) Balance(v, out []r3.Vec)                    { p.a.Mul(nil, v, out) }
func (p *linear) spring(i, j int32, k float64, direction r3.Vec) {
	m := r3.Outer(direction, direction)
	m = m.Scale(k)
	minus := m.Scale(-1)
	p.a.Val[p.a.Index(i, i)].Add(&m)
	p.a.Val[p.a.Index(j, j)].Add(&m)
	p.a.Val[p.a.Index(i, j)].Add(&minus)
	p.a.Val[p.a.Index(j, i)].Add(&minus)
}

// randomLinear is a net of masses over two decades and springs that are up to the given factor stiffer, and momenta of
// some m/s. What the springs do not hold is as free as the masses, so that the factor is about the condition.
func randomLinear(rng *rand.Rand, stiffness float64) *linear {
	n := 8 + rng.IntN(12)
	pattern := sparse.NewPattern(n)
	var springs [][2]int32
	for i := 1; i < n; i++ {
		for range 2 {
			e := [2]int32{int32(i), int32(rng.IntN(i))}
			pattern.Add(e[:]...)
			springs = append(springs, e)
		}
	}
	p := &linear{a: pattern.Build(), b: make([]r3.Vec, n), mass: make([]float64, n)}
	for i := range n {
		p.mass[i] = math.Pow(10, -2+2*rng.Float64())
		p.a.Val[p.a.Diag[i]] = r3.Diagonal(p.mass[i])
		p.b[i] = gauss(rng).Scale(p.mass[i])
	}
	for _, e := range springs {
		p.spring(e[0], e[1], 1e-2*stiffness*rng.Float64(), gauss(rng).Unit())
	}
	return p
}

func denseOf(a *sparse.BSR) [][]float64 {
	rows := make([][]float64, 3*a.N)
	for i := range rows {
		rows[i] = make([]float64, 3*a.N)
	}
	for i := range a.N {
		for q := a.Start[i]; q < a.Start[i+1]; q++ {
			for k, row := range [3]r3.Vec{a.Val[q].MulVecT(r3.V(1, 0, 0)), a.Val[q].MulVecT(r3.V(0, 1, 0)), a.Val[q].MulVecT(r3.V(0, 0, 1))} {
				j := 3 * a.Col[q]
				rows[3*i+k][j], rows[3*i+k][j+1], rows[3*i+k][j+2] = row.X, row.Y, row.Z
			}
		}
	}
	return rows
}

// Without contacts the residual, with what rounding leaves, bounds the error in the mean square weighed by mass: 200
// problems of condition 1e2 to 1e12, solved directly and by iteration, against a solution in extended precision.
// Rounding of A takes κ ε from the least eigenvalue that the bound rests on. Where the residual is looser than the
// tolerance, that is said.
func TestResidualBoundsTheErrorOfFreeProblems(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	var tightest, loosest float64
	for k := range 200 {
		condition := math.Pow(10, 2+10*float64(k)/199)
		p := randomLinear(rng, condition)
		n := len(p.b)
		rhs := make([]float64, 0, 3*n)
		total := 0.0
		for i, b := range p.b {
			rhs = append(rhs, -b.X, -b.Y, -b.Z)
			total += p.mass[i]
		}
		want, err := referee.SolveSPD(denseOf(p.a), rhs)
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []Method{Direct, PCG} {
			f := Free{
				Linear: Linear{Method: method, Tolerance: math.Pow(10, -2-10*rng.Float64()), MaxIterations: 200},
				Newton: Newton{Iterations: 1},
				Team:   par.New(1),
			}
			out := Result{V: make([]r3.Vec, n)}
			f.Solve(p, &out)
			var rounding Rounding
			floor := rounding.Floor(f.Team, p.a, p.mass, nil, make([]r3.Vec, n), out.V, 1)
			sum := 0.0
			for i, v := range out.V {
				sum += p.mass[i] * v.Sub(r3.V(want[3*i], want[3*i+1], want[3*i+2])).Norm2()
			}
			deviation := math.Sqrt(sum / total)
			if bound := (out.Residual + floor) / (1 - 0x1p-50*condition); !(deviation <= bound) {
				t.Errorf(
					"condition %.1e, method %d: off by %.3g m/s, residual %.3g and floor %.3g",
					condition,
					method,
					deviation,
					out.Residual,
					floor,
				)
			}
			if out.Converged != (out.Residual <= f.Linear.Tolerance) {
				t.Errorf(
					"condition %.1e, method %d: residual %.3g, tolerance %.3g, converged %v",
					condition,
					method,
					out.Residual,
					f.Linear.Tolerance,
					out.Converged,
				)
			}
			tightest = max(tightest, deviation/(out.Residual+floor))
			loosest = max(loosest, out.Residual)
		}
	}
	t.Logf("errors up to %.2f of the bound; residuals up to %.2g m/s", tightest, loosest)
}

// The bound is attained by a net that moves as a whole: its residual is its error, however stiff it is. The scale 3/tr
// A_ii, which this replaces, called it 1e-9 of that.
func TestResidualOfACommonMotionIsItsError(t *testing.T) {
	for _, stiffness := range []float64{1, 1e4, 1e9} {
		p := randomLinear(rand.New(rand.NewPCG(16, 3)), stiffness)
		v, astray := make([]r3.Vec, len(p.b)), r3.V(0.3, -0.1, 0.2)
		for i := range v {
			v[i] = astray
			p.b[i] = r3.Vec{}
		}
		var set contact.Set
		var m Measure
		r := m.Of(&ContactProblem{A: p.a, B: p.b, Mass: p.mass, Set: &set}, v, nil, nil)
		if floor := 1e-15 * stiffness; math.Abs(r.Max()-astray.Norm()) > 1e-12+floor {
			t.Errorf("stiffness %g: residual %g of an error of %g m/s", stiffness, r.Max(), astray.Norm())
		}
	}
}

// plainly is a problem as the referee takes it.
func plainly(p *ContactProblem) *referee.Problem {
	return problems.Plain(p.A, p.B, p.Mass, p.Fixed, p.Set, nil)
}

// With contacts the residual is a backward error. For 200 problems, solved to tolerances from 1e-12 to 1e-2 m/s: (v,
// r'), with r' the impulses nearest to r that obey the law, solve a problem exactly whose u_f differ by at most Law,
// and whose loads by at most Dynamics + Law Σ_c ‖J_ci‖/(m_i s_c) for each unit of mass. The referee, which shares no
// code with the measure, finds nothing wrong with them but rounding.
func TestResidualIsABackwardError(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 2))
	worst, count := 0.0, 0
	for seed := uint64(0); count < 200; seed++ {
		net, _ := problems.Random(seed)
		if seed%2 == 1 {
			net = problems.Spread(net, seed)
		}
		if net.Set.Len() == 0 {
			continue
		}
		count++
		s := DefaultNodal()
		s.MaxNewton, s.MaxSweeps = rng.IntN(10), 1+rng.IntN(50) // many end early
		p := given(net, math.Pow(10, -2-10*rng.Float64()))
		out := p.Start()
		s.Solve(p, out)
		var m Measure
		residual := m.Of(p, out.V, out.R, nil)

		near := plainly(p)
		near.B = make([]r3.Vec, p.A.N)
		allowed := make([]float64, p.A.N) // of loads
		for i := range near.B {
			near.B[i] = p.A.MulRow(i, out.V).Neg()
			allowed[i] = residual.Dynamics * p.Mass[i]
		}
		lawful := make([]r3.Vec, len(out.R))
		size := 1.0
		for c := range near.Contacts {
			k := &near.Contacts[c]
			u := m.velocity(c)
			scale := m.scale[c]
			if scale == 0 { // between prescribed blocks
				k.Void = true
				continue
			}
			u1, r1, _ := NearestLawful(u, out.R[c], k.Mu, scale)
			if far := u1.Sub(u).Norm(); far > residual.Law*(1+1e-9)+1e-15 {
				t.Fatalf("seed %d: contact %d: u_f differs by %g, the law by %g", seed, c, far, residual.Law)
			}
			k.Offset = k.Offset.Add(u1.Sub(u))
			lawful[c] = r1
			for _, term := range k.Row {
				near.B[term.Block] = near.B[term.Block].Add(term.M.MulVecT(r1))
				reach := math.Sqrt(term.M.Norm2() / 3) // rows are rotations times a weight
				allowed[term.Block] += reach / scale * residual.Law
			}
			size = max(size, u1.Norm(), scale*r1.Norm())
		}
		for i := range near.B {
			if net.Fixed[i] {
				continue
			}
			if far := near.B[i].Sub(p.B[i]).Norm(); far > allowed[i]*(1+1e-9)+1e-13*size*p.Mass[i] {
				t.Errorf("seed %d: load %d differs by %g N s, more than %g", seed, i, far, allowed[i])
			}
		}
		if breach := referee.Judge(near, out.V, lawful); !(breach.Worst() <= 1e-10*size) {
			t.Errorf("seed %d: %+v at velocities of %g", seed, breach, size)
		}
		// The referee on the problem as it was says what the measure says, up to what the nearest law can differ by.
		breach := referee.Judge(plainly(p), out.V, out.R)
		if math.Abs(breach.Balance-residual.Dynamics) > 1e-9*(size+breach.Balance) {
			t.Errorf(
				"seed %d: the referee finds %g m/s out of balance, the measure %g",
				seed,
				breach.Balance,
				residual.Dynamics,
			)
		}
		law := breach
		law.Balance = 0
		if law.Worst() > 3*residual.Law+1e-12*size || residual.Law > 3*law.Worst()+1e-12*size {
			t.Errorf("seed %d: the referee finds the law broken by %+v, the measure by %g", seed, law, residual.Law)
		}
		worst = max(worst, residual.Max())
	}
	t.Logf("residuals up to %.2g m/s", worst)
}
