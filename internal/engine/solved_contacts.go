package engine

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/solve"
)

// solvedContacts holds the contacts of a step and what was found for them.
type solvedContacts struct {
	set    contact.Set
	answer solve.Contacts
	h      float64 // length of that step [s]
}

// boundID names a row of a body's own: its surface is on both sides.
func boundID(surface SurfaceID, row int) contact.ID {
	self := contact.Feature{Surface: int32(surface), Kind: contact.Whole, ID: int64(row)}
	return contact.ID{A: self, B: self}
}

// isBound tells rows of bodies' own from contacts of surfaces.
func isBound(c *contact.Contact) bool { return c.ID.A == c.ID.B }

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
