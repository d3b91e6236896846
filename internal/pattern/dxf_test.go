package pattern

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// dxf writes groups, given as code and value by turns, between a header and the end.
func dxf(units int, body ...any) []byte {
	head := []any{0, "SECTION", 2, "HEADER", 9, "$INSUNITS", 70, units, 0, "ENDSEC", 0, "SECTION", 2, "ENTITIES"}
	var b strings.Builder
	for _, v := range append(append(head, body...), 0, "ENDSEC", 0, "EOF") {
		fmt.Fprintln(&b, v)
	}
	return []byte(b.String())
}

func TestDXFShapes(t *testing.T) {
	disk := math.Pi * 400
	line := func(x0, y0, x1, y1 float64) []any {
		return []any{0, "LINE", 8, "cut", 10, x0, 20, y0, 11, x1, 21, y1}
	}
	var lines []any
	for _, l := range [][]any{line(0, 0, 20, 0), line(20, 30, 0, 30), line(20, 30, 20, 0), line(0, 30, 0, 0)} {
		lines = append(lines, l...)
	}
	for _, c := range []struct {
		name string
		data []byte
		want float64 // [mm²]
	}{
		{"light polyline", dxf(4, 0, "LWPOLYLINE", 8, "cut", 90, 4, 70, 1, 10, 0, 20, 0, 10, 20, 20, 0, 10, 20, 20, 30, 10, 0, 20, 30), 600},
		{"light polyline closed by hand", dxf(4, 0, "LWPOLYLINE", 8, "cut", 10, 0, 20, 0, 10, 20, 20, 0, 10, 20, 20, 30, 10, 0, 20, 30, 10, 0, 20, 0), 600},
		{"centimetres", dxf(5, 0, "LWPOLYLINE", 8, "cut", 70, 1, 10, 0, 20, 0, 10, 2, 20, 0, 10, 2, 20, 3, 10, 0, 20, 3), 600},
		{"inches", dxf(1, 0, "LWPOLYLINE", 8, "cut", 70, 1, 10, 0, 20, 0, 10, 1, 20, 0, 10, 1, 20, 1, 10, 0, 20, 1), 25.4 * 25.4},
		{"two bulges make a circle", dxf(4, 0, "LWPOLYLINE", 8, "cut", 70, 1, 10, 0, 20, 0, 42, 1, 10, 40, 20, 0, 42, 1), disk},
		{"a bulge of a quarter turn", dxf(4, 0, "LWPOLYLINE", 8, "cut", 70, 1, 10, 20, 20, 0, 42, math.Tan(math.Pi/8), 10, 0, 20, 20, 10, 0, 20, 0), disk / 4},
		{"a bulge to the right", dxf(4, 0, "LWPOLYLINE", 8, "cut", 70, 1, 10, 20, 20, 0, 42, -math.Tan(math.Pi/8), 10, 0, 20, 20, 10, 20, 20, 20), disk / 4},
		{"polyline", dxf(4, 0, "POLYLINE", 8, "cut", 66, 1, 70, 1, 0, "VERTEX", 10, 0, 20, 0, 42, 1, 0, "VERTEX", 10, 40, 20, 0, 42, 1, 0, "SEQEND"), disk},
		{"lines in any order and direction", dxf(4, lines...), 600},
		{"arcs that meet", dxf(4, 0, "ARC", 8, "cut", 10, 5, 20, 5, 40, 20, 50, 0, 51, 180, 0, "ARC", 8, "cut", 10, 5, 20, 5, 40, 20, 50, 180, 51, 0), disk},
		{"arc and lines", dxf(4, append([]any{0, "ARC", 8, "cut", 10, 0, 20, 0, 40, 20, 50, 0, 51, 90}, append(line(0, 0, 0, 20), line(0, 0, 20, 0)...)...)...), disk / 4},
		{"mirrored arc", dxf(4, append([]any{0, "ARC", 8, "cut", 10, 0, 20, 0, 40, 20, 50, 0, 51, 90, 230, -1}, append(line(0, 0, 0, 20), line(0, 0, -20, 0)...)...)...), disk / 4},
		{"circle", dxf(4, 0, "CIRCLE", 8, "cut", 10, 3, 20, 3, 40, 20), disk},
		{"rational quarter circle", dxf(4, append([]any{
			0, "SPLINE", 8, "cut", 71, 2, 40, 0, 40, 0, 40, 0, 40, 1, 40, 1, 40, 1, 41, 1, 41, math.Sqrt2 / 2, 41, 1,
			10, 20, 20, 0, 10, 20, 20, 20, 10, 0, 20, 20,
		}, append(line(0, 0, 0, 20), line(0, 0, 20, 0)...)...)...), disk / 4},
		{"cubic spline that is a Bézier curve", dxf(4, append([]any{
			0, "SPLINE", 8, "cut", 71, 3, 40, 0, 40, 0, 40, 0, 40, 0, 40, 1, 40, 1, 40, 1, 40, 1, 10, 0, 20, 0, 10, 0, 20, 10, 10, 20, 20, 10, 10, 20, 20, 0,
		}, line(20, 0, 0, 0)...)...), 0.6 * 20 * 10},
	} {
		list, err := ReadDXF(c.data, 0)
		if err == nil && len(list) == 1 && list[0].Name != "cut" {
			t.Errorf("%s: name %q", c.name, list[0].Name)
		}
		// The 24 lines for a span of a spline miss about 2 parts in 24² of what is between it and its chord.
		if got := area(t, list, err); math.Abs(got-c.want) > 4e-3*c.want {
			t.Errorf("%s: area %.3f mm², want %.3f", c.name, got, c.want)
		}
	}
}

