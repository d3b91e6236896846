package elastic

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// Derivatives in the three states of a thread, and at a knot: force against energy, Hessian against force, by central
// differences whose error falls with the square of the step.
func TestStitchDerivatives(t *testing.T) {
	thread := Thread{Stiffness: 50, Force: 0.4}
	for _, c := range []struct {
		name   string
		length float64
		d      r3.Vec
	}{
		{"slack", 0.2, r3.V(0.05, -0.08, 0.03)},
		{"taut", 0.1, r3.V(0.06, -0.08, 0.03)},
		{"at its limit", 0.01, r3.V(0.06, -0.08, 0.03)},
		{"short", 0, r3.V(1e-3, 2e-3, -1e-3)},
	} {
		s := NewStitches([][2]int32{{1, 0}}, thread)
		s.SetLength(0, c.length)
		x := []r3.Vec{c.d, {X: 0.3, Y: 0.2, Z: 0.1}}
		x[0] = x[0].Add(x[1])
		var hessian [2][2]r3.Mat
		s.Update(x, Exact, 0, 1)
		for k := range 2 {
			s.AddRow(0, k, []int32{0, 1}, hessian[k][:], 1, 1)
		}
		force := [2]r3.Vec{s.Force(0, 0), s.Force(0, 1)}
		if f := force[0].Add(force[1]).Norm(); f != 0 {
			t.Errorf("%s: forces sum to %g", c.name, f)
		}
		if f := force[0].Norm(); f > thread.Force*(1+1e-15) {
			t.Errorf("%s: pulls with %g N, more than its limit", c.name, f)
		}
		dir := [2]r3.Vec{r3.V(0.3, -1, 0.5), r3.V(-0.7, 0.2, 0.9)}
		at := func(eps float64) (energy float64, f [2]r3.Vec) {
			// Node 0 of the stitch is vertex 1.
			y := []r3.Vec{x[0].AddScaled(eps, dir[1]), x[1].AddScaled(eps, dir[0])}
			s.Update(y, Exact, 0, 1)
			return s.Energy(0), [2]r3.Vec{s.Force(0, 0), s.Force(0, 1)}
		}
		const eps = 1e-6
		up, upForce := at(eps)
		down, downForce := at(-eps)
		slope := -(force[0].Dot(dir[0]) + force[1].Dot(dir[1]))
		// The third derivative of the energy is of order k/r: eps² k/r, and rounding E/eps.
		if d := math.Abs((up-down)/(2*eps) - slope); d > 1e-7*(1+math.Abs(slope)) {
			t.Errorf("%s: energy falls by %g a metre, force says %g", c.name, (up-down)/(2*eps), slope)
		}
		for k := range 2 {
			want := hessian[k][0].MulVec(dir[0]).Add(hessian[k][1].MulVec(dir[1])).Neg()
			got := upForce[k].Sub(downForce[k]).Scale(1 / (2 * eps))
			if d := got.Sub(want).Norm(); d > 1e-5*thread.Stiffness {
				t.Errorf("%s: force on node %d changes by %v a metre, Hessian says %v", c.name, k, got, want)
			}
		}
	}
}

// Property: damping acts on the rate at which a thread gets longer, not on turning.
func TestStitchDampsStretchingAlone(t *testing.T) {
	s := NewStitches([][2]int32{{0, 1}}, Thread{Stiffness: 50, Force: 100})
	x := []r3.Vec{{}, {X: 1}}
	s.Update(x, Projected, 0, 1)
	if f := s.MaterialForce(0, 1, []r3.Vec{{}, {Y: 3, Z: 1}}); f != (r3.Vec{}) {
		t.Errorf("turning is resisted by %v", f)
	}
	if f := s.MaterialForce(0, 1, []r3.Vec{{}, {X: 2}}); f != r3.V(-100, 0, 0) {
		t.Errorf("stretching at 2 m/s is resisted by %v, want -100 N/s", f)
	}
}
