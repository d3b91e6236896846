package shape

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// solid is a shape with what a test knows about it by other means.
type solid struct {
	name    string
	field   Field
	inside  func(x r3.Vec) bool
	surface func(r *rand.Rand) r3.Vec // a point of the surface
}

func disk(r *rand.Rand, radius float64) (x, y float64) {
	a, q := 2*math.Pi*r.Float64(), radius*math.Sqrt(r.Float64())
	return q * math.Cos(a), q * math.Sin(a)
}

func circle(r *rand.Rand, radius float64) (x, y float64) {
	a := 2 * math.Pi * r.Float64()
	return radius * math.Cos(a), radius * math.Sin(a)
}

func randomDirection(r *rand.Rand) r3.Vec {
	return r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit()
}

func symmetric(r *rand.Rand) float64 { return 2*r.Float64() - 1 }

// solids lists the shapes of about unit size.
func solids() []solid {
	normal := r3.V(1, 2, -2).Scale(1. / 3)
	list := []solid{
		{
			"plane",
			Plane{r3.V(0.1, 0.2, 0.3), normal},
			func(x r3.Vec) bool { return x.Sub(r3.V(0.1, 0.2, 0.3)).Dot(normal) < 0 },
			func(r *rand.Rand) r3.Vec {
				a := normal.Orthogonal()
				return r3.V(0.1, 0.2, 0.3).AddScaled(3*symmetric(r), a).AddScaled(3*symmetric(r), normal.Cross(a))
			},
		},
		{
			"sphere",
			Sphere{0.7},
			func(x r3.Vec) bool { return x.Norm2() < 0.49 },
			func(r *rand.Rand) r3.Vec { return randomDirection(r).Scale(0.7) },
		},
		{
			"capsule",
			Capsule{0.4, 0.6},
			func(x r3.Vec) bool {
				z := max(math.Abs(x.Z)-0.6, 0)
				return x.X*x.X+x.Y*x.Y+z*z < 0.16
			},
			func(r *rand.Rand) r3.Vec {
				if r.IntN(2) == 0 {
					x, y := circle(r, 0.4)
					return r3.V(x, y, 0.6*symmetric(r))
				}
				x := randomDirection(r).Scale(0.4)
				x.Z += math.Copysign(0.6, x.Z)
				return x
			},
		},
		{
			"box",
			Box{r3.V(0.5, 0.7, 0.3)},
			func(x r3.Vec) bool { return math.Abs(x.X) < 0.5 && math.Abs(x.Y) < 0.7 && math.Abs(x.Z) < 0.3 },
			func(r *rand.Rand) r3.Vec {
				x := [3]float64{symmetric(r), symmetric(r), symmetric(r)}
				k := r.IntN(3)
				x[k] = math.Copysign(1, x[k])
				return r3.V(0.5*x[0], 0.7*x[1], 0.3*x[2])
			},
		},
		{
			"cylinder",
			Cylinder{0.6, 0.5},
			func(x r3.Vec) bool { return x.X*x.X+x.Y*x.Y < 0.36 && math.Abs(x.Z) < 0.5 },
			func(r *rand.Rand) r3.Vec {
				if r.IntN(2) == 0 {
					x, y := circle(r, 0.6)
					return r3.V(x, y, 0.5*symmetric(r))
				}
				x, y := disk(r, 0.6)
				return r3.V(x, y, math.Copysign(0.5, symmetric(r)))
			},
		},
	}
	for _, c := range []Cone{{0.6, 0.9}, {0.9, 0.2}, {0.2, 1}} {
		list = append(list, solid{
			fmt.Sprintf("cone %g %g", c.Radius, c.Height), c,
			func(x r3.Vec) bool {
				return x.Z > 0 && x.Z < c.Height && math.Hypot(x.X, x.Y) < c.Radius*(1-x.Z/c.Height)
			},
			func(r *rand.Rand) r3.Vec {
				if r.IntN(3) == 0 {
					x, y := disk(r, c.Radius)
					return r3.V(x, y, 0)
				}
				q := math.Sqrt(r.Float64())
				x, y := circle(r, q*c.Radius)
				return r3.V(x, y, (1-q)*c.Height)
			},
		})
	}
	for _, s := range list { // each of them moved, too
		pose := r3.Pose{R: r3.Rotation(r3.V(1, -2, 3).Unit(), 1.1), T: r3.V(0.2, -0.3, 0.1)}
		back := pose.Inverse()
		list = append(list, solid{
			"placed " + s.name,
			Placed{s.field, pose},
			func(x r3.Vec) bool { return s.inside(back.Apply(x)) },
			func(r *rand.Rand) r3.Vec { return pose.Apply(s.surface(r)) },
		})
	}
	return list
}