// apparel is a piece as the apparel format writes it: a block with a cutting line, a sewing line, turn points, a grain
// line and annotations, and an unnamed unit.
func apparel() []byte {
	square := func(layer string, a, b float64) []any {
		out := []any{0, "POLYLINE", 8, layer, 66, 1, 70, 1}
		for _, q := range [][2]float64{{a, a}, {(a + b) / 2, a}, {b, a}, {b, b}, {a, b}} {
			out = append(out, 0, "VERTEX", 8, layer, 10, q[0], 20, q[1])
		}
		return append(out, 0, "SEQEND", 8, layer)
	}
	all := []any{
		0, "SECTION", 2, "BLOCKS", 0, "BLOCK", 8, 1, 2, "P1-M", 70, 64, 10, 0, 20, 0,
		0, "TEXT", 8, 1, 1, "Piece Name: FRONT", 0, "TEXT", 8, 1, 1, "Size: M",
	}
	all = append(all, square("1", 0, 120)...)
	all = append(all, square("14", 10, 110)...)
	all = append(all, 0, "POINT", 8, 2, 10, 60, 20, 10, 0, "LINE", 8, 7, 10, 60, 20, 20, 11, 60, 21, 100, 0, "ENDBLK")
	all = append(
		all,
		0,
		"ENDSEC",
		0,
		"SECTION",
		2,
		"ENTITIES",
		0,
		"INSERT",
		8,
		1,
		2,
		"P1-M",
		0,
		"TEXT",
		8,
		1,
		1,
		"Units: METRIC",
		0,
		"ENDSEC",
		0,
		"EOF",
	)
	var b strings.Builder
	for _, v := range all {
		fmt.Fprintf(&b, "%v\r\n", v)
	}
	return []byte(b.String())
}

func TestApparelDXF(t *testing.T) {
	list, err := ReadDXF(apparel(), 0)
	if got := area(t, list, err); math.Abs(got-1e4) > 1 {
		t.Errorf("area %g mm², want that of the sewing line, 10,000", got)
	}
	if list[0].Name != "FRONT" {
		t.Errorf("name %q", list[0].Name)
	}
	p, _, err := list[0].Panel("front", Cutting{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Edges) != 5 || p.Edges[1].From.Sub(r3.Vec2{X: 0.05}).Norm() > 1e-12 {
		t.Errorf("a turn point makes no corner: %+v", p.Edges)
	}
}

func TestBadDXF(t *testing.T) {
	for _, c := range []struct {
		data []byte
		want string
	}{
		{nil, "without EOF"},
		{[]byte("<svg/>\n\n"), "not a group code"},
		{[]byte("AutoCAD Binary DXF\r\n\x1a\x00"), "binary"},
		{[]byte("0\nSECTION\n0"), "ends within a group"},
		{[]byte("0\nSECTION\n0\nLINE\n"), "cut off"},
		{dxf(0, 0, "CIRCLE", 40, 3), "does not say its unit"},
		{dxf(4, 0, "LINE", 10, "x", 11, 3), "line 15: LINE has a coordinate"},
		{dxf(4, 0, "SPLINE", 71, 3, 11, 1, 21, 2), "control points"},
	} {
		if _, err := ReadDXF(c.data, 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", clipped(string(c.data)), err, c.want)
		}
	}
	list, err := ReadDXF(dxf(4, 0, "LINE", 8, "x", 10, 0, 20, 0, 11, 3, 21, 0), 0)
	if err != nil || len(list) != 1 || !strings.Contains(list[0].Fault, "not closed") {
		t.Errorf("a single line: %v %+v", err, list)
	}
	if _, err := ReadOutlines("a.pdf", nil, 0); err == nil || !strings.Contains(err.Error(), ".svg and .dxf") {
		t.Errorf("a format that is not read: %v", err)
	}
}

func FuzzDXF(f *testing.F) {
	f.Add(apparel())
	f.Add(dxf(4, 0, "LWPOLYLINE", 8, "cut", 70, 1, 10, 0, 20, 0, 42, 1, 10, 40, 20, 0, 42, 1))
	f.Add(
		dxf(
			4,
			0,
			"SPLINE",
			71,
			2,
			40,
			0,
			40,
			0,
			40,
			0,
			40,
			1,
			40,
			1,
			40,
			1,
			41,
			1,
			41,
			0.5,
			41,
			1,
			10,
			20,
			20,
			0,
			10,
			20,
			20,
			20,
			10,
			0,
			20,
			20,
			0,
			"LINE",
			10,
			20,
			20,
			0,
			11,
			0,
			21,
			20,
		),
	)
	f.Add(dxf(6, 0, "ARC", 10, 0, 20, 0, 40, 1, 50, 0, 51, 180, 0, "LINE", 10, -1, 20, 0, 11, 1, 21, 0))
	f.Fuzz(func(t *testing.T, data []byte) { cutAll(t, data, ReadDXF) })
}
