package solve

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
)

// inImpulses returns a problem in its impulses.
func inImpulses(t *testing.T, p *problems.Problem) *delassus {
	t.Helper()
	var out Contacts
	out.Resize(p.A.N, p.Set.Len())
	factor := new(compliance)
	if err := factor.find(p.A, p.Fixed, nil); err != nil {
		t.Fatal(err)
	}
	free := unconstrained(p.A, p.B, p.Fixed, factor, out.V)
	var m Measure
	m.begin(given(p, 1e-8), out.V, out.R, nil)
	m.scaleContacts(0, p.Set.Len())
	return newDelassus(nil, &p.Set, factor, free, m.scale, &out)
}

// F' of the contacts that are felt against central differences. With steps of η the error is that of the third
// derivative, η² over the square of the length ν over which F bends, and rounding over η.
func TestPathDerivative(t *testing.T) {
	p := sheets(5, 50, 0.4)["heap"]
	p.Set.Contacts[1].Mu = 0
	d := inImpulses(t, p)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, nu := range []float64{1, 0.03} {
		d.unit = 1
		d.begin()
		along := make([]r3.Vec, d.n)
		for c := range d.r {
			d.r[c] = r3.V(rng.Float64(), rng.NormFloat64(), rng.NormFloat64()).Scale(d.rho[c])
			along[c] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(d.rho[c])
		}
		d.differentiate(nu)
		for c := range along { // those that are open are not in F'
			if !slices.Contains(d.felt, int32(c)) {
				along[c] = r3.Vec{}
			}
		}
		if 2*len(d.felt) < d.n {
			t.Fatalf("only %d of %d contacts are felt", len(d.felt), d.n)
		}
		const eta = 1e-7
		at := func(c int, s float64) r3.Vec {
			for k := range d.attempt {
				d.attempt[k] = d.r[k].AddScaled(s, along[k])
			}
			return d.smoothed(c, d.attempt[c], d.velocity(c, d.attempt), nu).f
		}
		for i, c := range d.felt {
			want := at(int(c), eta).Sub(at(int(c), -eta)).Scale(1 / (2 * eta))
			m := len(d.rhs)
			var got [3]float64
			for axis := range got {
				row := d.matrix[(3*i+axis)*m:][:m]
				for j, k := range d.felt {
					got[axis] += row[3*j]*along[k].X + row[3*j+1]*along[k].Y + row[3*j+2]*along[k].Z
				}
			}
			if diff := want.Sub(r3.V(got[0], got[1], got[2])).Norm(); diff > 1e-6*(1+1/(nu*slipShare))*d.rho[c] {
				t.Errorf("ν %g, contact %d: %v, differences %v", nu, c, got, want)
			}
		}
	}
}

// p(λ) - p(-λ) = λ and p'(λ) + p'(-λ) = 1, also where λ is much larger than ν.
func TestBend(t *testing.T) {
	for _, l := range []float64{0, 1e-9, 1, -3, 1e6} {
		a, da := bend(l, 1e-3)
		b, db := bend(-l, 1e-3)
		if math.Abs(a-b-l) > 1e-15*(1e-3+math.Abs(l)) || math.Abs(da+db-1) > 1e-15 || min(a, b, da, db) <= 0 {
			t.Errorf("λ %g: p %g and %g, p' %g and %g", l, a, b, da, db)
		}
	}
}

// The path ends where the sweeps do, and, unlike these, does so on sheets so stiff that their contacts are nearly
// redundant: 1e6 N/m holds nodes of some grams together by 1e4 times their inertia in a step.
func TestPathAgreesWithSweeps(t *testing.T) {
	for name, p := range sheets(5, 50, 0.3) {
		sweeps := solveDual(t, p, 1e-11)
		along := solvePath(t, p)
		if worst := along.Residual.Worst(); !(worst <= 1e-9) {
			t.Errorf("%s: residual %g after %d steps", name, worst, along.Newton)
		}
		if apart := farthest(sweeps, along); sweeps.Converged && !(apart <= 1e-7) {
			t.Errorf("%s: velocities differ by %g m/s", name, apart)
		}
	}
	for name, p := range sheets(5, 1e6, 0.3) {
		if out := solvePath(t, p); !(out.Residual.Worst() <= 1e-8) {
			t.Errorf("stiff %s: residual %g after %d steps", name, out.Residual.Worst(), out.Newton)
		}
	}
}

