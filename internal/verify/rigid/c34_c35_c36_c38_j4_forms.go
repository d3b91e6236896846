package rigid

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
)

// C34: bodies of every shape hang from a hinge at l above their centre and swing by a twentieth of a radian. With the
// moment of inertia I about the centre the period is that of a physical pendulum,
//
//	T = 2π √((I + m l²)/(m g l)),
//
// up to (ω h)²/3 by backward Euler, whose phase is arctan ω h in a step, and a²/16 by the amplitude a. l is about as
// long as √(I/m), so that an I that is off by a per cent shows. I of what is round about an axis is a sum of thin
// discs.
var pendulumsOfShapes = verify.Case{
	ID: "C34", Title: "physical pendulums of every shape", Source: "closed form",
	Body: func(t *verify.Trial) {
		const density = 1000
		half := r3.V(0.05, 0.08, 0.12)
		askew := r3.Rotation(r3.V(1, 2, 3).Unit(), 0.7)
		brick := body.Brick(half, density)
		points := make([]r3.Vec, len(brick.Points))
		for i, p := range brick.Points {
			points[i] = askew.Rotate(p).Add(r3.V(0.2, -0.1, 0.3))
		}
		box, _, err := body.RigidOf(points, brick.Tri, density)
		t.Must(err)
		mass, square := 8*half.X*half.Y*half.Z*density, r3.V(half.X*half.X, half.Y*half.Y, half.Z*half.Z)
		principal := r3.V(square.Y+square.Z, square.Z+square.X, square.X+square.Y).Scale(mass / 3)
		of := func(axis r3.Vec) float64 {
			return axis.Dot(r3.V(axis.X*principal.X, axis.Y*principal.Y, axis.Z*principal.Z))
		}
		round := func(radius, half float64) [3]float64 { return ofDiscs(radius, half, density) }
		ball, capsule, shell := round(0.06, 0), round(0.04, 0.1), 4*math.Pi*0.06*0.06*5
		for _, s := range []struct {
			name          string
			spec          body.RigidSpec
			turn          r3.Quat
			mass, inertia float64 // inertia about the y axis of the world
		}{
			{"brick", brick, r3.NoRotation(), mass, of(r3.V(0, 1, 0))},
			{"mesh of a box askew", box, r3.NoRotation(), mass, of(askew.Conj().Rotate(r3.V(0, 1, 0)))},
			{
				"mesh of a box askew, turned", box, r3.Rotation(r3.V(1, 0, 0), math.Pi/2), mass,
				of(askew.Conj().Rotate(r3.V(0, 0, 1))),
			},
			{"ball", body.Ball(0.06, density), r3.NoRotation(), ball[0], ball[1]},
			{"hollow ball", body.HollowBall(0.06, 5), r3.NoRotation(), shell, 2. / 3 * shell * 0.06 * 0.06},
			{"capsule, across", body.Capsule(0.04, 0.1, density), r3.NoRotation(), capsule[0], capsule[2]},
			{"capsule, along", body.Capsule(0.04, 0.1, density), r3.Rotation(
				r3.V(1, 0, 0), math.Pi/2,
			), capsule[0], capsule[1]},
		} {
			const g, h, amplitude = 9.81, 2e-3, 0.05
			l := math.Sqrt(s.inertia / s.mass)
			omega := math.Sqrt(g * l * s.mass / (s.inertia + s.mass*l*l))
			w := setup.LooseWorld(t, 1, r3.V(0, 0, -g))
			b, err := body.NewRigid(s.spec, r3.Rotation(r3.V(0, 1, 0), amplitude).Mul(s.turn), r3.Vec{})
			t.Must(err)
			centre := r3.Rotation(r3.V(0, 1, 0), amplitude).Rotate(r3.V(0, 0, -l))
			id, err := w.AddBody(s.name, b, []r3.Vec{centre, {}}, make([]r3.Vec, 2))
			t.Must(err)
			_, err = w.Join(engine.Joint{Name: "pivot", Kind: engine.HingeJoint, A: id, Axis: r3.V(0, 1, 0)})
			t.Must(err)
			t.Row(verify.Row{
				Quantity: s.name + ": period", Unit: "s", Expected: 2 * math.Pi / omega,
				Measured: swingOfCentre(t, w, id, h, 4*2*math.Pi/omega),
				Limit:    omega*omega*h*h/3 + amplitude*amplitude/16,
			})
		}
	},
}

