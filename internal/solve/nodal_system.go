package solve

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// system is a contact problem, what is prepared of it, and where its solution stands: what all parts of the nodal
// solver share.
type system struct {
	measure Measure

	// The problem.
	given *ContactProblem
	a     *sparse.BSR
	b     []r3.Vec
	fixed []bool
	set   *contact.Set
	out   *Contacts

	hasty     bool        // little is asked for
	known     *sparse.BSR // the A that what follows is of
	stiffness float64     // of A
	scattered bool        // A is of many small bodies: S has little fill and is factored as it is
	stand     *sparse.BSR // what stands for A where it need not be exact: A without its small blocks, or A
	thin      sparse.Thin

	inverse  []r3.Mat // D
	local    []r3.Mat // W by contact
	give     []r3.Mat // W⁻¹
	nodal    []bool   // by contact: its row is that of one block, or of two against each other
	laws     []localLaw
	partials          // blocks that are prescribed in part
	rest     []r3.Vec // by these: what is prescribed of their velocity

	touches

	splitting bool // blocks with several contacts have copies (nodal_copies.go)

	begun []r3.Vec // impulses that the solve began with
	kept  standing // the best

	invertRows, localContacts func(lo, hi int)
}

func newSystem() *system {
	s := new(system)
	s.invertRows, s.localContacts = s.invert, s.localise
	return s
}

// begin takes a problem on. What is in out is the guess.
func (s *system) begin(p *ContactProblem, out *Contacts, team *par.Team) {
	s.given, s.a, s.b, s.fixed, s.set, s.out = p, p.A, p.B, p.Fixed, p.Set, out
	out.Sweeps, out.Newton, out.Linear, out.Converged, out.Idle = 0, 0, 0, false, 0
	out.Contradicted = false
	clear(out.Infeasible)
	clear(out.Bounded)
	clear(out.Proof)
	out.Stalled, out.Unsettled = false, 0
	s.measure.Team = team
}

// spent reports whether the budget of the problem is used up.
func (s *system) spent() bool { return s.given.Budget > 0 && s.out.Newton >= s.given.Budget }

// believe begins with the contacts bounded that an earlier round has, and with its proof, if it proves the same of this
// problem.
func (s *system) believe() {
	for c, bounded := range s.given.Earlier.Bounded {
		if bounded {
			s.out.Bounded[c], s.out.State[c] = true, Slide // with the impulse of the guess
		}
	}
	if s.given.Earlier.Proof != nil {
		if _, err := CheckProof(s.given, s.out.V, s.given.Earlier.Proof); err == nil {
			copy(s.out.Proof, s.given.Earlier.Proof)
		}
	}
}

// bounds reports whether contacts are bounded.
func (s *system) bounds() bool { return slices.Contains(s.out.Bounded, true) }

// proves reports whether all contacts that are bounded are in a proof.
func (s *system) proves() bool {
	for c, bounded := range s.out.Bounded {
		if bounded && !s.inProof(c) {
			return false
		}
	}
	return true
}

// inProof reports whether a contact is in the proof, and no tie.
func (s *system) inProof(c int) bool {
	return s.out.Proof[c] != r3.Vec{} && s.set.Contacts[c].Law != contact.Bilateral
}

// boundProven has the contacts of the proof bounded, and none else where only is true.
func (s *system) boundProven(only bool) {
	for c := range s.out.Bounded {
		s.out.Bounded[c] = s.inProof(c) || s.out.Bounded[c] && !only
	}
}

// end lets go of the problem.
func (s *system) end() {
	s.given, s.a, s.b, s.fixed, s.set, s.out = nil, nil, nil, nil, nil, nil
}

// nodeGrain is the chunk of loops over blocks and contacts that do much for each.
const nodeGrain = 64

// analyse prepares what depends on the problem only.
func (s *system) analyse(team *par.Team) {
	n, contacts := s.a.N, s.set.Len()
	s.partials.begin(s.given.Partly, s.a, s.fixed)
	if !s.given.Again || s.known != s.a {
		s.scattered = s.a.N > fewestScattered && s.a.LargestPart() <= directLimit
		s.thinOut(team)
		s.inverse = resized(s.inverse, n)
		team.For(n, nodeGrain, s.invertRows)
		s.known = s.a
	}
	s.local, s.laws, s.give = resized(s.local, contacts), resized(s.laws, contacts), resized(s.give, contacts)
	team.For(contacts, nodeGrain, s.localContacts)
	s.measure.begin(s.given, s.out.V, s.out.R, s.out.Bounded)
	team.For(contacts, measureGrain, s.measure.scales)

	s.listContacts(s.set, n)
	s.nodal = resized(s.nodal, contacts)
	for c := range contacts {
		s.nodal[c] = s.set.Nodal(c)
		if s.measure.scale[c] == 0 {
			s.out.Idle++
			s.out.R[c], s.out.State[c] = r3.Vec{}, TakeOff
		}
		s.out.R[c] = permitted(s.set, c, s.out.R[c])
	}
}

