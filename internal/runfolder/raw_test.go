package runfolder

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
)

// vectorsOf reads what AppendPositions and AppendNormals write.
func vectorsOf(b []byte) []r3.Vec {
	var out []r3.Vec
	at := func(i int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	for i := range len(b) / 12 {
		out = append(out, r3.V(at(3*i), at(3*i+1), at(3*i+2)))
	}
	return out
}

func rounded(v r3.Vec) r3.Vec {
	return r3.V(float64(float32(v.X)), float64(float32(v.Y)), float64(float32(v.Z)))
}

// TestRawFrameIsTheFrame reads the same files both ways.
func TestRawFrameIsTheFrame(t *testing.T) {
	dir := t.TempDir()
	w := begin(t, dir)
	if err := w.WriteFrame(testFrame(1)); err != nil {
		t.Fatal(err)
	}
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.Frame(1)
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.RawReader().Frame(1)
	if err != nil {
		t.Fatal(err)
	}
	if got.Number != 1 || got.Time != want.Time || got.Step != want.Step || got.Hash != want.Hash ||
		len(got.Digest) != 64 ||
		len(got.Bodies) != 4 {
		t.Fatalf("facts %+v", got)
	}
	cloth, m := &got.Bodies[0], want.Bodies[0].Mesh
	if cloth.Kind != KindCloth || cloth.Vertices != len(m.Positions) || cloth.Entries != 6 ||
		cloth.Triangles() != len(m.Triangles) {
		t.Errorf("the cloth with a seam has %d vertices and %d entries", cloth.Vertices, cloth.Entries)
	}
	for i, p := range vectorsOf(cloth.AppendPositions(nil))[:len(m.Positions)] {
		one, normal := cloth.Entry(i)
		if p != m.Positions[i] || one != p || normal != m.Normals[i] {
			t.Errorf("position %d: %v and %v, want %v", i, p, one, m.Positions[i])
		}
	}
	if cloth.Box != r3.BoxOf(m.Positions) || !got.Bodies[2].Box.Empty() {
		t.Errorf("boxes %v and %v", cloth.Box, got.Bodies[2].Box)
	}
	if !bytes.Equal(cloth.Field(AttrSpeed)[:4], binary.LittleEndian.AppendUint32(nil, math.Float32bits(5))) ||
		cloth.Field(AttrGap) != nil ||
		cloth.Field(idAttribute) != nil {
		t.Errorf("fields %v", cloth.Fields)
	}
	if plain := &got.Bodies[1]; plain.HasNormals() || len(plain.AppendNormals(nil)) != 0 {
		t.Error("a cloth without normals has some")
	}
	plate, o := &got.Bodies[2], &want.Bodies[2]
	if plate.Kind != KindPlane || plate.Name != "plate" {
		t.Errorf("the plate is %q, %q", plate.Kind, plate.Name)
	}
	for i, p := range vectorsOf(plate.AppendPositions(nil)) {
		if p != rounded(o.Pose.Apply(o.Mesh.Positions[i])) {
			t.Errorf("the plate is at %v, want %v", p, o.Pose.Apply(o.Mesh.Positions[i]))
		}
	}
	if blob := &got.Bodies[3]; blob.Entries != 0 || blob.Kind != KindField || blob.Triangles() != 0 {
		t.Errorf("what cannot be shown has %d entries", blob.Entries)
	}
}

// TestRawFrameRefusesDamage changes bytes of a frame, one at a time, and cuts it at many places.
func TestRawFrameRefusesDamage(t *testing.T) {
	dir := t.TempDir()
	begin(t, dir)
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, path := f.RawReader(), f.FramePath(0)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		var d *Damage
		if _, err := r.Frame(0); !errors.As(err, &d) {
			t.Fatalf("%s: %v", what, err)
		}
	}
	for i := 0; i < len(data); i += 5 {
		changed := bytes.Clone(data)
		changed[i] ^= 0x20
		refused(fmt.Sprintf("byte %d", i), changed)
	}
	for n := 0; n < len(data); n += 97 {
		refused(fmt.Sprintf("cut at %d", n), data[:n])
	}
	if _, err := r.Frame(7); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a frame that is not there: %v", err)
	}
}

