package shape

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// The curvature of a shape against second differences of its distance: at a distance d outside of a surface of radius
// r, the distance bends by 1/(r+d) across the direction in which it is straight and not at all along it. Points next to
// edges, where that jumps, are left out.
func TestCurvature(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	tilted := r3.Pose{R: r3.Rotation(r3.V(1, 2, 3).Unit(), 0.7), T: r3.V(0.1, -0.2, 0.3)}
	for _, f := range []Field{
		Sphere{Radius: 0.3},
		Capsule{Radius: 0.2, Half: 0.4},
		Cylinder{Radius: 0.3, Half: 0.4},
		Cone{Radius: 0.5, Height: 0.8},
		Box{Half: r3.V(0.2, 0.3, 0.4)},
		Plane{Normal: r3.V(0.6, 0, 0.8)},
		Placed{Shape: Cylinder{Radius: 0.3, Half: 0.4}, Pose: tilted},
		Placed{Shape: Sphere{Radius: 0.1}, Pose: tilted},
	} {
		if !IsConvex(f) {
			t.Errorf("%T is not known to be convex", f)
		}
		checked := 0
		for range 2000 {
			x := r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(0.6)
			d, n := f.Distance(x)
			const h = 1e-3
			radius, across := CurvatureAt(f, x)
			if d < 0.01 {
				continue
			}
			straight := across != r3.Vec{}
			if !straight {
				across = n.Orthogonal()
			}
			along := n.Cross(across).Unit()
			smooth := true
			for _, u := range []r3.Vec{along, across, across.Add(along).Unit(), across.Sub(along).Unit()} {
				for _, e := range []float64{h, -h} {
					r, v := CurvatureAt(f, x.AddScaled(e, u))
					smooth = smooth && math.IsInf(r, 1) == math.IsInf(radius, 1) && (v != r3.Vec{}) == straight
				}
			}
			foot := x.AddScaled(-d, n)
			for _, u := range []r3.Vec{{}, along, across, along.Neg(), across.Neg()} { // around an edge the distance bends otherwise
				_, near := f.Distance(foot.AddScaled(3*h, u).AddScaled(-1e-6, n))
				smooth = smooth && near.Sub(n).Norm() < 0.1
			}
			if !smooth {
				continue
			}
			bend := func(u r3.Vec) float64 {
				a, _ := f.Distance(x.AddScaled(h, u))
				b, _ := f.Distance(x.AddScaled(-h, u))
				return (a - 2*d + b) / (h * h)
			}
			want := 1 / (radius + d)
			if got := bend(along); math.Abs(got-want) > 0.02*want+1e-4 {
				t.Fatalf("%T at %v: bends by %g along %v, want %g", f, x, got, along, want)
			}
			if got := bend(
				across,
			); straight && math.Abs(got) > 1e-4 ||
				!straight && math.Abs(got-want) > 0.02*want+1e-4 {
				t.Fatalf("%T at %v: bends by %g across", f, x, got)
			}
			checked++
		}
		if checked < 100 {
			t.Errorf("%T: only %d points", f, checked)
		}
	}
}
