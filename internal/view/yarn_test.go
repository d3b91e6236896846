package view

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/toile-sim/toile/internal/layouts"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// yarnFilm writes a finished run of so many loops of knitting that waves, on a floor, over a ring.
func yarnFilm(t testing.TB, dir string, wales, courses int) {
	t.Helper()
	const frames, radius = 4, 1.25e-3
	w, err := runfolder.Begin(dir, runfolder.Manifest{
		Name: "knit", Time: runfolder.Timing{
			FPS: 25, Frames: frames, Substeps: 2, Step: 0.02,
		}, Build: runfolder.ThisBuild(),
		Scene: json.RawMessage(`{"name": "knit"}`),
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	w.Columns = []string{"loops", "contacts", "updates", "closest [m]", "kinetic [J]", "clock contact [s]"}
	if _, err := w.Resume(nil); err != nil {
		t.Fatal(err)
	}
	flat, counts := layouts.Stockinette(wales, courses, radius)
	ring := len(flat)
	for i := range 24 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 24)
		flat = append(flat, r3.V(0.03*cos, 0.03*sin, -0.03))
	}
	n := len(flat)
	c := &meshio.Curves{
		Name: "swatch", Points: make([]r3.Vec, n), Counts: append(counts, 24), Closed: make([]bool, courses+1), Radius: radius,
		Attributes: []meshio.Attribute{
			{Name: runfolder.AttrForce, Width: 1, Data: make([]float32, n)},
			{Name: runfolder.AttrTension, Width: 1, Data: make([]float32, n)},
			{Name: runfolder.AttrSpeed, Width: 1, Data: make([]float32, n)},
		},
	}
	c.Closed[courses] = true
	floor := runfolder.Body{Name: "floor", Kind: runfolder.KindPlane, Pose: r3.Still(), Mesh: &meshio.Mesh{
		Positions: []r3.Vec{r3.V(-1, -1, -0.06), r3.V(1, -1, -0.06), r3.V(0, 1, -0.06)}, Triangles: [][3]int32{{0, 1, 2}},
	}}
	step := 0
	for frame := range frames {
		for range 2 {
			if frame > 0 {
				step++
				w.AddRow(frame, step, 0.02*float64(step), []float64{
					float64(wales * courses), float64(7 * wales * courses), float64(step), 2 * radius, 1e-3, 0.01,
				})
			}
		}
		for i, x := range flat {
			c.Points[i] = x
			if i < ring {
				c.Points[i].Z += 0.01 * math.Sin(60*x.X+float64(frame))
			}
			c.Attributes[0].Data[i] = float32(max(0, math.Sin(float64(i))))
			c.Attributes[1].Data[i] = float32(x.Y + 0.01*float64(frame))
			c.Attributes[2].Data[i] = float32(i % 5)
		}
		err := w.WriteFrame(&runfolder.Frame{
			Number: frame, Time: 0.04 * float64(frame), Step: step, Hash: "00", Bodies: []runfolder.Body{runfolder.YarnsOf(c), floor},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.WriteCheckpoint(&runfolder.Checkpoint{Frame: frames - 1, Step: step}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Yarns are served as what they are. TOILE_YARN_FILM names a folder that keeps the run, for tests in a browser.
func TestYarns(t *testing.T) {
	dir := os.Getenv("TOILE_YARN_FILM")
	if dir == "" {
		dir = t.TempDir()
	}
	const wales, courses = 12, 10
	yarnFilm(t, dir, wales, courses)
	s := newSite(t, dir, Options{})
	facts := s.facts()
	want := bodyFacts{"swatch", "yarn", 8*wales*courses + 24, 0, (8*wales-1)*courses + 24}
	if facts.State != Finished || len(facts.Bodies) != 2 || facts.Bodies[0] != want {
		t.Errorf("%+v, want %+v", facts.Bodies, want)
	}
	labels := map[string]string{}
	for _, f := range facts.Fields {
		labels[f.Label] = f.Unit
	}
	if len(labels) != 3 || labels["tension"] != "N" || labels["contact force"] != "N" {
		t.Errorf("fields %v", labels)
	}
	if z := facts.Bounds.Min[2]; math.Abs(z+0.03125) > 1e-6 {
		t.Errorf("the bounds begin at z = %v", z)
	}
	b := s.frame("/api/frames/1?fields=topology,position,normal," + runfolder.AttrTension).Bodies[0]
	if b.Kind != "yarn" || b.Radius != 1.25e-3 || b.Arrays["topology"].Components != 2 ||
		b.Arrays["topology"].Count != want.Segments || b.Arrays["position"].Count != want.Vertices {
		t.Errorf("%+v", b)
	}
	if _, ok := b.Arrays["normal"]; ok {
		t.Error("yarns have normals")
	}
}
