package report

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/internal/layouts"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// A run of yarns has columns of its own: each has a plot, and nothing is said of residuals and tolerances.
func TestReportOfYarns(t *testing.T) {
	dir := t.TempDir()
	const steps = 20
	w, err := cache.Begin(dir, cache.Manifest{
		Name: "knit", Time: cache.Timing{FPS: 25, Frames: 2, Substeps: steps, Step: 0.002}, Build: cache.ThisBuild(),
		Scene: json.RawMessage(`{}`),
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	w.Columns = []string{"loops", "contacts", "closest [m]", "clock contact [s]", "clock rods [s]"}
	if _, err := w.Resume(nil); err != nil {
		t.Fatal(err)
	}
	for i := range steps {
		closest := 1e-3 * float64(i)
		if i == 0 {
			closest = math.NaN()
		}
		w.AddRow(1, i+1, 0.002*float64(i+1), []float64{12, float64(80 + i), closest, 0.01, 0.02})
	}
	points, counts := layouts.Stockinette(4, 3, 1e-3)
	for i, p := range points {
		points[i] = r3.V(p.X, -p.Z, p.Y)
	}
	frame := &cache.Frame{Hash: "00", Bodies: []cache.Body{cache.YarnsOf(&meshio.Curves{
		Name: "swatch", Points: points, Counts: counts, Closed: make([]bool, len(counts)), Radius: 1e-3,
	})}}
	if err := w.WriteFrame(frame); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	page := html(t, open(t, dir), Options{})
	wellFormed(t, page)
	for _, want := range []string{
		"20 steps were taken.", `id="contacts"`, `id="closest"`, "From 0.001 to 0.019", "</span>contact</th>", "</span>rods</th>",
		"swatch: 96 control points, 3 yarns of 1 mm radius", `<img src="data:image/jpeg`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	for _, no := range []string{"tolerance", "residual", "worst steps", `id="loops"`, "ZgotmplZ", "NaN"} {
		if strings.Contains(page, no) {
			t.Errorf("the page has %q", no)
		}
	}
}
