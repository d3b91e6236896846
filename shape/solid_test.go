package shape

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

func ExampleSurface() {
	ball := Placed{Shape: Sphere{Radius: 0.1}, Pose: r3.Translation(r3.V(0, 0, 1))}
	pos, tri := Surface(ball, 1e-3, 1)
	fmt.Println(len(pos), "vertices,", len(tri), "triangles; the highest vertex is at", pos[len(pos)-1])
	// Output: 482 vertices, 960 triangles; the highest vertex is at {0 0 1.1}
}

// volume returns the volume that a closed mesh encloses, positive if it looks outwards [m³].
func volume(pos []r3.Vec, tri [][3]int32) float64 {
	sum := 0.0
	for _, t := range tri {
		sum += pos[t[0]].Dot(pos[t[1]].Cross(pos[t[2]])) / 6
	}
	return sum
}

// euler returns vertices - edges + triangles of a closed mesh that uses every vertex.
func euler(pos []r3.Vec, tri [][3]int32) int { return len(pos) - len(tri)*3/2 + len(tri) }

func TestSolidsAreClosedAndLookOutwards(t *testing.T) {
	type solid struct {
		name   string
		pos    []r3.Vec
		tri    [][3]int32
		volume float64 // of the polyhedron, in closed form; 0 if there is none
	}
	var solids []solid
	add := func(name string, volume float64) func([]r3.Vec, [][3]int32) {
		return func(pos []r3.Vec, tri [][3]int32) { solids = append(solids, solid{name, pos, tri, volume}) }
	}
	for _, n := range []int{3, 4, 7, 96} {
		base := float64(n) / 2 * math.Sin(2*math.Pi/float64(n)) // area of the n-gon in the unit circle
		add("cylinder", base*0.09*1.4)(Cylinder{Radius: 0.3, Half: 0.7}.Mesh(n))
		add("cone", base*0.09*0.7/3)(Cone{Radius: 0.3, Height: 0.7}.Mesh(n))
		add("sphere", 0)(Sphere{Radius: 0.3}.Mesh(n))
		add("capsule", 0)(Capsule{Radius: 0.3, Half: 0.7}.Mesh(n))
	}
	add("octahedron", 4./3)(Sphere{Radius: 1}.Mesh(2))
	add("small capsule", 4./3+4)(Capsule{Radius: 1, Half: 1}.Mesh(1))
	add("capsule without length", 4./3)(Capsule{Radius: 1, Half: 0}.Mesh(1))
	add("box", 8*0.1*0.2*0.3)(Box{Half: r3.V(0.1, 0.2, 0.3)}.Mesh())
	for _, s := range solids {
		if !geom.NewMeshField(s.pos, s.tri).Closed() {
			t.Errorf("%s: not closed", s.name)
		}
		if e := euler(s.pos, s.tri); e != 2 {
			t.Errorf("%s: Euler characteristic %d", s.name, e)
		}
		v := volume(s.pos, s.tri)
		if v <= 0 || s.volume > 0 && math.Abs(v-s.volume) > 1e-13*s.volume {
			t.Errorf("%s: volume %g, want %g", s.name, v, s.volume)
		}
		for i, c := range s.tri {
			// All are convex and contain the origin or touch it.
			if n := s.pos[c[1]].Sub(s.pos[c[0]]).
				Cross(s.pos[c[2]].Sub(s.pos[c[0]])); n.Dot(s.pos[c[0]]) < -1e-17 ||
				n.Norm() == 0 {
				t.Errorf("%s: triangle %d looks inwards", s.name, i)
			}
		}
	}
}

func TestSphereVolumeConverges(t *testing.T) {
	// The deficit falls with the square of the width of the bands.
	deficit := func(rings int) float64 {
		return 1 - volume(Sphere{Radius: 1}.Mesh(rings))/(4*math.Pi/3)
	}
	if rate := deficit(32) / deficit(64); math.Abs(rate-4) > 0.01 {
		t.Errorf("twice as many bands make the deficit %.4f times smaller, want 4", rate)
	}
}

