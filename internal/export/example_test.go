package export_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/toile-sim/toile/internal/export"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// A run of two frames becomes a point cache and the mesh that it belongs to.
func Example() {
	dir, err := os.MkdirTemp("", "export")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	w, err := runfolder.Begin(filepath.Join(dir, "run"), runfolder.Manifest{
		Name:  "a triangle rises",
		Time:  runfolder.Timing{FPS: 25, Frames: 2, Substeps: 1, Step: 0.04},
		Scene: json.RawMessage(`{}`),
	}, false)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := w.Resume(nil); err != nil {
		log.Fatal(err)
	}
	for n := range 2 {
		z := float64(n)
		if err := w.WriteFrame(&runfolder.Frame{Number: n, Hash: "00", Bodies: []runfolder.Body{
			runfolder.BodyOf(runfolder.KindCloth, &meshio.Mesh{
				Name:      "triangle",
				Positions: []r3.Vec{r3.V(0, 0, z), r3.V(1, 0, z), r3.V(0, 1, z)},
				Triangles: [][3]int32{{0, 1, 2}},
			}),
		}}); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	folder, err := runfolder.Open(filepath.Join(dir, "run"))
	if err != nil {
		log.Fatal(err)
	}
	opt := export.DefaultOptions()
	opt.Mesh = true
	result, err := export.Run(context.Background(), folder, filepath.Join(dir, "triangle.pc2"), opt)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range result.Files {
		fmt.Println(filepath.Base(f.Path), f.Bytes, "bytes")
	}
	// Output:
	// triangle.pc2 104 bytes
	// triangle.obj 59 bytes
}
