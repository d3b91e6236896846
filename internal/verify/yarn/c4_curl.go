package yarn

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// C4: bending and twist. A rod that is an arc at rest hangs by its weight from a vertical clamp. It stays in the plane
// of the arc or leaves it and curls up; three numbers decide,
//
//	κ₀ L, its natural curvature;   Γ = ρ g L³/EI;   GJ/EI.
//
// Light rods stay arcs and heavy ones hang down; between them is a tongue of curls. The referee solves the equations of
// Kirchhoff for the shape in the plane and its stability. Our rods turn by φ = κ₀ L/n at each of n edges, 0.2 rad at
// the most, and are off by a share of some φ²/3 (K18) in curvature, and of twice that in weight, as which the boundary
// of light rods rises.
var hangingCurl = verify.Case{
	ID: "C4", Title: "a curved rod leaves its plane",
	Source: "equations of Kirchhoff, by shooting; test of [Romero21], after [Miller14]",
	Body: func(t *verify.Trial) {
		edges, ratios, weights, curvatures := 40, []float64{2.0 / 3}, []float64{30, 100}, []float64{8}
		if t.Options.Full {
			edges, ratios = 60, []float64{0.5, 2.0 / 3, 1}
			weights, curvatures = []float64{30, 50, 100, 200}, []float64{7, 8, 10}
		}
		plot := draw.Plot{Title: "C4: where a hanging rod leaves its plane", X: "Γ = ρ g L³/EI", Y: "κ₀ L", LogX: true}
		for _, ratio := range ratios {
			exact := draw.Series{Name: fmt.Sprintf("equations of Kirchhoff, GJ/EI = %.3g", ratio), Style: draw.Line}
			for _, rod := range boundaryOfCurls(ratio) {
				exact.X, exact.Y = append(exact.X, rod.Weight), append(exact.Y, rod.Curvature)
			}
			name := fmt.Sprintf("%d edges, GJ/EI = %.3g", edges, ratio)
			got := draw.Series{Name: name, Style: draw.Points, Same: true}
			for _, weight := range weights {
				curvature := curlingCurvature(t, ratio, weight, edges)
				got.X, got.Y = append(got.X, weight), append(got.Y, curvature)
			}
			for _, curvature := range curvatures {
				weight := curlingWeight(t, ratio, curvature, edges)
				got.X, got.Y = append(got.X, weight), append(got.Y, curvature)
			}
			plot.Series = append(plot.Series, exact, got)
		}
		t.Plot("c4-curl", plot)
	},
}

// Curls are looked for up to this curvature and, among light rods, this weight.
const mostCurvature, mostWeight = 15, 60

// curvedAway returns the natural curvature at which a rod that is bent more and more leaves its plane, and whether it
// does.
func curvedAway(ratio, weight float64) (referee.HangingRod, bool) {
	rod := referee.HangingRod{Weight: weight, Twist: ratio}
	to := rod
	to.Curvature = mostCurvature
	share, _ := referee.Follow(rod, to)
	rod.Curvature = share * mostCurvature
	return rod, share > 0 && share < 1
}

// weighedAway returns the weight at which an arc that is loaded more and more leaves its plane, and whether it does.
func weighedAway(ratio, curvature float64) (referee.HangingRod, bool) {
	rod := referee.HangingRod{Curvature: curvature, Twist: ratio}
	to := rod
	to.Weight = mostWeight
	share, _ := referee.Follow(rod, to)
	rod.Weight = share * mostWeight
	return rod, share > 0 && share < 1
}

// boundaryOfCurls returns rods that are about to leave their plane, from light arcs to heavy ones.
func boundaryOfCurls(ratio float64) (rods []referee.HangingRod) {
	lightest := math.Inf(1)
	for curvature := 10.0; curvature > 4; curvature -= 0.1 {
		if rod, ok := weighedAway(ratio, curvature); ok && rod.Weight < lightest {
			rods = append(rods, rod)
			lightest = rod.Weight
		}
	}
	for weight := lightest; weight < 220; weight *= 1.1 {
		if rod, ok := curvedAway(ratio, weight); ok {
			rods = append(rods, rod)
		}
	}
	return rods
}

