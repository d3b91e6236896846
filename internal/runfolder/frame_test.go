package runfolder

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// throughBytes writes a frame and reads it back.
func throughBytes(t *testing.T, f *Frame) *Frame {
	t.Helper()
	data, err := f.encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := parseFrame("test.glb", data)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// throughFolder writes a frame of a recorder into a folder, with the meshes that are kept apart, and reads it back.
func throughFolder(t *testing.T, r *Recorder, f *Frame) *Frame {
	t.Helper()
	w, err := Begin(t.TempDir(), testManifest(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	_, err = w.Resume(nil)
	if err := errors.Join(err, w.WriteShapes(r.Bodies()), w.WriteFrame(f)); err != nil {
		t.Fatal(err)
	}
	back, err := w.Frame(f.Number)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestFrameRoundTrip(t *testing.T) {
	want := testFrame(7)
	got := throughBytes(t, want)
	if got.Number != 7 || got.Time != want.Time || got.Step != 14 || got.Hash != want.Hash || len(got.Bodies) != 4 {
		t.Errorf("facts %+v", got)
	}
	a, b := want.Bodies[0].Mesh, got.Bodies[0].Mesh
	if a.Name != b.Name || !reflect.DeepEqual(a.Positions, b.Positions) || !reflect.DeepEqual(a.Normals, b.Normals) ||
		!reflect.DeepEqual(a.Triangles, b.Triangles) || !reflect.DeepEqual(a.Attributes, b.Attributes) {
		t.Errorf("wrote %+v\nread %+v", a, b)
	}
	for tri := range a.CornerUV {
		for k := range 3 {
			if p, q := a.UV[a.CornerUV[tri][k]], b.UV[b.CornerUV[tri][k]]; p != q {
				t.Errorf("triangle %d corner %d: UV %v became %v", tri, k, p, q)
			}
		}
	}
	data, err := want.encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := (&Frame{Number: 7, Time: want.Time, Step: 14, Hash: want.Hash, Bodies: got.Bodies}).encode()
	if err != nil || string(again) != string(data) {
		t.Error("a frame that was read is written with other bytes", err)
	}
}

// The general glTF reader must see the same cloth as our own.
func TestFrameReadsAsGLTF(t *testing.T) {
	frame := testFrame(0)
	frame.Bodies = frame.Bodies[:1]
	data, err := frame.encode()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "frame.glb")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := meshio.ReadFile(path, meshio.DefaultReadOptions())
	if err != nil {
		t.Fatal(err)
	}
	want := frame.Bodies[0].Mesh
	if !reflect.DeepEqual(m.Positions, want.Positions) || !reflect.DeepEqual(m.Triangles, want.Triangles) {
		t.Errorf("read positions %v triangles %v", m.Positions, m.Triangles)
	}
	for tri := range want.CornerUV {
		for k := range 3 {
			if p, q := want.UV[want.CornerUV[tri][k]], m.UV[m.CornerUV[tri][k]]; p != q {
				t.Errorf("triangle %d corner %d: UV %v became %v", tri, k, p, q)
			}
		}
	}
}

func TestFrameRefusesWhatFloat32CannotHold(t *testing.T) {
	f := testFrame(0)
	f.Bodies[1].Mesh.Positions = []r3.Vec{r3.V(1e39, 0, 0), r3.V(1, 0, 0), r3.V(1, 1, 0), r3.V(0, 1, 0)}
	if _, err := f.encode(); err == nil {
		t.Error("a position of 1e39 m was written")
	}
}

// A vertex that three patches share is repeated once for each further UV, and no more.
func TestSplitAtSeams(t *testing.T) {
	m := &meshio.Mesh{
		Positions: make([]r3.Vec, 7),
		Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 6}},
		UV:        make([]r3.Vec2, 12),
		CornerUV:  [][3]int32{{0, 1, 2}, {7, 8, 3}, {7, 3, 4}, {9, 10, 5}, {9, 5, 6}},
	}
	s := splitAtSeams(m)
	if want := []int32{0, 2, 0, 4}; !reflect.DeepEqual(s.copies, want) {
		t.Errorf("copies %v, want %v", s.copies, want)
	}
	if len(s.uv) != 11 {
		t.Errorf("%d UVs", len(s.uv))
	}
	if s.tri[1][0] != 7 || s.tri[2][0] != 7 || s.tri[3][0] != 9 || s.tri[4][0] != 9 {
		t.Errorf("triangles %v", s.tri)
	}
}
