package runfolder

import (
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/contact/detect"
	"github.com/toile-sim/toile/internal/engine"
)

// Every number comes back with all its bits, and clocks are last.
func TestStatsRoundTrip(t *testing.T) {
	s := engine.Stats{
		Step:            812,
		Time:            0.1 + 0.2,
		H:               1e-3 / 3,
		Vertices:        20000,
		Triangles:       39000,
		Remesh:          engine.RemeshCounts{Flips: 7, Splits: 8, Collapses: 9},
		Halvings:        2,
		Failsafe:        engine.Failsafe{Rounds: 5, Zones: 2, Blocks: 14, Rigid: 9, Left: 3, Taken: 0.25},
		Contacts:        9,
		Sticking:        3,
		Sliding:         4,
		Infeasible:      1,
		Jammed:          2,
		WorstGap:        -1e-5 / 3,
		PushWork:        6e-7,
		CrossingsBefore: 12,
		Crossings:       8,
		Depth:           2e-4,
		Smooth:          engine.SmoothStats{Smoothed: detect.Smoothed{Contacts: 31, Deep: 2, Off: 3e-4}, Crossings: 6},
		Untangling:      engine.Untangling{Blocks: 21},
		Rounds:          2,
		Newton:          1,
		Sweeps:          30,
		ContactNewton:   11,
		Linear:          57,
		Residual:        5e-324,
		Floor:           3e-15,
		Nonlinear:       math.Inf(1),
		Ahead:           engine.Ahead{Known: true, Mean: 2e-5, Worst: 7e-4},
		Loss:            engine.Loss{Known: true, Spin: 3, SpinLost: -0.25, EnergyLost: 0.125, Damped: 0.375},
		Converged:       true,
		Contradicted:    true,
		Spent:           true,
		JointGap:        1e-4,
		JointAngle:      2e-3,
		MaxSpeed:        math.Pi,
		Energy: engine.Energy{
			1.0 / 3, 2, 3, -4, 5, 7, 6, 8, 9,
		},
		Laps: engine.Laps{
			Remesh:   3 * time.Second,
			Pose:     time.Microsecond,
			Detect:   time.Millisecond,
			Solve:    2 * time.Second,
			Guard:    time.Second,
			Check:    time.Second,
			Untangle: 4 * time.Second,
			Refused:  time.Millisecond,
		},
	}
	row := appendStats(nil, 27, &s)
	table, err := parseStats("s", append([]byte(strings.Join(statsColumns, ",")+"\n"), row...), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		"step":               812,
		"frame":              27,
		"time":               0.1 + 0.2,
		"h [s]":              1e-3 / 3,
		"vertices":           20000,
		"triangles":          39000,
		"flips":              7,
		"splits":             8,
		"collapses":          9,
		"contacts":           9,
		"sticking":           3,
		"sliding":            4,
		"infeasible":         1,
		"jammed":             2,
		"worst gap":          -1e-5 / 3,
		"push work":          6e-7,
		"crossings before":   12,
		"crossings":          8,
		"inside":             2e-4,
		"smooth contacts":    31,
		"smooth deep":        2,
		"smooth crossings":   6,
		"smooth off":         3e-4,
		"untangled":          21,
		"halvings":           2,
		"failsafe":           5,
		"failsafe blocks":    14,
		"unavoidable":        3,
		"failsafe taken [1]": 0.25,
		"rounds":             2,
		"newton":             1,
		"sweeps":             30,
		"contact newton":     11,
		"linear":             57,
		"residual":           5e-324,
		"rounding":           3e-15,
		"nonlinear":          math.Inf(1),
		"ahead mean":         2e-5,
		"ahead worst":        7e-4,
		"spin":               3,
		"spin lost":          -0.25,
		"energy lost":        0.125,
		"damped":             0.375,
		"converged":          1,
		"contradicted":       1,
		"spent":              1,
		"joint gap":          1e-4,
		"joint angle":        2e-3,
		"max speed":          math.Pi,
		"kinetic":            1.0 / 3,
		"membrane":           2,
		"bending":            3,
		"gravity":            -4,
		"handles":            5,
		"seams":              7,
		"presses":            6,
		"solids":             8,
		"total":              s.Energy.Total(),
		"clock remesh":       3,
		"clock pose":         1e-6,
		"clock detect":       1e-3,
		"clock assemble":     0,
		"clock solve":        2,
		"clock integrate":    0,
		"clock check":        2,
		"clock untangle":     4,
		"clock refused":      1e-3,
	}
	if len(want) != len(table.Columns) {
		t.Errorf("%d columns, %d expected", len(table.Columns), len(want))
	}
	for name, x := range want {
		if v := table.Column(name); len(v) != 1 || v[0] != x {
			t.Errorf("%s: %v, want %v", name, v, x)
		}
	}
	clocks := false
	for _, name := range table.Columns {
		if clocks && !IsClock(name) {
			t.Errorf("%s comes after a clock", name)
		}
		clocks = clocks || IsClock(name)
	}
	if table.Column("weight") != nil {
		t.Error("a column that does not exist has values")
	}
}