// ofDiscs returns the mass of all that is within the radius of a part of the z axis from -half to half, and its moments
// of inertia about that axis and across, from thin discs.
func ofDiscs(radius, half, density float64) (out [3]float64) {
	const discs = 20_000
	thick := 2 * (half + radius) / discs
	for i := range discs {
		z := -half - radius + (float64(i)+0.5)*thick
		beyond := max(math.Abs(z)-half, 0)
		square := radius*radius - beyond*beyond
		m := math.Pi * square * thick * density
		out[0], out[1], out[2] = out[0]+m, out[1]+m*square/2, out[2]+m*(square/4+z*z)
	}
	return out
}

// swingOfCentre returns the period at which the centre of a body goes to and fro along x [s].
func swingOfCentre(t *verify.Trial, w *engine.World, id engine.BodyID, h, end float64) float64 {
	count, first, last, before := 0, 0.0, 0.0, w.BodyPositions(id)[0].X
	for range int(math.Ceil(end / h)) {
		_, err := w.Step(h)
		t.Must(err)
		now := w.BodyPositions(id)[0].X
		if before < 0 != (now < 0) {
			last = w.Time() - h*now/(now-before)
			if count++; count == 1 {
				first = last
			}
		}
		before = now
	}
	return 2 * (last - first) / float64(count-1)
}

// C35: a held brick goes where its guide says, turning about axes that turn. The rows of a step leave the tolerance of
// velocities, 1e-8 m/s, and the next step makes up for it: what is left is that times h, 5e-11 m, and over the length ρ
// of the brick, of 0.1 m, 5e-10 rad.
var guidedTurns = verify.Case{
	ID: "C35", Title: "held bodies turn as prescribed", Source: "the guide",
	Body: func(t *verify.Trial) {
		const h = 5e-3
		guide := func(s float64) r3.Pose {
			return r3.Pose{
				R: r3.Rotation(r3.V(0, 0, 1), 1.3*math.Sin(2*s)).Mul(r3.Rotation(r3.V(1, 0, 0), 0.9*s)),
				T: r3.V(0.3*math.Sin(s), 0.2*s, 0),
			}
		}
		for _, theta := range []float64{1, 0.5} {
			w := setup.LooseWorld(t, theta, r3.V(0, 0, -9.81))
			b, id := setup.AddBrick(t, w, "brick", r3.V(0.05, 0.1, 0.15), 1000, r3.Vec{}, r3.NoRotation(), r3.Vec{})
			all := [3]bool{true, true, true}
			t.Must(b.SetHold(body.Hold{Axes: r3.Identity(), Move: all, Turn: all}))
			b.SetGuide(guide)
			turned, moved := 0.0, 0.0
			for range 400 {
				_, err := w.Step(h)
				t.Must(err)
				to := guide(w.Time())
				turned = max(turned, b.Turn().Mul(to.R.Conj()).Vector().Norm())
				moved = max(moved, w.BodyPositions(id)[0].Sub(to.T).Norm())
			}
			name := fmt.Sprintf("θ %g, 2 s: ", theta)
			t.Row(verify.Row{
				Quantity: name + "angle off the guide", Unit: "rad", Measured: turned, Bar: verify.AtMost, Limit: 1e-9,
				From: "1e-8 m/s for a step, over the length of the brick; most steps leave rounding",
			})
			t.Row(verify.Row{
				Quantity: name + "place off the guide", Unit: "m", Measured: moved, Bar: verify.AtMost, Limit: 1e-10,
				From: "1e-8 m/s for a step; most steps leave rounding",
			})
		}
	},
}

