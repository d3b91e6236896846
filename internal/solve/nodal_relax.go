// The relaxations of the nodal solver and their order; symbols as in nodal.go.

package solve

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// sweeper relaxes nodes and contacts.
type sweeper struct {
	*system
	colouring
	load  []r3.Vec      // by block prescribed in part: the sum of the impulses on it, while its contacts are relaxed
	relax func(c int32) // a contact

	lagging bool     // small blocks of A act as they did when the sweeps began
	lagged  []r3.Vec // by block: b, and what they do

	relaxTasks, lagRows func(lo, hi int)
}

func newSweeper(s *system) *sweeper {
	w := &sweeper{system: s}
	w.relax, w.relaxTasks, w.lagRows = w.relaxContact, w.relaxAll, w.lagAll
	return w
}

// begin prepares sweeps over the problem at hand.
func (s *sweeper) begin() {
	s.colour(s.system)
	s.load = resized(s.load, len(s.list))
}

func (s *sweeper) sweep(team *par.Team) {
	s.out.Sweeps++
	s.sumPartly()
	for k := range len(s.colourStart) - 1 {
		s.base = s.colourStart[k]
		team.For(int(s.colourStart[k+1]-s.base), nodeGrain, s.relaxTasks)
	}
	for _, c := range s.partlyTasks { // in index order
		s.relax(c)
	}
}

func (s *sweeper) relaxAll(lo, hi int) {
	for _, task := range s.tasks[int(s.base)+lo : int(s.base)+hi] {
		if task >= 0 {
			s.relaxNode(task)
		} else {
			s.relax(^task)
		}
	}
}

// sumPartly sums up the impulses on blocks that are prescribed in part.
func (s *sweeper) sumPartly() {
	for k, part := range s.list {
		s.load[k] = r3.Vec{}
		for n, c := range s.contactsOf(part.Block) {
			s.load[k] = s.load[k].Add(s.term(part.Block, n).M.MulVecT(s.out.R[c]))
		}
	}
}

// relaxNode solves block i with all impulses on it held.
func (s *sweeper) relaxNode(i int32) {
	if !s.isFixed(i) {
		s.out.V[i] = s.under(i, s.pull(i, -1))
	}
}

// pull returns f_i, leaving out the impulse of the given contact.
func (s *sweeper) pull(i, without int32) r3.Vec {
	if k := s.partly(i); k >= 0 {
		return s.pullPartly(k, without)
	}
	f := s.neighbours(i)
	for k, c := range s.contactsOf(i) {
		if c != without {
			f = f.Add(s.term(i, k).M.MulVecT(s.out.R[c]))
		}
	}
	return f
}

// pullPartly is pull for a block that is prescribed in part, of which sumPartly and shift keep the sum of its impulses.
func (s *sweeper) pullPartly(k, without int32) r3.Vec {
	i := s.list[k].Block
	f := s.load[k].Sub(s.b[i])
	if without >= 0 {
		f = f.Sub(s.pushOn(i, without))
	}
	return f
}

// pushOn returns the impulse of contact c on block i.
func (s *sweeper) pushOn(i, c int32) r3.Vec { return s.termOf(i, c).M.MulVecT(s.out.R[c]) }

// shift adds a change of a contact's impulse to the sums on blocks that are prescribed in part.
func (s *sweeper) shift(c int32, change r3.Vec) {
	if len(s.of) == 0 {
		return
	}
	for _, t := range s.set.Row(int(c)) {
		if k := s.partly(t.Block); k >= 0 {
			s.load[k] = s.load[k].Add(t.M.MulVecT(change))
		}
	}
}

// neighbours returns -b_i - Σ_{j≠i} A_ij v_j.
func (s *sweeper) neighbours(i int32) r3.Vec {
	if s.lagging {
		return s.lagged[i].Neg().Sub(s.beside(s.stand, i))
	}
	return s.b[i].Neg().Sub(s.beside(s.a, i))
}

