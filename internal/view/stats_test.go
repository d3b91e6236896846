package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type statsReply struct {
	Rows, From, Buckets int
	Columns             map[string]struct{ Unit string }
	Step, Time          []float64
	Series              map[string]struct{ Min, Max, Last []*float64 }
}

func TestStats(t *testing.T) {
	dir := t.TempDir()
	film := newFilm(t, dir, "film", 100, 4)
	film.next(1)
	s := newSite(t, dir, Options{})
	var a statsReply
	if s.decode("/api/stats?columns=residual", &a); a.Rows != 0 || len(a.Step) != 0 || a.Step == nil {
		t.Errorf("without rows: %+v", a)
	}
	film.next(10)
	a = statsReply{}
	s.decode("/api/stats?columns=residual,worst%20gap,clock%20solve,residual&max=10", &a)
	if a.Rows != 40 || a.Buckets != 10 || len(a.Step) != 10 || a.Step[9] != 40 || math.Abs(a.Time[9]-0.2) > 1e-12 {
		t.Errorf("%+v", a)
	}
	if a.Columns["residual"].Unit != "m/s" || a.Columns["clock solve"].Unit != "s" || len(a.Series) != 3 {
		t.Errorf("columns %v", a.Columns)
	}
	lo, hi := math.Inf(1), 0.0
	for step := 1.0; step <= 4; step++ {
		lo, hi = min(lo, math.Abs(math.Sin(step))), max(hi, math.Abs(math.Sin(step)))
	}
	if r := a.Series["residual"]; *r.Min[0] != lo || *r.Max[0] != hi || *r.Last[0] != math.Abs(math.Sin(4)) {
		t.Errorf("first bucket %v %v, want %v %v", *r.Min[0], *r.Max[0], lo, hi)
	}
	// Steps without contacts have no worst gap.
	a = statsReply{}
	s.decode("/api/stats?columns=worst%20gap&from=30", &a)
	if g := a.Series["worst gap"]; a.From != 30 || a.Buckets != 10 || g.Last[2] != nil || g.Last[0] == nil {
		t.Errorf("gaps %+v", a)
	}
	film.next(1)
	a = statsReply{}
	if s.decode("/api/stats?columns=residual&from=40", &a); a.Rows != 44 || len(a.Step) != 4 || a.Step[0] != 41 {
		t.Errorf("what was added: %+v", a)
	}
	a = statsReply{}
	if s.decode("/api/stats?columns=residual&from=1000", &a); a.Buckets != 0 || a.From != 44 {
		t.Errorf("beyond the end: %+v", a)
	}
	var columns struct {
		Rows    int
		Columns []columnFacts
	}
	s.decode("/api/stats/columns", &columns)
	clocks := 0
	for _, c := range columns.Columns {
		if c.Clock {
			clocks++
		}
	}
	if columns.Rows != 44 || clocks != 9 || columns.Columns[2] != (columnFacts{"time", "time [s]", "s", false}) {
		t.Errorf("columns %+v", columns)
	}
	for _, bad := range []string{"columns=nothing", "max=0", "max=100000", "max=many", "from=-1", "columns=,", "colums=residual", "max=5&max=6", "columns=%zz"} {
		s.fails("/api/stats?"+bad, 400)
	}
}

