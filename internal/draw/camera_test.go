package draw

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/toile-sim/toile/r3"
)

// Every corner of a fitted box is inside the frame with the margin, and one of them touches it: the
// camera is no farther than it must be.
func TestFitKeepsTheBoxInTheFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coord := rapid.Float64Range(-10, 10)
		point := func(name string) r3.Vec {
			return r3.V(coord.Draw(t, name+".x"), coord.Draw(t, name+".y"), coord.Draw(t, name+".z"))
		}
		a, b, dir := point("a"), point("b"), point("dir")
		aspect := rapid.Float64Range(0.3, 4).Draw(t, "aspect")
		box := r3.Box{Min: a.Min(b), Max: a.Max(b)}
		if box.Size().MaxAbs() < 1e-3 {
			t.Skip("no size")
		}
		const height = 1000
		width := int(aspect * height)
		l := newLens(Fit(box, dir, aspect), width, height)
		widest := 0.0
		for i := range 8 {
			p := l.local(box.Corner(i))
			if p.Z <= 0 {
				t.Fatalf("corner %d is behind the eye", i)
			}
			x, y := l.sample(p)
			x, y = (x+0.5)/float64(width)*2-1, (y+0.5)/height*2-1
			widest = max(widest, math.Abs(x), math.Abs(y))
		}
		// One pixel of slack: width is rounded.
		if widest > fitFill+0.003 {
			t.Errorf("a corner is at %.4f of the half frame, want at most %.2f", widest, fitFill)
		}
		// A thin box seen end-on keeps the eye at a distance; others fill the frame one way.
		size := box.Size()
		if min(size.X, size.Y, size.Z) > 0.3*size.MaxAbs() && widest < fitFill-0.003 {
			t.Errorf("the box reaches only %.4f of the half frame", widest)
		}
	})
}

func TestFitOfOddInputIsUsable(t *testing.T) {
	nan := math.NaN()
	boxes := []r3.Box{
		r3.EmptyBox(),
		{},
		{Min: r3.V(nan, 0, 0), Max: r3.V(1, 1, 1)},
		{Min: r3.V(0, 0, 0), Max: r3.V(1, 0, 0)},
	}
	for _, box := range boxes {
		for _, dir := range []r3.Vec{{}, {Z: 1}, {Z: -1}, {X: nan}, {X: 1}} {
			for _, aspect := range []float64{0, -1, nan, 1, 1e3} {
				c := Fit(box, dir, aspect)
				if !c.Eye.Finite() || !c.Target.Finite() || !c.Up.Finite() || c.Eye == c.Target {
					t.Errorf("Fit(%v, %v, %v) = %+v", box, dir, aspect, c)
				}
			}
		}
	}
}

// From straight above, y is up and x right, as on a map.
func TestFromAboveIsAMap(t *testing.T) {
	l := newLens(Fit(r3.Box{Max: r3.V(1, 1, 0)}, r3.V(0, 0, 1), 1), 100, 100)
	x0, y0 := l.sample(l.local(r3.V(0, 0, 0)))
	x1, y1 := l.sample(l.local(r3.V(1, 1, 0)))
	if !(x1 > x0 && y1 < y0) {
		t.Errorf("(0,0) is at %g, %g and (1,1) at %g, %g", x0, y0, x1, y1)
	}
}

// Points are fitted closer than the box around them: a ball fills the frame that its box only fits into.
func TestFitPointsIsTight(t *testing.T) {
	points := []r3.Vec{r3.V(math.NaN(), 0, 0)}
	for i := range 2000 {
		z := 1 - (float64(i)+0.5)/1000
		sin, cos := math.Sincos(float64(i) * 2.4)
		r := math.Sqrt(1 - z*z)
		points = append(points, r3.V(r*cos, r*sin, z))
	}
	const side = 1000
	reach := func(c Camera) (most float64) {
		l := newLens(c, side, side)
		for _, p := range points[1:] {
			x, y := l.sample(l.local(p))
			most = max(most, math.Abs((x+0.5)/side*2-1), math.Abs((y+0.5)/side*2-1))
		}
		return most
	}
	if got := reach(FitPoints(points, r3.V(1, 1, 1), 1)); math.Abs(got-fitFill) > 1e-3 {
		t.Errorf("the points reach %.4f of the half frame, want %.2f", got, fitFill)
	}
	if got := reach(Fit(r3.BoxOf(points[1:]), r3.V(1, 1, 1), 1)); got > 0.75*fitFill {
		t.Errorf("their box is fitted as close as they are: %.4f", got)
	}
	if FitPoints(nil, r3.Vec{}, 1) != Fit(r3.EmptyBox(), r3.Vec{}, 1) {
		t.Error("no points are not fitted like an empty box")
	}
}