// C36: a ball of mass m and speed v hits a free rod of mass M at d from its middle, without friction and inelastically.
// The impulse is p = v/(1/m + 1/M + d²/I), the rod spins with p d/I, and the sums of momentum and of angular momentum
// stay. The rod turns while it is hit, in a step or two, by ω h each, and the lever with it.
var eccentricHit = verify.Case{
	ID: "C36", Title: "a ball hits a rod off its middle", Source: "closed form",
	Body: func(t *verify.Trial) {
		const d, v, radius, h = 0.2, 1.0, 0.03, 1e-4
		opt := engine.DefaultOptions()
		opt.Workers, opt.Gravity, opt.Contact.Friction = t.Workers, r3.Vec{}, 0
		for _, ballFirst := range []bool{false, true} {
			w := t.World(opt)
			var rod, ball *body.Rigid
			var rodID, ballID engine.BodyID
			half := r3.V(0.02, 0.02, 0.3)
			addRod := func() {
				rod, rodID = setup.AddBrick(t, w, "rod", half, 1000, r3.Vec{}, r3.NoRotation(), r3.Vec{})
			}
			addBall := func() {
				var err error
				ball, err = body.NewRigid(body.Ball(radius, 5000), r3.NoRotation(), r3.Vec{})
				t.Must(err)
				at := r3.V(half.X+radius+2e-3, 0, d)
				ballID, err = w.AddBody("ball", ball, []r3.Vec{at, {}}, []r3.Vec{{X: -v}, {}})
				t.Must(err)
			}
			name := "rod first: "
			if ballFirst {
				name = "ball first: "
				addBall()
				addRod()
			} else {
				addRod()
				addBall()
			}
			m, M := ball.Mass(), rod.Mass()
			inertia := M * (half.X*half.X + half.Z*half.Z) / 3
			p := v / (1/m + 1/M + d*d/inertia)
			touching := 0
			for touching < 3 && w.Time() < 0.01 {
				s, err := w.Step(h)
				t.Must(err)
				if s.Contacts > 0 && w.BodyVelocities(rodID)[0] != (r3.Vec{}) {
					touching++
				}
			}
			lever := 3 * h * p * d / inertia
			angular := func(b *body.Rigid, id engine.BodyID) r3.Vec {
				return b.Momentum().Add(w.BodyPositions(id)[0].Cross(w.BodyVelocities(id)[0].Scale(b.Mass())))
			}
			kept := angular(rod, rodID).Add(angular(ball, ballID)).Sub(r3.V(0, -m*v*d, 0)).Norm()
			t.Row(verify.Row{
				Quantity: name + "speed of the rod", Unit: "m/s", Expected: p / M,
				Measured: -w.BodyVelocities(rodID)[0].X, Limit: lever,
				From: "the rod turns while it is hit, by ω h in each of three steps at most",
			})
			t.Row(verify.Row{
				Quantity: name + "spin of the rod", Unit: "rad/s", Expected: p * d / inertia, Measured: -rod.Spin().Y,
				Limit: lever,
				From:  "the rod turns while it is hit, by ω h in each of three steps at most",
			})
			t.Row(verify.Row{
				Quantity: name + "speed of the ball", Unit: "m/s", Expected: v - p/m,
				Measured: -w.BodyVelocities(ballID)[0].X,
				Bar:      verify.Absolute, Limit: lever * v,
				From: "the rod turns while it is hit, by ω h in each of three steps at most",
			})
			t.Row(verify.Row{
				Quantity: name + "angular momentum changed, relative", Measured: kept / (m * v * d), Bar: verify.AtMost,
				Limit: 16 * verify.Rounding,
				From:  "rounding of as many steps as full runs have",
			})
		}
	},
}

// C38: a ball of mass m hits a free cube of mass M askew, opposite to its middle, and friction stops all slip. Where it
// acts is half way between the surfaces, which a thickness τ keeps apart: at R = r + τ/2 from the centre of the ball
// and at A = a + τ/2 from that of the cube. The impulse across, of a slip v, is
//
//	q = v/(1/m + R²/I + 1/M + A²/J),
//
// and the spins are q R/I and q A/J. Both turn and move while they meet, in a step or two, by a share of ω h and v h/a.
var obliqueHit = verify.Case{
	ID: "C38", Title: "a ball hits a cube askew, with friction", Source: "closed form",
	Body: func(t *verify.Trial) {
		const r, a, v, h, thickness = 0.03, 0.04, 1.0, 1e-5, 5e-3
		opt := engine.DefaultOptions()
		opt.Workers, opt.Gravity, opt.Contact.Friction, opt.Contact.Thickness = t.Workers, r3.Vec{}, 10, thickness
		for _, ballFirst := range []bool{false, true} {
			w := t.World(opt)
			ball, err := body.NewRigid(body.Ball(r, 2000), r3.NoRotation(), r3.Vec{})
			t.Must(err)
			var cube *body.Rigid
			var cubeID engine.BodyID
			add := []func(){
				func() {
					cube, cubeID = setup.AddBrick(
						t, w, "cube", r3.V(a, a, a), 1000, r3.Vec{}, r3.NoRotation(), r3.Vec{},
					)
				},
				func() {
					start := r3.V(-2*v*h, 0, a+r+thickness+2.5*v*h)
					_, err = w.AddBody("ball", ball, []r3.Vec{start, {}}, []r3.Vec{r3.V(v, 0, -v), {}})
					t.Must(err)
				},
			}
			name := "cube first: "
			if ballFirst {
				name, add[0], add[1] = "ball first: ", add[1], add[0]
			}
			add[0]()
			add[1]()
			for range 5 {
				_, err := w.Step(h)
				t.Must(err)
			}
			m, M, R, A := ball.Mass(), cube.Mass(), r+thickness/2, a+thickness/2
			I, J := 0.4*m*r*r, 2./3*M*a*a
			q := v / (1/m + R*R/I + 1/M + A*A/J)
			limit := 10 * v * h / a
			t.Row(verify.Row{
				Quantity: name + "spin of the ball", Unit: "rad/s", Expected: q * R / I, Measured: ball.Spin().Y,
				Limit: limit, From: "both move while they meet, by v h/a in each step",
			})
			t.Row(verify.Row{
				Quantity: name + "spin of the cube", Unit: "rad/s", Expected: q * A / J, Measured: cube.Spin().Y,
				Limit: limit, From: "both move while they meet, by v h/a in each step",
			})
			t.Row(verify.Row{
				Quantity: name + "speed of the cube across", Unit: "m/s", Expected: q / M,
				Measured: w.BodyVelocities(cubeID)[0].X, Limit: limit,
				From: "both move while they meet, by v h/a in each step",
			})
		}
	},
}

