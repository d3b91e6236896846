package yarn

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// K20: a yarn is drawn over a cylinder. Its tensions on both sides are T₂/T₁ = e^(μφ), with φ the angle that it turns
// by. Points where it turns by δ have T₂/T₁ = (1 + μ tan δ/2)/(1 - μ tan δ/2), which is e^(μδ) up to a share of μ
// δ³/12.
var yarnCapstan = verify.Case{
	ID: "K20", Title: "a yarn over a cylinder", Source: "Euler's and Eytelwein's rope",
	Body: func(t *verify.Trial) {
		turns, mus := []float64{0.5, 2}, []float64{0.1, 0.4}
		if t.Options.Full {
			turns, mus = []float64{0.5, 1, 2}, []float64{0.1, 0.2, 0.3, 0.4}
		}
		var plot draw.Plot
		for _, turn := range turns {
			got := draw.Series{Name: fmt.Sprintf("%g turns", turn), Style: draw.Points}
			for _, mu := range mus {
				ratio, angle := drawOver(t, turn, mu)
				want := math.Exp(mu * angle)
				t.Row(verify.Row{
					Quantity: fmt.Sprintf("T₂/T₁ after %g turns, μ = %g", turn, mu), Expected: want, Measured: ratio,
					Bar: verify.Relative, Limit: 0.02,
					From: "a yarn of points around a rod, of which a full turn is off by 1 %",
				})
				got.X, got.Y = append(got.X, mu*angle), append(got.Y, ratio)
			}
			plot.Series = append(plot.Series, got)
		}
		over := draw.Series{Name: "over a yarn", Style: draw.Points}
		for _, mu := range mus {
			ratio, angle := drawOverYarn(t, mu)
			t.Row(verify.Row{
				Quantity: fmt.Sprintf("T₂/T₁ over another yarn, μ = %g", mu),
				Expected: math.Exp(mu * angle), Measured: ratio, Bar: verify.Relative, Limit: 0.1,
			})
			over.X, over.Y = append(over.X, mu*angle), append(over.Y, ratio)
		}
		plot.Series = append(plot.Series, over)
		exact := draw.Series{Name: "e^(μφ)", Style: draw.Line}
		for k := range 51 {
			x := 0.1 * float64(k)
			exact.X, exact.Y = append(exact.X, x), append(exact.Y, math.Exp(x))
		}
		plot.Title, plot.X, plot.Y, plot.LogY = "K20: tensions of a yarn over a cylinder", "μφ", "T₂/T₁", true
		plot.Series = append(plot.Series, exact)
		t.Plot("k20-capstan", plot)
	},
}

// drawOver winds a yarn around a cylinder of ten times its radius, pulls at one end with a force, draws the other away
// slowly, and returns the tension there over that of the pull, and the angle that the yarn turns by.
func drawOver(t *verify.Trial, turns, mu float64) (ratio, angle float64) {
	const radius, pull, speed, h = 1.25e-3, 2e-3, 1e-3, 5e-5
	m := yarn.Kaldor()
	m.Plastic, m.Contact, m.Bend, m.Twist = 0, 0, 1e-10, 0
	m.DampRate, m.DampConstant = 10, 0
	w := newYarns(t, m, r3.Vec{})
	// A helix on the cylinder, whose turns do not touch, with straight ends along its tangents.
	const around, edge, ends = 11 * radius, 2e-3, 12
	lead := 6 * radius / (2 * math.Pi) // along the axis, by angle
	along := math.Hypot(around, lead)
	at := func(a float64) r3.Vec { return r3.V(around*math.Sin(a), lead*a, around*math.Cos(a)) }
	tangent := func(a float64) r3.Vec {
		return r3.V(around*math.Cos(a), lead, -around*math.Sin(a)).Scale(1 / along)
	}
	last := 2 * math.Pi * turns
	wound := int(math.Ceil(last * along / edge))
	var x []r3.Vec
	for i := ends; i > 0; i-- {
		x = append(x, at(0).AddScaled(-edge*float64(i), tangent(0)))
	}
	for i := range wound + 1 {
		x = append(x, at(last*float64(i)/float64(wound)))
	}
	for i := 1; i <= ends; i++ {
		x = append(x, at(last).AddScaled(edge*float64(i), tangent(last)))
	}
	_, err := w.AddYarn(yarn.Yarn{Name: "yarn", Points: x})
	t.Must(err)
	_, err = w.AddObstacle(yarn.Obstacle{
		Name: "cylinder", Shape: shape.Cylinder{Radius: 10 * radius, Half: 1}, Friction: mu,
		Place: r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), math.Pi/2)},
	})
	t.Must(err)
	return drawAway(t, w, 0, len(x)-1, tangent(0).Scale(-pull), tangent(last).Scale(speed), h, 0.5)
}

