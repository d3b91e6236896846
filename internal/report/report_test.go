package report

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// played is a short run with contacts.
const played = `toile: 1
name: "a sheet & a ball"
time: {end: 0.2 s, fps: 20, step: 10 ms}
cloths:
  - name: sheet
    shape: {grid: {size: [1, 1], cells: [10, 10]}}
    place: {translate: [-0.5, -0.5, 0.301]}
    material: cotton
obstacles:
  - {name: ball, shape: {sphere: {radius: 0.3}}}
`

func play(t *testing.T, text string) *runfolder.Folder {
	t.Helper()
	s, err := scenefile.Parse("scene.yaml", []byte(text), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	job, err := player.FromScene(s, 0)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := player.Play(context.Background(), job, player.DefaultOptions(dir)); err != nil {
		t.Fatal(err)
	}
	return open(t, dir)
}

func open(t *testing.T, dir string) *runfolder.Folder {
	t.Helper()
	f, err := runfolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// made is a run that was never played: steps as the function says, and one frame.
func made(t testing.TB, dir, name string, steps int, step func(i int) engine.Stats) *runfolder.Folder {
	t.Helper()
	quoted, err := json.Marshal(map[string]string{"name": name})
	if err != nil {
		t.Fatal(err)
	}
	w, err := runfolder.Begin(dir, runfolder.Manifest{
		Name:    name,
		Time:    runfolder.Timing{FPS: 25, Frames: steps + 1, Substeps: 1, Step: 0.04},
		Build:   runfolder.ThisBuild(),
		Scene:   quoted,
		Source:  &runfolder.Input{Path: name + ".yaml", SHA256: "00"},
		Inputs:  []runfolder.Input{{Path: name + ".obj", SHA256: "11"}},
		Options: json.RawMessage(`{"world": {"Contact": {"Tolerance": 1e-8}}}`),
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Resume(nil); err != nil {
		t.Fatal(err)
	}
	for i := range steps {
		s := step(i)
		s.Step, s.Time, s.H = i+1, 0.04*float64(i+1), 0.04
		w.AddStats(i+1, &s)
	}
	up := r3.V(0, 0, 1)
	err = w.WriteFrame(&runfolder.Frame{Hash: "00", Bodies: []runfolder.Body{
		runfolder.BodyOf(runfolder.KindCloth, &meshio.Mesh{
			Name:      name,
			Positions: []r3.Vec{r3.V(0, 0, 1), r3.V(1, 0, 1), r3.V(0, 1, 1)},
			Normals:   []r3.Vec{up, up, up},
			Triangles: [][3]int32{{0, 1, 2}},
		}),
	}})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	folder, err := runfolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func html(t *testing.T, f *runfolder.Folder, opt Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, f, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wellFormed checks that every element is closed, in order. The page is written so that it is XML too, but for
// elements that HTML leaves open.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.Entity, d.AutoClose = false, xml.HTMLEntity, []string{"meta", "img"}
	for {
		_, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
	}
}

func TestReportOfARun(t *testing.T) {
	f := play(t, played)
	page := html(t, f, Options{})
	wellFormed(t, page)
	for _, want := range []string{
		"<h1>a sheet &amp; a ball</h1>", `class="state finished"`, "Every step reached the tolerance", "5 of 5 frames", "20",
		"One more linearization of a step would move points by", "By themselves, steps ", " of energy; damping took ",
		`id="residual"`, `id="contacts"`, `id="energy"`, `id="gap"`, "Where the time went", "The ten worst steps",
		"toile view " + f.Dir + " --frame ", "#frame=", "&amp;color=_STATE", "ball: sphere", "sheet: 121 vertices, 200 triangles",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if n := strings.Count(page, `<img src="data:image/jpeg;base64,`); n != 5 {
		t.Errorf("%d pictures, want all 5", n)
	}
	if n := strings.Count(page, "--frame "); n != worstSteps {
		t.Errorf("%d worst steps, want %d", n, worstSteps)
	}
	last, err := f.Frame(4)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page, last.Hash) {
		t.Error("the page does not have the hash of the last frame")
	}
	if other := html(t, f, Options{Workers: 3}); other != page {
		t.Error("the page depends on the number of workers")
	}
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("something was filtered out of the page")
	}
}

// Nothing is loaded from anywhere, nothing is executed, and every picture says what it shows.
func TestReportIsSelfContained(t *testing.T) {
	page := html(t, play(t, played), Options{})
	for _, no := range []string{"<script", "http:", "https:", "//cdn", "@import", "javascript:", " href=", " onload="} {
		if strings.Contains(page, no) {
			t.Errorf("the page has %q", no)
		}
	}
	for _, m := range regexp.MustCompile(`(?:src|url)[=(]"?([a-z]*:?)`).FindAllStringSubmatch(page, -1) {
		if m[1] != "data:" {
			t.Errorf("the page loads %q", m[0])
		}
	}
	for _, m := range regexp.MustCompile(`<(?:img|svg)[^>]*>`).FindAllString(page, -1) {
		if !regexp.MustCompile(`alt="[^"]+|aria-label="[^"]+|aria-hidden="true"`).MatchString(m) {
			t.Errorf("no words for %.80s", m)
		}
	}
}

// What a scene says is text, never markup: in its name, its cloths, its files and the folder.
func TestReportEscapes(t *testing.T) {
	const evil = `</title></pre><script>alert("1")</script><img src=x onerror=alert(2)>'&`
	dir := filepath.Join(t.TempDir(), `a <b> "c" 'd'`)
	f := made(t, dir, evil, 3, func(int) engine.Stats { return engine.Stats{Converged: true} })
	page := html(t, f, Options{Failure: evil})
	wellFormed(t, page)
	for _, no := range []string{"<script", "<img src=x", "<b>", "</title></pre>"} {
		if strings.Contains(page, no) {
			t.Errorf("%s came through", no)
		}
	}
	if n := strings.Count(page, "&lt;script&gt;"); n < 5 {
		t.Errorf("the name is shown %d times", n)
	}
	if !strings.Contains(page, `&#39;\&#39;&#39;`) {
		t.Error("the folder is not quoted for a shell")
	}
}

// A run of many steps gives a page that is not larger and not slow, with every peak.
func TestReportOfManySteps(t *testing.T) {
	const steps = 60_000
	f := made(t, t.TempDir(), "long", steps, func(i int) engine.Stats {
		s := engine.Stats{
			Converged: i != 41_234,
			Residual:  1e-9 * (1.5 + math.Sin(float64(i))),
			Contacts:  i % 100,
			WorstGap:  1e-3,
		}
		s.Laps.Solve = time.Duration(1+i%7) * time.Millisecond
		if i == 41_234 {
			s.Residual = 3e-5
		}
		return s
	})
	began := time.Now()
	page := html(t, f, Options{})
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if len(page) > 500_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
	for _, want := range []string{"99.99 %", "1 did not", "largest 3e-5 m/s", "41,235"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

// What is damaged is named, and the rest is shown.
func TestReportOfADamagedRun(t *testing.T) {
	f := play(t, played)
	data, err := os.ReadFile(f.FramePath(2))
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(f.FramePath(2), data, 0o644); err != nil {
		t.Fatal(err)
	}
	page := html(t, f, Options{})
	if n := strings.Count(page, "<img "); n != 4 || !strings.Contains(page, "Frame 2 is left out") {
		t.Errorf("%d pictures", n)
	}
	if err := os.WriteFile(f.StatsPath(), []byte("step,time [s]\n1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	page = html(t, f, Options{})
	if !strings.Contains(page, "The statistics cannot be read") || !strings.Contains(page, "<img ") {
		t.Error("a damaged table is not named, or keeps the pictures away")
	}
}

// Numbers that are none, and runs that did nothing, do no harm.
func TestReportOfOddRuns(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(1), 0, 1e300, -1e-300}
	f := made(t, t.TempDir(), "odd", 12, func(i int) engine.Stats {
		x := odd[i%len(odd)]
		s := engine.Stats{Residual: x, MaxSpeed: x, Contacts: i, WorstGap: x, Crossings: i % 3, Halvings: i % 2}
		s.Energy.Add(mech.KineticEnergy, x)
		return s
	})
	page := html(t, f, Options{})
	wellFormed(t, page)
	if !strings.Contains(page, `class="state unfinished"`) || !strings.Contains(page, "had to be halved") {
		t.Error("it is not told that the run is unfinished and steps were halved")
	}
	if strings.Contains(regexp.MustCompile(`d="[^"]*"`).FindString(page), "NaN") {
		t.Error("a path has NaN")
	}
	for _, m := range regexp.MustCompile(` d="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if strings.ContainsAny(m[1], "NIn") {
			t.Errorf("a path is %.60s", m[1])
		}
	}
	none := made(t, t.TempDir(), "none", 0, nil)
	if page := html(t, none, Options{}); !strings.Contains(page, "No step has been taken") {
		t.Error("a run without steps is not told")
	}
}

// Write leaves one file and nothing half written.
func TestWrite(t *testing.T) {
	f := made(t, t.TempDir(), "x", 2, func(int) engine.Stats { return engine.Stats{Converged: true} })
	for range 2 {
		path, err := Write(f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if path != filepath.Join(f.Dir, Name) {
			t.Errorf("it is %s", path)
		}
	}
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".tmp") {
			t.Errorf("%s is left", e.Name())
		}
	}
	gone := &runfolder.Folder{Dir: filepath.Join(f.Dir, "nothing"), Manifest: f.Manifest}
	if _, err := Write(gone, Options{}); err == nil {
		t.Error("a folder that is not there has a report")
	}
}

// Decimation keeps first, least, largest, last and gaps.
func TestKeep(t *testing.T) {
	nan := math.NaN()
	if got := keep([]float64{3, 1, 4, nan, 5, 9, 2, 6}, 0, 8); fmt.Sprint(got) != "[0 1 3 5 7]" {
		t.Errorf("kept %v", got)
	}
	if got := keep([]float64{nan, nan}, 0, 2); fmt.Sprint(got) != "[0 1]" {
		t.Errorf("kept %v", got)
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		short(1.14e-6): "1.14e-6", short(385): "385", short(1234): "1234", short(0.5): "0.5", words.Thousands(1234567): "1,234,567",
		words.FineSeconds(0.0125): "12.5 ms", words.FineSeconds(920): "15 min 20 s", words.FineSeconds(7300): "2 h 1 min", words.FineSeconds(2.5e-5): "25 µs",
		length(9.57e-7): "0.957 µm", length(0.00123): "1.23 mm", length(0.5): "0.5 m",
		percent(1): "100 %", percent(0.99999): "99.99 %", percent(0.00001): "< 0.01 %", percent(0): "0.00 %",
		words.ShellWord("a/b.run"): "a/b.run", words.ShellWord("a b"): "'a b'",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The page of verifications is text and data too.
func TestVerificationsEscape(t *testing.T) {
	const evil = `<script>alert(1)</script>|`
	v := Verifications{Build: runfolder.ThisBuild(), Cases: []Verification{
		{
			ID:      "C1",
			Title:   evil,
			Source:  evil,
			Err:     evil,
			Notes:   []string{evil},
			Seconds: 2,
			CPU:     3,
			Commit:  "abc1234",
			Rows: []VerificationRow{
				{Quantity: evil, Expected: "1", Measured: "2", Asked: "±0.1 %", Allowed: "±1 %"},
				{Quantity: "q", Pass: true},
			},
			Plots: []VerificationPlot{{Name: evil, PNG: []byte("png")}},
		},
	}}
	var b bytes.Buffer
	if err := v.HTML(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	wellFormed(t, page)
	for _, no := range []string{"<script", "http:", "https:", "ZgotmplZ"} {
		if strings.Contains(page, no) {
			t.Errorf("the page has %s", no)
		}
	}
	for _, want := range []string{"0 of 1", "not finished: &lt;script", "FAIL", "data:image/png;base64,cG5n"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	v.Families = []VerificationFamily{{Name: "cloth", Title: "Cloth", IDs: []string{"C1"}}}
	pages := v.Pages(func(string) string { return "" })
	for file, want := range map[string]string{
		"cloth.md":        `| <script>alert(1)</script>\| | 1 | 2 | ±0.1 % | ±1 % | FAIL |`,
		VerificationIndex: `| <script>alert(1)</script>\| | not finished: <script>alert(1)</script>\| |  |  |  |  | FAIL |`,
	} {
		if !strings.Contains(pages[file], want) {
			t.Errorf("no %q in\n%s", want, pages[file])
		}
	}
}

func BenchmarkHTML(b *testing.B) {
	f := made(
		b,
		b.TempDir(),
		"long",
		2000,
		func(i int) engine.Stats { return engine.Stats{Converged: true, Residual: 1e-9, Contacts: i} },
	)
	b.ReportAllocs()
	for b.Loop() {
		if err := HTML(io.Discard, f, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
