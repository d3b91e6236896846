package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
)

func TestPlotPNG(t *testing.T) {
	var doc bytes.Buffer
	if err := cantilever().PNG(&doc, 640, 400); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&doc)
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Size(); got.X != 640 || got.Y != 400 {
		t.Errorf("picture is %v, want 640 x 400", got)
	}
	var line, ring int
	for y := range 400 {
		for x := range 640 {
			r, g, b, _ := img.At(x, y).RGBA()
			switch [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)} {
			case [3]uint8{Palette[0].R, Palette[0].G, Palette[0].B}:
				line++
			case [3]uint8{Palette[1].R, Palette[1].G, Palette[1].B}:
				ring++
			}
		}
	}
	if line < 100 || ring < 50 {
		t.Errorf("%d pixels of the expected line and %d of the measured rings, want a plot", line, ring)
	}
}

func TestPlotSVGIsXMLWithItsNames(t *testing.T) {
	var doc bytes.Buffer
	p := cantilever()
	p.Series[1].Name = "a < b & c"
	if err := p.SVG(&doc, 640, 400); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	d := xml.NewDecoder(bytes.NewReader(doc.Bytes()))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := token.(xml.CharData); ok {
			text.Write(c)
		}
	}
	for _, want := range []string{p.Title, p.X, p.Y, "a < b & c", "measured", "0.8"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("text lacks %q", want)
		}
	}
	if !strings.Contains(doc.String(), "sans-serif") {
		t.Error("no font that every browser has")
	}
}

func TestPlotOfOddNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, s := range []Series{
		{},
		{X: []float64{1}, Y: []float64{2}},
		{X: []float64{1, 2, 3}, Y: []float64{5, 5, 5}},
		{X: []float64{nan, 1, 2, 3}, Y: []float64{1, nan, inf, -inf}},
		{X: []float64{0, 1, 2, 3}, Y: []float64{-1, 0, 1e300, -1e300}},
		{X: []float64{1, 2}, Y: []float64{5e-324, math.MaxFloat64}},
		{X: []float64{-math.MaxFloat64, math.MaxFloat64}, Y: []float64{1, 2}},
		{X: []float64{1e9, 1e9 + 1e-9}, Y: []float64{0, 0}},
		{X: []float64{1, 2, 3}, Y: []float64{-1, 0, nan}, Upper: []float64{1, 2, 3}, Style: Band},
	} {
		for _, logarithmic := range []bool{false, true} {
			for _, style := range []Style{Line, Dashed, Points, Band} {
				if style == Band && len(s.Upper) != len(s.Y) {
					s.Upper = s.Y
				}
				s.Style = style
				p := Plot{Title: "odd", X: "x", Y: "y", LogX: logarithmic, LogY: logarithmic, Series: []Series{s}}
				if err := p.PNG(io.Discard, 200, 150); err != nil {
					t.Errorf("%v: %v", s, err)
				}
			}
		}
	}
}

func TestPlotFaultsAreListed(t *testing.T) {
	p := Plot{Series: []Series{
		{Name: "short", X: []float64{1, 2}, Y: []float64{1}},
		{X: []float64{1}, Y: []float64{1}, Style: Band},
		{Style: 17},
	}}
	err := p.PNG(io.Discard, 10, 10)
	if err == nil {
		t.Fatal("a faulty plot was drawn")
	}
	for _, want := range []string{"10 x 10", "short has 2 x and 1 y", "number 2 has 0 upper", "style 17"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q:\n%v", want, err)
		}
	}
}

// A gap splits a curve, and nothing is drawn where a logarithmic axis cannot show it.
func TestGapsSplitCurves(t *testing.T) {
	s := Series{X: []float64{1, 2, 3, 4, 5}, Y: []float64{1, 2, math.NaN(), -1, 3}}
	for _, c := range []struct {
		logY bool
		want string
	}{{false, "[2 2]"}, {true, "[2 1]"}} {
		p := Plot{LogY: c.logY}
		var lengths []int
		for _, run := range p.runs(s, nil) {
			lengths = append(lengths, len(run))
		}
		if got := fmt.Sprint(lengths); got != c.want {
			t.Errorf("log %v: runs of %s points, want %s", c.logY, got, c.want)
		}
	}
}

func TestTolerance(t *testing.T) {
	b := Tolerance(Series{X: []float64{0, 1}, Y: []float64{0.1, -10}}, "band", 0.1, 0.5)
	if got, want := fmt.Sprint(b.Y, b.Upper), "[-0.4 -11] [0.6 -9]"; got != want {
		t.Errorf("band is %s, want %s", got, want)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, top float64
		log      bool
		want     string
	}{
		{0, 1, false, "0 0.2 0.4 0.6 0.8 1.0"},
		{-0.5, 0.5, false, "−0.4 −0.2 0 0.2 0.4"},
		{0, 6, false, "0 1 2 3 4 5 6"},
		{0, 1.2e-5, false, "0 2·10⁻⁶ 4·10⁻⁶ 6·10⁻⁶ 8·10⁻⁶ 1.0·10⁻⁵ 1.2·10⁻⁵"},
		{0, 3e6, false, "0 5·10⁵ 1.0·10⁶ 1.5·10⁶ 2.0·10⁶ 2.5·10⁶ 3.0·10⁶"},
		{0.001, 10, true, "0.001 0.01 0.1 1 10"},
		{1e-8, 1, true, "10⁻⁸ 10⁻⁷ 10⁻⁶ 10⁻⁵ 10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 1"},
		{1, 20, true, "1 2 5 10 20"},
	} {
		ticks := linearTicks
		if c.log {
			ticks = logTicks
		}
		var labels []string
		for _, tick := range ticks(c.low, c.top) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("ticks of %g to %g: %s, want %s", c.low, c.top, got, c.want)
		}
	}
}
