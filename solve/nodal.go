// The nodal contact solver: Gauss-Seidel over nodes and contacts in the unknowns v [Li18] §4.3, algorithm 1, alternated
// with Newton steps on the current sets of sticking, sliding and free contacts (nodal_newton.go).
//
//	A v + b = Jᵀ r,   u = J v + u_f,   (r, u) ∈ C(μ)          [Li18] eq. (5)
//
// Symbols: D_i = A_ii⁻¹, zero where v_i is prescribed, of rank one or two where it is so in part (partial.go); E the
// frame of a contact; f_i = -b_i - Σ_{j≠i} A_ij v_j + Σ J_ciᵀ r_c over the contacts of i other than the one looked
// at.
//
// One relaxation solves a node without contact, v_i = D_i f_i, or a contact with its one or two nodes and the other
// impulses on these held:
//
//	v_i = D_i (f_i + J_ciᵀ r)   and so   r = W u - W u₀,   W = (Σ J_ci D_i J_ciᵀ)⁻¹,   u₀ = u_f + Σ J_ci D_i f_i,
//
// which with Coulomb's law is the local problem of SolveCoulomb. For one node this is [Li18] eq. (8), W = E A_ii Eᵀ.
// For two it is eq. (9) with the sum of the velocities eliminated, rather than relaxed on its own; the factor 1/√2
// drops out.
//
// The row of a contact of points within edges and faces has up to four blocks, J_ci = w_i E, of which some are
// neighbours. These are not solved together: the contact changes its impulse by what the same W asks for at the
// velocities that there are, v_i ← v_i + D_i J_ciᵀ Δr, and blocks without a contact of their own are relaxed as if they
// had none. At a fixed point blocks balance and contacts obey, which is all that counts.
//
// Departures. A node with several contacts is not split into pinned copies (§6) unless all else failed
// (nodal_copies.go): its contacts are relaxed one after another with the other impulses held, which needs no copies to
// agree and keeps A as it is. The start is not v = -A⁻¹ b but a guess, the velocity before the step, with the impulses
// of the last step where there are any. Nodes do not sleep and are not over-relaxed: with Newton steps in between there
// are too few sweeps to gain from it. Where the sets of the Newton steps do not settle, sweeps go on alone for as long
// as they help; then nodal_path.go takes over for few contacts, and else nodal_proximal.go.
//
// Laws. A row that only pushes is one without friction. One that ties (local.go) has u = 0 in each relaxation, sticks
// in every Newton step, never opens and is never given up: where ties contradict each other the residual stays.
//
// Order: relaxations are coloured greedily in index order so that no two of one colour read what the other writes.
// Colours run one after another and within a colour the order cannot matter, so the result is the same for any number
// of workers.

package solve

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// Nodal solves contact problems. It keeps its workspace.
type Nodal struct {
	MaxSweeps     int // Gauss-Seidel sweeps at most
	MaxNewton     int // Newton steps at most; 0: sweeps alone
	Linear        int // iterations at most of each linear solve
	SweepsBetween int // sweeps before each Newton step
	Team          *par.Team

	serial  *par.Team
	measure Measure

	// The problem.
	given *ContactProblem
	a     *sparse.BSR
	b     []r3.Vec
	fixed []bool
	set   *contact.Set
	out   *Contacts

	inverse  []r3.Mat // D
	local    []r3.Mat // W by contact
	give     []r3.Mat // W⁻¹
	nodal    []bool   // by contact: its row is that of one block, or of two against each other
	laws     []localLaw
	partials          // blocks that are prescribed in part
	rest     []r3.Vec // by these: what is prescribed of their velocity
	load     []r3.Vec // by these: the sum of the impulses on them, while their contacts are relaxed

	// Contacts of block i are touch[touchStart[i]:touchStart[i+1]], and places where it is in their rows.
	touchStart, touch, places []int32

	colouring
	newton
	copies
	drift

	invertRows, localContacts, relaxTasks func(lo, hi int)
}

// DefaultNodal returns the settings that won on generated sheets: two sweeps, then a Newton step.
func DefaultNodal() Nodal {
	return Nodal{MaxSweeps: 2000, MaxNewton: 200, Linear: 60, SweepsBetween: 2}
}

// Supports takes every problem whose parts fit each other.
func (s *Nodal) Supports(p *ContactProblem) error {
	if err := p.validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return nil
}

