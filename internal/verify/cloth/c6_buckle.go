package cloth

import (
	"fmt"
	"strings"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// C6: a strip pushed along its length stays flat up to Euler's load
//
//	P = c EI/L²,   c = 20.1907 with one end clamped and the other pinned: the square of the first root of tan r = r,
//
// and c = π² with both pinned, 4π² with both clamped. Without a bending Poisson effect EI is the plate rigidity times
// the width. The ends are held nearer to each other by a small strain: the flat state is then homogeneous, the load is
// the force of a handle, and the strip buckles where the Hessian gets a negative eigenvalue.
//
// The shape that it buckles into has waves of √c/L. Differences of second order over n elements are off by a share of
// c/n² at most, which is the bar where that is below 2 %.
var buckling = verify.Case{
	ID: "C6", Title: "buckling load of a strip pushed along its length", Source: "Euler's column",
	Body: func(t *verify.Trial) {
		patterns := []string{"right", "random"}
		if t.Options.Full {
			patterns = append(setup.StripPatterns, setup.BiasPatterns...)
		}
		ratios := make([]draw.Series, len(setup.Columns))
		for i, p := range patterns {
			s := setup.Strip{Pattern: p, Length: 0.2, Width: 0.025, Elements: 40}
			m, at := s.Mesh(t)
			for k, c := range setup.Columns {
				got := columnLoad(t, c, s, m, at)
				t.Row(verify.Row{
					Quantity: fmt.Sprintf("P L²/EI, %s, %s", c.Name, p), Expected: c.Euler, Measured: got,
					Bar: verify.Relative, Limit: min(0.02, c.Euler/float64(s.Elements*s.Elements)),
					From: "irregular meshes spread by as much as (1/n)² of elements, regular ones less",
				})
				ratios[k].Name, ratios[k].Style = c.Name, draw.Points
				ratios[k].X, ratios[k].Y = append(ratios[k].X, float64(i+1)), append(ratios[k].Y, got/c.Euler)
			}
		}
		last := float64(len(patterns)) + 0.5
		exact := draw.Series{Name: "Euler", X: []float64{0.5, last}, Y: []float64{1, 1}, Style: draw.Line}
		t.Plot("c6-buckling", draw.Plot{
			Title: "C6: buckling load, by pattern (" + strings.Join(patterns, ", ") + ")",
			X:     "pattern", Y: "load / Euler's load",
			Series: append([]draw.Series{draw.Tolerance(exact, "±2 %", 0.02, 0), exact}, ratios...),
		})
	},
}

// columnLoad returns the P L²/EI at which the strip buckles.
func columnLoad(t *verify.Trial, c setup.Column, s setup.Strip, m *mesh.Mesh, at []r3.Vec2) float64 {
	critical := setup.Bisect(0.5*columnStrain, 2*columnStrain, 1e-5, func(e float64) bool {
		w, _ := columnPushed(t, c, s, m, at, e)
		t.Must(nil)
		return w.UnstableModes() == 0
	})
	w, hand := columnPushed(t, c, s, m, at, critical)
	_, err := w.Step(1e-3)
	t.Must(err)
	return -w.HandleForce(hand).X * s.Length * s.Length / (columnBend * s.Width)
}

// columnBend is the rigidity of strips [N m], and columnStrain how much Euler's load shortens them.
const columnBend, columnStrain = 1e-3, 1e-4

// columnPushed returns the strip shorter by a share e, and the handle that pushes its tip.
func columnPushed(
	t *verify.Trial, c setup.Column, s setup.Strip, m *mesh.Mesh, at []r3.Vec2, e float64,
) (*engine.World, engine.HandleID) {
	// strip, shorter by the share
	x := make([]r3.Vec, len(at))
	for i, p := range at {
		x[i] = r3.V((1-e)*p.X, p.Y, 0)
	}
	// ends and their clamps
	var clamps []body.Clamp
	var hands [][]int32
	for k, end := range []float64{0, s.Length} {
		vertices, edges := setup.Ends(m, at, end)
		hands = append(hands, vertices)
		if k >= c.Clamps {
			continue
		}
		for _, edge := range edges {
			clamps = append(clamps, body.Clamp{Edge: edge, Dir: r3.V(1-2*float64(k), 0, 0)})
		}
	}
	// sheet so stiff that it bends before it is pressed
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Contact.Self = r3.Vec{}, false
	stretch := c.Euler * columnBend / (s.Length * s.Length) / columnStrain
	f := setup.SheetFabric{Density: 0.2, Stretch: stretch, Bend: columnBend}
	w, id := setup.ClampedSheet(t, opt, m, x, f, clamps)
	// handles at both ends, of which the last pushes
	var last engine.HandleID
	for _, vertices := range hands {
		var err error
		last, err = w.AddHandle(engine.Handle{Name: "end", Cloth: id, Vertices: vertices})
		t.Must(err)
	}
	return w, last
}
