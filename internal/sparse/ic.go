// Incomplete Cholesky factor [MeijerinkVanDerVorst77], in blocks:
//
//	A ≈ L D Lᵀ,  L unit lower triangular with the pattern of A's lower triangle, D block diagonal
//	X_ij = A_ij - Σ_k X_ik L_jkᵀ,  L_ij = X_ij D_j⁻¹,  D_i = A_ii - Σ_j X_ij L_ijᵀ    (k < j < i)
//
// L is stored by rows in an order of its own: domains that are not coupled with each other, which
// are factored and solved at the same time, then the separators between them (dissect.go).
//
// Fill. With Fill, L has a block (i, j) besides where A has (i, k) and (k, j) for some k < j < i, which is level 1 of
// [Saad03] 10.3.3. A matrix without its small blocks (thin.go) needs that: on the drape of a ball it takes 53
// iterations of GMRES instead of 84.
//
// Breakdown: if some D_i is not positive definite, the factor is taken of A + s diag(A) instead, with s = 0.0005,
// 0.002, 0.008, ..., as in [Manteuffel80]; tr(A_ii)/3 stands for the diagonal. Every Update begins at the same shift,
// so that a factor does not depend on what was factored before. For a matrix that no shift up to 16 helps, the factor
// is the diagonal alone.
//
// Invariants: rows of fixed unknowns and their columns are zero in L, and zero in D⁻¹, so that Apply
// leaves them at zero without looking at the mask.

package sparse

