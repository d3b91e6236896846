// A Newton step on the current sets: contacts that take off have no impulse, sticking ones hold u = 0, sliding ones
// hold u_N = 0 and the tangential law
//
//	r_T + μ r_N t = 0,   t = u_T/‖u_T‖.
//
// Contacts that are alone on one free block are eliminated. With n the normal, T = I - n nᵀ and everything in world
// axes the step δ, in the range of P, solves
//
//	D A δ + H δ = -D (A v + b),   P_i = D_i = I (no contact or take-off),   P_i = 0 (stick),
//	P_i = T, D_i = T + μ t nᵀ, H_i = μ r_N/‖u_T‖ (T - t tᵀ) (slide).
//
// The others, of several free blocks or on blocks with several contacts (coupled), cannot be eliminated one by one.
// Their impulses change by s, which is unknown too. They are those of an augmented Lagrangian [Hestenes69] that the
// step drives to u = 0 or u_N = 0: with stiffness ρ W, W that of the local problem, and x = J δ,
//
//	stick   r⁺ = r + s,   x + W⁻¹ s/ρ = -u
//	slide   r⁺_N = r_N + s_N,   x_N + s_N/(ρ W_NN) = -u_N,   r⁺_T = -μ r⁺_N t - μ r_N/‖u_T‖ (I - t tᵀ) x_T.
//
// Each step leaves about 1/ρ of a violation; contacts that contradict each other make impulses that grow by a bounded
// amount a step.
//
// The sweeps in between update the sets: at a single contact they apply the exact law, so that together this is a
// semi-smooth Newton method on [Li18] eq. (5), in the way of the primal-dual active sets of [Hintermuller02], with a
// Gauss-Seidel sweep in place of a line search. A sliding node that the step would turn around stops instead, and
// sticks in the next step: between two directions of slip lies stick.
//
// The operator on (δ, s) is not symmetric, because friction feels the change of the normal impulse and not the reverse;
// so it is solved by GMRES. For the preconditioner contacts are softer, σ < ρ, and s eliminated: with S = P A P + H + σ
// Jᵀ W J, its symmetric part, and C what a change of the impulse does to friction, (f, g) becomes
//
//	δ = P S⁻¹ (f + σ Jᵀ C W g),   s = σ W (g - J δ).
//
// GMRES measures all equations together, so those of contacts are multiplied by an inertia, w = tr W/3.
//
// A stiff S would be hard to precondition in turn, and a soft ρ would need many steps; GMRES makes up for the
// difference. S⁻¹ is a multilevel cycle, the same one as in the last step while the sets stay. S has the pattern of A
// and an entry for each coupled pair of blocks, so the analysis of the pattern is repeated when these change.

package solve