// Solve finds v and r. A must be positive definite over the free blocks. A residual above tolerance is in the result.
func (s *Nodal) Solve(p *ContactProblem, out *Contacts) error {
	if err := s.Supports(p); err != nil {
		return err
	}
	team := s.begin(p, out)
	team.Enter()
	defer team.Leave()
	s.analyse(team)
	s.start()
	s.iterate(team)
	s.stayNear(team)
	s.finish()
	return nil
}

func (s *Nodal) begin(p *ContactProblem, out *Contacts) *par.Team {
	if s.serial == nil {
		s.serial = par.New(1)
		s.invertRows, s.localContacts, s.relaxTasks = s.invert, s.localise, s.relaxAll
	}
	s.given, s.a, s.b, s.fixed, s.set, s.out = p, p.A, p.B, p.Fixed, p.Set, out
	out.Sweeps, out.Newton, out.Linear, out.Converged, out.Idle = 0, 0, 0, false, 0
	clear(out.Infeasible)
	team := s.Team
	if team == nil {
		team = s.serial
	}
	s.measure.Team = team
	return team
}

const nodeGrain = 64

// analyse prepares what depends on the problem only.
func (s *Nodal) analyse(team *par.Team) {
	n, contacts := s.a.N, s.set.Len()
	s.partials.begin(s.given.Partly, s.a, s.fixed)
	s.inverse, s.local, s.laws = resized(s.inverse, n), resized(s.local, contacts), resized(s.laws, contacts)
	s.give = resized(s.give, contacts)
	team.For(n, nodeGrain, s.invertRows)
	team.For(contacts, nodeGrain, s.localContacts)
	s.measure.begin(s.given, s.out.V, s.out.R, s.out.Infeasible)
	team.For(contacts, measureGrain, s.measure.scales)

	s.touchStart = resized(s.touchStart, n+1)
	clear(s.touchStart)
	s.nodal = resized(s.nodal, contacts)
	for c := range contacts {
		s.nodal[c] = s.set.Nodal(c)
		for _, t := range s.set.Row(c) {
			s.touchStart[t.Block]++
		}
		if s.measure.scale[c] == 0 {
			s.out.Idle++
			s.out.R[c], s.out.State[c] = r3.Vec{}, TakeOff
		}
		s.out.R[c] = permitted(s.set, c, s.out.R[c])
	}
	sum := int32(0)
	for i := range s.touchStart {
		sum, s.touchStart[i] = sum+s.touchStart[i], sum
	}
	s.touch, s.places = resized(s.touch, int(sum)), resized(s.places, int(sum))
	for c := range contacts {
		for k, t := range s.set.Row(c) {
			s.touch[s.touchStart[t.Block]], s.places[s.touchStart[t.Block]] = int32(c), int32(k)
			s.touchStart[t.Block]++
		}
	}
	copy(s.touchStart[1:], s.touchStart[:n])
	s.touchStart[0] = 0
	s.colour(s)
}

func (s *Nodal) isFixed(i int32) bool { return s.fixed != nil && s.fixed[i] }

func (s *Nodal) touching(i int32) []int32 { return s.touch[s.touchStart[i]:s.touchStart[i+1]] }

// term returns the term of block i in the row of contact k of those that it touches.
func (s *Nodal) term(i int32, k int) *contact.Term {
	at := s.touchStart[i] + int32(k)
	return &s.set.Row(int(s.touch[at]))[s.places[at]]
}

func (s *Nodal) invert(lo, hi int) {
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

func (s *Nodal) localise(lo, hi int) {
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
			transposed := w.T()
			w.Add(&transposed)
			s.local[c] = w.Scale(0.5)
			s.laws[c] = newLocalLaw(&s.local[c], &s.set.Contacts[c])
		}
	}
}

// single tells whether a contact is that of one free block with an obstacle.
func (s *Nodal) single(c int) bool {
	k := &s.set.Contacts[c]
	return k.B == contact.None && !s.splitting && s.free(k.A) && s.set.Nodal(c)
}

// start takes v from the guess, and from what is prescribed. The unconstrained velocity of [Li18] is a worse guess than
// the velocity before the step: that makes a linear solve that knows of contacts take its place.
func (s *Nodal) start() {
	s.prepareNewton(s.a)
	s.prescribe()
	for c := range s.set.Contacts {
		s.out.U[c] = s.measure.velocity(c)
	}
}

