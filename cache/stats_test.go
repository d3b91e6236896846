package cache

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/toile-sim/toile"
)

// Every number comes back with all its bits, and clocks are last.
func TestStatsRoundTrip(t *testing.T) {
	s := toile.Stats{
		Step: 812, Time: 0.1 + 0.2, H: 1e-3 / 3, Vertices: 20000, Triangles: 39000, Halvings: 2,
		Newton: 1, Linear: 57, Residual: 5e-324, Nonlinear: math.Inf(1), Converged: true, MaxSpeed: math.Pi,
		Energy: toile.Energy{Kinetic: 1.0 / 3, Membrane: 2, Bending: 3, Gravity: -4, Handles: 5},
		Laps:   toile.Laps{Pose: time.Microsecond, Solve: 2 * time.Second},
	}
	row := appendStats(nil, 27, &s)
	table, err := parseStats("s", append([]byte(strings.Join(statsColumns, ",")+"\n"), row...))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		"step": 812, "frame": 27, "time": 0.1 + 0.2, "h [s]": 1e-3 / 3, "vertices": 20000, "triangles": 39000,
		"contacts": 0, "crossings": 0, "halvings": 2, "newton": 1, "linear": 57, "residual": 5e-324,
		"nonlinear": math.Inf(1), "converged": 1, "max speed": math.Pi, "kinetic": 1.0 / 3, "membrane": 2,
		"bending": 3, "gravity": -4, "handles": 5, "total": s.Energy.Total(),
		"clock pose": 1e-6, "clock assemble": 0, "clock solve": 2, "clock integrate": 0, "clock check": 0,
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
		{"NaN", "step,time [s]\n1,NaN\n", 1, ""},
		{"missing value", "step,time [s]\n1,0.5\n2\n", 0, "stats.csv:3: 1 values in a table of 2 columns"},
		{"text", "step,time [s]\n1,soon\n", 0, `stats.csv:2: column "time [s]": "soon" is not a number`},
	}
	for _, c := range cases {
		path := filepath.Join(t.TempDir(), "stats.csv")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := ReadStats(path)
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
	l, err := openStats(filepath.Join(t.TempDir(), StatsName), StatsMark{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	s := toile.Stats{Step: 1, Residual: 1.0 / 3}
	l.add(1, &s)
	if n := testing.AllocsPerRun(100, func() { l.add(1, &s) }); n > 0 {
		t.Errorf("a row allocates %v times", n)
	}
}