// beside returns Σ_{j≠i} m_ij v_j.
func (s *sweeper) beside(m *sparse.BSR, i int32) r3.Vec {
	var f r3.Vec
	v, diagonal := s.out.V, m.Diag[i]
	for p := m.Start[i]; p < diagonal; p++ {
		f = f.Add(m.Val[p].MulVec(v[m.Col[p]]))
	}
	for p := diagonal + 1; p < m.Start[i+1]; p++ {
		f = f.Add(m.Val[p].MulVec(v[m.Col[p]]))
	}
	return f
}

// lag has sweeps leave the small blocks of A as they act at the velocities at hand, which saves two thirds of the work.
func (s *sweeper) lag(team *par.Team) {
	if s.stand == s.a {
		return
	}
	s.lagging = true
	s.lagged = resized(s.lagged, s.a.N)
	s.measure.refresh(team)
	team.For(s.a.N, nodeGrain, s.lagRows)
}

func (s *sweeper) lagAll(lo, hi int) {
	for i := int32(lo); i < int32(hi); i++ {
		own := s.a.Val[s.a.Diag[i]].MulVec(s.out.V[i])
		s.lagged[i] = s.measure.balance[i].Sub(own).Sub(s.beside(s.stand, i))
	}
}

// obey solves the law of contact c whose relative velocity without it is u0.
func (s *sweeper) obey(c int32, u0 r3.Vec) (u, r r3.Vec, state State) {
	w := &s.local[c]
	if s.out.Bounded[c] {
		return u0, s.out.R[c], TakeOff
	}
	u, state = s.laws[c].Solve(w.MulVec(u0).Neg(), s.out.U[c])
	if state != TakeOff {
		r = w.MulVec(u.Sub(u0))
	}
	return u, s.onCone(c, u, r, state), state
}

func (s *sweeper) relaxContact(c int32) {
	if !s.nodal[c] {
		s.relaxRow(c)
		return
	}
	k := &s.set.Contacts[c]
	out := s.out
	if out.Bounded[c] {
		s.relaxNode(k.A)
		if k.B != contact.None {
			s.relaxNode(k.B)
		}
		return
	}
	if k.B == contact.None && s.free(k.A) {
		s.relaxSingle(c, k)
		return
	}
	alone := s.under(k.A, s.pull(k.A, c)) // velocity of A without this contact
	var other r3.Vec
	relative := alone
	if k.B != contact.None {
		other = s.under(k.B, s.pull(k.B, c))
		relative = alone.Sub(other)
	}
	u, r, state := s.obey(c, k.Frame.MulVec(relative).Add(k.Uf))
	s.shift(c, r.Sub(out.R[c]))
	out.U[c], out.R[c], out.State[c] = u, r, state
	push := k.Frame.MulVecT(r)
	out.V[k.A] = alone.Add(s.inverse[k.A].MulVec(push))
	if k.B != contact.None {
		out.V[k.B] = other.Sub(s.inverse[k.B].MulVec(push))
	}
}

// relaxSingle solves a contact of one free block with an obstacle: r = W u - W u_f - E f, without the detour over its
// velocity alone.
func (s *sweeper) relaxSingle(c int32, k *contact.Contact) {
	out, w := s.out, &s.local[c]
	b := k.Frame.MulVec(s.pull(k.A, c)).Add(w.MulVec(k.Uf)).Neg()
	u, state := s.laws[c].Solve(b, out.U[c])
	var r r3.Vec
	if state != TakeOff {
		r = s.onCone(c, u, w.MulVec(u).Add(b), state)
	}
	out.U[c], out.R[c], out.State[c] = u, r, state
	out.V[k.A] = k.Frame.MulVecT(u.Sub(k.Uf)) // exact where u is
}

// relaxRow changes the impulse of a contact of several blocks by what its velocity asks for.
func (s *sweeper) relaxRow(c int32) {
	out := s.out
	if out.Bounded[c] {
		return
	}
	next, r, state := s.asks(c, s.measure.velocity(int(c)), 1)
	change := r.Sub(out.R[c])
	s.shift(c, change)
	out.U[c], out.R[c], out.State[c] = next, r, state
	for _, t := range s.set.Row(int(c)) {
		if !s.isFixed(t.Block) {
			out.V[t.Block] = out.V[t.Block].Add(s.inverse[t.Block].MulVec(t.M.MulVecT(change)))
		}
	}
}
