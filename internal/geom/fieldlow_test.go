package geom_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// TestLowestPoints: no point of a fine grid on random segments and triangles around shapes is lower than what was
// found, and what was found is a point of them. Some of them lie flat on a side, touch an edge or go through a corner.
func TestLowestPoints(t *testing.T) {
	shapes := []geom.Field{
		shape.Sphere{Radius: 0.1},
		shape.Capsule{Radius: 0.05, Half: 0.1},
		shape.Cylinder{Radius: 0.1, Half: 0.1},
		shape.Cone{Radius: 0.1, Height: 0.2},
		shape.Box{Half: r3.V(0.1, 0.05, 0.15)},
		shape.Plane{Normal: r3.V(0, 0.6, 0.8)},
		shape.Placed{Shape: shape.Sphere{Radius: 0.03}, Pose: r3.Translation(r3.V(0.1, 0, 0))},
	}
	const close, cells = 1e-7, 40
	rng := rand.New(rand.NewPCG(7, 7))
	point := func() r3.Vec { return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(0.15) }
	inside := 0
	for k := range 8000 {
		f := shapes[k%len(shapes)]
		a, b, c := point(), point(), point()
		if k%5 == 0 { // on the surface, or at edges
			a, b = geom.ClosestOn(f, a), geom.ClosestOn(f, b)
		}
		if k%15 == 0 {
			c = geom.ClosestOn(f, c)
		}
		if k%7 == 0 {
			a.X, b.X = 0.1, 0.1
		}
		triangle := geom.LowestOnTriangle(f, a, b, c, math.Inf(1), close)
		if below := geom.BelowTriangle(f, a, b, c); below > triangle.D+1e-12 {
			t.Fatalf("%T: nothing is below %g, it was said, but %g is", f, below, triangle.D)
		}
		segment, _ := geom.LowestOnSegment(f, a, b, math.Inf(1), close)
		for _, l := range []geom.Low{segment, triangle} {
			d, n := f.Distance(blendAll(l.W, a, b, c))
			if math.Abs(d-l.D) > 1e-12 || n.Sub(l.N).Norm() > 1e-6 && math.Abs(d) > 1e-9 && k%len(shapes) < 2 {
				t.Fatalf("%T: distance %g and normal %v at the point, %g and %v were said", f, d, n, l.D, l.N)
			}
			if min(l.W.X, l.W.Y, l.W.Z) < -1e-12 || math.Abs(l.W.X+l.W.Y+l.W.Z-1) > 1e-12 {
				t.Fatalf("%T: weights %v", f, l.W)
			}
		}
		if min(triangle.W.X, triangle.W.Y, triangle.W.Z) > 1e-3 {
			inside++
		}
		at := blendAll(triangle.W, a, b, c)
		for range 20 {
			x := point()
			if d, _ := f.Distance(x); d < triangle.D-1.01*close+triangle.Tangent.Dot(x.Sub(at))-1e-12 {
				t.Fatalf(
					"%T: the tangent is %g at a place with the distance %g",
					f,
					triangle.D+triangle.Tangent.Dot(x.Sub(at)),
					d,
				)
			}
		}
		if slope := min(
			triangle.Tangent.Dot(a.Sub(at)),
			triangle.Tangent.Dot(b.Sub(at)),
			triangle.Tangent.Dot(c.Sub(at)),
		); slope < -1.2*close {
			t.Fatalf("%T: the tangent falls by %g in the triangle", f, -slope)
		}
		for i := range cells + 1 {
			for j := range cells + 1 - i {
				w := r3.V(float64(cells-i-j), float64(i), float64(j)).Scale(1. / cells)
				d, _ := f.Distance(blendAll(w, a, b, c))
				if j == 0 && d < segment.D-2*close {
					t.Fatalf("%T: %g at %v of a segment, %g was found", f, d, w, segment.D)
				}
				if d < triangle.D-2*close {
					t.Fatalf("%T: %g at %v of a triangle, %g was found at %v", f, d, w, triangle.D, triangle.W)
				}
			}
		}
		if far := geom.LowestOnTriangle(f, a, b, c, triangle.D-0.01, close); far.D < triangle.D-2*close && triangle.D > 0 {
			t.Fatalf("%T: %g is below %g", f, far.D, triangle.D)
		}
	}
	if inside < 300 {
		t.Errorf("only %d lowest points are inside of their triangles", inside)
	}
}

func blendAll(w, a, b, c r3.Vec) r3.Vec { return a.Scale(w.X).AddScaled(w.Y, b).AddScaled(w.Z, c) }
