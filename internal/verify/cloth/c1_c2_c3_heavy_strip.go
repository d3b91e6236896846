package cloth

import (
	"fmt"
	"math"
	"strings"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// heavy is a strip that hangs from a wall under its own weight: density ρ, rigidity B, and Γ = ρ g L³/B. Its
// membrane is just stiff enough for a strain of 9e-5 at the root, and measures along arcs: at Γ = 500 and 40
// elements the sheet turns by 0.8 rad in its first element, and straight triangles would be up to 17 % too stiff.
const HeavyDensity, HeavyGravity, HeavyStrain = 0.2, 9.81, 9e-5

type heavyStrip struct {
	setup.Strip
	m      *mesh.Mesh
	at     []r3.Vec2
	x      []r3.Vec // the last shape, from which the next is sought
	strain float64  // mean over the sheet, the largest met
}

func newHeavy(t *verify.Trial, s setup.Strip) *heavyStrip {
	m, at := s.Mesh(t)
	return &heavyStrip{Strip: s, m: m, at: at, x: shape.InPlane(at)}
}

// tip settles the strip at Γ and returns the mean drop and run of its tip [m].
func (h *heavyStrip) tip(t *verify.Trial, gamma float64) (drop, run float64) {
	weight := HeavyDensity * HeavyGravity
	f := setup.SheetFabric{
		Density: HeavyDensity,
		Stretch: weight * h.Length / HeavyStrain,
		Bend:    weight * h.Length * h.Length * h.Length / gamma,

		Membrane: body.Arc,
	}
	w, id, tip := h.Clamped(t, h.m, h.at, h.x, f)
	stats, err := t.Settle(w, engine.DefaultSettleOptions())
	t.Must(err)
	if !stats.Converged {
		t.Must(fmt.Errorf("strip (%v) at Γ = %g did not settle: it would still move %g m", h.Strip, gamma, stats.Move))
	}
	copy(h.x, w.Positions(id))
	// The uniform strain that would take the same energy, k ε²/2 a unit of area.
	h.strain = max(h.strain, math.Sqrt(2*stats.Energy.Of(mech.MembraneEnergy)/(f.Stretch*h.Length*h.Width)))
	for _, v := range tip {
		drop -= h.x[v].Z / float64(len(tip))
		run += h.x[v].X / float64(len(tip))
	}
	return drop, run
}

// C1: the heavy cantilever. A strip clamped level at one end hangs by its own weight; the drop of its tip over
// its run depends on Γ = w L³/EI alone, with w the weight per length. Without a bending Poisson effect EI is
// the plate rigidity times the width.
var cantilever = verify.Case{
	ID: "C1", Title: "heavy cantilever", Source: "heavy elastica, the 'cantilever' test of [Romero21]",
	Body: func(t *verify.Trial) {
		patterns := []string{"right", "random"}
		if t.Options.Full {
			patterns = append(setup.StripPatterns, setup.BiasPatterns...)
		}
		var series []draw.Series
		var gammas, expected []float64
		for _, e := range setup.HeavyElastica {
			gammas, expected = append(gammas, e.Gamma), append(expected, e.Ratio)
		}
		lowest, highest := make([]float64, len(gammas)), make([]float64, len(gammas))
		for _, p := range patterns {
			ratios := cantileverPattern(t, p)
			series = append(series, draw.Series{Name: p, X: gammas, Y: ratios, Style: draw.Points})
			for i, r := range ratios {
				if lowest[i] == 0 {
					lowest[i] = r
				}
				lowest[i], highest[i] = min(lowest[i], r), max(highest[i], r)
			}
		}
		spread := 0.0
		for i := range gammas {
			spread = max(spread, (highest[i]-lowest[i])/expected[i])
		}
		t.Row(
			verify.Row{
				Quantity: fmt.Sprintf("largest spread over %d patterns, relative", len(patterns)),
				Measured: spread,
				Bar:      verify.AtMost,
				Limit:    0.03,
			},
		)
		cantileverOrder(t)
		exact := draw.Series{Name: "heavy elastica", X: gammas, Y: expected, Style: draw.Line}
		t.Plot("c1-cantilever", draw.Plot{
			Title: "C1: heavy cantilever", X: "Γ = w L³/EI", Y: "tip drop / run", LogX: true, LogY: true,
			Series: append([]draw.Series{draw.Tolerance(exact, "±2 %", 0.02, 0), exact}, series...),
		})
	},
}

// limit is what drop over run may be off, relative: of second order in the share of an element in the length, and in
// that of the bend at the clamp, which is √(B/wL) = Γ^(-1/2) of the length. Right grids come to a third of the first
// part, and grids cut across to half of the second.
func (h *heavyStrip) limit(gamma float64) float64 {
	n := float64(h.Elements)
	return min(0.02, (3+gamma/10)/(n*n))
}

func cantileverPattern(t *verify.Trial, p string) []float64 {
	var ratios []float64
	strain := 0.0
	coarse := newHeavy(t, setup.Strip{Pattern: p, Length: 0.2, Width: 0.025, Elements: 40})
	// from load to load, each from the shape of the one before
	for _, e := range setup.HeavyElastica {
		h := coarse
		// the heaviest load needs a finer strip, which is led there
		if e.Gamma > 500 {
			h = newHeavy(t, setup.Strip{Pattern: p, Length: 0.2, Width: 0.025, Elements: 80})
			for _, before := range []float64{20, 100, 400} {
				h.tip(t, before)
			}
		}
		// drop over run against the elastica
		drop, run := h.tip(t, e.Gamma)
		ratios = append(ratios, drop/run)
		strain = max(strain, h.strain)
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("drop/run at Γ = %g, %v", e.Gamma, h.Strip),
			Expected: e.Ratio, Measured: drop / run, Bar: verify.Relative, Limit: h.limit(e.Gamma),
			From: "second order in elements; errors of a mesh may change their sign",
		})
	}
	// how far the membrane stretches
	t.Note(
		"%s: the weight stretches the membrane by %.1e at the root; with the strains that bending leaves in flat "+
			"triangles, the mean over the sheet is at most %.1e",
		p,
		HeavyStrain,
		strain,
	)
	return ratios
}

