package remesh

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// still returns a sheet of a mesh that does not move.
func still(m *mesh.Mesh, x []r3.Vec) *Sheet {
	s := &Sheet{
		Mesh:    m,
		X:       x,
		V:       make([]r3.Vec, m.Verts),
		UID:     make([]int64, m.Verts),
		Keep:    make([]bool, m.Verts),
		Density: 0.2,
		NextUID: int64(m.Verts),
	}
	for i := range s.UID {
		s.UID[i] = int64(i)
	}
	s.Mass = lumped(s)
	return s
}

// faceSizes returns the tensors of a sheet's triangles.
func faceSizes(s *Sheet, around *Surroundings, opt *Options) []Tensor {
	var r Remesher
	r.change.edit.Reset(s.Mesh)
	r.size(nil, s, around, opt, r.flanks(s, around, opt))
	return r.sizer.face
}

// wide returns options under which only what a test sets has an effect.
func wide() Options {
	o := DefaultOptions()
	o.Min, o.Max, o.Aspect = 1e-5, 1e3, 1e-9
	o.Angle, o.Velocity, o.Compression = 1e6, 1e6, 1e6
	return o
}

func nearTensor(t *testing.T, what string, got, want Tensor, tol float64) {
	t.Helper()
	scale := max(want.XX, want.YY)
	if d := max(math.Abs(got.XX-want.XX), math.Abs(got.XY-want.XY), math.Abs(got.YY-want.YY)); !(d <= tol*scale) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// On a cylinder of radius R the normal turns by 1/R a metre around it: edges may be αR long there. The angle between
// facets that are a R wide is a, so that the shape operator from angles is exact.
func TestCurvatureOfCylinder(t *testing.T) {
	const radius, step = 0.1, 0.05
	opt := wide()
	opt.Angle, opt.Contact = 0.3, NoContact
	m, _ := shape.GridOf(shape.Right, 10*radius*step, 0.04, 10, 8, 0)
	x := make([]r3.Vec, m.Verts)
	for i, p := range m.Material {
		a := p.X / radius
		x[i] = r3.V(radius*math.Sin(a), p.Y, radius*math.Cos(a))
	}
	want := Tensor{XX: 1 / (radius * radius * opt.Angle * opt.Angle)}
	inside := 0
	for i, got := range faceSizes(still(m, x), &Surroundings{}, &opt) {
		a, b, c := m.RestTriangle(int32(i))
		if min(a.X, b.X, c.X) > radius*step*1.5 && max(a.X, b.X, c.X) < radius*step*8.5 && min(a.Y, b.Y, c.Y) > 0.004 &&
			max(a.Y, b.Y, c.Y) < 0.036 {
			inside++
			nearTensor(t, "cylinder", got, want, 1e-6) // 1e-6: the floor of the other directions
		}
	}
	if inside < 50 {
		t.Fatalf("only %d triangles away from the border", inside)
	}
}

// A velocity that is linear in the material, v = A X, asks for AᵀA/v².
func TestVelocityGradient(t *testing.T) {
	opt := wide()
	opt.Velocity, opt.Contact = 0.5, NoContact
	m, x := shape.GridOf(shape.Random, 0.3, 0.2, 6, 4, 5)
	s := still(m, x)
	a, b := r3.V(1, -2, 0.5), r3.V(0.3, 4, -1)
	for i, p := range m.Material {
		s.V[i] = a.Scale(p.X).AddScaled(p.Y, b)
	}
	for _, got := range faceSizes(s, &Surroundings{}, &opt) {
		nearTensor(t, "velocity", got, gram(1/0.25, a, b), 1e-6)
	}
}

// A strip compressed to λ along X asks for edges of at most c √(2/(1−λ²)) there, stretch across for nothing.
func TestCompressedStrip(t *testing.T) {
	opt := wide()
	opt.Compression, opt.Contact = 0.01, NoContact
	m, x := shape.GridOf(shape.Random, 0.3, 0.1, 6, 2, 9)
	const lambda = 0.9
	for i := range x {
		x[i] = r3.V(lambda*x[i].X, 1.05*x[i].Y, 0)
	}
	for _, got := range faceSizes(still(m, x), &Surroundings{}, &opt) {
		nearTensor(t, "compression", got, Tensor{XX: (1 - lambda*lambda) / 2 / 1e-4}, 1e-6)
	}
}

// oneTriangle returns a sheet of a single triangle at a height, seen from above like its material.
func oneTriangle(height float64) *Sheet {
	p := []r3.Vec2{{X: -0.03, Y: -0.02}, {X: 0.05, Y: -0.04}, {X: 0.01, Y: 0.05}}
	m, err := mesh.New(3, [][3]int32{{0, 1, 2}}, p, nil)
	if err != nil {
		panic(err)
	}
	x := make([]r3.Vec, 3)
	for i := range p {
		x[i] = r3.V(p[i].X, p[i].Y, height)
	}
	return still(m, x)
}

// fromPlanes combines the tensors of planes by equation (15), written out.
func fromPlanes(s *Sheet, opt *Options, at r3.Vec, normals ...r3.Vec) Tensor {
	sum := isotropic(1 / (opt.Max * opt.Max))
	for _, n := range normals {
		most := 0.0
		for _, x := range s.X {
			most = max(most, math.Abs(x.Sub(at).Dot(n)))
		}
		sum = sum.Combine(outer(1/(most*most), r3.Vec2{X: n.X, Y: n.Y}))
	}
	return sum
}

// A flat triangle 2 mm above the ridge of a roof is cut by both its planes, [Li18] equation (15): ∇φ is the horizontal
// part of their normals, φ at the corners is (z ∓ x)/√2. As the gradients are parallel the larger tensor wins.
func TestProximityOfEdge(t *testing.T) {
	const z = 2e-3
	opt := wide()
	s := oneTriangle(z)
	// |φ| is largest at x = 0.05 for both planes, at 0.052/√2 for the one that rises there.
	want := Tensor{XX: 0.5 / (0.048 * 0.048 / 2)}
	roof := Surface{
		X: []r3.Vec{
			{Y: -1},
			{Y: 1},
			{X: 1, Y: -1, Z: -1},
			{X: 1, Y: 1, Z: -1},
			{X: -1, Y: -1, Z: -1},
			{X: -1, Y: 1, Z: -1},
		},
		Tri: [][3]int32{{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}},
	}
	box := shape.Placed{
		Shape: shape.Box{Half: r3.V(1, 2, 1)},
		Pose:  r3.Pose{R: r3.Rotation(r3.V(0, 1, 0), math.Pi/4), T: r3.V(0, 0, -math.Sqrt2)},
	}
	for name, around := range map[string]*Surroundings{
		"mesh": {Surfaces: []Surface{roof}}, "cloth": {Surfaces: []Surface{{X: roof.X, Tri: roof.Tri, Cloth: true}}}, "box": {Fields: []geom.Field{box}},
	} {
		nearTensor(t, name, faceSizes(s, around, &opt)[0], want, 1e-6)
		opt2 := opt
		opt2.Reach = 1.9e-3
		nearTensor(t, name+" out of reach", faceSizes(s, around, &opt2)[0], isotropic(1e-6), 1e-9)
	}
}

// Above the tip of a pyramid with four faces the tensor is diagonal, each axis as for a ridge; above that of a cone it
// is above all tensors of its eight planes, and not much more.
func TestProximityOfTip(t *testing.T) {
	const z = 2e-3
	opt := wide()
	s := oneTriangle(z)
	pyramid := Surface{
		X: []r3.Vec{{}, {X: 1, Y: 1, Z: -1}, {X: -1, Y: 1, Z: -1}, {X: -1, Y: -1, Z: -1}, {X: 1, Y: -1, Z: -1}},
	}
	var tip []r3.Vec
	for k := range int32(4) {
		pyramid.Tri = append(pyramid.Tri, [3]int32{0, 1 + k, 1 + (k+1)%4})
		sin, cos := math.Sincos(math.Pi/2 + float64(k)*math.Pi/2)
		tip = append(tip, r3.V(cos, sin, 1).Unit())
	}
	got := faceSizes(s, &Surroundings{Surfaces: []Surface{pyramid}}, &opt)[0]
	nearTensor(t, "pyramid", got, fromPlanes(s, &opt, r3.Vec{}, tip...), 1e-9)
	nearTensor(t, "pyramid", got, Tensor{XX: 1 / (0.048 * 0.048), YY: 1 / (0.048 * 0.048)}, 1e-6)

	cone := shape.Placed{Shape: shape.Cone{Radius: 0.3, Height: 0.6}, Pose: r3.Translation(r3.V(0, 0, -0.6))}
	got = faceSizes(s, &Surroundings{Fields: []geom.Field{cone}}, &opt)[0]
	for k := range tipPlanes {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / tipPlanes)
		n := r3.V(2*cos, 2*sin, 1).Unit()
		one := fromPlanes(s, &opt, r3.Vec{}, n)
		_, least, _ := Tensor{got.XX - one.XX, got.XY - one.XY, got.YY - one.YY}.Eigen()
		if least < -1e-6*got.XX {
			t.Errorf("plane %d of a cone wants %v, more than %v", k, one, got)
		}
		if large, _, _ := one.Eigen(); large > 0 {
			if all, _, _ := got.Eigen(); all > 3*large && k == 0 {
				t.Errorf("cone: %v, one plane alone %v", got, one)
			}
		}
	}
}

