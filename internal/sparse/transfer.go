package sparse

import (
	"slices"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// transfer is the prolongation P from a coarse level, by rows and by columns, and the plan of the
// product Pᵀ A P: first T = A P by fine rows, then Pᵀ T by coarse rows, upper blocks only.
type transfer struct {
	start  []int32 // row i of P is start[i] to start[i+1]
	col    []int32
	weight []float64

	startT  []int32 // column J of P is startT[J] to startT[J+1]
	rowT    []int32
	weightT []float64

	begin []int32  // blocks of row i of T are begin[i] to begin[i+1]
	colT  []int32  // their columns
	t     []r3.Mat // T
	slot  []int32  // for each block of A, and each entry of P in the row of its column, the block of T
	slots []int32  // where row i of A begins in slot

	goal  []int32 // for each entry of P by columns, and each block of T in its row: the coarse block, -1 below the diagonal
	goals []int32 // where column J begins in goal

	a           *BSR
	fixed       []bool
	coarse      *BSR
	fine, short []r3.Vec
	defect      []r3.Vec
	product     func(lo, hi int)
	gather      func(lo, hi int)
	down        func(lo, hi int)
	up          func(lo, hi int)
}

// newTransfer chooses the coarse unknowns of a and returns the pattern of their matrix.
func newTransfer(a *BSR) (*transfer, *BSR) {
	t := &transfer{}
	aggregate, n := aggregates(a)
	t.smooth(a, aggregate)
	t.transpose(n)
	coarse := t.plan(a, n)
	t.product, t.gather, t.down, t.up = t.productRows, t.gatherRows, t.restrictRows, t.prolongRows
	return t, coarse
}

// aggregates groups the nodes: first every node none of whose neighbours is taken gathers its
// neighbours; what is left joins the group that most of its neighbours are in.
func aggregates(a *BSR) (aggregate []int32, n int) {
	// nobody is in a group
	aggregate = make([]int32, a.N)
	for i := range aggregate {
		aggregate[i] = -1
	}
	// nodes with free neighbours gather them
	row := func(i int) []int32 { return a.Col[a.Start[i]:a.Start[i+1]] }
	for i := range a.N {
		if !slices.ContainsFunc(row(i), func(j int32) bool { return aggregate[j] >= 0 }) {
			for _, j := range row(i) {
				aggregate[j] = int32(n)
			}
			n++
		}
	}
	// the rest votes, among groups of the first pass
	votes := make([]int32, n)
	joined := slices.Clone(aggregate)
	for i := range a.N {
		if aggregate[i] >= 0 {
			continue
		}
		for _, j := range row(i) {
			if g := aggregate[j]; g >= 0 {
				votes[g]++
				if joined[i] < 0 || votes[g] > votes[joined[i]] {
					joined[i] = g
				}
			}
		}
		// votes are cleared for the next node
		for _, j := range row(i) {
			if g := aggregate[j]; g >= 0 {
				votes[g] = 0
			}
		}
	}
	return joined, n
}

// smooth computes P from the aggregates.
func (t *transfer) smooth(a *BSR, aggregate []int32) {
	const omega = 0.9
	t.start = make([]int32, a.N+1)
	for i := range a.N {
		s := len(t.col)
		degree := float64(max(1, a.Start[i+1]-a.Start[i]-1))
		for p := a.Start[i]; p < a.Start[i+1]; p++ {
			w := omega / degree
			if int(a.Col[p]) == i {
				w = 1 - omega
				if a.Start[i+1]-a.Start[i] == 1 {
					w = 1
				}
			}
			g := aggregate[a.Col[p]]
			k := slices.Index(t.col[s:], g)
			if k < 0 {
				k = len(t.col) - s
				t.col, t.weight = append(t.col, g), append(t.weight, 0)
			}
			t.weight[s+k] += w
		}
		t.start[i+1] = int32(len(t.col))
	}
}

// transpose fills in the columns of P.
func (t *transfer) transpose(n int) {
	t.startT = make([]int32, n+1)
	for _, j := range t.col {
		t.startT[j+1]++
	}
	for j := range n {
		t.startT[j+1] += t.startT[j]
	}
	next := slices.Clone(t.startT)
	t.rowT, t.weightT = make([]int32, len(t.col)), make([]float64, len(t.col))
	for i := range len(t.start) - 1 {
		for p := t.start[i]; p < t.start[i+1]; p++ {
			at := &next[t.col[p]]
			t.rowT[*at], t.weightT[*at] = int32(i), t.weight[p]
			*at++
		}
	}
}

// plan lays out T and the coarse matrix.
func (t *transfer) plan(a *BSR, n int) *BSR {
	// blocks of T by rows, and where each product goes
	t.begin = make([]int32, a.N+1)
	t.slots = make([]int32, a.N+1)
	var columns []int32
	place := make([]int32, n)
	for i := range a.N {
		s := len(columns)
		for _, j := range a.Col[a.Start[i]:a.Start[i+1]] {
			for _, g := range t.col[t.start[j]:t.start[j+1]] {
				if p := int(place[g]); p < s || p >= len(columns) || columns[p] != g {
					place[g] = int32(len(columns))
					columns = append(columns, g)
				}
				t.slot = append(t.slot, place[g])
			}
		}
		t.begin[i+1] = int32(len(columns))
		t.slots[i+1] = int32(len(t.slot))
	}
	// room for T, and the pattern of the coarse matrix
	t.t, t.colT = make([]r3.Mat, len(columns)), slices.Clip(columns)
	coarse := t.coarsePattern(n)
	// where each block of T goes in the coarse rows; blocks below the diagonal are left out
	t.goals = make([]int32, n+1)
	for g := range int32(n) {
		for p := coarse.Start[g]; p < coarse.Start[g+1]; p++ {
			place[coarse.Col[p]] = p
		}
		for _, i := range t.rowT[t.startT[g]:t.startT[g+1]] {
			for _, c := range columns[t.begin[i]:t.begin[i+1]] {
				if c < g {
					t.goal = append(t.goal, -1)
					continue
				}
				t.goal = append(t.goal, place[c])
			}
		}
		t.goals[g+1] = int32(len(t.goal))
	}
	return coarse
}

// coarsePattern returns the zero matrix Pᵀ T.
func (t *transfer) coarsePattern(n int) *BSR {
	start, diag := make([]int32, n+1), make([]int32, n)
	var col []int32
	seen := make([]int32, n)
	for g := range int32(n) {
		s := len(col)
		for _, i := range t.rowT[t.startT[g]:t.startT[g+1]] {
			for _, c := range t.colT[t.begin[i]:t.begin[i+1]] {
				if seen[c] != g+1 {
					seen[c] = g + 1
					col = append(col, c)
				}
			}
		}
		row := col[s:]
		slices.Sort(row)
		k, _ := slices.BinarySearch(row, g)
		diag[g] = int32(s + k)
		start[g+1] = int32(len(col))
	}
	return newBSR(n, start, col, diag, transposes(start, col, diag))
}

// galerkin sets coarse to Pᵀ A P over the free unknowns.
func (t *transfer) galerkin(team *par.Team, a *BSR, fixed []bool, coarse *BSR) {
	t.a, t.fixed, t.coarse = a, fixed, coarse
	team.For(a.N, rowGrain, t.product)
	team.For(coarse.N, 16, t.gather)
	coarse.Mirror(team)
	t.a, t.fixed, t.coarse = nil, nil, nil
}

func (t *transfer) productRows(lo, hi int) {
	a := t.a
	for i := lo; i < hi; i++ {
		clear(t.t[t.begin[i]:t.begin[i+1]])
		if t.fixed != nil && t.fixed[i] {
			continue
		}
		at := t.slots[i]
		for p := a.Start[i]; p < a.Start[i+1]; p++ {
			j := a.Col[p]
			s, e := t.start[j], t.start[j+1]
			if t.fixed == nil || !t.fixed[j] {
				for k, w := range t.weight[s:e] {
					t.t[t.slot[at+int32(k)]].AddScaled(w, &a.Val[p])
				}
			}
			at += e - s
		}
	}
}

func (t *transfer) gatherRows(lo, hi int) {
	c := t.coarse
	for g := lo; g < hi; g++ {
		clear(c.Val[c.Diag[g]:c.Start[g+1]])
		at := t.goals[g]
		for p := t.startT[g]; p < t.startT[g+1]; p++ {
			i, w := t.rowT[p], t.weightT[p]
			for s := t.begin[i]; s < t.begin[i+1]; s++ {
				if goal := t.goal[at]; goal >= 0 {
					c.Val[goal].AddScaled(w, &t.t[s])
				}
				at++
			}
		}
	}
}

// restrict computes coarse = Pᵀ fine; fine must be zero at fixed unknowns.
func (t *transfer) restrict(team *par.Team, fine, coarse []r3.Vec) {
	t.fine, t.short = fine, coarse
	team.For(len(coarse), 64, t.down)
	t.fine, t.short = nil, nil
}

func (t *transfer) restrictRows(lo, hi int) {
	for g := lo; g < hi; g++ {
		var sum r3.Vec
		for p := t.startT[g]; p < t.startT[g+1]; p++ {
			sum = sum.AddScaled(t.weightT[p], t.fine[t.rowT[p]])
		}
		t.short[g] = sum
	}
}

// prolong adds P coarse to fine at the free unknowns, and subtracts A P coarse from defect.
func (t *transfer) prolong(team *par.Team, coarse []r3.Vec, fixed []bool, fine, defect []r3.Vec) {
	t.fine, t.short, t.fixed, t.defect = fine, coarse, fixed, defect
	team.For(len(fine), rowGrain, t.up)
	t.fine, t.short, t.fixed, t.defect = nil, nil, nil, nil
}

func (t *transfer) prolongRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		if t.fixed != nil && t.fixed[i] {
			continue
		}
		sum := t.fine[i]
		for p := t.start[i]; p < t.start[i+1]; p++ {
			sum = sum.AddScaled(t.weight[p], t.short[t.col[p]])
		}
		t.fine[i] = sum
		t.defect[i] = t.defect[i].Sub(t.rowOfT(i))
	}
}

// rowOfT returns row i of A P coarse.
func (t *transfer) rowOfT(i int) r3.Vec {
	s, e := t.begin[i], t.begin[i+1]
	cols := t.colT[s:e]
	vals := t.t[s:e]
	vals = vals[:len(cols)]
	var sx, sy, sz float64
	for k, c := range cols {
		m := &vals[k]
		v := &t.short[c]
		vx, vy, vz := v.X, v.Y, v.Z
		sx += m.XX*vx + m.XY*vy + m.XZ*vz
		sy += m.YX*vx + m.YY*vy + m.YZ*vz
		sz += m.ZX*vx + m.ZY*vy + m.ZZ*vz
	}
	return r3.Vec{X: sx, Y: sy, Z: sz}
}
