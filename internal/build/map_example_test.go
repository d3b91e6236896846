package build

import (
	"bytes"
	"image"
	"math"
	"os"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// stripeOfScene paints scenes/stripe.png: black in the middle quarter of its height.
func stripeOfScene(_, y int) uint8 {
	if y >= 24 && y < 40 {
		return 0
	}
	return 255
}

// The image of the scene is what this program paints.
func TestStripeIsOurs(t *testing.T) {
	data, err := os.ReadFile("../../scenes/stripe.png")
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if got.Bounds() != image.Rect(0, 0, 1, 64) {
		t.Fatalf("it covers %v", got.Bounds())
	}
	for y := range 64 {
		if v, _, _, _ := got.At(0, y).RGBA(); v != 257*uint32(stripeOfScene(0, y)) {
			t.Errorf("row %d is %d", y, v)
		}
	}
}

// A slippery stripe on a ramp slides, by what the cloth beside it and a strip that friction still holds allow; the rest
// stays.
func TestPaintedRamp(t *testing.T) {
	const rho, g, w, mu = 0.2, 0.15, 0.1, 1.0
	sin, cos := math.Sincos(20 * math.Pi / 180)
	q, c := rho*9.81*sin, rho*9.81*(mu*cos-sin)
	zone := q * w / (2 * c)
	slid := q*w*w/(8*g) + c*zone*zone/(2*g)
	var start []r3.Vec
	b := play(t, "../../scenes/painted-ramp.yaml", nil, func(b *Built) {
		if start == nil {
			start = clone(b.World.Positions(0))
		}
	})
	x := b.World.Positions(0)
	const across = 37
	middle := 18*across + 18
	near(t, "the way of the middle", x[middle].Sub(start[middle]).Norm(), slid, 0.03*slid)
	for i := range x {
		y := start[i].Y - 0.2
		if way := x[i].Sub(start[i]).Norm(); math.Abs(y) > w/2+zone+0.02 && way > 1e-6 {
			t.Errorf("vertex %d, %g m from the stripe, has moved by %g m", i, math.Abs(y)-w/2, way)
		}
	}
	t.Logf(
		"slid %.4g m, expected %.4g m; at the upper end %.4g m",
		x[middle].Sub(start[middle]).Norm(),
		slid,
		x[18*across].Sub(start[18*across]).Norm(),
	)
}