func eachSolid(t *testing.T, test func(t *testing.T, s solid, r *rand.Rand)) {
	for k, s := range solids() {
		t.Run(s.name, func(t *testing.T) { test(t, s, rand.New(rand.NewPCG(7, uint64(k)))) })
	}
}

func around(r *rand.Rand) r3.Vec { return r3.V(symmetric(r), symmetric(r), symmetric(r)).Scale(1.5) }

// TestFieldIsExact: the nearest point is on the surface, for just beyond it inside and outside change,
// and no point of the surface is nearer. The sign is that of the definition of the inside.
func TestFieldIsExact(t *testing.T) {
	const rounding = 1e-14
	eachSolid(t, func(t *testing.T, s solid, r *rand.Rand) {
		surface := make([]r3.Vec, 3000)
		for i := range surface {
			surface[i] = s.surface(r)
			if d, _ := s.field.Distance(surface[i]); math.Abs(d) > rounding {
				t.Fatalf("a point of the surface is at %g", d)
			}
		}
		in := 0
		for k := range 1000 {
			x := around(r)
			if k%2 == 0 { // the shapes are convex
				x = s.surface(r).Lerp(s.surface(r), r.Float64())
			}
			d, n := s.field.Distance(x)
			if math.Abs(n.Norm()-1) > rounding {
				t.Fatalf("|n| = %v at %v", n.Norm(), x)
			}
			if math.Abs(d) > rounding && s.inside(x) != (d < 0) {
				t.Fatalf("d = %g at %v, inside %v", d, x, s.inside(x))
			}
			if d < 0 {
				in++
			}
			p := closestOn(s.field, x)
			if s.inside(p.AddScaled(1e-9, n)) || !s.inside(p.AddScaled(-1e-9, n)) && d < 0 {
				t.Fatalf("the surface is not at %v, nearest to %v, n %v", p, x, n)
			}
			if e, _ := s.field.Distance(p); math.Abs(e) > rounding {
				t.Fatalf("the nearest point to %v is %g off the surface", x, e)
			}
			for _, y := range surface {
				if y.Sub(x).Norm() < math.Abs(d)-rounding {
					t.Fatalf("%v is nearer to %v than |%g|: %g", y, x, d, y.Sub(x).Norm())
				}
			}
			if b := s.field.Bounds(); s.inside(x) && !b.Contains(x) {
				t.Fatalf("%v is inside but out of bounds %v", x, b)
			}
		}
		if in < 100 {
			t.Errorf("only %d points were inside", in)
		}
	})
}

