// Package sparse holds symmetric sparse matrices of 3x3 blocks, and what solves with them:
// conjugate gradients with block-Jacobi, incomplete-Cholesky and multilevel preconditioners, and a
// sparse Cholesky (LDLᵀ) factor.
//
// An unknown is a block of three scalars, such as the velocity of a node; "row" and "column" mean
// block row and block column. The pattern of a matrix is fixed when it is built; everything that
// depends on it only (orderings, symbolic factors, coarse levels) is computed once and kept while
// matrices with the same pattern come. Refilling and solving then allocates nothing.
//
// All solvers take a mask of fixed unknowns (nil: none). Their rows and columns are treated as
// absent and their part of the solution is zero.
//
// All results have the same bits for any number of workers: every partition depends on the pattern
// only.
package sparse

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// BSR is a symmetric N x N matrix of 3x3 blocks in compressed rows, both triangles stored, with a
// fixed pattern. Make one with NewBSR, Pattern.Build or NewLike; fill Val; do not change the rest.
type BSR struct {
	N     int      // rows
	Start []int32  // blocks of row i are Start[i] to Start[i+1]; len N+1
	Col   []int32  // column of a block, ascending in a row
	Val   []r3.Mat // the blocks
	Diag  []int32  // position of the diagonal block of row i; every row has one

	upper []int32 // for strictly lower blocks the position of their transpose, else -1

	largestPart int // what LargestPart has counted; 0: nothing yet

	// Where they are not nil, the blocks of origin and the pairs in extra contain all blocks of the pattern.
	origin *BSR
	extra  [][2]int32

	// The job of the running parallel loop.
	x, y    []r3.Vec
	mulBody func(lo, hi int)
	mirBody func(lo, hi int)
}

// rowGrain is the number of rows in a chunk of the parallel loops over rows: some 10 µs of work.
const rowGrain = 256

// NewBSR returns a zero matrix of n rows with the diagonal and the given (row, column) pairs in its
// pattern, each with its transpose. Repeated pairs count once.
func NewBSR(n int, pairs [][2]int32) *BSR {
	b := NewPattern(n)
	for _, p := range pairs {
		b.Add(p[0], p[1])
	}
	return b.Build()
}

// NewLike returns a zero matrix that shares the pattern of a.
func NewLike(a *BSR) *BSR {
	return newBSR(a.N, a.Start, a.Col, a.Diag, a.upper)
}

func newBSR(n int, start, col, diag, upper []int32) *BSR {
	a := &BSR{N: n, Start: start, Col: col, Val: make([]r3.Mat, len(col)), Diag: diag, upper: upper}
	a.mulBody = a.mulRows
	a.mirBody = a.mirrorRows
	return a
}

// Index returns the position in Val of block (i, j), or -1 if it is not in the pattern.
func (a *BSR) Index(i, j int32) int32 {
	s := a.Start[i]
	if k, ok := slices.BinarySearch(a.Col[s:a.Start[i+1]], j); ok {
		return s + int32(k)
	}
	return -1
}

// Zero sets every block to zero.
func (a *BSR) Zero() { clear(a.Val) }

// Mirror fills the strictly lower blocks with the transposes of the strictly upper ones, so that an
// assembly needs to write the blocks with j >= i only.
func (a *BSR) Mirror(team *par.Team) { team.For(a.N, rowGrain, a.mirBody) }

func (a *BSR) mirrorRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		for p := a.Start[i]; p < a.Diag[i]; p++ {
			u := &a.Val[a.upper[p]]
			a.Val[p] = r3.Mat{
				XX: u.XX, XY: u.YX, XZ: u.ZX,
				YX: u.XY, YY: u.YY, YZ: u.ZY,
				ZX: u.XZ, ZY: u.YZ, ZZ: u.ZZ,
			}
		}
	}
}

// Mul computes y = A x. The slices must not overlap.
func (a *BSR) Mul(team *par.Team, x, y []r3.Vec) {
	if len(x) != a.N || len(y) != a.N {
		panic(fmt.Sprintf("sparse: product of %d rows with vectors of %d and %d", a.N, len(x), len(y)))
	}
	a.x, a.y = x, y
	team.For(a.N, rowGrain, a.mulBody)
	a.x, a.y = nil, nil
}

func (a *BSR) mulRows(lo, hi int) {
	x, y := a.x, a.y
	for i := lo; i < hi; i++ {
		y[i] = a.MulRow(i, x)
	}
}

// MulRow returns row i of A x. Each component has one addition a block in its chain of dependent
// operations; the three products of a block are added up aside.
func (a *BSR) MulRow(i int, x []r3.Vec) r3.Vec {
	s, e := a.Start[i], a.Start[i+1]
	cols := a.Col[s:e]
	vals := a.Val[s:e]
	vals = vals[:len(cols)]
	var sx, sy, sz float64
	for k, c := range cols {
		m := &vals[k]
		v := &x[c]
		vx, vy, vz := v.X, v.Y, v.Z
		sx += m.XX*vx + m.XY*vy + m.XZ*vz
		sy += m.YX*vx + m.YY*vy + m.YZ*vz
		sz += m.ZX*vx + m.ZY*vy + m.ZZ*vz
	}
	return r3.Vec{X: sx, Y: sy, Z: sz}
}

// stiffnessRows is about how many rows Stiffness looks at.
const stiffnessRows = 500

// Stiffness returns how heavy the diagonal is beside what is left of a row when its blocks are added up, Σ tr A_ii / Σ
// tr A_ij. For the matrix M + h²K of a time step, where K has no force against translations, that is 1 + tr h²K / tr M:
// the square, more or less, of the number of edges over which a step carries information. It is an estimate from rows
// at even distances. Rows of fixed unknowns, and those coupled with them, do not count. It is infinite where the rows
// add up to nothing or less.
func (a *BSR) Stiffness(fixed []bool) float64 {
	var diagonal, total float64
	step := max(1, a.N/stiffnessRows)
	for i := 0; i < a.N; i += step {
		sum, free := 0.0, true
		for p := a.Start[i]; p < a.Start[i+1] && free; p++ {
			free = fixed == nil || !fixed[a.Col[p]]
			sum += a.Val[p].Trace()
		}
		if free {
			diagonal += a.Val[a.Diag[i]].Trace()
			total += sum
		}
	}
	if !(total > 0) {
		return math.Inf(1)
	}
	return diagonal / total
}

// LargestPart returns the number of rows of the largest connected part of the pattern: rows that the blocks of the
// matrix lead from one to another. It is counted once.
func (a *BSR) LargestPart() int {
	if a.largestPart > 0 {
		return a.largestPart
	}
	met := make([]bool, a.N)
	var reached []int32
	for first := range a.N {
		if met[first] {
			continue
		}
		met[first] = true
		reached = append(reached[:0], int32(first))
		for next := 0; next < len(reached); next++ {
			i := reached[next]
			for _, j := range a.Col[a.Start[i]:a.Start[i+1]] {
				if !met[j] {
					met[j] = true
					reached = append(reached, j)
				}
			}
		}
		a.largestPart = max(a.largestPart, len(reached))
	}
	return a.largestPart
}

// samePattern reports whether two matrices share their pattern arrays.
func samePattern(a, b *BSR) bool {
	if a == nil || b == nil || a.N != b.N || len(a.Col) != len(b.Col) {
		return false
	}
	return a.N == 0 || (&a.Col[0] == &b.Col[0] && &a.Start[0] == &b.Start[0])
}
