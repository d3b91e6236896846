package detect

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// The tip of a cone below a face has one contact with it, with the weights of its place, wherever in the face that is;
// its velocity is that of the cone there.
func TestTipsHoldTheirPlace(t *testing.T) {
	m, x := oneFace(t, 0.02)
	for _, w := range []r3.Vec{r3.V(0.5, 0.3, 0.2), r3.V(0.1, 0.1, 0.8), r3.V(0.02, 0.9, 0.08)} {
		place := blend(w, x[0], x[1], x[2])
		tip := r3.Translation(place.Add(r3.V(0, 0, -0.3-0.001)))
		// about the axis, which leaves the tip where it is
		turned := tip.Mul(r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), 0.1)})
		turned.T = turned.T.Add(r3.V(0.0001, 0, 0))
		f := DefaultFinder()
		f.Thickness = 0.002
		f.Begin([]contact.Skin{
			contact.ClothSkin(0, 0, m),
			{Surface: 1, Block: contact.None, Field: shape.Cone{Radius: 0.1, Height: 0.3}, From: tip, To: turned},
		})
		var set contact.Set
		f.Find(contact.Motion{H: 0.01, Theta: 1, X0: x, V0: make([]r3.Vec, 3), X1: x}, nil, &set)
		if set.Len() != 1 {
			t.Errorf("weights %v: %d contacts", w, set.Len())
			continue
		}
		var got [3]float64
		for _, term := range set.Row(0) {
			got[term.Block] += term.W
		}
		k := &set.Contacts[0]
		if r3.V(got[0], got[1], got[2]).Sub(w).Norm() > 1e-9 || math.Abs(k.Gap-0.001) > 1e-9 ||
			k.Normal().Sub(r3.V(0, 0, 1)).Norm() > 1e-6 {
			t.Errorf("weights %v: %v, gap %g, normal %v", w, got, k.Gap, k.Normal())
		}
		if u := k.Frame.MulVecT(r3.V(0, k.Uf.Y, k.Uf.Z)); u.Sub(r3.V(-0.01, 0, 0)).Norm() > 1e-9 {
			t.Errorf("weights %v: the face at rest slips by %v m/s", w, u)
		}
	}
}

// The edge of a box below a face has contacts that move to nodes, at the points that divide it, too.
func TestEdgesMoveToNodes(t *testing.T) {
	m, x := oneFace(t, 0.02)
	half := r3.V(0.5, 0.1, 0.1)
	f := DefaultFinder()
	f.Thickness = 0.002
	pose := r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), math.Pi/4), T: r3.V(0, 0.003, -0.1*math.Sqrt2-0.001)}
	f.Begin([]contact.Skin{
		contact.ClothSkin(0, 0, m), {Surface: 1, Block: contact.None, Field: shape.Box{Half: half}, From: pose, To: pose},
	})
	var set contact.Set
	f.Find(contact.Motion{H: 0.01, Theta: 1, X0: x, V0: make([]r3.Vec, 3), X1: x}, nil, &set)
	if set.Len() == 0 {
		t.Fatal("no contact")
	}
	for i := range set.Contacts {
		if !set.Nodal(i) {
			t.Errorf("%+v has weights", set.Contacts[i])
		}
	}
}
