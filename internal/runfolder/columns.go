package runfolder

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Column is a column of a table that is about runs: of words, or of numbers.
type Column struct {
	Name    string    // letters, digits, - and _
	Unit    string    // of numbers; may be empty
	Whole   bool      // numbers are whole, and all are there
	Numbers []float64 // NaN where there is none
	Words   []string  // instead of Numbers
}

// cell writes a number or a word as in a CSV file.
func (c *Column) cell(row int) string {
	switch {
	case c.Words != nil:
		return c.Words[row]
	case math.IsNaN(c.Numbers[row]):
		return ""
	case c.Whole:
		return strconv.FormatInt(int64(c.Numbers[row]), 10)
	}
	return strconv.FormatFloat(c.Numbers[row], 'g', -1, 64)
}

func (c *Column) len() int { return max(len(c.Words), len(c.Numbers)) }

// rowsOf returns the number of rows of a table.
func rowsOf(columns []Column) (int, error) {
	rows := 0
	for i := range columns {
		if n := columns[i].len(); i > 0 && n != rows {
			return 0, fmt.Errorf("column %q has %d rows and the first %d", columns[i].Name, n, rows)
		}
		rows = columns[i].len()
	}
	return rows, nil
}

// WriteCSV writes columns as CSV, headed by names and units, with numbers as short as they can be without losing a bit.
func WriteCSV(w io.Writer, columns []Column) error {
	rows, err := rowsOf(columns)
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	record := make([]string, len(columns))
	for i, c := range columns {
		record[i] = c.Name
		if c.Unit != "" {
			record[i] += " [" + c.Unit + "]"
		}
	}
	err = out.Write(record)
	for row := 0; row < rows && err == nil; row++ {
		for i := range columns {
			record[i] = columns[i].cell(row)
		}
		err = out.Write(record)
	}
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}

// WriteParquet writes columns as Parquet, compressed with zstd, in the manner of WriteStatsParquet: int64 for whole
// numbers, double, null where there is none, and strings. The metadata of the file say under "units" in JSON which unit
// each column has, and what facts has. The same columns give the same bytes.
func WriteParquet(w io.Writer, columns []Column, facts map[string]string) error {
	rows, err := rowsOf(columns)
	if err != nil {
		return err
	}
	schema, units, err := columnsSchema(columns)
	if err != nil {
		return err
	}
	options := []parquet.WriterOption{
		schema, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(rowGroup), parquet.CreatedBy("Toile", "", ""),
		parquet.KeyValueMetadata("units", units),
	}
	for key, text := range facts { // the writer sorts them
		options = append(options, parquet.KeyValueMetadata(key, text))
	}
	out := parquet.NewGenericWriter[any](w, options...)
	var record parquet.Row
	for row := range rows {
		record = record[:0]
		for c := range columns {
			record = append(record, columns[c].parquet(row).Level(0, columns[c].level(row), c))
		}
		if _, err := out.WriteRows([]parquet.Row{record}); err != nil {
			return err
		}
	}
	return out.Close()
}

// parquet returns a cell.
func (c *Column) parquet(row int) parquet.Value {
	switch {
	case c.Words != nil:
		return parquet.ByteArrayValue([]byte(c.Words[row]))
	case c.Whole:
		return parquet.Int64Value(int64(c.Numbers[row]))
	case math.IsNaN(c.Numbers[row]):
		return parquet.NullValue()
	}
	return parquet.DoubleValue(c.Numbers[row])
}

// level is 1 for a cell that could be null and is not.
func (c *Column) level(row int) int {
	if c.Words != nil || c.Whole || math.IsNaN(c.Numbers[row]) {
		return 0
	}
	return 1
}

// columnsSchema returns the schema of columns in their order, and their units in JSON.
func columnsSchema(columns []Column) (*parquet.Schema, string, error) {
	var fields []reflect.StructField
	units, seen := map[string]string{}, map[string]bool{}
	for i := range columns {
		c := &columns[i]
		if c.Name == "" || seen[c.Name] || strings.ContainsAny(c.Name, "\",`\\") {
			return nil, "", fmt.Errorf("column %d is named %q", i+1, c.Name)
		}
		seen[c.Name], units[c.Name] = true, c.Unit
		kind := reflect.TypeFor[*float64]() // may be null
		switch {
		case c.Words != nil:
			kind = reflect.TypeFor[string]()
		case c.Whole:
			kind = reflect.TypeFor[int64]()
		}
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("C%d", i), Type: kind, Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", c.Name)),
		})
	}
	text, err := json.Marshal(units)
	return parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()), string(text), err
}

// rowGroup is how many rows are collected before they are compressed and written.
const rowGroup = 1 << 16
