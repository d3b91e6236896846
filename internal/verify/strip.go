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
	"github.com/toile-sim/toile/shape"
)

// strip is a rectangle of cloth clamped at its end x = 0.
type strip struct {
	pattern       string
	length, width float64 // [m]
	elements      int     // along the length
}

func (s strip) String() string { return fmt.Sprintf("%s, %d elements", s.pattern, s.elements) }

// The patterns that strips are cut from: those of package shape, and a right grid cut at 45°, whose
// diagonals then run along or across the strip.
var (
	stripPatterns = []string{"right", "crossed", "equilateral", "random"}
	biasPatterns  = []string{"bias along", "bias across"}
)

// mesh returns the mesh of the strip and where its vertices lie, x along the length and y across.
func (s strip) mesh(t *trial) (*mesh.Mesh, []r3.Vec2) {
	size := s.length / float64(s.elements)
	for _, p := range shape.Patterns() {
		if p.String() == s.pattern {
			return shape.Strip(p, s.length, s.width, size, 0, 1)
		}
	}
	// Diagonals along the strip are its elements; of diagonals across it, two halves.
	across := s.pattern == "bias across"
	if across {
		size *= math.Sqrt2
	} else {
		size /= math.Sqrt2
	}
	m, at, err := biasStrip(s.length, s.width, size, across)
	t.must(err)
	return m, at
}

// biasStrip returns a strip cut at 45° from a right grid with sides of size, whose diagonals, of size √2,
// run along it or across it. It is made of rows of points along the diagonals, every other one shifted
// by half a diagonal.
func biasStrip(length, width, size float64, across bool) (*mesh.Mesh, []r3.Vec2, error) {
	if across {
		length, width = width, length
	}
	along, rows := max(1, int(math.Round(length/size/math.Sqrt2))), max(1, int(math.Round(width*math.Sqrt2/size)))
	var at []r3.Vec2
	row := func(j int) (points []int32) {
		shift := 0.5 * float64(j%2)
		for i := 0; i <= along+j%2; i++ {
			x := min(max(float64(i)-shift, 0), float64(along))
			points = append(points, int32(len(at)))
			at = append(at, r3.Vec2{X: x * length / float64(along), Y: float64(j) * width / float64(rows)})
		}
		return points
	}
	var tri [][3]int32
	below := row(0)
	for j := 1; j <= rows; j++ {
		above := row(j)
		for i, k := 0, 0; i < len(below)-1 || k < len(above)-1; {
			// Advance on the side that is behind.
			if k == len(above)-1 || i < len(below)-1 && at[below[i+1]].X <= at[above[k+1]].X {
				tri = append(tri, [3]int32{below[i], below[i+1], above[k]})
				i++
			} else {
				tri = append(tri, [3]int32{below[i], above[k+1], above[k]})
				k++
			}
		}
		below = above
	}
	if across {
		for i, p := range at {
			at[i] = r3.Vec2{X: p.Y, Y: p.X}
		}
		for i, v := range tri {
			tri[i] = [3]int32{v[0], v[2], v[1]}
		}
	}
	m, err := mesh.New(len(at), tri, at, nil)
	return m, at, err
}

// ends returns the vertices and the boundary edges at x = where.
func ends(m *mesh.Mesh, at []r3.Vec2, where float64) (vertices []int32, edges [][2]int32) {
	for v, p := range at {
		if math.Abs(p.X-where) < 1e-9 {
			vertices = append(vertices, int32(v))
		}
	}
	for i := range m.Edges {
		e := &m.Edges[i]
		if e.Boundary() && math.Abs(at[e.V[0]].X-where) < 1e-9 && math.Abs(at[e.V[1]].X-where) < 1e-9 {
			edges = append(edges, e.V)
		}
	}
	return vertices, edges
}

