package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/toile-sim/toile/internal/export"
	"github.com/toile-sim/toile/internal/layouts"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// yarnFrames is how many frames yarnRun has.
const yarnFrames = 3

// yarnRun is a run of two courses of knitting and a ring that rise, beside a cloth.
func yarnRun(t *testing.T) *runfolder.Folder {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	w, err := runfolder.Begin(dir, runfolder.Manifest{
		Time: runfolder.Timing{FPS: 25, Frames: yarnFrames, Substeps: 1, Step: 0.04}, Scene: json.RawMessage(`{}`),
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Resume(nil); err != nil {
		t.Fatal(err)
	}
	for n := range yarnFrames {
		if err := w.WriteFrame(&runfolder.Frame{Number: n, Hash: "00", Bodies: []runfolder.Body{
			runfolder.YarnsOf(yarnsAt(0.5 * float64(n))), runfolder.BodyOf(runfolder.KindCloth, triangleAt("cloth", 1)),
		}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, dir)
}

func yarnsAt(z float64) *meshio.Curves {
	points, counts := layouts.Stockinette(2, 2, 0.01)
	points = append(points, r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(-1, 0, 0), r3.V(0, -1, 0.125))
	for i := range points {
		points[i].Z += z
	}
	return &meshio.Curves{
		Name: "knit", Points: points, Counts: append(counts, 4), Closed: []bool{false, false, true}, Radius: 0.01,
		Attributes: []meshio.Attribute{{Name: runfolder.AttrTension, Width: 1, Data: make([]float32, len(points))}},
	}
}

// Yarns leave as lines of an animated glTF.
func TestYarnsInGLB(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.glb")
	opt := export.DefaultOptions()
	opt.Bodies = []string{"knit"}
	write(t, yarnRun(t), path, opt)
	doc, err := gltf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	p := doc.Meshes[0].Primitives[0]
	c := yarnsAt(0)
	if len(doc.Nodes) != 1 || p.Mode != gltf.PrimitiveLines || len(p.Targets) != yarnFrames-1 ||
		doc.Accessors[*p.Indices].Count != 2*len(c.Segments()) {
		t.Errorf("%d nodes, mode %v, %d targets", len(doc.Nodes), p.Mode, len(p.Targets))
	}
}

// In USD they are splines with a width, open and closed ones apart.
func TestYarnsInUSD(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.usda")
	opt := export.DefaultOptions()
	opt.Unit = 0.01
	write(t, yarnRun(t), path, opt)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, want := range []string{
		`def BasisCurves "knit"`, `def BasisCurves "knit_closed"`, `basis = "catmullRom"`, `wrap = "pinned"`,
		`wrap = "periodic"`, "curveVertexCounts = [16, 16]", "curveVertexCounts = [4]", "widths = [2] (", `def Mesh "cloth"`,
		"1: [(100, 0, 50), (0, 100, 50), (-100, 0, 50), (0, -100, 62.5)]",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
}

// OBJ has line elements, PLY tubes, and a point cache the control points.
func TestYarnsInSeries(t *testing.T) {
	f := yarnRun(t)
	dir := t.TempDir()
	opt := export.DefaultOptions()
	opt.Bodies = []string{"knit"}
	write(t, f, filepath.Join(dir, "knit.obj"), opt)
	data, err := os.ReadFile(filepath.Join(dir, "knit_0002.obj"))
	if err != nil {
		t.Fatal(err)
	}
	if text := string(data); strings.Count(text, "\nl ") != 15+15+4 || !strings.HasSuffix(text, "\nl 35 36\nl 36 33\n") ||
		strings.Count(text, "\nv ") != 36 || !strings.Contains(text, "\nv 1 0 1\n") {
		t.Errorf("OBJ: %s", text)
	}
	r := write(t, f, filepath.Join(dir, "knit.ply"), opt)
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "tubes") {
		t.Errorf("notes %q", r.Notes)
	}
	m, err := meshio.ReadFile(filepath.Join(dir, "knit_0001.ply"), meshio.DefaultReadOptions())
	if err != nil || len(m.Triangles) < 1000 {
		t.Errorf("PLY: %v", err)
	}
	opt.Mesh = true
	write(t, f, filepath.Join(dir, "knit.pc2"), opt)
	points, err := meshio.OpenPointCache(filepath.Join(dir, "knit.pc2"), meshio.DefaultReadOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = points.Close() }()
	got := make([]r3.Vec, 36)
	for n := range yarnFrames {
		if err := points.Frame(n, got); err != nil {
			t.Fatal(err)
		}
		near(t, "PC2", got, yarnsAt(0.5*float64(n)).Points, 1e-7)
	}
	if _, err := os.Stat(filepath.Join(dir, "knit.obj")); err != nil {
		t.Error(err)
	}
}

// In BCC they are the curves that they were, in single precision, and nothing else of the run.
func TestYarnsInBCC(t *testing.T) {
	f := yarnRun(t)
	dir := t.TempDir()
	opt := export.DefaultOptions()
	opt.Unit, opt.Up = 0.01, meshio.UpY
	r := write(t, f, filepath.Join(dir, "knit.bcc"), opt)
	if len(r.Files) != yarnFrames || len(r.Notes) != 1 || r.Notes[0] != "cloth cloth is left out: BCC holds yarns alone" {
		t.Errorf("%d files, notes %q", len(r.Files), r.Notes)
	}
	read := meshio.DefaultReadOptions()
	read.Unit = opt.Unit
	for n, file := range r.Files {
		data, err := os.ReadFile(file.Path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := meshio.ReadBCC(bytes.NewReader(data), read)
		if err != nil {
			t.Fatal(err)
		}
		want := yarnsAt(0.5 * float64(n))
		if got.Name != want.Name || !slices.Equal(got.Counts, want.Counts) || !slices.Equal(got.Closed, want.Closed) {
			t.Errorf("%s: %q with %v points, closed %v", file.Path, got.Name, got.Counts, got.Closed)
		}
		// Frames and files round to half a unit in the last of 24 places each, of coordinates up to 1.125.
		near(t, file.Path, got.Points, want.Points, 2*1.125*math.Exp2(-24))
	}
}

// BCC has room for yarns alone, and says so of everything else.
func TestOnlyYarnsInBCC(t *testing.T) {
	yarns := yarnRun(t)
	bodies, _ := bodiesRun(t)
	path := filepath.Join(t.TempDir(), "a.bcc")
	for _, c := range []struct {
		folder *runfolder.Folder
		change func(*export.Options)
		want   string
	}{
		{bodies, func(*export.Options) {}, "the run has none"},
		{yarns, func(o *export.Options) { o.Bodies = []string{"cloth"} }, "cloth is none"},
		{yarns, func(o *export.Options) { o.Obstacles = export.Yes }, "leave out --obstacles"},
		{yarns, func(o *export.Options) { o.Normals = export.Yes }, "leave out --obstacles and --normals"},
	} {
		opt := export.DefaultOptions()
		c.change(&opt)
		_, err := export.Run(context.Background(), c.folder, path, opt)
		var bad *export.Usage
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want one with %q", err, c.want)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was written")
	}
}
