package remesh

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// How deep triangles go into shapes is found to what was asked for: no sample of them is deeper, and one is as deep.
func TestDepth(t *testing.T) {
	shapes := []geom.Field{
		shape.Sphere{Radius: 0.03},
		shape.Capsule{Radius: 0.01, Half: 0.03},
		shape.Capsule{Half: 0.03},
		shape.Box{Half: r3.V(0.01, 0.02, 0.03)},
		shape.Cylinder{Radius: 0.02, Half: 0.01},
		shape.Cone{Radius: 0.02, Height: 0.04},
	}
	rng := rand.New(rand.NewPCG(1, 39))
	point := func(size float64) r3.Vec {
		return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(size)
	}
	const close = 1e-9
	for i := range 300 {
		turn := r3.Rotation(point(1), 3*rng.Float64())
		f := shape.Placed{Shape: shapes[i%len(shapes)], Pose: r3.Pose{R: turn, T: point(0.02)}}
		y := [3]r3.Vec{point(0.04), point(0.04), point(0.04)}
		got, least := depth(f, &y, math.Inf(1), close), math.Inf(1)
		const n = 200
		longest := math.Sqrt(max(y[0].Sub(y[1]).Norm2(), y[1].Sub(y[2]).Norm2(), y[2].Sub(y[0]).Norm2()))
		for i := range n + 1 {
			for j := range n + 1 - i {
				a, b := float64(i)/n, float64(j)/n
				d, _ := f.Distance(y[0].Scale(1-a-b).AddScaled(a, y[1]).AddScaled(b, y[2]))
				least = min(least, d)
			}
		}
		// Nowhere on the triangle is a sample farther than this, and distances change no faster than places.
		if round, apart := close+1e-15, longest/n; got > least+round || got < least-round-apart {
			t.Errorf("%T: %g m, and by samples %g m", f.Shape, got, least)
		}
	}
}

// tent returns a pyramid with a square base of 0.2 m and its tip at a height, and the number of the tip.
func tent(height float64) (*Sheet, int32) {
	m, x := shape.GridOf(shape.Crossed, 0.2, 0.2, 1, 1, 1)
	tip := int32(-1)
	for i := range x {
		if x[i].Sub(r3.V(0.1, 0.1, 0)).Norm() < 1e-12 {
			tip, x[i].Z = int32(i), height
		}
	}
	return still(m, x), tip
}

// The tip of a tent is not taken away above something that is smaller than its triangles and crosses neither the tent
// nor its floor; it is if there is nothing, or if that is below.
func TestNothingIsPassedOver(t *testing.T) {
	small, tri := shape.Box{Half: r3.V(0.002, 0.002, 0.002)}.Mesh()
	placed := func(f geom.Field, z float64) *Surroundings {
		at := shape.Placed{Shape: f, Pose: r3.Translation(r3.V(0.1, 0.1, z))}
		return &Surroundings{Thickness: 1e-3, Fields: []geom.Field{at}}
	}
	for name, around := range map[string]func(z float64) *Surroundings{
		"ball":    func(z float64) *Surroundings { return placed(shape.Sphere{Radius: 0.002}, z) },
		"capsule": func(z float64) *Surroundings { return placed(shape.Capsule{Radius: 0.001, Half: 0.003}, z) },
		"box":     func(z float64) *Surroundings { return placed(shape.Box{Half: r3.V(0.002, 0.002, 0.002)}, z) },
		"mesh": func(z float64) *Surroundings {
			x := make([]r3.Vec, len(small))
			for i := range x {
				x[i] = small[i].Add(r3.V(0.1, 0.1, z))
			}
			return &Surroundings{Thickness: 1e-3, Surfaces: []Surface{{X: x, Tri: tri}}}
		},
	} {
		for _, z := range []float64{-0.02, 0.02, 0.08} {
			s, tip := tent(0.05)
			var r Remesher
			c := start(&r, s, around(z))
			c.star = c.edit.Star(tip, c.star)
			side := 3*(c.star[0]/3) + (c.star[0]%3+2)%3
			want := allowed
			if z == 0.02 {
				want = crossing
			}
			if got := c.collapse(tip, side, false); got != want {
				t.Errorf("%s at %g m: %d, want %d", name, z, got, want)
			}
		}
	}
}

// A vertex that is born inside of a ball is put outside, but not through what is there: then it stays.
func TestLift(t *testing.T) {
	const height = 4e-3 // of the ball above the sheet
	ball := shape.Placed{Shape: shape.Sphere{Radius: 0.05}, Pose: r3.Translation(r3.V(0.1, 0.1, height-0.05))}
	for _, lid := range []float64{0.02, height / 2} {
		m, x := shape.Grid(0.2, 0.2, 1, 1) // its only inner edge goes through the ball
		s := still(m, x)
		plate, at := shape.Grid(1, 1, 1, 1)
		for i := range at {
			at[i] = at[i].Add(r3.V(-0.4, -0.4, lid))
		}
		around := &Surroundings{Thickness: 1e-3, Fields: []geom.Field{ball}, Surfaces: []Surface{{X: at, Tri: plate.Tri}}}
		blocked := lid < height
		opt := DefaultOptions()
		opt.Max, opt.Min, opt.Contact = 0.03, 0.02, NoContact
		fresh := s.NextUID
		var r Remesher
		r.Remesh(nil, s, around, &opt)
		lifted, inside := 0, 0
		for v, id := range s.UID {
			switch d, _ := ball.Distance(s.X[v]); {
			case id < fresh:
			case math.Abs(d-afloat*around.Thickness) < 1e-12:
				lifted++
			case d < 0:
				inside++
			}
		}
		for _, f := range s.Mesh.Tri {
			p := [3]r3.Vec{s.X[f[0]], s.X[f[1]], s.X[f[2]]}
			for _, g := range plate.Tri {
				if geom.Triangles(p, [3]r3.Vec{at[g[0]], at[g[1]], at[g[2]]}) {
					t.Error("a vertex was lifted through a plate")
				}
			}
		}
		t.Logf("plate at %g m: %d lifted, %d inside", lid, lifted, inside)
		if !blocked && (lifted == 0 || inside > 0) || blocked && inside == 0 {
			t.Errorf("plate at %g m: %d vertices lifted, %d left inside", lid, lifted, inside)
		}
	}
}

// roomy is a shape in a box that is far too large for it on one side.
type roomy struct{ shape.Sphere }

func (s roomy) Bounds() r3.Box { return s.Sphere.Bounds().With(r3.V(1, 0, 0)) }

// The middle of the box around a shape is one of its points only if it is inside.
func TestCoresAreInside(t *testing.T) {
	ball := shape.Sphere{Radius: 0.1}
	g := guard{fields: []geom.Field{roomy{ball}, ball, shape.Plane{Normal: r3.V(0, 0, 1)}}}
	g.findCores()
	if len(g.cores) != 1 || g.cores[0] != (core{1, r3.Vec{}}) {
		t.Errorf("points inside: %v", g.cores)
	}
}
