package untangle

import (
	"testing"

	"github.com/toile-sim/toile/r3"
)

// FuzzSpace makes small meshes of bytes, with corners on a coarse lattice, so that many triangles are flat, coincide or
// touch exactly. Whatever is accepted as a surface must come out finite, and the crossings that are told must be those
// that there are.
func FuzzSpace(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x04\x00\x00\x00\x04\x00\x00\x00\x04"), []byte{0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3})
	f.Add([]byte("\x00\x00\x00\x04\x00\x00\x00\x04\x00\x00\x00\x04\x01\x01\xff\x05\x01\xff\x01\x05\xff\x01\x01\x03"),
		[]byte{0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3, 4, 6, 5, 4, 5, 7, 5, 6, 7, 6, 4, 7})
	f.Fuzz(func(t *testing.T, corners, faces []byte) {
		var x []r3.Vec
		for ; len(corners) >= 3 && len(x) < 40; corners = corners[3:] {
			x = append(
				x,
				r3.V(float64(int8(corners[0])), float64(int8(corners[1])), float64(int8(corners[2]))).Scale(0.01),
			)
		}
		var tri [][3]int32
		for ; len(faces) >= 3 && len(tri) < 80; faces = faces[3:] {
			tri = append(tri, [3]int32{int32(faces[0]), int32(faces[1]), int32(faces[2])})
		}
		s, err := NewSpace(len(x), tri)
		if err != nil {
			return
		}
		opt := DefaultSpaceOptions()
		opt.UntilClear, opt.Rounds = true, 3
		u := make([]r3.Vec, len(x))
		st := s.Open(x, u, opt)
		moved := make([]r3.Vec, len(x))
		for i := range x {
			if moved[i] = x[i].Add(u[i]); !moved[i].Finite() || u[i].Norm() > 100 {
				t.Fatalf("vertex %d moved by %v: %+v", i, u[i], st)
			}
		}
		if n := s.Crossings(moved, nil); n != st.CrossingsAfter {
			t.Fatalf("%d crossings, told are %d", n, st.CrossingsAfter)
		}
	})
}
