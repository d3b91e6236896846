package draw

import (
	"image/color"
	"math"
	"testing"
)

func TestColourMapInvariants(t *testing.T) {
	for i, c := range mapTable {
		if min(c.r, c.g, c.b) < 0 || max(c.r, c.g, c.b) > 1 {
			t.Errorf("colour %d is %v, which no screen shows", i, c)
		}
		if i > 0 && c.luminance() <= mapTable[i-1].luminance() {
			t.Errorf("colour %d is not lighter than the one before", i)
		}
	}
	if got := MapColor(math.NaN()); got.R != got.G || got.G != got.B {
		t.Errorf("NaN is %v, want grey", got)
	}
	if MapColor(-3) != MapColor(0) || MapColor(7) != MapColor(1) {
		t.Error("values outside do not get the end colours")
	}
}

// sRGB decoded and encoded again is the same.
func TestTransferRoundTrip(t *testing.T) {
	for i := range 256 {
		c := color.RGBA{uint8(i), uint8(i), uint8(i), 0xff}
		if got := fromRGBA(c).rgba(); got != c {
			t.Errorf("%v becomes %v", c, got)
		}
	}
}

// The reference colours published with Oklab: white, and the sRGB red primary.
func TestOklabReference(t *testing.T) {
	for _, c := range []struct {
		light, a, b float64
		want        linear
	}{
		{1, 0, 0, linear{1, 1, 1}},
		{0.62796, 0.22486, 0.12585, linear{1, 0, 0}},
	} {
		got := oklab(c.light, c.a, c.b)
		if d := max(
			math.Abs(float64(got.r-c.want.r)),
			math.Abs(float64(got.g-c.want.g)),
			math.Abs(float64(got.b-c.want.b)),
		); d > 1e-4 {
			t.Errorf("oklab(%g, %g, %g) = %v, want %v", c.light, c.a, c.b, got, c.want)
		}
	}
}
