// The operator of a Newton step and its preconditioner; symbols as in nodal_newton.go. Vectors have the blocks δ first
// and then the s of contacts.

package solve

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// operator is a Newton step for given sets: its linear problem, and what solves it.
type operator struct {
	*system
	most int // iterations, at most

	pre    sparse.Preconditioner
	factor sparse.IC         // of thin matrices
	levels sparse.Multilevel // of others
	direct sparse.Direct     // of those that contacts make stiff
	gmres  gmres

	rhs, delta   []r3.Vec  // by block, then by contact
	loaded       []r3.Vec  // f + σ Jᵀ C W g, by block
	held         []bool    // blocks that do not move in the step
	slides       []slide   // by block: what the contact alone on it says
	couplings    []coupled // by contact
	coupledCount int

	doing   []uint8 // by block, then by contact: what it did in the last step
	foreign bool    // the last step was of another problem or method

	matrix   *sparse.BSR // S
	matrixOf *sparse.BSR // the one whose pattern it extends
	pairs    [][2]int32  // by which pairs
	wanted   [][2]int32

	assembleRows, operateRows, projectRows       func(lo, hi int)
	operateContacts, gatherRows, relieveContacts func(lo, hi int)
	changes                                      []r3.Vec // of the impulses of coupled contacts, by applyNewton [N s]
	from, to                                     []r3.Vec
	apply, precondition                          func(team *par.Team, x, y []r3.Vec)
}

func newOperator(s *system) *operator {
	o := &operator{system: s}
	o.factor.Fill, o.factor.FirstShift = true, sparse.ThinShift
	o.levels.OneSided = true
	o.assembleRows, o.operateRows, o.projectRows = o.assemble, o.operate, o.project
	o.operateContacts, o.gatherRows, o.relieveContacts = o.operateEquations, o.gather, o.relieve
	o.apply, o.precondition = o.applyNewton, o.applyStep
	return o
}

// begin prepares steps of the problem at hand.
func (s *operator) begin() {
	s.foreign = true
	s.levels.Stiffness = s.stiffness
	s.pre = &s.levels
	if s.stand != s.a {
		s.pre = &s.factor
	}
	if s.scattered {
		s.pre = &s.direct
	}
	n, contacts := s.a.N, s.set.Len()
	s.rhs, s.delta = resized(s.rhs, n+contacts), resized(s.delta, n+contacts)
	s.held, s.slides = resized(s.held, n), resized(s.slides, n)
	s.couplings = resized(s.couplings, contacts)
}

// release has blocks move as they can, none of them held or led by a contact.
func (s *operator) release() {
	for i := range s.held {
		s.held[i] = s.isFixed(int32(i))
		s.slides[i].on = false
	}
}

// longRow is the number of blocks above which those of a contact are not coupled in the preconditioner: their pairs
// would be most of its entries.
const longRow = 8

// linearStep solves for δ. measure.balance must be that of the impulses for δ = 0.
func (s *operator) linearStep(team *par.Team, residual, forcing float64) {
	s.out.Newton++
	s.extendPattern()
	clear(s.delta)
	for i := range s.a.N {
		s.rhs[i] = s.constrain(i, s.measure.balance[i]).Neg()
	}
	for c := range s.couplings {
		s.rhs[s.a.N+c] = s.couplings[c].asked.Scale(s.couplings[c].weight)
	}
	if s.setsChanged() {
		team.For(s.a.N, nodeGrain, s.assembleRows)
		s.assembleCoupled()
		s.pre.Update(team, s.matrix, s.held)
	}
	reduction := max(
		forcing*residual,
		0.1*s.given.target(),
	) / max(
		s.imbalanceOf(s.rhs[:s.a.N]),
		s.disobedience(),
		math.SmallestNonzeroFloat64,
	)
	s.out.Linear += s.gmres.solve(team, s.apply, s.precondition, s.rhs, s.delta, reduction, s.most)
}

// setsChanged tells whether a block or contact does something else than in the last step, and remembers what they do.
// While they do the same, S changes with the directions of slip alone, and the last preconditioner serves.
func (s *operator) setsChanged() bool {
	changed := s.foreign || len(s.doing) != s.a.N+s.set.Len()
	s.foreign = false
	s.doing = resized(s.doing, s.a.N+s.set.Len())
	note := func(at int, what uint8) {
		changed = changed || s.doing[at] != what
		s.doing[at] = what
	}
	for i := range s.held {
		switch {
		case s.held[i]:
			note(i, 1)
		case s.slides[i].on:
			note(i, 2)
		default:
			note(i, 0)
		}
	}
	for c := range s.couplings {
		what := uint8(0)
		if s.couplings[c].on {
			what = 1 + uint8(s.couplings[c].state)
		}
		note(s.a.N+c, what)
	}
	return changed
}