// drawOverYarn is drawOver by half a turn over a yarn that is held.
func drawOverYarn(t *verify.Trial, mu float64) (ratio, angle float64) {
	const pull, speed, h, edge, ends = 2e-3, 1e-3, 1.0 / 16200, 1.5e-3, 12
	// yarn with little stiffness
	m := yarn.Kaldor()
	m.Plastic, m.Bend, m.Twist = 0, 1e-11, 0
	m.DampRate, m.DampConstant, m.Friction = 300, 0, mu
	w := newYarns(t, m, r3.Vec{})
	// up, half around and down again
	around := 2 * m.Radius
	wound := int(math.Ceil(math.Pi * around / edge))
	var x, bar []r3.Vec
	for i := ends; i > 0; i-- {
		x = append(x, r3.V(-around, 0, -edge*float64(i)))
	}
	for i := range wound + 1 {
		sin, cos := math.Sincos(math.Pi * float64(i) / float64(wound))
		x = append(x, r3.V(-around*cos, 0, around*sin))
	}
	for i := 1; i <= ends; i++ {
		x = append(x, r3.V(around, 0, -edge*float64(i)))
	}
	_, err := w.AddYarn(yarn.Yarn{Name: "yarn", Points: x})
	t.Must(err)
	// bar that is held, across
	var held []int
	for i := range 13 {
		bar = append(bar, r3.V(0, edge*(float64(i)-6), 0))
		held = append(held, len(x)+i)
	}
	_, err = w.AddYarn(yarn.Yarn{Name: "bar", Points: bar})
	t.Must(err)
	t.Must(w.AddHold(yarn.Hold{Points: held}))
	// pulled by a force at one end, drawn away at the other
	return drawAway(t, w, 0, len(x)-1, r3.V(0, 0, -pull), r3.V(0, 0, -speed), h, 1.6)
}

// drawAway pulls at the first point of a yarn with a force and draws the last away, and returns the tension there over
// that of the pull, in the mean over a while, and the angle that the yarn turns by.
func drawAway(t *verify.Trial, w *yarn.World, first, n int, pull, speed r3.Vec, h, end float64) (ratio, angle float64) {
	t.Must(w.AddHold(yarn.Hold{Points: []int{n}, Motion: drift{speed}}))
	w.SetForce(first, pull)
	sum, count := 0.0, 0
	for w.Time() < end {
		_, err := w.Step(h)
		t.Must(err)
		if w.Time() > end/2 {
			sum += w.Tension(n-1) / w.Tension(first)
			count++
		}
	}
	now := w.Positions()
	for i := first + 1; i < n; i++ {
		a, b := now[i].Sub(now[i-1]), now[i+1].Sub(now[i])
		angle += math.Atan2(a.Cross(b).Norm(), a.Dot(b))
	}
	return sum / float64(count), angle
}

// drift moves at a constant velocity.
type drift struct{ v r3.Vec }

func (d drift) At(time float64) r3.Pose { return r3.Translation(d.v.Scale(time)) }
