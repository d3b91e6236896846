package detect

import (
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A node between a floor and a press, a little too near the floor, is pushed out only if that does not lift the press,
// or if it is in danger.
func TestGrippedNodesAreNotPushedOut(t *testing.T) {
	for _, c := range []struct {
		name  string
		gap   float64 // to the floor, in thicknesses
		block int32   // of the plate above
		tilt  r3.Vec  // normal of that plate
		push  bool
	}{
		{"a press", 0.95, 3, r3.V(0, 0, -1), false},
		{"a press, deep", 0.85, 3, r3.V(0, 0, -1), true},
		{"a plate that does not give way", 0.95, contact.None, r3.V(0, 0, -1), true},
		{"a press from the side", 0.95, 3, r3.V(-0.6, 0, -0.8), true},
	} {
		f := DefaultFinder()
		above := contact.Skin{
			Surface: 2,
			Block:   c.block,
			Field:   shape.Plane{Point: c.tilt.Scale(-f.Thickness), Normal: c.tilt},
			From:    r3.Still(),
			To:      r3.Still(),
		}
		below := floor(1)
		below.From = r3.Translation(r3.V(0, 0, -c.gap*f.Thickness))
		below.To = below.From
		f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), below, above})
		m := still(r3.V(0, 0, 0), r3.V(-1, 0, 1), r3.V(-1, 1, 1), r3.Vec{})
		var set contact.Set
		f.Find(m, nil, &set)
		if set.Len() < 2 || set.Contacts[0].ID.B.Surface != 1 {
			t.Fatalf("%s: %+v", c.name, set.Contacts)
		}
		k := &set.Contacts[0]
		if (k.Push > 0) != c.push || k.Uf.X != -k.Push {
			t.Errorf("%s: push-out %g m/s, velocity %v", c.name, k.Push, k.Uf)
		}
	}
}
