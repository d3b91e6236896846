package geom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// closestCases are corners of a point and a triangle, or of two edges: random, on a grid (many without extent,
// parallel or touching), needles, tiny, and far away.
func closestCase(r *rand.Rand, kind int) (x [4]r3.Vec, shape float64) {
	for i := range x {
		x[i] = randomPoint(r)
		if kind == 1 {
			x[i] = gridPoint(r, 1)
		}
	}
	thin := r3.V(1, math.Pow(10, -8*r.Float64()), math.Pow(10, -16*r.Float64()))
	for i := range x {
		switch kind {
		case 2:
			x[i] = r3.V(x[i].X*thin.X, x[i].Y*thin.Y, x[i].Z*thin.Z)
		case 3:
			x[i] = x[i].Scale(1e-9)
		case 4:
			x[i] = x[i].Scale(1e6)
		}
	}
	return x, sineBetween(x[2].Sub(x[1]), x[3].Sub(x[1]))
}

func sineBetween(u, v r3.Vec) float64 {
	if u == (r3.Vec{}) || v == (r3.Vec{}) {
		return 0
	}
	return u.Cross(v).Norm() / (u.Norm() * v.Norm())
}

// A point of a convex set is closest to p exactly when no corner lies beyond it, seen from p. The excess allowed
// is the rounding of the weights, some 10 roundings over the sine of the angle, and no more than that at which
// the border takes over; needles by the square root of skinny.
func TestClosestPointsAreClosest(t *testing.T) {
	r := source(21)
	seen := map[Feature]int{}
	for i := range 60_000 {
		x, sine := closestCase(r, i%5)
		p, a, b, c := x[0], x[1], x[2], x[3]
		size := max(p.Sub(a).Norm(), p.Sub(b).Norm(), p.Sub(c).Norm())
		allowed := 50 * roundoff / max(sine, 1e-6) * size * size

		w, on, dist2 := PointTriangle(p, a, b, c)
		seen[on]++
		foot := a.Scale(w.X).AddScaled(w.Y, b).AddScaled(w.Z, c)
		gap := p.Sub(foot)
		if min(w.X, w.Y, w.Z) < 0 || math.Abs(w.X+w.Y+w.Z-1) > 1e-15 {
			t.Fatalf("case %d: weights %v", i, w)
		}
		if math.Abs(gap.Norm()-math.Sqrt(dist2)) > 20*roundoff*(size+a.Norm()) {
			t.Fatalf("case %d: the distance %g is not that of the weights, %g", i, math.Sqrt(dist2), gap.Norm())
		}
		gap = p.Sub(a).AddScaled(-w.Y, b.Sub(a)).AddScaled(-w.Z, c.Sub(a))
		for _, corner := range []r3.Vec{a, b, c} {
			if excess := gap.Dot(corner.Sub(p).Add(gap)); excess > allowed {
				t.Fatalf("case %d: corner %v of %v is closer by %g, allowed %g", i, corner, x, excess, allowed)
			}
		}

		u, v, d2 := EdgeEdge(x[0], x[1], x[2], x[3])
		if !(u >= 0 && u <= 1 && v >= 0 && v <= 1) {
			t.Fatalf("case %d: parameters %v %v", i, u, v)
		}
		sine = sineBetween(x[1].Sub(x[0]), x[3].Sub(x[2]))
		size = max(x[0].Sub(x[2]).Norm(), x[0].Sub(x[3]).Norm(), x[1].Sub(x[2]).Norm(), x[1].Sub(x[3]).Norm())
		allowed = 50 * roundoff / max(sine, 1e-6) * size * size
		gap = x[0].Sub(x[2]).AddScaled(u, x[1].Sub(x[0])).AddScaled(-v, x[3].Sub(x[2]))
		if math.Abs(gap.Norm()-math.Sqrt(d2)) > 20*roundoff*size {
			t.Fatalf("case %d: the distance of the edges is not that of the parameters", i)
		}
		for _, corner := range []r3.Vec{x[0].Sub(x[2]), x[0].Sub(x[3]), x[1].Sub(x[2]), x[1].Sub(x[3])} {
			if excess := gap.Dot(gap.Sub(corner)); excess > allowed {
				t.Fatalf("case %d: edges %v are closer by %g, allowed %g", i, x, excess, allowed)
			}
		}
	}
	for f := Inside; f <= CornerC; f++ {
		if seen[f] < 500 {
			t.Errorf("feature %d came up only %d times", f, seen[f])
		}
	}
}

