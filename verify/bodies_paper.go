package verify

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/draw"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/scene"
)

// The soft bodies of [Larionov21], with a quarter of its tets or less and steps of up to four times its.

// bodyMotion returns the velocity of the centre of a body [m/s], and its spin: that of a rigid body with its angular
// momentum [rad/s].
func bodyMotion(w *toile.World, id toile.BodyID, mass []float64) (centre, velocity, spin r3.Vec) {
	x, v := w.BodyPositions(id), w.BodyVelocities(id)
	total := 0.0
	for i, m := range mass {
		total += m
		centre, velocity = centre.AddScaled(m, x[i]), velocity.AddScaled(m, v[i])
	}
	centre, velocity = centre.Scale(1/total), velocity.Scale(1/total)
	var momentum r3.Vec
	var inertia r3.Mat
	for i, m := range mass {
		arm := x[i].Sub(centre)
		momentum = momentum.Add(arm.Cross(v[i].Scale(m)))
		inertia.AddDiagonal(m * arm.Norm2())
		inertia.AddOuter(-m, arm, arm)
	}
	inverse, _ := inertia.Inverse()
	return centre, velocity, inverse.MulVec(momentum)
}

// L10: the scene spinning-ball.yaml. The place where it touches goes downhill, at 1.15 m/s by the fall and 0.87 m/s by the
// spin, so that friction pushes uphill and turns the spin round where it is strong. Where it slides all the time, the
// impulse along the ramp is μ of that across.
var spinningBall = Case{
	ID: "L10", Title: "a hollow ball spins and bounces", Source: "[Larionov21] fig. 7; Coulomb's law",
	run: func(t *trial) {
		sets, end := []string{"solids.0.shape.shell.rings=3", "time.step=10 ms"}, 0.8
		if t.Options.Full {
			sets, end = nil, 3
		}
		frictions := []float64{0.01, 0.05, 0.5, 1}
		down := make([]float64, len(frictions))
		var lines []draw.Series
		for k, mu := range frictions {
			b := t.bounce(mu, end, sets)
			down[k] = b.after
			if k == 0 {
				t.row(Row{
					Quantity: "μ 0.01: impulse along the ramp over that across, first bounce", Expected: mu, Measured: b.ratio,
					Bar: Relative, Limit: 0.03,
				})
			}
			if mu == 1 {
				t.row(Row{Quantity: "μ 1: times that the spin turns round", Measured: float64(b.reversals), Bar: AtLeast, Limit: 1})
			}
			t.note("μ %g: %d bounces; after the first %.3f m/s downhill, spin %.2f rad/s", mu, b.bounces, b.after, b.spin)
			lines = append(lines, draw.Series{Name: fmt.Sprintf("μ %g", mu), X: b.time, Y: b.turning})
		}
		for k, mu := range frictions[1:] {
			r := Row{
				Quantity: fmt.Sprintf("slower downhill after the first bounce, μ %g than %g", mu, frictions[k]), Unit: "m/s",
				Measured: down[k] - down[k+1], Bar: AtLeast, Limit: 0,
			}
			if mu == 1 {
				r.Limit, r.Asked = -0.1, "at least 0"
				r.Why = "The ball sticks from a friction of some 0.15 on, and more of it only changes how it swings while it does."
			}
			t.row(r)
		}
		t.plot("l10-spin", draw.Plot{
			Title: "L10: spin of a hollow ball on a ramp", X: "time [s]", Y: "spin, as it would roll [rad/s]", Series: lines,
		})
		t.stepsRow()
	},
}

// bounced is how a ball went.
type bounced struct {
	ratio, after, spin float64 // impulse along over across, speed downhill and spin after the first bounce
	bounces, reversals int
	time, turning      []float64
}

