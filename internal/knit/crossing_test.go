package knit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// TestCrossingSignsFollowTheChart says that the four crossings of a loop with the loop above have the signs of its
// stitch: -s, -s, s, s if both courses run to the right.
func TestCrossingSignsFollowTheChart(t *testing.T) {
	chart := mustParse(t, "3(k2 p)\nk p2 2(p k p)\n2(k2 p2) k")
	for form := Flat; form <= Helix; form++ {
		f := mustMake(t, chart, Options{Wales: 9, Courses: 6, Form: form})
		for n, c := range f.Crossings[:4*9*5] {
			want := int(chart.At(c.Wale, c.Course+1))
			if n%4 < 2 {
				want = -want
			}
			if form == Flat {
				want = -want // neighbouring courses run against each other
			}
			if c.Sign != want || c.Wale != n/4%9 || c.Course != n/36 {
				t.Fatalf("%v: crossing %d is %+v, want the sign %d", form, n, c, want)
			}
		}
	}
}

// TestCrossingsAreClosestPoints compares the places of crossings with a search over all pairs of samples nearby.
func TestCrossingsAreClosestPoints(t *testing.T) {
	f := mustMake(t, Seed(), Options{Wales: 6, Courses: 4})
	points := f.Points()
	for n, c := range f.Crossings {
		s := search{points, f.curveOf(c.A.Segment), f.curveOf(c.B.Segment)}
		u, v := s.a.parameter(c.A), s.b.parameter(c.B)
		here := s.distance2(u, v)
		for du := -0.2; du <= 0.2; du += 0.02 {
			for dv := -0.2; dv <= 0.2; dv += 0.02 {
				if d := s.distance2(u+du, v+dv); d < here*(1-1e-9) {
					t.Fatalf("crossing %d: %.6g m at %v, %v, and %.6g m nearby", n, math.Sqrt(here), u, v, math.Sqrt(d))
				}
			}
		}
	}
}

// TestWatchFollowsSlidingYarn moves all control points along their yarns, little by little up to three segments: the
// loops stay as they are, and no crossing may be told.
func TestWatchFollowsSlidingYarn(t *testing.T) {
	for _, form := range []Form{Flat, Tube, Helix} {
		f := mustMake(t, mustParse(t, "basket 2x2"), Options{Wales: 12, Courses: 8, Form: form})
		laid, w := f.Points(), f.Watch()
		moved := slices.Clone(laid)
		for slide := 0.25; slide <= 3; slide += 0.25 {
			for y := range f.curves {
				c := &f.curves[y]
				for i := range c.count {
					moved[c.first+i], _, _ = c.eval(laid, float64(i)+slide)
				}
			}
			bad := w.Check(moved)
			bad = slices.DeleteFunc(bad, func(n int) bool { return nearEnd(f, &w.Crossings[n]) })
			if len(bad) > 0 {
				t.Errorf("%v: after sliding by %.2f segments %d crossings are told, the first %+v",
					form, slide, len(bad), w.Crossings[bad[0]])
			}
		}
	}
}

// nearEnd reports whether a crossing is so near to the end of an open yarn that the end has slid past it.
func nearEnd(f *Fabric, c *Crossing) bool {
	for _, p := range []Place{c.A, c.B} {
		if y := f.curveOf(p.Segment); !y.closed && (p.Segment < y.first+4 || p.Segment > y.last()-4) {
			return true
		}
	}
	return false
}

// TestWatchIgnoresMotion moves and bends the whole fabric, and shakes it by a tenth of a yarn diameter.
func TestWatchIgnoresMotion(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	f := mustMake(t, Seed(), Options{Wales: 14, Courses: 10})
	points, w := f.Points(), f.Watch()
	turn := r3.Rotation(r3.V(1, 2, -1).Unit(), 2.1)
	for i, p := range points {
		sin, cos := math.Sincos(p.X / 0.03)
		p = r3.V((0.03+p.Z)*sin, p.Y, (0.03+p.Z)*cos)
		shake := r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Scale(0.2 * 2 * radius / math.Sqrt(3))
		points[i] = turn.Rotate(p).Add(shake)
	}
	if bad := w.Check(points); len(bad) > 0 {
		t.Errorf("%d crossings are told, the first %+v", len(bad), w.Crossings[bad[0]])
	}
}