import (
	"sync/atomic"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

const (
	serialRows  = 2000 // matrices below this number of rows are not cut into domains
	domainDepth = 3    // 2^3 domains: enough for 8 workers; each cut costs some convergence
	firstShift  = 5e-4
	shiftGrowth = 4
	lastShift   = 16
)

// IC preconditions with an incomplete Cholesky factor. The zero value is ready, and has the pattern of the matrix.
type IC struct {
	// Fill adds to the pattern of L the blocks that products of two blocks of A make.
	Fill bool
	// FirstShift is the shift that every Update begins with.
	FirstShift float64

	pattern *BSR
	domains
	origin *BSR     // whose domains these are,
	whole  domains  // before those that extra pairs join were cut
	begin  []int32  // blocks of row i of L are begin[i] to begin[i+1]
	col    []int32  // in the order of the domains
	source []int32  // position in A of a block of L; -1: it is fill
	match  []int32  // pairs of block p of L are match[p] to match[p+1]
	pairs  []pair   // the blocks (i, k) and (j, k) of L, for block (i, j) and each k that has both
	val    []r3.Mat // L
	inv    []r3.Mat // D⁻¹
	y, c   []r3.Vec // work: forward solution; Lᵀz so far
	shift  float64

	a       *BSR
	fixed   []bool
	r, z    []r3.Vec
	failed  atomic.Bool
	factor  func(lo, hi int)
	forward func(lo, hi int)
	back    func(lo, hi int)
}

// pair is two blocks of L in the same column.
type pair struct{ i, j int32 }

// Shift returns the shift of the last Update, relative to the diagonal.
func (f *IC) Shift() float64 { return f.shift }

// Blocks returns the number of blocks of L of the last Update, without the diagonal.
func (f *IC) Blocks() int { return len(f.col) }

// Products returns the number of products of two blocks of L that the last Update took.
func (f *IC) Products() int { return len(f.pairs) }

// Update factors a.
func (f *IC) Update(team *par.Team, a *BSR, fixed []bool) {
	if !samePattern(f.pattern, a) {
		f.analyse(a)
	}
	f.a, f.fixed = a, fixed
	f.shift = f.FirstShift
	if !f.tryFactor(team) {
		f.shiftUntilPositive(team)
	}
	f.a, f.fixed = nil, nil
}

func (f *IC) shiftUntilPositive(team *par.Team) {
	for {
		f.shift = max(firstShift, shiftGrowth*f.shift)
		if f.shift > lastShift {
			f.onlyDiagonal()
			return
		}
		if f.tryFactor(team) {
			return
		}
	}
}

func (f *IC) analyse(a *BSR) {
	depth := domainDepth
	if a.N < serialRows {
		depth = 0
	}
	if a.origin == nil {
		f.analyseIn(a, newDomains(a, depth))
		return
	}
	if !samePattern(f.origin, a.origin) {
		f.origin, f.whole = a.origin, newDomains(a.origin, depth)
	}
	f.analyseIn(a, f.whole.cut(a.extra))
}

func (f *IC) analyseIn(a *BSR, d domains) {
	f.pattern, f.domains = a, d
	n := a.N
	var mark []int32 // by column: the last row, plus one, that has it
	if f.Fill {
		mark = make([]int32, n)
	}
	place := make([]int32, n)
	for k, v := range f.order {
		place[v] = int32(k)
	}
	lower := (len(a.Col) - n) / 2
	f.begin = make([]int32, n+1)
	f.col = make([]int32, 0, lower)
	f.source = make([]int32, 0, lower)
	for k, v := range f.order {
		at := len(f.col)
		for p := a.Start[v]; p < a.Start[v+1]; p++ {
			if j := place[a.Col[p]]; int(j) < k {
				f.col = append(f.col, j)
				f.source = append(f.source, p)
			}
		}
		if f.Fill {
			f.fill(a, place, mark, int32(k), at)
		}
		sortTogether(f.col[at:], f.source[at:])
		f.begin[k+1] = int32(len(f.col))
	}
	f.matchPairs()
	f.val = make([]r3.Mat, len(f.col))
	f.inv = make([]r3.Mat, n)
	f.y = make([]r3.Vec, n)
	f.c = make([]r3.Vec, n)
	f.factor, f.forward, f.back = f.factorDomains, f.forwardDomains, f.backDomains
}

// fill adds the blocks of row k, from position at on, that a product of two blocks of A makes.
func (f *IC) fill(a *BSR, place, mark []int32, k int32, at int) {
	mark[k] = k + 1
	own := f.col[at:]
	for _, j := range own {
		mark[j] = k + 1
	}
	for _, m := range own {
		v := f.order[m]
		for _, w := range a.Col[a.Start[v]:a.Start[v+1]] {
			if j := place[w]; m < j && j < k && mark[j] != k+1 {
				mark[j] = k + 1
				f.col, f.source = append(f.col, j), append(f.source, -1)
			}
		}
	}
}

// matchPairs lists the products that each block of L needs.
func (f *IC) matchPairs() {
	f.match, f.pairs = make([]int32, 1, len(f.col)+1), make([]pair, 0, 3*len(f.col)) // sheets have 2 to 3 a block
	for i := range len(f.begin) - 1 {
		s := f.begin[i]
		for p := s; p < f.begin[i+1]; p++ {
			// Both rows ascend, so one pass meets all k in both.
			q, end := f.begin[f.col[p]], f.begin[f.col[p]+1]
			for o := s; o < p && q < end; {
				switch ko, kq := f.col[o], f.col[q]; {
				case ko < kq:
					o++
				case ko > kq:
					q++
				default:
					f.pairs = append(f.pairs, pair{o, q})
					o++
					q++
				}
			}
			f.match = append(f.match, int32(len(f.pairs)))
		}
	}
}

// sortTogether sorts the short slice key by insertion and moves other along.
func sortTogether(key, other []int32) {
	for i := 1; i < len(key); i++ {
		k, o := key[i], other[i]
		j := i
		for ; j > 0 && key[j-1] > k; j-- {
			key[j], other[j] = key[j-1], other[j-1]
		}
		key[j], other[j] = k, o
	}
}

// separators returns where the rows that follow the domains begin.
func (d *domains) separators() int { return int(d.start[len(d.start)-1]) }

func (f *IC) tryFactor(team *par.Team) bool {
	f.failed.Store(false)
	team.For(len(f.start)-1, 1, f.factor)
	if !f.failed.Load() && !f.factorRows(f.separators(), f.pattern.N) {
		f.failed.Store(true)
	}
	return !f.failed.Load()
}

func (f *IC) factorDomains(lo, hi int) {
	for d := lo; d < hi; d++ {
		if !f.factorRows(int(f.start[d]), int(f.start[d+1])) {
			f.failed.Store(true)
		}
	}
}

func (f *IC) factorRows(lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if !f.factorRow(int32(i)) {
			return false
		}
	}
	return true
}