// cantileverOrder measures the order of the error at Γ = 50 under refinement.
func cantileverOrder(t *verify.Trial) {
	const gamma, exact = 50, 3.70556
	// With 10 elements the root turns by half a radian an element, which is not small yet.
	elements := []int{20, 40}
	if t.Options.Full {
		elements = []int{20, 40, 80}
	}
	var sizes, errs []float64
	for _, n := range elements {
		h := newHeavy(t, setup.Strip{Pattern: "right", Length: 0.2, Width: 0.025, Elements: n})
		h.tip(t, 10)
		drop, run := h.tip(t, gamma)
		sizes = append(sizes, 1/float64(n))
		errs = append(errs, math.Abs(drop/run-exact)/exact)
	}
	k := len(errs)
	order := math.Log(errs[0]/errs[k-1]) / math.Log(sizes[0]/sizes[k-1])
	t.Row(verify.Row{
		Quantity: "order of the error under refinement, Γ = 50", Measured: order, Bar: verify.AtLeast, Limit: 1.5,
	})
	t.Plot("c1-order", draw.Plot{
		Title: "C1: refinement at Γ = 50",
		X:     "element size / length",
		Y:     "relative error",
		LogX:  true,
		LogY:  true,
		Series: []draw.Series{
			{Name: "second order", X: sizes, Y: setup.Scaled(sizes, 2, errs[k-1]), Style: draw.Dashed},
			{Name: "right grid", X: sizes, Y: errs, Style: draw.Points},
		},
	})
}

// C2: Peirce's bending length. A strip is slid over an edge until the line from the edge to its tip is 41.5° below
// level; the bending length c = (B/w)^⅓, with w the weight per area, is then half the overhang l. The exact heavy
// elastica has c/l = 0.49991, at Γ = 8.0042.
var peirce = verify.Case{
	ID: "C2", Title: "Peirce's bending length", Source: "[Peirce30]; heavy elastica",
	Body: func(t *verify.Trial) {
		elements := []int{40}
		if t.Options.Full {
			elements = []int{20, 40, 80}
		}
		var sizes, lengths []float64
		for _, n := range elements {
			h := newHeavy(t, setup.Strip{Pattern: "right", Length: 0.2, Width: 0.025, Elements: n})
			angle := func(gamma float64) float64 {
				drop, run := h.tip(t, gamma)
				return math.Atan2(drop, run)*180/math.Pi - 41.5
			}
			gamma := setup.Bisect(5, 12, 1e-5, func(g float64) bool { return angle(g) < 0 })
			sizes, lengths = append(sizes, 1/float64(n)), append(lengths, math.Cbrt(1/gamma))
			t.Row(verify.Row{
				Quantity: fmt.Sprintf("bending length over overhang, %d elements", n),
				Expected: 0.49991, Measured: math.Cbrt(1 / gamma), Bar: verify.Relative, Limit: 0.005,
				From: "cells of a fortieth; the order is 2",
			})
		}
		exact := draw.Series{
			Name:  "heavy elastica",
			X:     []float64{0, 0.06},
			Y:     []float64{0.49991, 0.49991},
			Style: draw.Line,
		}
		t.Plot("c2-peirce", draw.Plot{
			Title: "C2: bending length over overhang at 41.5°",
			X:     "element size / length",
			Y:     "c / l",
			Series: []draw.Series{
				draw.Tolerance(exact, "±1 %", 0.01, 0),
				exact,
				{Name: "measured", X: sizes, Y: lengths, Style: draw.Points},
			},
		})
	},
}

