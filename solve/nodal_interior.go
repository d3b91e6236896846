// An interior-point method, for problems whose contacts say the same: layers that lie on each other, things that are
// stacked. Sets of contacts that hold and open have to be guessed there among many that are nearly as good; on the way
// through the interior no contact is in a set until the end, and contacts that depend on others share what they carry.
//
// In the coordinates x = (μ r_N, r_T) and z = (u_N/μ + ‖u_T‖, u_T) of [DeSaxce98] Coulomb's law is that x and z are in
// the cone of Lorentz (lorentz.go) and complementary, and with
//
//	A v + b = Jᵀ r,   x ∘ z = ν (1, 0, 0),   ν → 0,
//
// there is a way to the solution on which both stay inside. For given ‖u_T‖ in z this is a convex problem of
// second-order cones [Acary11]; here ‖u_T‖ follows v from one iteration to the next and, near the end, within one.
//
// A step is Newton's, in the scaling of Nesterov and Todd and with the correction of [Mehrotra92]: with λ = W z = W⁻¹ x
// and dx, dz first for ν = 0 and then for ν = (what is left along that)³, to which the product of the first is added,
//
//	W⁻¹ dx + W dz = λ \ (ν (1, 0, 0) - λ ∘ λ - (W⁻¹ dx₁) ∘ (W dz₁)) = d,   dz = Y J dv + short + δ dx,
//
// where Y is ∂z/∂u and short what z lacks of the velocity that there is. With F = (W⁻² + δ)⁻¹ contacts are eliminated,
//
//	(A + Jᵀ F Y J) dv = -(A v + b - Jᵀ r) + Jᵀ F (W⁻¹ d - short),
//
// and X = diag(μ, 1, 1) takes impulses to x. This is not symmetric where ‖u_T‖ follows v; GMRES solves it with an exact
// factor of its symmetric part. δ is that of a proximal method: it bounds F, keeps the factor from breaking down and
// vanishes as dx does.
//
// The way ends short of the solution, where W is all but singular; the proximal method goes on from there, with a few
// steps, since its multipliers are all but right.

package solve

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

const (
	// mostInside bounds the iterations; most problems take 6 to 20.
	mostInside = 40
	// mostIdle is how many iterations may pass without a smaller residual.
	mostIdle = 6
	// startInside is how far inside of the cones the way begins [m/s].
	startInside = 1e-2
	// nearEnough is the residual at which the proximal method takes over [m/s].
	nearEnough = 1e-9
	// slipFollows is the residual below which slip follows v within an iteration [m/s]. Before, its direction means
	// little, and iterations without it are cheaper.
	slipFollows = 1e-3
	// interiorForcing is newtonForcing for this method.
	interiorForcing = 1e-4
	// insideSlack is δ, over the stiffness of a contact.
	insideSlack = 1e-8
	// stayInside is the share of the way to the boundary of a cone that is gone.
	stayInside = 0.98
	// freeShare is the share of the residual asked for that an impulse may make without being one.
	freeShare = 0.1
	// finishing is the number of Newton steps that the proximal method has to end.
	finishing = 100
	// fewestInside is the number of contacts from which on the method is tried.
	fewestInside = 120
	// mostFactored is the number of blocks up to which the method is tried: an iteration takes 4 ms on 500 blocks and
	// 30 ms on 2,500.
	mostFactored = 4000
)

// interior is the interior-point method.
type interior struct {
	*system
	op       *operator
	proximal *proximal

	x, z, dx, dz []r3.Vec     // by contact
	parts        []insidePart // by contact
	changes      []r3.Vec     // by contact: of its impulse, along a vector of GMRES
	rhs, delta   []r3.Vec     // by block
	before       standing

	from, to                    []r3.Vec
	changeContacts, operateRows func(lo, hi int)
	operateAll, preconditionAll func(team *par.Team, x, y []r3.Vec)
}

// insidePart is what an iteration has prepared for a contact.
type insidePart struct {
	on       bool // neither idle nor infeasible
	tied     bool
	mu       float64
	slack    float64 // δ
	free     float64 // x_N that is as good as none
	w, back  r3.Mat  // W and its inverse
	firm     r3.Mat  // F, of a tie the change of its impulse with u
	slope    r3.Vec  // ∂‖u_T‖/∂u_T
	short    r3.Vec
	standing r3.Vec // dx for dv = 0, of a tie the change of its impulse
}

