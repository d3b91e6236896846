package detect

import (
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Which side of a skin is inside, and up to which overlap it is flush with another, is that of the skin as it was made,
// though it has been squeezed and turned inside out by the time that detection first sees it, as after a kill.
func TestSkinsStayAsTheyWereMade(t *testing.T) {
	made, tri := boxMesh(r3.V(0.3, 0.2, 0.1))
	now := make([]r3.Vec, len(made))
	for i, p := range made {
		now[i] = p.Scale(-0.5).Add(r3.V(3, 2, 1))
	}
	moving := contact.Skin{Points: len(made), Tri: tri, Rest: unstretched{}, Made: made}
	led := contact.Skin{
		Surface: 1, Block: contact.None, Tri: tri, From: r3.Still(), To: r3.Still(), Deforms: true, Made: made,
	}
	see := func(x []r3.Vec) *scene {
		f := DefaultFinder()
		led.X0, led.X1 = x, x
		f.Begin([]contact.Skin{moving, led})
		var set contact.Set
		f.Find(still(x...), nil, &set)
		return &f.scene
	}
	before, after := see(made), see(now)
	for i := range 2 {
		if before.sizeOf(i) != after.sizeOf(i) || before.outwardOf(i) != after.outwardOf(i) {
			t.Errorf("skin %d is %g m large with the side %d, and then %g m with the side %d",
				i, before.sizeOf(i), before.outwardOf(i), after.sizeOf(i), after.outwardOf(i))
		}
		if before.outwardOf(i) != 1 {
			t.Errorf("the normals of skin %d point out, and its side is %d", i, before.outwardOf(i))
		}
	}
}

// unstretched has edges of no particular length.
type unstretched struct{}

func (unstretched) RestLength(int, int) float64 { return 1 }
