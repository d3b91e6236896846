package toile

import (
	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/solve"
)

// encounter holds the contacts of a step and what was found for them.
type encounter struct {
	set    contact.Set
	answer solve.Contacts
	h      float64 // length of that step [s]
}

// isBound tells rows of bodies' own from contacts of surfaces.
func isBound(c *contact.Contact) bool { return c.Law != contact.Coulomb }

// ContactState is what a contact does.
type ContactState = solve.State

// The states of a contact.
const (
	TakeOff = solve.TakeOff // it separates, and has no impulse
	Stick   = solve.Stick
	Slide   = solve.Slide
)

// farthest bounds coordinates that detection is asked about [m]: squares of larger ones overflow. A step that leads
// there fails.
const farthest = 1e100

// unknown is the number of crossings of a state that was not looked at yet.
const unknown = -1
