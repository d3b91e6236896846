package yarn

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// K32: a yarn without stiffness and contact, that is one block of n points and moves at random. What of its motion is
// not rigid becomes 1 - h μ of what it was in a step while that is fast; slow, h C √n less, until it is none. Momentum
// and angular momentum stay, but for the rounding of positions over h in each step. Rigid motion is that at the start
// of the step, by the end of which points have moved by h v of the size of the block.
var blockDamping = verify.Case{
	ID: "K32", Title: "damping of a block of loops", Source: "closed form",
	Body: func(t *verify.Trial) {
		const n, size, steps, h, rate, constant = 20, 0.05, 10, 1e-6, 2e4, 300.0
		for _, by := range []string{"rate", "constant"} {
			m := elastica(1.15e-3, 0, 0)
			if by == "rate" {
				m.DampRate = rate
			} else {
				m.DampConstant = constant
			}
			w, err := yarn.New(yarn.Options{Material: m, Strain: math.Inf(1), Workers: t.Options.Workers})
			t.Must(err)
			x := make([]r3.Vec, n)
			for i := range x {
				s, c := math.Sincos(0.9 * float64(i))
				x[i] = r3.V(s, c, 0.2*float64(i)+0.3*s*c).Scale(size / 4)
			}
			_, err = w.AddYarn(yarn.Yarn{Name: "yarn", Points: x})
			t.Must(err)
			for i := range n {
				k := float64(i)
				w.Velocities()[i] = r3.V(math.Sin(5*k), math.Cos(7*k*k), math.Sin(3*k+1)).Scale(0.3)
			}
			mass := massesOfYarn(x, m.Density)
			momentum, spin, before, _ := motionOfBlock(w, mass)
			for range steps {
				_, err := w.Step(h)
				t.Must(err)
			}
			momentumThen, spinThen, after, _ := motionOfBlock(w, mass)
			want := before * math.Pow(1-h*rate, steps)
			if by == "constant" {
				want = before - steps*h*constant*math.Sqrt(n)
			}
			total := 0.0
			for _, m := range mass {
				total += m
			}
			moved := steps * h * 0.5 / size // of its size
			const rounding = steps * size / h * 0x1p-53
			const from = "a rounding of places over the step, in each, if all went one way"
			t.Row(verify.Row{
				Quantity: "by " + by + ": what is not rigid, after ten steps", Unit: "m/s", Expected: want,
				Measured: after,
				Limit:    moved, From: "points move by that share of the block, mostly to no effect",
			})
			t.Row(verify.Row{
				Quantity: "by " + by + ": momentum lost, over that of 1 m/s",
				Measured: momentumThen.Sub(momentum).Norm() / total,
				Bar:      verify.AtMost, Limit: rounding, From: from,
			})
			t.Row(verify.Row{
				Quantity: "by " + by + ": angular momentum lost, over that of 1 m/s",
				Measured: spinThen.Sub(spin).Norm() / (total * size), Bar: verify.AtMost, Limit: rounding, From: from,
			})
			if by == "constant" {
				for range int(before / (h * constant * math.Sqrt(n))) {
					_, err := w.Step(h)
					t.Must(err)
				}
				_, _, left, swing := motionOfBlock(w, mass)
				t.Row(verify.Row{
					Quantity: "by constant: what is not rigid, in the end", Unit: "m/s", Measured: left,
					Bar:   verify.AtMost,
					Limit: 2 * h * swing, // by which velocities of places before the step are off
				})
			}
		}
	},
}

// massesOfYarn returns the masses of the points of an open yarn of the given density by length.
func massesOfYarn(x []r3.Vec, density float64) []float64 {
	mass := make([]float64, len(x))
	for i := range x[1:] {
		half := density * x[i+1].Sub(x[i]).Norm() / 2
		mass[i], mass[i+1] = mass[i]+half, mass[i+1]+half
	}
	return mass
}

// motionOfBlock returns the momenta of all points, the second about the origin, and the norm of all velocities against
// the rigid motion that has these, and that of the accelerations of this.
func motionOfBlock(w *yarn.World, mass []float64) (momentum, spin r3.Vec, rest, swing float64) {
	x, v := w.Positions(), w.Velocities()
	total, center := 0.0, r3.Vec{}
	for i, m := range mass {
		total, center = total+m, center.AddScaled(m, x[i])
		momentum, spin = momentum.AddScaled(m, v[i]), spin.AddScaled(m, x[i].Cross(v[i]))
	}
	center = center.Scale(1 / total)
	drift := momentum.Scale(1 / total)
	var inertia r3.Mat
	for i, m := range mass {
		arm := x[i].Sub(center)
		inertia.AddDiagonal(m * arm.Norm2())
		inertia.AddOuter(-m, arm, arm)
	}
	inverse, _ := inertia.Inverse()
	turn := inverse.MulVec(spin.Sub(center.Cross(momentum)))
	for i := range mass {
		along := turn.Cross(x[i].Sub(center))
		rest += v[i].Sub(drift).Sub(along).Norm2()
		swing += turn.Cross(along).Norm2()
	}
	return momentum, spin, math.Sqrt(rest), math.Sqrt(swing)
}

