package runfolder

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/toile-sim/toile/internal/format/parquet"
)

// Statistics for other programs: as an Apache Parquet file, or as a copy of stats.csv. Both are written as they are
// read, a row group or a line at a time, so that memory does not grow with the number of steps.
//
// A column of Parquet has the name of that of stats.csv without its unit and with _ for blanks, as in the events of
// toile run --json. Columns without a unit are int64 and never null; the others are double, and null where the cell is
// empty. The metadata of the file say under "units" in JSON which unit each column has, and under "run" and
// "digest" of what run.json it is.

// WriteStatsCSV copies the complete rows of stats.csv and returns their number.
func (f *Folder) WriteStatsCSV(w io.Writer) (rows int, err error) {
	out := bufio.NewWriter(w)
	rows, err = f.scanChecked(
		func(columns []string) error {
			_, err := out.WriteString(strings.Join(columns, ",") + "\n")
			return err
		},
		func(line []byte, _ []float64) error {
			_, _ = out.Write(line) // an error stays with out
			return out.WriteByte('\n')
		})
	return rows, errors.Join(err, out.Flush())
}

// WriteStatsParquet writes the complete rows of stats.csv as Parquet, compressed, and returns their number.
func (f *Folder) WriteStatsParquet(w io.Writer) (rows int, err error) {
	var (
		out     *parquet.Writer
		columns []parquet.Column
		row     []parquet.Cell
	)
	// columns, and what the file says about the run
	begin := func(headers []string) error {
		units := map[string]string{}
		for i, header := range headers {
			name, unit := ColumnName(header)
			if _, twice := units[name]; name == "" || twice {
				return fmt.Errorf("%s:1: column %d is named %q", f.StatsPath(), i+1, name)
			}
			units[name] = unit
			columns = append(columns, parquet.Column{Name: name, Kind: kindOf(unit == "")})
		}
		text, err := json.Marshal(units)
		if err != nil {
			return err
		}
		build := f.Manifest.Build
		by := fmt.Sprintf("Toile version %s (build %s)", build.Version, build.Revision)
		facts := map[string]string{"run": f.Manifest.Name, "digest": f.Manifest.Digest, "units": string(text)}
		out, err = parquet.NewWriter(w, columns, by, facts)
		return err
	}
	// a row: whole numbers where there is no unit
	add := func(_ []byte, cells []float64) error {
		row = row[:0]
		for c, x := range cells {
			if columns[c].Kind == parquet.Whole && !(x == math.Trunc(x) && math.Abs(x) < 1<<53) {
				return fmt.Errorf("column %q: %v is not a whole number", columns[c].Name, x)
			}
			row = append(row, parquet.Cell{Number: x})
		}
		return out.Add(row)
	}
	// from the statistics, row by row
	if rows, err = f.scanChecked(begin, add); err != nil {
		return rows, err
	}
	return rows, out.Close()
}

// kindOf returns the kind of a column of numbers.
func kindOf(whole bool) parquet.Kind {
	if whole {
		return parquet.Whole
	}
	return parquet.Number
}

// scanChecked is scanStats of a file that is what the newest checkpoint says.
func (f *Folder) scanChecked(
	begin func(columns []string) error,
	row func(line []byte, cells []float64) error,
) (rows int, err error) {
	if _, err := f.checkStats(); err != nil {
		return 0, err
	}
	return f.scanStats(begin, row)
}
