package export_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/toile-sim/toile/internal/export"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// triangleAt is a triangle at a height.
func triangleAt(name string, z float64) *meshio.Mesh {
	return &meshio.Mesh{
		Name:      name,
		Positions: []r3.Vec{r3.V(0, 0, z), r3.V(1, 0, z), r3.V(0, 1, z)},
		Triangles: [][3]int32{{0, 1, 2}},
	}
}

// An obstacle that deforms is written as a cloth is: its vertices move, not its pose.
func TestDeformingObstacle(t *testing.T) {
	dir := t.TempDir()
	w, err := runfolder.Begin(
		filepath.Join(dir, "run"),
		runfolder.Manifest{
			Time: runfolder.Timing{FPS: 25, Frames: 3, Substeps: 1, Step: 0.04}, Scene: json.RawMessage(`{}`),
		},
		false,
	)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Resume(nil); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		if err := w.WriteFrame(&runfolder.Frame{
			Number: n,
			Hash:   "00",
			Bodies: []runfolder.Body{
				runfolder.BodyOf(runfolder.KindCloth, triangleAt("cloth", 1)),
				runfolder.BodyOf(runfolder.KindDeforming, triangleAt("body", float64(n))),
			},
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := open(t, filepath.Join(dir, "run"))
	write(t, f, filepath.Join(dir, "a.glb"), export.DefaultOptions())
	doc, err := gltf.Open(filepath.Join(dir, "a.glb"))
	if err != nil {
		t.Fatal(err)
	}
	body := doc.Meshes[1].Primitives[0]
	if doc.Nodes[1].Name != "body" || len(body.Targets) != 2 ||
		doc.Accessors[body.Targets[1][gltf.POSITION]].Max[1] != 2 {
		t.Errorf("%+v has targets %v", doc.Nodes[1], body.Targets)
	}
	write(t, f, filepath.Join(dir, "a.usda"), export.DefaultOptions())
	text, err := os.ReadFile(filepath.Join(dir, "a.usda"))
	if err != nil {
		t.Fatal(err)
	}
	if _, body, _ := strings.Cut(
		string(text),
		`def Mesh "body"`,
	); !strings.Contains(
		body,
		"2: [(0, 0, 2), (1, 0, 2), (0, 1, 2)],",
	) {
		t.Errorf("%s", text)
	}
}