// imbalanceOf returns the largest of x in m/s.
func (s *operator) imbalanceOf(x []r3.Vec) float64 {
	worst := 0.0
	for i := range x {
		worst = max(worst, x[i].Norm()/s.given.Mass[i])
	}
	return worst
}

// disobedience returns the largest velocity that the equations of coupled contacts are to change, in m/s.
func (s *operator) disobedience() float64 {
	worst := 0.0
	for c := range s.couplings {
		worst = max(worst, s.couplings[c].asked.Norm())
	}
	return worst
}

// extendPattern makes the matrix of the step: the pattern of A with the pairs of coupled contacts, and with those of
// all contacts where it is factored as it is, so that its pattern is analysed once.
func (s *operator) extendPattern() {
	s.wanted = s.wanted[:0]
	for c := range s.couplings {
		if !s.couplings[c].on && !s.scattered {
			continue
		}
		row := s.set.Row(c)
		if len(row) > longRow {
			continue
		}
		for k := range row {
			for l := range k {
				if a, b := row[l].Block, row[k].Block; s.free(a) && s.free(b) && s.stand.Index(a, b) < 0 {
					s.wanted = append(s.wanted, [2]int32{a, b})
				}
			}
		}
	}
	if s.matrixOf == s.stand && slices.Equal(s.wanted, s.pairs) {
		return
	}
	s.matrixOf = s.stand
	s.pairs = append(s.pairs[:0], s.wanted...)
	s.matrix = sparse.Extended(s.stand, s.pairs)
}

// constrain returns D_i g.
func (s *operator) constrain(i int, g r3.Vec) r3.Vec {
	if s.held[i] {
		return r3.Vec{}
	}
	if k := s.partly(int32(i)); k >= 0 {
		return s.partials.along(k, g)
	}
	if k := &s.slides[i]; k.on {
		normal := k.normal.Dot(g)
		return g.AddScaled(-normal, k.normal).AddScaled(k.mu*normal, k.tangent)
	}
	return g
}

// assemble fills P A P + H; the normal direction of sliding blocks, which is not used, gets the mean diagonal.
func (s *operator) assemble(lo, hi int) {
	a, to := s.stand, s.matrix
	for i := lo; i < hi; i++ {
		if s.held[i] {
			continue
		}
		row := &s.slides[i]
		q := to.Start[i]
		for p := a.Start[i]; p < a.Start[i+1]; p++ {
			j := a.Col[p]
			for ; to.Col[q] != j; q++ {
				to.Val[q] = r3.Mat{}
			}
			if !s.held[j] {
				m := a.Val[p]
				if row.on {
					m.AddOuter(-1, row.normal, m.MulVecT(row.normal))
				}
				if col := &s.slides[j]; col.on {
					m.AddOuter(-1, m.MulVec(col.normal), col.normal)
				}
				to.Val[q] = m
			}
			q++
		}
		for ; q < to.Start[i+1]; q++ {
			to.Val[q] = r3.Mat{}
		}
		if row.on {
			d := &to.Val[to.Diag[i]]
			side := row.normal.Cross(row.tangent)
			d.AddOuter(row.turn, side, side)
			d.AddOuter(a.Val[a.Diag[i]].Trace()/3, row.normal, row.normal)
		}
	}
}

// assembleCoupled adds σ Jᵀ C W J, its symmetric part. Contacts in index order, since several may add to one block.
func (s *operator) assembleCoupled() {
	for c := range s.couplings {
		if !s.couplings[c].on || s.couplings[c].state == TakeOff {
			continue
		}
		m := s.couplings[c].symmetric()
		s.addCoupling(c, &m)
	}
	for k, part := range s.list {
		if s.partly(part.Block) >= 0 {
			d := &s.matrix.Val[s.matrix.Diag[part.Block]]
			*d = within(&s.list[k].Free, d)
		}
	}
}

// addCoupling adds J_cᵀ m J_c.
func (s *operator) addCoupling(c int, m *r3.Mat) {
	row := s.set.Row(c)
	for k := range row {
		pushed := m.Mul(&row[k].M)
		transposed := row[k].M.T()
		own := transposed.Mul(&pushed)
		s.matrix.Val[s.matrix.Diag[row[k].Block]].Add(&own)
		if len(row) > longRow {
			continue
		}
		for l := range k {
			if a, b := row[l].Block, row[k].Block; s.free(a) && s.free(b) {
				transposed := row[l].M.T()
				shared := transposed.Mul(&pushed)
				s.matrix.Val[s.matrix.Index(a, b)].Add(&shared)
				shared = shared.T()
				s.matrix.Val[s.matrix.Index(b, a)].Add(&shared)
			}
		}
	}
}

