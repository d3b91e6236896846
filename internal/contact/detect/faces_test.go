package detect

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// oneFace returns a triangle with its centroid at the origin, in the plane z = 0, with sides of √3 times the size.
func oneFace(t *testing.T, size float64) (*mesh.Mesh, []r3.Vec) {
	t.Helper()
	var x []r3.Vec
	var at []r3.Vec2
	for k := range 3 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / 3)
		x, at = append(x, r3.V(size*cos, size*sin, 0)), append(at, r3.Vec2{X: size * cos, Y: size * sin})
	}
	m, err := mesh.New(3, [][3]int32{{0, 1, 2}}, at, [][3]int32{{0, 1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	return m, x
}

// A ball that comes up in the middle of a large face, far from its corners, has a contact with it: near at the start,
// or met in a step that is longer than the ball is wide. The gap is that of the middle.
func TestBallsMeetTheMiddlesOfFaces(t *testing.T) {
	m, x := oneFace(t, 0.5)
	for _, c := range []struct {
		name     string
		below, z float64 // of the ball's centre, at the start and at the end
		gap      float64
		found    bool
	}{
		{"near", -0.1002, -0.1002, 0.0002, true},
		{"inside", -0.095, -0.095, -0.005, true},
		{"far", -0.2, -0.2, 0, false},
		{"comes near", -0.2, -0.1002, 0.1, true},
		{"goes through", -0.3, 0.5, 0.2, true},
		{"stays below", -0.3, -0.11, 0, false},
	} {
		f := DefaultFinder()
		o := contact.Skin{
			Surface: 1,
			Block:   contact.None,
			Field:   shape.Sphere{Radius: 0.1},
			From:    r3.Translation(r3.V(0, 0, c.below)),
			To:      r3.Translation(r3.V(0, 0, c.z)),
		}
		f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m), o})
		var set contact.Set
		f.Find(contact.Motion{H: 0.01, Theta: 1, X0: x, V0: make([]r3.Vec, 3), X1: x}, nil, &set)
		if c.found != (set.Len() == 1) {
			t.Errorf("%s: %d contacts", c.name, set.Len())
			continue
		}
		if !c.found {
			continue
		}
		k := &set.Contacts[0]
		if err := set.Validate(3); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if math.Abs(k.Gap-c.gap) > 1e-6 || k.Normal().Sub(r3.V(0, 0, 1)).Norm() > 1e-3 || k.ID.A.Kind != contact.Face ||
			k.ID.B.Kind != contact.Whole {
			t.Errorf("%s: gap %g, normal %v, %+v", c.name, k.Gap, k.Normal(), k.ID)
		}
		// It is asked to keep a quarter of the thickness, 1 mm: u_N ≥ 0 at the velocity that brings it there.
		if c.gap > faceKept*f.Thickness {
			if want := (c.gap-faceKept*f.Thickness)/0.01 - (c.z-c.below)/0.01; math.Abs(k.Uf.X-want) > 1e-4 {
				t.Errorf("%s: u_N = %g m/s at rest, want %g", c.name, k.Uf.X, want)
			}
		}
	}
}

// touchingAll puts a face around a shape: its corners at the given distances from it, each along its own normal.
func touchingAll(f geom.Field, x []r3.Vec, distance func(i int) float64) {
	for i := range x {
		for range 3 { // a cone's normals turn along the way
			d, n := f.Distance(x[i])
			x[i] = x[i].AddScaled(distance(i)-d, n)
		}
	}
}

