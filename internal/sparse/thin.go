// A matrix without its small blocks.
//
// Plate bending couples a node with the neighbours of its neighbours: 19 blocks a row on regular sheets, 36 on those
// that are remeshed. In a step of 2 ms most of them are next to nothing. A product without them costs a third, and so
// does a factor, and both are wrong by less than what a Newton step leaves anyway, which measures its residual with the
// whole matrix.
//
// A block is small where no component of it is larger than thinShare λ, with λ of its row and column and their
// geometric mean: λ_i = 3/tr A_ii⁻¹ is at most three times the least eigenvalue of A_ii. It is not the trace that
// counts: cloth resists stretching a hundred times more than bending, and across the sheet it is bending and mass
// alone that the blocks are to be compared with. So Σ|A_ij|/λ_i over what is left out bounds by how much a step is
// wrong, some 5 % for twelve blocks of a sheet. In longer steps, or of stiffer plates, blocks are not small and stay.
//
// What is left out is added to the diagonal, so that the product with a translation stays what it is, and with
// anything smooth nearly so. Without that a step of 10 ms on the drape of a ball takes 38 Newton steps instead of 14.
//
// The pattern depends on the values of the matrix alone, not on those before: a run that is resumed has the same one.

package sparse

import (
	"slices"
	"sync/atomic"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// thinShare is up to which share of λ a block is small.
const thinShare = 1e-2

// ThinShift is the shift with which the factor, with fill, of a thin matrix does best.
const ThinShift = 0.032

// Thin leaves the small blocks of a matrix out. It keeps its workspace. The zero value is ready.
type Thin struct {
	of     *BSR      // the pattern it was taken from
	matrix *BSR      // what is left
	whole  []bool    // by block of the pattern: it is not small
	scale  []float64 // by row: thinShare λ

	a       *BSR
	changed atomic.Bool

	scaleBody, sortBody, fillBody func(lo, hi int)
}

// Update returns a without its small blocks. The result is valid until the next Update.
func (t *Thin) Update(team *par.Team, a *BSR) *BSR {
	if t.fillBody == nil {
		t.scaleBody, t.sortBody, t.fillBody = t.scaleRows, t.sortRows, t.fillRows
	}
	t.a = a
	t.changed.Store(!samePattern(t.of, a))
	if t.changed.Load() {
		t.of, t.whole, t.scale = a, make([]bool, len(a.Col)), make([]float64, a.N)
	}
	team.For(a.N, rowGrain, t.scaleBody)
	team.For(a.N, rowGrain, t.sortBody)
	if t.changed.Load() {
		t.build()
	}
	team.For(a.N, rowGrain, t.fillBody)
	t.a = nil
	return t.matrix
}

func (t *Thin) scaleRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		t.scale[i] = thinShare * softness(&t.a.Val[t.a.Diag[i]])
	}
}

// softness returns 3/tr m⁻¹ of a positive definite m.
func softness(m *r3.Mat) float64 {
	minors := m.XX*m.YY - m.XY*m.YX + m.YY*m.ZZ - m.YZ*m.ZY + m.XX*m.ZZ - m.XZ*m.ZX
	return max(0, 3*m.Det()/minors)
}

// sortRows tells small blocks from others.
func (t *Thin) sortRows(lo, hi int) {
	a := t.a
	for i := lo; i < hi; i++ {
		for p := a.Start[i]; p < a.Start[i+1]; p++ {
			m := a.Val[p].MaxAbs()
			whole := p == a.Diag[i] || !(m*m <= t.scale[i]*t.scale[a.Col[p]]) // a NaN is not small
			if whole != t.whole[p] {
				t.whole[p] = whole
				t.changed.Store(true)
			}
		}
	}
}

func (t *Thin) build() {
	a := t.a
	start, diag := make([]int32, a.N+1), make([]int32, a.N)
	col := make([]int32, 0, len(a.Col)/2)
	for i := range a.N {
		for p := a.Start[i]; p < a.Start[i+1]; p++ {
			if p == a.Diag[i] {
				diag[i] = int32(len(col))
			}
			if t.whole[p] {
				col = append(col, a.Col[p])
			}
		}
		start[i+1] = int32(len(col))
	}
	col = slices.Clip(col)
	t.matrix = newBSR(a.N, start, col, diag, transposes(start, col, diag))
	t.matrix.origin = a
}

func (t *Thin) fillRows(lo, hi int) {
	a, m := t.a, t.matrix
	for i := lo; i < hi; i++ {
		var rest r3.Mat
		q := m.Start[i]
		for p := a.Start[i]; p < a.Start[i+1]; p++ {
			if t.whole[p] {
				m.Val[q] = a.Val[p]
				q++
			} else {
				rest.Add(&a.Val[p])
			}
		}
		transposed := rest.T()
		rest.Add(&transposed)
		m.Val[m.Diag[i]].AddScaled(0.5, &rest)
	}
}