// Where the feature does not change, the squared distance d² has the gradient 2(p-x) by p and -2w(p-x) by a
// corner of weight w. Central differences err by the square of their step: a tenth of the step, a hundredth of
// the error.
func TestDistanceDerivatives(t *testing.T) {
	r := source(22)
	tested := 0
	for range 4000 {
		x, _ := closestCase(r, 0)
		dir := [4]r3.Vec{randomPoint(r), randomPoint(r), randomPoint(r), randomPoint(r)}
		w, on, _ := PointTriangle(x[0], x[1], x[2], x[3])
		gap := x[0].Sub(x[1].Scale(w.X).AddScaled(w.Y, x[2]).AddScaled(w.Z, x[3]))
		slope := 2 * gap.Dot(dir[0].AddScaled(-w.X, dir[1]).AddScaled(-w.Y, dir[2]).AddScaled(-w.Z, dir[3]))
		tested += compareSlopes(t, slope, func(h float64) (float64, bool) {
			_, o, d2 := PointTriangle(
				x[0].AddScaled(h, dir[0]),
				x[1].AddScaled(h, dir[1]),
				x[2].AddScaled(h, dir[2]),
				x[3].AddScaled(h, dir[3]),
			)
			return d2, o == on
		})

		u, v, _ := EdgeEdge(x[0], x[1], x[2], x[3])
		gap = x[0].Lerp(x[1], u).Sub(x[2].Lerp(x[3], v))
		slope = 2 * gap.Dot(dir[0].Lerp(dir[1], u).Sub(dir[2].Lerp(dir[3], v)))
		tested += compareSlopes(t, slope, func(h float64) (float64, bool) {
			s, q, d2 := EdgeEdge(
				x[0].AddScaled(h, dir[0]),
				x[1].AddScaled(h, dir[1]),
				x[2].AddScaled(h, dir[2]),
				x[3].AddScaled(h, dir[3]),
			)
			return d2, onBorder(s) == onBorder(u) && onBorder(q) == onBorder(v)
		})
	}
	if tested < 4000 {
		t.Errorf("only %d slopes tested", tested)
	}
}

func onBorder(s float64) float64 {
	if s == 0 || s == 1 {
		return s
	}
	return 0.5
}

// compareSlopes returns 1 if the function is smooth enough here for its slope to be compared.
func compareSlopes(t *testing.T, slope float64, f func(h float64) (value float64, smooth bool)) int {
	t.Helper()
	var err [2]float64
	for i, h := range []float64{1e-3, 1e-4} {
		plus, smooth := f(h)
		minus, too := f(-h)
		if !smooth || !too {
			return 0
		}
		err[i] = math.Abs((plus-minus)/(2*h) - slope)
	}
	if err[0] > 1e-2 {
		return 0 // third derivatives above 6e4: nearly parallel edges, needles
	}
	if rounding := 1e-11; err[1] > 0.02*err[0]+rounding {
		t.Fatalf("slope %g: errors %g at 1e-3, %g at 1e-4", slope, err[0], err[1])
	}
	return 1
}

func TestClosestPointsWithoutExtent(t *testing.T) {
	o, x := r3.V(1, 2, 3), r3.V(4, 2, 3)
	if s, d2 := PointEdge(x, o, o); s != 0 || d2 != 9 {
		t.Errorf("edge of no length: %v %v", s, d2)
	}
	if w, on, d2 := PointTriangle(x, o, o, o); w != r3.V(1, 0, 0) || on != CornerA || d2 != 9 {
		t.Errorf("triangle of no size: %v %v %v", w, on, d2)
	}
	if _, _, d2 := EdgeEdge(o, o, x, x); d2 != 9 {
		t.Errorf("two points: %v", d2)
	}
	if s, q, d2 := EdgeEdge(
		r3.V(0, 0, 0),
		r3.V(4, 0, 0),
		r3.V(1, 3, 0),
		r3.V(3, 3, 0),
	); d2 != 9 || s != 0.25 ||
		q != 0 {
		t.Errorf("parallel edges: %v %v %v", s, q, d2)
	}
}

func ExamplePointTriangle() {
	w, on, d2 := PointTriangle(r3.V(0.25, 0.25, 2), r3.V(0, 0, 0), r3.V(1, 0, 0), r3.V(0, 1, 0))
	fmt.Println(w, on == Inside, d2)
	// Output: {0.5 0.25 0.25} true 4
}

