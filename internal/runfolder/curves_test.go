package runfolder

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/format/gltf"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// testYarns are an open yarn of two points, a ring, and an open one again.
func testYarns() *meshio.Curves {
	c := &meshio.Curves{
		Name: "knit", Radius: 0.00125, Counts: []int32{2, 3, 4}, Closed: []bool{false, true, false},
		Attributes: []meshio.Attribute{
			{Name: AttrForce, Width: 1, Data: make([]float32, 9)},
			{Name: AttrTension, Width: 1, Data: make([]float32, 9)},
		},
	}
	for i := range 9 {
		c.Points = append(c.Points, r3.V(float64(i), float64(i*i%5), 0.25*float64(i)))
		c.Attributes[0].Data[i], c.Attributes[1].Data[i] = float32(i), float32(i)-4
	}
	return c
}

func yarnFrame() *Frame {
	return &Frame{Number: 2, Time: 0.5, Hash: "00", Bodies: []Body{YarnsOf(testYarns())}}
}

func TestFramesHoldYarns(t *testing.T) {
	got := throughBytes(t, yarnFrame())
	if want := testYarns(); len(got.Bodies) != 1 || got.Bodies[0].Kind != KindYarn ||
		!reflect.DeepEqual(got.Bodies[0].Curves, want) {
		t.Errorf("%+v, want %+v", got.Bodies[0].Curves, want)
	}
	if KindYarn.Obstacle() || KindYarn.Rigid() {
		t.Error("a yarn is taken for an obstacle, or for rigid")
	}
	data, err := yarnFrame().encode()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "yarn.glb")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	raw, _, _, err := readRaw(path, fileStamp{})
	if err != nil {
		t.Fatal(err)
	}
	b := &raw.Bodies[0]
	if b.Radius != 0.00125 || b.Segments() != 7 || b.Triangles() != 0 || b.Vertices != 9 ||
		!reflect.DeepEqual(b.Fields, []string{AttrForce, AttrTension}) {
		t.Errorf("raw: %+v", b)
	}
	if want := r3.V(8.00125, 4.00125, 2.00125); b.Box.Max.Sub(want).Norm() > 1e-12 {
		t.Errorf("the box ends at %v, want %v", b.Box.Max, want)
	}
}

// What is not as yarns are written is refused, by both readers.
func TestHostileYarns(t *testing.T) {
	type doc = map[string]any
	node := func(d doc) doc { return d["nodes"].([]any)[0].(doc) }
	primitive := func(d doc) doc {
		return d["meshes"].([]any)[0].(doc)["primitives"].([]any)[0].(doc)
	}
	for _, c := range []struct {
		name   string
		change func(d doc, bin []byte)
		want   string
	}{
		{"no radius", func(d doc, _ []byte) { delete(node(d)["extras"].(doc), "radius") }, "radius"},
		{"a negative radius", func(d doc, _ []byte) { node(d)["extras"].(doc)["radius"] = -1 }, "radius"},
		{"a pose", func(d doc, _ []byte) { node(d)["translation"] = []float64{1, 0, 0} }, "nowhere else"},
		{"kept apart", func(d doc, _ []byte) { node(d)["extras"].(doc)["shape"] = 0 }, "nowhere else"},
		{"no mesh", func(d doc, _ []byte) { delete(node(d), "mesh") }, "no mesh"},
		{"triangles", func(d doc, _ []byte) { delete(primitive(d), "mode") }, "mode 4"},
		{"strips", func(d doc, _ []byte) { primitive(d)["mode"] = 3 }, "mode 3"},
		{"points", func(d doc, _ []byte) { primitive(d)["mode"] = 0 }, "mode 0"},
		{"a cloth of lines", func(d doc, _ []byte) { delete(node(d), "extras") }, "mode 1"},
		{"no positions", func(d doc, _ []byte) { delete(primitive(d)["attributes"].(doc), "POSITION") }, "no positions"},
		{"a short quantity", func(d doc, _ []byte) { primitive(d)["attributes"].(doc)["_FORCE"] = primitive(d)["indices"] }, ""},
		{"no such accessor", func(d doc, _ []byte) { primitive(d)["indices"] = 99 }, "does not exist"},
		{"a line back", func(_ doc, bin []byte) { putLine(bin, 0, 1, 0) }, "along no curve"},
		{"a line to nowhere", func(_ doc, bin []byte) { putLine(bin, 6, 7, 9) }, "along no curve"},
		{"a line far away", func(_ doc, bin []byte) { putLine(bin, 6, math.MaxUint32, 0) }, "along no curve"},
		{"a point left out", func(_ doc, bin []byte) { putLine(bin, 4, 6, 7) }, "along no curve"},
		{"a loop of two points", func(_ doc, bin []byte) { putLine(bin, 2, 3, 2) }, "along no curve"},
	} {
		data, err := yarnFrame().encode()
		if err != nil {
			t.Fatal(err)
		}
		changed := rewritten(t, data, c.change)
		if _, err := parseFrame("f", changed); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		path := filepath.Join(t.TempDir(), "f.glb")
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := readRaw(path, fileStamp{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, raw: %v, want %q", c.name, err, c.want)
		}
	}
	for _, change := range []func(c *meshio.Curves){
		func(c *meshio.Curves) { c.Radius = 0 },
		func(c *meshio.Curves) { c.Radius = math.NaN() },
		func(c *meshio.Curves) { c.Counts[0] = 1 },
		func(c *meshio.Curves) { c.Counts[1], c.Counts[2] = 2, 5 },
		func(c *meshio.Curves) { c.Counts[2] = 5 },
		func(c *meshio.Curves) { c.Closed = c.Closed[:2] },
		func(c *meshio.Curves) { c.Points[3].X = math.Inf(1) },
		func(c *meshio.Curves) { c.Attributes[0].Data[1] = float32(math.NaN()) },
	} {
		f := yarnFrame()
		change(f.Bodies[0].Curves)
		if _, err := f.encode(); err == nil {
			t.Errorf("wrote %+v", f.Bodies[0].Curves)
		}
	}
}

// putLine changes a line. The indices are the last part of the binary chunk.
func putLine(bin []byte, line int, a, b uint32) {
	at := len(bin) - 8*7 + 8*line
	binary.LittleEndian.PutUint32(bin[at:], a)
	binary.LittleEndian.PutUint32(bin[at+4:], b)
}

// rewritten returns a frame with changes, sealed.
func rewritten(t *testing.T, data []byte, change func(doc map[string]any, bin []byte)) []byte {
	t.Helper()
	text, rest, err := chunk(data[gltf.HeadSize:], gltf.ChunkJSON)
	if err != nil {
		t.Fatal(err)
	}
	bin, _, err := chunk(rest, gltf.ChunkBIN)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	bin = bytes.Clone(bin)
	change(doc, bin)
	if text, err = json.Marshal(doc); err != nil {
		t.Fatal(err)
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	le := binary.LittleEndian
	out := le.AppendUint32(nil, gltf.Magic)
	out = le.AppendUint32(out, gltf.Version)
	out = le.AppendUint32(out, uint32(gltf.HeadSize+2*gltf.ChunkHeadSize+len(text)+len(bin)))
	out = le.AppendUint32(out, uint32(len(text)))
	out = le.AppendUint32(out, gltf.ChunkJSON)
	out = append(out, text...)
	out = le.AppendUint32(out, uint32(len(bin)))
	out = le.AppendUint32(out, gltf.ChunkBIN)
	out = append(out, bin...)
	if at, ok := findSeal(out); ok {
		copy(out[at:], digestOf(out, at))
	}
	return out
}
