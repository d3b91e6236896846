package friction

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// L2b: one cloth on another on the ramp of 10°. The upper one slides on the lower one if and only if the friction of
// cloth on cloth is below tan 10° = 0.176327, whether the lower one is held or sticks to the ramp.
//
// Steps are short enough for a free fall of one, g h², to be a fraction of the thickness. In one that is as long as
// the thickness, edges that would meet on the way of a free fall become contacts aslant, which brake.
var rampLayers = verify.Case{
	ID: "L2b", Title: "cloth on cloth on a ramp", Source: "closed form",
	Body: func(t *verify.Trial) {
		if !t.Options.Full {
			onLayer(t, 4, 5e-3, true).rows("held below")
			onLayer(t, 4, 5e-3, false).stopRows("sticking below")
		} else {
			for _, n := range []int{4, 8} {
				for _, h := range []float64{5e-3, 2.5e-3} {
					onLayer(t, n, h, true).rows(fmt.Sprintf("held below, %d² cells, h = %g ms", n, 1e3*h))
					onLayer(t, n, h, false).rows(fmt.Sprintf("sticking below, %d² cells, h = %g ms", n, 1e3*h))
				}
			}
			onLayer(t, 4, 5e-3, true).nearRows("held below")
			onLayer(t, 4, 5e-3, false).nearRows("sticking below")
		}
		t.StepsRow()
	},
}

// onLayer lays a sheet of n by n cells on a larger one on the ramp, turned so that no edges are parallel.
func onLayer(t *verify.Trial, n int, h float64, held bool) *slider {
	const under, turn = 0.8, 0.4
	w, lower, down := OnSlope(t, 2*n, under, setup.SlopeAngle, 1e-8, 0)
	if held {
		all := make([]int32, len(w.Positions(lower)))
		for i := range all {
			all[i] = int32(i)
		}
		_, err := w.AddHandle(engine.Handle{Name: "ramp", Cloth: lower, Vertices: all})
		t.Must(err)
	}
	m, x := shape.Grid(setup.SlopeSize, setup.SlopeSize, n, n)
	across := r3.V(0, 1, 0)
	normal := down.Cross(across)
	start := down.Scale(0.25).AddScaled(under/2, across).AddScaled(2*w.Options().Contact.Thickness, normal)
	sin, cos := math.Sincos(turn)
	for i, p := range x {
		a, b := p.X-setup.SlopeSize/2, p.Y-setup.SlopeSize/2
		x[i] = start.AddScaled(a*cos-b*sin, down).AddScaled(a*sin+b*cos, across)
	}
	id, err := cloths.Add(w, body.DefaultCloth("upper", m, x, cloths.Spec(w, lower).Fabric))
	t.Must(err)
	return settledSlider(t, w, id, down, h)
}
