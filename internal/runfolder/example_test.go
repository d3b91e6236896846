package runfolder_test

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// A run is written by one process and read by any.
func Example() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	w, err := runfolder.Begin(dir, runfolder.Manifest{
		Name:  "one triangle",
		Time:  runfolder.Timing{FPS: 25, Frames: 1, Substeps: 1, Step: 0.04},
		Build: runfolder.ThisBuild(),
		Scene: json.RawMessage(`{"name": "one triangle"}`),
	}, false)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := w.Resume(nil); err != nil {
		log.Fatal(err)
	}
	w.AddStats(0, &engine.Stats{Step: 1, Time: 0.04, MaxSpeed: 2})
	err = w.WriteFrame(&runfolder.Frame{
		Number: 0, Hash: "00",
		Bodies: []runfolder.Body{runfolder.BodyOf(runfolder.KindCloth, &meshio.Mesh{
			Name:      "triangle",
			Positions: []r3.Vec{r3.V(0, 0, 1), r3.V(1, 0, 1), r3.V(0, 1, 1)},
			Triangles: [][3]int32{{0, 1, 2}},
		})},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	run, err := runfolder.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	frame, err := run.Frame(0)
	if err != nil {
		log.Fatal(err)
	}
	stats, err := run.Stats()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Manifest.Name, frame.Bodies[0].Mesh.Positions[1], stats.Column("max speed"))
	// Output: one triangle {1 0 1} [2]
}
