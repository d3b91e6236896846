package toile

import (
	"github.com/toile-sim/toile/contact"
)

// attachment is an Attachment at work.
type attachment struct {
	ties []fixture
}

// fixture ties a vertex to what carries it.
type fixture struct {
	vertex, to spot
	id         contact.ID
}
