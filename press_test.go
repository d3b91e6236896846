package toile_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// pinch hangs a vertical square between a fixed plate and a press along Y, both in the frame that path moves. The plates
// hold its upper third. It returns the world, the cloth and the weight of the cloth.
func pinch(t *testing.T, force, mu float64, path *toile.Path) (*toile.World, toile.ClothID, toile.ObstacleID, float64) {
	t.Helper()
	opt := toile.DefaultOptions()
	opt.Contact.Friction = mu
	w := newWorld(t, opt)
	h := opt.Contact.Thickness
	upright := r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), math.Pi/2)}
	m, x := sheetAt(t, 0.3, 10, upright)
	cloth := addCloth(t, w, toile.DefaultCloth("square", m, x, fabric(t, "cotton-interlock")))
	plate := geom.Box{Half: r3.V(0.2, 0.01, 0.05)}
	addObstacle(t, w, toile.Obstacle{Name: "plate", Shape: plate, Place: r3.Translation(r3.V(0, 0.01+h, 0.11)), Path: path})
	press := addObstacle(t, w, toile.Obstacle{
		Name: "press", Shape: plate, Place: r3.Translation(r3.V(0, -0.01-h, 0.11)), Path: path,
		Press: &toile.Press{Axis: r3.V(0, 1, 0), Force: force, Mass: 0.1, Stop: math.Inf(1)},
	})
	weight := 0.0
	for _, mass := range w.Masses(cloth) {
		weight += mass * 9.81
	}
	return w, cloth, press, weight
}

func TestPinchHoldsBelowTheLimitOnly(t *testing.T) {
	const mu = 0.3
	for _, c := range []struct {
		ratio float64 // of 2 μ N to the weight
		holds bool
	}{{1.02, true}, {0.98, false}} {
		_, _, _, weight := pinch(t, 1, mu, nil)
		w, cloth, press, _ := pinch(t, c.ratio*weight/(2*mu), mu, nil)
		for range 500 {
			step(t, w, 0.002)
		}
		slip := -w.Positions(cloth)[60].Z
		speed := -w.Velocities(cloth)[60].Z
		t.Logf("ratio %g: slipped by %g m, %g m/s, press went %g m, %d contacts", c.ratio, slip, speed, w.PressTravel(press), len(w.Contacts(nil)))
		for _, f := range w.PairForces(nil) {
			t.Logf("%s %s %v", w.SurfaceName(f.A), w.SurfaceName(f.B), f.Force)
		}
		if holds := math.Abs(speed) < 1e-6; holds != c.holds {
			t.Errorf("2 μ N is %g of the weight: after 1 s it moves at %g m/s", c.ratio, speed)
		}
	}
}
