package detect

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A contact asks for the gap of its own place: thickness is linear along edges and in faces, against an obstacle that
// of the cloth, between cloths the mean of both.
func TestThicknessOfAPlace(t *testing.T) {
	f := DefaultFinder()
	f.VertexThickness = []float64{1e-3, 3e-3, 2e-3}
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), floor(1)})
	m := still(r3.V(0, 0, 1e-3), r3.V(1, 0, 4e-3), r3.V(0, 1, 3e-3))
	var set contact.Set
	f.Find(m, nil, &set)
	// The third is as far as its reach, so that it is no contact.
	if set.Len() != 2 {
		t.Fatalf("%d contacts: %+v", set.Len(), set.Contacts)
	}
	for i, want := range []float64{0, 1e-3 / m.H} {
		if got := set.Contacts[i].Uf.X; math.Abs(got-want) > 1e-12 {
			t.Errorf("contact %d asks for %g m/s instead of %g", i, got, want)
		}
	}

	// A vertex above the middle of a face of another cloth: ½ (4 mm + (1 + 2 + 3)/3 mm) = 3 mm.
	f = DefaultFinder()
	f.VertexThickness = []float64{1e-3, 2e-3, 3e-3, 4e-3, 1e-4, 1e-4}
	cloths := []contact.Skin{contact.ClothSkin(0, 0, one(t)), contact.ClothSkin(1, 3, one(t))}
	f.Begin(cloths)
	m = still(
		r3.V(0, 0, 0),
		r3.V(1, 0, 0),
		r3.V(0, 1, 0),
		r3.V(1./3, 1./3, 3.5e-3),
		r3.V(1./3, 1./3, 1),
		r3.V(0.5, 1./3, 1),
	)
	f.Find(m, nil, &set)
	if set.Len() != 1 {
		t.Fatalf("%d contacts: %+v", set.Len(), set.Contacts)
	}
	if got, want := set.Contacts[0].Uf.X, 0.5e-3/m.H; math.Abs(got-want) > 1e-9 {
		t.Errorf("it asks for %g m/s instead of %g", got, want)
	}
}

// The friction of a place replaces that of the pair; of two the smaller holds; a listed pair keeps its own.
func TestFrictionOfAPlace(t *testing.T) {
	f := DefaultFinder()
	f.Friction = func(a, b int32) float64 { return 0.9 }
	const none = -1
	cloths := []contact.Skin{contact.ClothSkin(0, 0, one(t)), contact.ClothSkin(1, 3, one(t))}
	m := still(
		r3.V(0, 0, 0),
		r3.V(1, 0, 0),
		r3.V(0, 1, 0),
		r3.V(1./3, 1./3, 1e-3),
		r3.V(1./3, 1./3, 1),
		r3.V(0.5, 1./3, 1),
	)
	for _, c := range []struct {
		mu     []float64
		listed bool
		want   float64
	}{
		{nil, false, 0.9},
		{[]float64{0.1, 0.2, 0.3, none, none, none}, false, 0.2},
		{[]float64{none, none, none, 0.5, 0.7, 0.7}, false, 0.5},
		{[]float64{0.1, 0.2, 0.3, 0.5, 0.5, 0.5}, false, 0.2},
		{[]float64{0.1, 0.2, 0.3, 0, 0.5, 0.5}, false, 0},
		{[]float64{0.1, 0.2, 0.3, 0.5, 0.5, 0.5}, true, 0.9},
	} {
		f.VertexFriction, f.HasFriction = c.mu, func(a, b int32) bool { return c.listed }
		f.Begin(cloths)
		var set contact.Set
		f.Find(m, nil, &set)
		if set.Len() != 1 || math.Abs(set.Contacts[0].Mu-c.want) > 1e-15 {
			t.Errorf("%v, listed %v: %+v, want mu %g", c.mu, c.listed, set.Contacts, c.want)
		}
	}
}

// A vertex lies on an obstacle, which is a shape or a mesh: friction is that of the two surfaces, and not more or less
// for either.
func TestFrictionOfObstacles(t *testing.T) {
	floor := contact.Skin{
		Surface: 1,
		Block:   contact.None,
		Field:   shape.Plane{Normal: r3.V(0, 0, 1)},
		From:    r3.Still(),
		To:      r3.Still(),
	}
	plate := contact.Skin{Surface: 1, Block: contact.None, From: r3.Still(), To: r3.Still(), Tri: [][3]int32{{0, 1, 2}}}
	plate.X0 = []r3.Vec{r3.V(-3, -3, 0), r3.V(5, -3, 0), r3.V(-3, 5, 0)}
	plate.X1 = plate.X0
	for _, o := range []contact.Skin{floor, plate} {
		f := DefaultFinder()
		f.Friction = func(a, b int32) float64 { return 0.25 + 0.5*float64(a+b) }
		f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), o})
		var set contact.Set
		f.Find(still(r3.V(0, 0, 1e-3), r3.V(1, 0, 1e-3), r3.V(0, 1, 1e-3)), nil, &set)
		if set.Len() == 0 {
			t.Fatal("no contact")
		}
		for _, c := range set.Contacts {
			if c.Mu != 0.75 {
				t.Errorf("friction %g, want 0.75", c.Mu)
			}
		}
	}
}

// The rim of a cylinder comes through a thin cloth between its vertices: however thin the cloth, it is met.
func TestSharpFeaturesMeetThinCloths(t *testing.T) {
	for _, thin := range []float64{1e-3, 2e-4, 5e-5} {
		f := DefaultFinder()
		f.VertexThickness = []float64{thin, thin, thin}
		o := contact.Skin{
			Surface: 1,
			Block:   contact.None,
			Field:   shape.Cylinder{Radius: 0.05, Half: 0.2},
			From:    r3.Pose{R: r3.Rotation(r3.V(0, 1, 0), math.Pi/4), T: r3.V(0.3, 0.3, -0.3)},
		}
		o.To = r3.Pose{R: o.From.R, T: o.From.T.Add(r3.V(0, 0, 0.15))}
		f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), o})
		var set contact.Set
		f.Find(still(r3.V(0, 0, 0), r3.V(1, 0, 0), r3.V(0, 1, 0)), nil, &set)
		if set.Len() == 0 {
			t.Errorf("a cloth of %g m is not met", thin)
		}
	}
}