// curlingCurvature returns the natural curvature at which a rod of so many edges leaves its plane.
func curlingCurvature(t *verify.Trial, ratio, weight float64, edges int) float64 {
	at, _ := curvedAway(ratio, weight)
	return curling(t, at, func(rod *referee.HangingRod) *float64 { return &rod.Curvature }, edges, verify.Row{
		Quantity: fmt.Sprintf("κ₀ L at which it leaves its plane, Γ = %g, GJ/EI = %.3g", weight, ratio),
		Bar:      verify.Relative, Limit: 0.015,
		From: "the discretization, of the order of the square of an edge; one ratio of stiffness is off by 1 %",
	})
}

// curlingWeight returns the weight at which an arc of so many edges leaves its plane.
func curlingWeight(t *verify.Trial, ratio, curvature float64, edges int) float64 {
	at, _ := weighedAway(ratio, curvature)
	return curling(t, at, func(rod *referee.HangingRod) *float64 { return &rod.Weight }, edges, verify.Row{
		Quantity: fmt.Sprintf("Γ at which it leaves its plane, κ₀ L = %g, GJ/EI = %.3g", curvature, ratio),
		Bar:      verify.Relative, Limit: 0.05,
	})
}

// curling returns where a rod of so many edges leaves its plane as one quantity of it grows, and writes the row. At is
// where the referee says.
func curling(
	t *verify.Trial, at referee.HangingRod, of func(*referee.HangingRod) *float64, edges int, row verify.Row,
) float64 {
	share := leaves(t, edges, func(share float64) referee.HangingRod {
		rod := at
		*of(&rod) *= share
		return rod
	})
	row.Expected = *of(&at)
	row.Measured = share * row.Expected
	t.Row(row)
	return row.Measured
}

// leaves returns the share of what the referee says at which small motions out of the plane begin to grow, from their
// rates a twentieth before and beyond. Before, the rod hangs in its plane as the referee says. At a share of 0 it is
// straight or without weight.
func leaves(t *verify.Trial, edges int, rod func(share float64) referee.HangingRod) float64 {
	const before, beyond = 0.95, 1.05
	slow, tip := growth(t, rod(before), edges)
	fast, _ := growth(t, rod(beyond), edges)
	r := rod(before)
	_, shape := referee.Follow(rod(0), r)
	t.Row(verify.Row{
		Quantity: fmt.Sprintf(
			"tip in the plane off the equations, over the length, κ₀ L = %.3g, Γ = %.3g", r.Curvature, r.Weight,
		),
		Measured: math.Hypot(tip.X-shape.Right, tip.Z+shape.Down), Bar: verify.AtMost, Limit: 0.01,
	})
	return before - (beyond-before)*slow/(fast-slow)
}

// growth returns the rate at which small motions out of its plane grow in a rod of n edges, in the time √(L/g), and
// where its tip is, over its length. It is slowed down by a drag, so that all motions but the last to vanish, or the
// first to grow, have ended when the rate is measured.
func growth(t *verify.Trial, rod referee.HangingRod, n int) (rate float64, tip r3.Vec) {
	const length, density, g, kick = 0.2, 1e-3, 9.81, 1e-4
	bend := density * g * length * length * length / rod.Weight
	m := elastica(density, bend, rod.Twist*bend)
	w := newYarns(t, m, r3.V(0, 0, -g))
	// The clamp is in the middle of the first edge, as in levelRod.
	l := length / (float64(n) - 0.5)
	x := make([]r3.Vec, n+1)
	x[0] = r3.V(0, 0, l/2)
	for i := range n {
		sin, cos := math.Sincos(rod.Curvature * l / length * float64(i))
		x[i+1] = x[i].Add(r3.V(sin, 0, -cos).Scale(l))
	}
	_, err := w.AddYarn(yarn.Yarn{Name: "rod", Points: x, Keep: true})
	t.Must(err)
	t.Must(w.AddHold(yarn.Hold{Points: []int{0, 1}}))
	swing := math.Sqrt(length / g)
	h := 2 * rodStep(m, l)
	move := func(until float64) (out float64) {
		for w.Time() < until*swing {
			_, err := w.Step(h)
			t.Must(err)
			for i := range w.Velocities() {
				w.Velocities()[i] = w.Velocities()[i].Scale(1 - 2*h/swing)
			}
		}
		for _, p := range w.Positions() {
			out += p.Y * p.Y
		}
		return math.Sqrt(out)
	}
	const planar, single, end = 8, 13, 16
	move(planar)
	for i := 2; i <= n; i++ {
		w.Velocities()[i].Y = kick * length / swing * float64(i) / float64(n)
	}
	before := move(single)
	rate = math.Log(move(end)/before) / (end - single)
	return rate, w.Positions()[n].Scale(1 / length)
}