// A9: if all corners keep a distance h from a sphere of radius r, edges up to 2√(2rh+h²) cannot enter it, as
// their middle is at least √((r+h)²-(l/2)²) from its centre; nor can triangles with edges up to √3·√(2rh+h²),
// because no point of a triangle is farther than l/√3 from the nearest corner. Both bounds are sharp.
func TestSphereBound(t *testing.T) {
	r := source(23)
	cases := 100_000
	if testing.Short() {
		cases = 20_000
	}
	if full() {
		cases = 1_000_000
	}
	nearest := math.Inf(1)
	for i := range cases {
		radius, h := 0.1+r.Float64(), math.Pow(10, -4*r.Float64())
		leg := math.Sqrt(2*radius*h + h*h)
		face := shellTriangle(r, radius+h, math.Sqrt(3)*leg)
		_, _, d2 := PointTriangle(r3.Vec{}, face[0], face[1], face[2])
		_, e2 := PointEdge(r3.Vec{}, face[0], farEnd(r, face[0], radius+h, 2*leg))
		nearest = min(nearest, math.Sqrt(d2)/radius, math.Sqrt(e2)/radius)
		if math.Sqrt(min(d2, e2)) < radius*(1-1e-12) {
			t.Fatalf("case %d: radius %g, gap %g: entered to %g and %g", i, radius, h, math.Sqrt(d2), math.Sqrt(e2))
		}
		// Sharpness: the equilateral triangle and the chord, 1.001 times the bound, corners at r + h.
		over := equilateral(r, radius+h, 1.001*math.Sqrt(3)*leg)
		_, _, d2 = PointTriangle(r3.Vec{}, over[0], over[1], over[2])
		_, e2 = PointEdge(r3.Vec{}, over[0], farEnd(r, over[0], radius+h, 1.001*2*leg))
		if math.Sqrt(max(d2, e2)) >= radius {
			t.Fatalf("case %d: radius %g, gap %g: 1.001 times the bound does not enter", i, radius, h)
		}
	}
	t.Logf("%d triangles and edges: nearest to the centre %.15g radii", cases, nearest)
}

// equilateral returns a triangle with that edge, at random turned, its corners on the sphere of radius out.
func equilateral(r *rand.Rand, out, edge float64) [3]r3.Vec {
	n := randomPoint(r).Unit()
	u := n.Orthogonal()
	v := n.Cross(u)
	circle := edge / math.Sqrt(3)
	height := math.Sqrt(max(0, out*out-circle*circle))
	var x [3]r3.Vec
	for i := range x {
		sin, cos := math.Sincos(2 * math.Pi / 3 * float64(i))
		x[i] = n.Scale(height).AddScaled(circle*cos, u).AddScaled(circle*sin, v)
	}
	return x
}

// shellTriangle returns a triangle with edges up to the given one and corners at or outside the sphere: half of
// them equilateral at the bound.
func shellTriangle(r *rand.Rand, out, edge float64) [3]r3.Vec {
	x := equilateral(r, out, edge)
	if r.IntN(2) == 0 {
		return x
	}
	for {
		moved := x
		for i := range moved {
			moved[i] = moved[i].AddScaled(edge*r.Float64(), randomPoint(r))
			if short := out / moved[i].Norm(); short > 1 {
				moved[i] = moved[i].Scale(short)
			}
		}
		if max(moved[0].Sub(moved[1]).Norm(), moved[1].Sub(moved[2]).Norm(), moved[2].Sub(moved[0]).Norm()) <= edge {
			return moved
		}
	}
}

// farEnd returns the other end of a chord of that length, from a point on the sphere of radius out.
func farEnd(r *rand.Rand, from r3.Vec, out, length float64) r3.Vec {
	n := from.Unit()
	side := n.Cross(randomPoint(r)).Unit()
	sin := length / (2 * out)
	return from.AddScaled(-length*sin, n).AddScaled(length*math.Sqrt(max(0, 1-sin*sin)), side)
}

func BenchmarkClosest(b *testing.B) {
	r := source(24)
	var sets [1024][4]r3.Vec
	for i := range sets {
		sets[i], _ = closestCase(r, 0)
	}
	sum := 0.0
	b.Run("PointTriangle", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			x := &sets[i&1023]
			_, _, d2 := PointTriangle(x[0], x[1], x[2], x[3])
			sum += d2
		}
	})
	b.Run("EdgeEdge", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			x := &sets[i&1023]
			_, _, d2 := EdgeEdge(x[0], x[1], x[2], x[3])
			sum += d2
		}
	})
	if math.IsNaN(sum) {
		b.Fatal()
	}
}

// No point of an edge is nearer to the triangle than they are, and one is as near.
func TestEdgeTriangle(t *testing.T) {
	const samples = 2000
	rng := rand.New(rand.NewPCG(7, 39))
	point := func() r3.Vec { return r3.V(rng.Float64(), rng.Float64(), rng.Float64()) }
	through := 0
	for range 200 {
		a, b, f := point(), point(), [3]r3.Vec{point(), point(), point()}
		got, least := math.Sqrt(EdgeTriangle(a, b, &f)), math.Inf(1)
		for k := range samples + 1 {
			_, _, d2 := PointTriangle(a.Lerp(b, float64(k)/samples), f[0], f[1], f[2])
			least = min(least, math.Sqrt(d2))
		}
		if got > least+1e-12 || got < least-b.Sub(a).Norm()/samples {
			t.Errorf("%g, and by samples %g", got, least)
		}
		if got == 0 {
			through++
		}
	}
	if through == 0 || through == 200 {
		t.Errorf("%d of 200 edges go through", through)
	}
}
