package draw

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"
)

// gallery holds plots that are hard to lay out.
func gallery() map[string]Plot {
	xs := make([]float64, 400)
	for i := range xs {
		xs[i] = float64(i) / 399
	}
	wave := func(name string, style Style, f func(x float64) float64) Series {
		s := Series{Name: name, X: xs, Style: style}
		for _, x := range xs {
			s.Y = append(s.Y, f(x))
		}
		return s
	}
	few := func(name string, style Style, y ...float64) Series {
		s := Series{Name: name, Y: y, Style: style}
		for i := range y {
			s.X = append(s.X, float64(i+1))
		}
		return s
	}
	out := map[string]Plot{
		"empty":    {Title: "Nothing", X: "x", Y: "y"},
		"one":      {Title: "One point", X: "x [m]", Y: "y [m]", Series: []Series{few("point", Points, 3)}},
		"constant": {Title: "Constant", X: "time [s]", Y: "speed [m/s]", Series: []Series{wave("v", Line, func(float64) float64 { return 5 })}},
		"near": {Title: "Near a large number", X: "time [s]", Y: "energy [J]", Series: []Series{
			wave("energy", Line, func(x float64) float64 { return 12345.678 + 1e-4*math.Sin(20*x) }),
		}},
		"tiny": {Title: "Tiny and negative", X: "time [s]", Y: "gap [m]", Series: []Series{
			wave("gap", Line, func(x float64) float64 { return -3e-9 * x * x }),
		}},
		"huge": {Title: "Huge", X: "pressure [Pa]", Y: "work [J]", Series: []Series{
			{Name: "work", X: []float64{1.1e9, 2e9, 2.9e9}, Y: []float64{3e20, 1e20, 9e20}},
		}},
		"decades": {Title: "Many decades", X: "n", Y: "error", LogX: true, LogY: true, Series: []Series{
			{Name: "error", X: []float64{1e-9, 1, 1e30}, Y: []float64{1e-120, 1e-4, 1}},
		}},
		"short": {Title: "A part of a decade", X: "h [s]", Y: "error [m]", LogX: true, LogY: true, Series: []Series{
			{Name: "error", X: []float64{0.003, 0.004, 0.005}, Y: []float64{3.1e-5, 3.2e-5, 3.3e-5}, Style: Points},
		}},
		"words": {
			Title: "A title that is far too long for one line since it says everything about the case, what it shows and why",
			X:     "a quantity with a name that is too long for one line, as it says what was divided by what, and under which law [m]",
			Y:     "another quantity with a long name, the largest relative difference of anything [m/s]",
			Series: []Series{
				wave(strings.Repeat("a name that is longer than the picture ", 4), Line, math.Sqrt),
				wave("short", Dashed, func(x float64) float64 { return x }),
			},
		},
	}
	many := Plot{Title: "Many series", X: "x", Y: "y"}
	for i := range 8 {
		many.Series = append(many.Series, wave(fmt.Sprintf("line %d", i+1), Line, func(x float64) float64 { return math.Sin(3*x + float64(i)) }))
	}
	out["many"] = many
	kinds := Plot{Title: "Points of many kinds", X: "x", Y: "y"}
	for i := range 6 {
		y := float64(i)
		kinds.Series = append(kinds.Series, few(fmt.Sprintf("kind %d", i+1), Points, y, y+0.5, y, y+0.2))
	}
	out["kinds"] = kinds
	mixed := few("measured", Points, 1.02, 2.1, 2.9, 4.05)
	mixed.Same = true
	exact := few("closed form", Line, 1, 2, 3, 4)
	out["mixed"] = Plot{Title: "A band, a line and points", X: "x", Y: "y", Series: []Series{Tolerance(exact, "±5 %", 0.05, 0), exact, mixed}}
	return out
}

// box returns the pixels of a label, without what hangs below its baseline.
func (l *label) box() (x0, y0, x1, y1 float64) {
	w, h := textWidth(l.text, l.size, l.bold), 0.75*l.size
	if l.upright {
		return l.x - h, l.y - w, l.x, l.y
	}
	return l.x, l.y - h, l.x + w, l.y
}

// No label is cut or meets another, and none lies on the curves.
func TestLabelsHaveRoom(t *testing.T) {
	for name, p := range gallery() {
		for _, size := range []image.Point{{960, 600}, {800, 500}, {480, 300}, {1600, 500}, {400, 400}} {
			f := p.layout(size.X, size.Y)
			for i, l := range f.labels {
				x0, y0, x1, y1 := l.box()
				if x0 < 1 || y0 < 1 || x1 > float64(size.X)-1 || y1 > float64(size.Y)-0.25*l.size {
					t.Errorf("%s, %v: %q is at %.0f %.0f to %.0f %.0f", name, size, l.text, x0, y0, x1, y1)
				}
				if x0 < f.right && x1 > f.left && y0 < f.bottom && y1 > f.top {
					t.Errorf("%s, %v: %q is on the curves", name, size, l.text)
				}
				for _, m := range f.labels[:i] {
					if u0, v0, u1, v1 := m.box(); x0 < u1 && x1 > u0 && y0 < v1 && y1 > v0 {
						t.Errorf("%s, %v: %q and %q meet", name, size, l.text, m.text)
					}
				}
			}
			if f.right-f.left < 0.6*float64(size.X) || f.bottom-f.top < 0.3*float64(size.Y) {
				t.Errorf("%s, %v: curves have %.0f x %.0f pixels", name, size, f.right-f.left, f.bottom-f.top)
			}
		}
	}
}