func (f *IC) factorRow(i int32) bool {
	// fixed unknowns have no row
	s, e := f.begin[i], f.begin[i+1]
	v := f.order[i]
	if f.fixed != nil && f.fixed[v] {
		clear(f.val[s:e])
		f.inv[i] = r3.Mat{}
		return true
	}
	// the diagonal block, shifted
	d := f.a.Val[f.a.Diag[v]]
	d.AddDiagonal(f.shift * scaleOf(&d))
	// blocks left of it, less the products of those before
	for p := s; p < e; p++ {
		j := f.col[p]
		x := &f.val[p]
		if f.fixed != nil && f.fixed[f.order[j]] {
			*x = r3.Mat{}
			continue
		}
		*x = r3.Mat{}
		if at := f.source[p]; at >= 0 {
			*x = f.a.Val[at]
		}
		f.subtractPairs(x, f.pairs[f.match[p]:f.match[p+1]])
	}
	// scaled by the pivots of their columns, and taken off the diagonal
	for p := s; p < e; p++ {
		scaleAndSubtract(&f.val[p], &f.inv[f.col[p]], &d)
	}
	// the pivot
	inv, ok := inverseSPD(&d)
	f.inv[i] = inv
	return ok
}

func (f *IC) onlyDiagonal() {
	clear(f.val)
	for i, v := range f.order {
		if f.fixed != nil && f.fixed[v] {
			f.inv[i] = r3.Mat{}
			continue
		}
		d := &f.a.Val[f.a.Diag[v]]
		f.inv[i] = r3.Diagonal(1 / scaleOf(d))
	}
}

// Apply computes z = (L D Lᵀ)⁻¹ r.
func (f *IC) Apply(team *par.Team, r, z []r3.Vec) {
	f.r, f.z = r, z
	n, sep := f.pattern.N, f.separators()
	team.For(len(f.start)-1, 1, f.forward)
	f.forwardRows(sep, n)
	f.backRows(sep, n)
	team.For(len(f.start)-1, 1, f.back)
	f.r, f.z = nil, nil
}

func (f *IC) forwardDomains(lo, hi int) {
	for d := lo; d < hi; d++ {
		f.forwardRows(int(f.start[d]), int(f.start[d+1]))
	}
}

func (f *IC) backDomains(lo, hi int) {
	for d := hi - 1; d >= lo; d-- {
		f.backRows(int(f.start[d]), int(f.start[d+1]))
	}
}

// forwardRows solves L y = r.
func (f *IC) forwardRows(lo, hi int) {
	y := f.y
	for i := lo; i < hi; i++ {
		s, e := f.begin[i], f.begin[i+1]
		cols := f.col[s:e]
		vals := f.val[s:e]
		vals = vals[:len(cols)]
		var sx, sy, sz float64
		for k, c := range cols {
			m := &vals[k]
			v := &y[c]
			vx, vy, vz := v.X, v.Y, v.Z
			sx += m.XX*vx + m.XY*vy + m.XZ*vz
			sy += m.YX*vx + m.YY*vy + m.YZ*vz
			sz += m.ZX*vx + m.ZY*vy + m.ZZ*vz
		}
		r := &f.r[f.order[i]]
		y[i] = r3.Vec{X: r.X - sx, Y: r.Y - sy, Z: r.Z - sz}
		f.c[i] = r3.Vec{}
	}
}