// fieldCases are all shapes, one of them twice placed.
var fieldCases = []geom.Field{
	Sphere{Radius: 0.2},
	Capsule{Radius: 0.05, Half: 0.4},
	Capsule{Radius: 0.05, Half: 0},
	Box{Half: r3.V(0.1, 0.2, 0.3)},
	Cylinder{Radius: 0.2, Half: 0.1},
	Cone{Radius: 0.3, Height: 0.2},
	Placed{
		Shape: Placed{Shape: Cone{Radius: 0.1, Height: 0.4}, Pose: r3.Translation(r3.V(1, 2, 3))},
		Pose:  r3.Pose{R: r3.Rotation(r3.V(1, 2, -1), 0.7), T: r3.V(-1, 0, 0.5)},
	},
}

func TestOfFieldKeepsItsTolerance(t *testing.T) {
	for _, f := range fieldCases {
		for _, tolerance := range []float64{1e-2, 1e-3, 1e-4} {
			checkDeviation(t, f, tolerance)
		}
	}
}

// checkDeviation compares mesh and field both ways.
func checkDeviation(t *testing.T, f geom.Field, tolerance float64) {
	t.Helper()
	const rounding = 4e-15 // some units in the last place at coordinates below 5
	pos, tri := Surface(f, tolerance, 1)
	for i, p := range pos {
		if d, _ := f.Distance(p); math.Abs(d) > rounding {
			t.Fatalf("%#v: vertex %d is %g off the surface", f, i, d)
		}
	}
	worst := 0.0
	for i, c := range tri {
		for _, w := range []r3.Vec{r3.V(1, 1, 1).Scale(1. / 3), r3.V(0.5, 0.5, 0), r3.V(0, 0.5, 0.5), r3.V(0.5, 0, 0.5)} {
			q := pos[c[0]].Scale(w.X).AddScaled(w.Y, pos[c[1]]).AddScaled(w.Z, pos[c[2]])
			d, _ := f.Distance(q)
			if d > rounding || d < -tolerance {
				t.Fatalf("%#v: triangle %d is %g off the surface, more than %g", f, i, d, tolerance)
			}
			worst = max(worst, -d)
		}
	}
	m := geom.NewMeshField(pos, tri)
	if !m.Closed() || euler(pos, tri) != 2 || volume(pos, tri) <= 0 {
		t.Errorf("%#v: not a closed surface that looks outwards", f)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	b := f.Bounds()
	size := b.Size()
	for range 300 {
		x := b.Min.Add(r3.V(rng.Float64()*size.X, rng.Float64()*size.Y, rng.Float64()*size.Z))
		d, _ := m.Distance(geom.ClosestOn(f, x))
		if d < -rounding || d > tolerance {
			t.Fatalf("%#v: the surface near %v is %g off the mesh, more than %g", f, x, d, tolerance)
		}
		worst = max(worst, d)
	}
	_, box := f.(Box)
	if !box && tolerance < 1e-3 && worst < tolerance/4 {
		t.Errorf("%#v: deviation %g, needlessly far below %g", f, worst, tolerance)
	}
}

func TestOfFieldPlane(t *testing.T) {
	n := r3.V(1, -2, 2).Unit()
	f := Placed{Shape: Plane{Point: r3.V(1, 0, 0), Normal: n}, Pose: r3.Translation(r3.V(0, 0, 3))}
	pos, tri := Surface(f, 1e-3, 2)
	for _, p := range pos {
		if d, _ := f.Distance(p); math.Abs(d) > 1e-15 {
			t.Errorf("%v is %g off the plane", p, d)
		}
		if r := p.Sub(r3.V(1, 0, 3)).Norm(); math.Abs(r-2*math.Sqrt2) > 1e-14 {
			t.Errorf("corner %v at %g from the middle", p, r)
		}
	}
	for _, c := range tri {
		if got := pos[c[1]].Sub(pos[c[0]]).Cross(pos[c[2]].Sub(pos[c[0]])).Unit(); got.Sub(n).Norm() > 1e-15 {
			t.Errorf("looks to %v", got)
		}
	}
	if pos, _ := Surface(Plane{Normal: r3.V(0, 0, 1)}, 1, 1); pos[2] != r3.V(1, 1, 0) {
		t.Errorf("the square of the ground is turned: %v", pos)
	}
}

func TestOfFieldBoundsItsSize(t *testing.T) {
	pos, _ := Surface(Sphere{Radius: 100}, 1e-12, 1)
	if len(pos) < 100_000 || len(pos) > 200_000 {
		t.Errorf("%d vertices for an absurd tolerance", len(pos))
	}
	if pos, tri := Surface(Sphere{Radius: 1}, math.Inf(1), 1); volume(pos, tri) < 3 {
		t.Errorf("a coarse ball of volume %g", volume(pos, tri))
	}
}

func TestTubeIsFlatAtRest(t *testing.T) {
	m, x := Tube(0.1, 0.5, 12, 4)
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if m.Verts != 12*5 || len(x) != m.Verts || len(m.Tri) != 2*12*4 || len(Boundary(m)) != 2*12 {
		t.Errorf("%d vertices, %d triangles, %d at the boundary", m.Verts, len(m.Tri), len(Boundary(m)))
	}
	if e := m.Verts - len(m.Edges) + len(m.Tri); e != 0 {
		t.Errorf("Euler characteristic %d, want 0", e)
	}
	seams := 0
	for e := range m.Edges {
		if m.Seam(int32(e)) {
			seams++
		}
	}
	if seams != 4 {
		t.Errorf("%d edges on the seam, want 4", seams)
	}
	for i, c := range m.Tri {
		a, b, d := m.RestTriangle(int32(i))
		for _, side := range [][2]float64{
			{x[c[1]].Sub(x[c[0]]).Norm(), b.Sub(a).Norm()},
			{x[c[2]].Sub(x[c[1]]).Norm(), d.Sub(b).Norm()},
			{x[c[0]].Sub(x[c[2]]).Norm(), a.Sub(d).Norm()},
		} {
			if math.Abs(side[0]-side[1]) > 1e-15 {
				t.Errorf("triangle %d has a side of %g m that is %g m at rest", i, side[0], side[1])
			}
		}
		n := x[c[1]].Sub(x[c[0]]).Cross(x[c[2]].Sub(x[c[0]]))
		if out := x[c[0]]; n.X*out.X+n.Y*out.Y <= 0 {
			t.Errorf("triangle %d looks inwards", i)
		}
	}
}

func TestAnnulusIsWhole(t *testing.T) {
	const around = 24
	m, x := Annulus(0.1, 0.3, around, 5)
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	area := 0.0
	for i, c := range m.Tri {
		area += m.RestArea(int32(i))
		if n := x[c[1]].Sub(x[c[0]]).Cross(x[c[2]].Sub(x[c[0]])); n.Z <= 0 {
			t.Errorf("triangle %d looks down", i)
		}
	}
	if want := around / 2. * math.Sin(2*math.Pi/around) * (0.3*0.3 - 0.1*0.1); math.Abs(area-want) > 1e-14 {
		t.Errorf("area %g, want %g", area, want)
	}
	if e := m.Verts - len(m.Edges) + len(m.Tri); e != 0 || len(Boundary(m)) != 2*around {
		t.Errorf("Euler characteristic %d, %d at the boundary", e, len(Boundary(m)))
	}
}

func TestSolidsRefuseNonsense(t *testing.T) {
	for i, make := range []func(){
		func() { Sphere{Radius: 0}.Mesh(8) },
		func() { Sphere{Radius: 1}.Mesh(1) },
		func() { Box{Half: r3.V(1, math.NaN(), 1)}.Mesh() },
		func() { Cylinder{Radius: 1, Half: math.Inf(1)}.Mesh(8) },
		func() { Cone{Radius: 1, Height: -1}.Mesh(8) },
		func() { Capsule{Radius: 1, Half: 1}.Mesh(0) },
		func() { Square(0) },
		func() { Tube(1, 1, 2, 1) },
		func() { Tube(1, 1, 3, 0) },
		func() { Annulus(2, 1, 8, 1) },
		func() { Surface(Sphere{Radius: 1}, 0, 1) },
		func() { Surface(nil, 1, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("case %d: no panic", i)
				}
			}()
			make()
		}()
	}
}
