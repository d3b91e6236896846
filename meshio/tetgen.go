package meshio

// Files of TetGen, after its manual [Si15]. A .node file has a line with the number of points, 3 for the dimension, the
// number of attributes and 1 if there are markers, and a line for each point: its number, from 0 or 1 on, three
// coordinates, attributes and marker. An .ele file has a line with the number of tets, 4 or 10 vertices in each, and
// the number of attributes, and a line for each tet: its number, vertices and attributes. Comments begin with #.

// tetgenHead reads the first line: the number of things, each with at least so many numbers, and what is said of them.
func (r *tetReader) tetgenHead(what string, least int) (n int, more [3]int64, err *Error) {
	if err := r.begin(); err != nil {
		return 0, more, err
	}
	if n, err = r.count(what, 0, least, 0); err != nil {
		return 0, more, err
	}
	for i := range more { // the last ones may be missing
		before := r.text
		if w := r.next(); w == nil || w[0] == '#' {
			r.text = before
			break
		}
		r.text = before
		if more[i], err = r.integer(0); err != nil {
			return 0, more, err
		}
		if more[i] < 0 || more[i] > int64(len(r.data)) {
			return 0, more, r.fail("%d numbers on each line are more than the file can hold", more[i])
		}
	}
	return n, more, r.end()
}

func (r *tetReader) readNode() *Error {
	n, more, err := r.tetgenHead("points", 4)
	if err != nil {
		return err
	}
	if more[0] != 3 {
		return r.fail("points of %d dimensions; only 3 are read", more[0])
	}
	for range n {
		if err := r.begin(); err != nil {
			return err
		}
		tag, err := r.integer(0)
		if err != nil {
			return err
		}
		x, err := r.point(0)
		if err != nil {
			return err
		}
		if err := r.node(tag, x); err != nil {
			return err
		}
		if err := r.skip(int(more[1]+more[2]), 0); err != nil { // attributes and marker
			return err
		}
		if err := r.end(); err != nil {
			return err
		}
	}
	return nil
}

func (r *tetReader) readEle() *Error {
	n, more, err := r.tetgenHead("tets", 5)
	if err != nil {
		return err
	}
	if more[0] != 4 && more[0] != 10 {
		return r.fail("tets of %d vertices; only those of 4 and 10 are read", more[0])
	}
	for range n {
		if err := r.begin(); err != nil {
			return err
		}
		if _, err := r.integer(0); err != nil {
			return err
		}
		if err := r.tet(int(more[0]), 0); err != nil {
			return err
		}
		if err := r.skip(int(more[1]), 0); err != nil {
			return err
		}
		if err := r.end(); err != nil {
			return err
		}
	}
	return nil
}
