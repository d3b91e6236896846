package contact

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
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

// A ball that comes up in the middle of a large face, far from its corners, has a contact with it: near at the start, or met in a step that is longer than the ball
// is wide. The gap is that of the middle.
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
		o := Obstacle{Surface: 1, Block: None, Field: geom.Sphere{Radius: 0.1}, From: r3.Translation(r3.V(0, 0, c.below)), To: r3.Translation(r3.V(0, 0, c.z))}
		f.Begin([]Sheet{{Mesh: m}}, []Obstacle{o})
		var set Set
		f.Find(Motion{H: 0.01, Theta: 1, X0: x, V0: make([]r3.Vec, 3), X1: x}, nil, &set)
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
		if math.Abs(k.Gap-c.gap) > 1e-6 || k.Normal().Sub(r3.V(0, 0, 1)).Norm() > 1e-3 || k.ID.A.Kind != Face || k.ID.B.Kind != Whole {
			t.Errorf("%s: gap %g, normal %v, %+v", c.name, k.Gap, k.Normal(), k.ID)
		}
		// It is asked to keep a quarter of the thickness, 1 mm: u_N ≥ 0 at the velocity that brings it there.
		if c.gap > dipKept*f.Thickness {
			if want := (c.gap-dipKept*f.Thickness)/0.01 - (c.z-c.below)/0.01; math.Abs(k.Uf.X-want) > 1e-4 {
				t.Errorf("%s: u_N = %g m/s at rest, want %g", c.name, k.Uf.X, want)
			}
		}
	}
}

// Faces that are small enough for their dips to be small have no contacts of their own, wherever a ball is.
func TestSmallFacesAreLeftToTheirCorners(t *testing.T) {
	f := DefaultFinder()
	radius := 0.1
	m, x := oneFace(t, 0.999*dipEdges*radius/math.Sqrt(3))
	for k := range 100 {
		below := -radius - 1e-3 + 2e-3*float64(k)/100
		o := Obstacle{Surface: 1, Block: None, Field: geom.Sphere{Radius: radius}, From: r3.Translation(r3.V(0, 0, below)), To: r3.Translation(r3.V(0, 0, below))}
		f.Begin([]Sheet{{Mesh: m}}, []Obstacle{o})
		var set Set
		f.Find(Motion{H: 0.01, Theta: 1, X0: x, V0: make([]r3.Vec, 3), X1: x}, nil, &set)
		for i := range set.Contacts {
			if set.Contacts[i].ID.A.Kind == Face {
				t.Fatalf("centre at %g: the face has a contact", below)
			}
		}
	}
}
