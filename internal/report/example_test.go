package report_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/report"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
)

// A run is played, and its report lies beside its frames.
func Example() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := scenefile.Parse("flag.yaml", []byte(`
toile: 1
time: {end: 0.1 s, fps: 30, step: 5 ms}
cloths:
  - name: flag
    shape: {grid: {size: [1, 1], cells: [4, 4]}}
    material: cotton
    pins: [{select: corners}]
`), nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	job, err := player.FromScene(s, 0)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := player.Play(context.Background(), job, player.DefaultOptions(dir)); err != nil {
		log.Fatal(err)
	}
	folder, err := runfolder.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	path, err := report.Write(folder, report.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(filepath.Base(path))
	// Output: report.html
}
