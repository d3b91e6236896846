package pattern

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

func svg(body string) []byte {
	return []byte(
		`<svg xmlns="http://www.w3.org/2000/svg" width="200mm" height="100mm" viewBox="0 0 200 100">` + body + `</svg>`,
	)
}

// area returns the area of the only outline of a drawing [mm²].
func area(t *testing.T, list []Outline, err error) float64 {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || list[0].Fault != "" {
		t.Fatalf("want one outline, got %+v", list)
	}
	return 1e6 * drawnArea(list[0].Arcs)
}

// Shapes of known area, which is also that of their mirror images: outlines are always counter-clockwise.
func TestSVGShapes(t *testing.T) {
	disk := math.Pi * 400
	// The area under a parabolic arc is two thirds of its box. A cubic with both control points at height h
	// above a chord c encloses 3/5 of c h when they are above its ends.
	for _, c := range []struct {
		name, body string
		want       float64
	}{
		{"absolute lines", `<path d="M10 10 L30 10 L30 40 L10 40 Z"/>`, 600},
		{"relative lines", `<path d="m10,10 20,0 0,30 -20,0z"/>`, 600},
		{"horizontal and vertical", `<path d="M10 10H30V40H10Z"/>`, 600},
		{"relative horizontal and vertical", `<path d="M10 10h20v30h-20z"/>`, 600},
		{"closed by hand", `<path d="M10 10 30 10 30 40 10 40 10 10"/>`, 600},
		{"clockwise", `<path d="M10 10V40H30V10Z"/>`, 600},
		{"numbers without spaces", `<path d="M10-10L30-10 30 20 10 20.0e0Z"/>`, 600},
		{"a second point close to the first", `<path d="M10 10 h20 v30 h-20 L10 10.000001 Z"/>`, 600},
		{"cubic", `<path d="M0 0 C0 10 20 10 20 0Z"/>`, 0.6 * 20 * 10},
		{"relative cubic", `<path d="M5 5c0 10 20 10 20 0z"/>`, 0.6 * 20 * 10},
		{"smooth cubic", `<path d="M0 0 C0 10 20 10 20 0 S40 -10 40 0 V-20 H0 Z"/>`, 800},
		{"relative smooth cubic", `<path d="M0 0 c0 10 20 10 20 0 s20 -10 20 0 v-20 h-40 z"/>`, 800},
		{"quadratic", `<path d="M0 0 Q10 20 20 0Z"/>`, 2.0 / 3 * 20 * 10},
		{"relative quadratic", `<path d="M5 0 q10 20 20 0z"/>`, 2.0 / 3 * 20 * 10},
		{"smooth quadratic", `<path d="M0 0 Q10 20 20 0 T40 0 V-20 H0Z"/>`, 800},
		{"relative smooth quadratic", `<path d="M0 0 q10 20 20 0 t20 0 v-20 h-40z"/>`, 800},
		{"two half circles", `<path d="M10 50 A20 20 0 0 1 50 50 A20 20 0 0 1 10 50Z"/>`, disk},
		{"arcs with packed flags", `<path d="M10 50a20 20 0 0140 0a20 20 0 01-40 0z"/>`, disk},
		{"large arc", `<path d="M50 50 A20 20 0 1 1 30 30 L30 50Z"/>`, disk * 3 / 4},
		{"small arc", `<path d="M50 50 A20 20 0 0 0 30 30 L30 50Z"/>`, disk / 4},
		{"arc of radii that are too small", `<path d="M10 50 A1 1 0 0 1 50 50 Z"/>`, disk / 2},
		{"turned ellipse", `<path d="M10 50 A40 20 90 0 1 50 50 Z"/>`, disk},
		{"polygon", `<polygon points="10,10 30,10 30,40 10,40"/>`, 600},
		{"polyline", `<polyline points="10 10 30 10 30 40 10 40 10 10"/>`, 600},
		{"rect", `<rect x="10" y="10" width="20" height="30"/>`, 600},
		{"circle", `<circle cx="50" cy="50" r="20"/>`, disk},
		{"ellipse", `<ellipse cx="50" cy="50" rx="40" ry="10"/>`, disk},
		{"moved", `<g transform="translate(5 5)"><rect width="20" height="30" transform="rotate(30, 1, 2) skewX(20)"/></g>`, 600},
		{"scaled", `<g transform="scale(2,-1)"><g transform="matrix(1 0 0 1 4 5)"><rect width="20" height="15"/></g></g>`, 600},
		{"definitions are passed over", `<defs><rect width="1" height="1"/></defs><rect width="20" height="30"/>`, 600},
		{"text is passed over", `<text>M 1 1</text><rect width="20" height="30"/><style>a{}</style>`, 600},
	} {
		list, err := ReadSVG(svg(c.body), 0)
		if got := area(t, list, err); math.Abs(got-c.want) > 2e-3*c.want {
			t.Errorf("%s: area %.3f mm², want %.3f", c.name, got, c.want)
		}
	}
}

