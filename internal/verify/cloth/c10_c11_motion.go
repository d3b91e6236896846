package cloth

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C10: free fall. Backward Euler takes the velocity exactly, v = g t, and a position that is ahead by
// ½ g h t: x(n h) = Σ h (g h k) = ½ g t² + ½ g h t.
var freeFall = verify.Case{
	ID: "C10", Title: "free fall with backward Euler", Source: "sum of the scheme, exact",
	Body: func(t *verify.Trial) {
		steps := []float64{0.01}
		if t.Options.Full {
			steps = []float64{0.02, 0.01, 0.005, 0.002, 0.001}
		}
		const g, end = 9.81, 1.0
		var lengths, errors, ahead []float64
		for _, h := range steps {
			m, x := shape.Grid(0.3, 0.3, 6, 6)
			w, id := setup.Sheet(
				t, engine.DefaultOptions(), m, x, setup.SheetFabric{Density: 0.2, Stretch: 500, Bend: 1e-5},
			)
			t.Must(w.Advance(end, h, nil))
			worst, worstV := 0.0, 0.0
			for i, p := range w.Positions(id) {
				want := x[i].Add(r3.V(0, 0, -0.5*g*end*end-0.5*g*h*end))
				worst = max(worst, p.Sub(want).Norm())
				worstV = max(worstV, w.Velocities(id)[i].Sub(r3.V(0, 0, -g*end)).Norm())
			}
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf("position error after correction, h = %g ms", 1e3*h),
					Unit:     "m",
					Measured: worst,
					Bar:      verify.AtMost,
					Limit:    1e-11,
					From:     "64 roundings a step",
				},
			)
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf("velocity error, h = %g ms", 1e3*h),
					Unit:     "m/s",
					Measured: worstV,
					Bar:      verify.AtMost,
					Limit:    1e-11,
					From:     "a hundred falls of 10 m/s, to 64 roundings a step",
				},
			)
			lengths, errors = append(lengths, h), append(errors, x[0].Z-w.Positions(id)[0].Z-0.5*g*end*end)
			ahead = append(ahead, 0.5*g*h*end)
		}
		t.Plot("c10-free-fall", draw.Plot{
			Title: "C10: how far backward Euler is ahead after 1 s",
			X:     "step [s]",
			Y:     "ahead by [m]",
			Series: []draw.Series{
				{Name: "½ g h t", X: lengths, Y: ahead, Style: draw.Line},
				{Name: "measured", X: lengths, Y: errors, Style: draw.Points},
			},
		})
	},
}

// C11: a pendulum of one stiff triangle that hangs from a pinned edge; its third vertex is a point mass
// at distance L. The period at amplitude θ₀ is
//
//	T = 2π √(L/g) (1 + θ₀²/16 + 11 θ₀⁴/3072 + 173 θ₀⁶/737280 + …).
//
// The implicit midpoint keeps the amplitude, and its error is of second order in h; backward Euler loses
// energy, which is reported.
var pendulum = verify.Case{
	ID: "C11", Title: "pendulum of one stiff segment", Source: "series of the elliptic integral",
	Body: func(t *verify.Trial) {
		const length, g, amplitude = 0.5, 9.81, 0.5
		want := PendulumPeriod(length, g, amplitude)
		steps := []float64{0.01, 0.005}
		if t.Options.Full {
			steps = []float64{0.01, 0.005, 0.0025, 0.00125}
		}
		var errs []float64
		for _, h := range steps {
			p := NewPendulum(t, 0.5, amplitude, length)
			period := p.period(t, h, 5)
			errs = append(errs, math.Abs(period-want))
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf("period, θ = ½, h = %g ms", 1e3*h),
					Unit:     "s",
					Expected: want,
					Measured: period,
					Bar:      verify.Relative,
					Limit:    math.Pow(2*math.Pi/want*h, 2) / 6,
				},
			)
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf("largest strain, h = %g ms", 1e3*h),
					Measured: p.strain,
					Bar:      verify.AtMost,
					Limit:    1e-6,
				},
			)
		}
		n := len(steps)
		order := math.Log(errs[n-2]/errs[n-1]) / math.Log(steps[n-2]/steps[n-1])
		t.Row(
			verify.Row{
				Quantity: "order of the period's error, θ = ½",
				Expected: 2,
				Measured: order,
				Bar:      verify.Absolute,
				Limit:    0.08,
			},
		)

		p := NewPendulum(t, 1, amplitude, length)
		before := p.energy()
		t.Must(p.w.Advance(5*want, 0.005, nil))
		t.Note("θ = 1 at 5 ms: after 5 periods %.1f %% of the pendulum's energy is left", 100*p.energy()/before)
		t.Plot("c11-period", draw.Plot{
			Title: "C11: error of the period",
			X:     "step [s]",
			Y:     "error [s]",
			LogX:  true,
			LogY:  true,
			Series: []draw.Series{
				{Name: "second order", X: steps, Y: setup.Scaled(steps, 2, errs[n-1]), Style: draw.Dashed},
				{Name: "measured, θ = ½", X: steps, Y: errs, Style: draw.Points},
			},
		})
	},
}

