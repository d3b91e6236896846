package check

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/player"
)

// A garment that there is no time to put on is rehearsed with larger triangles, and what is without garments is not.
func TestGarmentsAreRehearsedCoarser(t *testing.T) {
	planOfText := func(text string) *plan {
		path := filepath.Join(t.TempDir(), "scene.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f := &checkFlags{sewn: "none", work: 1}
		s, err := cli.LoadScene(path, f.sets)
		if err != nil {
			t.Fatal(err)
		}
		job, err := player.FromScene(s, f.work)
		if err != nil {
			t.Fatal(err)
		}
		return planOf(path, f, s, &job)
	}
	if p := planOfText("toile: 1\ntime: {end: 1 s}\ncloths: [{name: c, shape: {grid: {size: [1 m, 1 m], cells: [4, 4]}}}]\n"); p.coarser != nil {
		t.Error("a grid is rehearsed coarser")
	}
	p := planOfText(`toile: 1
time: {end: 0.1 s, step: 5 ms}
dressing: {close: 0.3 s, step: 10 ms}
cloths: [{name: skirt, shape: {garment: {kind: skirt, on: body, size: 60 mm}}}]
obstacles: [{name: body, shape: {mannequin: {motion: stand, vertices: 2000, lead: 0.1 s}}}]
`)
	coarser, err := p.coarser()
	if err != nil {
		t.Fatal(err)
	}
	if 2*coarser.cost.Vertices > p.cost.Vertices || coarser.cost.Steps != p.cost.Steps || coarser.step != p.step {
		t.Errorf("%+v for %+v", coarser.cost, p.cost)
	}
	const panels = 1 << 30
	r := rehearsal{panels: panels, live: panels}
	if r.guessFromCoarser(p, time.Minute); !(r.before.cpu > 0) || !(r.steps.cpu > 0) || r.whole {
		t.Errorf("guessed %+v", r)
	}
	if r.live <= panels || r.live > panels+100<<20 {
		t.Errorf("%d MB are in use, and %d MB with the panels", r.live>>20, panels>>20)
	}
}
