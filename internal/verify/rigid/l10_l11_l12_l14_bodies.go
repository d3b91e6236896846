package rigid

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
)

// The soft bodies of [Larionov21], with a quarter of its tets or less and steps of up to four times its.

// bodyMotion returns the velocity of the centre of a body [m/s], and its spin: that of a rigid body with its angular
// momentum [rad/s].
func bodyMotion(w *engine.World, id engine.BodyID, mass []float64) (centre, velocity, spin r3.Vec) {
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

// L10: the scene spinning-ball.yaml. The place where it touches goes downhill, at 1.15 m/s by the fall and 0.87 m/s by
// the spin, so that friction pushes uphill and turns the spin round where it is strong. Where it slides all the time,
// the impulse along the ramp is μ of that across. From a friction of some 0.15 on it sticks, and more friction changes
// nothing but how it swings while it does: the place then ends at rest, or is thrown back by a part of the speed that
// it came with, as the shell gives back what it was sheared by.
var spinningBall = verify.Case{
	ID: "L10", Title: "a hollow ball spins and bounces", Source: "[Larionov21] fig. 7; Coulomb's law",
	Body: func(t *verify.Trial) {
		sets, end := []string{"solids.0.shape.shell.rings=3", "time.step=10 ms"}, 0.8
		if t.Options.Full {
			sets, end = nil, 3
		}
		frictions := []float64{0.01, 0.05, 0.5, 1}
		down, push := make([]float64, len(frictions)), make([]float64, len(frictions))
		var lines []draw.Series
		for k, mu := range frictions {
			b := bounce(t, mu, end, sets)
			down[k], push[k] = b.after, b.push
			if k == 0 {
				t.Row(verify.Row{
					Quantity: "μ 0.01: impulse along the ramp over that across, first bounce", Expected: mu,
					Measured: b.ratio,
					Bar:      verify.Relative, Limit: 0.02,
				})
			}
			if mu >= 0.5 {
				t.Row(verify.Row{
					Quantity: fmt.Sprintf("μ %g: slip back after the first bounce, over slip before it", mu),
					Expected: 0.5, Measured: b.back,
					Bar: verify.Absolute, Limit: 0.5,
				})
			}
			if mu == 1 {
				t.Row(verify.Row{
					Quantity: "μ 1: times that the spin turns round", Measured: float64(b.reversals),
					Bar: verify.AtLeast, Limit: 1,
				})
			}
			t.Note(
				"μ %g: %d bounces; after the first %.3f m/s downhill, spin %.2f rad/s", mu, b.bounces, b.after, b.spin,
			)
			lines = append(lines, draw.Series{Name: fmt.Sprintf("μ %g", mu), X: b.time, Y: b.turning})
		}
		for k, mu := range frictions[1:] {
			quantity := fmt.Sprintf("slower downhill after the first bounce, μ %g than %g", mu, frictions[k])
			switch {
			case mu < 0.15: // both slide all the time
				t.Row(verify.Row{
					Quantity: quantity, Unit: "m/s", Expected: mu*push[k+1] - frictions[k]*push[k],
					Measured: down[k] - down[k+1], Bar: verify.Relative,
					Limit: 0.15, // a place that is pressed in may stick, and μ of its push is then not reached
				})
			case mu < 1: // from 0.5 on it sticks, with less friction than that of a slip
				t.Row(verify.Row{
					Quantity: quantity + ", over what a slip would take",
					Measured: (down[k] - down[k+1]) / (mu*push[k+1] - frictions[k]*push[k]),
					Bar:      verify.AtMost, Limit: 1,
				})
				t.Row(verify.Row{
					Quantity: quantity, Unit: "m/s", Measured: down[k] - down[k+1], Bar: verify.AtLeast, Limit: 0.05,
				})
			}
		}
		t.Plot("l10-spin", draw.Plot{
			Title: "L10: spin of a hollow ball on a ramp", X: "time [s]", Y: "spin, as it would roll [rad/s]",
			Series: lines,
		})
		t.StepsRow()
	},
}

// bounced is how a ball went.
type bounced struct {
	ratio, after, spin float64 // impulse along over across, speed downhill and spin after the first bounce
	push               float64 // impulse across over the mass, first bounce [m/s]
	back               float64 // speed uphill of the place that touched after it, over that downhill before
	bounces, reversals int
	time, turning      []float64
}

func bounce(t *verify.Trial, mu, end float64, sets []string) (out bounced) {
	// scene, with its slope
	s, b := setup.Bundled(t, "spinning-ball.yaml", false, append([]string{fmt.Sprintf("friction=%g", mu)}, sets...)...)
	w, id := b.World, b.Bodies[0].ID
	mass := b.Bodies[0].Solid.Mass
	normal := s.Obstacles[0].Shape.Plane.Normal.R3().Unit()
	downhill := r3.V(normal.Z, 0, -normal.X)
	// what the first bounce is compared by
	var impulse r3.Vec
	touching, sign, slip, whole := false, -1.0, 0.0, 0.0
	const radius = 0.5
	// steps, with the impulse of the first touch
	for w.Time() < end-s.Time.Step/2 {
		t.At(fmt.Sprintf("μ %g", mu), w.Time(), end)
		t.Step(w, s.Time.Step)
		touches := false
		for _, p := range w.BodyImpulses(id, nil) {
			if p != (r3.Vec{}) {
				touches = true
				if out.bounces == 0 {
					impulse = impulse.Add(p)
				}
			}
		}
		// end of a touch: velocity, spin and push after the first
		_, v, spin := bodyMotion(w, id, mass)
		if touching && !touches {
			if out.bounces++; out.bounces == 1 {
				out.ratio = -impulse.Dot(downhill) / impulse.Dot(normal)
				out.after, out.spin = v.Dot(downhill), spin.Y
				for _, m := range mass {
					whole += m
				}
				out.push = impulse.Dot(normal) / whole
				out.back = (radius*spin.Y - v.Dot(downhill)) / slip
			}
		}
		// slip before the first touch
		if !touches && out.bounces == 0 {
			slip = v.Dot(downhill) - radius*spin.Y
		}
		touching = touches
		// turns of the spin
		if spin.Y*sign < 0 {
			out.reversals, sign = out.reversals+1, -sign
		}
		out.time, out.turning = append(out.time, w.Time()), append(out.turning, spin.Y)
	}
	t.Must(b.Close())
	return out
}

// L11: the scene stool.yaml. Friction is above the slope, so the stool must stop: from 0.4 m/s, g (μ cos α - sin α) =
// 0.229 m/s² would take 1.7 s if it did not swing. On the way its legs stick and slip in turn.
var stoolOnRamp = verify.Case{
	ID: "L11", Title: "a stool chatters down a ramp", Source: "[Larionov21] fig. 8; Coulomb's law",
	Body: func(t *verify.Trial) {
		// Steps of 3 ms damp the chatter away, and leave the swing from the front to the hind legs.
		sets, slow := []string{"time.step=3 ms"}, 0.01
		if t.Options.Full {
			sets, slow = nil, 1e-3
		}
		s, b := setup.Bundled(t, "stool.yaml", false, sets...)
		w, stool := b.World, b.Bodies[0]
		rest := slices.Clone(w.BodyPositions(stool.ID))
		downhill := r3.V(math.Cos(setup.SlopeAngle), 0, -math.Sin(setup.SlopeAngle))
		var stuck [4]bool
		var changes [4]int
		front, hind := draw.Series{Name: "front legs"}, draw.Series{Name: "hind legs"}
		var touch []engine.VertexContact
		var v r3.Vec
		for w.Time() < s.Time.End-s.Time.Step/2 {
			t.At("stool", w.Time(), s.Time.End)
			t.Step(w, s.Time.Step)
			touch = w.BodyContacts(stool.ID, touch)
			var stick, slide [4]bool
			var load [2]float64 // on the hind and on the front legs [N]
			for i, c := range touch {
				if c.State == engine.TakeOff {
					continue
				}
				leg := 0
				if rest[i].X > rest[0].X+0.1 {
					leg = 1
				}
				load[leg] += c.Impulse.Norm() / s.Time.Step
				if rest[i].Y > 0 {
					leg += 2
				}
				stick[leg], slide[leg] = stick[leg] || c.State == engine.Stick, slide[leg] || c.State == engine.Slide
			}
			for leg := range stuck {
				if now := stick[leg] && !slide[leg]; now != stuck[leg] {
					stuck[leg], changes[leg] = now, changes[leg]+1
				}
			}
			front.X, front.Y = append(front.X, w.Time()), append(front.Y, load[1])
			hind.X, hind.Y = append(hind.X, w.Time()), append(hind.Y, load[0])
			_, v, _ = bodyMotion(w, stool.ID, stool.Solid.Mass)
		}
		t.Must(b.Close())
		if t.Options.Full {
			t.Row(verify.Row{
				Quantity: "changes between sticking and not of a leg, the fewest",
				Measured: float64(slices.Min(changes[:])),
				Bar:      verify.AtLeast, Limit: 5,
			})
		}
		begun := int(0.25 / s.Time.Step) // by then it has come down on all legs
		t.Row(verify.Row{
			Quantity: "correlation of the loads of front and hind legs, from 0.25 s on",
			Measured: correlation(front.Y[begun:], hind.Y[begun:]), Bar: verify.AtMost, Limit: 0,
		})
		t.Row(verify.Row{
			Quantity: "speed downhill at the end", Unit: "m/s", Measured: math.Abs(v.Dot(downhill)), Bar: verify.AtMost,
			Limit: slow,
		})
		t.Plot(
			"l11-legs",
			draw.Plot{
				Title: "L11: loads of the legs of a stool", X: "time [s]", Y: "load [N]",
				Series: []draw.Series{front, hind},
			},
		)
		t.StepsRow()
	},
}

// correlation returns that of two series of numbers.
func correlation(a, b []float64) float64 {
	var sa, sb, aa, bb, ab float64
	for i := range a {
		sa, sb = sa+a[i], sb+b[i]
		aa, bb, ab = aa+a[i]*a[i], bb+b[i]*b[i], ab+a[i]*b[i]
	}
	n := float64(len(a))
	return (n*ab - sa*sb) / math.Sqrt((n*aa-sa*sa)*(n*bb-sb*sb))
}

// L12: the scene belt-drive.yaml. The roller stops at 2 s. By the equation of the capstan the belt can brake the wheel,
// which it wraps by half a turn and more, by T (e^{μφ} - 1) R: at a friction of 0.2 that stops it in some 0.1 s, at
// 0.02 it takes a quarter of its speed in 0.25 s. Measured by itself at 0.2, it slides with a steady brake to 0 in
// 0.17 s; then contacts stick, and it swings about 0 on the strands, with a half period of 0.25 s: to -0.84 rad/s, and
// on to 0.06 after 0.45 s, for the belt is viscous and slips on the way back. That needs a smooth wheel: on the
// triangles of one with 24 sides the belt holds by the corners, and takes two thirds.
var beltDrive = verify.Case{
	ID: "L12", Title: "a belt drive", Source: "[Larionov21] fig. 9",
	Body: func(t *verify.Trial) {
		if !t.Options.Full {
			line := driveWheel(t, 0.2, 0.65, "solids.wheel.contact.surface=polygons")
			t.Row(verify.Row{
				Quantity: "μ 0.2: spin of the wheel at 0.65 s", Unit: "rad/s", Measured: line.Y[len(line.Y)-1],
				Bar: verify.AtLeast, Limit: 0.1,
			})
			t.StepsRow()
			return
		}
		var lines []draw.Series
		for _, mu := range []float64{0.2, 0.02} {
			line := driveWheel(t, mu, 2.25)
			stop, later := valueAt(line, 2), valueAt(line, 2.25)
			name := fmt.Sprintf("μ %g: ", mu)
			t.Row(verify.Row{
				Quantity: name + "spin of the wheel when the roller stops", Unit: "rad/s", Measured: stop,
				Bar: verify.AtLeast, Limit: 2,
			})
			r := verify.Row{Quantity: name + "spin 0.25 s later, over that", Measured: math.Abs(later / stop)}
			if mu == 0.02 {
				r.Bar, r.Limit = verify.AtLeast, 0.5
			} else {
				r.Bar, r.Limit, r.Asked = verify.AtMost, 0.2, "at most 0.05"
				r.Why = "The wheel stops after 0.17 s, sticks, and rocks on the strands of the belt, which are " +
					"springs: " +
					"back to -0.84 rad/s of 5.24 just 0.25 s after the roller stopped, to 0 at 0.42 s, and on to 0.06."
			}
			t.Row(r)
			lines = append(lines, line)
		}
		t.Plot(
			"l12-wheel",
			draw.Plot{Title: "L12: spin of a wheel on a belt", X: "time [s]", Y: "spin [rad/s]", Series: lines},
		)
		t.StepsRow()
	},
}

// driveWheel runs the belt drive up to a time, and returns the spin of the wheel over time.
func driveWheel(t *verify.Trial, mu, end float64, sets ...string) draw.Series {
	s, b := setup.Bundled(t, "belt-drive.yaml", false, append(sets, fmt.Sprintf("friction.pairs.1.mu=%g", mu))...)
	line := draw.Series{Name: fmt.Sprintf("μ %g", mu)}
	hub := b.Bodies[slices.IndexFunc(b.Bodies, func(o build.Body) bool { return o.Rigid != nil })]
	for b.World.Time() < end-s.Time.Step/2 {
		t.At(line.Name, b.World.Time(), end)
		t.Must(b.World.Advance(s.Time.Step, s.Time.Step, func(k engine.Stats) { t.Steps.Add(t, b.World, k) }))
		line.X = append(line.X, b.World.Time())
		line.Y = append(line.Y, b.World.BodyVelocities(hub.ID)[1].Z/hub.Rigid.Length())
	}
	t.Must(b.Close())
	return line
}

// valueAt returns the value of a line at the first of its points from x on, to rounding.
func valueAt(s draw.Series, x float64) float64 {
	return s.Y[slices.IndexFunc(s.X, func(at float64) bool { return at > x-1e-9 })]
}

// L14: the scene trampoline.yaml. The ball comes to rest in the middle of the sheet, and is thrown up by the frame.
var trampoline = verify.Case{
	ID: "L14", Title: "a hollow ball on a trampoline", Source: "[Larionov21] fig. 11",
	Body: func(t *verify.Trial) {
		var sets []string
		if !t.Options.Full {
			sets = []string{
				"solids.ball.contact.surface=polygons", "solids.ball.shape.shell.rings=3",
				"cloths.0.shape.grid.cells=[12, 12]",
			}
		}
		s, b := setup.Bundled(t, "trampoline.yaml", false, sets...)
		const rests, radius = 3.5, 0.3 // when the frame starts to move [s]; of the ball [m]
		ball := b.Bodies[0]
		off, height := draw.Series{Name: "from the middle"}, draw.Series{Name: "height"}
		run := func(until float64) (centre, v, spin r3.Vec) {
			for b.World.Time() < until-s.Time.Step/2 {
				t.At("ball", b.World.Time(), s.Time.End)
				t.Must(b.World.Advance(s.Time.Step, s.Time.Step, func(k engine.Stats) { t.Steps.Add(t, b.World, k) }))
				centre, v, spin = bodyMotion(b.World, ball.ID, ball.Solid.Mass)
				off.X, off.Y = append(off.X, b.World.Time()), append(off.Y, math.Hypot(centre.X, centre.Y))
				height.X, height.Y = append(height.X, b.World.Time()), append(height.Y, centre.Z)
			}
			return centre, v, spin
		}
		const early = 0.6
		centre, v, spin := run(early)
		inwards := r3.V(-centre.X, -centre.Y, 0).Unit()
		t.Row(verify.Row{
			Quantity: "speed towards the middle at 0.6 s", Unit: "m/s", Measured: v.Dot(inwards), Bar: verify.AtLeast,
			Limit: 0.05,
		})
		t.Row(verify.Row{
			Quantity: "spin at 0.6 s, about the axis of rolling there", Unit: "rad/s",
			Measured: spin.Dot(r3.V(0, 0, 1).Cross(inwards)), Bar: verify.AtLeast, Limit: 0.05,
		})
		if t.Options.Full {
			centre, v, _ = run(rests)
			t.Row(verify.Row{
				Quantity: "distance from the middle at 3.5 s, over half the side of the sheet",
				Measured: off.Y[len(off.Y)-1],
				Bar:      verify.AtMost, Limit: 0.1,
			})
			t.Row(verify.Row{
				Quantity: "speed at 3.5 s", Unit: "m/s", Measured: v.Norm(), Bar: verify.AtMost, Limit: 0.05,
			})
			low := centre.Z
			centre, _, _ = run(s.Time.End)
			t.Row(verify.Row{
				Quantity: "how far it is thrown up until 4.2 s", Unit: "m", Measured: centre.Z - low,
				Bar: verify.AtLeast, Limit: radius,
			})
		}
		t.Must(b.Close())
		t.Plot(
			"l14-ball",
			draw.Plot{
				Title: "L14: a ball on a trampoline", X: "time [s]", Y: "[m]", Series: []draw.Series{off, height},
			},
		)
		t.StepsRow()
	},
}