// TestFieldGradient compares n with central differences. Where the distance is twice differentiable the
// error falls with h²; where a border of two smooth regions lies within h, with h, for n is continuous
// there; at a crease, where n jumps, no comparison is made, and those must be few.
func TestFieldGradient(t *testing.T) {
	eachSolid(t, func(t *testing.T, s solid, r *rand.Rand) {
		const tries = 2000
		creases, kinks := 0, 0
		for k := range tries {
			x := around(r)
			if k%2 == 0 {
				x = s.surface(r).Lerp(s.surface(r), r.Float64())
			}
			d, n := s.field.Distance(x)
			if math.Abs(d) < 0.02 {
				continue // too curved beyond edges
			}
			if nearCrease(s.field, x, n, 2e-3) {
				creases++
				continue
			}
			var errs [2]float64
			for k, h := range []float64{1e-3, 1e-4} {
				g := r3.V(
					slope(s.field, x, r3.V(h, 0, 0)),
					slope(s.field, x, r3.V(0, h, 0)),
					slope(s.field, x, r3.V(0, 0, h)),
				)
				errs[k] = g.Sub(n).Norm()
				// Radii of curvature are above 0.02 here: |d''| < 50, |d'''| < 2·50².
				if errs[k] > 50*h {
					t.Fatalf("gradient %v, n %v at %v", g, n, x)
				}
			}
			if errs[0] > 1e-8 && errs[1] > errs[0]/50 {
				kinks++
			}
		}
		if creases > tries/4 || kinks > tries/50 {
			t.Errorf("%d creases and %d kinks in %d points", creases, kinks, tries)
		}
	})
}

func slope(f Field, x, h r3.Vec) float64 {
	a, _ := f.Distance(x.Add(h))
	b, _ := f.Distance(x.Sub(h))
	return (a - b) / (2 * h.Norm())
}

func nearCrease(f Field, x, n r3.Vec, h float64) bool {
	for k := range 8 {
		y := x.Add(r3.V(h*float64(k&1*2-1), h*float64(k>>1&1*2-1), h*float64(k>>2&1*2-1)))
		if _, m := f.Distance(y); m.Dot(n) < 0.9 {
			return true
		}
	}
	return false
}

// TestFieldIsContinuous: a signed distance never changes by more than the way walked, across creases too.
func TestFieldIsContinuous(t *testing.T) {
	eachSolid(t, func(t *testing.T, s solid, r *rand.Rand) {
		for range 20000 {
			x := around(r)
			if r.IntN(2) == 0 { // the shapes' own creases: axes, medial planes, edges' planes
				x = creasePoint(s.field, r)
			}
			step := randomDirection(r).Scale(math.Pow(10, -9*r.Float64()))
			a, _ := s.field.Distance(x)
			b, _ := s.field.Distance(x.Add(step))
			if math.Abs(a-b) > step.Norm()+1e-15 {
				t.Fatalf("d is %v at %v and %v at %g from it", a, x, b, step.Norm())
			}
		}
	})
}

// creasePoint returns a point with some coordinates at special values, in the shape's own frame.
func creasePoint(f Field, r *rand.Rand) r3.Vec {
	special := []float64{0, 0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9, 1, 1e-300, 5e-324, 1e-12}
	c := func() float64 {
		if r.IntN(3) == 0 {
			return symmetric(r)
		}
		return math.Copysign(special[r.IntN(len(special))], symmetric(r))
	}
	x := r3.V(c(), c(), c())
	if p, ok := f.(Placed); ok {
		return p.Pose.Apply(x)
	}
	return x
}

func TestFieldNeverNaN(t *testing.T) {
	eachSolid(t, func(t *testing.T, s solid, r *rand.Rand) {
		for k := range 20000 {
			x := creasePoint(s.field, r)
			if k%10 == 0 {
				x = x.Scale(1e160) // squares overflow
			}
			d, n := s.field.Distance(x)
			if math.IsNaN(d) || math.IsInf(d, 0) || !(math.Abs(n.Norm()-1) < 1e-14) {
				t.Fatalf("d %v, n %v at %v", d, n, x)
			}
		}
	})
}

