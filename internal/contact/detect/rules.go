package detect

import (
	"github.com/toile-sim/toile/internal/smooth"
)

// Rules say what is a contact, and write it as a candidate: points and shapes (rule_shapes.go), faces and shapes
// (rule_faces.go), pairs of features (rule_pairs.go), sharp features of shapes (rule_sharp.go), and the inside of
// closed meshes (rule_inside.go), and points and smooth surfaces (rule_smooth.go).

// rules is the question what is a contact.
type rules struct {
	*scene
	found  []candidate
	shares []smooth.Share // of candidates with smooth skins that move
	inside insideLoop
	smooth smoothLoop
}

func (r *rules) take(chunks []chunk) {
	for i := range chunks {
		c := &chunks[i]
		for k := range c.found {
			c.found[k].patch[0] += int32(len(r.shares))
			c.found[k].patch[1] += int32(len(r.shares))
		}
		r.found = append(r.found, c.found...)
		r.shares = append(r.shares, c.shares...)
	}
}

// insideLoop tells which points are inside a closed mesh, and emits contacts for them.
type insideLoop struct {
	*rules
	o *obstacle
}
