package ply

import (
	"fmt"
	"slices"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/r3"
)

// readFaces reads the element face.
func (r *reader) readFaces(e *element) *model.Error {
	// lists that matter
	indices, texcoord := -1, -1
	for i, p := range e.properties {
		switch {
		case !p.list:
		case p.name == "vertex_indices" || p.name == "vertex_index":
			indices = i
		case p.name == "texcoord":
			texcoord = i
		}
	}
	if indices < 0 {
		return &model.Error{Line: e.line, Msg: "element face must have the list property vertex_indices"}
	}
	if texcoord >= 0 {
		r.uvOf = map[wedge]int32{}
		r.m.UV = nil // a UV for each corner says more than one for each vertex
	}
	r.hasFace = true
	r.m.Triangles = make([][3]int32, 0, e.count)
	// one face after the other, its lists in the order of the file
	for f := 0; f < e.count; f++ {
		if err := r.src.begin(); err != nil {
			return err
		}
		r.wedges = r.wedges[:0]
		for i := range e.properties {
			if err := r.skip(&e.properties[i]); err != nil {
				return err
			}
			var err *model.Error
			switch i {
			case indices:
				err = r.takeCorners(f)
			case texcoord:
				err = r.takeWedges(f)
			}
			if err != nil {
				return err
			}
		}
		// triangles of it
		if err := r.emitFace(f, texcoord >= 0); err != nil {
			return err
		}
		if err := r.src.end(); err != nil {
			return err
		}
	}
	return nil
}

// takeCorners takes the list just read for the corners of face f.
func (r *reader) takeCorners(f int) *model.Error {
	if len(r.list) < 3 {
		return r.src.Fail("face %d has %d corners; it needs 3 or more", f, len(r.list))
	}
	r.corners = r.corners[:0]
	for _, x := range r.list {
		// Written so that a NaN fails too. Vertices may come after faces; the declared count is
		// certain to be read.
		if !(x >= 0 && x < float64(r.vertices)) || x != float64(int32(x)) {
			return r.src.Fail("face %d has vertex index %v, but there are %d vertices", f, x, r.vertices)
		}
		r.corners = append(r.corners, int32(x))
	}
	return nil
}

// takeWedges takes the list just read for the UVs of face f. An empty list means none.
func (r *reader) takeWedges(f int) *model.Error {
	if len(r.list)%2 != 0 {
		return r.src.Fail("face %d has %d texture coordinates, not two for each corner", f, len(r.list))
	}
	for i := 0; i < len(r.list); i += 2 {
		uv := r3.Vec2{X: r.list[i], Y: r.list[i+1]}
		if !uv.Finite() {
			return r.src.Fail("face %d has texture coordinate %v", f, uv)
		}
		r.wedges = append(r.wedges, uv)
	}
	return nil
}

// emitFace cuts the face into a fan.
func (r *reader) emitFace(f int, wedged bool) *model.Error {
	if wedged && len(r.wedges) != 0 && len(r.wedges) != len(r.corners) {
		return r.src.Fail("face %d has %d texture points for %d corners", f, len(r.wedges), len(r.corners))
	}
	if len(r.corners) > 3 {
		r.polygons++
	}
	for k := 2; k < len(r.corners); k++ {
		r.m.Triangles = append(r.m.Triangles, [3]int32{r.corners[0], r.corners[k-1], r.corners[k]})
		if wedged {
			r.m.CornerUV = append(r.m.CornerUV, [3]int32{r.wedge(0), r.wedge(k - 1), r.wedge(k)})
		}
	}
	return nil
}

// wedge returns the index of the UV of a corner.
func (r *reader) wedge(k int) int32 {
	if len(r.wedges) == 0 {
		return -1
	}
	w := wedge{r.corners[k], r.wedges[k]}
	i, ok := r.uvOf[w]
	if !ok {
		i = int32(len(r.m.UV))
		r.uvOf[w] = i
		r.m.UV = append(r.m.UV, w.uv)
	}
	return i
}

func (r *reader) finish(h *header) *model.Error {
	m := r.m
	// faults at the last line of elements
	end := func(msg string) *model.Error {
		line := 1
		for _, e := range h.elements {
			line = max(line, e.line)
		}
		return &model.Error{Line: line, Msg: msg}
	}
	// nothing to show
	if len(m.Positions) == 0 {
		return end("no vertices (element vertex)")
	}
	if len(m.Triangles) == 0 {
		return end("no faces (element face with the list vertex_indices)")
	}
	// corners without UVs, and polygons that were cut
	if len(m.UV) == 0 {
		m.CornerUV = nil
	}
	model.NotePolygons(m, r.polygons)
	// groups: not too many members, and none without
	members := 0
	for _, g := range m.Groups {
		members += len(g.Vertices)
	}
	if members > model.MaxGroupShare*len(m.Positions) {
		return end(
			fmt.Sprintf("the groups have %d members, more than %d for each vertex", members, model.MaxGroupShare),
		)
	}
	m.Groups = slices.DeleteFunc(m.Groups, func(g model.Group) bool { return len(g.Vertices) == 0 })
	return nil
}