// clamped returns a world with a strip that leaves its root along +x and starts at positions x, and the
// vertices at its tip.
func (s strip) clamped(
	t *trial,
	m *mesh.Mesh,
	at []r3.Vec2,
	x []r3.Vec,
	f sheetFabric,
) (*engine.World, engine.ClothID, []int32) {
	root, edges := ends(m, at, 0)
	tip, _ := ends(m, at, s.length)
	var clamps []body.Clamp
	for _, e := range edges {
		clamps = append(clamps, body.Clamp{Edge: e, Dir: r3.V(1, 0, 0)})
	}
	w, id := clampedSheet(t, engine.DefaultOptions(), m, x, f, clamps)
	_, err := w.AddHandle(engine.Handle{Name: "wall", Cloth: id, Vertices: root})
	t.must(err)
	return w, id, tip
}

// heavy is a strip that hangs from a wall under its own weight: density ρ, rigidity B, and Γ = ρ g L³/B. Its
// membrane is just stiff enough for a strain of 9e-5 at the root, and measures along arcs: at Γ = 500 and 40
// elements the sheet turns by 0.8 rad in its first element, and straight triangles would be up to 17 % too stiff.
const heavyDensity, heavyGravity, heavyStrain = 0.2, 9.81, 9e-5

type heavyStrip struct {
	strip
	m      *mesh.Mesh
	at     []r3.Vec2
	x      []r3.Vec // the last shape, from which the next is sought
	strain float64  // mean over the sheet, the largest met
}

func newHeavy(t *trial, s strip) *heavyStrip {
	m, at := s.mesh(t)
	return &heavyStrip{strip: s, m: m, at: at, x: shape.InPlane(at)}
}

// tip settles the strip at Γ and returns the mean drop and run of its tip [m].
func (h *heavyStrip) tip(t *trial, gamma float64) (drop, run float64) {
	weight := heavyDensity * heavyGravity
	f := sheetFabric{
		density: heavyDensity,
		stretch: weight * h.length / heavyStrain,
		bend:    weight * h.length * h.length * h.length / gamma,

		membrane: body.Arc,
	}
	w, id, tip := h.clamped(t, h.m, h.at, h.x, f)
	stats, err := t.settle(w, engine.DefaultSettleOptions())
	t.must(err)
	if !stats.Converged {
		t.must(fmt.Errorf("strip (%v) at Γ = %g did not settle: it would still move %g m", h.strip, gamma, stats.Move))
	}
	copy(h.x, w.Positions(id))
	// The uniform strain that would take the same energy, k ε²/2 a unit of area.
	h.strain = max(h.strain, math.Sqrt(2*stats.Energy[engine.MembraneEnergy]/(f.stretch*h.length*h.width)))
	for _, v := range tip {
		drop -= h.x[v].Z / float64(len(tip))
		run += h.x[v].X / float64(len(tip))
	}
	return drop, run
}

// heavyElastica are the tip drop over run of the heavy elastica at ten Γ = w L³/EI [Romero21].
var heavyElastica = []struct{ gamma, ratio float64 }{
	{1, 0.12456},
	{5, 0.58572},
	{8, 0.88433},
	{10, 1.06680},
	{20, 1.86393},
	{50, 3.70556},
	{100, 5.88810},
	{200, 8.90677},
	{500, 14.7688},
	{1000, 21.3354},
}