func TestSVGUnits(t *testing.T) {
	for _, c := range []struct {
		head string
		unit float64
		want float64 // side of a square of 10 units [m]
	}{
		{`width="200mm" height="100mm" viewBox="0 0 200 100"`, 0, 0.01},
		{`width="20cm" height="10cm" viewBox="0 0 200 100"`, 0, 0.01},
		{`width="2in" viewBox="0 0 200 100"`, 0, 0.00254},
		{`width="96" height="96" viewBox="0 0 96 96"`, 0, 0.0254 * 10 / 96},
		{`width="100mm" height="100mm" viewBox="0 0 100 200"`, 0, 0.005},
		{`viewBox="0 0 100 100"`, 0, 0.0254 * 10 / 96},
		{``, 0, 0.0254 * 10 / 96},
		{`width="100%" viewBox="0 0 100 100"`, 0, 0.0254 * 10 / 96},
		{`width="200mm" height="100mm" viewBox="0 0 200 100"`, 0.01, 0.1},
	} {
		list, err := ReadSVG([]byte(`<svg `+c.head+`><rect id="a" width="10" height="10"/></svg>`), c.unit)
		if got := math.Sqrt(area(t, list, err)) / 1000; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("svg %s with unit %g: side %g m, want %g", c.head, c.unit, got, c.want)
		}
	}
}

func TestBadSVG(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{``, "no svg element"},
		{`<html/>`, "starts with an svg element"},
		{`<svg><path d="M0 0"></svg>`, "not valid XML"},
		{"<svg>\n\n<path id=\"a\" d=\"L 1 1\"/></svg>", `line 3: path "a": path must start with M`},
		{`<svg><path d="M 1"/></svg>`, "needs 2 numbers"},
		{`<svg><path d="M 1 1 X 2 2"/></svg>`, `"X 2 2"`},
		{`<svg><path d="M 1 1 A 2 2 0 2 0 1 1"/></svg>`, "flags"},
		{`<svg><path d="M 1 1 L 1 2 3"/></svg>`, "needs 2 numbers"},
		{`<svg><polygon points="1 2 3"/></svg>`, "pairs"},
		{`<svg viewBox="1 2"/>`, "four numbers"},
		{`<svg width="1 ell" viewBox="0 0 1 1"/>`, "not a length"},
		{`<svg width="0mm" viewBox="0 0 1 1"/>`, "positive"},
		{`<svg><rect width="1" height="1" rx="2"/></svg>`, "round corners"},
		{`<svg><g transform="turn(3)"/></svg>`, `"turn"`},
		{`<svg><g transform="scale(a)"/></svg>`, "cannot be read"},
		{`<svg><svg/></svg>`, "inside the drawing"},
		{`<svg>` + strings.Repeat("<g>", 200), "nested"},
	} {
		if _, err := ReadSVG([]byte(c.data), 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", clipped(c.data), err, c.want)
		}
	}
	for _, c := range []struct{ body, want string }{
		{`<path id="a" d="M0 0 L10 0 L10 10"/>`, "not closed"},
		{`<path id="a" d="M0 0 L10 0 L10 10 z M 2 2 L3 3 L3 4 z"/>`, "several parts"},
		{`<path id="a" d="M0 0 L1e300 0 L10 1e300 z"/>`, "check the unit"},
	} {
		list, err := ReadSVG(svg(c.body), 0)
		if err != nil || len(list) != 1 || !strings.Contains(list[0].Fault, c.want) {
			t.Errorf("%s: %v %+v, want the fault %q", c.body, err, list, c.want)
			continue
		}
		if _, _, err := list[0].Panel(
			"front",
			Cutting{},
		); err == nil ||
			!strings.Contains(err.Error(), "panel front: outline a "+strings.Fields(c.want)[0]) &&
				!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.body, err)
		}
	}
}