// Faces of up to a quarter of the radius whose corners keep the thickness and what sag adds to it are outside of the
// shape, by the least that the certificate should never have to look at; within 95 % of A9's bound nothing is added.
// Random faces on balls, rods and cones.
func TestSagKeepsFacesOutside(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	least, added := math.Inf(1), 0
	for k := range 3000 {
		radius := 0.02 * math.Exp(3*rng.Float64())
		field := []geom.Field{
			shape.Sphere{Radius: radius},
			shape.Cylinder{Radius: radius, Half: 10 * radius},
			shape.Capsule{Radius: radius, Half: 3 * radius},
			shape.Cone{Radius: 2 * radius, Height: 20 * radius},
		}[k%4]
		size := radius * largeFaces * rng.Float64()
		m, x := oneFace(t, size)
		turn := r3.Rotation(r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit(), 3*rng.Float64())
		at := r3.V(rng.NormFloat64(), rng.NormFloat64(), 0.3*rng.NormFloat64()).Scale(radius)
		if k%4 == 3 {
			at.Z += 8 * radius // away from the rim, which has contacts of its own
		}
		at = geom.ClosestOn(field, at)
		_, normal := field.Distance(at)
		for i := range x {
			p := turn.Rotate(x[i].Add(r3.V(0.2*size*rng.NormFloat64(), 0.2*size*rng.NormFloat64(), 0)))
			x[i] = at.Add(p.AddScaled(-p.Dot(normal), normal))
		}
		f := DefaultFinder()
		touchingAll(field, x, func(int) float64 { return f.Thickness })
		f.Begin([]contact.Skin{
			contact.ClothSkin(0, 0, m),
			{Surface: 1, Block: contact.None, Field: field, From: r3.Still(), To: r3.Still()},
		})
		var set contact.Set
		still := contact.Motion{H: 0.01, Theta: 1, X0: x, V0: make([]r3.Vec, 3), X1: x}
		f.Find(still, nil, &set)
		r, along := shape.CurvatureAt(field, x[0])
		if f.scene.moving.spread(0, along) > 0.95*largeFaces*r ||
			math.IsInf(r, 1) { // of a cone the radius differs from corner to corner
			continue
		}
		sags := [3]float64{}
		for k := range 8 { // farther out the face is larger, and sags more
			for i := range sags {
				sags[i] = f.rules.sag(&f.scene.shapes[0], int32(i), x[i])
			}
			longest := max(x[0].Sub(x[1]).Norm(), x[1].Sub(x[2]).Norm(), x[2].Sub(x[0]).Norm())
			if bound := math.Sqrt(
				3 * (2*r*f.Thickness + f.Thickness*f.Thickness),
			); k == 0 && longest < 0.93*bound &&
				max(sags[0], sags[1], sags[2]) > 0 {
				t.Fatalf(
					"%T, radius %g: edges of %g, bound %g, and corners keep %v more",
					field,
					r,
					longest,
					bound,
					sags,
				)
			}
			touchingAll(field, x, func(i int) float64 { return f.Thickness + sags[i] })
		}
		low := geom.LowestOnTriangle(field, x[0], x[1], x[2], math.Inf(1), 1e-9)
		least = min(least, low.D/f.Thickness)
		if low.D < rescued*f.Thickness {
			t.Errorf(
				"%T, radius %g: a face of radius %g whose corners keep %v more is at %g thicknesses",
				field,
				r,
				f.scene.moving.spread(0, along),
				sags,
				low.D/f.Thickness,
			)
		}
		if sags[0] > 0 {
			added++
		}
	}
	t.Logf("least distance %.3f thicknesses; sag in %d faces", least, added)
	if added < 300 {
		t.Errorf("only %d faces sag", added)
	}
}

// The corners of a face that sags are pushed out if they keep no more than the thickness.
func TestCornersOfFacesThatSagArePushed(t *testing.T) {
	ball := shape.Sphere{Radius: 0.2}
	for _, size := range []float64{0.01, 0.04} {
		m, x := oneFace(t, size)
		for i := range x {
			x[i].Z = ball.Radius
		}
		f := DefaultFinder()
		touchingAll(ball, x, func(int) float64 { return f.Thickness })
		f.Begin([]contact.Skin{
			contact.ClothSkin(0, 0, m),
			{Surface: 1, Block: contact.None, Field: ball, From: r3.Still(), To: r3.Still()},
		})
		var set contact.Set
		f.Find(contact.Motion{H: 0.01, Theta: 1, X0: x, V0: make([]r3.Vec, 3), X1: x}, nil, &set)
		corners := 0
		for _, c := range set.Contacts {
			if c.ID.A.Kind != contact.Vertex {
				continue
			}
			corners++
			if sags := size > 0.02; (c.Push > 0) != sags {
				t.Errorf("faces of %g m: pushed at %g m/s, sags %v", size, c.Push, sags)
			}
		}
		if corners != 3 {
			t.Errorf("faces of %g m: contacts of %d corners, want 3", size, corners)
		}
	}
}

