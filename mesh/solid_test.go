package mesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// boxSurface is a box with sides of twice half around the origin.
func boxSurface(half r3.Vec) ([]r3.Vec, [][3]int32) {
	s := cubeTets()
	for i, p := range s.X {
		s.X[i] = r3.V((2*p.X-1)*half.X, (2*p.Y-1)*half.Y, (2*p.Z-1)*half.Z)
	}
	return s.X, s.Skin()
}

// globe is a polyhedron with corners on the unit sphere: an octahedron whose triangles are halved n times.
func globe(n int) ([]r3.Vec, [][3]int32) {
	x := []r3.Vec{r3.V(1, 0, 0), r3.V(-1, 0, 0), r3.V(0, 1, 0), r3.V(0, -1, 0), r3.V(0, 0, 1), r3.V(0, 0, -1)}
	tri := [][3]int32{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}
	for range n {
		middle := map[[2]int32]int32{}
		between := func(a, b int32) int32 {
			key := [2]int32{min(a, b), max(a, b)}
			if _, ok := middle[key]; !ok {
				middle[key] = int32(len(x))
				x = append(x, x[a].Add(x[b]).Unit())
			}
			return middle[key]
		}
		var finer [][3]int32
		for _, v := range tri {
			a, b, c := between(v[1], v[2]), between(v[2], v[0]), between(v[0], v[1])
			finer = append(finer, [3]int32{v[0], c, b}, [3]int32{v[1], a, c}, [3]int32{v[2], b, a}, [3]int32{a, b, c})
		}
		tri = finer
	}
	return x, tri
}

func mustSolid(t *testing.T, x []r3.Vec, tri [][3]int32, density float64) Solid {
	t.Helper()
	s, err := SolidOf(x, tri, density)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func nearMat(a, b r3.Mat, tolerance float64) bool {
	b.AddScaled(-1, &a)
	return b.MaxAbs() <= tolerance
}

func moved(x []r3.Vec, p r3.Pose) []r3.Vec {
	out := make([]r3.Vec, len(x))
	for i := range x {
		out[i] = p.Apply(x[i])
	}
	return out
}

func turned(tri [][3]int32) [][3]int32 {
	out := slices.Clone(tri)
	for i := range out {
		out[i][1], out[i][2] = out[i][2], out[i][1]
	}
	return out
}

func TestSolidBox(t *testing.T) {
	half := r3.V(0.1, 0.2, 0.4)
	const density = 700.0
	x, tri := boxSurface(half)
	s := mustSolid(t, x, tri, density)
	m := density * 8 * half.X * half.Y * half.Z
	want := r3.Mat{
		XX: m / 3 * (half.Y*half.Y + half.Z*half.Z),
		YY: m / 3 * (half.X*half.X + half.Z*half.Z),
		ZZ: m / 3 * (half.X*half.X + half.Y*half.Y),
	}
	if math.Abs(s.Mass-m) > 1e-14*m || s.Centre.Norm() > 1e-16 || !nearMat(s.Inertia, want, 1e-14*want.MaxAbs()) {
		t.Errorf("got %+v, want a mass of %v and an inertia of %v", s, m, want)
	}
}

// The inertia of inscribed polyhedra goes to 2/5 m r² with the square of the length of their sides, so that a step of
// halving takes three quarters of the difference away.
func TestSolidBallLimit(t *testing.T) {
	deficit := func(n int) (mass, inertia float64) {
		x, tri := globe(n)
		s := mustSolid(t, x, tri, 1)
		return 4*math.Pi/3 - s.Mass, 8*math.Pi/15 - s.Inertia.Trace()/3
	}
	m4, i4 := deficit(4)
	m5, i5 := deficit(5)
	if r := m4 / m5; math.Abs(r-4) > 0.02 {
		t.Errorf("halved sides make the mass %v times closer, want 4", r)
	}
	if r := i4 / i5; math.Abs(r-4) > 0.02 {
		t.Errorf("halved sides make the inertia %v times closer, want 4", r)
	}
}

// The inertia of tets by their own formula, ∫ x xᵀ = V/20 (Σ xᵢ xᵢᵀ + s sᵀ), added by the parallel axis theorem.
func TestSolidOfTets(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		s := cubeTets()
		if rng.IntN(2) == 0 {
			s = fan(3 + rng.IntN(6))
		}
		stretch := r3.Mat{
			XX: 1 + rng.Float64(), XY: rng.NormFloat64() / 4, YY: 1 + rng.Float64(), YZ: rng.NormFloat64() / 4,
			ZZ: 1 + rng.Float64(),
		}
		at := r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		for i, x := range s.X {
			s.X[i] = stretch.MulVec(x).Add(at)
		}
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		const density = 3.0
		got := mustSolid(t, s.X, s.Skin(), density)
		mass, centre := 0.0, r3.Vec{}
		for i, v := range s.Tet {
			m := density * s.TetVolume(int32(i))
			mass += m
			for _, k := range v {
				centre = centre.AddScaled(m/4, s.X[k])
			}
		}
		centre = centre.Scale(1 / mass)
		var want r3.Mat
		for i, v := range s.Tet {
			m := density * s.TetVolume(int32(i))
			middle := s.X[v[0]].Add(s.X[v[1]]).Add(s.X[v[2]]).Add(s.X[v[3]]).Scale(0.25)
			addInertia(&want, m, middle.Sub(centre))
			for _, k := range v {
				addInertia(&want, m/20, s.X[k].Sub(middle))
			}
		}
		if math.Abs(got.Mass-mass) > 1e-13*mass || got.Centre.Sub(centre).Norm() > 1e-13 ||
			!nearMat(got.Inertia, want, 1e-13*want.MaxAbs()) {
			t.Errorf("got %+v, want mass %v, centre %v, inertia %v", got, mass, centre, want)
		}
	}
}

