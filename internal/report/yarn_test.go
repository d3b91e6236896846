package report

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/layouts"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// row is a row of the statistics of yarns: its last step, and what its own columns say.
type row struct {
	step  int
	cells []float64
}

// madeOfYarns is a run of a swatch that was never played.
func madeOfYarns(t *testing.T, resolved string, columns []string, rows []row) *runfolder.Folder {
	t.Helper()
	dir := t.TempDir()
	w, err := runfolder.Begin(dir, runfolder.Manifest{
		Name: "knit", Time: runfolder.Timing{
			FPS: 25, Frames: 2, Substeps: 20, Step: 0.002,
		}, Build: runfolder.ThisBuild(),
		Scene: json.RawMessage(resolved),
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	w.Columns = columns
	if _, err := w.Resume(nil); err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		w.AddRow(1, r.step, 0.002*float64(i+1), r.cells)
	}
	points, counts := layouts.Stockinette(4, 3, 1e-3)
	for i, p := range points {
		points[i] = r3.V(p.X, -p.Z, p.Y)
	}
	frame := &runfolder.Frame{Hash: "00", Bodies: []runfolder.Body{runfolder.YarnsOf(&meshio.Curves{
		Name: "swatch", Points: points, Counts: counts, Closed: make([]bool, len(counts)), Radius: 1e-3,
	})}}
	if err := w.WriteFrame(frame); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, dir)
}

// has checks what a page says and does not say.
func has(t *testing.T, page string, wanted, unwanted []string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	for _, no := range unwanted {
		if strings.Contains(page, no) {
			t.Errorf("the page has %q", no)
		}
	}
}

// A run of yarns has columns of its own: each has a plot, and nothing is said of residuals and tolerances.
func TestReportOfYarns(t *testing.T) {
	var rows []row
	for i := range 20 {
		closest := 1e-3 * float64(i)
		if i == 0 {
			closest = math.NaN()
		}
		rows = append(rows, row{i + 1, []float64{12, float64(80 + i), closest, 0.01, 0.02}})
	}
	columns := []string{"loops", "contacts", "closest [m]", "clock contact [s]", "clock rods [s]"}
	page := html(t, madeOfYarns(t, `{}`, columns, rows), Options{})
	wellFormed(t, page)
	has(t, page, []string{
		"20 steps were taken.", `id="contacts"`, `id="closest"`, "From 0.001 to 0.019", "</span>contact</th><td>find where yarns touch", "</span>rods</th>",
		"swatch: 96 control points, 3 yarns of 1 mm radius", `<img src="data:image/jpeg`,
	}, []string{"tolerance", "residual", "worst steps", `id="loops"`, "ZgotmplZ", "NaN"})
}

// A row of several steps counts as many, in all that is said of steps.
func TestReportCountsSteps(t *testing.T) {
	columns := []string{"steps", "contacts", "shortest step [s]", "longest step [s]", "clock contact [s]"}
	page := html(t, madeOfYarns(t, `{}`, columns, []row{
		{16, []float64{16, 80, 0.25e-3, 0.25e-3, 0.16}},
		{1016, []float64{1000, 90, 0.05e-3, 0.25e-3, 4}},
		{1032, []float64{16, 85, 0.25e-3, 0.25e-3, 0.32}},
	}), Options{})
	wellFormed(t, page)
	has(t, page, []string{
		"1,032 steps were taken", "<dd>1,032</dd>", "of 50 µs to 250 µs", "most in a row of stats.csv", "<dd class=\"detail\">4.34 ms a step</dd>",
		"The slowest steps are 1,017 to 1,032, with 20 ms each.", "steps 17 to 1,016: 4 ms a step",
		"Of a step only contact (find where yarns touch each other, and with what force) has a clock. It took 4.48 s on the wall, 4.34 ms a step.",
		"<dt>Time of contact</dt>", "mean time of contact in a step [ms]",
		"From 80 to 85 in the course of the run; the least is 80, the largest 90.",
		"1,032 in all; a row of stats.csv stands for 16 to 1,000.",
	}, []string{"a frame, of", "most in a step", "What it does", "100 %", "The steps took"})
}

// Slips are a problem, told at the top and under their figure: how many in all, and in which steps.
func TestReportTellsSlips(t *testing.T) {
	columns := []string{"steps", "retries", "slips", "contacts"}
	rows := func(slips ...float64) (out []row) {
		for i, n := range slips {
			out = append(out, row{100 * (i + 1), []float64{100, float64(i), n, 80}})
		}
		return out
	}
	page := html(t, madeOfYarns(t, `{}`, columns, rows(0, 3, 40, 0, 5, 0, 1, 0, 2, 0, 2, 0)), Options{})
	wellFormed(t, page)
	has(t, page, []string{
		"1,200 steps were taken. Yarns passed through each other 53 times, in steps 101 to 300, 401 to 500, 601 to 700, 801 to 900, ….",
		`<div class="bad"><dt>Slips</dt><dd>53</dd><dd class="detail">in steps 101 to 300,`,
		"Yarns passed through each other 53 times in all, in steps 101 to 300, 401 to 500, 601 to 700, 801 to 900, 1,001 to 1,100.",
		"66 in all.",
	}, []string{"From 0 to 0"})

	page = html(t, madeOfYarns(t, `{}`, columns, rows(0, 0, 0)), Options{})
	has(t, page, []string{
		"300 steps were taken, and no yarn passed through another.",
		`<div><dt>Slips</dt><dd>0</dd>`,
	}, []string{`id="slips"`, "passed through each other"})
}

// The scene of yarns is shown without what they refuse, that of others whole.
func TestReportOfSceneOfYarns(t *testing.T) {
	const rest = `"toile":1,"air":{"density":0},"integrator":{"theta":1},"contact":{"self":true},"friction":{"default":0.3},"dressing":{"close":0.5},"motions":{"pull":{"air":"<&"}}}`
	yarns := sceneText([]byte(`{"yarns":[{"name":"swatch"}],` + rest))
	if want := indent([]byte(`{"yarns":[{"name":"swatch"}],"toile":1,"friction":{"default":0.3},"motions":{"pull":{"air":"<&"}}}`)); yarns != want {
		t.Errorf("the scene of yarns is\n%s\nwant\n%s", yarns, want)
	}
	for _, other := range []string{`{"cloths":[],` + rest, `{"yarns":[],` + rest, `{"yarns":`, `[]`} {
		if got := sceneText([]byte(other)); got != indent([]byte(other)) {
			t.Errorf("%s became\n%s", other, got)
		}
	}
	f := madeOfYarns(t, `{"yarns":[{"name":"swatch"}],`+rest, []string{"steps", "slips"}, []row{{16, []float64{16, 0}}})
	has(t, html(t, f, Options{}), []string{"motions", "friction"}, []string{"integrator", "dressing"})
}
