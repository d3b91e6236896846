package draw

import (
	"bytes"
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
		for _, run := range p.runs(s, 0) {
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
