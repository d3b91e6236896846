package solve

import (
	"fmt"
	"testing"

	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// ridges are masses that are drawn along X over ridges and lie on a floor. With velocities x over the width of a ridge,
//
//	g(v) = m (v - v_drawn) + k (x³ - x),   ∂g/∂v = m + k (3x² - 1)/width
//
// which is negative near x = 0 where k is large. As it is linearized safely, what is negative of the ridge is left out.
type ridges struct {
	*yielding
	steep   []float64 // k
	refined bool
	trials  int
}

const ridgeWidth = 0.5

func (y *ridges) Refine(exact bool) { y.refined = exact }

// Balance writes g(v), and the weight on the floor.
func (y *ridges) Balance(v, out []r3.Vec) {
	for i := range v {
		x := v[i].X / ridgeWidth
		out[i] = v[i].Sub(r3.V(y.drawn[i], 0, 0)).Scale(y.mass[i])
		out[i].X += y.steep[i] * (x*x*x - x)
		out[i].Z += y.mass[i]
	}
}

func (y *ridges) Linearize(v []r3.Vec) (*sparse.BSR, []r3.Vec) {
	if v == nil {
		v = y.start
	}
	if y.refined {
		y.trials++
	}
	y.Balance(v, y.b)
	for i := range v {
		x := v[i].X / ridgeWidth
		bend := y.steep[i] * (3*x*x - 1) / ridgeWidth
		if !y.refined {
			bend = max(bend, 0)
		}
		y.a.Val[i] = r3.Diagonal(y.mass[i])
		y.a.Val[i].XX += bend
		y.b[i] = y.b[i].Sub(y.a.Val[i].MulVec(v[i]))
	}
	return y.a, y.b
}

// ridgesOnFloor returns masses of 1 kg on ridges, without friction, and their solver.
func ridgesOnFloor(steep, drawn, start []float64) (*ridges, *InContact) {
	y := &ridges{yielding: newYielding(len(steep)), steep: steep}
	for i := range steep {
		y.mass[i], y.drawn[i], y.start[i] = 1, drawn[i], r3.V(start[i], 0, 0)
	}
	s := y.onFloor()
	s.Problem.Equations = nil
	for i := range s.Problem.Set.Contacts {
		s.Problem.Set.Contacts[i].Mu = 0
	}
	return y, s
}

// solve returns how Newton's method ends, and checks that it does where the balance is zero.
func (y *ridges) solve(t *testing.T, s *InContact) Result {
	t.Helper()
	out := Result{V: append([]r3.Vec(nil), y.start...)}
	if err := s.Solve(y, &out); err != nil {
		t.Fatal(err)
	}
	left := make([]r3.Vec, len(out.V))
	y.Balance(out.V, left)
	s.Relieve(left)
	if worst := Worst(y.mass, left, y.fixed); !out.Converged || worst > 1e-9 {
		t.Errorf("k %v, drawn %v: residual %g m/s after %d linearizations, of which %d are trials",
			y.steep, y.drawn, worst, out.Newton, y.trials)
	}
	return out
}

// Masses leave ridges, where trials are indefinite.
func TestLeavesRidges(t *testing.T) {
	for _, steep := range [][]float64{{0.3, 3}, {0.45, 30}, {0.49, 300}, {3, 3}} {
		for _, drawn := range []float64{0, 1e-3, 0.05, 0.4} {
			y, s := ridgesOnFloor(steep, []float64{drawn, drawn}, []float64{0.02, 0.02})
			if out := y.solve(t, s); y.trials == 0 || out.Newton > 20 {
				t.Errorf("k %v, drawn %g: %d linearizations, %d trials", steep, drawn, out.Newton, y.trials)
			}
		}
	}
}

// sullen solves no trials, and leaves impulses behind that are of no use.
type sullen struct {
	Nodal
	spoilt bool // it was given them as a guess
}

func (s *sullen) Solve(p *ContactProblem, out *Contacts) error {
	if !p.Trial {
		for c := range out.R {
			s.spoilt = s.spoilt || out.R[c].X > 1e30
		}
		return s.Nodal.Solve(p, out)
	}
	for c := range out.R {
		out.R[c] = r3.V(1e40, 0, 0)
	}
	out.Converged = false
	return nil
}

// Where no trial is solved, every safe step takes the mass for 2.4 times as stiff as it is, which leaves 0.58 of the
// residual if it is not made longer. What trials leave behind is forgotten.
func TestSafeStepsGoFurther(t *testing.T) {
	y, s := ridgesOnFloor([]float64{0.3}, []float64{0.02}, []float64{0.3})
	solver := &sullen{Nodal: DefaultNodal()}
	s.Solver = solver
	if out := y.solve(t, s); y.trials < 3 || out.Newton-y.trials > 12 {
		t.Errorf("%d linearizations, %d trials", out.Newton, y.trials)
	}
	if solver.spoilt {
		t.Error("impulses of a trial are the guess of the next problem")
	}
}

// Of a trial only what is quick is tried, and an easy one is solved like any other problem.
func TestTrialsAreShort(t *testing.T) {
	solved := func(p *ContactProblem, trial bool) *Contacts {
		s, out := DefaultNodal(), p.Start()
		p.Trial = trial
		if err := s.Solve(p, out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	hard := tower(50, 6, 0.5)
	full, short := solved(hard, false), solved(hard, true)
	if !full.Converged || short.Converged || short.Newton > full.Newton/2 {
		t.Errorf("hard: converged %t in %d steps; as a trial %t in %d", full.Converged, full.Newton, short.Converged, short.Newton)
	}
	easy := tower(1, 0, 0.5)
	full, short = solved(easy, false), solved(easy, true)
	if !short.Converged || fmt.Sprint(full.V, full.R) != fmt.Sprint(short.V, short.R) {
		t.Errorf("easy: converged %t as a trial, the same solution %t", short.Converged, fmt.Sprint(full.V) == fmt.Sprint(short.V))
	}
}

// A problem that is not solved within its budget ends soon after it.
func TestBudgetOfAProblem(t *testing.T) {
	for _, budget := range []int{1, 5, 20, 60, 10000} {
		p := tower(50, 6, 0.5)
		p.Budget = budget
		s, out := DefaultNodal(), p.Start()
		if err := s.Solve(p, out); err != nil {
			t.Fatal(err)
		}
		// the path of impulses looks at its own bound alone
		if out.Newton > budget+pathSteps || !(out.Residual.Worst() < 10) {
			t.Errorf("of %d: %d Newton steps, residual %g m/s", budget, out.Newton, out.Residual.Worst())
		}
		if out.Converged != (budget == 10000) {
			t.Errorf("of %d: converged %t after %d", budget, out.Converged, out.Newton)
		}
	}
}
