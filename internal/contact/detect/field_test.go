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

// one is a cloth of one triangle.
func one(t testing.TB) *mesh.Mesh {
	m, err := mesh.New(3, [][3]int32{{0, 1, 2}}, []r3.Vec2{{}, {X: 1}, {Y: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func still(x ...r3.Vec) contact.Motion {
	return contact.Motion{H: 0.01, Theta: 1, X0: x, V0: make([]r3.Vec, len(x)), X1: x}
}

func floor(surface int32) contact.Skin {
	return contact.Skin{
		Surface: surface, Block: contact.None, Field: shape.Plane{Normal: r3.V(0, 0, 1)},
		From: r3.Still(), To: r3.Still(),
	}
}

// A10: a contact exists when the distance is below 1.5 thicknesses, and not otherwise.
func TestProximityThreshold(t *testing.T) {
	f := DefaultFinder()
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), floor(1)})
	var set contact.Set
	reach := f.Reach * f.Thickness
	f.Find(still(r3.V(0, 0, reach), r3.V(1, 0, math.Nextafter(reach, 0)), r3.V(0, 1, 1)), nil, &set)
	if set.Len() != 1 || set.Contacts[0].A != 1 {
		t.Fatalf("%+v", set.Contacts)
	}
	if err := set.Validate(3); err != nil {
		t.Error(err)
	}
}

// A vertex that falls from 1 m to 1 m below the floor is met, with a gap that says how far the floor is.
func TestSweepMeetsTheFloor(t *testing.T) {
	f := DefaultFinder()
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), floor(1)})
	m := still(r3.V(0, 0, 1), r3.V(1, 0, 1), r3.V(0, 1, 1))
	m.X1 = []r3.Vec{{X: 0, Y: 0, Z: -1}, {X: 1, Y: 0, Z: 0.5}, {X: 5, Y: 1, Z: 0}}
	var set contact.Set
	f.Find(m, nil, &set)
	if set.Len() != 2 || set.Contacts[0].A != 0 || set.Contacts[1].A != 2 {
		t.Fatalf("%+v", set.Contacts)
	}
	if z := set.Contacts[0].Gap; math.Abs(z-1) > 1e-12 {
		t.Errorf("gap %v, want 1", z)
	}
}

// unnamed is a shape that does not say what it is: only vertices are tested against it.
type unnamed struct{ geom.Field }

// boundless does not say where it is either.
type boundless struct{ geom.Field }

func (boundless) Bounds() r3.Box {
	inf := math.Inf(1)
	return r3.Box{Min: r3.V(-inf, -inf, -inf), Max: r3.V(inf, inf, inf)}
}

// Vertices that are not asked because of the box a shape passes would not have met it: the same contacts are found, and
// the same vertices inside, where the box is not known. Shapes turn, move and are presses, vertices move.
func TestBoxesOfShapesMissNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	vec := func(size float64) r3.Vec {
		return r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Scale(2 * size)
	}
	m, rest := shape.Grid(1, 1, 30, 30)
	n := len(rest)
	contacts, crossings := 0, 0
	for range 60 {
		shapes := []geom.Field{
			shape.Sphere{Radius: 0.1},
			shape.Capsule{Radius: 0.02, Half: 0.3},
			shape.Placed{
				Shape: shape.Capsule{Radius: 0.05, Half: 0.1},
				Pose:  r3.Pose{R: r3.Rotation(vec(1), 2), T: vec(0.3)},
			},
		}
		var known, unknown []contact.Skin
		for i, s := range shapes {
			from := r3.Pose{R: r3.Rotation(vec(1), 1), T: r3.V(0.5, 0.5, 0).Add(vec(0.3))}
			to := r3.Pose{R: from.R, T: from.T.Add(vec(0.1))}
			if rng.IntN(2) == 0 {
				to = r3.Pose{R: r3.Rotation(vec(1), 2.8).Mul(from.R), T: from.T}
			}
			o := contact.Skin{Surface: int32(i + 1), Block: contact.None, Field: unnamed{s}, From: from, To: to}
			if i == 1 {
				o.Block = int32(n)
			}
			known = append(known, o)
			o.Field = boundless{s}
			unknown = append(unknown, o)
		}
		x0 := append(append([]r3.Vec(nil), rest...), r3.Vec{})
		x1 := append([]r3.Vec(nil), x0...)
		drift := vec(0.2)
		for i := range x1 {
			x1[i] = x1[i].Add(drift).Add(vec(0.01))
		}
		motion := contact.Motion{H: 0.01, Theta: 1, X0: x0, V0: make([]r3.Vec, n+1), X1: x1}
		var sets [2]contact.Set
		var counts [2]int
		for k, obstacles := range [][]contact.Skin{known, unknown} {
			f := DefaultFinder()
			f.Self = false
			f.Begin(slices.Concat([]contact.Skin{contact.ClothSkin(0, 0, m)}, obstacles))
			f.Find(motion, nil, &sets[k])
			counts[k] = f.Crossings(x1).Count
		}
		if !slices.Equal(sets[0].Contacts, sets[1].Contacts) || counts[0] != counts[1] {
			t.Fatalf(
				"%d contacts and %d vertices inside with boxes, %d and %d without",
				sets[0].Len(),
				counts[0],
				sets[1].Len(),
				counts[1],
			)
		}
		contacts, crossings = contacts+sets[0].Len(), crossings+counts[0]
	}
	if contacts < 500 || crossings < 500 {
		t.Errorf("%d contacts and %d vertices inside; the test says little", contacts, crossings)
	}
}
