package smooth

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// ball is a sphere of radius 1 in 20 · 4ⁿ triangles.
func ball(n int) (x []r3.Vec, tri [][3]int32) {
	s, _, onSkin := shape.Ball(1, 1<<n).SkinFirst()
	return s.X[:onSkin], s.Skin()
}

func direction(rng *rand.Rand) r3.Vec {
	return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit()
}

var kinds = map[string]Options{
	"cubic":                {},
	"wide cubic":           {Spread: 2},
	"interpolating":        {Kernel: Interpolating},
	"interpolating, close": {Kernel: Interpolating, Epsilon: 1e-2, Spread: 2},
}

// The gradient, the Hessian and the slopes by vertices are those of differences, on a ball that is dented, at either
// end of its way and between.
func TestDerivatives(t *testing.T) {
	const e = 1e-5
	for name, o := range kinds {
		rng := rand.New(rand.NewPCG(3, 1))
		x, tri := ball(2)
		y := slices.Clone(x)
		for i := range x {
			x[i] = x[i].AddScaled(0.03, direction(rng))
			y[i] = x[i].AddScaled(0.05, direction(rng))
		}
		s := New(tri, x, 0, o, 0.05)
		s.Move(nil, x, y)
		var p, q Place
		value := func(at r3.Vec, time float64) float64 {
			if !s.Look(&q, at, time) {
				t.Fatalf("%s: nothing is known at %v", name, at)
			}
			return q.Value
		}
		for range 40 {
			at, time := direction(rng).Scale(0.95+0.12*rng.Float64()), rng.Float64()
			if !s.Look(&p, at, time) {
				t.Fatalf("%s: nothing is known at %v", name, at)
			}
			h := p.Hessian()
			for _, axis := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
				up, down := at.AddScaled(e, axis), at.AddScaled(-e, axis)
				wanted := (value(up, time) - value(down, time)) / (2 * e)
				if got := p.Gradient.Dot(axis); math.Abs(got-wanted) > 1e-6 {
					t.Errorf("%s: slope of %g along %v, want %g", name, got, axis, wanted)
				}
				s.Look(&q, up, time)
				above := q.Gradient
				s.Look(&q, down, time)
				if bent := above.Sub(q.Gradient).Scale(1 / (2 * e)); h.MulVec(axis).Sub(bent).Norm() > 1e-5*(1+bent.Norm()) {
					t.Errorf("%s: Hessian times %v is %v, want %v", name, axis, h.MulVec(axis), bent)
				}
			}
			s.Look(&p, at, 0)
			for _, share := range s.Shares(&p, nil) {
				for _, axis := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
					was := x[share.Vertex]
					x[share.Vertex] = was.AddScaled(e, axis)
					up := value(at, 0)
					x[share.Vertex] = was.AddScaled(-e, axis)
					wanted := (up - value(at, 0)) / (2 * e)
					x[share.Vertex] = was
					if got := share.Slope.Dot(axis); math.Abs(got-wanted) > 1e-6 {
						t.Errorf("%s: slope of %g by vertex %d along %v, want %g", name, got, share.Vertex, axis, wanted)
					}
				}
			}
		}
	}
}

// A rigid motion of the mesh moves the surface along, and forces on the place and the vertices are in balance.
func TestRigidMotionsAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	x, tri := ball(1)
	for name, o := range kinds {
		s := New(tri, x, 0, o, 0.05)
		var p Place
		for range 50 {
			s.Look(&p, direction(rng).Scale(0.95+0.1*rng.Float64()), 0)
			v, spin := direction(rng), direction(rng)
			moves := func(x r3.Vec) r3.Vec { return v.Add(spin.Cross(x)) }
			grows, weight, carried := p.Gradient.Dot(moves(p.X)), 0.0, moves(p.X).Neg()
			for _, share := range s.Shares(&p, nil) {
				grows += share.Slope.Dot(moves(x[share.Vertex]))
				weight += share.Weight
				carried = carried.Add(share.Carry.MulVec(moves(x[share.Vertex])))
			}
			if math.Abs(grows) > 1e-12 || math.Abs(weight-1) > 1e-13 || carried.Norm() > 1e-12 {
				t.Errorf("%s: the gap grows by %g, the surface slips by %v, weights add up to %g", name, grows, carried, weight)
			}
		}
	}
}

