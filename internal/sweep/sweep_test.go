package sweep

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/runfolder"
)

// ramp is a small scene: a cloth on a slope.
const ramp = `toile: 1
time: {end: 0.1 s, fps: 20, step: 10 ms}
friction: 0.3
contact: {thickness: 1 mm, self: false}
cloths:
  - name: square
    shape: {grid: {size: [0.5, 0.5], cells: [2, 2]}}
    place: {rotate: {axis: [0, 1, 0], angle: 10 deg}}
    material: cotton
obstacles:
  - name: ramp
    shape: {plane: {point: [0, 0, -1 mm]}}
    place: {rotate: {axis: [0, 1, 0], angle: 10 deg}}
`

// load writes a scene and a sweep of it to a folder and reads the sweep.
func load(t *testing.T, text string) *Sweep {
	t.Helper()
	s, err := Load(write(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func write(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "sweep.yaml")
	for name, data := range map[string]string{"ramp.yaml": ramp, "sweep.yaml": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func runsOf(t *testing.T, s *Sweep) []Run {
	t.Helper()
	runs, err := s.Runs()
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

func TestRunsAreEveryCombination(t *testing.T) {
	runs := runsOf(t, load(t, `
sweep: 1
scene: ramp.yaml
set: [time.end=0.05]
axes:
  - {path: friction.default, name: mu, range: {from: 0.1, to: 0.3, count: 3}}
  - zip:
      - {path: cloths.square.material, values: [cotton, silk]}
      - {path: contact.thickness, log: {from: 1 mm, to: 4 mm, count: 2}}
`))
	want := [][]string{
		{"time.end=0.05", "friction.default=0.1", "cloths.square.material=cotton", "contact.thickness=1 mm"},
		{"time.end=0.05", "friction.default=0.1", "cloths.square.material=silk", "contact.thickness=4 mm"},
		{"time.end=0.05", "friction.default=0.2", "cloths.square.material=cotton", "contact.thickness=1 mm"},
		{"time.end=0.05", "friction.default=0.2", "cloths.square.material=silk", "contact.thickness=4 mm"},
		{"time.end=0.05", "friction.default=0.3", "cloths.square.material=cotton", "contact.thickness=1 mm"},
		{"time.end=0.05", "friction.default=0.3", "cloths.square.material=silk", "contact.thickness=4 mm"},
	}
	keys := map[string]bool{}
	for i, r := range runs {
		if r.Index != i || !slices.Equal(r.Set, want[i]) {
			t.Errorf("run %d is %d: %q, want %q", i, r.Index, r.Set, want[i])
		}
		keys[r.Key] = true
	}
	if len(runs) != len(want) || len(keys) != len(want) {
		t.Errorf("%d runs with %d keys, want %d", len(runs), len(keys), len(want))
	}
	if got := runs[1].Words(); got != "mu 0.1, square_material silk, contact_thickness 4 mm" {
		t.Errorf("run 1 is called %q", got)
	}
}

// What means the same has the same key, however it is written; what decides the result or the folder has another.
func TestKeysAreOfWhatIsMeant(t *testing.T) {
	head := "sweep: 1\nscene: ramp.yaml\n"
	key := func(rest string) string { return runsOf(t, load(t, head+rest))[0].Key }
	plain := key("")
	for _, same := range []string{
		"set: [friction=0.3]", "set: ['friction.default=0.30']", "name: another", "outcomes: [{last: crossings}]",
		"keep: last", "set: ['time.end=100 ms']",
	} {
		if key(same) != plain {
			t.Errorf("%s changes the key", same)
		}
	}
	for _, other := range []string{
		"set: [friction=0.31]", "keep: all", "stop: [crossings > 0]", "outcomes: [{last: centroid square x}]",
	} {
		if key(other) == plain {
			t.Errorf("%s does not change the key", other)
		}
	}
}

// If another program plays the runs, it alone says their keys.
func TestKeysAreAskedOfTheProgramThatPlays(t *testing.T) {
	s := load(t, "sweep: 1\nscene: ramp.yaml\naxes: [{path: friction.default, values: [0.2, 0.3, 0.4]}]\n")
	var asked [][]string
	s.Keys = func(args [][]string) ([]string, error) {
		asked = args
		return []string{strings.Repeat("a", 64), strings.Repeat("b", 64), strings.Repeat("a", 64)}, nil
	}
	runs := runsOf(t, s)
	for i, same := range []int{0, 1, 0} {
		if want := strings.Repeat("aba"[i:i+1], 64); runs[i].Key != want || runs[i].Same != same {
			t.Errorf("run %d has the key %s and is run %d; want %s and %d", i, runs[i].Key, runs[i].Same, want, same)
		}
		if !slices.Equal(asked[i], s.Args(runs[i], "")) {
			t.Errorf("the key of run %d was asked for %q", i, asked[i])
		}
	}
	s.Keys = func(args [][]string) ([]string, error) { return make([]string, len(args)-1), nil }
	if _, err := s.Runs(); err == nil {
		t.Error("two keys for three runs were taken")
	}
	s.Keys = func(args [][]string) ([]string, error) { return make([]string, len(args)), nil }
	if _, err := s.Run(1); err == nil {
		t.Error("an empty key was taken")
	}
}

func TestRunsWithOneKeyAreFound(t *testing.T) {
	runs := runsOf(t, load(t, "sweep: 1\nscene: ramp.yaml\naxes: [{path: friction.default, values: [0.2, 0.3, 0.20, 3e-1, 0.4]}]\n"))
	var same []int
	for _, r := range runs {
		same = append(same, r.Same)
	}
	if want := []int{0, 1, 0, 1, 4}; !slices.Equal(same, want) {
		t.Errorf("played as %v, want %v", same, want)
	}
}

func TestRandomNumbers(t *testing.T) {
	draw := func(seed, name string) []float64 {
		s := load(t, "sweep: 1\nscene: ramp.yaml\naxes: [{path: friction.default, name: "+name+
			", random: {from: 0.01, to: 1, count: 400, log: true, seed: "+seed+"}}]\n")
		var out []float64
		for _, v := range s.axes[0].parts[0].values {
			out = append(out, v.Number)
		}
		return out
	}
	a, b := draw("7", "a"), draw("7", "a")
	if !slices.Equal(a, b) {
		t.Error("the same seed gives other numbers")
	}
	if slices.Equal(a, draw("8", "a")) || slices.Equal(a, draw("7", "b")) {
		t.Error("another seed or name gives the same numbers")
	}
	// Half of them are below the geometric mean 0.1: 200 with a standard deviation of 10; five of those are once in
	// two million.
	below := 0
	for _, x := range a {
		if x < 0.01 || x > 1 {
			t.Errorf("%g is out of range", x)
		}
		if x < 0.1 {
			below++
		}
	}
	if below < 150 || below > 250 {
		t.Errorf("%d of 400 are below the geometric mean", below)
	}
}

func TestArgs(t *testing.T) {
	s := load(t, "sweep: 1\nscene: ramp.yaml\nstop: ['max speed<1e-3 for 0.1']\noutcomes: [{mean: force square ramp z}]\naxes: [{path: friction.default, values: [0.2]}]\n")
	args := strings.Join(s.Args(runsOf(t, s)[0], "out"), "|")
	for _, part := range []string{
		"run|" + s.ScenePath(), "|--output|out|", "|--report=false|", "|--keep|last|", "|--set|friction.default=0.2|",
		"|--stop|max speed < 0.001 for 0.1 s|", "|--probe|force square ramp",
	} {
		if !strings.Contains(args, part) {
			t.Errorf("%s lacks %s", args, part)
		}
	}
}

// The same rows give the same bytes, in both formats.
func TestTablesAreTheSameEachTime(t *testing.T) {
	s := load(t, "sweep: 1\nscene: ramp.yaml\naxes: [{path: friction.default, name: mu, values: [0.2, 0.3]}, {path: cloths.square.material, name: fabric, values: [cotton, silk]}]\noutcomes: [{last: crossings, name: crossings}]\n")
	var rows []Row
	for _, r := range runsOf(t, s) {
		rows = append(rows, s.Unfinished(r, Missing))
	}
	rows[1].Status, rows[1].Outcomes[0], rows[1].Time, rows[1].Frames = Done, 1.0/3, 0.1, 3
	var a, b, c, d bytes.Buffer
	for _, err := range []error{s.WriteCSV(&a, rows), s.WriteCSV(&b, rows), s.WriteParquet(&c, rows), s.WriteParquet(&d, rows)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) || !bytes.Equal(c.Bytes(), d.Bytes()) {
		t.Error("two tables of the same rows differ")
	}
	lines := strings.Split(a.String(), "\n")
	if lines[0] != "run,key,mu,fabric,status,state,frames,time [s],stopped,crossings" {
		t.Errorf("header %s", lines[0])
	}
	if want := "1," + rows[1].Key + ",0.2,silk,done,,3,0.1,,0.3333333333333333"; lines[2] != want {
		t.Errorf("row %s, want %s", lines[2], want)
	}
	if c.Len() < 100 || string(c.Bytes()[:4]) != "PAR1" {
		t.Error("this is no Parquet file")
	}
}

func TestOutcomeOfStatistics(t *testing.T) {
	table := &runfolder.Table{
		Columns: []string{"step", "frame", "time [s]", "speed [m/s]"},
		Values:  [][]float64{{1, 2, 3}, {1, 1, 1}, {0.1, 0.3, 0.4}, {2, 5, 1}},
	}
	for text, want := range map[string]float64{
		"last": 1, "largest": 5, "least": 1, "change": -1, "mean": (0.1*2 + 0.2*5 + 0.1*1) / 0.4,
	} {
		s := load(t, "sweep: 1\nscene: ramp.yaml\noutcomes: [{"+text+": speed}]\n")
		got, err := s.file.Outcomes[0].of(table)
		if err != nil || got-want > 1e-15 || want-got > 1e-15 {
			t.Errorf("%s is %g, %v; want %g", text, got, err, want)
		}
	}
}
