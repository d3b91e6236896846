package verify

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/verify"
)

// failing is a result with everything that can be awkward in it.
func failing() verify.Result {
	return verify.Result{
		ID: "C10", Title: "a case",
		Rows: []verify.Row{
			{Quantity: "good | bad", Unit: "m", Expected: 1, Measured: 1.001, Bar: verify.Relative, Limit: 0.01},
			{Quantity: "lost", Measured: math.NaN(), Bar: verify.AtMost, Limit: 1},
		},
		Plots: []verify.Figure{{Name: "c10-plot", Plot: draw.Plot{
			Title: "t", X: "x", Y: "y", Series: []draw.Series{{Name: "s", X: []float64{0, 1}, Y: []float64{0, 1}}},
		}}},
		Notes: []string{"a note"},
	}
}

func TestFailingVerification(t *testing.T) {
	var out bytes.Buffer
	term := cli.NewTerm(&out, new(bytes.Buffer))
	r := failing()
	showResult(term, &r, false)
	err := finishVerify(term, &verifyFlags{}, 3, 1)
	if cli.ExitCode(err) != cli.ExitFailed {
		t.Errorf("exit code %d", cli.ExitCode(err))
	}
	for _, want := range []string{"C10 a case", "good | bad [m]", "±1 %", "pass", "NaN", "FAIL", "a note", "1 of 3 verifications did not pass."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
}

// TestReport writes a report, and finds only whole results again.
func TestReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "report")
	report, err := openReport(dir, false, true)
	if err != nil {
		t.Fatal(err)
	}
	bad, good := failing(), failing()
	good.ID, good.Rows = "C11", good.Rows[:1]
	for _, r := range []*verify.Result{&bad, &good} {
		if err := report.add(r); err != nil {
			t.Fatal(err)
		}
	}
	for file, want := range map[string][]string{
		"README.md": {
			"- [Cloth: ", "](cloth.md)\n", "2 verifications, 1 of which fail: C10.",
			"| [C10](cloth.md#c10-free-fall-with-backward-euler) | free fall with backward Euler | lost | - | NaN | at most 1 |  | FAIL |",
			`| pendulum of one stiff segment | good \| bad [m] | 1 | 1.001 | ±1 % |  | pass |`,
		},
		"cloth.md": {
			"## C10 free fall with backward Euler\n\nQuick run, 0.0 s of processors. Expected values: ",
			`| good \| bad [m] | 1 | 1.001 |  | ±1 % | pass |`, "| FAIL |", "- a note", "![c10-plot](c10-plot.png)",
		},
	} {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range want {
			if !strings.Contains(string(data), want) {
				t.Errorf("no %q in:\n%s", want, data)
			}
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, reportPageName))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 of 2", "good | bad [m]", "<td>FAIL</td>", "<li>a note</li>", `src="data:image/png;base64,iVBOR`} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in the page", want)
		}
	}
	again, err := openReport(dir, false, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := again.kept("C10"); ok {
		t.Error("a result with NaN was kept")
	}
	if r, ok := again.kept("C11"); !ok || r.Rows[0] != good.Rows[0] || len(r.Plots) != 1 {
		t.Errorf("kept %v %v", ok, r)
	}
	for _, mode := range []struct{ full, resume bool }{{true, true}, {false, false}} {
		other, err := openReport(dir, mode.full, mode.resume)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := other.kept("C11"); ok {
			t.Errorf("kept with %+v", mode)
		}
	}
}

// TestPagesAreKept renews one of two verifications of a folder: the other stays, and so does what is below the table.
func TestPagesAreKept(t *testing.T) {
	dir := t.TempDir()
	add := func(resume bool, r verify.Result) {
		t.Helper()
		report, err := openReport(dir, false, resume)
		if err != nil {
			t.Fatal(err)
		}
		report.program = "another" // keeps no results
		if err := report.add(&r); err != nil {
			t.Fatal(err)
		}
	}
	pages := func() string {
		var all []byte
		for _, file := range []string{"README.md", "cloth.md"} {
			data, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, data...)
		}
		return string(all)
	}
	first, second := failing(), failing()
	second.ID, second.Rows = "C11", second.Rows[:1]
	add(false, first)
	index := filepath.Join(dir, "README.md")
	if err := os.WriteFile(index, []byte(pages()[:strings.Index(pages(), "# Cloth")]+"\n## More\n\nby hand\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	add(true, second)
	both := pages()
	for _, want := range []string{"2 verifications, 1 of which fail: C10.", "## C10 ", "## C11 ", "\n## More\n\nby hand\n"} {
		if strings.Count(both, want) != 1 {
			t.Errorf("%d times %q in:\n%s", strings.Count(both, want), want, both)
		}
	}
	add(true, second)
	if again := pages(); again != both {
		t.Errorf("the same once more makes\n%s\nof\n%s", again, both)
	}
	add(false, second)
	if text := pages(); strings.Contains(text, "C10") || strings.Contains(text, "by hand") {
		t.Errorf("kept what is not to be kept:\n%s", text)
	}
}
