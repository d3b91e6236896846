package meshio

import (
	"bytes"
	"slices"
	"testing"
)

// fuzzFormat says that whatever is read is a valid mesh, can be written, and reads back with the
// same triangles.
func fuzzFormat(f *testing.F, format Format, inputs []hostile) {
	for _, h := range inputs {
		if len(h.data) < 1<<12 {
			f.Add([]byte(h.data))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { tryRead(t, format, data) })
}

func tryRead(t *testing.T, format Format, data []byte) {
	for _, weld := range []bool{false, true} {
		opt := DefaultReadOptions()
		opt.Weld = weld
		m, err := Read(bytes.NewReader(data), format, opt)
		if err != nil {
			if _, ok := err.(*Error); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			continue
		}
		if err := m.Validate(); err != nil {
			t.Fatalf("read an invalid mesh: %v", err)
		}
		var b bytes.Buffer
		w := DefaultWriteOptions()
		w.Precise = true
		if Write(&b, format, m, w) != nil {
			continue // GLB cannot hold all doubles, nor PLY a thousand groups
		}
		again, err := Read(&b, format, DefaultReadOptions())
		if err != nil {
			t.Fatalf("reading back: %v", err)
		}
		if !slices.Equal(again.Triangles, m.Triangles) {
			t.Fatalf("triangles %v became %v", m.Triangles, again.Triangles)
		}
		if format != GLB && !slices.Equal(again.Positions, m.Positions) {
			t.Fatalf("positions %v became %v", m.Positions, again.Positions)
		}
	}
}

func FuzzOBJ(f *testing.F) {
	f.Add(mustWrite(f, OBJ, seamed(), DefaultWriteOptions()))
	fuzzFormat(f, OBJ, hostileOBJ)
}

func FuzzPLY(f *testing.F) {
	for _, format := range []Format{PLY, PLYBigEndian, PLYASCII} {
		f.Add(mustWrite(f, format, seamed(), DefaultWriteOptions()))
	}
	fuzzFormat(f, PLY, hostilePLY)
}

func FuzzGLB(f *testing.F) {
	f.Add(mustWrite(f, GLB, seamed(), DefaultWriteOptions()))
	f.Add(squareGLB(nil, "PRIM", `,"mode":5`, "INDICES", "4"))
	fuzzFormat(f, GLB, hostileGLB)
}

// FuzzGLBScene puts any JSON and any data into a sound container, to get past its checks.
func FuzzGLBScene(f *testing.F) {
	for _, h := range hostileGLB {
		if json, bin, ok := partsOf([]byte(h.data)); ok && len(json) < 1<<12 {
			f.Add(json, bin)
		}
	}
	json, bin, _ := partsOf(mustWrite(f, GLB, seamed(), DefaultWriteOptions()))
	f.Add(json, bin)
	f.Fuzz(func(t *testing.T, json string, bin []byte) { tryRead(t, GLB, glbOf(json, bin)) })
}
