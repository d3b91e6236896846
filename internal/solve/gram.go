package solve

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// gram is the operator of Delassus, W = J H⁻¹ Jᵀ [m/s for each N s], by rows of 3x3 blocks: H is the inertia, for which
// W is sparse, or all of A, for which it is dense.
type gram struct {
	n     int
	start []int32
	col   []int32
	val   []r3.Mat
	diag  []int32 // where W_cc is

	place []int32 // by column: its entry in the row at hand, or -1
	touches

	columns [3][]r3.Vec // A⁻¹ J_cᵀ

	in, out []r3.Vec
	rows    func(lo, hi int)
}

// gramGrain is the chunk of loops over rows of W.
const gramGrain = 32

// row returns Σ_k W_ck r_k.
func (w *gram) row(c int, r []r3.Vec) r3.Vec {
	var sum r3.Vec
	lo, hi := w.start[c], w.start[c+1]
	col, val := w.col[lo:hi], w.val[lo:hi]
	for p := range col {
		sum = sum.Add(val[p].MulVec(r[col[p]]))
	}
	return sum
}

// own returns W_cc.
func (w *gram) own(c int) *r3.Mat { return &w.val[w.diag[c]] }

// mul writes W x to y.
func (w *gram) mul(team *par.Team, x, y []r3.Vec) {
	if w.rows == nil {
		w.rows = func(lo, hi int) {
			for c := lo; c < hi; c++ {
				w.out[c] = w.row(c, w.in)
			}
		}
	}
	w.in, w.out = x, y
	team.For(w.n, gramGrain, w.rows)
	w.in, w.out = nil, nil
}

// begin makes room for n rows and no entries.
func (w *gram) begin(n int) {
	w.n = n
	w.start, w.diag = resized(w.start, n+1), resized(w.diag, n)
	w.start[0], w.col, w.val = 0, w.col[:0], w.val[:0]
}

// fill makes all rows full of zeros.
func (w *gram) fill(n int) {
	w.begin(n)
	w.col, w.val = resized(w.col, n*n), resized(w.val, n*n)
	clear(w.val)
	for c := range n {
		for k := range n {
			w.col[c*n+k] = int32(k)
		}
		w.start[c+1], w.diag[c] = int32((c+1)*n), int32(c*n+c)
	}
}

// weigh makes W of free masses: inverse is H⁻¹ by block, zero for those that cannot move. It makes at most so many
// entries, and tells whether they were enough.
func (w *gram) weigh(set *contact.Set, inverse []r3.Mat, most int) bool {
	n := set.Len()
	w.begin(n)
	w.listContacts(set, len(inverse))
	w.place = resized(w.place, n)
	for c := range w.place {
		w.place[c] = -1
	}
	for c := range n {
		first := int32(len(w.col))
		w.diag[c] = first
		w.put(int32(c), &r3.Mat{})
		for _, t := range set.Row(c) {
			if inverse[t.Block] == (r3.Mat{}) {
				continue
			}
			half := t.M.Mul(&inverse[t.Block])
			first := w.contactStart[t.Block]
			for k, other := range w.contactsOf(t.Block) {
				transposed := set.Row(int(other))[w.places[first+int32(k)]].M.T()
				m := half.Mul(&transposed)
				w.put(other, &m)
			}
		}
		if len(w.col) > most {
			return false
		}
		for _, k := range w.col[first:] {
			w.place[k] = -1
		}
		w.start[c+1] = int32(len(w.col))
	}
	return true
}

// put adds a block to column k of the last row.
func (w *gram) put(k int32, m *r3.Mat) {
	if w.place[k] < 0 {
		w.place[k] = int32(len(w.col))
		w.col, w.val = append(w.col, k), append(w.val, *m)
		return
	}
	w.val[w.place[k]].Add(m)
}

// solveFor makes W of all of A, three solves for each contact, and tells whether it was not stopped.
func (w *gram) solveFor(team *par.Team, set *contact.Set, a *compliance) bool {
	n := set.Len()
	w.fill(n)
	for axis := range w.columns {
		w.columns[axis] = resized(w.columns[axis], len(a.held))
	}
	axes := [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	for c := range n {
		if team.Stopped() {
			return false
		}
		has := set.Has(c)
		for axis, e := range axes {
			x := w.columns[axis]
			clear(x)
			if !has[axis] {
				continue
			}
			for _, t := range set.Row(c) {
				x[t.Block] = t.M.MulVecT(e)
			}
			a.solve(x)
		}
		for k := range n {
			for _, t := range set.Row(k) {
				x := r3.Columns(w.columns[0][t.Block], w.columns[1][t.Block], w.columns[2][t.Block])
				m := t.M.Mul(&x)
				w.val[k*n+c].Add(&m)
			}
		}
	}
	return true
}
