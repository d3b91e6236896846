package rigid

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C14: a ball rolls down a slope with g sin/(1 + c), c = I/(m R²): 5/7 of a solid one, 3/5 of a thin shell. It slips
// where the tangent of the slope is above μ (1 + c)/c, which is 3.5 μ and 2.5 μ. All velocities are linear in time, so
// that backward Euler has them at any step as well as they are solved, 1e-8 m/s of 7 mm/s, and positions with its own
// sum h² n (n+1)/2. On level ground a ball that rolls loses nothing. In a cloth it is carried by its weight. A capsule
// on two beams obeys the rule of levers.
var rollingBalls = verify.Case{
	ID: "C14", Title: "balls roll and slip", Source: "rolling without slip",
	Body: func(t *verify.Trial) {
		steps := []float64{2e-3}
		if t.Options.Full {
			steps = []float64{1e-3, 2e-3, 5e-3, 10e-3}
		}
		for _, c := range []struct {
			name  string
			spec  body.RigidSpec
			share float64
		}{
			{"solid ball", body.Ball(ballRadius, 1000), 2.0 / 5},
			{"thin shell", body.HollowBall(ballRadius, 10), 2.0 / 3},
		} {
			worst := 0.0
			for _, h := range steps {
				a, _ := downSlope(t, c.spec, 1, 20*math.Pi/180, h)
				worst = max(worst, math.Abs(a*(1+c.share)/(9.81*math.Sin(20*math.Pi/180))-1))
			}
			t.Row(verify.Row{
				Quantity: c.name + ": error of the acceleration, relative", Measured: worst, Bar: verify.AtMost,
				Limit: 1e-5,
				From:  "what every step may leave, 1e-8 m/s, over what it gains; most leave rounding",
			})
			const mu = 0.1
			want := mu * (1 + c.share) / c.share
			lo, hi := 0.5*want, 2*want
			for hi-lo > 1e-3*want {
				middle := (lo + hi) / 2
				if _, slips := downSlope(t, c.spec, mu, math.Atan(middle), steps[0]); slips {
					hi = middle
				} else {
					lo = middle
				}
			}
			t.Row(verify.Row{
				Quantity: c.name + ": tangent of the slope at which it slips, in μ", Expected: want / mu,
				Measured: (lo + hi) / 2 / mu, Bar: verify.Relative, Limit: 0.001,
			})
		}
		levelBall(t)
		capsuleOnBeams(t)
		ballInHammock(t)
	},
}

const ballRadius = 0.05

// downSlope returns the acceleration of a ball on a slope in a quarter of a second, and whether its surface slips.
func downSlope(t *verify.Trial, spec body.RigidSpec, mu, slope, h float64) (acceleration float64, slips bool) {
	w := setup.RigidWorld(t, mu, slope)
	from := r3.V(math.Sin(slope), 0, math.Cos(slope)).Scale(ballRadius + engine.DefaultOptions().Contact.Thickness)
	b, id := setup.AddRigid(t, w, "ball", spec, from, r3.Vec{}, r3.NoRotation())
	n := math.Round(0.25 / h)
	rollOn(t, w, h, int(n))
	speed := w.BodyVelocities(id)[0].Norm()
	way := w.BodyPositions(id)[0].Sub(from).Norm()
	// Velocities are right to 1e-8 m/s in each step.
	return 2 * way / (h * h * n * (n + 1)), speed-b.Spin().Norm()*ballRadius > 2e-8*n
}

// rollOn takes steps that must not cross anything, nor let round surfaces overlap, and be solved.
func rollOn(t *verify.Trial, w *engine.World, h float64, steps int) {
	for range steps {
		stats, err := w.Step(h)
		t.Must(err)
		if stats.Crossings > 0 || !stats.Converged || stats.WorstGap < 0 {
			t.Must(fmt.Errorf(
				"%d crossings, gap %g m, residual %g m/s", stats.Crossings, stats.WorstGap, stats.Residual,
			))
		}
	}
}

// levelBall has a ball roll over a level plane, and over a level mesh.
func levelBall(t *verify.Trial) {
	const h, speed, steps = 2e-3, 0.5, 500
	thick := engine.DefaultOptions().Contact.Thickness
	spec := body.Ball(ballRadius, 1000)
	for _, ground := range []string{"plane", "mesh"} {
		w := setup.RigidWorld(t, 0.5, 0)
		if ground == "mesh" {
			m, x := shape.Grid(1, 1, 23, 23)
			_, err := w.AddObstacle(engine.Obstacle{
				Name: "mesh", Positions: x, Tri: m.Tri, Place: r3.Translation(r3.V(-0.3, -0.3, 1)),
			})
			t.Must(err)
		}
		height := ballRadius + thick
		if ground == "mesh" {
			height++
		}
		b, id := setup.AddRigid(t, w, "ball", spec, r3.V(0, 0, height), r3.V(speed, 0.2*speed, 0), r3.NoRotation())
		energy := func() float64 {
			v := w.BodyVelocities(id)[0]
			return 0.5*spec.Mass*v.Dot(v) + 0.5*b.Momentum().Dot(b.Spin())
		}
		rollOn(t, w, h, 50) // until it rolls
		start := energy()
		rollOn(t, w, h, steps)
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("on a level %s: energy lost or gained in %g s, relative", ground, h*steps),
			Measured: math.Abs(energy()/start - 1), Bar: verify.AtMost, Limit: 2 * steps * 1e-8 / speed,
			From: "what every step may leave, 1e-8 m/s; most leave rounding",
		})
	}
}

