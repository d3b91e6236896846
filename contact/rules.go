package contact

// Rules say what is a contact, and write it as a candidate: points and shapes (rule_shapes.go), faces and shapes
// (rule_faces.go), pairs of features (rule_pairs.go), sharp features of shapes (rule_sharp.go), and the inside of
// closed meshes (rule_inside.go). Another method, such as smooth surfaces, is another such file.

// rules is the question what is a contact.
type rules struct {
	*scene
	found  []candidate
	inside insideLoop
}

func (r *rules) take(chunks []chunk) {
	for i := range chunks {
		r.found = append(r.found, chunks[i].found...)
	}
}

// insideLoop tells which points are inside a closed mesh, and emits contacts for them.
type insideLoop struct {
	*rules
	o *obstacle
}