// TestFieldTies holds the shapes to the rules they state.
func TestFieldTies(t *testing.T) {
	x, z := r3.V(1, 0, 0), r3.V(0, 0, 1)
	slant := r3.V(4, 0, 3).Scale(0.2)
	for _, c := range []struct {
		f    Field
		x    r3.Vec
		d    float64
		n    r3.Vec
		name string
	}{
		{Sphere{2}, r3.Vec{}, -2, z, "centre"},
		{Capsule{2, 1}, r3.V(0, 0, 0.5), -2, x, "on the segment"},
		{Capsule{2, 1}, r3.V(0, 0, 1), -2, x, "end of the segment"},
		{Capsule{2, 0}, r3.V(0, 0, 3), 1, z, "a sphere"},
		{Box{r3.V(1, 1, 1)}, r3.Vec{}, -1, x, "centre of a cube"},
		{Box{r3.V(1, 2, 1)}, r3.V(1, 2, 1), 0, x, "corner"},
		{Box{r3.V(3, 2, 1)}, r3.V(0, 0, 0), -1, z, "medial plane"},
		{Box{r3.V(3, 2, 1)}, r3.V(0, 6, 4), 5, r3.V(0, 0.8, 0.6), "beyond an edge"},
		{Cylinder{1, 1}, r3.Vec{}, -1, x, "centre"},
		{Cylinder{2, 1}, r3.Vec{}, -1, z, "flat centre"},
		{Cylinder{2, 1}, r3.V(2, 0, 1), 0, x, "rim"},
		{Cylinder{2, 1}, r3.V(5, 0, -5), 5, r3.V(0.6, 0, -0.8), "beyond the rim"},
		{Cone{3, 4}, r3.V(0, 0, 4), 0, slant, "apex"},
		{Cone{3, 4}, r3.V(3, 0, 0), 0, slant, "rim"},
		{Cone{3, 4}, r3.V(0, 0, 2), -1.2, slant, "on the axis"},
		{Cone{3, 4}, r3.V(0, 0, 6), 2, z, "above the apex"},
		{Cone{3, 4}, r3.V(0, 0, -1), 1, z.Neg(), "below the base"},
		{Cone{3, 4}, r3.V(0, 6, -4), 5, r3.V(0, 0.6, -0.8), "beyond the rim"},
		{Cone{3, 4}, r3.V(7, 0, 3), 5, slant, "beside the wall"},
	} {
		d, n := c.f.Distance(c.x)
		if math.Abs(d-c.d) > 1e-15 || n.Sub(c.n).Norm() > 1e-15 {
			t.Errorf("%T, %s: %v, %v, want %v, %v", c.f, c.name, d, n, c.d, c.n)
		}
	}
}

func TestAlong(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	a := r3.V(0.3, -0.2, 0.5)
	ends := []r3.Vec{a, a.Add(r3.V(0, 0, 2)), a.Sub(r3.V(0, 0, 2)), a.Add(r3.V(1e-9, 0, -2)), a.Add(r3.V(0, 1e-5, -1))}
	for range 100 {
		ends = append(ends, a.Add(randomDirection(r)))
	}
	for _, b := range ends {
		half := b.Sub(a).Norm() / 2
		p := Along(a, b)
		if e := p.Apply(r3.V(0, 0, half)).Sub(b).Norm(); e > 1e-15 {
			t.Errorf("from %v to %v misses by %g", a, b, e)
		}
		if e := p.Apply(r3.V(0, 0, -half)).Sub(a).Norm(); e > 1e-15 {
			t.Errorf("from %v to %v begins %g away", a, b, e)
		}
	}
}

func BenchmarkField(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	points := make([]r3.Vec, 1024)
	for i := range points {
		points[i] = around(r)
	}
	for _, s := range solids() {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			i, sum := 0, 0.0
			for b.Loop() {
				d, n := s.field.Distance(points[i&1023])
				sum += d + n.X
				i++
			}
			if math.IsNaN(sum) {
				b.Fatal("NaN")
			}
		})
	}
}

// closestOn returns the point of a surface that is nearest to x.
func closestOn(f Field, x r3.Vec) r3.Vec {
	d, n := f.Distance(x)
	return x.AddScaled(-d, n)
}