// capsuleOnBeams lays a capsule across two cylinders, one three times as far from its middle as the other.
func capsuleOnBeams(t *verify.Trial) {
	const radius, h = 0.03, 2e-3
	// beams across, one on either side of the middle
	thick := engine.DefaultOptions().Contact.Thickness
	w := setup.RigidWorld(t, 0.5, 0)
	at := [2]float64{-0.15, 0.05}
	var beams [2]engine.SurfaceID
	for i, x := range at {
		id, err := w.AddObstacle(engine.Obstacle{
			Name: fmt.Sprint("beam ", i), Shape: shape.Cylinder{Radius: 0.02, Half: 0.1},
			Place: r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), math.Pi/2), T: r3.V(x, 0, 0.5)},
		})
		t.Must(err)
		beams[i] = w.ObstacleSurface(id)
	}
	// capsule across both, left to itself for a while
	spec, lying := body.Capsule(radius, 0.2, 1000), r3.Rotation(r3.V(0, 1, 0), math.Pi/2)
	setup.AddRigid(t, w, "capsule", spec, r3.V(0, 0, 0.52+radius+thick), r3.Vec{}, lying)
	rollOn(t, w, h, 50)
	// shares of the weight, by the lever
	worst := 0.0
	for _, p := range w.PairForces(nil) {
		for i := range beams {
			if p.A == beams[i] || p.B == beams[i] {
				share := at[1-i] / (at[1-i] - at[i])
				worst = max(worst, math.Abs(math.Abs(p.Force.Z)/(9.81*spec.Mass)-share))
			}
		}
	}
	t.Row(verify.Row{
		Quantity: "capsule on two beams: error of a force, in weights", Measured: worst, Bar: verify.AtMost,
		Limit: 1e-8 / (9.81 * h),
		From:  "a step's tolerance over g h",
	})
}

// ballInHammock has a ball fall into a cloth that is held at its rim, until it rests there.
func ballInHammock(t *verify.Trial) {
	const radius, h = 0.06, 1e-2
	// finer, and for longer, in full
	cells, steps := 10, 200
	if t.Options.Full {
		cells, steps = 20, 400
	}
	// cloth held at its rim
	w := setup.RigidWorld(t, 0.4, 0)
	m, x := shape.Grid(0.5, 0.5, cells, cells)
	var rim []int32
	for i := range x {
		if min(x[i].X, x[i].Y) < 1e-9 || max(x[i].X, x[i].Y) > 0.5-1e-9 {
			rim = append(rim, int32(i))
		}
		x[i] = x[i].Add(r3.V(-0.25, -0.25, 1))
	}
	fabric, err := material.LookupFabric("cotton-interlock")
	t.Must(err)
	fabric.Damping = 0.1
	cloth, err := cloths.Add(w, body.DefaultCloth("hammock", m, x, fabric))
	t.Must(err)
	_, err = w.AddHandle(engine.Handle{Name: "rim", Cloth: cloth, Vertices: rim})
	t.Must(err)
	// ball above it
	spec := body.Ball(radius, 300)
	_, id := setup.AddRigid(t, w, "ball", spec, r3.V(0.03, -0.02, 1.12), r3.V(0.2, 0, 0), r3.NoRotation())
	// the fall, with the least gap between ball and cloth
	nearest := math.Inf(1)
	for range steps {
		stats, err := w.Step(h)
		t.Must(err)
		if stats.Crossings > 0 || stats.Failsafe.Left > 0 {
			t.Must(fmt.Errorf("%d crossings", stats.Crossings))
		}
		near, _ := geom.NewMeshField(w.Positions(cloth), m.Tri).Nearest(w.BodyPositions(id)[0], math.Inf(1))
		nearest = min(nearest, near.Distance-radius)
	}
	// the cloth carries the ball
	force := w.BodyImpulses(id, nil)[0].Scale(1 / h)
	t.Row(verify.Row{
		Quantity: "ball in a cloth: what carries it at rest, in weights", Expected: 1,
		Measured: force.Z / (9.81 * spec.Mass), Bar: verify.Relative, Limit: 2e-5,
	})
	t.Row(verify.Row{
		Quantity: "ball in a cloth: least gap on the way", Unit: "m", Measured: nearest, Bar: verify.AtLeast, Limit: 0,
	})
}