// TestStatsCutBack sees statistics that a resumed run has cut back and written anew.
func TestStatsCutBack(t *testing.T) {
	dir := t.TempDir()
	newFilm(t, dir, "film", 100, 4).next(11)
	s := newSite(t, dir, Options{})
	path := filepath.Join(dir, "stats.csv")
	var a statsReply
	s.decode("/api/stats?columns=residual", &a)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cut int // after the 20th row
	for row := 0; row <= 20; cut++ {
		if data[cut] == '\n' {
			row++
		}
	}
	if err := os.WriteFile(path, data[:cut], 0o644); err != nil {
		t.Fatal(err)
	}
	if s.decode("/api/stats?columns=residual", &a); a.Rows != 20 {
		t.Errorf("%d rows after 20", a.Rows)
	}
	// The next rows, longer than before: what was read ends in the middle of one.
	rest := append([]byte{}, data[:cut]...)
	for row := 21; row < 60; row++ {
		line := fmt.Sprintf("%d,5,%g", row, 0.005*float64(row))
		line += strings.Repeat(",1.25", strings.Count(string(data[:bytes.IndexByte(data, '\n')]), ",")-2)
		rest = append(rest, line+"\n"...)
	}
	if err := os.WriteFile(path, rest, 0o644); err != nil {
		t.Fatal(err)
	}
	if s.decode("/api/stats?columns=residual", &a); a.Rows != 59 || a.Step[58] != 59 {
		t.Errorf("%d rows after 59", a.Rows)
	}
	if err := os.WriteFile(path, append(rest, "not,a,row\n1"...), 0o644); err != nil {
		t.Fatal(err)
	}
	s.fails("/api/stats?columns=residual", 500)
}

func TestWorstAndAt(t *testing.T) {
	dir := t.TempDir()
	newFilm(t, dir, "film", 100, 4).next(26) // 100 steps
	s := newSite(t, dir, Options{})
	var worst []worstStep
	s.decode("/api/worst?column=residual&count=3", &worst)
	// |sin n| for n up to 100 is largest at 11, 33 and 99, in the order 11, 33, 55 of multiples of pi/2.
	if len(worst) != 3 || worst[0].Step != 11 || worst[1].Step != 33 || worst[2].Step != 55 || worst[0].Frame != 3 {
		t.Errorf("worst residuals %+v", worst)
	}
	s.decode("/api/worst?column=worst%20gap&count=2", &worst)
	if len(worst) != 2 || worst[0].Value != 0 || worst[0].Step != 7 || worst[1].Step != 14 {
		t.Errorf("worst gaps %+v", worst)
	}
	if s.decode("/api/worst?column=residual", &worst); len(worst) != 10 {
		t.Errorf("%d by default", len(worst))
	}
	for _, bad := range []string{"", "?column=nothing", "?column=residual&count=0", "?column=residual&count=1001", "?column=residual&columns=x"} {
		s.fails("/api/worst"+bad, 400)
	}
	for query, want := range map[string]int{
		"step=0": 0, "step=4": 1, "step=11": 3, "step=100": 25, "step=9999": 25, "time=0": 0, "time=0.2": 10, "time=-4": 0, "time=1e300": 25, "time=0.0299": 1, "time=0.0301": 2,
	} {
		var at struct{ Frame int }
		if s.decode("/api/frames/at?"+query, &at); at.Frame != want {
			t.Errorf("%s: frame %d, want %d", query, at.Frame, want)
		}
	}
	for _, bad := range []string{"", "?time=soon", "?time=NaN", "?time=Inf", "?step=-1", "?step=1.5", "?step=1&time=1"} {
		s.fails("/api/frames/at"+bad, 400)
	}
}

// TestDecimate checks that buckets part the rows and keep smallest and largest values.
func TestDecimate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 1, 300).Draw(t, "values")
		if rapid.Bool().Draw(t, "gap") {
			values[len(values)/2] = math.NaN()
		}
		n := rapid.IntRange(1, len(values)).Draw(t, "buckets")
		s := decimate(values, n)
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, x := range values {
			if x == x {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
		gotLo, gotHi := math.Inf(1), math.Inf(-1)
		for b := range n {
			if s.Min[b] == s.Min[b] {
				gotLo, gotHi = min(gotLo, s.Min[b]), max(gotHi, s.Max[b])
			}
		}
		if lo != gotLo || hi != gotHi {
			t.Fatalf("%v to %v became %v to %v", lo, hi, gotLo, gotHi)
		}
		if last := values[len(values)-1]; last == last && s.Last[n-1] != last {
			t.Fatalf("the last value is %v", s.Last[n-1])
		}
		if _, err := json.Marshal(s); err != nil {
			t.Fatal(err)
		}
	})
}