import (
	"math"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

const (
	// newtonForcing is how far a linear solve reduces its residual: less makes more Newton steps, more makes the first
	// ones too exact.
	newtonForcing = 1e-2
	// unsettledForcing takes its place while sets of many contacts change: what is solved for is not yet what holds.
	unsettledForcing = 0.1
	// stiffening is ρ: more leaves less violation after a step; less keeps impulses small where contacts contradict
	// each other.
	stiffening = 1e4
	// gentle is ρ of problems with a press, whose force can be divided among its contacts in many ways: changes of
	// impulses are to be small.
	gentle = 100
	// softening is σ: more brings contacts closer to what the step asks for, but makes S harder to precondition.
	softening = 4
)

// newton is the workspace of Newton steps.
type newton struct {
	step  sparse.Multilevel
	gmres gmres

	begun  []r3.Vec // impulses that the solve began with
	anchor []r3.Vec // multipliers of the proximal method
	origin []r3.Vec // v before a line search

	stiffness float64 // ρ of the proximal method
	rounds    int     // changes of multipliers

	rhs, delta   []r3.Vec  // by block, then by contact
	loaded       []r3.Vec  // f + σ Jᵀ C W g, by block
	held         []bool    // blocks that do not move in the step
	slides       []slide   // by block: what the contact alone on it says
	couplings    []coupled // by contact
	coupledCount int
	stopped      []int32 // by contact: the step that stopped it
	disputed     []int32 // contacts whose law, asked alone, wants another state

	doing   []uint8 // by block, then by contact: what it did in the last step
	foreign bool    // the last step was of another problem or method

	matrix   *sparse.BSR // S
	matrixOf *sparse.BSR // the A whose pattern it extends
	pairs    [][2]int32  // by which pairs
	wanted   [][2]int32

	assembleRows, operateRows, projectRows       func(lo, hi int)
	operateContacts, gatherRows, relieveContacts func(lo, hi int)
	changes                                      []r3.Vec // of the impulses of coupled contacts, by applyNewton [N s]
	from, to                                     []r3.Vec
	apply, precondition                          func(team *par.Team, x, y []r3.Vec)
}

// slide is what the law of a sliding contact says about its block.
type slide struct {
	normal, tangent r3.Vec  // world axes; the tangent is zero where there is no slip
	mu, turn        float64 // turn = μ r_N/‖u_T‖, the stiffness against a change of direction [kg]
	on              bool
}

// coupled is what a contact that cannot be eliminated does in a step.
type coupled struct {
	on     bool // not eliminated
	state  State
	w      r3.Mat  // W
	give   r3.Mat  // W⁻¹
	weight float64 // tr W/3
	rho    float64 // ρ
	soft   float64 // σ; where it is ρ, GMRES solves for δ alone
	mu     float64
	t1, t2 float64 // the direction of slip in the frame
	turn   float64
	now    r3.Vec // r⁺ for x = 0 and s = 0
	asked  r3.Vec // the right-hand side of its equation, -u
}

// push returns C s: the change of the impulse with s.
func (c *coupled) push(s r3.Vec) r3.Vec {
	switch c.state {
	case Stick:
		return s
	case Slide:
		return r3.Vec{X: s.X, Y: -c.mu * s.X * c.t1, Z: -c.mu * s.X * c.t2}
	}
	return r3.Vec{}
}

// steer returns the change of the friction of a sliding contact as its direction changes with x.
func (c *coupled) steer(x r3.Vec) r3.Vec {
	if c.state != Slide {
		return r3.Vec{}
	}
	side := c.turn * (c.t1*x.Z - c.t2*x.Y)
	return r3.Vec{Y: side * c.t2, Z: -side * c.t1}
}

// held returns the part of a velocity that the contact holds: all of it, or the normal part.
func (c *coupled) held(x r3.Vec) r3.Vec {
	switch c.state {
	case Stick:
		return x
	case Slide:
		return r3.Vec{X: x.X}
	}
	return r3.Vec{}
}

// yields returns W⁻¹ s.
func (c *coupled) yields(s r3.Vec) r3.Vec {
	if c.state == Slide {
		return r3.Vec{X: s.X / c.w.XX}
	}
	return c.give.MulVec(s)
}

// resists returns σ W x.
func (c *coupled) resists(x r3.Vec) r3.Vec {
	if c.state == Slide {
		return r3.Vec{X: c.soft * c.w.XX * x.X}
	}
	return c.w.MulVec(x).Scale(c.soft)
}

// symmetric returns the symmetric part of σ C W, and what steers, as the preconditioner sees it.
func (c *coupled) symmetric() r3.Mat {
	switch c.state {
	case Stick:
		return c.w.Scale(c.soft)
	case Slide:
		var m r3.Mat
		m.XX = c.soft * c.w.XX
		m.AddOuter(c.turn, r3.Vec{Y: -c.t2, Z: c.t1}, r3.Vec{Y: -c.t2, Z: c.t1})
		return m
	}
	return r3.Mat{}
}

func (s *Nodal) prepareNewton(a *sparse.BSR) {
	s.foreign = true
	n := a.N
	s.rhs, s.delta = resized(s.rhs, n+s.set.Len()), resized(s.delta, n+s.set.Len())
	s.held, s.slides = resized(s.held, n), resized(s.slides, n)
	s.couplings, s.stopped = resized(s.couplings, s.set.Len()), resized(s.stopped, s.set.Len())
	clear(s.stopped)
	if s.assembleRows == nil {
		s.assembleRows, s.operateRows, s.projectRows = s.assemble, s.operate, s.project
		s.operateContacts, s.gatherRows, s.relieveContacts = s.operateEquations, s.gather, s.relieve
		s.apply, s.precondition = s.applyNewton, s.applyStep
	}
}

// forcing returns how far the linear solve of the next step is to go.
func (s *Nodal) forcing(settled bool) float64 {
	if settled || s.set.Len() <= mostOnPath {
		return newtonForcing
	}
	return unsettledForcing
}

// newtonStep moves v, and the impulses of coupled contacts, to the solution on the current sets, as far as the residual
// asks for.
func (s *Nodal) newtonStep(team *par.Team, residual, forcing float64) {
	s.chooseSets()
	s.linearStep(team, residual, forcing)
	s.advance()
}

// linearStep solves for δ. measure.balance must be that of the impulses for δ = 0.
func (s *Nodal) linearStep(team *par.Team, residual, forcing float64) {
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
		s.step.Update(team, s.matrix, s.held)
	}
	reduction := max(
		forcing*residual,
		0.1*s.given.target(),
	) / max(
		s.imbalanceOf(s.rhs[:s.a.N]),
		s.disobedience(),
		math.SmallestNonzeroFloat64,
	)
	s.out.Linear += s.gmres.solve(team, s.apply, s.precondition, s.rhs, s.delta, reduction, s.Linear)
}

