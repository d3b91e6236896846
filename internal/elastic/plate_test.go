package elastic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func ExampleNewPlate() {
	m, at := shape.Strip(shape.Crossed, 0.3, 0.1, 0.02, 0, 0)
	plate, err := NewPlate(m, Everywhere(IsotropicPlate(1e-5, 0.3)), nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := make([]r3.Vec, len(at))
	for i, p := range at {
		x[i] = r3.V(p.X, p.Y, p.X*p.X) // curvature 2 1/m along the strip
	}
	fmt.Printf("%.3f\n", plate.Curvature(x, 0).X)
	// Output: 2.000
}

// Quadratic maps have their second derivatives on every mesh, and constant moments are in balance at
// vertices away from the boundary: the two properties that plate.go is built on.
func TestC15PlatePatch(t *testing.T) {
	a, b, c := r3.V(1, 2, 3), r3.V(-2, 1, 1), r3.V(0.5, -1, 2)
	for _, p := range shape.Patterns() {
		m, at := shape.Strip(p, 1, 0.5, 0.08, 0, 3)
		x := make([]r3.Vec, len(at))
		for i, q := range at {
			x[i] = a.Scale(q.X*q.X/2).AddScaled(q.Y*q.Y/2, b).AddScaled(q.X*q.Y, c).Add(r3.V(q.X, q.Y, 3))
		}
		plate := mustPlate(t, m, PlateLaw{Warp: 3, Weft: 1, Twist: 0.7, Poisson: 0.4}, nil)
		for e := range plate.Len() {
			y := plate.derivatives(x, e)
			// Rounding of positions of size 3 over size².
			if d := y[0].Sub(a).Norm() + y[1].Sub(b).Norm() + y[2].Sub(c.Scale(2)).Norm(); d > 1e-11 {
				t.Fatalf("%v: second derivatives of triangle %d are off by %g", p, e, d)
			}
		}
		for i := range plate.fold {
			plate.fold[i] = 0 // moments vary with area otherwise
		}
		plate.Update(x, WithForce, 0, plate.Len())
		sum, scale := make([]r3.Vec, len(x)), 0.0
		for e := range plate.Len() {
			for k, i := range plate.Nodes(e) {
				f := plate.Force(e, k)
				sum[i] = sum[i].Add(f)
				scale = max(scale, f.Norm())
			}
		}
		inside := 0
		for i, q := range at {
			if min(q.X, q.Y, 1-q.X, 0.5-q.Y) < 2.2*0.08 {
				continue
			}
			inside++
			if sum[i].Norm() > 1e-11*scale {
				t.Errorf("%v: force %g on vertex %d (of %g)", p, sum[i].Norm(), i, scale)
			}
		}
		if inside < 5 {
			t.Errorf("%v: only %d vertices inside", p, inside)
		}
	}
}

// The plate resists everything but affine displacement: three zero eigenvalues, and the next are
// those of the free plate, the same on every pattern, so no mode is spuriously soft.
func TestPlateSpectrum(t *testing.T) {
	for _, p := range shape.Patterns() {
		m, at := shape.Strip(p, 1, 0.6, 1.0/8, 0, 3)
		plate := mustPlate(t, m, IsotropicPlate(1, 0), nil)
		plate.Update(flat(at), Exact, 0, plate.Len())
		area := make([]float64, len(at))
		for t, v := range m.Tri {
			for _, i := range v {
				area[i] += m.RestArea(int32(t)) / 3
			}
		}
		h := make([][]float64, len(at))
		for i := range h {
			h[i] = make([]float64, len(at))
		}
		for e := range plate.Len() {
			he := elementHessian(plate, e, 1, 1)
			for k, i := range plate.Nodes(e) {
				for l, j := range plate.Nodes(e) {
					h[i][j] += he[3*k+2][3*l+2] / math.Sqrt(area[i]*area[j])
				}
			}
		}
		values := spectrum(h)
		slices.Sort(values)
		t.Logf(
			"%-12v %.3g ... %.4g %.4g %.4g ... %.3g",
			p,
			values[2],
			values[3],
			values[4],
			values[5],
			values[len(values)-1],
		)
		if values[2] > 1e-11*values[len(values)-1] || values[0] < -1e-11*values[len(values)-1] {
			t.Errorf("%v: affine modes have %g", p, values[:3])
		}
		// The lowest bending mode of a free beam: (4.7300/L)⁴ B. Second differences and lumped
		// masses at 8 elements lower it by some (4.73/8)²/3.
		if want := math.Pow(4.73004, 4); math.Abs(values[3]/want-1) > 0.12 {
			t.Errorf("%v: lowest mode %g, a beam has %g", p, values[3], want)
		}
	}
}

// recut gives every triangle material points of its own, some mirrored, so that every edge is a seam.
func recut(t testing.TB, m *mesh.Mesh) *mesh.Mesh {
	t.Helper()
	var material []r3.Vec2
	corner := make([][3]int32, len(m.Tri))
	for k, v := range m.Corner {
		s, c := math.Sincos(float64(k))
		for j, i := range v {
			p := m.Material[i]
			if k%2 == 1 {
				p.Y = -p.Y
			}
			corner[k][j] = int32(len(material))
			material = append(material, r3.Vec2{X: c*p.X - s*p.Y, Y: s*p.X + c*p.Y})
		}
	}
	cut, err := mesh.New(m.Verts, m.Tri, material, corner)
	if err != nil {
		t.Fatal(err)
	}
	return cut
}

// A sheet sewn from pieces bends like the sheet they were cut from.
func TestPlateAcrossSeams(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, p := range shape.Patterns() {
		m, at := shape.Strip(p, 0.5, 0.3, 0.06, 0, 2)
		law := IsotropicPlate(1e-5, 0.3)
		whole, sewn := mustPlate(t, m, law, nil), mustPlate(t, recut(t, m), law, nil)
		x := shaken(flat(at), 0.02, rng)
		whole.Update(x, WithForce, 0, whole.Len())
		sewn.Update(x, WithForce, 0, sewn.Len())
		for e := range whole.Len() {
			if a, b := whole.Energy(e), sewn.Energy(e); math.Abs(a-b) > 1e-10*a {
				t.Fatalf("%v: energy of %d is %g whole, %g sewn", p, e, a, b)
			}
		}
	}
}

// A plate of very few triangles has no quadratic to offer but still no stiffness against affine maps.
func TestPlateOfFewTriangles(t *testing.T) {
	at := []r3.Vec2{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}, {X: 2, Y: 0.3}}
	tri := [][3]int32{{0, 1, 2}, {0, 2, 3}, {1, 4, 2}}
	for n := 1; n <= 3; n++ {
		m, err := mesh.New(5, tri[:n], at, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := mustPlate(t, m, IsotropicPlate(1, 0.2), nil)
		x := make([]r3.Vec, 5)
		for i, q := range at {
			x[i] = r3.V(2*q.X+q.Y, q.Y-q.X, 3*q.X+1)
		}
		p.Update(x, Exact, 0, n)
		for e := range n {
			if p.Energy(e) > 1e-25 {
				t.Errorf("%d triangles: energy %g of an affine map", n, p.Energy(e))
			}
			if !(largest(elementHessian(p, e, 1, 1)) < 1e4) {
				t.Errorf("%d triangles: Hessian %g", n, largest(elementHessian(p, e, 1, 1)))
			}
		}
		s, c := math.Sincos(1)
		x = []r3.Vec{{}, {X: 1}, {X: 1, Y: 1}, {Y: c, Z: s}, {X: 1.5, Z: 1}}
		p.Update(x, WithForce, 0, n)
		if n > 1 && p.Energy(0) < 1e-3 {
			t.Errorf("%d triangles: fold has energy %g", n, p.Energy(0))
		}
	}
}

func TestPlateFaults(t *testing.T) {
	m, _ := shape.Strip(shape.Right, 0.2, 0.2, 0.1, 0, 0)
	inner := int32(slices.IndexFunc(m.Edges, func(e mesh.Edge) bool { return !e.Boundary() }))
	outer := int32(slices.IndexFunc(m.Edges, func(e mesh.Edge) bool { return e.Boundary() }))
	law, x := IsotropicPlate(1, 0), r3.V(1, 0, 0)
	for name, err := range map[string]error{
		"law":       second(NewPlate(m, Everywhere(IsotropicPlate(0, 0)), nil, nil)),
		"poisson":   second(NewPlate(m, Everywhere(IsotropicPlate(1, 1)), nil, nil)),
		"length":    second(NewPlate(m, Everywhere(law), []float64{1}, nil)),
		"scale":     second(NewPlate(m, Everywhere(law), make([]float64, len(m.Tri)), nil)),
		"inner":     second(NewPlate(m, Everywhere(law), nil, []Clamp{{inner, x}})),
		"twice":     second(NewPlate(m, Everywhere(law), nil, []Clamp{{outer, x}, {outer, x}})),
		"direction": second(NewPlate(m, Everywhere(law), nil, []Clamp{{outer, r3.Vec{}}})),
		"range":     second(NewPlate(m, Everywhere(law), nil, []Clamp{{1000, x}})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second(_ *Plate, err error) error { return err }

// A clamp whose direction turns with the sheet is a rigid motion, and one that does not holds it.
func TestClampTurns(t *testing.T) {
	s := newFlatStrip(shape.Random, 0.3, 0.1, 0.03, 0)
	p := mustPlate(t, s.mesh, IsotropicPlate(1, 0.3), s.clamps)
	pose := r3.Pose{R: r3.Rotation(r3.V(1, 2, 3), 1), T: r3.V(1, 0, 2)}
	x := make([]r3.Vec, len(s.x))
	for i := range x {
		x[i] = pose.Apply(s.x[i])
	}
	sys := newSystem(s.at, s.root, p)
	before := sys.energy(x)
	for i := range s.clamps {
		p.SetClamp(i, pose.R.Rotate(r3.V(2, 0, 0)))
	}
	if after := sys.energy(x); before < 0.1 || after > 1e-20 {
		t.Errorf("energy is %g before and %g after the clamps turn", before, after)
	}
}

func TestPlateRestFromTwice(t *testing.T) {
	m, at := shape.Strip(shape.Random, 0.3, 0.2, 0.05, 0, 2)
	p, q := mustPlate(t, m, IsotropicPlate(1, 0.3), nil), mustPlate(t, m, IsotropicPlate(1, 0.3), nil)
	p.RestFrom(bowl(at))
	q.RestFrom(shaken(bowl(at), 0.01, rand.New(rand.NewPCG(1, 2))))
	q.RestFrom(bowl(at))
	x := flat(at)
	p.Update(x, WithForce, 0, p.Len())
	q.Update(x, WithForce, 0, q.Len())
	for e := range p.Len() {
		if math.Abs(p.Energy(e)-q.Energy(e)) > 1e-9*p.Energy(e) {
			t.Fatalf("triangle %d: energy %g, after another rest shape before %g", e, p.Energy(e), q.Energy(e))
		}
	}
	r := mustPlate(t, m, IsotropicPlate(1, 0.3), nil)
	r.SetRest(0, r3.V(2, 0, 0))
	r.Update(x, WithForce, 0, 1)
	// A/2 B κ², and the factor for folding.
	want := m.RestArea(0) / 2 * 4
	if want *= 1 + want/3; math.Abs(r.Energy(0)-want) > 1e-12 {
		t.Errorf("energy of a flat triangle with rest curvature is %g, want %g", r.Energy(0), want)
	}
}

func TestPlateLawAlong(t *testing.T) {
	l := IsotropicPlate(3, 0.3)
	for phi := 0.0; phi < 3; phi += 0.1 {
		if math.Abs(l.Along(phi)-3) > 1e-14 {
			t.Errorf("isotropic plate has rigidity %g at %g", l.Along(phi), phi)
		}
	}
	f := material.Fabric{BendWarp: 10e-6, BendBias: 7.5e-6, BendWeft: 5e-6, BendPoisson: 0.2}
	l = PlateLawOf(&f)
	for i, k := range []float64{40e-6, 30e-6, 20e-6} {
		if got := l.Along(float64(i) * math.Pi / 4); math.Abs(got-k/4) > 1e-18 {
			t.Errorf("rigidity at %d° is %g, want %g", 45*i, got, k/4)
		}
	}
	limp := material.Fabric{BendWarp: 10e-6, BendBias: 0.25e-6, BendWeft: 5e-6}
	if l := PlateLawOf(&limp); l.Validate() != nil || l.Twist <= 0 {
		t.Errorf("law of a fabric that is limp along the bias: %+v", l)
	}
	if h := HingeLawOf(&f); math.Abs(h.along(r3.Vec2{X: 1, Y: -1})-30e-6) > 1e-18 || h.along(r3.Vec2{Y: 2}) != 20e-6 ||
		h.along(r3.Vec2{X: -1}) != 40e-6 {
		t.Errorf("hinge law %+v", h)
	}
}

func TestBendingAllocatesNothing(t *testing.T) {
	for _, c := range bendingCases(t) {
		at, val := make([]int32, 64), make([]r3.Mat, 64)
		if n := testing.AllocsPerRun(5, func() {
			c.elems.Update(c.rest, Exact, 0, c.elems.Len())
			c.elems.AddRow(0, 0, at[:len(c.elems.Nodes(0))], val, 2, 1)
			c.elems.Force(0, 0)
			c.elems.MaterialForce(0, 0, c.rest)
		}); n > 0 {
			t.Errorf("%s: %g allocations", c.name, n)
		}
	}
}

func BenchmarkBending(b *testing.B) {
	for _, p := range []shape.Pattern{shape.Right, shape.Random} {
		m, at := shape.Strip(p, 1, 1, 0.012, 0, 0)
		plate := mustPlate(b, m, IsotropicPlate(1e-5, 0.3), nil)
		hinge, _ := NewHinge(m, func(int32) HingeLaw { return IsotropicHinge(4e-5) })
		isometric, _ := NewIsometric(m, 1e-5)
		x := shaken(flat(at), 0.001, rand.New(rand.NewPCG(1, 2)))
		for name, f := range map[string]Elements{"plate": plate, "hinge": hinge, "isometric": isometric} {
			name = p.String() + "/" + name
			perTriangle := func(b *testing.B) {
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(m.Tri)), "ns/triangle")
			}
			for d, detail := range map[string]Detail{"force": WithForce, "projected": Projected} {
				b.Run(name+"/update/"+d, func(b *testing.B) {
					for b.Loop() {
						f.Update(x, detail, 0, f.Len())
					}
					perTriangle(b)
				})
			}
			for d, material := range map[string]float64{"undamped": 1, "damped": 2} {
				b.Run(name+"/assemble/"+d, func(b *testing.B) {
					at, val := make([]int32, 64), make([]r3.Mat, 64)
					for l := range at {
						at[l] = int32(l)
					}
					for b.Loop() {
						for e := range f.Len() {
							n := len(f.Nodes(e))
							for k := range n {
								f.AddRow(e, k, at[:n], val, material, 1)
							}
						}
					}
					perTriangle(b)
				})
			}
		}
		b.Run(p.String()+"/build", func(b *testing.B) {
			for b.Loop() {
				mustPlate(b, m, IsotropicPlate(1e-5, 0.3), nil)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(m.Tri)), "ns/triangle")
			b.ReportMetric(float64(len(plate.node))/float64(len(m.Tri)), "nodes")
		})
	}
}

// globe returns an octahedron whose faces are divided once and blown up to a sphere of radius r.
func globe(t testing.TB, r float64) (*mesh.Mesh, []r3.Vec) {
	t.Helper()
	x := []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}, {X: -1}, {Y: -1}, {Z: -1}}
	var tri [][3]int32
	middle := map[[2]int32]int32{}
	mid := func(a, b int32) int32 {
		key := [2]int32{min(a, b), max(a, b)}
		if _, ok := middle[key]; !ok {
			middle[key] = int32(len(x))
			x = append(x, x[a].Add(x[b]).Unit())
		}
		return middle[key]
	}
	for i := range int32(8) {
		v := [3]int32{i & 1 * 3, 1 + i>>1&1*3, 2 + i>>2&1*3}
		if (i&1+i>>1&1+i>>2&1)%2 == 1 {
			v[1], v[2] = v[2], v[1]
		}
		a, b, c := mid(v[0], v[1]), mid(v[1], v[2]), mid(v[2], v[0])
		tri = append(tri, [3]int32{v[0], a, c}, [3]int32{v[1], b, a}, [3]int32{v[2], c, b}, [3]int32{a, b, c})
	}
	for i := range x {
		x[i] = x[i].Scale(r)
	}
	m, err := mesh.FromSurface(x, tri, r3.V(1, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return m, x
}

// A closed surface with a rest shape of its own has no moments in it, however it is moved, and the
// curvature of a sphere is about 1/r along every direction.
func TestPlateOfClosedSurface(t *testing.T) {
	m, x := globe(t, 0.5)
	p := mustPlate(t, m, IsotropicPlate(1, 0.3), nil)
	for e := range int32(p.Len()) {
		// Triangles of side 0.4 on a sphere of radius 0.5.
		if k := p.Curvature(x, e); math.Abs(k.X+2) > 0.7 || math.Abs(k.Y+2) > 0.7 || math.Abs(k.Z) > 0.7 {
			t.Errorf("curvature of %d is %v", e, k)
		}
	}
	p.RestFrom(x)
	rng := rand.New(rand.NewPCG(4, 5))
	pose := randomPose(rng)
	for i := range x {
		x[i] = pose.Apply(x[i])
	}
	p.Update(x, Projected, 0, p.Len())
	for e := range p.Len() {
		if p.Energy(e) > 1e-24 {
			t.Errorf("energy of %d is %g at rest", e, p.Energy(e))
		}
	}
	c := bendingCase{"globe", p, x, 0.4}
	y := shaken(x, 0.02, rng)
	for e := range p.Len() {
		checkDerivatives(t, &c, y, e)
	}
}