func solvePath(t *testing.T, p *problems.Problem) *Contacts {
	t.Helper()
	q := given(p, 1e-11)
	out := q.Start()
	d := Dual{MaxSweeps: afterPath, Path: true}
	if err := d.Solve(q, out); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d contacts: %d steps, %d sweeps, residual %.2g", p.Set.Len(), out.Newton, out.Sweeps, out.Residual.Worst())
	return out
}

// Elimination in panels gives what elimination column by column does, to the last bit, and refuses what is singular.
func TestDenseSolutionDoesNotFeelPanels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for n := 1; n < 40; n++ {
		a, x := make([]float64, n*n), make([]float64, n)
		for i := range a {
			if rng.IntN(3) > 0 {
				a[i] = rng.NormFloat64()
			}
		}
		for i := range x {
			a[i*n+i] += 3
			x[i] = rng.NormFloat64()
		}
		b, y := append([]float64(nil), a...), append([]float64(nil), x...)
		if !solveDense(a, x) {
			t.Fatalf("%d unknowns are refused", n)
		}
		for k := range n {
			if !eliminatePanel(b, y, k, k+1) {
				t.Fatalf("%d unknowns are refused", n)
			}
			for i := k + 1; i < n; i++ {
				for j := k + 1; j < n; j++ {
					b[i*n+j] -= b[i*n+k] * b[k*n+j]
				}
			}
		}
		for k := n - 1; k >= 0; k-- {
			for j := k + 1; j < n; j++ {
				y[k] -= b[k*n+j] * y[j]
			}
			y[k] /= b[k*n+k]
			if x[k] != y[k] {
				t.Errorf("unknown %d of %d: %g, column by column %g", k, n, x[k], y[k])
			}
		}
	}
	if solveDense([]float64{1, 2, 2, 4}, []float64{1, 1}) {
		t.Error("a singular matrix is not refused")
	}
}

// A contact that is open is left out of F', and its law holds as well after a step as if it had not been.
func TestOpenContactsAreLeftOut(t *testing.T) {
	p := sheets(5, 50, 0.4)["heap"]
	d := inImpulses(t, p)
	for c := range d.q {
		d.q[c].X += 5 // it flies
	}
	d.begin()
	d.unit = 1
	const nu = 1e-3
	far, _ := d.distance(d.r, nu)
	if !d.newtonStep(nu, far) || len(d.felt) != 0 {
		t.Fatalf("%d contacts are felt, or no step helps", len(d.felt))
	}
	if _, worst := d.distance(d.r, nu); worst > pathCloser*nu {
		t.Errorf("%g from the law at ν = %g", worst, nu)
	}
}

// The path ends where a velocity is not finite.
func TestPathEndsOnNaN(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		d := inImpulses(t, sheets(5, 50, 0.4)["heap"])
		d.q[0].X = bad
		if steps := d.follow(1e-9); steps > 2*pathSteps {
			t.Errorf("%g: %d steps", bad, steps)
		}
	}
}

// Contacts that are left out do not keep the path from its end, also where there is next to no friction.
func TestPathWithLittleFriction(t *testing.T) {
	for _, mu := range []float64{0, 1e-6, 1e-3, 0.03, 0.4, 3} {
		d := inImpulses(t, sheets(5, 50, mu)["heap"])
		if steps := d.follow(1e-9); d.law() > 1e-9 || len(d.felt) == d.n {
			t.Errorf("μ %g: %g m/s from the law after %d steps, %d of %d contacts felt", mu, d.law(), steps, len(d.felt), d.n)
		}
	}
}
