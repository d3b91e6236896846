package detect

import (
	"slices"

	"github.com/toile-sim/toile/internal/contact"
)

// history is the contacts of the last step, sorted by ID.
type history []contact.Past

// of returns what a contact was in the last step, or nil.
func (h history) of(id contact.ID) *contact.Past {
	i, ok := h.search(id)
	if !ok {
		return nil
	}
	return &h[i]
}

// search returns the place of an id among the contacts of the last step, and whether it is there.
func (h history) search(id contact.ID) (int, bool) {
	return slices.BinarySearchFunc(h, id, func(p contact.Past, id contact.ID) int { return p.ID.Compare(id) })
}

// kept returns how much nearer the sides of a contact would have come in the last step without its impulse [m].
func (h history) kept(id contact.ID) float64 {
	if was := h.of(id); was != nil {
		return was.Prevented
	}
	return 0
}
