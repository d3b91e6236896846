package runfolder

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"
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

// WriteStatsParquet writes the complete rows of stats.csv as Parquet, compressed with zstd, and returns their number.
func (f *Folder) WriteStatsParquet(w io.Writer) (rows int, err error) {
	var (
		out   *parquet.GenericWriter[any]
		names []string
		units = map[string]string{}
		row   parquet.Row
	)
	// columns, and what the file says about the run
	begin := func(columns []string) error {
		for _, c := range columns {
			name, unit := ColumnName(c)
			names = append(names, name)
			units[name] = unit
		}
		text, err := json.Marshal(units)
		if err != nil {
			return err
		}
		schema, err := statsSchema(f.StatsPath(), names, units)
		if err != nil {
			return err
		}
		out = parquet.NewGenericWriter[any](
			w,
			schema,
			parquet.Compression(&parquet.Zstd),
			parquet.MaxRowsPerRowGroup(rowGroup),
			parquet.CreatedBy("Toile", f.Manifest.Build.Version, f.Manifest.Build.Revision),
			parquet.KeyValueMetadata("run", f.Manifest.Name),
			parquet.KeyValueMetadata("digest", f.Manifest.Digest),
			parquet.KeyValueMetadata("units", string(text)),
		)
		return nil
	}
	// a row: whole numbers where there is no unit, nulls where nothing is known
	add := func(_ []byte, cells []float64) error {
		row = row[:0]
		for c, x := range cells {
			switch {
			case units[names[c]] == "" && x == math.Trunc(x) && math.Abs(x) < 1<<53:
				row = append(row, parquet.Int64Value(int64(x)).Level(0, 0, c))
			case units[names[c]] == "":
				return fmt.Errorf("column %q: %v is not a whole number", names[c], x)
			case math.IsNaN(x):
				row = append(row, parquet.NullValue().Level(0, 0, c))
			default:
				row = append(row, parquet.DoubleValue(x).Level(0, 1, c))
			}
		}
		_, err := out.WriteRows([]parquet.Row{row})
		return err
	}
	// from the statistics, row by row
	if rows, err = f.scanChecked(begin, add); err != nil {
		return rows, err
	}
	return rows, out.Close()
}

// statsSchema returns the schema with the columns in their order, which a schema made of named nodes would sort.
func statsSchema(path string, names []string, units map[string]string) (*parquet.Schema, error) {
	var fields []reflect.StructField
	seen := map[string]bool{}
	for i, name := range names {
		if name == "" || seen[name] || strings.ContainsAny(name, "\",`\\") {
			return nil, fmt.Errorf("%s:1: column %d is named %q", path, i+1, name)
		}
		seen[name] = true
		kind := reflect.TypeFor[*float64]() // may be null
		if units[name] == "" {
			kind = reflect.TypeFor[int64]()
		}
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("C%d", i), Type: kind, Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", name)),
		})
	}
	return parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()), nil
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
