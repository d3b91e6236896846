// Package tetgen reads solids from files of TetGen, after its manual [Si15]. A .node file has a line with the number of
// points, 3 for the dimension, the number of attributes and 1 if there are markers, and a line for each point: its
// number, from 0 or 1 on, three coordinates, attributes and marker. An .ele file has a line with the number of tets, 4
// or 10 vertices in each, and the number of attributes, and a line for each tet: its number, vertices and attributes.
// Comments begin with #.
package tetgen

import (
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/tets"
)

// reader is the state of reading files of TetGen.
type reader struct{ *tets.Reader }

// head reads the first line: the number of things, each with at least so many numbers, and what is said of them.
func (r reader) head(what string, least int) (n int, more [3]int64, err *model.Error) {
	if err := r.Begin(); err != nil {
		return 0, more, err
	}
	if n, err = r.Count(what, 0, least, 0); err != nil {
		return 0, more, err
	}
	for i := range more { // the last ones may be missing
		before := r.Text
		if w := r.Next(); w == nil || w[0] == '#' {
			r.Text = before
			break
		}
		r.Text = before
		if more[i], err = r.Integer(0); err != nil {
			return 0, more, err
		}
		if more[i] < 0 || more[i] > int64(len(r.Data)) {
			return 0, more, r.Fail("%d numbers on each line are more than the file can hold", more[i])
		}
	}
	return n, more, r.End()
}

// ReadNode reads a .node file.
func ReadNode(t *tets.Reader) *model.Error { return reader{t}.nodes() }

func (r reader) nodes() *model.Error {
	// how many there are, and what comes with each
	n, more, err := r.head("points", 4)
	if err != nil {
		return err
	}
	if more[0] != 3 {
		return r.Fail("points of %d dimensions; only 3 are read", more[0])
	}
	// number, coordinates, and what is skipped
	for range n {
		if err := r.Begin(); err != nil {
			return err
		}
		tag, err := r.Integer(0)
		if err != nil {
			return err
		}
		x, err := r.Point(0)
		if err != nil {
			return err
		}
		if err := r.Node(tag, x); err != nil {
			return err
		}
		if err := r.Skip(int(more[1]+more[2]), 0); err != nil { // attributes and marker
			return err
		}
		if err := r.End(); err != nil {
			return err
		}
	}
	return nil
}

// ReadEle reads an .ele file, after its .node file.
func ReadEle(t *tets.Reader) *model.Error { return reader{t}.elements() }

func (r reader) elements() *model.Error {
	n, more, err := r.head("tets", 5)
	if err != nil {
		return err
	}
	if more[0] != 4 && more[0] != 10 {
		return r.Fail("tets of %d vertices; only those of 4 and 10 are read", more[0])
	}
	for range n {
		if err := r.Begin(); err != nil {
			return err
		}
		if _, err := r.Integer(0); err != nil {
			return err
		}
		if err := r.Tet(int(more[0]), 0); err != nil {
			return err
		}
		if err := r.Skip(int(more[1]), 0); err != nil {
			return err
		}
		if err := r.End(); err != nil {
			return err
		}
	}
	return nil
}
