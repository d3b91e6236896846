package engine_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// pinch hangs a vertical square between a fixed plate and a press along Y, both in the frame that path moves. The
// plates hold its upper third. It returns the world, the cloth and the weight of the cloth.
func pinch(t *testing.T, force, mu float64, path *engine.Path) (*engine.World, engine.ClothID, engine.ObstacleID, float64) {
	t.Helper()
	opt := engine.DefaultOptions()
	opt.Contact.Friction = mu
	w := newWorld(t, opt)
	h := opt.Contact.Thickness
	upright := r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), math.Pi/2)}
	m, x := sheetAt(t, 0.3, 10, upright)
	cloth := addCloth(t, w, engine.DefaultCloth("square", m, x, fabric(t, "cotton-interlock")))
	plate := shape.Box{Half: r3.V(0.2, 0.01, 0.05)}
	addObstacle(
		t,
		w,
		engine.Obstacle{Name: "plate", Shape: plate, Place: r3.Translation(r3.V(0, 0.01+h, 0.11)), Path: path},
	)
	press := addObstacle(t, w, engine.Obstacle{
		Name: "press", Shape: plate, Place: r3.Translation(r3.V(0, -0.01-h, 0.11)), Path: path,
		Press: &engine.Press{Axis: r3.V(0, 1, 0), Force: force, Mass: 0.1, Stop: math.Inf(1)},
	})
	weight := 0.0
	for _, mass := range w.Masses(cloth) {
		weight += mass * 9.81
	}
	return w, cloth, press, weight
}

// A pinched square holds if and only if its weight is below 2 μ N. It is let down gently first, with high friction.
func TestPinchHoldsBelowTheLimitOnly(t *testing.T) {
	const mu = 0.3
	_, _, _, weight := pinch(t, 1, 1, nil)
	for _, c := range []struct {
		ratio float64 // of 2 μ N to the weight
		holds bool
	}{{1.02, true}, {0.98, false}} {
		w, cloth, press, _ := pinch(t, c.ratio*weight/(2*mu), 1, nil)
		slow := make([]r3.Vec, len(w.Positions(cloth)))
		for range 300 {
			step(t, w, 0.002)
			for i, v := range w.Velocities(cloth) {
				slow[i] = v.Scale(0.8)
			}
			w.SetVelocities(cloth, slow)
		}
		for id := range w.Obstacles() {
			w.SetFriction(w.ClothSurface(cloth), w.ObstacleSurface(engine.ObstacleID(id)), mu)
		}
		// Near the limit nearly all contacts carry all they can, and the sheet stretches until they do.
		for range 250 {
			step(t, w, 0.002)
		}
		hem := w.Positions(cloth)[115].Z
		for range 50 {
			step(t, w, 0.002)
		}
		// With 2 % too little it slides by 0.02 g t²/2 from 0.5 to 0.6 s: 10 mm. What still swings below shakes the hem
		// by micrometres.
		slip := hem - w.Positions(cloth)[115].Z
		if holds := slip < 1e-5; holds != c.holds || !holds && slip < 5e-3 {
			t.Errorf("2 μ N is %g of the weight: it slipped by %g m in 0.1 s", c.ratio, slip)
		}
		if share := largestShare(w); c.holds && share > 0.1 {
			t.Errorf("one of %d contacts carries %.0f %% of the force", len(w.Contacts(nil)), 100*share)
		}
		for _, f := range w.PairForces(nil) {
			if want := c.ratio * weight / (2 * mu); math.Abs(math.Abs(f.Force.Y)-want) > 1e-3*want {
				t.Errorf(
					"%s presses with %g N, want %g N (travel %g m)",
					w.SurfaceName(f.B),
					f.Force.Y,
					want,
					w.PressTravel(press),
				)
			}
		}
	}
}

// largestShare returns the part of all normal impulses that the strongest contact has.
func largestShare(w *engine.World) float64 {
	most, sum := 0.0, 0.0
	for _, c := range w.Contacts(nil) {
		n := c.Impulse.Dot(c.Normal)
		most, sum = max(most, n), sum+n
	}
	return most / sum
}