// C3: a strip stands on edge, clamped at one end, and buckles sideways under its own weight. For a narrow strip of
// bending stiffness EI out of its plane and torsional stiffness GJ, the critical weight per length q is
//
//	q L³ = 12.8538 √(EI GJ);
//
// with EI = B (1 - ν²) b and GJ = 2 B (1 - ν) b for a strip of width b, ρ g L³/B is 12.8538 √(2 (1 - ν²)(1 - ν)). The
// flat shape stops being stable where its Hessian gets a negative eigenvalue.
var lateral = verify.Case{
	ID:     "C3",
	Title:  "lateral buckling of a strip under its own weight",
	Source: "[Romero21]; narrow limit of [Prandtl99] for a distributed load",
	Body: func(t *verify.Trial) {
		patterns := []string{"right", "random"}
		if t.Options.Full {
			patterns = setup.StripPatterns
		}
		ratios := make([]draw.Series, 2)
		for i, p := range patterns {
			flat := standing(t, setup.Strip{Pattern: p, Length: 0.4, Width: 0.01, Elements: 160})
			for k, nu := range []float64{0, 0.3} {
				want := 12.8538 * math.Sqrt(2*(1-nu*nu)*(1-nu))
				got := setup.Bisect(
					0.5*want, 2*want, 1e-4, func(gamma float64) bool { return flat.stable(t, gamma, nu) },
				)
				t.Row(verify.Row{
					Quantity: fmt.Sprintf("critical ρ g L³/B, ν = %g, %s", nu, p),
					Expected: want, Measured: got, Bar: verify.Relative, Limit: 0.05,
				})
				r := &ratios[k]
				r.Name, r.Style = fmt.Sprintf("ν = %g", nu), draw.Points
				r.X, r.Y = append(r.X, float64(i+1)), append(r.Y, got/want)
			}
		}
		exact := draw.Series{
			Name:  "narrow limit",
			X:     []float64{0.5, float64(len(patterns)) + 0.5},
			Y:     []float64{1, 1},
			Style: draw.Line,
		}
		t.Plot("c3-lateral", draw.Plot{
			Title: "C3: lateral buckling, by pattern (" + strings.Join(
				patterns,
				", ",
			) + ")",
			X:      "pattern",
			Y:      "critical load / narrow limit",
			Series: append([]draw.Series{draw.Tolerance(exact, "±5 %", 0.05, 0), exact}, ratios...),
		})
	},
}

// standing settles a strip on edge in its plane, where its rigidity against bending out of it plays no part.
func standing(t *verify.Trial, s setup.Strip) *heavyStrip {
	m, at := s.Mesh(t)
	h := &heavyStrip{Strip: s, m: m, at: at}
	for _, p := range at {
		h.x = append(h.x, r3.V(p.X, 0, p.Y))
	}
	w, id := h.onEdge(t, 0.1, 0)
	stats, err := t.Settle(w, engine.DefaultSettleOptions())
	t.Must(err)
	if !stats.Converged {
		t.Must(fmt.Errorf("strip on edge (%v) did not settle: it would still move %g m", s, stats.Move))
	}
	h.x = append(h.x[:0], w.Positions(id)...)
	return h
}

// onEdge returns a world with the strip on edge at Γ = ρ g L³/B.
func (h *heavyStrip) onEdge(t *verify.Trial, gamma, nu float64) (*engine.World, engine.ClothID) {
	weight := HeavyDensity * HeavyGravity
	w, id, _ := h.Clamped(t, h.m, h.at, h.x, setup.SheetFabric{
		Density: HeavyDensity,
		// Stiff in its plane: a strain below 1e-4 at the root, where the moment per width is w L²/2 over b²/6.
		Stretch: 3 * weight * h.Length * h.Length / h.Width / 1e-4,
		Bend:    weight * h.Length * h.Length * h.Length / gamma,
		Poisson: nu,
	})
	return w, id
}

// stable reports whether the flat shape of the strip on edge is stable.
func (h *heavyStrip) stable(t *verify.Trial, gamma, nu float64) bool {
	w, _ := h.onEdge(t, gamma, nu)
	t.Must(nil)
	return w.UnstableModes() == 0
}