const (
	// mostDirect is the number of blocks up to which S is factored as it is, small blocks and all. In haste that is
	// directLimit: a hood of 267 blocks took 6 times as long to put on with the larger, by as many Newton steps.
	mostDirect = 300
	// fewestScattered is the number of blocks from which on S of many small bodies is factored as it is.
	fewestScattered = 1500
	// softForThin is the stiffness (sparse.BSR.Stiffness) up to which small blocks are left out, and a factor goes
	// without coarse levels. Beyond, information goes farther than a factor takes it: on the drape of a ball in steps
	// of 2, 4 and 10 ms, of stiffness 132, 500 and 2,400, whole steps take 0.5, 0.55 and 2 times as long as with all of
	// A and coarse levels.
	softForThin = 1000
	// thinEnough is the share of blocks that may be left for a matrix to count as thin.
	thinEnough = 0.6
)

// touches lists the contacts of blocks: those of block i are contactAt[contactStart[i]:contactStart[i+1]], and places
// where it is in their rows.
type touches struct{ contactStart, contactAt, places []int32 }

// listContacts lists those of a set with so many blocks.
func (s *touches) listContacts(set *contact.Set, blocks int) {
	s.contactStart = resized(s.contactStart, blocks+1)
	clear(s.contactStart)
	for c := range set.Contacts {
		for _, t := range set.Row(c) {
			s.contactStart[t.Block]++
		}
	}
	sum := int32(0)
	for i := range s.contactStart {
		sum, s.contactStart[i] = sum+s.contactStart[i], sum
	}
	s.contactAt, s.places = resized(s.contactAt, int(sum)), resized(s.places, int(sum))
	for c := range set.Contacts {
		for k, t := range set.Row(c) {
			s.contactAt[s.contactStart[t.Block]], s.places[s.contactStart[t.Block]] = int32(c), int32(k)
			s.contactStart[t.Block]++
		}
	}
	copy(s.contactStart[1:], s.contactStart[:blocks])
	s.contactStart[0] = 0
}

func (s *touches) contactsOf(i int32) []int32 {
	return s.contactAt[s.contactStart[i]:s.contactStart[i+1]]
}

// thinOut says what stands for A.
func (s *system) thinOut(team *par.Team) {
	s.stand, s.stiffness = s.a, s.a.Stiffness(s.fixed)
	direct := s.a.N <= mostDirect && !s.hasty || s.a.N <= directLimit
	if direct || s.scattered || s.stiffness > softForThin {
		return
	}
	if thin := s.thin.Update(team, s.a); float64(len(thin.Col)) < thinEnough*float64(len(s.a.Col)) {
		s.stand = thin
	}
}

func (s *system) isFixed(i int32) bool { return s.fixed != nil && s.fixed[i] }

// free tells whether block i has no prescribed component.
func (s *system) free(i int32) bool { return !s.isFixed(i) && s.partly(i) < 0 }

// term returns the term of block i in the row of contact k of those that it touches.
func (s *system) term(i int32, k int) *contact.Term {
	at := s.contactStart[i] + int32(k)
	return &s.set.Row(int(s.contactAt[at]))[s.places[at]]
}

// termOf returns the term of block i in the row of contact c.
func (s *system) termOf(i, c int32) *contact.Term {
	row := s.set.Row(int(c))
	for k := range row {
		if row[k].Block == i {
			return &row[k]
		}
	}
	panic("solve: a contact is listed at a block that it does not touch")
}

// solvedByContact tells whether the relaxation of some contact balances block i.
func (s *system) solvedByContact(i int32) bool {
	for _, c := range s.contactsOf(i) {
		if s.nodal[c] {
			return true
		}
	}
	return false
}

// touchesPartial tells whether a block of contact c is prescribed in part.
func (s *system) touchesPartial(c int) bool {
	if len(s.of) == 0 {
		return false
	}
	for _, t := range s.set.Row(c) {
		if s.of[t.Block] > 0 {
			return true
		}
	}
	return false
}

func (s *system) invert(lo, hi int) {
	for i := lo; i < hi; i++ {
		if s.isFixed(int32(i)) {
			s.inverse[i] = r3.Mat{}
			continue
		}
		if k := s.partly(int32(i)); k >= 0 {
			s.inverse[i] = s.partials.mobility[k]
			continue
		}
		s.inverse[i] = safeInverse(&s.a.Val[s.a.Diag[i]])
	}
}

