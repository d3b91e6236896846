package sparse

import (
	"fmt"

	"github.com/toile-sim/toile/internal/lanes"
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
	y       []float64 // right-hand side by column
	below   []float64 // of it, what lies below a front
	columns []r3.Mat  // three of them
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
	xt, lt []float64
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
func (c *Cholesky) Blocks() int { return c.sym.panels / 9 }

func (c *Cholesky) allocate(a *BSR) {
	s := analyse(a)
	c.pattern, c.sym = a, s
	c.d, c.inv, c.floor = make([]float64, 3*a.N), make([]float64, 3*a.N), make([]float64, 3*a.N)
	c.shared = make([]float64, s.shared)
	c.crews = make([]crew, len(s.tasks))
	for i, t := range s.tasks {
		c.crews[i].stacks = [2][]float64{make([]float64, t.stacks[0]), make([]float64, t.stacks[1])}
		c.crews[i].xt, c.crews[i].lt = make([]float64, t.scratch), make([]float64, t.scratch)
	}
	c.top = crew{xt: make([]float64, s.topScratch), lt: make([]float64, s.topScratch)}
	c.y = make([]float64, 3*a.N)
	rows, wide := 0, 0
	for i := range s.supers {
		rows, wide = max(rows, len(s.supers[i].rows)), max(wide, s.supers[i].k())
	}
	c.panels = make([]float64, s.panels+3*3*wide) // forward looks at four rows where one is left
	c.below = make([]float64, 3*rows+3)
	c.runTasks, c.solveTop, c.subTop = c.factorTasks, c.top.front.solveBelow, c.top.front.subtract
}

func (c *Cholesky) factorTasks(lo, hi int) {
	for i := lo; i < hi; i++ {
		w := &c.crews[i]
		w.front.pivots = pivots{bad: -1}
		for s := c.sym.tasks[i].first; s < c.sym.tasks[i].last; s++ {
			f := &w.front
			c.assemble(w, s)
			f.eliminate(3 * int(c.sym.supers[s].first))
			f.solveBelow(0, f.m-f.k)
			f.subtract(0, f.m-f.k)
		}
	}
}

// Rows per chunk of the loops inside a front at the top of the tree.
const frontGrain = 2 * grouped

func (c *Cholesky) factorTop(team *par.Team, s int32) {
	f := &c.top.front
	c.assemble(&c.top, s)
	f.eliminate(3 * int(c.sym.supers[s].first))
	team.For(f.m-f.k, frontGrain, c.solveTop)
	team.For(f.m-f.k, frontGrain, c.subTop)
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
	f.ls, f.xt, f.lt = columnLength(f.m), w.xt, w.lt
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
	f.findRuns(places)
	for i, pi := range places {
		for r := range 3 {
			from, to := u[(3*i+r)*n:][:3*(i+1)], f.panel[(3*int(pi)+r)*width:][:width]
			for _, run := range f.runs {
				if run.first > i {
					break
				}
				// columns of the head are in the panel, the others in U
				place := run.place
				if place >= f.k {
					to, place = f.u[(3*(int(pi)-f.k)+r)*below:][:below], place-f.k
				}
				addRow(to[3*place:], from[3*run.first:3*min(run.end, i+1)])
			}
		}
	}
}

// run is columns of a child that are side by side in the front.
type run struct{ first, end, place int }

// findRuns finds them, apart in the head and below it.
func (f *front) findRuns(places []int32) {
	f.runs = f.runs[:0]
	for i, place := range places {
		if i > 0 && place == places[i-1]+1 && int(place) != f.k {
			f.runs[len(f.runs)-1].end++
			continue
		}
		f.runs = append(f.runs, run{i, i + 1, int(place)})
	}
}

// addRow adds from to the beginning of to. Calls of lanes do not pay for what is short.
func addRow(to, from []float64) {
	if len(from) > 9 {
		lanes.Add(to, from)
		return
	}
	to = to[:len(from)]
	for i, a := range from {
		to[i] += a
	}
}

// Solve solves A x = rhs with the last factor. x may be rhs. Fixed unknowns, by the mask given, get
// zero; the mask must be that of the factor.
func (c *Cholesky) Solve(fixed []bool, rhs, x []r3.Vec) {
	y := c.y
	for j, v := range c.sym.order {
		b := rhs[v]
		if fixed != nil && fixed[v] {
			b = r3.Vec{}
		}
		y[3*j], y[3*j+1], y[3*j+2] = b.X, b.Y, b.Z
	}
	for i := range c.sym.supers {
		c.forward(&c.sym.supers[i])
	}
	for j, inv := range c.inv {
		y[j] *= inv
	}
	for i := len(c.sym.supers) - 1; i >= 0; i-- {
		c.back(&c.sym.supers[i])
	}
	for j, v := range c.sym.order {
		x[v] = r3.V(y[3*j], y[3*j+1], y[3*j+2])
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
	own, l := c.y[3*s.first:3*s.last], c.panels[s.panel:]
	// rows of its own, one after the other
	var y [4]float64
	for r := range k {
		copy(y[:], own[3*r:][:3])
		lanes.Forward(&y, l[3*r*width:], width, own[:3*r])
		d := l[3*r*width+3*r:]
		y[1] -= float64(d[width] * y[0])
		y[2] -= float64(d[2*width]*y[0]) + float64(d[2*width+1]*y[1])
		copy(own[3*r:][:3], y[:])
	}
	// rows below, four numbers at a time; what lies beyond the last of them is not used
	for i, row := range s.rows {
		copy(c.below[3*i:][:3], c.y[3*row:][:3])
	}
	for r := 0; r < 3*len(s.rows); r += 4 {
		lanes.Forward((*[4]float64)(c.below[r:]), l[(width+r)*width:], width, own)
	}
	for i, row := range s.rows {
		copy(c.y[3*row:][:3], c.below[3*i:][:3])
	}
}

// back solves with the transpose of the columns of s.
func (c *Cholesky) back(s *supernode) {
	k, width := s.k(), 3*s.k()
	own := c.y[3*s.first : 3*s.last]
	for r := s.m() - 1; r >= 0; r-- {
		l := c.panels[s.panel+3*r*width:][:3*width]
		y := (*[3]float64)(c.y[3*s.row(r):])
		if r < k {
			y[1] -= float64(l[2*width+3*r+1] * y[2])
			y[0] -= float64(l[width+3*r]*y[1]) + float64(l[2*width+3*r]*y[2])
		}
		lanes.Back(own[:3*min(r, k)], l, width, y)
	}
}
