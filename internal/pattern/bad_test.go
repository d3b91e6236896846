package pattern

import (
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// Every way in which a pattern can be wrong, with the words that its message must have: which panel, which edge or
// seam, and what to do.
var badPatterns = []struct {
	name  string
	spoil func(p *Pattern)
	want  []string
}{
	{"no panels", func(p *Pattern) { p.Panels = nil; p.Seams = nil }, []string{"no panels"}},
	{"panel without a name", func(p *Pattern) { p.Panels[1].Name = "" }, []string{"panel 2 of 2", "no name"}},
	{
		"panel name with a space",
		func(p *Pattern) { p.Panels[0].Name = "front left" },
		[]string{`"front left"`, "letters"},
	},
	{
		"two panels of one name",
		func(p *Pattern) { p.Panels[1].Name = "front" },
		[]string{"panel front", "panels 1 and 2", "each its own"},
	},
	{
		"two edges of one name",
		func(p *Pattern) { p.Panels[0].Edges[2].Name = "hem" },
		[]string{"panel front, edge hem", "edges 1 and 3"},
	},
	{
		"edge name with a dot",
		func(p *Pattern) { p.Panels[0].Edges[2].Name = "top.1" },
		[]string{"panel front", `"top.1"`, "letters"},
	},
	{
		"three control points",
		func(p *Pattern) { p.Panels[0].Edges[2].Via = make([]r3.Vec2, 3) },
		[]string{"panel front, edge top", "3 control points", "divide"},
	},
	{
		"corner that is not a number",
		func(p *Pattern) { p.Panels[0].Edges[1].From.X = math.NaN() },
		[]string{"panel front, edge left", "(NaN, 0) mm", "finite"},
	},
	{
		"infinite control point",
		func(p *Pattern) { p.Panels[0].Edges[1].Via = []r3.Vec2{{X: math.Inf(1)}} },
		[]string{"panel front, edge left", "control point", "finite"},
	},
	{"infinite grain", func(p *Pattern) { p.Panels[1].Grain = math.Inf(-1) }, []string{"panel back", "grain"}},
	{
		"place that is not a number",
		func(p *Pattern) { p.Panels[1].Place.At.Z = math.NaN() },
		[]string{"panel back", "placed", "finite"},
	},
	{
		"place askew",
		func(p *Pattern) { p.Panels[1].Place.Up = r3.V(0, 1, 1) },
		[]string{"panel back", "unit vectors at right angles"},
	},
	{
		"wrapped too often",
		func(p *Pattern) { p.Panels[0].Place.Wrap = 20 },
		[]string{"panel front", "wrapped 1.59 times", "79.58 mm"},
	},
	{
		"one edge",
		func(p *Pattern) { p.Panels[0].Edges = p.Panels[0].Edges[:1]; p.Seams = nil },
		[]string{"panel front, edge hem", "no length"},
	},
	{"no edges", func(p *Pattern) { p.Panels[0].Edges = nil; p.Seams = nil }, []string{"panel front", "no edges"}},
	{
		"edge without length",
		func(p *Pattern) { p.Panels[0].Edges[1].From = p.Panels[0].Edges[2].From },
		[]string{"panel front, edge left", "no length", "(500, 600) mm"},
	},
	{
		"huge coordinates",
		func(p *Pattern) { p.Panels[0].Edges[1].From.X = 1e300; p.Panels[0].Edges[1].From.Y = 1e300 },
		[]string{"panel front, edge hem", "too long", "unit"},
	},
	{
		"bow tie",
		func(p *Pattern) { e := p.Panels[0].Edges; e[2].From, e[3].From = e[3].From, e[2].From },
		[]string{"panel front, edge left", "crosses or touches edge right", "move one"},
	},
	{
		"curve across the outline",
		func(p *Pattern) { p.Panels[0].Edges[2].Via = []r3.Vec2{pt(25, -100)} },
		[]string{"panel front, edge hem", "edge top", "cross"},
	},
	{
		"curve with a loop",
		func(p *Pattern) { p.Panels[0].Edges[2].Via = []r3.Vec2{pt(-60, 120), pt(110, 120)} },
		[]string{"panel front, edge top", "itself"},
	},
	{
		"spike back along an edge",
		func(p *Pattern) { p.Panels[0].Edges[2].From = pt(50, -30) },
		[]string{"panel front, edge", "touches"},
	},
	{"no area", func(p *Pattern) {
		for i := range p.Panels[0].Edges {
			p.Panels[0].Edges[i].From = pt(float64([]int{0, 10, 30, 20}[i]), 0)
		}
	}, []string{"panel front", "edge"}},
	{
		"two straight edges",
		func(p *Pattern) { p.Panels[0].Edges = p.Panels[0].Edges[:2]; p.Seams = nil },
		[]string{"panel front", "no area", "edge hem"},
	},
	{"clockwise", func(p *Pattern) {
		e := p.Panels[0].Edges
		e[1].From, e[3].From = e[3].From, e[1].From
	}, []string{"panel front", "clockwise", "edge hem", "other order"}},
	{
		"too small for the size",
		func(p *Pattern) { p.Panels = append(p.Panels, rect("tab", 0.004, 0.03, "a", "b", "c", "d")) },
		[]string{"panel tab", "too small", "mesh size of 20 mm", "or less"},
	},
	{"edge too short for the size", func(p *Pattern) {
		p.Panels[0].Edges = append(p.Panels[0].Edges, Edge{Name: "nick", From: pt(0, 0.3)})
	}, []string{"panel front, edge nick", "3 mm long", "mesh size of 20 mm", "12 mm or less"}},
	{"seam without a name", func(p *Pattern) { p.Seams[0].Name = "" }, []string{"seam 1", "front.left", "no name"}},
	{"seam name with a slash", func(p *Pattern) { p.Seams[0].Name = "a/b" }, []string{`"a/b"`, "letters"}},
	{"two seams of one name", func(p *Pattern) { p.Seams[1].Name = "left" }, []string{"seam left", "seams 1 and 2"}},
	{"seam with an empty side", func(p *Pattern) { p.Seams[0].B = nil }, []string{"seam left", "empty side"}},
	{"negative ease", func(p *Pattern) { p.Seams[0].Ease = -0.1 }, []string{"seam left", "ease -0.1", "0.02 is usual"}},
	{
		"unknown panel",
		func(p *Pattern) { p.Seams[0].B = refs("bak.left") },
		[]string{"seam left, panel bak, edge left", `did you mean "back"?`},
	},
	{
		"unknown edge",
		func(p *Pattern) { p.Seams[0].B = refs("back.lefft") },
		[]string{"seam left, panel back, edge lefft", `did you mean "left"?`},
	},
	{"edge in two seams", func(p *Pattern) {
		p.Seams = append(p.Seams, Seam{Name: "more", A: refs("front.top"), B: refs("back.left")})
	}, []string{"seam more, panel back, edge left", "in seam left already"}},
	{
		"edge sewn to itself",
		func(p *Pattern) { p.Seams[0].B = refs("front.left") },
		[]string{"seam left, panel front, edge left", "itself", "divide it in the middle"},
	},
	{
		"lengths differ",
		func(p *Pattern) { p.Panels[0].Edges[2].From.Y = 0.65 },
		[]string{"seam left", "front.left is 650 mm", "back.left is 600 mm", "8.33 %", "2 %", "0.084"},
	},
	{"lengths differ by a dart", func(p *Pattern) {
		p.Panels[0].Darts = []Dart{{Edge: "left", At: 0.3, Width: 0.03, Tip: pt(35, 30)}}
	}, []string{"seam left", "front.left is 570 mm", "back.left is 600 mm"}},
	{"chain in the wrong order", func(p *Pattern) {
		p.Seams[0].A, p.Seams[0].B = refs("front.left", "front.hem"), refs("back.top", "back.left")
	}, []string{"seam left, panel front, edge hem", "comes before edge left", "counter-clockwise"}},
	{"chain with a gap", func(p *Pattern) {
		p.Panels = append(p.Panels, rect("strip", 1, 0.1, "a", "b", "c", "d"))
		p.Seams = []Seam{{Name: "long", A: refs("strip.a"), B: refs("front.hem", "front.top")}}
	}, []string{"seam long, panel front, edge top", "does not begin where edge hem ends"}},
	{"placed inside out", func(p *Pattern) {
		p.Panels[1].Place = Place{At: r3.V(-0.25, 0.2, 0), Right: r3.V(1, 0, 0), Up: r3.V(0, 0, 1)}
		p.Seams[0].B, p.Seams[1].B = p.Seams[1].B, p.Seams[0].B
	}, []string{"seam left", "front.left and back.right", "the wrong way", "inside out"}},
	{"left and right turned round", func(p *Pattern) {
		p.Panels[1].Place = Place{At: r3.V(-0.25, 0.2, 0), Right: r3.V(1, 0, 0), Up: r3.V(0, 0, 1)}
	}, []string{"panel front", "panel back: is placed inside out", "look the other way"}},
	{
		"one-sided",
		func(p *Pattern) { p.Seams[1].Reversed = true },
		[]string{"seam right", "front.right to back.right", "one-sided", "reversed"},
	},
	{"dart on an unknown edge", func(p *Pattern) {
		p.Panels[0].Darts = []Dart{{Name: "bust", Edge: "sid", At: 0.1, Width: 0.02, Tip: pt(25, 30)}}
	}, []string{"panel front, dart bust on edge sid", "does not have"}},
	{
		"dart without width",
		func(p *Pattern) { p.Panels[0].Darts = []Dart{{Edge: "hem", At: 0.25, Tip: pt(25, 30)}} },
		[]string{"panel front, dart number 1 on edge hem", "positive"},
	},
	{"dart with an infinite tip", func(p *Pattern) {
		p.Panels[0].Darts = []Dart{{Edge: "hem", At: 0.25, Width: 0.02, Tip: r3.Vec2{X: math.Inf(1)}}}
	}, []string{"panel front, dart number 1 on edge hem", "tip", "finite"}},
	{
		"dart beyond its edge",
		func(p *Pattern) { p.Panels[0].Darts = []Dart{{Edge: "hem", At: 0.495, Width: 0.02, Tip: pt(49.5, 10)}} },
		[]string{"panel front, dart number 1 on edge hem", "485 mm to 505 mm", "500 mm long"},
	},
	{
		"dart with its tip outside",
		func(p *Pattern) { p.Panels[0].Darts = []Dart{{Edge: "hem", At: 0.25, Width: 0.02, Tip: pt(25, -10)}} },
		[]string{"panel front, dart number 1 on edge hem", "tip outside"},
	},
	{
		"dart through the panel",
		func(p *Pattern) { p.Panels[0].Darts = []Dart{{Edge: "hem", At: 0.25, Width: 0.02, Tip: pt(25, 70)}} },
		[]string{"panel front, dart number 1 on edge hem", "edge top", "stay inside"},
	},
	{"darts that overlap", func(p *Pattern) {
		p.Panels[0].Darts = []Dart{
			{Edge: "hem", At: 0.25, Width: 0.04, Tip: pt(25, 20)},
			{Edge: "hem", At: 0.28, Width: 0.04, Tip: pt(28, 20)},
		}
	}, []string{"panel front, dart number 2 on edge hem", "overlaps dart number 1"}},
	{"darts that cross", func(p *Pattern) {
		p.Panels[0].Darts = []Dart{
			{Name: "a", Edge: "hem", At: 0.25, Width: 0.04, Tip: pt(25, 20)},
			{Name: "b", Edge: "left", At: 0.1, Width: 0.04, Tip: pt(20, 10)},
		}
		p.Seams[0].Ease = 1
	}, []string{"panel front, dart a on edge hem", "dart b on edge left", "apart"}},
	{
		"lopsided dart",
		func(p *Pattern) { p.Panels[0].Darts = []Dart{{Edge: "hem", At: 0.25, Width: 0.06, Tip: pt(32, 6)}} },
		[]string{"panel front, dart number 1 on edge hem", "cannot be sewn together"},
	},
	{"pleats longer than the edge", func(p *Pattern) {
		p.Panels[0].Pleats = []Pleat{{Name: "knife", Edge: "top", At: 0.01, Depth: 0.03, Count: 9, Every: 0.06}}
	}, []string{"panel front, pleat knife on edge top", "500 mm long"}},
	{"pleats that overlap", func(p *Pattern) {
		p.Panels[0].Pleats = []Pleat{{Edge: "top", At: 0.01, Depth: 0.03, Count: 3, Every: 0.05}}
	}, []string{"panel front, pleat number 1 on edge top", "every 50 mm", "60 mm"}},
	{
		"no folds",
		func(p *Pattern) { p.Panels[0].Pleats = []Pleat{{Edge: "top", At: 0.01, Depth: 0.03}} },
		[]string{"panel front, pleat number 1 on edge top", "0 folds"},
	},
	{
		"pleat of negative depth",
		func(p *Pattern) { p.Panels[0].Pleats = []Pleat{{Edge: "top", At: 0.01, Depth: -0.03, Count: 1}} },
		[]string{"panel front, pleat number 1 on edge top", "positive"},
	},
	{
		"an edge that is all pleat",
		func(p *Pattern) { p.Panels[0].Pleats = []Pleat{{Edge: "left", Depth: 0.3, Count: 1}} },
		[]string{"seam left, panel front, edge left", "nothing is left to sew"},
	},
	{"too many vertices", func(p *Pattern) {
		for i := range p.Panels[0].Edges {
			p.Panels[0].Edges[i].From = p.Panels[0].Edges[i].From.Scale(1000)
		}
		p.Seams = nil
	}, []string{"mesh size of 20 mm", "vertices", "larger size"}},
}

func TestBadPatterns(t *testing.T) {
	if n := len(badPatterns); n < 30 {
		t.Errorf("only %d bad patterns", n)
	}
	for _, c := range badPatterns {
		t.Run(c.name, func(t *testing.T) {
			p := tube()
			c.spoil(p)
			_, err := p.Make(0.02)
			if err == nil {
				t.Fatal("was taken")
			}
			t.Log(err)
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("message lacks %q", w)
				}
			}
		})
	}
}

// All faults of a stage come at once.
func TestFaultsComeTogether(t *testing.T) {
	p := tube()
	p.Panels[0].Edges[2].Name = "hem"
	p.Panels[1].Grain = math.NaN()
	p.Seams[0].Name = ""
	_, err := p.Make(0.02)
	list, ok := err.(Faults)
	if !ok || len(list) != 3 {
		t.Fatalf("want three faults, got %v", err)
	}
	if _, err := tube().Make(math.NaN()); err == nil || !strings.Contains(err.Error(), "mesh size") {
		t.Errorf("a size that is not a number: %v", err)
	}
}
