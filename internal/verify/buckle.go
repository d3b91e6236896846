package verify

import (
	"fmt"
	"math"
	"strings"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
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
var buckling = Case{
	ID: "C6", Title: "buckling load of a strip pushed along its length", Source: "Euler's column",
	run: func(t *trial) {
		patterns := []string{"right", "random"}
		if t.Options.Full {
			patterns = append(stripPatterns, biasPatterns...)
		}
		ratios := make([]draw.Series, len(columns))
		for i, p := range patterns {
			s := strip{pattern: p, length: 0.2, width: 0.025, elements: 40}
			m, at := s.mesh(t)
			for k, c := range columns {
				got := c.load(t, s, m, at)
				t.row(Row{
					Quantity: fmt.Sprintf("P L²/EI, %s, %s", c.name, p), Expected: c.euler, Measured: got,
					Bar: Relative, Limit: min(0.02, c.euler/float64(s.elements*s.elements)),
					From: "irregular meshes spread by as much as (1/n)² of elements, regular ones less",
				})
				ratios[k].Name, ratios[k].Style = c.name, draw.Points
				ratios[k].X, ratios[k].Y = append(ratios[k].X, float64(i+1)), append(ratios[k].Y, got/c.euler)
			}
		}
		last := float64(len(patterns)) + 0.5
		exact := draw.Series{Name: "Euler", X: []float64{0.5, last}, Y: []float64{1, 1}, Style: draw.Line}
		t.plot("c6-buckling", draw.Plot{
			Title: "C6: buckling load, by pattern (" + strings.Join(patterns, ", ") + ")",
			X:     "pattern", Y: "load / Euler's load",
			Series: append([]draw.Series{draw.Tolerance(exact, "±2 %", 0.02, 0), exact}, ratios...),
		})
	},
}

// column is a way to hold the ends of a strip.
type column struct {
	name   string
	clamps int     // how many ends are clamped, from the first on
	euler  float64 // P L²/EI
}

var columns = []column{
	{"clamped and pinned", 1, 20.1907},
	{"pinned", 0, math.Pi * math.Pi},
	{"clamped", 2, 4 * math.Pi * math.Pi},
}

// load returns the P L²/EI at which the strip buckles.
func (c column) load(t *trial, s strip, m *mesh.Mesh, at []r3.Vec2) float64 {
	critical := bisect(0.5*columnStrain, 2*columnStrain, 1e-5, func(e float64) bool {
		w, _ := c.pushed(t, s, m, at, e)
		t.must(nil)
		return w.UnstableModes() == 0
	})
	w, hand := c.pushed(t, s, m, at, critical)
	_, err := w.Step(1e-3)
	t.must(err)
	return -w.HandleForce(hand).X * s.length * s.length / (columnBend * s.width)
}

// columnBend is the rigidity of strips [N m], and columnStrain how much Euler's load shortens them.
const columnBend, columnStrain = 1e-3, 1e-4

// pushed returns the strip shorter by a share e, and the handle that pushes its tip.
func (c column) pushed(t *trial, s strip, m *mesh.Mesh, at []r3.Vec2, e float64) (*engine.World, engine.HandleID) {
	x := make([]r3.Vec, len(at))
	for i, p := range at {
		x[i] = r3.V((1-e)*p.X, p.Y, 0)
	}
	var clamps []body.Clamp
	var hands [][]int32
	for k, end := range []float64{0, s.length} {
		vertices, edges := ends(m, at, end)
		hands = append(hands, vertices)
		if k >= c.clamps {
			continue
		}
		for _, edge := range edges {
			clamps = append(clamps, body.Clamp{Edge: edge, Dir: r3.V(1-2*float64(k), 0, 0)})
		}
	}
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Contact.Self = r3.Vec{}, false
	stretch := c.euler * columnBend / (s.length * s.length) / columnStrain
	f := sheetFabric{density: 0.2, stretch: stretch, bend: columnBend}
	w, id := clampedSheet(t, opt, m, x, f, clamps)
	var last engine.HandleID
	for _, vertices := range hands {
		var err error
		last, err = w.AddHandle(engine.Handle{Name: "end", Cloth: id, Vertices: vertices})
		t.must(err)
	}
	return w, last
}
