package glb

import (
	"fmt"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/r3"
)

// affine is the map x ↦ A x + t.
type affine struct {
	a r3.Mat
	t r3.Vec
}

// reader gathers the primitives of a scene into one mesh.
type reader struct {
	*file
	m     *model.Mesh
	to    []int32 // index of each vertex after joining
	next  int32   // vertices after joining, so far
	parts []part
	sets  []set

	members int // of the groups in extras

	allNormals, anyNormals, anyUV bool
	noted                         map[string]bool
}

// part is the attributes of one primitive.
type part struct {
	first, count int
	names        []string
	widths       []int
	data         [][]float32
}

// set is a range of vertices before joining, or a list of vertices after it, that belongs
// to a group.
type set struct {
	name         string
	first, count int
	joined       []int32
	path         jsonPath
}

func (r *reader) note(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if !r.noted[s] {
		r.noted[s] = true
		r.m.Notes = append(r.m.Notes, s)
	}
}

// after returns the map "first b, then f".
func (f affine) after(b affine) affine { return affine{f.a.Mul(&b.a), f.a.MulVec(b.t).Add(f.t)} }

// still reports whether f moves nothing. It keeps positions exact in the usual case.
func (f affine) still() bool { return f.a == r3.Identity() && f.t == r3.Vec{} }

// looseNote tells of primitives that are not of triangles.
const looseNote = "points and lines were left out"
