package yarn

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// momenta returns the angular momentum about the centre of mass and the momentum of all yarns.
func (w *World) momenta() (angular, linear r3.Vec) {
	var centre r3.Vec
	mass := 0.0
	for i, m := range w.mass {
		centre, linear, mass = centre.AddScaled(m, w.x[i]), linear.AddScaled(m, w.v[i]), mass+m
	}
	centre = centre.Scale(1 / mass)
	for i, m := range w.mass {
		angular = angular.AddScaled(m, w.x[i].Sub(centre).Cross(w.v[i]))
	}
	return angular, linear
}

// A ring of yarn that turns and drifts keeps both momenta, at base steps and at long ones, with damping and glue: what
// holds lengths pulls along edges where momentum has its levers. What rounds of the projection leave is no exception.
func TestRingKeepsItsSpin(t *testing.T) {
	const seconds, radius, points = 0.25, 0.05, 48
	for _, glued := range []bool{false, true} {
		for _, spin := range []r3.Vec{{Z: 10}, {X: 10}, {X: 6, Z: 8}} {
			for _, most := range []float64{0, 1.0 / 4000} {
				w := newWorld(t, Kaldor(), r3.Vec{})
				var ring []r3.Vec
				for i := range points {
					s, c := math.Sincos(2 * math.Pi * float64(i) / points)
					ring = append(ring, r3.V(radius*c, radius*s, 0))
				}
				must[int](t)(w.AddYarn(Yarn{Points: ring, Closed: true, Keep: true}))
				if glued {
					if err := w.AddGlue(Glue{A: 0, B: points / 2}); err != nil {
						t.Fatal(err)
					}
				}
				for i, x := range ring {
					w.Velocities()[i] = spin.Cross(x).Add(r3.V(0.1, 0.2, 0.3))
				}
				w.enter()
				w.team.Leave()
				before, drift := w.momenta()
				strain := 0.0
				if err := w.Advance(seconds, Pace{Most: most}, func(s *Stats) { strain = max(strain, s.Stretch) }); err != nil {
					t.Fatal(err)
				}
				after, now := w.momenta()
				turned, pushed := after.Sub(before).Norm()/before.Norm(), now.Sub(drift).Norm()/drift.Norm()
				if !(turned <= 1e-8) || !(pushed <= 1e-10) || !(strain <= 5e-6) {
					t.Errorf("glued %t, spin %v, steps of at most %g s: angular momentum is off by %g, momentum by %g, strain %g", glued, spin, most, turned, pushed, strain)
				}
			}
		}
	}
}