// addInertia adds that of a point of mass m at p.
func addInertia(to *r3.Mat, m float64, p r3.Vec) {
	to.AddDiagonal(m * p.Norm2())
	to.AddOuter(-m, p, p)
}

// Moved and turned bodies have moved centres and turned inertias, also far away.
func TestSolidMoves(t *testing.T) {
	x, tri := boxSurface(r3.V(0.1, 0.2, 0.4))
	tri = slices.Clone(tri)
	x[7] = r3.V(0.3, 0.5, 0.6) // not symmetric
	s := mustSolid(t, x, tri, 1000)
	for _, pose := range []r3.Pose{
		r3.Translation(r3.V(1, -2, 3)),
		{R: r3.Rotation(r3.V(1, 2, 3), 1), T: r3.V(0.1, 0, 0)},
		{R: r3.Rotation(r3.V(-1, 0, 3), 2.5), T: r3.V(1e4, 1e4, -1e4)},
	} {
		got := mustSolid(t, moved(x, pose), tri, 1000)
		r := pose.R.Mat()
		rt := r.T()
		want := r.Mul(&s.Inertia)
		want = want.Mul(&rt)
		// A coordinate of L is rounded to L·1e-16, and the body is about 1 m large.
		tolerance := 1e-14 * (1 + pose.T.Norm())
		if math.Abs(got.Mass-s.Mass) > tolerance*s.Mass || got.Centre.Sub(pose.Apply(s.Centre)).Norm() > tolerance ||
			!nearMat(got.Inertia, want, tolerance*s.Mass) {
			t.Errorf("moved by %+v: %+v, want centre %v and inertia %v", pose, got, pose.Apply(s.Centre), want)
		}
	}
	x = append(x, r3.V(math.NaN(), 0, 0)) // no triangle's
	twice := mustSolid(t, x, tri, 2000)
	if twice.Mass != 2*s.Mass || twice.Centre != s.Centre || !nearMat(twice.Inertia, s.Inertia.Scale(2), 1e-13) {
		t.Errorf("twice the density: %+v, want twice %+v", twice, s)
	}
}

// join puts surfaces side by side.
func join(parts ...func() ([]r3.Vec, [][3]int32)) (x []r3.Vec, tri [][3]int32) {
	for _, part := range parts {
		first := int32(len(x))
		px, ptri := part()
		x = append(x, px...)
		for _, v := range ptri {
			tri = append(tri, [3]int32{v[0] + first, v[1] + first, v[2] + first})
		}
	}
	return x, tri
}

