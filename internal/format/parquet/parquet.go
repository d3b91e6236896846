// Package parquet writes tables as Apache Parquet files, a group of rows at a time.
//
// Of the format it uses what three kinds of columns need: plain values, a page for each column and group, GZIP, and
// levels that say which values are missing. https://parquet.apache.org/docs/file-format/
package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
)

// Kind is what a column holds.
type Kind int

const (
	// Whole are whole numbers, all of which are there: int64.
	Whole Kind = iota
	// Number are numbers that may be missing, which NaN says: double or null.
	Number
	// Word is text: a string.
	Word
)

// Column is a column of a table.
type Column struct {
	Name string
	Kind Kind
}

// Cell is a value: a word in columns of words, a number in the others.
type Cell struct {
	Number float64
	Word   string
}

// Writer writes a table.
type Writer struct {
	out     io.Writer
	at      int64 // bytes written
	columns []Column
	by      string
	facts   map[string]string
	pages   []page // of the group at hand
	groups  []group
	rows    int64
	failed  error
}

// page collects the values of a column in a group.
type page struct {
	values []byte
	there  []bool // of a column with values that may be missing
}

// group is a written group of rows.
type group struct {
	rows   int64
	chunks []chunk
}

// chunk is a written column of a group.
type chunk struct{ at, raw, packed int64 }

// GroupRows is how many rows are collected before they are compressed and written.
const GroupRows = 1 << 16

const magic = "PAR1"

// NewWriter returns a writer of a table with the given columns. The file says by what program it was written, and has
// the facts as its metadata, in the order of their keys.
func NewWriter(out io.Writer, columns []Column, by string, facts map[string]string) (*Writer, error) {
	seen := map[string]bool{}
	for i, c := range columns {
		if c.Name == "" || seen[c.Name] {
			return nil, fmt.Errorf("column %d is named %q", i+1, c.Name)
		}
		seen[c.Name] = true
	}
	w := &Writer{out: out, columns: columns, by: by, facts: facts, pages: make([]page, len(columns))}
	w.write([]byte(magic))
	return w, w.failed
}

// write appends bytes to the file, unless it failed before.
func (w *Writer) write(p []byte) {
	if w.failed == nil {
		_, w.failed = w.out.Write(p)
		w.at += int64(len(p))
	}
}

// Add adds a row, with a cell for each column.
func (w *Writer) Add(row []Cell) error {
	if len(row) != len(w.columns) {
		return fmt.Errorf("a row has %d cells in a table of %d columns", len(row), len(w.columns))
	}
	for i, c := range w.columns {
		p := &w.pages[i]
		switch c.Kind {
		case Whole:
			p.values = binary.LittleEndian.AppendUint64(p.values, uint64(int64(row[i].Number)))
		case Number:
			there := !math.IsNaN(row[i].Number)
			p.there = append(p.there, there)
			if there {
				p.values = binary.LittleEndian.AppendUint64(p.values, math.Float64bits(row[i].Number))
			}
		case Word:
			p.values = binary.LittleEndian.AppendUint32(p.values, uint32(len(row[i].Word)))
			p.values = append(p.values, row[i].Word...)
		}
	}
	if w.rows++; w.rows%GroupRows == 0 {
		w.flush()
	}
	return w.failed
}

// flush writes the group at hand.
func (w *Writer) flush() {
	g := group{rows: w.rows}
	for i := range w.groups {
		g.rows -= w.groups[i].rows
	}
	if g.rows == 0 {
		return
	}
	for i := range w.pages {
		p := &w.pages[i]
		// levels, where values may be missing, then values
		var raw []byte
		if w.columns[i].Kind == Number {
			levels := levelsOf(p.there)
			raw = append(binary.LittleEndian.AppendUint32(raw, uint32(len(levels))), levels...)
		}
		raw = append(raw, p.values...)
		packed := pack(raw)
		// header of the page, and the page
		header := pageHeader(len(raw), len(packed), g.rows)
		g.chunks = append(g.chunks, chunk{w.at, int64(len(header) + len(raw)), int64(len(header) + len(packed))})
		w.write(header)
		w.write(packed)
		p.values, p.there = p.values[:0], p.there[:0]
	}
	w.groups = append(w.groups, g)
}

// pack compresses bytes.
func pack(raw []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(raw) // a buffer does not fail
	_ = z.Close()
	return out.Bytes()
}

// levelsOf says which values are there, in runs: twice their length, and 1 or 0.
func levelsOf(there []bool) (out []byte) {
	for i := 0; i < len(there); {
		end := i + 1
		for end < len(there) && there[end] == there[i] {
			end++
		}
		out = binary.AppendUvarint(out, uint64(end-i)<<1)
		if there[i] {
			out = append(out, 1)
		} else {
			out = append(out, 0)
		}
		i = end
	}
	return out
}

// Close writes what is left, and what the file says about itself at its end.
func (w *Writer) Close() error {
	w.flush()
	foot := w.footer()
	w.write(foot)
	w.write(binary.LittleEndian.AppendUint32(nil, uint32(len(foot))))
	w.write([]byte(magic))
	return w.failed
}

// keys returns the keys of the facts in order.
func (w *Writer) keys() []string { return slices.Sorted(maps.Keys(w.facts)) }