// backRows solves Lᵀ z = D⁻¹ y. A row is finished when all later rows have added their part of
// Lᵀ z to c; rows of a domain add to c of the same domain only.
func (f *IC) backRows(lo, hi int) {
	c := f.c
	for i := hi - 1; i >= lo; i-- {
		z := f.inv[i].MulVec(f.y[i])
		zx, zy, zz := z.X-c[i].X, z.Y-c[i].Y, z.Z-c[i].Z
		s, e := f.begin[i], f.begin[i+1]
		cols := f.col[s:e]
		vals := f.val[s:e]
		vals = vals[:len(cols)]
		for k, j := range cols {
			m := &vals[k]
			t := &c[j]
			t.X += m.XX*zx + m.YX*zy + m.ZX*zz
			t.Y += m.XY*zx + m.YY*zy + m.ZY*zz
			t.Z += m.XZ*zx + m.YZ*zy + m.ZZ*zz
		}
		f.z[f.order[i]] = r3.Vec{X: zx, Y: zy, Z: zz}
	}
}

// subtractPairs subtracts from x the products X_ik L_jkᵀ of the pairs. The nine sums stay in registers.
func (f *IC) subtractPairs(x *r3.Mat, pairs []pair) {
	// sums in registers
	xx, xy, xz := x.XX, x.XY, x.XZ
	yx, yy, yz := x.YX, x.YY, x.YZ
	zx, zy, zz := x.ZX, x.ZY, x.ZZ
	for _, k := range pairs {
		a, b := &f.val[k.i], &f.val[k.j]
		// outer products of the first columns
		b0, b1, b2 := b.XX, b.YX, b.ZX
		c := a.XX
		xx -= c * b0
		xy -= c * b1
		xz -= c * b2
		c = a.YX
		yx -= c * b0
		yy -= c * b1
		yz -= c * b2
		c = a.ZX
		zx -= c * b0
		zy -= c * b1
		zz -= c * b2
		// of the second
		b0, b1, b2 = b.XY, b.YY, b.ZY
		c = a.XY
		xx -= c * b0
		xy -= c * b1
		xz -= c * b2
		c = a.YY
		yx -= c * b0
		yy -= c * b1
		yz -= c * b2
		c = a.ZY
		zx -= c * b0
		zy -= c * b1
		zz -= c * b2
		// of the third
		b0, b1, b2 = b.XZ, b.YZ, b.ZZ
		c = a.XZ
		xx -= c * b0
		xy -= c * b1
		xz -= c * b2
		c = a.YZ
		yx -= c * b0
		yy -= c * b1
		yz -= c * b2
		c = a.ZZ
		zx -= c * b0
		zy -= c * b1
		zz -= c * b2
	}
	*x = r3.Mat{XX: xx, XY: xy, XZ: xz, YX: yx, YY: yy, YZ: yz, ZX: zx, ZY: zy, ZZ: zz}
}

// scaleAndSubtract sets x to l = x inv, and subtracts the lower triangle of x lᵀ from d. inv is symmetric.
func scaleAndSubtract(x, inv, d *r3.Mat) {
	a, b, c := x.XX, x.XY, x.XZ
	x0 := a*inv.XX + b*inv.XY + c*inv.XZ
	x1 := a*inv.XY + b*inv.YY + c*inv.YZ
	x2 := a*inv.XZ + b*inv.YZ + c*inv.ZZ
	x.XX, x.XY, x.XZ = x0, x1, x2
	d.XX -= a*x0 + b*x1 + c*x2
	a, b, c = x.YX, x.YY, x.YZ
	y0 := a*inv.XX + b*inv.XY + c*inv.XZ
	y1 := a*inv.XY + b*inv.YY + c*inv.YZ
	y2 := a*inv.XZ + b*inv.YZ + c*inv.ZZ
	x.YX, x.YY, x.YZ = y0, y1, y2
	d.YX -= a*x0 + b*x1 + c*x2
	d.YY -= a*y0 + b*y1 + c*y2
	a, b, c = x.ZX, x.ZY, x.ZZ
	z0 := a*inv.XX + b*inv.XY + c*inv.XZ
	z1 := a*inv.XY + b*inv.YY + c*inv.YZ
	z2 := a*inv.XZ + b*inv.YZ + c*inv.ZZ
	x.ZX, x.ZY, x.ZZ = z0, z1, z2
	d.ZX -= a*x0 + b*x1 + c*x2
	d.ZY -= a*y0 + b*y1 + c*y2
	d.ZZ -= a*z0 + b*z1 + c*z2
}
