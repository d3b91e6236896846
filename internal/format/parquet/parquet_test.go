package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"testing"

	reader "github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"
)

// write returns a table of three columns, one of each kind.
func write(rows [][]Cell) ([]byte, error) {
	var out bytes.Buffer
	columns := []Column{{"n", Whole}, {"x", Number}, {"word", Word}}
	w, err := NewWriter(&out, columns, "Toile", map[string]string{"run": "a", "units": "{}"})
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if err := w.Add(row); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return out.Bytes(), err
}

// Another reader finds every bit of any table.
func TestAnyTableIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.Custom(func(t *rapid.T) []Cell {
			x := rapid.Float64().Draw(t, "x")
			if rapid.Bool().Draw(t, "missing") {
				x = math.NaN()
			}
			n := float64(rapid.Int64Range(-1<<53, 1<<53).Draw(t, "n"))
			return []Cell{{Number: n}, {Number: x}, {Word: rapid.String().Draw(t, "word")}}
		})
		rows := rapid.SliceOfN(cell, 0, 40).Draw(t, "rows")
		// some longer than a run of bytes can count
		for range rapid.IntRange(0, 3).Draw(t, "times") {
			rows = append(rows, rows...)
		}
		data, err := write(rows)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, data, rows)
	})
}

// compare reads a table with another reader.
func compare(t interface{ Fatalf(string, ...any) }, data []byte, rows [][]Cell) {
	file, err := reader.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("%v", err)
	}
	if name, ok := file.Lookup("run"); !ok || name != "a" || file.NumRows() != int64(len(rows)) {
		t.Fatalf("run %q, %d rows, want %d", name, file.NumRows(), len(rows))
	}
	r := reader.NewReader(file)
	defer func() { _ = r.Close() }()
	for i, want := range rows {
		cells := make([]reader.Row, 1)
		if n, err := r.ReadRows(cells); n != 1 {
			t.Fatalf("row %d: %v", i, err)
		}
		got := cells[0]
		x, missing := want[1].Number, math.IsNaN(want[1].Number)
		if got[0].Int64() != int64(want[0].Number) || got[1].IsNull() != missing ||
			!missing && math.Float64bits(got[1].Double()) != math.Float64bits(x) || string(got[2].ByteArray()) != want[2].Word {
			t.Fatalf("row %d is %v, want %v", i, got, want)
		}
	}
}

// Groups end where they should, also if the last is full, and the same table has the same bytes.
func TestGroups(t *testing.T) {
	for _, n := range []int{0, 1, GroupRows, GroupRows + 1} {
		rows := make([][]Cell, n)
		for i := range rows {
			x := float64(i) / 3
			if i%7 > 4 {
				x = math.NaN()
			}
			rows[i] = []Cell{{Number: float64(i)}, {Number: x}, {Word: fmt.Sprint(i % 10)}}
		}
		data, err := write(rows)
		if err != nil {
			t.Fatal(err)
		}
		again, err := write(rows)
		if err != nil || !bytes.Equal(data, again) {
			t.Errorf("%d rows: other bytes the second time, %v", n, err)
		}
		compare(t, data, rows)
	}
}

// full fails after so many bytes.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestFaults(t *testing.T) {
	for _, names := range [][2]string{{"", "b"}, {"a", "a"}} {
		columns := []Column{{names[0], Whole}, {names[1], Whole}}
		if _, err := NewWriter(new(bytes.Buffer), columns, "", nil); err == nil {
			t.Errorf("columns named %q are taken", names)
		}
	}
	for room := range full(120) {
		w, err := NewWriter(&room, []Column{{"n", Whole}}, "Toile", nil)
		if err == nil {
			err = errors.Join(w.Add([]Cell{{Number: 1}}), w.Close())
		}
		if err == nil {
			t.Error("a full disk is not told")
		}
	}
	w, err := NewWriter(new(bytes.Buffer), []Column{{"n", Whole}}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(nil); err == nil {
		t.Error("a row without cells is taken")
	}
}