func TestSolidParts(t *testing.T) {
	box := func(half float64, at r3.Vec, outwards bool) func() ([]r3.Vec, [][3]int32) {
		return func() ([]r3.Vec, [][3]int32) {
			x, tri := boxSurface(r3.V(half, half, half))
			if !outwards {
				tri = turned(tri)
			}
			return moved(x, r3.Translation(at)), tri
		}
	}
	x, tri := join(box(1, r3.Vec{}, true), box(0.5, r3.Vec{}, false), box(0.25, r3.Vec{}, true))
	s := mustSolid(t, x, tri, 1)
	if want := 8 - 1 + 1./8; math.Abs(s.Mass-want) > 1e-14 {
		t.Errorf("a box in a hollow box weighs %v, want %v", s.Mass, want)
	}
	inertia := func(half float64) float64 { return 8 * half * half * half * 2 / 3 * half * half }
	if want := r3.Diagonal(inertia(1) - inertia(0.5) + inertia(0.25)); !nearMat(s.Inertia, want, 1e-14) {
		t.Errorf("inertia %v, want %v", s.Inertia, want)
	}
	// Two apart: parallel axis theorem.
	x, tri = join(box(1, r3.V(2, 0, 0), true), box(1, r3.V(-2, 0, 0), true))
	s = mustSolid(t, x, tri, 1)
	want := r3.Mat{XX: 2 * inertia(1), YY: 2*inertia(1) + 16*4, ZZ: 2*inertia(1) + 16*4}
	if !nearMat(s.Inertia, want, 1e-13) {
		t.Errorf("inertia %v, want %v", s.Inertia, want)
	}
	type surfaces []func() ([]r3.Vec, [][3]int32)
	for name, c := range map[string]struct {
		parts  surfaces
		phrase string
	}{
		"inside out":          {surfaces{box(1, r3.Vec{}, false)}, "triangle 0: its part of the surface is inside out"},
		"beside, inside out":  {surfaces{box(1, r3.Vec{}, true), box(0.5, r3.V(3, 0, 0), false)}, "triangle 12: its part"},
		"inside, counted too": {surfaces{box(1, r3.Vec{}, true), box(0.5, r3.Vec{}, true)}, "count twice"},
	} {
		x, tri := join(c.parts...)
		if _, err := SolidOf(x, tri, 1); err == nil || !strings.Contains(err.Error(), c.phrase) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.phrase)
		}
	}
}

func TestSolidRefuses(t *testing.T) {
	x, tri := boxSurface(r3.V(1, 1, 1))
	change := func(f func(tri [][3]int32) [][3]int32) [][3]int32 { return f(slices.Clone(tri)) }
	for _, c := range []struct {
		name    string
		tri     [][3]int32
		density float64
		phrase  string
	}{
		{"no density", tri, 0, "density of 0"},
		{"NaN", tri, math.NaN(), "density of NaN"},
		{"empty", nil, 1, "without triangles"},
		{"hole", change(func(tri [][3]int32) [][3]int32 { return tri[1:] }), 1, "the surface is open there"},
		{"index", change(func(tri [][3]int32) [][3]int32 { tri[3][1] = 8; return tri }), 1, "triangle 3: vertices"},
		{"repeated", change(func(tri [][3]int32) [][3]int32 { tri[3][1] = tri[3][0]; return tri }), 1, "triangle 3: vertices"},
		{"fin", append(slices.Clone(tri), [3]int32{0, 1, 6}), 1, "triangle 12: is the third at edge 0-1"},
		{"one turned", change(func(tri [][3]int32) [][3]int32 {
			tri[5][0], tri[5][1] = tri[5][1], tri[5][0]
			return tri
		}), 1, "is turned the other way than its neighbour"},
	} {
		if _, err := SolidOf(x, c.tri, c.density); err == nil || !strings.Contains(err.Error(), c.phrase) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.phrase)
		}
	}
	x[2].Z = math.Inf(1)
	if _, err := SolidOf(x, tri, 1); err == nil || !strings.Contains(err.Error(), "not at a finite place") {
		t.Errorf("infinite vertex: error %v", err)
	}
}