func newInterior(s *system, op *operator, p *proximal) *interior {
	n := &interior{system: s, op: op, proximal: p}
	n.changeContacts, n.operateRows = n.change, n.operate
	n.operateAll, n.preconditionAll = n.apply, n.precondition
	return n
}

// worthwhile tells whether the problem at hand has the size of those that gain by the method.
func (s *interior) worthwhile() bool { return s.set.Len() >= fewestInside && s.a.N <= mostFactored }

// comesFirst tells whether the method is tried before others: where most contacts are of blocks without neighbours,
// those of rigid bodies, of which few carry the rest and many say the same. There its factor costs next to nothing.
func (s *interior) comesFirst() bool {
	alone := 0
	for c := range s.set.Contacts {
		if a := s.set.Contacts[c].A; s.a.Start[a+1] == s.a.Start[a]+1 {
			alone++
		}
	}
	return 2*alone > s.set.Len()
}

// solve follows the way and ends with the proximal method; it tells whether the problem is solved. If not, it leaves
// what was better, what it found or what there was. A press divides its force among its contacts as it did in the last
// step, and not in the middle of what is possible; problems with one are left as they are.
func (s *interior) solve(team *par.Team) bool {
	if s.assess(team); len(s.list) > 0 {
		return false
	}
	start := s.out.Residual.Worst()
	s.before.keep(s.out)
	pre := s.op.pre
	s.op.pre = &s.op.direct
	s.begin()
	done := s.follow(team)
	if !done {
		done = s.proximal.solve(team, s.out.Newton+finishing)
	}
	s.op.pre, s.op.foreign = pre, true
	if done = done && !math.IsNaN(s.out.Residual.Worst()); !done && !(s.out.Residual.Worst() < start) {
		s.before.restore(s.out)
		s.assess(team)
	}
	return done
}

// begin places x and z inside of their cones.
func (s *interior) begin() {
	n, contacts := s.a.N, s.set.Len()
	s.x, s.z = resized(s.x, contacts), resized(s.z, contacts)
	s.dx, s.dz, s.changes = resized(s.dx, contacts), resized(s.dz, contacts), resized(s.changes, contacts)
	s.parts = resized(s.parts, contacts)
	s.rhs, s.delta = resized(s.rhs, n), resized(s.delta, n)
	for c := range contacts {
		stiff := s.local[c].Trace() / 3
		p := insidePart{
			on:    s.measure.scale[c] > 0 && !s.out.Infeasible[c],
			tied:  s.laws[c].tied,
			mu:    s.set.Contacts[c].Mu,
			slack: insideSlack / stiff,
			free:  freeShare * s.given.target() * s.lightest(c),
		}
		s.parts[c] = p
		if !p.on || p.tied {
			continue
		}
		x, z := s.out.R[c], p.position(s.measure.velocity(c))
		if x.X *= p.unit(); p.mu == 0 {
			x.Y, x.Z = 0, 0
		}
		x.X = max(x.X, math.Hypot(x.Y, x.Z)+startInside*stiff)
		z.X = max(z.X, math.Hypot(z.Y, z.Z)+startInside)
		s.x[c], s.z[c] = x, z
	}
}

// lightest returns the smallest mass of a block that contact c moves.
func (s *interior) lightest(c int) float64 {
	mass := math.Inf(1)
	for _, t := range s.set.Row(c) {
		if !s.isFixed(t.Block) {
			mass = min(mass, s.given.Mass[t.Block])
		}
	}
	return mass
}

// unit returns x_N/r_N.
func (p *insidePart) unit() float64 {
	if p.mu == 0 {
		return 1
	}
	return p.mu
}

// position returns z at the velocity u.
func (p *insidePart) position(u r3.Vec) r3.Vec {
	if p.mu == 0 {
		return r3.V(u.X, 0, 0)
	}
	return r3.V(u.X/p.mu+math.Hypot(u.Y, u.Z), u.Y, u.Z)
}

// moves returns Y x: what z does as u changes by x.
func (p *insidePart) moves(x r3.Vec) r3.Vec {
	if p.mu == 0 {
		return r3.V(x.X, 0, 0)
	}
	return r3.V(x.X/p.mu+p.slope.Dot(x), x.Y, x.Z)
}