// C1: the heavy cantilever. A strip clamped level at one end hangs by its own weight; the drop of its tip over
// its run depends on Γ = w L³/EI alone, with w the weight per length. Without a bending Poisson effect EI is
// the plate rigidity times the width.
var cantilever = Case{
	ID: "C1", Title: "heavy cantilever", Source: "heavy elastica, the 'cantilever' test of [Romero21]",
	run: func(t *trial) {
		patterns := []string{"right", "random"}
		if t.Options.Full {
			patterns = append(stripPatterns, biasPatterns...)
		}
		var series []draw.Series
		var gammas, expected []float64
		for _, e := range heavyElastica {
			gammas, expected = append(gammas, e.gamma), append(expected, e.ratio)
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
		t.row(
			Row{
				Quantity: fmt.Sprintf("largest spread over %d patterns, relative", len(patterns)),
				Measured: spread,
				Bar:      AtMost,
				Limit:    0.03,
			},
		)
		cantileverOrder(t)
		exact := draw.Series{Name: "heavy elastica", X: gammas, Y: expected, Style: draw.Line}
		t.plot("c1-cantilever", draw.Plot{
			Title: "C1: heavy cantilever", X: "Γ = w L³/EI", Y: "tip drop / run", LogX: true, LogY: true,
			Series: append([]draw.Series{draw.Tolerance(exact, "±2 %", 0.02, 0), exact}, series...),
		})
	},
}

// limit is what drop over run may be off, relative: of second order in the share of an element in the length, and in
// that of the bend at the clamp, which is √(B/wL) = Γ^(-1/2) of the length. Right grids come to a third of the first
// part, and grids cut across to half of the second.
func (h *heavyStrip) limit(gamma float64) float64 {
	n := float64(h.elements)
	return min(0.02, (3+gamma/10)/(n*n))
}

func cantileverPattern(t *trial, p string) []float64 {
	var ratios []float64
	strain := 0.0
	coarse := newHeavy(t, strip{pattern: p, length: 0.2, width: 0.025, elements: 40})
	for _, e := range heavyElastica {
		h := coarse
		if e.gamma > 500 {
			h = newHeavy(t, strip{pattern: p, length: 0.2, width: 0.025, elements: 80})
			for _, before := range []float64{20, 100, 400} {
				h.tip(t, before)
			}
		}
		drop, run := h.tip(t, e.gamma)
		ratios = append(ratios, drop/run)
		strain = max(strain, h.strain)
		t.row(Row{
			Quantity: fmt.Sprintf("drop/run at Γ = %g, %v", e.gamma, h.strip),
			Expected: e.ratio, Measured: drop / run, Bar: Relative, Limit: h.limit(e.gamma),
			From: "second order in elements; errors of a mesh may change their sign",
		})
	}
	t.note(
		"%s: the weight stretches the membrane by %.1e at the root; with the strains that bending leaves in flat triangles, the mean over the sheet is at most %.1e",
		p,
		heavyStrain,
		strain,
	)
	return ratios
}

// cantileverOrder measures the order of the error at Γ = 50 under refinement.
func cantileverOrder(t *trial) {
	const gamma, exact = 50, 3.70556
	// With 10 elements the root turns by half a radian an element, which is not small yet.
	elements := []int{20, 40}
	if t.Options.Full {
		elements = []int{20, 40, 80}
	}
	var sizes, errs []float64
	for _, n := range elements {
		h := newHeavy(t, strip{pattern: "right", length: 0.2, width: 0.025, elements: n})
		h.tip(t, 10)
		drop, run := h.tip(t, gamma)
		sizes = append(sizes, 1/float64(n))
		errs = append(errs, math.Abs(drop/run-exact)/exact)
	}
	k := len(errs)
	order := math.Log(errs[0]/errs[k-1]) / math.Log(sizes[0]/sizes[k-1])
	t.row(Row{Quantity: "order of the error under refinement, Γ = 50", Measured: order, Bar: AtLeast, Limit: 1.5})
	t.plot("c1-order", draw.Plot{
		Title: "C1: refinement at Γ = 50",
		X:     "element size / length",
		Y:     "relative error",
		LogX:  true,
		LogY:  true,
		Series: []draw.Series{
			{Name: "second order", X: sizes, Y: scaled(sizes, 2, errs[k-1]), Style: draw.Dashed},
			{Name: "right grid", X: sizes, Y: errs, Style: draw.Points},
		},
	})
}

// C2: Peirce's bending length. A strip is slid over an edge until the line from the edge to its tip is 41.5° below
// level; the bending length c = (B/w)^⅓, with w the weight per area, is then half the overhang l. The exact heavy
// elastica has c/l = 0.49991, at Γ = 8.0042.
var peirce = Case{
	ID: "C2", Title: "Peirce's bending length", Source: "[Peirce30]; heavy elastica",
	run: func(t *trial) {
		elements := []int{40}
		if t.Options.Full {
			elements = []int{20, 40, 80}
		}
		var sizes, lengths []float64
		for _, n := range elements {
			h := newHeavy(t, strip{pattern: "right", length: 0.2, width: 0.025, elements: n})
			angle := func(gamma float64) float64 {
				drop, run := h.tip(t, gamma)
				return math.Atan2(drop, run)*180/math.Pi - 41.5
			}
			gamma := bisect(5, 12, 1e-5, func(g float64) bool { return angle(g) < 0 })
			sizes, lengths = append(sizes, 1/float64(n)), append(lengths, math.Cbrt(1/gamma))
			t.row(Row{
				Quantity: fmt.Sprintf("bending length over overhang, %d elements", n),
				Expected: 0.49991, Measured: math.Cbrt(1 / gamma), Bar: Relative, Limit: 0.005,
				From: "cells of a fortieth; the order is 2",
			})
		}
		exact := draw.Series{
			Name:  "heavy elastica",
			X:     []float64{0, 0.06},
			Y:     []float64{0.49991, 0.49991},
			Style: draw.Line,
		}
		t.plot("c2-peirce", draw.Plot{
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

// bisect returns where below turns from true to false between lo and hi, to the relative tolerance rel.
func bisect(lo, hi, rel float64, below func(float64) bool) float64 {
	for hi-lo > rel*hi {
		mid := (lo + hi) / 2
		if below(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// C3: a strip stands on edge, clamped at one end, and buckles sideways under its own weight. For a narrow strip of
// bending stiffness EI out of its plane and torsional stiffness GJ, the critical weight per length q is
//
//	q L³ = 12.8538 √(EI GJ);
//
// with EI = B (1 - ν²) b and GJ = 2 B (1 - ν) b for a strip of width b, ρ g L³/B is 12.8538 √(2 (1 - ν²)(1 - ν)). The
// flat shape stops being stable where its Hessian gets a negative eigenvalue.
var lateral = Case{
	ID:     "C3",
	Title:  "lateral buckling of a strip under its own weight",
	Source: "[Romero21]; narrow limit of [Prandtl99] for a distributed load",
	run: func(t *trial) {
		patterns := []string{"right", "random"}
		if t.Options.Full {
			patterns = stripPatterns
		}
		ratios := make([]draw.Series, 2)
		for i, p := range patterns {
			flat := standing(t, strip{pattern: p, length: 0.4, width: 0.01, elements: 160})
			for k, nu := range []float64{0, 0.3} {
				want := 12.8538 * math.Sqrt(2*(1-nu*nu)*(1-nu))
				got := bisect(0.5*want, 2*want, 1e-4, func(gamma float64) bool { return flat.stable(t, gamma, nu) })
				t.row(Row{
					Quantity: fmt.Sprintf("critical ρ g L³/B, ν = %g, %s", nu, p),
					Expected: want, Measured: got, Bar: Relative, Limit: 0.05,
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
		t.plot("c3-lateral", draw.Plot{
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
func standing(t *trial, s strip) *heavyStrip {
	m, at := s.mesh(t)
	h := &heavyStrip{strip: s, m: m, at: at}
	for _, p := range at {
		h.x = append(h.x, r3.V(p.X, 0, p.Y))
	}
	w, id := h.onEdge(t, 0.1, 0)
	stats, err := t.settle(w, engine.DefaultSettleOptions())
	t.must(err)
	if !stats.Converged {
		t.must(fmt.Errorf("strip on edge (%v) did not settle: it would still move %g m", s, stats.Move))
	}
	h.x = append(h.x[:0], w.Positions(id)...)
	return h
}

// onEdge returns a world with the strip on edge at Γ = ρ g L³/B.
func (h *heavyStrip) onEdge(t *trial, gamma, nu float64) (*engine.World, engine.ClothID) {
	weight := heavyDensity * heavyGravity
	w, id, _ := h.clamped(t, h.m, h.at, h.x, sheetFabric{
		density: heavyDensity,
		// Stiff in its plane: a strain below 1e-4 at the root, where the moment per width is w L²/2 over b²/6.
		stretch: 3 * weight * h.length * h.length / h.width / 1e-4,
		bend:    weight * h.length * h.length * h.length / gamma,
		poisson: nu,
	})
	return w, id
}

// stable reports whether the flat shape of the strip on edge is stable.
func (h *heavyStrip) stable(t *trial, gamma, nu float64) bool {
	w, _ := h.onEdge(t, gamma, nu)
	t.must(nil)
	return w.UnstableModes() == 0
}