// J4: two bricks on a hinge tumble in free space, so that the axis of the hinge moves. Nothing changes their angular
// momentum, and with θ = ½ their energy is of second order: off by (ω h)².
var tumblingHinge = verify.Case{
	ID: "J4", Title: "hinged bricks tumble", Source: "conservation",
	Body: func(t *verify.Trial) {
		end := 5.0
		if t.Options.Full {
			end = 60
		}
		for _, h := range []float64{1e-3, 2e-3} {
			w := setup.LooseWorld(t, 0.5, r3.Vec{})
			half, spin := r3.V(0.05, 0.1, 0.15), r3.V(2, 3, 4)
			var ids [2]engine.BodyID
			var bricks [2]*body.Rigid
			for i, side := range []float64{-1, 1} {
				x := r3.V(0.03, 0.12*side, 0.05*side)
				bricks[i], ids[i] = setup.AddBrick(t, w, fmt.Sprint("brick ", i), half, 1000, x, r3.NoRotation(), spin)
				w.BodyVelocities(ids[i])[0] = spin.Cross(x)
			}
			_, err := w.Join(engine.Joint{
				Name: "hinge", Kind: engine.HingeJoint, A: ids[0], B: &ids[1], Axis: r3.V(1, 0.4, 0.2),
			})
			t.Must(err)
			sums := func() (energy float64, momentum r3.Vec) {
				for i, b := range bricks {
					x, v := w.BodyPositions(ids[i])[0], w.BodyVelocities(ids[i])[0]
					energy += b.Mass()*v.Norm2()/2 + b.SpinEnergy()
					momentum = momentum.Add(b.Momentum()).Add(x.Cross(v.Scale(b.Mass())))
				}
				return energy, momentum
			}
			energy, momentum := sums()
			off, lost, fastest, bend := 0.0, 0.0, 0.0, 0.0
			for range int(math.Round(end / h)) {
				_, err := w.Step(h)
				t.Must(err)
				e, l := sums()
				off, lost = max(off, math.Abs(e/energy-1)), max(lost, l.Sub(momentum).Norm()/momentum.Norm())
				fastest = max(fastest, bricks[0].Spin().Norm(), bricks[1].Spin().Norm())
				bend = max(bend, bricks[0].Turn().Mul(bricks[1].Turn().Conj()).Vector().Norm())
			}
			name := fmt.Sprintf("steps of %g ms, %g s: ", 1e3*h, end)
			t.Row(verify.Row{
				Quantity: name + "energy changed, relative", Measured: off, Bar: verify.AtMost,
				Limit: fastest * fastest * h * h,
				From:  "(ω h)² bounds the second order; how much of it is felt is up to the motion",
			})
			t.Row(verify.Row{
				Quantity: name + "angular momentum changed, relative", Measured: lost, Bar: verify.AtMost, Limit: 1e-11,
				From: "rounding of as many steps as full runs have",
			})
			t.Row(verify.Row{
				Quantity: name + "angle by which the hinge opens, at most", Unit: "rad", Measured: bend,
				Bar: verify.AtLeast, Limit: 0.5,
			})
		}
	},
}
