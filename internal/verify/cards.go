package verify

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A3: two cards lean against each other at 70°. Of one card with weight W, moments about its foot give the horizontal
// force H = ½ W cot 70° at the top, which friction at the foot, with the normal force W, must match: μ_c = ½ cot 70° =
// 0.181985. The top needs no friction, by symmetry.
var cards = Case{
	ID:     "A3",
	Title:  "two cards that lean against each other",
	Source: "statics; companion to the house of cards of [Li18]",
	run: func(t *trial) {
		want := 0.5 / math.Tan(70*math.Pi/180)
		cells := []int{8}
		if t.Options.Full {
			cells = []int{4, 8, 16}
		}
		steps := []float64{cardStep}
		if t.Options.Full {
			steps = []float64{cardStep, cardStep / 2}
		}
		for _, h := range steps {
			least, most := math.Inf(1), 0.0
			for _, seed := range seeds(t) {
				f := settledCards(t, 8, h, seed)
				least, most = min(least, f.travel(0.177)), max(most, f.travel(0.187))
			}
			t.row(
				Row{
					Quantity: fmt.Sprintf(
						"μ 0.177 slides: least travel of a foot in 1 s, %d starts, h = %g ms (at most 1 mm counted)",
						len(seeds(t)),
						1e3*h,
					),
					Unit:     "m",
					Measured: least,
					Bar:      AtLeast,
					Limit:    1e-3,
				},
			)
			t.row(
				Row{
					Quantity: fmt.Sprintf(
						"μ 0.187 stands: largest travel of a foot in 1 s, %d starts, h = %g ms",
						len(seeds(t)),
						1e3*h,
					),
					Unit:     "m",
					Measured: most,
					Bar:      AtMost,
					Limit:    1e-4,
					From:     "what falls goes centimetres; a tenth of a millimetre separates the two",
				},
			)
		}
		var sizes, found []float64
		for _, n := range cells {
			f := settledCards(t, n, cardStep, 0)
			got := bisect(0.17, 0.195, 0.002, func(mu float64) bool { return f.travel(mu) > 1e-4 })
			sizes, found = append(sizes, 0.2/float64(n)), append(found, got)
			t.row(
				Row{
					Quantity: fmt.Sprintf("critical μ at the floor, %d cells along a card", n),
					Expected: want,
					Measured: got,
					Bar:      Relative,
					Limit:    0.03,
				},
			)
		}
		t.stepsRow()
		exact := draw.Series{Name: "½ cot 70°", X: []float64{0, 0.06}, Y: []float64{want, want}, Style: draw.Line}
		t.plot("a3-cards", draw.Plot{
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

type aFrame struct {
	t     *trial
	w     *engine.World
	ids   [2]engine.ClothID
	floor engine.SurfaceID
	start *engine.Snapshot
	feet  []int
	h     float64
}

func settledCards(t *trial, n int, h float64, seed uint64) *aFrame {
	f := leaning(t, n, seed)
	settleInContact(t, f.w, h)
	f.h, f.start = h, f.w.Snapshot()
	return f
}

const cardStep = 2e-3

// cardFabric is paper with its stretch a hundredth and its bending a hundred times, as in [Li18]: it hardly bends or
// buckles.
func cardFabric() material.Fabric {
	return sheetFabric{density: 0.1, stretch: 5e3, bend: 0.04}.fabric()
}

// leaning returns two cards of n by n/2 cells.
func leaning(t *trial, n int, seed uint64) *aFrame {
	const length, width, lean = 0.2, 0.1, 70 * math.Pi / 180
	opt := engine.DefaultOptions()
	opt.Workers = t.Workers
	w := t.world(opt)
	f := &aFrame{t: t, w: w}
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
		jitter(x, length, seed*uint64(side+1))
		var err error
		f.ids[side], err = cloths.Add(w, body.DefaultCloth(fmt.Sprintf("card %d", side+1), m, x, cardFabric()))
		t.must(err)
	}
	f.floor = obstacle(t, w, "floor", shape.Plane{Normal: r3.V(0, 0, 1)}, r3.Still())
	return f
}

// travel returns how far the farther foot slides in 1 s with friction mu at the floor, but not much more than 1 mm [m].
func (f *aFrame) travel(mu float64) float64 {
	f.t.must(f.w.Restore(f.start))
	var before [2][]r3.Vec
	for side, id := range f.ids {
		f.w.SetFriction(f.w.ClothSurface(id), f.floor, mu)
		before[side] = append(before[side], f.w.Positions(id)...)
	}
	far := 0.0
	for range int(math.Round(1 / f.h)) {
		f.t.step(f.w, f.h)
		for side, id := range f.ids {
			for _, i := range f.feet {
				far = max(far, f.w.Positions(id)[i].Sub(before[side][i]).Norm())
			}
		}
		if far > 1e-3 {
			break
		}
	}
	return far
}