// iterate alternates sweeps and Newton steps until the residual is small; where it stalls, the sets need more sweeps to
// settle.
func (s *Nodal) iterate(team *par.Team) {
	best, stalls, between, most := math.Inf(1), 0, s.SweepsBetween, maxStalls
	if len(s.list) > 0 {
		most = pressStalls
	}
	s.begun = append(s.begun[:0], s.out.R...)
	s.keep()
	for {
		if s.sweeps(team, max(1, between)) {
			return
		}
		worst := s.out.Residual.Worst()
		if worst < progress*best {
			best = worst
			s.keep()
		} else if stalls++; stalls >= most && s.MaxNewton > 0 {
			break
		} else {
			between = min(3*between, mostBetween)
		}
		if s.newtonSteps(team, worst) {
			return
		}
	}
	if s.set.Len() > mostOnPath && len(s.list) == 0 {
		s.restore()
		if s.patiently(team) {
			return
		}
	}
	s.fallBack(team)
}

// patiently sweeps on as long as that makes the residual smaller, and tells whether the solver is done. Newton steps
// that do not help are taken back: where a few contacts ask for more than their nodes can obey, a step on the wrong
// sets undoes what many sweeps have gained. Few contacts are better left to the path, and sweeps would divide the force
// of a press among its contacts in another way than the last step.
func (s *Nodal) patiently(team *par.Team) bool {
	if s.assess(team) {
		return true
	}
	for best := s.out.Residual.Worst(); s.out.Sweeps < s.MaxSweeps/2; {
		if s.sweeps(team, mostBetween) {
			return true
		}
		worst := s.out.Residual.Worst()
		if !(worst < progress*best) {
			break
		}
		s.keep()
		if s.newtonSteps(team, worst) {
			return true
		}
		if best = s.out.Residual.Worst(); !(best < worst) {
			s.restore()
			best = worst
		}
	}
	return false
}

// sweeps sweeps so often and tells whether the solver is done.
func (s *Nodal) sweeps(team *par.Team, count int) bool {
	for range count {
		s.sweep(team)
	}
	return s.assess(team) || s.out.Sweeps >= s.MaxSweeps
}

// fallBack tries what is left, and leaves the best that was found.
func (s *Nodal) fallBack(team *par.Team) {
	if s.viaImpulses(team) {
		return
	}
	best := s.out.Residual.Worst()
	s.keep()
	if s.proximal(team, s.MaxNewton) {
		return
	}
	if s.out.Residual.Worst() > best {
		clear(s.out.Infeasible)
		s.restore()
		s.assess(team)
	}
	s.split(team)
}

// newtonSteps takes steps as long as the sets come closer to what the contacts ask for, and tells whether the solver is
// done. A step that no contact objects to is followed by the next one at once, since sweeps would undo a part of it;
// after others, the contacts that want another state are relaxed, and only they.
func (s *Nodal) newtonSteps(team *par.Team, worst float64) bool {
	disputes, agreed := math.MaxInt, false
	for s.out.Newton < s.MaxNewton {
		s.newtonStep(team, worst, s.forcing(agreed))
		agreed = s.settle(team)
		if s.assess(team) {
			return true
		}
		now := s.out.Residual.Worst()
		switch {
		case agreed && now < 0.5*worst:
			worst = now
			continue
		case agreed:
			if !s.walkDrift() {
				return false
			}
		default:
			if len(s.disputed) >= disputes && len(s.disputed) > 0 {
				return false
			}
			disputes = len(s.disputed)
			for range localPasses {
				for _, c := range s.disputed {
					s.relaxContact(c)
				}
			}
		}
		if s.assess(team) {
			return true
		}
		worst = s.out.Residual.Worst()
	}
	return false
}

const (
	progress  = 0.7 // a residual that falls by less stalls
	maxStalls = 2   // how often that may happen before there are only sweeps, or the sets are given up; sweeps are added each time
	// pressStalls is maxStalls of problems with a press, for which sweeps alone are not tried.
	pressStalls = 3
	// localPasses is how often contacts that want another state are relaxed before the next step.
	localPasses = 3
	// mostBetween bounds these sweeps.
	mostBetween = 54
)

// assess measures the residual and tells whether the solver is done: converged, or beyond help.
func (s *Nodal) assess(team *par.Team) bool {
	s.out.Residual = s.measure.measure(team)
	worst := s.out.Residual.Worst()
	s.out.Converged = worst <= s.given.Tolerance
	return worst <= s.given.target() || math.IsNaN(worst)
}

