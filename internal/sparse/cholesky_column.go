package sparse

import (
	"slices"
	"sort"

	"github.com/toile-sim/toile/r3"
)

// Columns of the inverse. The elimination tree of a matrix whose pattern falls into connected parts is a forest with a
// tree for each, and postorder makes a tree a run of columns. Column i of A⁻¹ is zero outside of its part; the forward
// solve for it visits the ancestors of i alone.

// Part is a connected part of a pattern.
type Part struct {
	Blocks []int32 // in the order of elimination; they belong to the factor

	start       int // the column of the first block
	first, last int // supernodes
}

// Parts returns the connected parts of the pattern last factored. They belong to the factor.
func (c *Cholesky) Parts() []Part { return c.sym.parts }

// findParts lists the trees of the forest.
func (s *symbolic) findParts() {
	start, first := 0, 0
	for i := range s.supers {
		if last := &s.supers[i]; last.parent < 0 {
			s.parts = append(s.parts, Part{s.order[start:last.last], start, first, i})
			start, first = int(last.last), i+1
		}
	}
}

// Column writes the three columns of A⁻¹ that are those of the k-th block of a part, which must not be fixed: a matrix
// for each block of the part.
func (c *Cholesky) Column(p *Part, k int, x []r3.Mat) {
	supers := c.sym.supers
	clear(x)
	x[k].AddDiagonal(1)
	for i := p.superOf(supers, k); i >= 0; i = supers[i].parent {
		c.forwardColumns(&supers[i], p.start, x)
	}
	c.scaleColumns(p.start, x)
	for i := p.last; i >= p.first; i-- {
		c.backColumns(&supers[i], p.start, x)
	}
}

// SolveColumns solves A X = X for three right-hand sides at once, the columns of a matrix for each block. Fixed
// unknowns, by the mask of the factor, get zero.
func (c *Cholesky) SolveColumns(fixed []bool, x []r3.Mat) {
	y := c.columns
	if len(y) != len(x) {
		y = make([]r3.Mat, len(x))
		c.columns = y
	}
	for j, v := range c.sym.order {
		y[j] = x[v]
		if fixed != nil && fixed[v] {
			y[j] = r3.Mat{}
		}
	}
	supers := c.sym.supers
	for i := range supers {
		if s := &supers[i]; slices.ContainsFunc(y[s.first:s.last], func(m r3.Mat) bool { return m != (r3.Mat{}) }) {
			c.forwardColumns(s, 0, y)
		}
	}
	c.scaleColumns(0, y)
	for i := len(supers) - 1; i >= 0; i-- {
		c.backColumns(&supers[i], 0, y)
	}
	for j, v := range c.sym.order {
		x[v] = y[j]
	}
}

// scaleColumns divides the rows of three columns, from the one of block start, by the diagonal.
func (c *Cholesky) scaleColumns(start int, x []r3.Mat) {
	for j := range x {
		inv := c.inv[3*(start+j):][:3]
		m := &x[j]
		m.XX, m.XY, m.XZ = m.XX*inv[0], m.XY*inv[0], m.XZ*inv[0]
		m.YX, m.YY, m.YZ = m.YX*inv[1], m.YY*inv[1], m.YZ*inv[1]
		m.ZX, m.ZY, m.ZZ = m.ZX*inv[2], m.ZY*inv[2], m.ZZ*inv[2]
	}
}

// superOf returns the supernode of the k-th block.
func (p *Part) superOf(supers []supernode, k int) int32 {
	own := supers[p.first : p.last+1]
	at := sort.Search(len(own), func(i int) bool { return int(own[i].last) > p.start+k })
	return int32(p.first + at)
}

// forwardColumns is forward for three right-hand sides.
func (c *Cholesky) forwardColumns(s *supernode, start int, x []r3.Mat) {
	k, width := s.k(), 3*s.k()
	own := x[int(s.first)-start:][:k]
	for r := range s.m() {
		l := c.panels[s.panel+3*r*width:][:3*width]
		l0, l1, l2 := l[:width], l[width:][:width], l[2*width:][:width]
		y := &x[int(s.row(r))-start]
		for j := range own[:min(r, k)] {
			v := &own[j]
			takeRow(&y.XX, &y.XY, &y.XZ, l0[3*j], l0[3*j+1], l0[3*j+2], v)
			takeRow(&y.YX, &y.YY, &y.YZ, l1[3*j], l1[3*j+1], l1[3*j+2], v)
			takeRow(&y.ZX, &y.ZY, &y.ZZ, l2[3*j], l2[3*j+1], l2[3*j+2], v)
		}
		if r < k {
			takeRow(&y.YX, &y.YY, &y.YZ, l1[3*r], 0, 0, y)
			takeRow(&y.ZX, &y.ZY, &y.ZZ, l2[3*r], l2[3*r+1], 0, y)
		}
	}
}

// takeRow subtracts (a, b, d) v from a row of a matrix.
func takeRow(x, y, z *float64, a, b, d float64, v *r3.Mat) {
	*x -= a*v.XX + b*v.YX + d*v.ZX
	*y -= a*v.XY + b*v.YY + d*v.ZY
	*z -= a*v.XZ + b*v.YZ + d*v.ZZ
}

// backColumns is back for three right-hand sides.
func (c *Cholesky) backColumns(s *supernode, start int, x []r3.Mat) {
	k, width := s.k(), 3*s.k()
	own := x[int(s.first)-start:][:k]
	for r := s.m() - 1; r >= 0; r-- {
		l := c.panels[s.panel+3*r*width:][:3*width]
		l0, l1, l2 := l[:width], l[width:][:width], l[2*width:][:width]
		y := &x[int(s.row(r))-start]
		if r < k {
			takeRow(&y.YX, &y.YY, &y.YZ, 0, 0, l2[3*r+1], y)
			takeRow(&y.XX, &y.XY, &y.XZ, 0, l1[3*r], l2[3*r], y)
		}
		for j := range own[:min(r, k)] {
			v := &own[j]
			takeRow(&v.XX, &v.XY, &v.XZ, l0[3*j], l1[3*j], l2[3*j], y)
			takeRow(&v.YX, &v.YY, &v.YZ, l0[3*j+1], l1[3*j+1], l2[3*j+1], y)
			takeRow(&v.ZX, &v.ZY, &v.ZZ, l0[3*j+2], l1[3*j+2], l2[3*j+2], y)
		}
	}
}
