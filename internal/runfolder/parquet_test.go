package runfolder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	reader "github.com/parquet-go/parquet-go"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/format/parquet"
)

// statsFolder returns a folder with the statistics of some steps.
func statsFolder(t *testing.T, steps int) *Folder {
	t.Helper()
	f := &Folder{Dir: t.TempDir(), Manifest: Manifest{Name: "numbers", Digest: "abc"}}
	text := []byte(strings.Join(statsColumns, ",") + "\n")
	for i := range steps {
		s := engine.Stats{
			Step:      i + 1,
			Time:      float64(i) / 3,
			H:         1e-3,
			Contacts:  i % 3,
			WorstGap:  1e-5 * float64(i),
			Residual:  math.Exp(-float64(i)),
			Converged: i%2 == 0,
		}
		text = appendStats(text, i/4, &s)
	}
	if err := os.WriteFile(f.StatsPath(), text, 0o666); err != nil {
		t.Fatal(err)
	}
	return f
}

// What is read back from Parquet is the table of the .csv file, bit for bit, in several row groups.
func TestParquetIsTheTable(t *testing.T) {
	const steps = parquet.GroupRows + 1000
	f := statsFolder(t, steps)
	var out bytes.Buffer
	rows, err := f.WriteStatsParquet(&out)
	if err != nil || rows != steps {
		t.Fatalf("%d rows, %v", rows, err)
	}
	file, err := reader.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(file.RowGroups()); n != 2 {
		t.Errorf("%d row groups, want 2", n)
	}
	var units map[string]string
	text, _ := file.Lookup("units")
	if err := json.Unmarshal(
		[]byte(text),
		&units,
	); err != nil || units["residual"] != "m/s" || units["step"] != "" ||
		units["clock_solve"] != "s" {
		t.Errorf("units %v, %v", units, err)
	}
	if name, _ := file.Lookup("run"); name != "numbers" {
		t.Errorf("run %q", name)
	}
	want, err := f.Stats()
	if err != nil {
		t.Fatal(err)
	}
	r := reader.NewReader(file)
	defer func() { _ = r.Close() }()
	cells := make([]reader.Row, 1)
	for row := range steps {
		if n, _ := r.ReadRows(cells); n != 1 {
			t.Fatalf("row %d is missing", row)
		}
		for c, v := range cells[0] {
			x, column := want.Values[c][row], want.Columns[c]
			_, unit := ColumnName(column)
			switch {
			case math.IsNaN(x) != v.IsNull(),
				unit == "" && v.Int64() != int64(x),
				unit != "" && !v.IsNull() && v.Double() != x:
				t.Fatalf("row %d, %s: %v, want %v", row, column, v, x)
			}
		}
	}
	if v := want.Column("worst gap"); !math.IsNaN(v[0]) || math.IsNaN(v[1]) {
		t.Errorf("the gaps %v are not of both kinds", v[:2])
	}
}

func TestStatsCSVIsACopyOfWholeRows(t *testing.T) {
	f := statsFolder(t, 5)
	want, err := os.ReadFile(f.StatsPath())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.StatsPath(), append(want[:len(want):len(want)], "6,2,0.1"...), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if rows, err := f.WriteStatsCSV(&out); err != nil || rows != 5 || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%d rows, %v:\n%s", rows, err, out.Bytes())
	}
}

func TestStatsThatCannotBeExported(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "no header yet",
		"step,step\n1,2\n":                     `column 2 is named "step"`,
		"step,h [s]\n1\n":                      "stats.csv:2: 1 values in a table of 2 columns",
		"step,h [s]\n1,2\nx,2\n":               `stats.csv:3: column "step": "x" is not a number`,
		"step,n\n1,1.5\n":                      "1.5 is not a whole number",
		"step,h [s]\n2,2\n1,2\n":               "stats.csv:3: it has step 1 after step 2",
		"step\n" + strings.Repeat("1", 70_000): "longer than",
	} {
		f := &Folder{Dir: t.TempDir()}
		if err := os.WriteFile(filepath.Join(f.Dir, StatsName), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteStatsParquet(new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

func ExampleFolder_WriteStatsParquet() {
	dir, err := os.MkdirTemp("", "stats")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.WriteFile(
		filepath.Join(dir, StatsName),
		[]byte("step,residual [m/s]\n1,1e-9\n2,3e-9\n"),
		0o666,
	); err != nil {
		fmt.Println(err)
		return
	}
	run := Folder{Dir: dir}
	var file bytes.Buffer
	rows, err := run.WriteStatsParquet(&file)
	fmt.Println(rows, file.String()[:4], err)
	// Output: 2 PAR1 <nil>
}
