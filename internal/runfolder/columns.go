package runfolder

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"strconv"

	"github.com/toile-sim/toile/internal/format/parquet"
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

// WriteParquet writes columns as Parquet, compressed, in the manner of WriteStatsParquet: int64 for whole numbers,
// double, null where there is none, and strings. The metadata of the file say under "units" in JSON which unit each
// column has, and what facts has. The same columns give the same bytes.
func WriteParquet(w io.Writer, columns []Column, facts map[string]string) error {
	rows, err := rowsOf(columns)
	if err != nil {
		return err
	}
	// columns and their units
	units, kinds := map[string]string{}, make([]parquet.Column, len(columns))
	for i, c := range columns {
		units[c.Name] = c.Unit
		kinds[i] = parquet.Column{Name: c.Name, Kind: kindOf(c.Whole)}
		if c.Words != nil {
			kinds[i].Kind = parquet.Word
		}
	}
	text, err := json.Marshal(units)
	if err != nil {
		return err
	}
	facts = maps.Clone(facts)
	if facts == nil {
		facts = map[string]string{}
	}
	facts["units"] = string(text)
	// rows
	out, err := parquet.NewWriter(w, kinds, "Toile", facts)
	if err != nil {
		return err
	}
	row := make([]parquet.Cell, len(columns))
	for k := range rows {
		for i, c := range columns {
			if c.Words != nil {
				row[i].Word = c.Words[k]
			} else {
				row[i].Number = c.Numbers[k]
			}
		}
		if err := out.Add(row); err != nil {
			return err
		}
	}
	return out.Close()
}