// Without contacts, or with such as do not count for it, there is no worst gap, and no infinity in the table.
func TestStatsWithoutContacts(t *testing.T) {
	for _, contacts := range []int{0, 2} {
		row := appendStats(nil, 1, &engine.Stats{Step: 1, Contacts: contacts, WorstGap: math.Inf(1)})
		if strings.Contains(string(row), "Inf") {
			t.Errorf("row %s", row)
		}
		table, err := parseStats("s", append([]byte(strings.Join(statsColumns, ",")+"\n"), row...), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if v := table.Column("worst gap"); len(v) != 1 || !math.IsNaN(v[0]) {
			t.Errorf("worst gap %v, want NaN", v)
		}
	}
}

func TestReadStats(t *testing.T) {
	cases := []struct {
		name, text string
		rows       int
		err        string
	}{
		{"empty", "", 0, ""},
		{"half a header", "step,ti", 0, ""},
		{"header", "step,time [s]\n", 0, ""},
		{"rows", "step,time [s]\n1,0.5\n2,1e-3\n", 2, ""},
		{"half a row", "step,time [s]\n1,0.5\n2,1", 1, ""},
		{"empty cell", "step,gap [m]\n1,\n", 1, ""},
		{"NaN", "step,time [s]\n1,NaN\n", 1, ""},
		{"missing value", "step,time [s]\n1,0.5\n2\n", 0, "stats.csv:3: 1 values in a table of 2 columns"},
		{"rows of several steps", "step,time [s]\n16,0.5\n32,1\n", 2, ""},
		{"row twice", "step,time [s]\n1,0.5\n1,1\n", 0, "stats.csv:3: it has step 1 after step 1"},
		{"text", "step,time [s]\n1,soon\n", 0, `stats.csv:2: column "time [s]": "soon" is not a number`},
	}
	for _, c := range cases {
		f := &Folder{Dir: t.TempDir()}
		if err := os.WriteFile(f.StatsPath(), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := f.Stats()
		switch {
		case c.err != "" && (err == nil || !strings.HasSuffix(err.Error(), c.err)):
			t.Errorf("%s: error %v, want %s", c.name, err, c.err)
		case c.err == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.err == "" && table.Rows() != c.rows:
			t.Errorf("%s: %d rows, want %d", c.name, table.Rows(), c.rows)
		}
	}
}

func TestAddingStatsDoesNotAllocate(t *testing.T) {
	w := begin(t, t.TempDir())
	defer w.Close()
	s := engine.Stats{Step: 1, Residual: 1.0 / 3}
	w.AddStats(1, &s)
	if n := testing.AllocsPerRun(100, func() { w.AddStats(1, &s) }); n > 0 {
		t.Errorf("a row allocates %v times", n)
	}
}

// Other simulations have columns of their own, after those that all have.
func TestOtherColumns(t *testing.T) {
	w, err := Begin(t.TempDir(), testManifest(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Columns = []string{"loops", "closest [m]", "clock contact [s]"}
	if _, err := w.Resume(nil); err != nil {
		t.Fatal(err)
	}
	w.AddRow(1, 1, 0.125, []float64{3240, math.NaN(), 1.0 / 3})
	w.AddRow(1, 2, 0.25, []float64{3240, 1e-3, 2})
	if _, err := w.stats.sync(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(w.StatsPath())
	if err != nil {
		t.Fatal(err)
	}
	want := "step,frame,time [s],loops,closest [m],clock contact [s]\n1,1,0.125,3240,,0.333333\n2,1,0.25,3240,0.001,2\n"
	if string(data) != want {
		t.Errorf("%q, want %q", data, want)
	}
	row := []float64{1, 2, 3}
	if n := testing.AllocsPerRun(100, func() { w.AddRow(1, 3, 0.375, row) }); n > 0 {
		t.Errorf("a row allocates %v times", n)
	}
}

// The mean is over the steps that were looked at, and the worst has its step.
func TestAheadOfATable(t *testing.T) {
	none := math.NaN()
	table := Table{
		Columns: []string{"step", "ahead mean [m]", "ahead worst [m]"},
		Values:  [][]float64{{15, 16, 17, 32, 48}, {none, 1e-5, none, 3e-5, 2e-5}, {none, 1e-4, none, 7e-4, 2e-4}},
	}
	if got := table.Ahead(); math.Abs(got.Mean-2e-5) > 1e-18 || got.Worst != 7e-4 || got.Step != 32 || got.Steps != 3 {
		t.Errorf("%+v", got)
	}
	if got := (&Table{Columns: []string{"step"}, Values: [][]float64{{1}}}).Ahead(); got != (Ahead{}) {
		t.Errorf("%+v of a table without such columns", got)
	}
}

// A step that was not looked at has empty cells.
func TestStepsNotLookedAt(t *testing.T) {
	row := appendStats(nil, 1, &engine.Stats{Step: 1})
	table, err := parseStats("s", append([]byte(strings.Join(statsColumns, ",")+"\n"), row...), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ahead mean", "ahead worst", "spin", "spin lost", "energy lost", "damped"} {
		if x := table.Column(name)[0]; !math.IsNaN(x) {
			t.Errorf("%s is %g", name, x)
		}
	}
}
