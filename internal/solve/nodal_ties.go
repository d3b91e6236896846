// Ties alone. Where rigid bodies are tied and nothing touches, A has no blocks off its diagonal, and impulses follow
// from one factor of
//
//	S = J A⁻¹ Jᵀ,   S r = J A⁻¹ b - u_f,   v = A⁻¹ (Jᵀ r - b),
//
// which for a chain is tridiagonal, whatever its masses are. Redundant ties make S singular; these are left to the rest
// of the solver.

package solve

import (
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// tiesAlone solves such problems. It keeps its workspace, and the pattern of S for as long as ties stay the same.
type tiesAlone struct {
	*system

	s         *sparse.BSR
	chol      sparse.Cholesky
	rows      []int32 // of the pattern: blocks of every row, each row after its number of blocks
	seen      []int32 // those of the problem at hand
	rhs, step []r3.Vec
}

// tiedRefinements is how often the solution is made better with the same factor.
const tiedRefinements = 2

// solve reports whether the problem is one of ties alone, and solved.
func (t *tiesAlone) solve(team *par.Team) bool {
	if !t.fits() {
		return false
	}
	t.keep()
	t.assemble()
	if t.chol.Factor(team, t.s, nil) != nil {
		return false
	}
	n := t.set.Len()
	t.rhs, t.step = resized(t.rhs, n), resized(t.step, n)
	for c := range n {
		t.out.State[c] = Stick
	}
	t.follow()
	for range 1 + tiedRefinements {
		for c := range n {
			t.rhs[c] = t.along(int32(c), t.out.V).Add(t.set.Contacts[c].Uf).Neg()
		}
		t.chol.Solve(nil, t.rhs, t.step)
		for c := range n {
			t.out.R[c] = t.out.R[c].Add(t.step[c])
		}
		t.follow()
	}
	if t.assess(team) {
		return true
	}
	t.restore()
	return false
}

// fits reports whether there are ties alone, of blocks that A does not couple.
func (t *tiesAlone) fits() bool {
	if len(t.list) > 0 || t.set.Len() == 0 || len(t.a.Col) != t.a.N {
		return false
	}
	for c := range t.set.Contacts {
		if t.set.Contacts[c].Law != contact.Bilateral {
			return false
		}
	}
	return t.fixed == nil || !slices.Contains(t.fixed, true)
}

// follow finds the velocities that the impulses lead to.
func (t *tiesAlone) follow() {
	for i := range t.out.V {
		t.out.V[i] = t.b[i].Neg()
	}
	for c := range t.set.Contacts {
		for _, term := range t.set.Row(c) {
			t.out.V[term.Block] = t.out.V[term.Block].Add(term.M.MulVecT(t.out.R[c]))
		}
	}
	for i := range t.out.V {
		t.out.V[i] = t.inverse[i].MulVec(t.out.V[i])
	}
}

// assemble makes S. Components that a row does not have get a one.
func (t *tiesAlone) assemble() {
	t.layOut()
	t.s.Zero()
	for c := range t.set.Contacts {
		diagonal := &t.s.Val[t.s.Diag[c]]
		has := t.set.Has(c)
		for k, x := range [3]*float64{&diagonal.XX, &diagonal.YY, &diagonal.ZZ} {
			if !has[k] {
				*x = 1
			}
		}
		for _, mine := range t.set.Row(c) {
			give := mine.M.Mul(&t.inverse[mine.Block])
			for _, other := range t.contactsOf(mine.Block) {
				for k := range t.set.Row(int(other)) {
					if theirs := &t.set.Row(int(other))[k]; theirs.Block == mine.Block {
						back := theirs.M.T()
						product := give.Mul(&back)
						t.s.Val[t.s.Index(int32(c), other)].Add(&product)
					}
				}
			}
		}
	}
}

// layOut makes the pattern of S, unless it is the one at hand.
func (t *tiesAlone) layOut() {
	t.seen = t.seen[:0]
	for c := range t.set.Contacts {
		t.seen = append(t.seen, int32(len(t.set.Row(c))))
		for _, term := range t.set.Row(c) {
			t.seen = append(t.seen, term.Block)
		}
	}
	if t.s != nil && slices.Equal(t.seen, t.rows) {
		return
	}
	t.rows = append(t.rows[:0], t.seen...)
	var pairs [][2]int32
	for c := range t.set.Contacts {
		for _, term := range t.set.Row(c) {
			for _, other := range t.contactsOf(term.Block) {
				if other > int32(c) {
					pairs = append(pairs, [2]int32{int32(c), other})
				}
			}
		}
	}
	t.s = sparse.NewBSR(t.set.Len(), pairs)
}