// The rotations of the paper take normals of samples to that of the place.
func TestTransport(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for range 100 {
		n, m := direction(rng), direction(rng)
		q := transported(n, m)
		if q.MulVec(n).Sub(m).Norm() > 1e-13/(1+n.Dot(m)) || math.Abs(q.Det()-1) > 1e-12/(1+n.Dot(m)) {
			t.Errorf("%v to %v: %v", n, m, q)
		}
	}
	if q := transported(r3.V(0, 0, 1), r3.V(0, 0, -1)); !q.Finite() {
		t.Error("opposite normals: ", q)
	}
}

// One triangle carries a point as it moves itself.
func TestOneTriangleCarries(t *testing.T) {
	x := []r3.Vec{{}, {X: 1}, {Y: 1}}
	s := New([][3]int32{{0, 1, 2}}, x, 0, Options{}, 0.1)
	var p Place
	if !s.Look(&p, r3.V(0.3, 0.3, 0.05), 0) || math.Abs(p.Gap()-0.05) > 1e-15 {
		t.Fatalf("a gap of %g", p.Gap())
	}
	spin := r3.V(1, 2, 3)
	slip := spin.Cross(p.X).Neg()
	for _, share := range s.Shares(&p, nil) {
		slip = slip.Add(share.Carry.MulVec(spin.Cross(x[share.Vertex])))
	}
	if slip.Norm() > 1e-14 {
		t.Errorf("slips by %v", slip)
	}
}

// A radius of the paper, just above half of the largest diameter of a triangle, leaves holes at corners; a thin plate
// and a knife's edge are refused.
func TestCheck(t *testing.T) {
	x, tri := ball(1)
	if err := New(tri, x, 0, Options{}, 0).Check(); err != nil {
		t.Error(err)
	}
	hole := New(tri, x, 0, Options{Spread: 0.95}, 0).Check()
	if hole == nil || !strings.Contains(hole.Error(), "triangle 0 has a hole") {
		t.Errorf("a radius below the base: %v", hole)
	}
	regular := []r3.Vec{{}, {X: 1}, {X: 0.5, Y: math.Sqrt(0.75)}}
	single := New([][3]int32{{0, 1, 2}}, regular, 0, Options{}, 0)
	if single.Radius = 0.51; single.Check() == nil {
		t.Error("half of the diameter of a regular triangle is less than its corners are from the middle")
	}
	for i := range x {
		x[i].Z *= 0.02
	}
	thin := New(tri, x, 0, Options{}, 0).Check()
	if thin == nil || !strings.Contains(thin.Error(), "too thin") {
		t.Errorf("a flat ball: %v", thin)
	}
}

func TestBaseOfSides(t *testing.T) {
	x := []r3.Vec{{}, {X: 3}, {X: 1, Y: 2}}
	sides := [3]float64{x[2].Sub(x[1]).Norm(), x[2].Norm(), 3}
	if got, want := Base(sides), base([][3]int32{{0, 1, 2}}, x); math.Abs(got-want) > 1e-14 {
		t.Errorf("%g, want %g", got, want)
	}
}

// A mesh that stretches has no holes.
func TestStretchedMeshHasNoHoles(t *testing.T) {
	x, tri := ball(2)
	s := New(tri, x, 0, Options{}, 0)
	long := slices.Clone(x)
	for i := range long {
		long[i].X *= 2
	}
	s.Move(nil, long, long)
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{{Kernel: kernels}, {Epsilon: -1}, {Epsilon: 2}, {Spread: -1}, {Spread: math.NaN()}} {
		if o.Validate() == nil {
			t.Errorf("%+v was taken", o)
		}
	}
	if err := (&Options{Kernel: Interpolating, Epsilon: 1e-5, Spread: 2}).Validate(); err != nil {
		t.Error(err)
	}
}