// Jaws that their forces would carry through a brick within a step hold it all the same, though it is larger than they
// are, so that their edges would pass through its faces: nearly every step converges, and it rises with them. The
// lightest would go 25 cm in a step.
func TestJawsHoldABrick(t *testing.T) {
	const h, rise = 0.005, 0.1
	for _, mass := range []float64{0.01, 0.05, 0.2} {
		w := newWorld(t, engine.DefaultOptions())
		brick := body.Brick(r3.V(0.03, 0.02, 0.02), 800)
		still := make([]r3.Vec, 2)
		cube := must(w.AddBody("brick", must(body.NewRigid(brick, r3.NoRotation(), r3.Vec{})), still, still))
		floor := shape.Plane{Point: r3.V(0, 0, -0.021), Normal: r3.V(0, 0, 1)}
		addObstacle(t, w, engine.Obstacle{Name: "floor", Place: r3.Still(), Shape: floor})
		lift := &engine.Path{Keys: []engine.Key{{At: 0.2}, {At: 0.5, Translate: r3.V(0, 0, rise)}}}
		for _, side := range []float64{-1, 1} {
			addObstacle(t, w, engine.Obstacle{
				Name: "jaw", Shape: shape.Box{Half: r3.V(0.01, 0.005, 0.01)}, Path: lift,
				Place: r3.Translation(r3.V(side*0.05, 0, 0)),
				Press: &engine.Press{Axis: r3.V(-side, 0, 0), Force: 10, Mass: mass, Stop: 0.05},
			})
		}
		failed := 0
		for range 120 {
			if stats := step(t, w, h); !stats.Converged {
				failed++
			}
		}
		if z := w.BodyPositions(cube)[0].Z; failed > 3 || math.Abs(z-rise) > 1e-3 {
			t.Errorf("jaws of %g kg: %d of 120 steps did not converge, and the brick rose by %g m", mass, failed, z)
		}
	}
}

// Jaws that rise along a brick carry it by no more than 2 μ N: below its weight it stays, also while their edges pass
// its own, and above it gains the difference. Edges that pass beside edges pushed it up along with them.
func TestJawsThatSlipObeyTheLaw(t *testing.T) {
	const h, speed, force, half, density = 0.004, 1.0 / 3, 10.0, 0.02, 800
	const weight = 8 * half * half * half * density * 9.81
	for _, c := range []struct{ ratio, until float64 }{{0.8, 0.3}, {1.1, 0.1}} { // 2 μ N over the weight
		w := newWorld(t, engine.DefaultOptions())
		brick := body.Brick(r3.V(half, half, half), density)
		still := make([]r3.Vec, 2)
		cube := must(w.AddBody("brick", must(body.NewRigid(brick, r3.NoRotation(), r3.Vec{})), still, still))
		floor := shape.Plane{Point: r3.V(0, 0, -half-engine.DefaultOptions().Contact.Thickness), Normal: r3.V(0, 0, 1)}
		addObstacle(t, w, engine.Obstacle{Name: "floor", Place: r3.Still(), Shape: floor})
		lift := &engine.Path{Keys: []engine.Key{{At: 0.2}, {At: 0.5, Translate: r3.V(0, 0, 0.3*speed)}}}
		for _, side := range []float64{-1, 1} {
			jaw := addObstacle(t, w, engine.Obstacle{
				Name: "jaw", Shape: shape.Box{Half: r3.V(0.01, 0.02, 0.015)}, Path: lift,
				Place: r3.Translation(r3.V(side*0.04, 0, 0)),
				Press: &engine.Press{Axis: r3.V(-side, 0, 0), Force: force, Mass: 0.2, Stop: 0.05},
			})
			w.SetFriction(w.BodySurface(cube), w.ObstacleSurface(jaw), c.ratio*weight/(2*force))
		}
		for range 50 {
			step(t, w, h) // the jaws close
		}
		most := 0.0
		for range int(math.Round(c.until / h)) {
			step(t, w, h)
			most = max(most, w.BodyPositions(cube)[0].Z)
		}
		want := max(0, (c.ratio-1)*9.81*c.until*c.until/2)
		if math.Abs(most-want) > 1e-4+0.05*want {
			t.Errorf("2 μ N is %g of the weight: the brick rose by %g m, want %g m", c.ratio, most, want)
		}
	}
}