// K33: a yarn of two edges of the length l that are held while the second turns to the angle φ, so that ω = 2 tan(φ/2).
// Its rest shape follows to within p of that, and to m at the most, and the energy is
//
//	EI/(2l) (ω - ω̄)²,   ω̄ = min(m, ω - p),   none before ω = p.
//
// Turned back, it follows to p from the other side.
var plasticBends = verify.Case{
	ID: "K33", Title: "plasticity of yarns", Source: "closed form",
	Body: func(t *verify.Trial) {
		const l, bend, plastic, most = 0.01, 1e-8, 0.05, 0.5
		m := elastica(1e-3, bend, 0)
		m.Plastic, m.PlasticMost = plastic, most
		w := newYarns(t, m, r3.Vec{})
		_, err := w.AddYarn(yarn.Yarn{Name: "yarn", Points: []r3.Vec{{X: -l}, {}, {X: l}}})
		t.Must(err)
		turning := new(turnOfEdge)
		t.Must(w.AddHold(yarn.Hold{Points: []int{0, 1}}))
		t.Must(w.AddHold(yarn.Hold{Points: []int{2}, Motion: turning}))
		rest := 0.0
		for _, angle := range []float64{0.03, 0.2, 0.4, 0.8, 0.6} {
			turning.angle = angle
			stats, err := w.Step(1e-3)
			t.Must(err)
			omega := 2 * math.Tan(angle/2)
			rest = min(max(rest, omega-plastic), omega+plastic, most)
			t.Row(verify.Row{
				Quantity: fmt.Sprintf("bent to %g rad: energy", angle), Unit: "J", Measured: stats.Bend,
				Expected: bend / (2 * l) * (omega - rest) * (omega - rest),
				Limit:    16 * verify.Rounding / math.Abs(omega-rest), // the energy is a square
				From:     "8 roundings of the turn, over the part of it that is elastic",
			})
		}
	},
}

// turnOfEdge turns by an angle about the y axis at the origin.
type turnOfEdge struct{ angle float64 }

func (e *turnOfEdge) At(float64) r3.Pose { return r3.Pose{R: r3.Rotation(r3.V(0, 1, 0), e.angle)} }

// K34: a ball among yarns that are far away falls at g; a ball that slides on a floor ends rolling at 5/7 of its speed,
// whatever the coefficient of friction, as solid balls do.
var yarnBalls = verify.Case{
	ID: "K34", Title: "balls among yarns", Source: "closed form",
	Body: func(t *verify.Trial) {
		const g, radius, h, steps = 9.81, 0.02, 1e-4, 4000
		for _, rolls := range []bool{false, true} {
			w := newYarns(t, elastica(1e-3, 1e-8, 0), r3.V(0, 0, -g))
			_, err := w.AddYarn(yarn.Yarn{Name: "yarn", Points: []r3.Vec{{Z: 10}, {X: 0.01, Z: 10}}})
			t.Must(err)
			ball := yarn.Ball{Name: "ball", Center: r3.V(0, 0, radius), Radius: radius, Mass: 0.1, Friction: 0.5}
			if rolls {
				ball.Velocity = r3.V(0.7, 0, 0)
				_, err := w.AddObstacle(yarn.Obstacle{
					Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still(), Friction: 0.5,
				})
				t.Must(err)
			}
			id, err := w.AddBall(ball)
			t.Must(err)
			for range steps {
				_, err := w.Step(h)
				t.Must(err)
			}
			velocity, spin := w.BallVelocity(id)
			const limit, from = steps * verify.Rounding, "a rounding in each step"
			if rolls {
				t.Row(verify.Row{
					Quantity: "velocity of a ball that rolls", Unit: "m/s", Measured: velocity.X, Expected: 0.5,
					Limit: limit, From: from,
				})
				t.Row(verify.Row{
					Quantity: "its spin", Unit: "rad/s", Measured: spin.Y, Expected: 0.5 / radius, Limit: limit,
					From: from,
				})
			} else {
				t.Row(verify.Row{
					Quantity: "velocity of a ball that falls", Unit: "m/s", Measured: velocity.Z,
					Expected: -g * h * steps,
					Limit:    limit, From: from,
				})
			}
		}
	},
}