// PendulumPeriod returns the period of a pendulum of the given length and amplitude [rad].
func PendulumPeriod(length, g, amplitude float64) float64 {
	a2 := amplitude * amplitude
	return 2 * math.Pi * math.Sqrt(length/g) * (1 + a2/16 + 11*a2*a2/3072 + 173*a2*a2*a2/737280)
}

type OnePendulum struct {
	w      *engine.World
	id     engine.ClothID
	length float64
	strain float64
}

func NewPendulum(t *verify.Trial, theta, amplitude, length float64) *OnePendulum {
	m, err := mesh.New(3, [][3]int32{{0, 1, 2}}, []r3.Vec2{{X: -0.1}, {X: 0.1}, {Y: length}}, nil)
	t.Must(err)
	s, c := math.Sincos(amplitude)
	opt := engine.DefaultOptions()
	opt.Theta = theta
	opt.Newton = engine.NewtonOptions{Iterations: 50, Tolerance: 1e-11, Exact: true}
	x := []r3.Vec{r3.V(-0.1, 0, 0), r3.V(0.1, 0, 0), r3.V(0, length*s, -length*c)}
	w, id := setup.Sheet(t, opt, m, x, setup.SheetFabric{Density: 0.2, Stretch: 2e6, Bend: 1e-6})
	_, err = w.AddHandle(engine.Handle{Name: "axis", Cloth: id, Vertices: []int32{0, 1}})
	t.Must(err)
	return &OnePendulum{w: w, id: id, length: length}
}

// period returns the mean period over the given number of swings, from interpolated zero crossings.
func (p *OnePendulum) period(t *verify.Trial, h float64, swings int) float64 {
	before := p.w.Positions(p.id)[2]
	last := before.Y
	first, crossings := 0.0, 0
	for {
		_, err := p.w.Step(h)
		t.Must(err)
		x := p.w.Positions(p.id)[2]
		// Forces are taken in the middle of the step; its ends leave the circle by (ωh)²/8 whatever the stiffness.
		p.strain = max(p.strain, math.Abs(before.Add(x).Norm()/2/p.length-1))
		before = x
		if last > 0 && x.Y <= 0 {
			at := p.w.Time() - h*(-x.Y)/(last-x.Y)
			if crossings == 0 {
				first = at
			}
			if crossings == swings {
				return (at - first) / float64(swings)
			}
			crossings++
		}
		last = x.Y
	}
}

// energy returns the mechanical energy above the lowest point, per mass.
func (p *OnePendulum) energy() float64 {
	return p.w.Velocities(p.id)[2].Norm2()/2 + 9.81*(p.w.Positions(p.id)[2].Z+p.length)
}

// Falls returns when the pendulum passes its lowest point for the first time [s].
func (p *OnePendulum) Falls(t *verify.Trial, h float64) float64 {
	for {
		before := p.w.Positions(p.id)[2].Y
		_, err := p.w.Step(h)
		t.Must(err)
		if now := p.w.Positions(p.id)[2].Y; now <= 0 {
			return p.w.Time() - h*now/(now-before)
		}
	}
}