// setsChanged tells whether a block or contact does something else than in the last step, and remembers what they do.
// While they do the same, S changes with the directions of slip alone, and the last preconditioner serves.
func (s *Nodal) setsChanged() bool {
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

func (s *Nodal) advance() {
	s.remember()
	for c := range s.couplings {
		if k := &s.couplings[c]; k.on {
			if r := k.now.Add(k.push(s.delta[s.a.N+c])).Add(k.steer(s.along(int32(c), s.delta))); r.Finite() {
				s.out.R[c] = r
			}
		}
	}
	for i := range s.a.N {
		if s.held[i] {
			continue
		}
		next := s.out.V[i].Add(s.delta[i])
		if s.slides[i].on {
			next = s.keepDirection(i, next)
		}
		if next.Finite() {
			s.out.V[i] = next
		}
	}
	for c := range s.couplings {
		s.stopReversed(c)
	}
}

// stop has a contact that would slide back stick in the next step.
func (s *Nodal) stop(c int) {
	if s.set.Contacts[c].Mu > 0 {
		s.out.State[c], s.stopped[c] = Stick, int32(s.out.Newton)
	}
}

// stopReversed stops a coupled contact that the step made slide back, by the impulse that does so if its blocks are
// alone.
func (s *Nodal) stopReversed(c int) {
	k := &s.couplings[c]
	if !k.on || k.state != Slide {
		return
	}
	u := s.measure.velocity(c)
	if u.Y*k.t1+u.Z*k.t2 >= 0 {
		return
	}
	s.stop(c)
	push := s.local[c].MulVec(r3.V(0, -u.Y, -u.Z))
	s.out.R[c] = s.out.R[c].Add(push)
	for _, t := range s.set.Row(c) {
		s.out.V[t.Block] = s.out.V[t.Block].Add(s.inverse[t.Block].MulVec(t.M.MulVecT(push)))
	}
}

// settle gives eliminated contacts the impulses that balance the new velocities, and tells whether the law at each
// contact, asked alone, would keep its state.
func (s *Nodal) settle(team *par.Team) bool {
	m := &s.measure
	team.For(s.a.N, measureGrain, m.rows)
	agreed := true
	s.disputed = s.disputed[:0]
	for c := range s.set.Contacts {
		if m.scale[c] == 0 || s.out.Infeasible[c] {
			continue
		}
		k := &s.set.Contacts[c]
		state := s.out.State[c]
		if block, alone := s.alone(c); alone {
			r := k.Frame.MulVec(m.balance[block])
			if block != k.A {
				r = r.Neg()
			}
			if state == TakeOff {
				r = r3.Vec{}
			}
			s.out.R[c] = r
		}
		if s.stopped[c] == int32(s.out.Newton) {
			agreed = false
			continue
		}
		u := m.velocity(c)
		trial := s.out.R[c].Sub(s.local[c].MulVec(u))
		if _, now := s.laws[c].Solve(trial, u); now != state && k.Mu > 0 || (now == TakeOff) != (state == TakeOff) {
			agreed = false
			s.disputed = append(s.disputed, int32(c))
		}
		if slip := math.Hypot(u.Y, u.Z); state == Slide && slip > 0 {
			s.out.R[c].Y, s.out.R[c].Z = -k.Mu*s.out.R[c].X*u.Y/slip, -k.Mu*s.out.R[c].X*u.Z/slip
		}
	}
	return agreed
}

// imbalanceOf returns the largest of x in m/s.
func (s *Nodal) imbalanceOf(x []r3.Vec) float64 {
	worst := 0.0
	for i := range x {
		worst = max(worst, x[i].Norm()/s.given.Mass[i])
	}
	return worst
}

// disobedience returns the largest velocity that the equations of coupled contacts are to change, in m/s.
func (s *Nodal) disobedience() float64 {
	worst := 0.0
	for c := range s.couplings {
		worst = max(worst, s.couplings[c].asked.Norm())
	}
	return worst
}

// along returns J_c x.
func (s *Nodal) along(c int32, x []r3.Vec) r3.Vec {
	var d r3.Vec
	row := s.set.Row(int(c))
	for k := range row {
		d = d.Add(row[k].M.MulVec(x[row[k].Block]))
	}
	return d
}

// keepDirection stops a sliding block that would slide back.
func (s *Nodal) keepDirection(i int, next r3.Vec) r3.Vec {
	c := s.touch[s.touchStart[i]]
	k := &s.set.Contacts[c]
	now := s.out.V[i]
	u := k.Frame.MulVecT(s.out.U[c]) // world axes
	if k.A != int32(i) {
		u = u.Neg() // velocity of the block itself against the other side
	}
	direction := u.Sub(s.slides[i].normal.Scale(u.Dot(s.slides[i].normal)))
	if after := u.Add(next.Sub(now)); direction == (r3.Vec{}) || after.Dot(direction) > 0 {
		return next
	}
	s.stop(int(c))
	return now.Sub(u)
}

// chooseSets says what each block and contact does in the step, from the states of the last sweep, and brings
// measure.balance to A v + b - Jᵀ r with the impulses r that do not depend on the step.
func (s *Nodal) chooseSets() {
	for i := range s.held {
		s.held[i] = s.isFixed(int32(i))
		s.slides[i].on = false
	}
	s.coupledCount = 0
	for c := range s.set.Contacts {
		k := &s.couplings[c]
		*k = coupled{}
		if s.measure.scale[c] == 0 {
			continue
		}
		s.out.U[c] = s.measure.velocity(c)
		held := r3.Vec{}
		if block, alone := s.alone(c); alone {
			s.eliminate(c, block)
		} else {
			s.couple(c)
			s.coupledCount++
			held = k.now
		}
		change := held.Sub(s.out.R[c])
		for _, t := range s.set.Row(c) {
			s.measure.balance[t.Block] = s.measure.balance[t.Block].Sub(t.M.MulVecT(change))
		}
	}
}

// alone returns the block of a nodal contact that has one free block with no other contact.
func (s *Nodal) alone(c int) (int32, bool) {
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
	return block, len(s.touching(block)) == 1 && s.partly(block) < 0
}

func (s *Nodal) eliminate(c int, block int32) {
	k := &s.set.Contacts[c]
	switch state := s.out.State[c]; {
	case state == Stick && k.Rubs():
		s.held[block] = true
	case state != TakeOff:
		u := s.out.U[c]
		on := slide{normal: k.Frame.MulVecT(r3.V(1, 0, 0)), mu: k.Mu, on: true}
		if slip := math.Hypot(u.Y, u.Z); slip > 0 {
			on.tangent = k.Frame.MulVecT(r3.V(0, u.Y/slip, u.Z/slip))
			on.turn = k.Mu * max(0, s.out.R[c].X) / slip
		}
		s.slides[block] = on
	}
}

// rho returns ρ of the steps on sets.
func (s *Nodal) rho() float64 {
	if len(s.list) > 0 {
		return gentle
	}
	return stiffening
}

func (s *Nodal) couple(c int) {
	k := &s.set.Contacts[c]
	u, r, w := s.out.U[c], s.out.R[c], &s.local[c]
	to := coupled{
		on:     true,
		state:  s.out.State[c],
		w:      *w,
		give:   s.give[c],
		weight: w.Trace() / 3,
		rho:    s.rho(),
		soft:   softening,
		mu:     k.Mu,
		now:    r,
	}
	if s.out.Infeasible[c] {
		to.state = TakeOff
		s.couplings[c] = to
		return
	}
	if to.state == Stick && !k.Rubs() {
		to.state = Slide
	}
	switch to.state {
	case TakeOff:
		to.now = r3.Vec{}
	case Slide:
		if slip := math.Hypot(u.Y, u.Z); slip > 0 {
			to.t1, to.t2 = u.Y/slip, u.Z/slip
			to.turn = k.Mu * max(0, r.X) / slip
		}
		to.now.Y, to.now.Z = -k.Mu*r.X*to.t1, -k.Mu*r.X*to.t2
	}
	to.asked = to.held(u).Neg()
	s.couplings[c] = to
}