// TestRawFrameIsCheckedOnce checks a frame again when it was written since, and only then.
func TestRawFrameIsCheckedOnce(t *testing.T) {
	dir := t.TempDir()
	begin(t, dir)
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, path := f.RawReader(), f.FramePath(0)
	if _, err := r.Frame(0); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] ^= 1
	write := func(at time.Time) {
		if err := errors.Join(os.WriteFile(path, data, 0o644), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	write(info.ModTime())
	if _, err := r.Frame(0); err != nil {
		t.Errorf("a frame that looks the same was checked again: %v", err)
	}
	write(info.ModTime().Add(time.Second))
	for range 2 {
		var d *Damage
		if _, err := r.Frame(0); !errors.As(err, &d) {
			t.Errorf("a frame that was written since was not checked: %v", err)
		}
	}
}

// TestRawFrameWithLargeMeshes finds meshes that are kept apart, and says so if they are lost or others.
func TestRawFrameWithLargeMeshes(t *testing.T) {
	dir := t.TempDir()
	w, err := Begin(dir, testManifest(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	if _, err := w.Resume(nil); err != nil {
		t.Fatal(err)
	}
	frame := testFrame(0)
	frame.Bodies[2].apart = true
	if err := w.WriteShapes(frame.Bodies); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteFrame(frame); err != nil {
		t.Fatal(err)
	}
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	r := f.RawReader()
	for range 2 { // read, then remembered
		got, err := r.Frame(0)
		if err != nil {
			t.Fatal(err)
		}
		o := &frame.Bodies[2]
		for i, p := range vectorsOf(got.Bodies[2].AppendPositions(nil)) {
			if p.Sub(o.Pose.Apply(o.Mesh.Positions[i])).Norm() > 1e-6 {
				t.Errorf("the plate is at %v", p)
			}
		}
		if got.Bodies[2].Entries != 4 {
			t.Errorf("%d entries", got.Bodies[2].Entries)
		}
	}
	var d *Damage
	if err := os.Remove(f.ObstaclesPath()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.RawReader().Frame(0); !errors.As(err, &d) || d.File != f.ObstaclesPath() {
		t.Errorf("without the meshes: %v", err)
	}
	other := testFrame(3)
	other.Bodies[2].apart = true
	if err := w.WriteShapes(other.Bodies); err != nil {
		t.Fatal(err)
	}
	if _, err := f.RawReader().Frame(0); !errors.As(err, &d) {
		t.Errorf("with other meshes: %v", err)
	}
}

// TestTail follows statistics that grow by pieces of any length, and compares with reading them whole.
func TestTail(t *testing.T) {
	dir := t.TempDir()
	f := &Folder{Dir: dir}
	tail := f.Tail()
	if err := tail.Refresh(); err != nil || tail.Rows() != 0 {
		t.Errorf("without a file: %d rows, %v", tail.Rows(), err)
	}
	var text []byte
	text = append(text, "step,frame,gap [m]\n"...)
	for i := range 40 {
		gap := fmt.Sprint(0.5 * float64(i))
		if i%5 == 0 {
			gap = ""
		}
		text = fmt.Appendf(text, "%d,%d,%s\n", i+1, i/4, gap)
	}
	for n := 0; n <= len(text); n += 7 {
		if err := os.WriteFile(f.StatsPath(), text[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		if err := tail.Refresh(); err != nil {
			t.Fatal(err)
		}
		whole, err := f.Stats()
		if err != nil || fmt.Sprint(whole.Columns, whole.Values) != fmt.Sprint(tail.Columns, tail.Values) {
			t.Fatalf("after %d bytes: %v %v, want %v %v", n, tail.Columns, tail.Values, whole.Columns, whole.Values)
		}
	}
	bad := append(bytes.Clone(text), "41,10\n"...)
	if err := os.WriteFile(f.StatsPath(), bad, 0o644); err != nil {
		t.Fatal(err)
	}
	err := tail.Refresh()
	if want := filepath.Join(
		dir,
		"stats.csv",
	) + ":42: 2 values in a table of 3 columns"; err == nil ||
		err.Error() != want {
		t.Errorf("a bad row: %v, want %s", err, want)
	}
}

// TestTailNoticesAResumedRun cuts statistics back and writes other rows, which end elsewhere.
func TestTailNoticesAResumedRun(t *testing.T) {
	dir := t.TempDir()
	w := begin(t, dir)
	tail := w.Tail()
	for step := 1; step <= 10; step++ {
		w.AddStats(1, &engine.Stats{Step: step, Time: float64(step)})
	}
	if err := w.WriteFrame(testFrame(1)); err != nil {
		t.Fatal(err)
	}
	if err := tail.Refresh(); err != nil || tail.Rows() != 10 {
		t.Fatalf("%d rows, %v", tail.Rows(), err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := Begin(dir, testManifest(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	if _, err := w.Resume(nil); err != nil { // to the checkpoint at frame 0
		t.Fatal(err)
	}
	for step := 1; step <= 12; step++ {
		w.AddStats(1, &engine.Stats{Step: step, Time: float64(step) + 0.125})
	}
	if err := w.WriteFrame(testFrame(1)); err != nil {
		t.Fatal(err)
	}
	if err := tail.Refresh(); err != nil || tail.Rows() != 12 || tail.Column("time")[11] != 12.125 ||
		tail.Column("time")[0] != 1.125 {
		t.Errorf("%d rows, %v: %v", tail.Rows(), err, tail.Column("time"))
	}
}

// TestBusy tells whether a folder is being written, and does not hinder that.
func TestBusy(t *testing.T) {
	dir := t.TempDir()
	if (&Folder{Dir: dir}).Busy() {
		t.Error("an empty folder is busy")
	}
	w := begin(t, dir)
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !f.Busy() {
		t.Error("a folder that is being written is not busy")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if f.Busy() {
		t.Error("a folder that nobody writes is busy")
	}
	w, err = Begin(dir, testManifest(), false)
	if err != nil {
		t.Fatalf("asking hindered the next writer: %v", err)
	}
	_ = w.Close()
}