// TestWatchTellsEverySlip pulls one yarn through the other at every crossing in turn, by as much again as it was away.
func TestWatchTellsEverySlip(t *testing.T) {
	for _, pattern := range append([]string{"k8\np2 c4f k2"}, swatches...) {
		f := mustMake(t, mustParse(t, pattern), Options{Wales: 8, Courses: 6})
		laid := f.Points()
		for n, c := range f.Crossings {
			a, b := f.curveOf(c.A.Segment), f.curveOf(c.B.Segment)
			x, _, _ := a.eval(laid, a.parameter(c.A))
			y, _, _ := b.eval(laid, b.parameter(c.B))
			w, points, told := f.Watch(), slices.Clone(laid), false
			// The two points beside the crossing carry it: weights of the spline there are 1 and a little.
			for _, steps := range []float64{0.25, 0.5, 0.75, 1} {
				for k := range 2 {
					i := a.index(c.A.Segment - a.first + k)
					points[i] = laid[i].Add(y.Sub(x).Scale(2 * steps))
				}
				told = slices.Contains(w.Check(points), n) || told
			}
			if !told {
				t.Errorf("%s: crossing %d, %+v, slipped and was not told", pattern, n, c)
			}
		}
	}
}

func TestWatchWantsAllPoints(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a watch took too few points")
		}
	}()
	mustMake(t, Seed(), Options{Wales: 4, Courses: 2}).Watch().Check(nil)
}

// gauss sums the Gauss integral of two smooth closed lines point by point.
func gauss(a, b []r3.Vec) float64 {
	sum := 0.0
	for i, p := range a {
		for j, q := range b {
			dp := a[(i+1)%len(a)].Sub(a[(i+len(a)-1)%len(a)]).Scale(0.5)
			dq := b[(j+1)%len(b)].Sub(b[(j+len(b)-1)%len(b)]).Scale(0.5)
			d := p.Sub(q)
			sum += d.Dot(dp.Cross(dq)) / math.Pow(d.Norm(), 3)
		}
	}
	return sum / (4 * math.Pi)
}

func circle(center, x, y r3.Vec, n int) []r3.Vec {
	var points []r3.Vec
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		points = append(points, center.AddScaled(cos, x).AddScaled(sin, y))
	}
	return points
}

// TestLinkingOfRings compares with linking numbers that are known, and with half the sum of the signs of crossings.
func TestLinkingOfRings(t *testing.T) {
	ex, ey, ez := r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1)
	ring := circle(r3.Vec{}, ex, ey, 40)
	for _, c := range []struct {
		other []r3.Vec
		want  float64
	}{
		{circle(ex, ex, ez, 30), -1},
		{circle(ex, ex, ez.Neg(), 30), 1},
		{circle(ex.Scale(3), ex, ez, 30), 0},
		{circle(r3.Vec{}, ex.Scale(0.5), ey, 30), 0},
	} {
		if got := Linking(ring, c.other, true, true); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("linking number %v, want %v", got, c.want)
		}
		if got, back := Linking(ring, c.other, true, true), Linking(c.other, ring, true, true); math.Abs(got-back) > 1e-12 {
			t.Errorf("linking numbers %v one way and %v the other", got, back)
		}
		if got := gauss(ring, c.other); math.Abs(got-c.want) > 0.05 {
			t.Errorf("the integral point by point is %v, want %v", got, c.want)
		}
	}
	// A single crossing of two long lines: the Gauss integral is half its sign.
	a, b := []r3.Vec{ex.Scale(-1e6), ex.Scale(1e6)}, []r3.Vec{r3.V(0, -1e6, 1), r3.V(0, 1e6, 1)}
	both := append(slices.Clone(a), b...)
	s := search{both, &curve{0, 2, false}, &curve{2, 2, false}}
	if got, sign := Linking(a, b, false, false), s.sign(0.5, 0.5); math.Abs(got-0.5*float64(sign)) > 1e-5 {
		t.Errorf("Gauss integral %v of a crossing with the sign %d", got, sign)
	}
}

// TestLinkingOfCourses says that the linking number of two rings of a tube is zero, as the signs of their crossings add
// up, and is one half of the sum of all crossings for a ring and its life line.
func TestLinkingOfCourses(t *testing.T) {
	f := mustMake(t, mustParse(t, "rib 2x2"), Options{Wales: 8, Courses: 4, Form: Tube})
	points := f.Points()
	lines := make([][]r3.Vec, len(f.Yarns))
	for y := range lines {
		lines[y] = f.Polyline(points, y, 8)
	}
	for y := range lines {
		for z := range y {
			sum := 0
			for _, c := range f.Crossings {
				if f.curveOf(c.A.Segment) == &f.curves[z] && f.curveOf(c.B.Segment) == &f.curves[y] {
					sum += c.Sign
				}
			}
			if got := Linking(lines[z], lines[y], true, true); math.Abs(got-float64(sum)/2) > 1e-9 {
				t.Errorf("yarns %d and %d: linking number %v, crossings add up to %d", z, y, got, sum)
			}
		}
	}
}