func TestPanelOfAnOutline(t *testing.T) {
	data, err := os.ReadFile("testdata/tunic.svg")
	if err != nil {
		t.Fatal(err)
	}
	list, err := ReadSVG(data, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Name != "front" || list[1].Name != "back" {
		t.Fatalf("outlines %+v", list)
	}
	names := []string{"hem", "side-a", "under-a", "cuff-a", "top-a", "neck", "top-b", "cuff-b", "under-b", "side-b"}
	var cut Cutting
	for i, n := range names {
		cut.Edges = append(cut.Edges, EdgeName{Name: n, Number: i + 1})
	}
	p := &Pattern{Name: "tunic"}
	for i := range list {
		panel, _, err := list[i].Panel(list[i].Name, cut)
		if err != nil {
			t.Fatal(err)
		}
		panel.Grain = math.Pi / 2
		for _, e := range panel.Edges {
			t.Logf("%s.%s from %s", panel.Name, e.Name, showPoint(e.From))
		}
		if len(panel.Edges) != len(names) {
			t.Fatalf("panel %s has %d edges", panel.Name, len(panel.Edges))
		}
		p.Panels = append(p.Panels, panel)
	}
	p.Panels[0].Place = Place{At: r3.V(-0.377, -0.13, 0.8)}
	p.Panels[1].Place = Place{At: r3.V(0.377, 0.14, 0.8), Right: r3.V(-1, 0, 0), Up: r3.V(0, 0, 1)}
	for _, s := range [][2]string{{"side-a", "side-b"}, {"side-b", "side-a"}, {"under-a", "under-b"}, {"under-b", "under-a"}, {"top-a", "top-b"}, {"top-b", "top-a"}} {
		p.Seams = append(p.Seams, Seam{Name: s[0], A: refs("front." + s[0]), B: refs("back." + s[1]), Ease: 0.02})
	}
	g, err := p.Make(0.02)
	if err != nil {
		t.Fatal(err)
	}
	draw(t, g, "tunic")
	sound(t, p, g, 0.02)
	// Openings at the neck, the hem and two cuffs.
	if e := g.Sewn.Verts - len(g.Sewn.Edges) + len(g.Sewn.Tri); e != 2-4 {
		t.Errorf("Euler number %d, want -2", e)
	}
}

// Edges are found by a corner or a point near them, divided at further corners, and mirrored.
func TestCutting(t *testing.T) {
	list, err := ReadSVG(svg(`<path id="a" d="M0 100 H100 V0 C 60 0 40 0 0 50 Z"/>`), 0)
	if err != nil {
		t.Fatal(err)
	}
	at := func(x, y float64) *r3.Vec2 { return &r3.Vec2{X: x / 1000, Y: y / 1000} }
	p, shift, err := list[0].Panel("a", Cutting{
		Corners: []r3.Vec2{*at(50, 85)},
		Edges:   []EdgeName{{Name: "top", From: at(98, 99)}, {Name: "hem", Near: at(50, 3)}, {Name: "left", Number: 5}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range p.Edges {
		names = append(names, e.Name)
	}
	if got := fmt.Sprint(names); got != "[hem 2 top 4 left]" {
		t.Errorf("edges %s", got)
	}
	if shift.X != 0 || math.Abs(shift.Y+0.1) > 1e-12 {
		t.Errorf("shift %v", shift)
	}
	m, _, err := list[0].Panel("a", Cutting{Mirror: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Edges) != 4 || m.Edges[2].From != (r3.Vec2{X: 0.1, Y: 0.05}) {
		t.Errorf("mirrored edges %+v", m.Edges)
	}
	_, _, err = list[0].Panel(
		"a",
		Cutting{
			Corners: []r3.Vec2{{X: 3}},
			Edges:   []EdgeName{{Name: "x", Number: 9}, {Name: "y", Number: 1}, {Name: "z", Near: at(50, 0)}},
		},
	)
	for _, want := range []string{"panel a: the corner (3000, 0) mm is", "panel a, edge x: there is no edge number 9", "panel a, edge z: is the same edge as y, number 1"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
}

// A circle has no corners and is one edge; it can be cut out.
func TestDisk(t *testing.T) {
	list, err := ReadSVG(svg(`<circle id="cloth" cx="50" cy="50" r="40"/>`), 0)
	if err != nil {
		t.Fatal(err)
	}
	panel, _, err := list[0].Panel("cloth", Cutting{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := (&Pattern{Panels: []Panel{panel}}).Make(0.004)
	if err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for i := range g.Flat.Tri {
		total += g.Flat.RestArea(int32(i))
	}
	// A polygon of n sides in a circle misses the fraction (2π/n)²/6 of its area; a cubic that stands for a quarter
	// circle is too far out by a fraction of up to 2.7e-4.
	n := math.Round(2 * math.Pi * 0.04 / 0.004)
	if want := math.Pi * 0.0016 * (1 - 4*math.Pi*math.Pi/(6*n*n)); math.Abs(total-want) > 2*2.7e-4*want {
		t.Errorf("area %g, want %g", total, want)
	}
	draw(t, g, "disk")
}

func FuzzSVG(f *testing.F) {
	data, err := os.ReadFile("testdata/tunic.svg")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(svg(`<g transform="rotate(3) skewX(2)"><path d="M1 1a2 3 4 01 5 6S1 2 3 4T5 6z"/></g><circle r="3"/>`))
	f.Fuzz(func(t *testing.T, data []byte) { cutAll(t, data, ReadSVG) })
}

// cutAll makes panels of whatever a hostile drawing has.
func cutAll(t *testing.T, data []byte, read func([]byte, float64) ([]Outline, error)) {
	list, err := read(data, 0)
	if err != nil {
		return
	}
	for i := range min(len(list), 4) {
		panel, _, err := list[i].Panel("a", Cutting{Edges: []EdgeName{{Name: "first", Number: 1}}})
		if err != nil || len(list[i].Arcs) > 200 {
			continue
		}
		low, high := panel.Edges[0].From, panel.Edges[0].From
		for _, e := range panel.Edges {
			low, high = r3.Vec2{
				X: min(low.X, e.From.X),
				Y: min(low.Y, e.From.Y),
			}, r3.Vec2{
				X: max(high.X, e.From.X),
				Y: max(high.Y, e.From.Y),
			}
		}
		size := max(high.X-low.X, high.Y-low.Y) / 20
		if g, err := (&Pattern{Panels: []Panel{panel}}).Make(size); err == nil {
			if err := g.Sewn.Validate(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Half a front with its middle on the fold becomes a whole one; the hem goes on over the fold.
func TestCutOnTheFold(t *testing.T) {
	list, err := ReadSVG(svg(`<path id="half" d="M10 90 H60 L55 20 L30 10 C 28 20 20 25 10 25 Z"/>`), 0)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := list[0].Panel("front", Cutting{Fold: &r3.Vec2{X: 0, Y: 0.03}})
	if err != nil {
		t.Fatal(err)
	}
	var at []string
	for _, e := range p.Edges {
		at = append(at, showPoint(e.From))
	}
	if got, want := strings.Join(
		at,
		" ",
	), "(0, 0) mm (100, 0) mm (95, 70) mm (70, 80) mm (30, 80) mm (5, 70) mm"; got != want {
		t.Errorf("edges start at %s, want %s", got, want)
	}
	half, whole := drawnArea(list[0].Arcs), drawnArea(p.outline())
	if math.Abs(whole-2*half) > 1e-12 {
		t.Errorf("area %g, want twice %g", whole, half)
	}
	if _, _, err := list[0].Panel(
		"front",
		Cutting{Fold: &r3.Vec2{X: 0.01, Y: 0.07}},
	); err == nil ||
		!strings.Contains(err.Error(), "panel front: the edge near (10, 70) mm") {
		t.Errorf("a fold along a curve: %v", err)
	}
}