// impulse returns X⁻¹ x.
func (p *insidePart) impulse(x r3.Vec) r3.Vec {
	if p.mu == 0 {
		return r3.V(x.X, 0, 0)
	}
	return r3.V(x.X/p.mu, x.Y, x.Z)
}

// symmetric returns the symmetric part of X⁻¹ F Y, without what slip does.
func (p *insidePart) symmetric() r3.Mat {
	m := p.firm
	switch {
	case p.tied:
	case p.mu == 0:
		m = r3.Mat{XX: m.XX}
	default:
		m.XX, m.XY, m.XZ = m.XX/p.mu, m.XY/p.mu, m.XZ/p.mu
		m.XX, m.YX, m.ZX = m.XX/p.mu, m.YX/p.mu, m.ZX/p.mu
	}
	return m
}

// follow iterates, and tells whether the solver is done.
func (s *interior) follow(team *par.Team) bool {
	least, idle := math.Inf(1), 0
	for range mostInside {
		gap, count := s.gap(0)
		worst := s.carry(team)
		if worst <= s.given.target() {
			if s.offer(team) {
				return true
			}
			s.carry(team)
		}
		if worst < progress*least {
			least, idle = worst, 0
		} else {
			idle++
		}
		if worst <= nearEnough || idle == mostIdle || count == 0 {
			break
		}
		s.scale(worst)
		s.factor(team)
		s.direction(team, 0, false)
		after, _ := s.gap(min(1, s.room()))
		share := max(0, after/gap)
		s.direction(team, share*share*share*gap/count, true)
		s.move(min(1, stayInside*s.room()))
	}
	return false
}

// gap returns the sum of x·z after a share t of the step, and of how many contacts.
func (s *interior) gap(t float64) (sum, count float64) {
	for c := range s.parts {
		if p := &s.parts[c]; p.on && !p.tied {
			sum += s.x[c].AddScaled(t, s.dx[c]).Dot(s.z[c].AddScaled(t, s.dz[c]))
			count++
		}
	}
	return sum, count
}

// carry has impulses be those of x, and returns the residual.
func (s *interior) carry(team *par.Team) float64 {
	for c := range s.parts {
		if p := &s.parts[c]; p.on && !p.tied {
			s.out.R[c] = p.impulse(s.x[c])
		}
	}
	s.out.Residual = s.measure.measure(team)
	return s.out.Residual.Worst()
}

// offer has contacts do what x and z come close to, and tells whether that solves the problem. Those that will open but
// still carry something hold for now.
func (s *interior) offer(team *par.Team) bool {
	for c := range s.parts {
		p := &s.parts[c]
		if !p.on || p.tied {
			continue
		}
		x, z, stiff := s.x[c], s.z[c], insideSlack/p.slack
		pressed, slip := math.Hypot(x.Y, x.Z), math.Hypot(z.Y, z.Z)
		s.out.R[c] = p.impulse(x)
		switch {
		case x.X < min(p.free, stiff*(z.X-slip)):
			s.out.R[c], s.out.State[c] = r3.Vec{}, TakeOff
		case x.X-pressed > stiff*slip:
			s.out.State[c] = Stick
		default:
			s.out.State[c] = Slide
		}
	}
	return s.assess(team)
}

// scale prepares an iteration at the given residual.
func (s *interior) scale(residual float64) {
	for c := range s.parts {
		p := &s.parts[c]
		s.op.couplings[c] = coupled{on: p.on}
		if !p.on {
			continue
		}
		u := s.measure.velocity(c)
		if p.tied {
			p.firm = s.local[c].Scale(stiffening)
			continue
		}
		p.slope = r3.Vec{}
		if slip := math.Hypot(u.Y, u.Z); slip > 0 && residual < slipFollows {
			p.slope = r3.V(0, u.Y/slip, u.Z/slip)
		}
		p.short = p.position(u).Sub(s.z[c])
		p.w, p.back = scaling(s.x[c], s.z[c])
		loose := p.back.Mul(&p.back)
		loose.AddDiagonal(p.slack)
		p.firm = safeInverse(&loose)
	}
}

// factor makes S and its factor.
func (s *interior) factor(team *par.Team) {
	s.out.Newton++
	s.op.release()
	s.op.extendPattern()
	team.For(s.a.N, nodeGrain, s.op.assembleRows)
	for c := range s.parts {
		if s.parts[c].on {
			m := s.parts[c].symmetric()
			s.op.addCoupling(c, &m)
		}
	}
	s.op.pre.Update(team, s.op.matrix, s.op.held)
}

