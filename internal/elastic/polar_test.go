package elastic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// singular returns u diag(s) vᵀ.
func singular(u, v r3.Quat, s r3.Vec) r3.Mat {
	a, b := u.Mat(), v.Mat()
	b = b.T()
	d := r3.Mat{XX: s.X, YY: s.Y, ZZ: s.Z}
	d = d.Mul(&b)
	return a.Mul(&d)
}

func distance(a, b r3.Mat) float64 {
	a.AddScaled(-1, &b)
	return a.MaxAbs()
}

// Oracle: matrices made of known rotations and singular values, of every rank, inverted, with equal and nearly equal
// values, very large and very small.
func TestPolar(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, s := range []r3.Vec{
		{X: 1, Y: 1, Z: 1},
		{X: 2, Y: 1, Z: 0.5},
		{X: 2, Y: 1, Z: -0.5},
		{X: 1, Y: 1, Z: -0.99},
		{X: 1 + 1e-12, Y: 1, Z: 1 - 1e-12},
		{X: 1 + 1e-9, Y: 1, Z: 0.3},
		{X: 1, Y: 1e-4, Z: -1e-5},
		{X: 1, Y: 0.5, Z: 0},
		{X: 1, Y: 1, Z: 1e-9},
		{X: 1, Y: 1, Z: -1e-9},
		{X: 1, Y: 1e-9, Z: 1e-10},
		{X: 1, Y: 0.3, Z: -0.3}, // not unique
		{X: 1, Y: 1, Z: -1},     // not unique
		{X: 1},                  // rank 1
		{},                      // rank 0
		{X: 3e200, Y: 2e200, Z: -1e200},
		{X: 3e-200, Y: 2e-200, Z: 1e-200},
	} {
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			for range 50 {
				u, v := randomPose(rng).R, randomPose(rng).R
				f := singular(u, v, s)
				checkPolar(t, &f, s)
				want := singular(u, v, r3.V(1, 1, 1))
				p := polarOf(&f)
				if d := distance(p.r, want) * (s.Y + s.Z); d > 8e-15*s.X {
					t.Fatalf("R is off by %g", d/(s.Y+s.Z))
				}
			}
		})
	}
}

// checkPolar checks what holds for every decomposition.
func checkPolar(t *testing.T, f *r3.Mat, s r3.Vec) {
	t.Helper()
	p := polarOf(f)
	rt := p.r.T()
	if d := distance(rt.Mul(&p.r), r3.Identity()); d > 2e-15 || !(p.r.Det() > 0) {
		t.Fatalf("R is no rotation by %g: %v", d, p.r)
	}
	stretch := rt.Mul(f)
	if d := distance(stretch, stretch.T()); d > 4e-15*s.X {
		t.Fatalf("S is not symmetric by %g", d)
	}
	if d := math.Abs(stretch.Trace() - (s.X + s.Y + s.Z)); d > 4e-15*s.X {
		t.Fatalf("tr S is off by %g", d)
	}
	axes := r3.Columns(p.axis[0], p.axis[1], p.axis[2])
	turned := axes.T()
	if d := distance(turned.Mul(&axes), r3.Identity()); d > 4e-15 {
		t.Fatalf("axes are not orthogonal by %g", d)
	}
	// F Rᵀ = U Σ Uᵀ: sums of singular values are the other two along each axis.
	left := f.Mul(&rt)
	for i, u := range p.axis {
		if d := math.Abs(left.Trace() - u.Dot(left.MulVec(u)) - p.sum[i]); d > 1e-14*s.X {
			t.Fatalf("axis %v has a sum that is off by %g", u, d)
		}
	}
	sums, want := p.sum, [3]float64{s.Y + s.Z, s.X + s.Z, s.X + s.Y}
	slices.Sort(sums[:])
	for i := range sums {
		if d := math.Abs(sums[i] - want[i]); d > 4e-15*s.X {
			t.Fatalf("sum %d is %g, want %g", i, sums[i], want[i])
		}
	}
}

// Property: no other rotation is nearer, and the same matrix gives the same bits.
func TestPolarIsNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for range 300 {
		f := r3.Rows(randomVec(rng), randomVec(rng), randomVec(rng))
		p := polarOf(&f)
		if p != polarOf(&f) {
			t.Fatal("not deterministic")
		}
		best := p.r.T()
		best = best.Mul(&f)
		for range 30 {
			other := r3.Rotation(randomVec(rng), 0.1*rng.NormFloat64()).Mat()
			other = other.Mul(&p.r)
			other = other.T()
			other = other.Mul(&f)
			if other.Trace() > best.Trace()+1e-14 {
				t.Fatalf("a nearer rotation of %v, det %g", f, f.Det())
			}
		}
	}
}

func BenchmarkPolar(b *testing.B) {
	f := singular(r3.Rotation(r3.V(1, 2, 3), 1), r3.Rotation(r3.V(2, -1, 0), 2), r3.V(1.2, 1, 0.9))
	for b.Loop() {
		polarOf(&f)
	}
}
