package scenefile

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

func TestPictureIsBilinearWithVUpwards(t *testing.T) {
	//	0   60
	//	120 240
	p, err := readPicture(
		"p.png",
		pngOf(2, 2, func(x, y int) uint8 { return []uint8{0, 60, 120, 240}[2*y+x] }),
		"luminance",
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ u, v, want float64 }{
		{0.25, 0.75, 0},
		{0.75, 0.75, 60},
		{0.25, 0.25, 120},
		{0.75, 0.25, 240},
		{0, 1, 0},
		{-3, -3, 120},
		{7, 0.25, 240},
		{0.5, 0.75, 30},
		{0.5, 0.5, 105},
		{0.25, 0.5, 60},
		{0.375, 0.75, 15},
	} {
		if got := 255 * p.at(r3.Vec2{X: c.u, Y: c.v}); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("at %g, %g: %g, not %g", c.u, c.v, got, c.want)
		}
	}
}

func TestChannels(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	img.SetNRGBA(0, 0, color.NRGBA{R: 255, G: 102, B: 51, A: 204})
	var data bytes.Buffer
	if err := png.Encode(&data, img); err != nil {
		t.Fatal(err)
	}
	for channel, want := range map[string]float64{"red": 1, "green": 0.4, "blue": 0.2, "alpha": 0.8, "luminance": 0.2126 + 0.7152*0.4 + 0.0722*0.2} {
		p, err := readPicture("p.png", data.Bytes(), channel)
		if err != nil {
			t.Fatal(err)
		}
		// Colours are multiplied by alpha in between.
		if got := p.at(r3.Vec2{X: 0.5, Y: 0.5}); !(math.Abs(got-want) <= 2./math.MaxUint16) {
			t.Errorf("%s is %.6g, not %.6g", channel, got, want)
		}
	}
}
