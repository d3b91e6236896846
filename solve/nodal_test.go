package solve

import (
	"fmt"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// sheets are problems of every kind: at rest, sliding, over a ball, two sheets against each other, a tidy pile and an irregular one.
func sheets(n int, stretch, mu float64) map[string]*touchingProblem {
	return map[string]*touchingProblem{
		"rest":  onPlane(n, stretch, mu, r3.Vec{}, 0.002),
		"slide": onPlane(n, stretch, mu, r3.V(0.5, 0.2, 0), 0.01),
		"ball":  onBall(n, stretch, mu),
		"pair":  inLayers(n, 2, stretch, mu, false),
		"pile":  inLayers(n, 3, stretch, mu, true),
		"heap":  irregularPile(n, stretch, mu),
	}
}

// side returns n, or less in a short run.
func side(n int) int {
	if testing.Short() {
		return 2 * n / 3
	}
	return n
}

// Oracle: the residual, from v and r alone. It contains the balance of momentum and the law; the named parts of the law are bounded apart.
func TestNodalMeetsTheTolerance(t *testing.T) {
	for _, stretch := range []float64{50, 2000} {
		for _, mu := range []float64{0, 0.05, 0.6} {
			for name, p := range sheets(side(14), stretch, mu) {
				t.Run(fmt.Sprintf("%s/%g/%g", name, stretch, mu), func(t *testing.T) {
					s := DefaultNodal()
					out := p.solve(&s)
					var m Measure
					r := m.Of(p.a, p.b, p.fixed, &p.set, out.V, out.R, nil)
					if !out.Converged || r != out.Residual {
						t.Fatalf("converged %v after %d sweeps, %d Newton steps; residual %+v, measured again %+v", out.Converged, out.Sweeps, out.Newton, out.Residual, r)
					}
					if worst := max(r.Max(), r.Cone, r.Complementarity, r.Misalignment); !(worst <= 1.01e-8) {
						t.Errorf("residual %+v", r)
					}
				})
			}
		}
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
			got := p.solve(&s)
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
		solve := func() {
			out.Resize(p.a.N, p.set.Len())
			clear(out.V)
			s.Solve(p.a, p.b, p.fixed, &p.set, &out)
		}
		if n := testing.AllocsPerRun(1, solve); n > 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}

// A problem whose impulses are known is solved at once.
func TestWarmStartSavesWork(t *testing.T) {
	p := onBall(20, 400, 0.3)
	s := DefaultNodal()
	cold := p.solve(&s)
	var warm Contacts
	warm.Resize(p.a.N, p.set.Len())
	Carry(&p.set, cold.R, &p.set, warm.R)
	copy(warm.V, cold.V)
	s.Solve(p.a, p.b, p.fixed, &p.set, &warm)
	if !warm.Converged || warm.Newton > 0 || cold.Newton == 0 {
		t.Errorf("cold: %d Newton steps, warm: %d", cold.Newton, warm.Newton)
	}
}