// applyNewton computes y, the operator times x, for δ in the range of P.
func (s *operator) applyNewton(team *par.Team, x, y []r3.Vec) {
	s.from, s.to = x, y
	s.changes = resized(s.changes, len(s.couplings))
	team.For(len(s.couplings), nodeGrain, s.operateContacts)
	team.For(s.a.N, nodeGrain, s.operateRows)
}

// operateEquations writes the equations of contacts, w (J δ + W⁻¹ s/ρ), and the change of their impulses. Parts of s
// that a contact does not have stay zero.
func (s *operator) operateEquations(lo, hi int) {
	n := s.a.N
	for c := lo; c < hi; c++ {
		k := &s.couplings[c]
		s.to[n+c] = r3.Vec{}
		if k.on && k.state != TakeOff {
			moved := s.along(int32(c), s.from)
			s.to[n+c] = k.held(moved).AddScaled(1/k.rho, k.yields(s.from[n+c])).Scale(k.weight)
			s.changes[c] = k.push(s.from[n+c]).Add(k.steer(moved))
		}
	}
}

// applyStep applies the preconditioner to x. Coarse levels know nothing of P, so it comes last.
func (s *operator) applyStep(team *par.Team, x, y []r3.Vec) {
	n := s.a.N
	s.from = x
	s.loaded = resized(s.loaded, n)
	team.For(n, nodeGrain, s.gatherRows)
	s.pre.Apply(team, s.loaded, y[:n])
	s.to = y
	team.For(n, vectorGrain, s.projectRows)
	team.For(len(s.couplings), nodeGrain, s.relieveContacts)
}

// gather writes f + σ Jᵀ C W g.
func (s *operator) gather(lo, hi int) {
	n := s.a.N
	for i := lo; i < hi; i++ {
		sum := s.from[i]
		if s.coupledCount > 0 && !s.held[i] {
			for at, c := range s.contactsOf(int32(i)) {
				if k := &s.couplings[c]; k.on && k.state != TakeOff {
					push := k.push(k.resists(s.from[n+int(c)].Scale(1 / k.weight)))
					sum = sum.Add(s.term(int32(i), at).M.MulVecT(push))
				}
			}
			if k := s.partly(int32(i)); k >= 0 {
				sum = s.partials.along(k, sum)
			}
		}
		s.loaded[i] = sum
	}
}

// relieve writes s = σ W (g - J δ).
func (s *operator) relieve(lo, hi int) {
	n := s.a.N
	for c := lo; c < hi; c++ {
		k := &s.couplings[c]
		s.to[n+c] = r3.Vec{}
		if k.on && k.state != TakeOff {
			s.to[n+c] = k.resists(s.from[n+c].Scale(1 / k.weight).Sub(s.along(int32(c), s.to)))
		}
	}
}

func (s *operator) project(lo, hi int) {
	for i := lo; i < hi; i++ {
		if k := &s.slides[i]; k.on {
			s.to[i] = s.to[i].AddScaled(-k.normal.Dot(s.to[i]), k.normal)
		} else if g := s.partly(int32(i)); g >= 0 {
			s.to[i] = s.partials.along(g, s.to[i])
		}
	}
}

func (s *operator) operate(lo, hi int) {
	a, x := s.stand, s.from
	for i := lo; i < hi; i++ {
		if s.held[i] {
			s.to[i] = r3.Vec{}
			continue
		}
		sum := s.constrain(i, a.MulRow(i, x))
		if k := &s.slides[i]; k.on {
			side := k.normal.Cross(k.tangent)
			sum = sum.AddScaled(k.turn*side.Dot(x[i]), side)
		}
		if s.coupledCount > 0 {
			sum = sum.Add(s.operateCoupled(int32(i)))
			if k := s.partly(int32(i)); k >= 0 {
				sum = s.partials.along(k, sum)
			}
		}
		s.to[i] = sum
	}
}

// operateCoupled returns what the change of the impulses of contacts takes from block i.
func (s *operator) operateCoupled(i int32) r3.Vec {
	var sum r3.Vec
	for at, c := range s.contactsOf(i) {
		if k := &s.couplings[c]; k.on && k.state != TakeOff {
			sum = sum.Sub(s.term(i, at).M.MulVecT(s.changes[c]))
		}
	}
	return sum
}
