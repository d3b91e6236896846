package solve

import (
	"fmt"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
)

// given is the problem as solvers take it.
func given(p *problems.Problem, tolerance float64) *ContactProblem {
	return &ContactProblem{A: p.A, B: p.B, Mass: p.Mass, Fixed: p.Fixed, Set: &p.Set, Tolerance: tolerance}
}

// solveNodal solves to 1e-8 m/s.
func solveNodal(s *Nodal, p *problems.Problem) *Contacts { return solveTo(1e-8, s, p) }

func solveTo(tolerance float64, s *Nodal, p *problems.Problem) *Contacts {
	q := given(p, tolerance)
	out := q.Start()
	s.Solve(q, out)
	return out
}

// sheets are problems of every kind: at rest, sliding, over a ball, two sheets against each other, a tidy pile and an
// irregular one.
func sheets(n int, stretch, mu float64) map[string]*problems.Problem {
	return map[string]*problems.Problem{
		"rest":  problems.OnPlane(n, stretch, mu, r3.Vec{}, 0.002),
		"slide": problems.OnPlane(n, stretch, mu, r3.V(0.5, 0.2, 0), 0.01),
		"ball":  problems.OnBall(n, stretch, mu),
		"pair":  problems.InLayers(n, 2, stretch, mu, false),
		"pile":  problems.InLayers(n, 3, stretch, mu, true),
		"heap":  problems.IrregularPile(n, stretch, mu),
	}
}

// side returns n, or less in a short run.
func side(n int) int {
	if testing.Short() {
		return 2 * n / 3
	}
	return n
}

// Oracle: the residual, from v and r alone. It contains the balance of momentum and the law; the named parts of the law
// are bounded apart.
func TestNodalMeetsTheTolerance(t *testing.T) {
	for _, stretch := range []float64{50, 2000} {
		for _, mu := range []float64{0, 0.05, 0.6} {
			for name, p := range sheets(side(14), stretch, mu) {
				t.Run(fmt.Sprintf("%s/%g/%g", name, stretch, mu), func(t *testing.T) {
					s := DefaultNodal()
					out := solveNodal(&s, p)
					var m Measure
					r := m.Of(given(p, 1e-8), out.V, out.R, nil)
					if !out.Converged || r != out.Residual {
						t.Fatalf(
							"converged %v after %d sweeps, %d Newton steps; residual %+v, measured again %+v",
							out.Converged,
							out.Sweeps,
							out.Newton,
							out.Residual,
							r,
						)
					}
					if worst := max(r.Max(), r.Cone, r.Complementarity, r.Misalignment); !(worst <= 1.01e-8) {
						t.Errorf("residual %+v", r)
					}
				})
			}
		}
	}
}

// In haste small sheets are solved without their small blocks, too, and to what is asked for.
func TestNodalInHasteMeetsTheTolerance(t *testing.T) {
	const tolerance = 1e-4
	thin := 0
	for name, p := range sheets(14, 50, 0.4) {
		s := DefaultNodal()
		s.Hasty = true
		out := solveTo(tolerance, &s, p)
		var m Measure
		if r := m.Of(given(p, tolerance), out.V, out.R, nil); !out.Converged || !(r.Max() <= 1.01*tolerance) {
			t.Errorf("%s: converged %v, residual %+v", name, out.Converged, r)
		}
		if p.A.N > directLimit && p.A.N <= mostDirect && s.stand != s.known {
			thin++
		}
	}
	if thin == 0 {
		t.Error("no sheet was solved without its small blocks")
	}
}

// The same bits for any number of workers.
func TestNodalDoesNotFeelTheNumberOfWorkers(t *testing.T) {
	for name, p := range sheets(side(12), 400, 0.3) {
		var want *Contacts
		counts := []int{1, 3, 2, 8}
		if testing.Short() {
			counts = counts[:2]
		}
		for _, workers := range counts {
			s := DefaultNodal()
			s.Team = par.New(workers)
			got := solveNodal(&s, p)
			if want == nil {
				want = got
			}
			if !slices.Equal(got.V, want.V) || !slices.Equal(got.R, want.R) || !slices.Equal(got.State, want.State) {
				t.Errorf("%s: %d workers changed the result", name, workers)
			}
		}
	}
}

// A steady sequence of problems does not allocate.
func TestNodalDoesNotAllocate(t *testing.T) {
	for name, p := range sheets(side(12), 400, 0.3) {
		s := DefaultNodal()
		s.Team = par.New(2)
		var out Contacts
		q := given(p, 1e-8)
		solve := func() {
			out.Resize(p.A.N, p.Set.Len())
			clear(out.V)
			s.Solve(q, &out)
		}
		if n := testing.AllocsPerRun(1, solve); n > 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}

// A problem whose impulses are known is solved at once.
func TestWarmStartSavesWork(t *testing.T) {
	p := problems.OnBall(20, 400, 0.3)
	s := DefaultNodal()
	cold := solveNodal(&s, p)
	var warm Contacts
	warm.Resize(p.A.N, p.Set.Len())
	new(Carrier).Carry(&p.Set, cold.R, &p.Set, warm.R)
	copy(warm.V, cold.V)
	s.Solve(given(p, 1e-8), &warm)
	if !warm.Converged || warm.Newton > 0 || cold.Newton == 0 {
		t.Errorf("cold: %d Newton steps, warm: %d", cold.Newton, warm.Newton)
	}
}