func (s *system) localise(lo, hi int) {
	for c := lo; c < hi; c++ {
		var sum r3.Mat
		free := false
		for _, t := range s.set.Row(c) {
			free = free || s.free(t.Block)
			transposed := t.M.T()
			d := t.M.Mul(&s.inverse[t.Block])
			d = d.Mul(&transposed)
			sum.AddScaled(s.parts(t.Block), &d)
		}
		s.local[c] = r3.Mat{}
		if sum.Trace() > 0 {
			if !free {
				sum.AddDiagonal(slack * sum.Trace())
			}
			s.give[c] = sum
			w := inverseOf(&sum, s.set, c)
			if s.single(c) { // not the inverse of an inverse, which for stiff blocks is another matrix
				frame := &s.set.Contacts[c].Frame
				transposed := frame.T()
				w = s.a.Val[s.a.Diag[s.set.Contacts[c].A]].Mul(&transposed)
				w = frame.Mul(&w)
			}
			s.resist(c, w)
		}
	}
}

// resist has contact c resist by w, but for what is not symmetric of it.
func (s *system) resist(c int, w r3.Mat) {
	transposed := w.T()
	w.Add(&transposed)
	s.local[c] = w.Scale(0.5)
	s.laws[c] = newLocalLaw(&s.local[c], &s.set.Contacts[c])
}

// single tells whether a contact is that of one free block with an obstacle.
func (s *system) single(c int) bool {
	k := &s.set.Contacts[c]
	return k.B == contact.None && !s.splitting && s.free(k.A) && s.set.Nodal(c)
}

// parts returns p of block i, 1 where it is not split.
func (s *system) parts(i int32) float64 {
	if !s.splitting {
		return 1
	}
	return float64(max(1, len(s.contactsOf(i))))
}

// prescribe remembers what is prescribed of blocks that are prescribed in part.
func (s *system) prescribe() {
	s.rest = resized(s.rest, len(s.list))
	for k, part := range s.list {
		if s.partly(part.Block) >= 0 {
			s.rest[k] = s.prescribed(int32(k), s.out.V[part.Block])
		}
	}
}

// under returns the velocity of block i that balances f, what is prescribed of it kept.
func (s *system) under(i int32, f r3.Vec) r3.Vec {
	if s.isFixed(i) {
		return s.out.V[i]
	}
	if k := s.partly(i); k >= 0 {
		return balanced(&s.inverse[i], &s.a.Val[s.a.Diag[i]], s.rest[k], f)
	}
	return s.inverse[i].MulVec(f)
}

// along returns J_c x.
func (s *system) along(c int32, x []r3.Vec) r3.Vec {
	var d r3.Vec
	row := s.set.Row(int(c))
	for k := range row {
		d = d.Add(row[k].M.MulVec(x[row[k].Block]))
	}
	return d
}

// asks returns the velocity and the impulse that contact c asks for where it moves at u, if its blocks give way by the
// given share of W⁻¹ and its neighbours hold still.
func (s *system) asks(c int32, u r3.Vec, share float64) (next, r r3.Vec, state State) {
	w := &s.local[c]
	trial := s.out.R[c].Scale(share).Sub(w.MulVec(u))
	next, state = s.laws[c].Solve(trial, u)
	if state != TakeOff {
		r = s.onCone(c, next, trial.Add(w.MulVec(next)).Scale(1/share), state)
	}
	return next, r, state
}

// onCone returns r, of a sliding contact exactly on the cone and against the motion, so that what is left of rounding
// is in the balance.
func (s *system) onCone(c int32, u, r r3.Vec, state State) r3.Vec {
	if slip := math.Hypot(u.Y, u.Z); state == Slide && slip > 0 {
		mu := s.set.Contacts[c].Mu
		r.Y, r.Z = -mu*r.X*u.Y/slip, -mu*r.X*u.Z/slip
	}
	return r
}

// alone returns the block of a nodal contact that has one free block with no other contact.
func (s *system) alone(c int) (int32, bool) {
	if !s.nodal[c] {
		return 0, false
	}
	k := &s.set.Contacts[c]
	block := k.A
	if k.B != contact.None {
		if s.isFixed(k.A) {
			block = k.B
		} else if !s.isFixed(k.B) {
			return 0, false
		}
	}
	return block, len(s.contactsOf(block)) == 1 && s.partly(block) < 0
}

// assess measures the residual and tells whether the solver is done: converged, but for what is bounded, or beyond
// help.
func (s *system) assess(team *par.Team) bool {
	s.out.Residual = s.measure.measure(team)
	worst := s.out.Residual.Worst()
	reached := worst <= s.given.Tolerance
	s.out.Converged = reached && !s.bounds()
	return worst <= s.given.target() || math.IsNaN(worst) || team.Stopped()
}

// keep remembers the velocities and impulses at hand as the best.
func (s *system) keep() {
	s.kept.keep(s.out)
}

// restore goes back to the best velocities and impulses.
func (s *system) restore() {
	s.kept.restore(s.out)
}

// wandered returns the largest change of a normal impulse since the solve began, over the sum of all; 0 if there were
// none.
func (s *system) wandered() float64 {
	most, sum := 0.0, 0.0
	for c := range s.begun {
		most, sum = max(most, math.Abs(s.out.R[c].X-s.begun[c].X)), sum+math.Abs(s.begun[c].X)
	}
	if sum == 0 {
		return 0
	}
	return most / sum
}
