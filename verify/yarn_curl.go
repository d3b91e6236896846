package verify

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/draw"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/yarn"
)

// C4: bending and twist. A rod that is an arc at rest hangs by its weight from a vertical clamp. It stays in the plane of
// the arc or leaves it and curls up; three numbers decide,
//
//	κ₀ L, its natural curvature;   Γ = ρ g L³/EI;   GJ/EI.
//
// Light rods stay arcs and heavy ones hang down; between them is a tongue of curls. The referee solves the equations of
// Kirchhoff for the shape in the plane and its stability. Our rods turn by φ = κ₀ L/n at each of n edges, and are off by a
// share of some φ²/3 (K18), 1.5 % at the most.
var hangingCurl = Case{
	ID: "C4", Title: "a curved rod leaves its plane", Source: "equations of Kirchhoff, by shooting; test of [Romero21], after [Miller14]",
	run: func(t *trial) {
		edges, ratios, weights, curvatures := 40, []float64{2.0 / 3}, []float64{30, 100}, []float64{8}
		if t.Options.Full {
			edges, ratios = 60, []float64{0.5, 2.0 / 3, 1}
			weights, curvatures = []float64{20, 30, 50, 100, 200}, []float64{7, 8, 10}
		}
		plot := draw.Plot{Title: "C4: rods leave their plane", X: "Γ = ρ g L³/EI", Y: "κ₀ L", LogX: true}
		for _, ratio := range ratios {
			exact := draw.Series{Name: fmt.Sprintf("equations of Kirchhoff, GJ/EI = %.3g", ratio), Style: draw.Line}
			for _, to := range boundaryOfCurls(ratio) {
				exact.X, exact.Y = append(exact.X, to.Weight), append(exact.Y, to.Curvature)
			}
			got := draw.Series{Name: fmt.Sprintf("%d edges, GJ/EI = %.3g", edges, ratio), Style: draw.Points}
			for _, weight := range weights {
				straight := referee.HangingRod{Weight: weight, Twist: ratio}
				curved := straight
				curved.Curvature = 12
				got.X, got.Y = append(got.X, weight), append(got.Y, t.curlRows(straight, curved, edges)*curved.Curvature)
			}
			for _, curvature := range curvatures {
				light := referee.HangingRod{Curvature: curvature, Twist: ratio}
				heavy := light
				heavy.Weight = 60
				got.X, got.Y = append(got.X, t.curlRows(light, heavy, edges)*heavy.Weight), append(got.Y, curvature)
			}
			plot.Series = append(plot.Series, exact, got)
		}
		t.plot("c4-curl", plot)
	},
}

// boundaryOfCurls returns rods that are about to leave their plane: light ones first, then heavy ones.
func boundaryOfCurls(ratio float64) (rods []referee.HangingRod) {
	const light, heavy = 60.0, 20.0
	for curvature := 10.0; curvature > 4; curvature -= 0.1 {
		rod := referee.HangingRod{Curvature: curvature, Twist: ratio}
		to := rod
		to.Weight = light
		if share, _ := referee.Follow(rod, to); share > 0 && share < 1 {
			rod.Weight = share * light
			rods = append(rods, rod)
		}
	}
	last := rods[len(rods)-1].Weight
	for weight := last; weight < 200; weight *= 1.1 {
		rod := referee.HangingRod{Weight: weight, Twist: ratio}
		to := rod
		to.Curvature = heavy
		if share, _ := referee.Follow(rod, to); share > 0 && share < 1 {
			rod.Curvature = share * heavy
			rods = append(rods, rod)
		}
	}
	return rods
}

// curlRows compares where, on the way from one rod to another, a rod leaves its plane: where small motions out of it begin
// to grow, from their rates a twentieth before and beyond where the referee says. It returns the share of the way.
func (t *trial) curlRows(from, to referee.HangingRod, edges int) float64 {
	const around, limit = 0.05, 0.02
	want, _ := referee.Follow(from, to)
	rod := func(share float64) referee.HangingRod {
		r := from
		r.Curvature += share * (to.Curvature - from.Curvature)
		r.Weight += share * (to.Weight - from.Weight)
		return r
	}
	before, beyond := rod((1-around)*want), rod((1+around)*want)
	_, shape := referee.Follow(from, before)
	slow, tip := t.growth(before, edges)
	fast, _ := t.growth(beyond, edges)
	got := want * (1 - around - 2*around*slow/(fast-slow))
	row := Row{Expected: want, Measured: got, Bar: Relative, Limit: limit, Asked: ""}
	off := math.Hypot(tip.X-shape.Right, tip.Z+shape.Down)
	name := fmt.Sprintf("κ₀ L = %.4g", before.Curvature)
	if from.Curvature == 0 {
		row.Quantity = fmt.Sprintf("κ₀ L at which Γ = %g, GJ/EI = %.3g leaves its plane", to.Weight, to.Twist)
		row.Expected, row.Measured = want*to.Curvature, got*to.Curvature
	} else {
		row.Quantity = fmt.Sprintf("Γ at which κ₀ L = %g, GJ/EI = %.3g leaves its plane", to.Curvature, to.Twist)
		row.Expected, row.Measured = want*to.Weight, got*to.Weight
	}
	t.row(row)
	t.row(Row{
		Quantity: fmt.Sprintf("%s, Γ = %.4g: tip in the plane off that of the equations, over the length", name, before.Weight),
		Measured: off, Bar: AtMost, Limit: 0.01,
	})
	return got
}

// growth returns the rate at which small motions out of its plane grow in a rod of n edges, in the time √(L/g), and where
// its tip is, over its length. It is slowed down by a drag, so that all motions but the last to vanish, or the first to
// grow, have ended when the rate is measured.
func (t *trial) growth(rod referee.HangingRod, n int) (rate float64, tip r3.Vec) {
	const length, density, g, kick = 0.2, 1e-3, 9.81, 1e-3
	bend := density * g * length * length * length / rod.Weight
	m := elastica(density, bend, rod.Twist*bend)
	w := t.newYarns(m, r3.V(0, 0, -g))
	// The clamp is in the middle of the first edge, as in levelRod.
	l := length / (float64(n) - 0.5)
	x := make([]r3.Vec, n+1)
	x[0] = r3.V(0, 0, l/2)
	for i := range n {
		sin, cos := math.Sincos(rod.Curvature * l / length * float64(i))
		x[i+1] = x[i].Add(r3.V(sin, 0, -cos).Scale(l))
	}
	_, err := w.AddYarn(yarn.Yarn{Name: "rod", Points: x, Keep: true})
	t.must(err)
	t.must(w.AddHold(yarn.Hold{Points: []int{0, 1}}))
	swing := math.Sqrt(length / g)
	for i := 2; i <= n; i++ {
		w.Velocities()[i].Y = kick * length / swing * float64(i) / float64(n)
	}
	h := 2 * rodStep(m, l)
	move := func(until float64) (out float64) {
		for w.Time() < until*swing {
			_, err := w.Step(h)
			t.must(err)
			for i := range w.Velocities() {
				w.Velocities()[i] = w.Velocities()[i].Scale(1 - 2*h/swing)
			}
		}
		for _, p := range w.Positions() {
			out += p.Y * p.Y
		}
		return math.Sqrt(out)
	}
	const settled, end = 9, 12
	before := move(settled)
	rate = math.Log(move(end)/before) / (end - settled)
	return rate, w.Positions()[n].Scale(1 / length)
}