// direction solves for dv, dx and dz that lead to ν.
func (s *interior) direction(team *par.Team, nu float64, corrected bool) {
	copy(s.rhs, s.measure.balance)
	for c := range s.parts {
		p := &s.parts[c]
		if !p.on {
			continue
		}
		var push r3.Vec
		if p.tied {
			p.standing = p.firm.MulVec(s.measure.velocity(c)).Neg()
			push = p.standing
		} else {
			p.standing = p.firm.MulVec(p.back.MulVec(s.toward(c, nu, corrected)).Sub(p.short))
			push = p.impulse(p.standing)
		}
		for _, t := range s.set.Row(c) {
			s.rhs[t.Block] = s.rhs[t.Block].Sub(t.M.MulVecT(push))
		}
	}
	for i := range s.rhs {
		s.rhs[i] = s.op.constrain(i, s.rhs[i]).Neg()
	}
	clear(s.delta)
	s.out.Linear += s.op.gmres.solve(
		team, s.operateAll, s.preconditionAll, s.rhs, s.delta, interiorForcing, s.op.most)
	for c := range s.parts {
		if p := &s.parts[c]; p.on {
			moved := s.along(int32(c), s.delta)
			if p.tied {
				s.dx[c] = p.standing.Sub(p.firm.MulVec(moved))
				continue
			}
			moved = p.moves(moved)
			s.dx[c] = p.standing.Sub(p.firm.MulVec(moved))
			s.dz[c] = moved.Add(p.short).AddScaled(p.slack, s.dx[c])
		}
	}
}

// toward returns d.
func (s *interior) toward(c int, nu float64, corrected bool) r3.Vec {
	p := &s.parts[c]
	lambda := p.w.MulVec(s.z[c])
	to := r3.V(nu, 0, 0).Sub(jordan(lambda, lambda))
	if corrected {
		to = to.Sub(jordan(p.back.MulVec(s.dx[c]), p.w.MulVec(s.dz[c])))
	}
	return divide(to, lambda)
}

// room returns how much of the step all contacts can make.
func (s *interior) room() float64 {
	t := math.Inf(1)
	for c := range s.parts {
		if p := &s.parts[c]; p.on && !p.tied {
			t = min(t, wayOut(s.x[c], s.dx[c]), wayOut(s.z[c], s.dz[c]))
		}
	}
	return t
}

// move makes a share of the step.
func (s *interior) move(t float64) {
	for i := range s.delta {
		if next := s.out.V[i].AddScaled(t, s.delta[i]); next.Finite() && !s.op.held[i] {
			s.out.V[i] = next
		}
	}
	for c := range s.parts {
		switch p := &s.parts[c]; {
		case !p.on:
		case p.tied:
			s.out.R[c] = s.out.R[c].AddScaled(t, s.dx[c])
		default:
			s.x[c], s.z[c] = s.x[c].AddScaled(t, s.dx[c]), s.z[c].AddScaled(t, s.dz[c])
		}
	}
}

// apply computes y = (A + Jᵀ X⁻¹ F Y J) x.
func (s *interior) apply(team *par.Team, x, y []r3.Vec) {
	s.from, s.to = x, y
	team.For(len(s.parts), nodeGrain, s.changeContacts)
	team.For(s.a.N, nodeGrain, s.operateRows)
}

func (s *interior) change(lo, hi int) {
	for c := lo; c < hi; c++ {
		p := &s.parts[c]
		s.changes[c] = r3.Vec{}
		switch {
		case !p.on:
		case p.tied:
			s.changes[c] = p.firm.MulVec(s.along(int32(c), s.from))
		default:
			s.changes[c] = p.impulse(p.firm.MulVec(p.moves(s.along(int32(c), s.from))))
		}
	}
}

func (s *interior) operate(lo, hi int) {
	for i := lo; i < hi; i++ {
		s.to[i] = r3.Vec{}
		if s.op.held[i] {
			continue
		}
		sum := s.a.MulRow(i, s.from)
		for at, c := range s.contactsOf(int32(i)) {
			sum = sum.Add(s.term(int32(i), at).M.MulVecT(s.changes[c]))
		}
		s.to[i] = sum
	}
}

func (s *interior) precondition(team *par.Team, x, y []r3.Vec) { s.op.pre.Apply(team, x, y) }
