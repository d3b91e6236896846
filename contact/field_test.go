package contact

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// one is a sheet of one triangle.
func one(t testing.TB) *mesh.Mesh {
	m, err := mesh.New(3, [][3]int32{{0, 1, 2}}, []r3.Vec2{{}, {X: 1}, {Y: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func still(x ...r3.Vec) Motion {
	return Motion{H: 0.01, Theta: 1, X0: x, V0: make([]r3.Vec, len(x)), X1: x}
}

func floor(surface int32) Obstacle {
	return Obstacle{
		Surface: surface, Block: None, Field: geom.Plane{Normal: r3.V(0, 0, 1)}, From: r3.Still(), To: r3.Still(),
	}
}

// A10: a contact exists when the distance is below 1.5 thicknesses, and not otherwise.
func TestProximityThreshold(t *testing.T) {
	f := DefaultFinder()
	f.Begin([]Sheet{{Mesh: one(t)}}, []Obstacle{floor(1)})
	var set Set
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
	f.Begin([]Sheet{{Mesh: one(t)}}, []Obstacle{floor(1)})
	m := still(r3.V(0, 0, 1), r3.V(1, 0, 1), r3.V(0, 1, 1))
	m.X1 = []r3.Vec{{X: 0, Y: 0, Z: -1}, {X: 1, Y: 0, Z: 0.5}, {X: 5, Y: 1, Z: 0}}
	var set Set
	f.Find(m, nil, &set)
	if set.Len() != 2 || set.Contacts[0].A != 0 || set.Contacts[1].A != 2 {
		t.Fatalf("%+v", set.Contacts)
	}
	if z := set.Contacts[0].Gap; math.Abs(z-1) > 1e-12 {
		t.Errorf("gap %v, want 1", z)
	}
}
