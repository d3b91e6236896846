package contact_test

import (
	"fmt"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// A node that hovers 1 mm above a floor with a contact thickness of 2 mm must have risen by 1 mm after a step of 10 ms.
func ExampleSet() {
	var set contact.Set
	set.Add(contact.Contact{
		ID: contact.ID{A: contact.Feature{ID: 4}, B: contact.Feature{Surface: 1, Kind: contact.Whole}},
		A:  4, B: contact.None, Frame: contact.FrameOf(r3.V(0, 0, 1)), Mu: 0.3,
		Uf: r3.V((0.001-0.002)/0.01, 0, 0), Gap: 0.001,
	})
	row := set.Row(0)
	u := row[0].M.MulVec(r3.V(0, 0, 0.1)).Add(set.Contacts[0].Uf)
	fmt.Println(set.Validate(5), row[0].Block, u.X)
	// Output: <nil> 4 0
}