func (s *Nodal) sweep(team *par.Team) {
	s.out.Sweeps++
	for k := range len(s.colourStart) - 1 {
		s.base = s.colourStart[k]
		team.For(int(s.colourStart[k+1]-s.base), nodeGrain, s.relaxTasks)
	}
	s.sweepPartly()
}

func (s *Nodal) relaxAll(lo, hi int) {
	for _, task := range s.tasks[int(s.base)+lo : int(s.base)+hi] {
		switch {
		case task >= 0:
			s.relaxNode(task)
		case s.splitting:
			s.relaxCopies(^task)
		default:
			s.relaxContact(^task)
		}
	}
}

// relaxNode solves block i with all impulses on it held.
func (s *Nodal) relaxNode(i int32) {
	if !s.isFixed(i) {
		s.out.V[i] = s.under(i, s.pull(i, -1))
	}
}

// pull returns f_i, leaving out the impulse of the given contact.
func (s *Nodal) pull(i, without int32) r3.Vec {
	if k := s.partly(i); k >= 0 {
		return s.pullPartly(k, without)
	}
	f := s.neighbours(i)
	for k, c := range s.touching(i) {
		if c != without {
			f = f.Add(s.term(i, k).M.MulVecT(s.out.R[c]))
		}
	}
	return f
}

// neighbours returns -b_i - Σ_{j≠i} A_ij v_j.
func (s *Nodal) neighbours(i int32) r3.Vec {
	a, v := s.a, s.out.V
	f := s.b[i].Neg()
	diagonal := a.Diag[i]
	for p := a.Start[i]; p < diagonal; p++ {
		f = f.Sub(a.Val[p].MulVec(v[a.Col[p]]))
	}
	for p := diagonal + 1; p < a.Start[i+1]; p++ {
		f = f.Sub(a.Val[p].MulVec(v[a.Col[p]]))
	}
	return f
}

// obey solves the law of contact c whose relative velocity without it is u0.
func (s *Nodal) obey(c int32, u0 r3.Vec) (u, r r3.Vec, state State) {
	w := &s.local[c]
	if s.out.Infeasible[c] {
		return u0, s.out.R[c], TakeOff
	}
	u, state = s.laws[c].Solve(w.MulVec(u0).Neg(), s.out.U[c])
	if state != TakeOff {
		r = w.MulVec(u.Sub(u0))
	}
	return u, s.onCone(c, u, r, state), state
}

// onCone returns r, of a sliding contact exactly on the cone and against the motion, so that what is left of rounding
// is in the balance.
func (s *Nodal) onCone(c int32, u, r r3.Vec, state State) r3.Vec {
	if slip := math.Hypot(u.Y, u.Z); state == Slide && slip > 0 {
		mu := s.set.Contacts[c].Mu
		r.Y, r.Z = -mu*r.X*u.Y/slip, -mu*r.X*u.Z/slip
	}
	return r
}

func (s *Nodal) relaxContact(c int32) {
	if !s.nodal[c] {
		s.relaxRow(c)
		return
	}
	k := &s.set.Contacts[c]
	out := s.out
	if out.Infeasible[c] {
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
func (s *Nodal) relaxSingle(c int32, k *contact.Contact) {
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
func (s *Nodal) relaxRow(c int32) {
	out := s.out
	if out.Infeasible[c] {
		return
	}
	w := &s.local[c]
	u := s.measure.velocity(int(c))
	trial := out.R[c].Sub(w.MulVec(u))
	next, state := s.laws[c].Solve(trial, u)
	var r r3.Vec
	if state != TakeOff {
		r = s.onCone(c, next, trial.Add(w.MulVec(next)), state)
	}
	change := r.Sub(out.R[c])
	s.shift(c, change)
	out.U[c], out.R[c], out.State[c] = next, r, state
	for _, t := range s.set.Row(int(c)) {
		if !s.isFixed(t.Block) {
			out.V[t.Block] = out.V[t.Block].Add(s.inverse[t.Block].MulVec(t.M.MulVecT(change)))
		}
	}
}

func (s *Nodal) finish() {
	for c := range s.set.Contacts {
		s.out.U[c] = s.measure.velocity(c)
	}
	s.given, s.a, s.b, s.fixed, s.set, s.out = nil, nil, nil, nil, nil, nil
}