// The older metric asks for edges no longer than the distance, wherever a vertex is: 1/φ² along the gradient, the mean
// of three.
func TestObstacleMetric(t *testing.T) {
	opt := wide()
	opt.Contact = Obstacle
	p := []r3.Vec2{{}, {X: 0.1}, {Y: 0.1}}
	m, err := mesh.New(3, [][3]int32{{0, 1, 2}}, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := still(m, []r3.Vec{{Z: 0.02}, {X: 0.06, Z: 0.1}, {Y: 0.1, Z: 0.02}}) // slope 0.8 in the material
	floor := &Surroundings{Fields: []geom.Field{shape.Plane{Normal: r3.V(0, 0, 1)}}}
	got := faceSizes(s, floor, &opt)[0]
	nearTensor(t, "obstacle", got, Tensor{XX: 0.8 * 0.8 * (2/(0.02*0.02) + 1/(0.1*0.1)) / 3}, 1e-6)

	// The newer one has the largest distance in the denominator; out of reach it asks for nothing.
	opt.Contact, opt.Reach = Proximity, 0.03
	nearTensor(t, "proximity", faceSizes(s, floor, &opt)[0], Tensor{XX: 0.8 * 0.8 / (0.1 * 0.1)}, 1e-6)
}

// Two layers of one sheet 3 mm apart count as near to each other; neighbours do not, nor does the other side of a seam.
func TestProximityOfSelf(t *testing.T) {
	opt := wide()
	coarse := 1 / (opt.Max * opt.Max)
	m, _ := shape.Grid(0.3, 0.1, 60, 10)
	x := make([]r3.Vec, m.Verts)
	for i, p := range m.Material {
		x[i] = foldedAt(p, 1.5e-3)
		// The upper layer leans over the lower one, so that its planes cut.
		if p.X > 0.1 {
			x[i].Z += 0.02 * (p.X - 0.1)
		}
	}
	refined := 0
	for i, got := range faceSizes(still(m, x), &Surroundings{Thickness: 1e-3}, &opt) {
		a, b, c := m.RestTriangle(int32(i))
		large, _, _ := got.Eigen()
		if max(a.X, b.X, c.X) < 0.065 && large > 2*coarse {
			refined++
		}
		if min(a.X, b.X, c.X) > 0.2 && large > 2*coarse {
			t.Errorf("triangle at %v is refined and near nothing: %v", a, got)
		}
	}
	if refined < 100 {
		t.Errorf("%d triangles of the lower layer see the upper one", refined)
	}
	tube := seamed(14, 4)
	for i := range tube.Verts {
		a := 2 * math.Pi * float64(i%14) / 14
		if i == 0 {
			x = make([]r3.Vec, tube.Verts)
		}
		x[i] = r3.V(0.045*math.Cos(a), 0.02*float64(i/14), 0.045*math.Sin(a))
	}
	opt.Reach = 0.03
	for i, got := range faceSizes(still(tube, x), &Surroundings{Thickness: 1e-3}, &opt) {
		if large, _, _ := got.Eigen(); large > 2*coarse {
			t.Errorf("triangle %d of a tube is near itself: %v", i, got)
		}
	}
}

// Property of Combine: it is above both, keeps one that is above the other, and takes the larger entries of diagonal
// tensors.
func TestCombine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, "x") }
		draw := func(least float64) Tensor {
			a := f(0, math.Pi)
			return fromEigen(math.Exp(f(0, 8)), least, r3.Vec2{X: math.Cos(a), Y: math.Sin(a)})
		}
		a, b := draw(f(0.1, 1)), draw(f(0, 1))
		c := a.Combine(b)
		for _, u := range []Tensor{a, b} {
			_, least, _ := Tensor{c.XX - u.XX, c.XY - u.XY, c.YY - u.YY}.Eigen()
			if scale, _, _ := c.Eigen(); least < -1e-9*scale {
				t.Fatalf("%v and %v combine to %v, which is not above both", a, b, c)
			}
		}
		if got, most := c.XX+c.YY, a.XX+a.YY+b.XX+b.YY; got > most*(1+1e-9) {
			t.Fatalf("trace %g above that of the sum, %g", got, most)
		}
		if again := c.Combine(b.Scale(1 - 1e-9)); math.Abs(again.XX-c.XX)+math.Abs(again.YY-c.YY) > 1e-6*(c.XX+c.YY) {
			t.Fatalf("%v combined with %v again: %v", c, b, again)
		}
		large, small, axis := c.Eigen()
		if back := fromEigen(
			large,
			small,
			axis,
		); math.Abs(
			back.XX-c.XX,
		)+math.Abs(
			back.XY-c.XY,
		)+math.Abs(
			back.YY-c.YY,
		) > 1e-12*(c.XX+c.YY) {
			t.Fatalf("%v from its eigenvalues: %v", c, back)
		}
	})
	if got := (Tensor{4, 0, 1}).Combine(
		Tensor{2, 0, 9},
	); math.Abs(
		got.XX-4,
	)+math.Abs(
		got.XY,
	)+math.Abs(
		got.YY-9,
	) > 1e-12 {
		t.Errorf("diagonal tensors combine to %v", got)
	}
}
