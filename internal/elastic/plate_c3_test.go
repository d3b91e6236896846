package elastic

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// twist returns the energy of a strip twisted at its ends, relative to 2 D33 τ² for each unit of
// area. The exact answer, w = τ x y, is within reach of the plate, so only ratios below one happen:
// they are moments out of balance.
func twist(t testing.TB, p shape.Pattern, width, size, nu float64) float64 {
	t.Helper()
	s := newFlatStrip(p, 1, width, size, 0)
	plate := mustPlate(t, s.mesh, IsotropicPlate(1, nu), nil)
	const tau = 1e-3
	ends := make([]bool, len(s.at))
	for i, q := range s.at {
		if ends[i] = q.X == 0 || q.X == 1; ends[i] {
			s.x[i].Z = tau * q.X * (q.Y - width/2)
		}
	}
	sys := newSystem(s.at, ends, plate)
	for range 3 { // the energy is quadratic but for the tiny fold term
		f := sys.forces(s.x, Exact)
		h := sys.hessian()
		if !h.factor() {
			t.Fatal("a strip held at both ends is not stable")
		}
		for i, d := range sys.step(h, f) {
			s.x[i] = s.x[i].Add(d)
		}
	}
	return sys.energy(s.x) / ((1 - nu) * tau * tau * width)
}

func TestC3Twist(t *testing.T) {
	for _, p := range shape.Patterns() {
		for _, across := range []float64{1, 2, 4} {
			r := twist(t, p, 0.1*across/2, 0.05, 0.3)
			t.Logf("%-12v %g across: %+.5f %%", p, across, 100*(r-1))
			if math.Abs(r-1) > 1e-4 {
				t.Errorf("%v, %g elements across: twist stiffness is %g times the right one", p, across, r)
			}
		}
	}
}

// stands reports whether a strip on edge, clamped at x = 0, is stable under the weight q per area.
func stands(t testing.TB, s *flatStrip, nu, q float64) bool {
	t.Helper()
	const k = 3e6 // so stiff that the strip hardly bends in its plane: (EI out)/(EI in) = 12 B/(k W²)
	plate := mustPlate(t, s.mesh, IsotropicPlate(1, nu), s.clamps)
	sys := newSystem(s.at, s.root, plate, NewMembrane(s.mesh, StVK(material.NewStretch(k, k, k/2, 0))))
	x := append([]r3.Vec{}, s.x...)
	for range 5 {
		f := sys.forces(x, Exact)
		for i := range f {
			f[i] = f[i].Add(r3.V(0, -q*s.weight[i], 0))
		}
		h := sys.hessian()
		if !h.factor() {
			return false
		}
		for i, d := range sys.step(h, f) {
			x[i] = x[i].Add(r3.V(d.X, d.Y, 0))
		}
	}
	sys.forces(x, Exact)
	return sys.hessian().factor()
}

// TestC3LateralBuckling: q W L³ = 12.8538 √(EI GJ) with EI = B (1-ν²) W and GJ = 2 B (1-ν) W.
func TestC3LateralBuckling(t *testing.T) {
	const width, size = 0.06, 0.025
	for _, p := range shape.Patterns() {
		for _, nu := range []float64{0, 0.3} {
			s := newFlatStrip(p, 1, width, size, 0)
			want := 12.8538 * math.Sqrt((1-nu*nu)*2*(1-nu))
			lo, hi := 0.8*want, 1.2*want
			for hi-lo > 0.002*want {
				if mid := (lo + hi) / 2; stands(t, s, nu, mid) {
					lo = mid
				} else {
					hi = mid
				}
			}
			t.Logf("%-12v ν %g: %+.2f %%", p, nu, 100*((lo+hi)/2/want-1))
			if math.Abs((lo+hi)/2/want-1) > 0.05 {
				t.Errorf("%v, ν %g: buckles at %g, theory says %g", p, nu, (lo+hi)/2, want)
			}
		}
	}
}
