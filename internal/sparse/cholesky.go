package sparse

import (
	"fmt"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Cholesky is a sparse factor A = L D Lᵀ with scalar pivots, for systems that are small or too stiff
// for conjugate gradients, and for counting negative eigenvalues. The zero value is ready. The
// analysis of a pattern is kept; factors of the same pattern do not allocate. See symbolic.go for
// the method.
type Cholesky struct {
	pattern *BSR
	sym     *symbolic
	panels  []float64
	d, inv  []float64 // scalar pivots by column, and their inverses
	floor   []float64
	shared  []float64 // updates that outlive their task
	crews   []crew    // one for each task
	top     crew
	y       []r3.Vec // right-hand side by column
	columns []r3.Mat // three of them
	outcome pivots
	failure PivotError

	a        *BSR
	fixed    []bool
	runTasks func(lo, hi int)
	solveTop func(lo, hi int)
	subTop   func(lo, hi int)
}

// crew is the private memory of one task.
type crew struct {
	stacks [2][]float64
	x      []float64
	front  front
}

// PivotError says that a matrix is not positive definite.
type PivotError struct {
	Node     int     // block row of the first pivot in elimination order that is not positive
	Axis     int     // 0, 1, 2: its component
	Pivot    float64 // its value
	Negative int     // number of negative pivots: of negative eigenvalues, if Zero is 0
	Zero     int     // number of pivots that are zero to rounding, or not finite
}

// Error describes the pivot.
func (e *PivotError) Error() string {
	return fmt.Sprintf(
		"sparse: matrix is not positive definite: pivot %g at block row %d, component %d (%d negative, %d zero)",
		e.Pivot,
		e.Node,
		e.Axis,
		e.Negative,
		e.Zero,
	)
}

// Factor factors a. If a is not positive definite over the free unknowns it returns a *PivotError,
// valid until the next Factor; the factor can then still be used to solve unless Zero is positive.
func (c *Cholesky) Factor(team *par.Team, a *BSR, fixed []bool) error {
	// a new pattern is analysed anew
	if fixed != nil && len(fixed) != a.N {
		panic(fmt.Sprintf("sparse: matrix of %d rows with a mask of %d", a.N, len(fixed)))
	}
	if !samePattern(c.pattern, a) {
		c.allocate(a)
	}
	team.Enter()
	defer team.Leave()
	// floors of pivots
	c.a, c.fixed = a, fixed
	for j, v := range c.sym.order {
		f := pivotFloor * scaleOf(&a.Val[a.Diag[v]])
		c.floor[3*j], c.floor[3*j+1], c.floor[3*j+2] = f, f, f
	}
	// subtrees side by side, then the top, one supernode after the other
	team.For(len(c.crews), 1, c.runTasks)
	c.top.front.pivots = pivots{bad: -1}
	for _, i := range c.sym.top {
		c.factorTop(team, i)
	}
	c.a, c.fixed = nil, nil
	// what pivots were like
	c.outcome = pivots{bad: -1}
	for i := range c.crews {
		c.outcome.add(&c.crews[i].front.pivots)
	}
	c.outcome.add(&c.top.front.pivots)
	if c.outcome.bad < 0 {
		return nil
	}
	// the first that failed
	c.failure = PivotError{
		Node: int(c.sym.order[c.outcome.bad/3]), Axis: c.outcome.bad % 3, Pivot: c.outcome.value,
		Negative: c.outcome.negative, Zero: c.outcome.zero,
	}
	return &c.failure
}

// Negative returns the number of negative pivots of the last factor, which is the number of negative
// eigenvalues of the matrix over the free unknowns (Sylvester's law of inertia).
func (c *Cholesky) Negative() int { return c.outcome.negative }

// Blocks returns the number of 3x3 blocks stored for L.
func (c *Cholesky) Blocks() int { return len(c.panels) / 9 }

func (c *Cholesky) allocate(a *BSR) {
	s := analyse(a)
	c.pattern, c.sym = a, s
	c.panels = make([]float64, s.panels)
	c.d, c.inv, c.floor = make([]float64, 3*a.N), make([]float64, 3*a.N), make([]float64, 3*a.N)
	c.shared = make([]float64, s.shared)
	c.crews = make([]crew, len(s.tasks))
	for i, t := range s.tasks {
		c.crews[i].stacks = [2][]float64{make([]float64, t.stacks[0]), make([]float64, t.stacks[1])}
		c.crews[i].x = make([]float64, t.scratch)
	}
	c.top = crew{x: make([]float64, s.topTmp)}
	c.y = make([]r3.Vec, a.N)
	c.runTasks, c.solveTop, c.subTop = c.factorTasks, c.solveTopRows, c.top.front.subtract
}

func (c *Cholesky) factorTasks(lo, hi int) {
	for i := lo; i < hi; i++ {
		w := &c.crews[i]
		w.front.pivots = pivots{bad: -1}
		for s := c.sym.tasks[i].first; s < c.sym.tasks[i].last; s++ {
			f := &w.front
			c.assemble(w, s)
			f.eliminate(3 * int(c.sym.supers[s].first))
			for r := f.k; r < f.m; r++ {
				f.solveRow(r, f.k)
			}
			f.subtract(0, f.m-f.k)
		}
	}
}

// Rows per chunk of the loops inside a front at the top of the tree.
const frontGrain = 8

func (c *Cholesky) factorTop(team *par.Team, s int32) {
	f := &c.top.front
	c.assemble(&c.top, s)
	f.eliminate(3 * int(c.sym.supers[s].first))
	team.For(f.m-f.k, frontGrain, c.solveTop)
	team.For(f.m-f.k, frontGrain, c.subTop)
}

func (c *Cholesky) solveTopRows(lo, hi int) {
	f := &c.top.front
	for r := lo; r < hi; r++ {
		f.solveRow(f.k+r, f.k)
	}
}

// updateOf returns the U of supernode i, which belongs to the task of w or lasts.
func (c *Cholesky) updateOf(w *crew, i int32) []float64 {
	s := &c.sym.supers[i]
	memory := c.shared
	if s.stack < 2 {
		memory = w.stacks[s.stack]
	}
	return memory[s.update:][:9*len(s.rows)*len(s.rows)]
}

// assemble makes the front of supernode i: its blocks of A and the updates of its children.
func (c *Cholesky) assemble(w *crew, i int32) {
	s := &c.sym.supers[i]
	f := &w.front
	f.k, f.m = s.k(), s.m()
	f.panel = c.panels[s.panel:][:9*f.m*f.k]
	f.x = w.x[:9*f.m*f.k]
	f.u = c.updateOf(w, i)
	a, b := 3*s.first, 3*s.last
	f.d, f.inv, f.floor = c.d[a:b], c.inv[a:b], c.floor[a:b]
	clear(f.panel)
	clear(f.u)
	end := len(c.sym.source)
	if int(i)+1 < len(c.sym.supers) {
		end = c.sym.supers[i+1].entries
	}
	width := 3 * f.k
	for e := s.entries; e < end; e++ {
		c.place(f.panel[c.sym.target[e]:], width, c.sym.source[e])
	}
	if c.fixed != nil {
		c.mask(s, f)
	}
	for _, child := range s.children {
		f.extendAdd(c.updateOf(w, child), c.sym.supers[child].inParent)
	}
}

// place writes the transpose of block p of A: row v of A is column v of L.
func (c *Cholesky) place(to []float64, width int, p int32) {
	m := &c.a.Val[p]
	r0, r1, r2 := to[:3], to[width:][:3], to[2*width:][:3]
	r0[0], r0[1], r0[2] = m.XX, m.YX, m.ZX
	r1[0], r1[1], r1[2] = m.XY, m.YY, m.ZY
	r2[0], r2[1], r2[2] = m.XZ, m.YZ, m.ZZ
}

// mask replaces the rows and columns of fixed unknowns in the panel by those of a unit matrix
// scaled to the diagonal.
func (c *Cholesky) mask(s *supernode, f *front) {
	// columns of fixed unknowns
	width := 3 * f.k
	for j := range f.k {
		v := c.sym.order[int(s.first)+j]
		if !c.fixed[v] {
			continue
		}
		for r := range 3 * f.m {
			clear(f.panel[r*width+3*j:][:3])
		}
	}
	// rows of fixed unknowns, with the diagonal
	for r := range f.m {
		column := int(s.first) + r
		if r >= f.k {
			column = int(s.rows[r-f.k])
		}
		if !c.fixed[c.sym.order[column]] {
			continue
		}
		clear(f.panel[3*r*width:][:3*width])
		if r < f.k {
			one := scaleOf(&c.a.Val[c.a.Diag[c.sym.order[column]]])
			for axis := range 3 {
				f.panel[(3*r+axis)*width+3*r+axis] = one
			}
		}
	}
}

// extendAdd adds the update of a child, whose rows have the given places in the front.
func (f *front) extendAdd(u []float64, places []int32) {
	n, width, below := 3*len(places), 3*f.k, 3*(f.m-f.k)
	head := 0 // rows of the child that are eliminated here
	for head < len(places) && int(places[head]) < f.k {
		head++
	}
	for i, pi := range places {
		for r := range 3 {
			from := u[(3*i+r)*n:][:3*(i+1)]
			to := f.panel[(3*int(pi)+r)*width:][:width]
			for j, pj := range places[:min(head, i+1)] {
				add3(to[3*pj:], from[3*j:])
			}
			if i < head {
				continue
			}
			to = f.u[(3*(int(pi)-f.k)+r)*below:][:below]
			for j := head; j <= i; j++ {
				add3(to[3*(int(places[j])-f.k):], from[3*j:])
			}
		}
	}
}

func add3(to, from []float64) {
	to, from = to[:3], from[:3]
	to[0] += from[0]
	to[1] += from[1]
	to[2] += from[2]
}

// Solve solves A x = rhs with the last factor. x may be rhs. Fixed unknowns, by the mask given, get
// zero; the mask must be that of the factor.
func (c *Cholesky) Solve(fixed []bool, rhs, x []r3.Vec) {
	y := c.y
	for j, v := range c.sym.order {
		y[j] = rhs[v]
		if fixed != nil && fixed[v] {
			y[j] = r3.Vec{}
		}
	}
	for i := range c.sym.supers {
		c.forward(&c.sym.supers[i])
	}
	for j := range y {
		y[j] = r3.V(y[j].X*c.inv[3*j], y[j].Y*c.inv[3*j+1], y[j].Z*c.inv[3*j+2])
	}
	for i := len(c.sym.supers) - 1; i >= 0; i-- {
		c.back(&c.sym.supers[i])
	}
	for j, v := range c.sym.order {
		x[v] = y[j]
	}
}

// row returns the column of the r-th row of the front of s.
func (s *supernode) row(r int) int32 {
	if k := s.k(); r >= k {
		return s.rows[r-k]
	}
	return s.first + int32(r)
}

// forward solves with the columns of s and subtracts them from the rows below.
func (c *Cholesky) forward(s *supernode) {
	k, width := s.k(), 3*s.k()
	own := c.y[s.first:s.last]
	for r := range s.m() {
		l := c.panels[s.panel+3*r*width:][:3*width]
		l0, l1, l2 := l[:width], l[width:][:width], l[2*width:][:width]
		y := c.y[s.row(r)]
		for j, v := range own[:min(r, k)] {
			a, b, d := l0[3*j:][:3], l1[3*j:][:3], l2[3*j:][:3]
			y.X -= a[0]*v.X + a[1]*v.Y + a[2]*v.Z
			y.Y -= b[0]*v.X + b[1]*v.Y + b[2]*v.Z
			y.Z -= d[0]*v.X + d[1]*v.Y + d[2]*v.Z
		}
		if r < k {
			y.Y -= l1[3*r] * y.X
			y.Z -= l2[3*r]*y.X + l2[3*r+1]*y.Y
		}
		c.y[s.row(r)] = y
	}
}

// back solves with the transpose of the columns of s.
func (c *Cholesky) back(s *supernode) {
	k, width := s.k(), 3*s.k()
	own := c.y[s.first:s.last]
	for r := s.m() - 1; r >= 0; r-- {
		l := c.panels[s.panel+3*r*width:][:3*width]
		l0, l1, l2 := l[:width], l[width:][:width], l[2*width:][:width]
		y := c.y[s.row(r)]
		if r < k {
			y.Y -= l2[3*r+1] * y.Z
			y.X -= l1[3*r]*y.Y + l2[3*r]*y.Z
			own[r] = y
		}
		for j := range own[:min(r, k)] {
			v := &own[j]
			a, b, d := l0[3*j:][:3], l1[3*j:][:3], l2[3*j:][:3]
			v.X -= a[0]*y.X + b[0]*y.Y + d[0]*y.Z
			v.Y -= a[1]*y.X + b[1]*y.Y + d[1]*y.Z
			v.Z -= a[2]*y.X + b[2]*y.Y + d[2]*y.Z
		}
	}
}
