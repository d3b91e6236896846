package friction

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A3: two cards lean against each other at 70°. Of one card with weight W, moments about its foot give the horizontal
// force H = ½ W cot 70° at the top, which friction at the foot, with the normal force W, must match: μ_c = ½ cot 70° =
// 0.181985. The top needs no friction, by symmetry.
var cards = verify.Case{
	ID:     "A3",
	Title:  "two cards that lean against each other",
	Source: "statics; companion to the house of cards of [Li18]",
	Body: func(t *verify.Trial) {
		want := 0.5 / math.Tan(70*math.Pi/180)
		cells := []int{8}
		if t.Options.Full {
			cells = []int{4, 8, 16}
		}
		steps := []float64{setup.CardStep}
		if t.Options.Full {
			steps = []float64{setup.CardStep, setup.CardStep / 2}
		}
		for _, h := range steps {
			least, most := math.Inf(1), 0.0
			for _, seed := range setup.Seeds(t) {
				f := settledCards(t, 8, h, seed)
				least, most = min(least, f.travel(0.177)), max(most, f.travel(0.187))
			}
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf(
						"μ 0.177 slides: least travel of a foot in 1 s, %d starts, h = %g ms (at most 1 mm counted)",
						len(setup.Seeds(t)),
						1e3*h,
					),
					Unit:     "m",
					Measured: least,
					Bar:      verify.AtLeast,
					Limit:    1e-3,
				},
			)
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf(
						"μ 0.187 stands: largest travel of a foot in 1 s, %d starts, h = %g ms",
						len(setup.Seeds(t)),
						1e3*h,
					),
					Unit:     "m",
					Measured: most,
					Bar:      verify.AtMost,
					Limit:    1e-4,
					From:     "what falls goes centimetres; a tenth of a millimetre separates the two",
				},
			)
		}
		var sizes, found []float64
		for _, n := range cells {
			f := settledCards(t, n, setup.CardStep, 0)
			got := setup.Bisect(0.17, 0.195, 0.002, func(mu float64) bool { return f.travel(mu) > 1e-4 })
			sizes, found = append(sizes, 0.2/float64(n)), append(found, got)
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf("critical μ at the floor, %d cells along a card", n),
					Expected: want,
					Measured: got,
					Bar:      verify.Relative,
					Limit:    0.03,
				},
			)
		}
		t.StepsRow()
		exact := draw.Series{Name: "½ cot 70°", X: []float64{0, 0.06}, Y: []float64{want, want}, Style: draw.Line}
		t.Plot("a3-cards", draw.Plot{
			Title: "A3: critical friction of two leaning cards",
			X:     "size of elements [m]",
			Y:     "μ",
			Series: []draw.Series{
				draw.Tolerance(exact, "±3 %", 0.03, 0),
				exact,
				{Name: "measured", X: sizes, Y: found, Style: draw.Points},
			},
		})
	},
}

type AFrame struct {
	t     *verify.Trial
	W     *engine.World
	ids   [2]engine.ClothID
	floor engine.SurfaceID
	start *engine.Snapshot
	feet  []int
	h     float64
}

func settledCards(t *verify.Trial, n int, h float64, seed uint64) *AFrame {
	f := Leaning(t, n, seed)
	setup.SettleInContact(t, f.W, h)
	f.h, f.start = h, f.W.Snapshot()
	return f
}

// Leaning returns two cards of n by n/2 cells.
func Leaning(t *verify.Trial, n int, seed uint64) *AFrame {
	const length, width, lean = 0.2, 0.1, 70 * math.Pi / 180
	opt := engine.DefaultOptions()
	opt.Workers = t.Workers
	w := t.World(opt)
	f := &AFrame{t: t, W: w}
	sin, cos := math.Sincos(lean)
	for side, sign := range []float64{-1, 1} {
		m, x := shape.Grid(length, width, n, n/2)
		f.feet = f.feet[:0]
		for i, p := range x {
			if p.X == 0 {
				f.feet = append(f.feet, i)
			}
			// The tops are one thickness apart, the feet one above the floor.
			x[i] = r3.V(sign*((length-p.X)*cos+opt.Contact.Thickness/2), p.Y, opt.Contact.Thickness+p.X*sin)
		}
		setup.Jitter(x, length, seed*uint64(side+1))
		var err error
		f.ids[side], err = cloths.Add(w, body.DefaultCloth(fmt.Sprintf("card %d", side+1), m, x, setup.CardFabric()))
		t.Must(err)
	}
	f.floor = setup.Obstacle(t, w, "floor", shape.Plane{Normal: r3.V(0, 0, 1)}, r3.Still())
	return f
}

// travel returns how far the farther foot slides in 1 s with friction mu at the floor, but not much more than 1 mm [m].
func (f *AFrame) travel(mu float64) float64 {
	f.t.Must(f.W.Restore(f.start))
	var before [2][]r3.Vec
	for side, id := range f.ids {
		f.W.SetFriction(f.W.ClothSurface(id), f.floor, mu)
		before[side] = append(before[side], f.W.Positions(id)...)
	}
	far := 0.0
	for range int(math.Round(1 / f.h)) {
		f.t.Step(f.W, f.h)
		for side, id := range f.ids {
			for _, i := range f.feet {
				far = max(far, f.W.Positions(id)[i].Sub(before[side][i]).Norm())
			}
		}
		if far > 1e-3 {
			break
		}
	}
	return far
}
