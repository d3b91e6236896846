package detect_test

import (
	"fmt"
	"log"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/contact/detect"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A triangle lies at the contact thickness over a floor that slides at 2 m/s: each of its nodes touches, and slips
// until it moves along.
func ExampleFinder() {
	m, err := mesh.New(3, [][3]int32{{0, 1, 2}}, []r3.Vec2{{}, {X: 0.1}, {Y: 0.1}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	f := detect.DefaultFinder()
	f.Friction = func(a, b int32) float64 { return 0.3 }
	const h = 0.01
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m), {
		Surface: 1, Block: contact.None, Field: shape.Plane{Normal: r3.V(0, 0, 1)},
		From: r3.Still(), To: r3.Translation(r3.V(2*h, 0, 0)),
	}})
	x := []r3.Vec{{Z: f.Thickness}, {X: 0.1, Z: f.Thickness}, {Y: 0.1, Z: f.Thickness}}
	var set contact.Set
	f.Find(contact.Motion{H: h, Theta: 1, X0: x, V0: make([]r3.Vec, 3), X1: x}, nil, &set)
	c := set.Contacts[0]
	fmt.Println(set.Len(), c.A, c.Gap, c.Mu, c.Uf.Norm())
	u := c.Frame.MulVec(r3.V(2, 0, 0)).Add(c.Uf)
	fmt.Println(u.Norm())
	// Output:
	// 3 0 0.001 0.3 2
	// 0
}
