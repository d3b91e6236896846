package cloth

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C32: a flat sheet that falls face on through air of density ρ. It ends at the speed where drag and weight balance,
//
//	½ ρ C v² = σ g,   v = √(2 σ g/(ρ C)),
//
// against the air: in a wind that blows up, it falls slower by the speed of the wind. Its way there is by tanh(g t/v),
// so that nothing is left of the start after t = 12 v/g.
var fallInAir = verify.Case{
	ID: "C32", Title: "terminal speed in air and wind", Source: "balance of weight and drag",
	Body: func(t *verify.Trial) {
		const density, air, g = 0.2, 1.2, 9.81
		for _, wind := range []float64{0, 0.5} {
			opt := engine.DefaultOptions()
			opt.Air = engine.AirOptions{Density: air, Wind: r3.V(0, 0, wind)}
			m, x := shape.Grid(0.3, 0.3, 4, 4)
			w, id := setup.Sheet(t, opt, m, x, setup.SheetFabric{Density: density, Stretch: 500, Bend: 1e-5})
			terminal := math.Sqrt(2 * density * g / (air * cloths.Spec(w, id).Drag))
			t.Must(w.Advance(12*terminal/g, 4e-3, nil))
			for _, i := range []int{0, 12} {
				t.Row(verify.Row{
					Quantity: fmt.Sprintf("speed of vertex %d in a wind of %g m/s upwards", i, wind), Unit: "m/s",
					Expected: terminal - wind, Measured: -w.Velocities(id)[i].Z, Bar: verify.Relative, Limit: 2e-9,
					From: "what is left of the approach after twelve times v/g, tanh 12",
				})
			}
		}
	},
}

// C33: what is held is where its path puts it at the end of every step, moved and turned, whatever hangs from it.
var held = verify.Case{
	ID: "C33", Title: "held vertices follow their path", Source: "the path",
	Body: func(t *verify.Trial) {
		m, x := shape.Grid(0.3, 0.3, 6, 6)
		w, id := setup.Sheet(
			t, engine.DefaultOptions(), m, x, setup.SheetFabric{Density: 0.2, Stretch: 500, Bend: 1e-5},
		)
		side := []int32{0, 1, 2, 3, 4, 5, 6}
		path := &engine.Path{Smooth: true, Center: x[0], Keys: []engine.Key{
			{},
			{At: 0.2, Translate: r3.V(0.1, -0.2, 0.3), Axis: r3.V(0, 1, 2), Angle: 2},
			{At: 0.3, Translate: r3.V(0, 0.1, 0)},
		}}
		_, err := w.AddHandle(engine.Handle{Name: "side", Cloth: id, Vertices: side, Path: path})
		t.Must(err)
		const h = 3e-3
		off, lag := 0.0, 0.0
		for range 100 {
			before := slices.Clone(w.Positions(id))
			t.Step(w, h)
			for _, v := range side {
				now := w.Positions(id)[v]
				off = max(off, now.Sub(path.At(w.Time()).Apply(x[v])).Norm())
				lag = max(lag, now.Sub(before[v]).AddScaled(-h, w.Velocities(id)[v]).Norm())
			}
		}
		// Times and velocities are rounded in every step: 100 times 2⁻⁵² of metres and of seconds at 10 m/s.
		t.Row(verify.Row{
			Quantity: "off the path, at most", Unit: "m", Measured: off, Bar: verify.AtMost, Limit: 1e-12,
			From: "100 times 2⁻⁵² of metres and of seconds at 10 m/s",
		})
		t.Row(
			verify.Row{
				Quantity: "way of a step less what its velocity says, at most",
				Unit:     "m",
				Measured: lag,
				Bar:      verify.AtMost,
				Limit:    1e-15,
				From:     "64 roundings of a way of 1 cm",
			},
		)
		t.StepsRow()
	},
}