func (t *trial) bounce(mu, end float64, sets []string) (out bounced) {
	s, b := t.bundled("spinning-ball.yaml", false, append([]string{fmt.Sprintf("friction=%g", mu)}, sets...)...)
	w, id := b.World, b.Bodies[0].ID
	mass := b.Bodies[0].Solid.Mass
	normal := s.Obstacles[0].Shape.Plane.Normal.R3().Unit()
	downhill := r3.V(normal.Z, 0, -normal.X)
	var impulse r3.Vec
	touching, sign := false, -1.0
	for w.Time() < end-s.Time.Step/2 {
		t.at(fmt.Sprintf("μ %g", mu), w.Time(), end)
		t.step(w, s.Time.Step)
		touches := false
		for _, p := range w.BodyImpulses(id, nil) {
			if p != (r3.Vec{}) {
				touches = true
				if out.bounces == 0 {
					impulse = impulse.Add(p)
				}
			}
		}
		_, v, spin := bodyMotion(w, id, mass)
		if touching && !touches {
			if out.bounces++; out.bounces == 1 {
				out.ratio = -impulse.Dot(downhill) / impulse.Dot(normal)
				out.after, out.spin = v.Dot(downhill), spin.Y
			}
		}
		touching = touches
		if spin.Y*sign < 0 {
			out.reversals, sign = out.reversals+1, -sign
		}
		out.time, out.turning = append(out.time, w.Time()), append(out.turning, spin.Y)
	}
	t.must(b.Close())
	return out
}

// L12: the scene belt-drive.yaml. The roller stops at 2 s. By the equation of the capstan the belt can brake the wheel,
// which it wraps by half a turn and more, by T (e^{μφ} - 1) R: at a friction of 0.2 that stops it in some 0.1 s, at 0.02 it
// takes a quarter of its speed in 0.25 s.
var beltDrive = Case{
	ID: "L12", Title: "a belt drive", Source: "[Larionov21] fig. 9",
	run: func(t *trial) {
		sets := []string{
			"solids.belt.shape.ring.cells=[64, 1, 1]", "solids.wheel.shape.ring.cells=[24, 2, 1]", "time.step=10 ms",
		}
		if t.Options.Full {
			sets = []string{"time.step=10 ms"}
		}
		var lines []draw.Series
		for _, mu := range []float64{0.2, 0.02} {
			line := t.driveWheel(mu, sets)
			stop, later := valueAt(line, 2), valueAt(line, 2.25)
			name := fmt.Sprintf("μ %g: ", mu)
			t.row(Row{Quantity: name + "spin of the wheel when the roller stops", Unit: "rad/s", Measured: stop, Bar: AtLeast, Limit: 2})
			r := Row{Quantity: name + "spin 0.25 s later, over that", Measured: math.Abs(later / stop), Bar: AtMost, Limit: 0.05}
			if mu == 0.02 {
				r.Bar, r.Limit = AtLeast, 0.5
			}
			t.row(r)
			lines = append(lines, line)
		}
		t.plot("l12-wheel", draw.Plot{Title: "L12: spin of a wheel on a belt", X: "time [s]", Y: "spin [rad/s]", Series: lines})
		t.stepsRow()
	},
}

// driveWheel runs the belt drive until a little after it stops, and returns the spin of the wheel over time.
func (t *trial) driveWheel(mu float64, sets []string) draw.Series {
	s, b := t.bundled("belt-drive.yaml", false, append([]string{fmt.Sprintf("friction.pairs.1.mu=%g", mu)}, sets...)...)
	line := draw.Series{Name: fmt.Sprintf("μ %g", mu)}
	hub := b.Bodies[slices.IndexFunc(b.Bodies, func(o scene.BuiltBody) bool { return o.Rigid != nil })]
	for b.World.Time() < 2.25+s.Time.Step/2 {
		t.at(line.Name, b.World.Time(), 2.25)
		t.must(b.World.Advance(s.Time.Step, s.Time.Step, func(k toile.Stats) { t.steps.add(k, 1e-8) }))
		line.X = append(line.X, b.World.Time())
		line.Y = append(line.Y, b.World.BodyVelocities(hub.ID)[1].Z/hub.Rigid.Length())
	}
	t.must(b.Close())
	return line
}

// valueAt returns the value of a line at the first of its points from x on, to rounding.
func valueAt(s draw.Series, x float64) float64 {
	return s.Y[slices.IndexFunc(s.X, func(at float64) bool { return at > x-1e-9 })]
}