// A face that would come through between its corners, though these stay outside, has a contact with the weights of its
// lowest point; where its corners keep it out it has none.
func TestFacesThatComeThroughAreRescued(t *testing.T) {
	f := DefaultFinder()
	const radius = 0.1
	m, x := oneFace(t, 0.02)
	ball := shape.Sphere{Radius: radius}
	for i := range x {
		x[i].Z = radius + 0.01
	}
	for _, c := range []struct {
		end   float64 // of the corners, over the height at which the face touches the ball
		found bool
	}{{5e-3, false}, {0.1e-3, false}, {0.04e-3, true}, {-1e-3, true}} {
		x1 := slices.Clone(x)
		for i := range x1 {
			x1[i].Z = radius + c.end
		}
		f.Begin([]contact.Skin{
			contact.ClothSkin(0, 0, m),
			{Surface: 1, Block: contact.None, Field: ball, From: r3.Still(), To: r3.Still()},
		})
		var set contact.Set
		f.Find(contact.Motion{H: 0.01, Theta: 1, X0: x, V0: make([]r3.Vec, 3), X1: x1}, nil, &set)
		faces := 0
		for i := range set.Contacts {
			if k := &set.Contacts[i]; k.ID.A.Kind == contact.Face {
				faces++
				for _, term := range set.Row(i) {
					if math.Abs(term.W-1./3) > 1e-2 {
						t.Errorf("end %g: weight %g", c.end, term.W)
					}
				}
			}
		}
		if c.found != (faces == 1) {
			t.Errorf("end %g: %d contacts of the face", c.end, faces)
		}
		// The certificate: an impact if and only if the face gets in.
		impacts := f.Impacts(x1, 1e-3*f.Thickness, nil)
		middle := 0
		for i := range impacts {
			if impacts[i].Terms == 3 {
				middle++
			}
		}
		if (middle == 1) != (c.end < 0) {
			t.Errorf("end %g: %d impacts of the face", c.end, middle)
		}
		found := f.Crossings(x1)
		if want := max(
			0,
			-c.end,
		); (found.Count == 1) != (c.end < 0) || math.Abs(found.Depth-want) > 1e-6 ||
			found.Count > 0 && found.First.TriangleA != 0 {
			t.Errorf("end %g: %+v", c.end, found)
		}
	}
}

// In the axes of a shape that turns and moves, points that move evenly stay as near to their chords as bulge says, and
// some nearly get as far.
func TestBulge(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	point := func() r3.Vec { return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()) }
	nearest := 0.0
	for range 2000 {
		turn := 0.5 * rng.Float64()
		from := r3.Pose{R: r3.Rotation(point().Unit(), rng.Float64()), T: point()}
		to := r3.Pose{R: r3.Rotation(point().Unit(), turn).Mul(from.R), T: point()}
		p, q := point(), point()
		a, b := from.Inverse().Apply(p), to.Inverse().Apply(q)
		bound := bulge(a, b, turn)
		for k := 1; k < 16; k++ {
			s := float64(k) / 16
			off := from.Lerp(to, s).Inverse().Apply(p.Lerp(q, s)).Sub(a.Lerp(b, s)).Norm()
			if off > bound {
				t.Fatalf("turned by %g: %g off the chord, bound %g", turn, off, bound)
			}
			nearest = max(nearest, off/bound)
		}
	}
	if nearest < 0.3 {
		t.Errorf("at most %g of the bound: it is not worth much", nearest)
	}
}

// Where a face is lowest over a ball does not depend on which corner comes first, nor on which side it is seen from:
// contacts are at the same place to rounding, not to √(2rδ) as two searches to δ in depth leave it.
func TestFacesAreLowestAtOnePlace(t *testing.T) {
	const size, radius = 0.02, 0.06
	_, x := oneFace(t, size)
	for i, lift := range []float64{0, 1e-4, 3e-4} {
		x[i].Z += lift
	}
	var first r3.Vec
	for k, corners := range [][3]int32{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}} {
		at := []r3.Vec2{{X: x[0].X, Y: x[0].Y}, {X: x[1].X, Y: x[1].Y}, {X: x[2].X, Y: x[2].Y}}
		m, err := mesh.New(3, [][3]int32{corners}, at, [][3]int32{corners})
		if err != nil {
			t.Fatal(err)
		}
		f := DefaultFinder()
		place := r3.Translation(r3.V(0.001, 0.0007, -radius-1e-4))
		f.Begin([]contact.Skin{
			contact.ClothSkin(0, 0, m),
			{Surface: 1, Block: contact.None, Field: shape.Sphere{Radius: radius}, From: place, To: place},
		})
		var set contact.Set
		f.Find(contact.Motion{H: 0.01, Theta: 1, X0: x, V0: make([]r3.Vec, 3), X1: x}, nil, &set)
		if set.Len() != 1 {
			t.Fatalf("corners %v: %d contacts", corners, set.Len())
		}
		normal := set.Contacts[0].Normal()
		if k == 0 {
			first = normal
		} else if d := normal.Sub(first).Norm(); d > 1e-8 {
			t.Errorf("corners %v: the normal is %.1e off that of corners 0, 1, 2", corners, d)
		}
	}
}
