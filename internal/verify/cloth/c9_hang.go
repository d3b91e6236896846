package cloth

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C9: sheets that hang. A strip held at its upper end grows by ρ g L²/(2k); one of length S slung between two
// supports at a distance D of equal height hangs in a catenary, z = a cosh(x/a), S = 2a sinh(D/2a), with sag
// a (cosh(D/2a) - 1).
var catenary = verify.Case{
	ID: "C9", Title: "hanging sheet and catenary", Source: "closed form",
	Body: func(t *verify.Trial) {
		hangingSheet(t)
		cells := []int{40}
		if t.Options.Full {
			cells = []int{20, 40, 80}
		}
		for _, n := range cells {
			slungStrip(t, n)
		}
	},
}

func hangingSheet(t *verify.Trial) {
	const length, density, g = 1.0, 0.2, 9.81
	// upright sheet, whose weight stretches it by little
	m, x := shape.Grid(0.1, length, 4, 40)
	for i, p := range x {
		x[i] = r3.V(p.X, 0, p.Y)
	}
	f := setup.SheetFabric{Density: density, Stretch: density * g * length / 0.001, Bend: 1e-6}
	w, id := setup.Sheet(t, engine.DefaultOptions(), m, x, f)
	// rail along the top
	var top, bottom []int32
	for i, p := range x {
		switch {
		case p.Z > length-1e-9:
			top = append(top, int32(i))
		case p.Z < 1e-9:
			bottom = append(bottom, int32(i))
		}
	}
	_, err := w.AddHandle(engine.Handle{Name: "rail", Cloth: id, Vertices: top})
	t.Must(err)
	// until it hangs still
	stats, err := t.Settle(w, engine.DefaultSettleOptions())
	t.Must(err)
	t.Row(
		verify.Row{
			Quantity: "force out of balance when settled", Unit: "N", Measured: stats.Force, Bar: verify.AtMost,
			Limit: 1e-9,
		},
	)
	// drop of the lower end against the closed form
	drop := 0.0
	for _, v := range bottom {
		drop -= w.Positions(id)[v].Z / float64(len(bottom))
	}
	t.Row(verify.Row{
		Quantity: "extension of a hanging sheet", Unit: "m",
		Expected: density * g * length * length / (2 * f.Stretch), Measured: drop, Bar: verify.Relative, Limit: 0.005,
	})
}

func slungStrip(t *verify.Trial, cells int) {
	const length, distance, density, g = 1.0, 0.8, 0.2, 9.81
	m, x := shape.Grid(length, 0.05, cells, 2)
	// A slack start that nothing has to buckle out of: a parabola of about the right sag.
	for i, p := range x {
		s := 2*p.X/length - 1
		x[i] = r3.V(distance*s/2, p.Y, -0.25*(1-s*s))
	}
	f := setup.SheetFabric{Density: density, Stretch: density * g * length / 1e-5, Bend: 1e-9}
	w, id := setup.Sheet(t, engine.DefaultOptions(), m, x, f)
	left, _ := setup.Ends(m, m.Material, 0)
	right, _ := setup.Ends(m, m.Material, length)
	_, err := w.AddHandle(engine.Handle{Name: "supports", Cloth: id, Vertices: append(left, right...)})
	t.Must(err)
	stats, err := t.Settle(w, engine.DefaultSettleOptions())
	t.Must(err)
	t.Row(
		verify.Row{
			Quantity: fmt.Sprintf("slung strip settled, %d cells: still to move", cells),
			Unit:     "m",
			Measured: stats.Move,
			Bar:      verify.AtMost,
			Limit:    1e-8,
			From:     "Newton steps end far below it; the finest strip of full runs at 4e-10 m",
		},
	)
	a := setup.Bisect(0.01, 10, 1e-14, func(a float64) bool { return 2*a*math.Sinh(distance/2/a) > length })
	sag := a * (math.Cosh(distance/2/a) - 1)
	lowest := 0.0
	var xs, zs, exact []float64
	for _, p := range w.Positions(id)[:cells+1] {
		lowest = min(lowest, p.Z)
		xs, zs = append(xs, p.X), append(zs, p.Z)
		exact = append(exact, a*(math.Cosh(p.X/a)-1)-sag)
	}
	t.Row(
		verify.Row{
			Quantity: fmt.Sprintf("sag of a slung strip, %d cells", cells),
			Unit:     "m",
			Expected: sag,
			Measured: -lowest,
			Bar:      verify.Relative,
			Limit:    0.005,
		},
	)
	t.Plot(fmt.Sprintf("c9-catenary-%d", cells), draw.Plot{
		Title: "C9: a strip of 1 m slung over 0.8 m",
		X:     "x [m]",
		Y:     "z [m]",
		Equal: true,
		Series: []draw.Series{
			{Name: "catenary", X: xs, Y: exact, Style: draw.Line},
			{Name: "measured", X: xs, Y: zs, Style: draw.Points},
		},
	})
}
