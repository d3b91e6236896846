package elastic

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// settle finds the equilibrium under the nodal loads by Newton steps with the exact Hessian plus a
// shift, as long as it is not positive definite, and a line search.
func (s *system) settle(t testing.TB, x, load []r3.Vec, tol float64) int {
	t.Helper()
	potential := func(x []r3.Vec) float64 {
		e := s.energy(x)
		for i, f := range load {
			e -= f.Dot(x[i])
		}
		return e
	}
	trial := make([]r3.Vec, len(x))
	for it := 1; it <= 200; it++ {
		f := s.forces(x, Exact)
		slope := 0.0
		for i := range f {
			f[i] = f[i].Add(load[i])
		}
		h := s.hessian()
		if !h.factor() {
			s.forces(x, Projected)
			h = s.hessian()
			for i := range h.n {
				*h.at(i, i) *= 1 + 1e-9
			}
			if !h.factor() {
				t.Fatal("projected Hessian is not positive definite")
			}
		}
		d := s.step(h, f)
		longest := 0.0
		for i := range d {
			slope += d[i].Dot(f[i])
			longest = max(longest, d[i].Norm())
		}
		if longest < tol {
			return it
		}
		e0, a := potential(x), min(1, 0.2/longest)
		for ; a > 1e-8; a /= 2 {
			for i := range x {
				trial[i] = x[i].AddScaled(a, d[i])
			}
			if potential(trial) <= e0-1e-4*a*slope+1e-12*math.Abs(e0) {
				break
			}
		}
		copy(x, trial)
	}
	t.Fatal("no equilibrium in 200 steps")
	return 0
}

// droop returns tip drop over run of a strip under its own weight, Γ = q L³/B, and the largest strain.
func droop(t testing.TB, p shape.Pattern, elements int, gamma, strain float64) (ratio, largest float64) {
	t.Helper()
	s := newFlatStrip(p, 1, 0.1, 1/float64(elements), 0)
	k := gamma / strain // the strain of a strip that hangs straight down
	stretch := NewMembrane(s.mesh, StVK(material.NewStretch(k, k, k/2, 0)))
	sys := newSystem(s.at, s.root, mustPlate(t, s.mesh, IsotropicPlate(1, 0), s.clamps), stretch)
	load := make([]r3.Vec, len(s.x))
	for i := range load {
		load[i] = r3.V(0, 0, -gamma*s.weight[i])
	}
	sys.settle(t, s.x, load, 1e-8)
	var run, drop float64
	for _, i := range s.tip {
		run += s.x[i].X
		drop -= s.x[i].Z
	}
	for e := range stretch.Len() {
		a, b := stretch.Stretch(e)
		largest = max(largest, a-1, 1-b)
	}
	return drop / run, largest
}

// TestC1Heavy: tip drop over run of the heavy elastica.
func TestC1Heavy(t *testing.T) {
	for _, c := range []struct {
		pattern  shape.Pattern
		elements int
		gamma    float64
		ratio    float64
	}{
		{shape.Right, 20, 10, 1.06680},
		{shape.Crossed, 20, 10, 1.06680},
		{shape.Equilateral, 20, 10, 1.06680},
		{shape.Random, 20, 10, 1.06680},
		{shape.Right, 40, 500, 14.7688},
		{shape.Equilateral, 40, 500, 14.7688},
		{shape.Random, 40, 500, 14.7688},
	} {
		if testing.Short() && c.gamma > 10 {
			continue
		}
		r, strain := droop(t, c.pattern, c.elements, c.gamma, 1e-3)
		t.Logf(
			"%-12v Γ %g, %d elements: %+.2f %%, strain %.1e",
			c.pattern,
			c.gamma,
			c.elements,
			100*(r/c.ratio-1),
			strain,
		)
		if math.Abs(r/c.ratio-1) > 0.02 {
			t.Errorf("%v, Γ %g: drop over run is %g, want %g", c.pattern, c.gamma, r, c.ratio)
		}
	}
}