// Points land where the ticks of their values are, lines go through theirs, and bands fill what is between.
func TestPointsLand(t *testing.T) {
	x, y := []float64{1, 10, 100}, []float64{-2, 0, 6}
	for _, style := range []Style{Line, Points, Band} {
		p := Plot{LogX: true, Series: []Series{
			{X: []float64{0.5, 200}, Y: []float64{-4, 8}, Style: Points},
			{X: x, Y: y, Upper: []float64{1, 3, 9}, Style: style},
		}}
		f, img := p.layout(800, 500), p.picture(800, 500)
		at := func(x, y float64) color.RGBA { return img.RGBAAt(int(f.atX(x)), int(f.atY(y))) }
		for i := range x {
			// 10 is in the middle between 1 and 100, and 0 a quarter of the way from −2 to 6
			if want := f.atX(1) + float64(i)*(f.atX(100)-f.atX(1))/2; math.Abs(f.atX(x[i])-want) > 0.05 {
				t.Errorf("%g is at %g, want %g", x[i], f.atX(x[i]), want)
			}
			if want := f.atY(-2) + (y[i]+2)/8*(f.atY(6)-f.atY(-2)); math.Abs(f.atY(y[i])-want) > 0.05 {
				t.Errorf("%g is at %g, want %g", y[i], f.atY(y[i]), want)
			}
			got, want := at(x[i], y[i]), Palette[1]
			switch style {
			case Points:
				rim := img.RGBAAt(int(f.atX(x[i])+2.8*f.unit), int(f.atY(y[i])))
				if got != paper || rim == paper || rim.R < rim.B {
					t.Errorf("point %d is %v, its rim %v, want a ring on white", i, got, rim)
				}
				continue
			case Band:
				// on its way from the first point to the last, and outside
				got, want = at(4.5, 1.3), color.RGBA{0xf7, 0xe1, 0xd1, 0xff}
				if above := at(4.5, 7.3); above != paper {
					t.Errorf("above the band is %v", above)
				}
			}
			if abs(int(got.R)-int(want.R))+abs(int(got.G)-int(want.G))+abs(int(got.B)-int(want.B)) > 12 {
				t.Errorf("style %d, point %d: %v, want %v", style, i, got, want)
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

// A line has the same width at every slope, also where it has many points.
func TestLinesAreEven(t *testing.T) {
	for _, angle := range []float64{0, 0.3, math.Pi / 4, 1.2, math.Pi / 2} {
		sin, cos := math.Sincos(angle)
		for _, n := range []int{2, 200} {
			c := newCoat(image.Rect(0, 0, 300, 300))
			var points [][2]float64
			for i := range n {
				d := 200 * float64(i) / float64(n-1)
				points = append(points, [2]float64{30 + d*cos, 30 + d*sin})
			}
			c.line(points, 3)
			sum := 0
			for _, a := range c.mask.Pix {
				sum += int(a)
			}
			// its area, and half a disc at each end
			if got, want := float64(sum)/255, 600+math.Pi*1.5*1.5; math.Abs(got/want-1) > 0.02 {
				t.Errorf("%d points at angle %g cover %.1f pixels, want %.1f", n, angle, got, want)
			}
		}
	}
}

func TestDashes(t *testing.T) {
	got := dashes([][2]float64{{0, 0}, {6, 0}, {6, 20}}, []float64{5, 3})
	if want := "[[[0 0] [5 0]] [[6 2] [6 7]] [[6 10] [6 15]] [[6 18] [6 20]]]"; fmt.Sprint(got) != want {
		t.Errorf("dashes are %v, want %s", got, want)
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width float64
		want  int
	}{{"", 100, 0}, {"one", 100, 1}, {"one two three", 40, 3}, {strings.Repeat("x", 100), 100, 1}} {
		lines := wrap(c.text, c.width, 12, false)
		if len(lines) != c.want {
			t.Errorf("%q in %g pixels is %q, want %d lines", c.text, c.width, lines, c.want)
		}
		for _, l := range lines {
			if textWidth(l, 12, false) > c.width {
				t.Errorf("%q is wider than %g", l, c.width)
			}
		}
	}
}

// The same plot has the same bytes, and is not larger than it must be.
func TestPlotsRepeat(t *testing.T) {
	for name, p := range gallery() {
		var a, b bytes.Buffer
		if err := p.PNG(&a, 800, 500); err != nil {
			t.Fatal(err)
		}
		if err := p.PNG(&b, 800, 500); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two drawings differ", name)
		}
		if _, err := png.Decode(&a); err != nil || b.Len() > 120e3 {
			t.Errorf("%s: %d bytes, %v", name, b.Len(), err)
		}
	}
}

// Axes of the same scale show circles as circles.
func TestEqualScales(t *testing.T) {
	p := Plot{X: "x", Y: "y", Equal: true, Series: []Series{{X: []float64{0, 1}, Y: []float64{0, 1}}}}
	for _, size := range []image.Point{{960, 600}, {400, 800}} {
		f := p.layout(size.X, size.Y)
		if across, up := f.atX(1)-f.atX(0), f.atY(0)-f.atY(1); math.Abs(across/up-1) > 0.01 {
			t.Errorf("%v: a square is %.1f x %.1f pixels", size, across, up)
		}
	}
}

// A view of the same has the same colour, and takes none of the palette.
func TestSameColour(t *testing.T) {
	s := Series{X: []float64{0}, Y: []float64{0}}
	same := s
	same.Same = true
	strokes := Plot{Series: []Series{same, s, same, s}}.strokes()
	for i, want := range []color.RGBA{Palette[0], Palette[1], Palette[1], Palette[2]} {
		if strokes[i].color != want {
			t.Errorf("series %d has colour %v, want %v", i, strokes[i].color, want)
		}
	}
}
