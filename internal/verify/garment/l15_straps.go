package garment

import (
	"fmt"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/verify"
)

// L15: the scene straps.yaml, and the same on a stiff mannequin. tan 30° = 0.58: with a friction of 0.8 nothing moves,
// without any the top falls to the side until it is taut, and the lower strap goes down the arm.
var straps = verify.Case{
	ID: "L15", Title: "straps on the shoulders of a body that leans", Source: "[Larionov21] fig. 12, section 6",
	Body: func(t *verify.Trial) {
		stiff := []string{
			"solids=[]", "obstacles=[{name: body, shape: {mannequin: {motion: dressing, lead: 0 s, vertices: 3000}}}]",
			"time.step=12.5 ms",
		}
		plot := draw.Plot{Title: "L15: slip of the lower strap", X: "time [s]", Y: "slip [m]"}
		if t.Options.Full {
			wearStraps(t, "stiff", &plot, append(stiff, "time.end=1 s", "cloths.top.shape.garment.size=30 mm"))
			wearStraps(t, "soft", &plot, []string{"time.step=4 ms", "solids.body.shape.flesh.size=3.4 cm"})
		} else {
			wearStraps(
				t, "stiff", &plot,
				append(stiff, "time.end=0.3 s", "cloths.top.shape.garment.size=45 mm", "contact.solver=relaxation"),
			)
		}
		t.Plot("l15-straps", plot)
	},
}

// wearStraps lets a body lean without friction and with it, and asks how far the straps slip along its skin.
func wearStraps(t *verify.Trial, body string, plot *draw.Plot, sets []string) {
	w := dressed(t, "straps.yaml", "friction", sets...)
	// without friction, and with it
	for _, mu := range []float64{0, 0.8} {
		g := wear(t, w, mu)
		// places on the skin from which straps slip
		lower, upper := g.anchor(g.group(t, "seam.strap-left")), g.anchor(g.group(t, "seam.strap-right"))
		name := fmt.Sprintf("%s body, μ %g", body, mu)
		line := draw.Series{Name: name}
		// without friction they slip by much, and with it they hold
		r := verify.Row{
			Quantity: name + ": slip of the lower strap, at most", Unit: "m", Bar: verify.AtLeast, Limit: 0.05,
		}
		if mu > 0 {
			r.Quantity, r.Bar, r.Limit = name+": slip of a strap, at most", verify.AtMost, 0.01
			r.From = "a fifth of what straps slip without friction, at least"
		}
		// largest slip on the way
		g.play(t, func() bool {
			slip := g.slip(lower)
			line.X, line.Y = append(line.X, g.world.Time()), append(line.Y, slip)
			if mu > 0 {
				slip = max(slip, g.slip(upper))
			}
			r.Measured = max(r.Measured, slip)
			return false
		})
		// rows, and the curve of the lower strap
		t.Row(t.Shortened(r, "the same over 4 s with 5,000 triangles on a stiff body and 88,000 tets in a soft one"))
		g.tally.Rows(t, name)
		wornNote(t, g)
		plot.Series = append(plot.Series, line)
	}
}
