// An interior-point method, for problems whose contacts say the same: layers that lie on each other, things that are
// stacked, cloth between stiff bodies. Sets of contacts that hold and open have to be guessed there among many that are
// nearly as good; on the way through the interior no contact is in a set until the end, and contacts that depend on
// others share what they carry.
//
// The way is that of
//
//	A v + b = Jᵀ r,   r_N y = ν,   y = u_N,   x ∘ z = ν (1, 0, 0),   x = (μ r_N, r_T),   z = (σ, u_T),   ν → 0
//
// with positive r_N and y, and x and z inside of the cone of Lorentz (lorentz.go): at ν = 0 this is Coulomb's law, with
// σ = ‖u_T‖. The bound of friction follows the normal impulse, and nothing the other way round: where normals and
// tangents have little to do with each other, as in layers, the matrix of a step is all but triangular.
//
// A step is Newton's, with the correction of [Mehrotra92] in the normal part: first for ν = 0 and then for ν = (what is
// left along that)³. In the scaling of Nesterov and Todd, Q = W⁻², and with F_N = 1/(y/r_N + δ), F_T = (Q_TT + δ)⁻¹,
//
//	dr_N = F_N (ν/r_N - u_N - du_N),   dr_T = F_T (ν (x⁻¹)_T - u_T - du_T) - F_T Q_TN μ dr_N,   du = J dv,
//
// contacts are eliminated from A dv - Jᵀ dr = -(A v + b - Jᵀ r). GMRES solves this with an exact factor of A + Jᵀ F J,
// which lacks how friction follows its bound. δ is that of a proximal method: it bounds F, and vanishes as dr does.
//
// Only r_N and y bound the length of a step. The boundary of the cone is curved, so that friction that turns would be
// stopped by it long before the end; instead it is brought back inside after the step, and σ is made anew. Steps that
// make the residual grow are halved.
//
// The way ends short of the solution, where rounding stops it; the proximal method goes on from there, with a few
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
	// mostBlocked is how many short steps end the way, and shortStep how short these are.
	mostBlocked, shortStep = 4, 0.1
	// insideGain is the share to which the best has to fall to count as a gain.
	insideGain = 0.8
	// balanceShare is how much the balance counts beside the law where iterates are compared: what follows balances
	// within a step, and takes long to find the law.
	balanceShare = 1e-3
	// leastInside and furthestInside are how far inside of the cones the way begins at least and at most [m/s], between
	// them by insideShare of the residual of the guess.
	leastInside, furthestInside, insideShare = 1e-4, 1e-2, 0.1
	// endInside is the speed at which the way ends, where r_N over the stiffness of its contact and y both come to it
	// [m/s]. It does not depend on the residual asked for: friction comes right last.
	endInside = 1e-9
	// interiorForcing is newtonForcing for this method.
	interiorForcing = 1e-4
	// insideSlack is δ, over the stiffness of a contact.
	insideSlack = 1e-8
	// stayInside is the share of the way to where some r_N or y is zero that is gone.
	stayInside = 0.98
	// keptRoom is how near friction may come to its bound, over how near it is on the way.
	keptRoom = 0.5
	// freeShare is the share of the residual asked for that an impulse may make without being one.
	freeShare = 0.1
	// finishing is the number of Newton steps that the proximal method has to end.
	finishing = 100
	// nearEnough is the residual at the end of a way from which on the proximal method ends it where little time is to
	// be spent [m/s].
	nearEnough = 1e-4
	// fewestInside is the number of contacts from which on the method is tried without rigid bodies.
	fewestInside = 120
	// mostFactored is the number of blocks up to which the method is tried: an iteration takes 4 ms on 500 blocks and
	// 30 ms on 2,500.
	mostFactored = 4000
)

// ways are tried one after another until the problem is solved. Careful steps lead to the solution more often, and bold
// ones past places where these come to a stop. Most that stop gaining are near enough for what follows.
var ways = [...]struct {
	growth   float64 // of the residual in a step, at most
	patience int     // iterations in which the best does not gain, at most
}{{2, 5}, {2, mostInside}, {10, mostInside}}

// interior is the interior-point method.
type interior struct {
	*system
	op       *operator
	proximal *proximal

	depth      float64      // how far inside of the cones a way begins [m/s]
	brief      bool         // a way that does not end near the solution is the last
	y, dy      []float64    // by contact: u_N inside, and its change
	dr         []r3.Vec     // by contact: the change of its impulse
	parts      []insidePart // by contact
	nu         float64      // the mean of r_N y
	negligible float64      // ν that is as good as none
	changes    []r3.Vec     // by contact: of its impulse, along a vector of GMRES
	rhs, delta []r3.Vec     // by block
	pushed     []r3.Vec     // by block: what the factor is applied to

	start, best, stepped standing // before the way, the best on it, and before a step
	steppedY             []float64

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
	free     float64 // r_N that is as good as none
	velocity r3.Vec  // u
	short    float64 // what y lacks of u_N
	back     r3.Vec  // (x⁻¹)_T
	firm     r3.Mat  // F, of a tie the change of its impulse with u
	drag     r3.Vec  // -F_T Q_TN, how friction follows its bound
	standing r3.Vec  // dr for dv = 0
}

func newInterior(s *system, op *operator, p *proximal) *interior {
	n := &interior{system: s, op: op, proximal: p}
	n.changeContacts, n.operateRows = n.change, n.operate
	n.operateAll, n.preconditionAll = n.apply, n.precondition
	return n
}

// worthwhile tells whether the problem at hand is one of those that gain by the method.
func (s *interior) worthwhile() bool {
	return (s.many() || s.loose()) && s.a.N <= mostFactored
}

// comesFirst tells whether the method is tried as soon as sets do not settle: where there are many contacts and some
// are of rigid bodies, which are blocks without neighbours. Few of these contacts carry the rest, and many say the
// same. Where there are few, as in a grasp, what other methods find is nearer to the last step.
func (s *interior) comesFirst() bool { return s.many() && s.loose() }

// quick reports whether there are many contacts, and an iteration is cheap.
func (s *interior) quick() bool { return s.many() && s.a.N <= mostQuickly }

// many reports whether there are more contacts than those of a grasp.
func (s *interior) many() bool { return s.set.Len() >= fewestInside }

// loose tells whether some contact is of a block without neighbours.
func (s *interior) loose() bool {
	for c := range s.set.Contacts {
		for _, t := range s.set.Row(c) {
			if s.a.Start[t.Block+1] == s.a.Start[t.Block]+1 && !s.isFixed(t.Block) {
				return true
			}
		}
	}
	return false
}

// solve follows the way and ends with the proximal method; it tells whether the problem is solved. If not, it leaves
// what was better, what it found or what there was. A press divides its force among its contacts as it did in the last
// step, and not in the middle of what is possible; problems with one are left as they are.
func (s *interior) solve(team *par.Team) bool {
	if s.assess(team); len(s.list) > 0 {
		return false
	}
	before := s.out.Residual.Worst()
	// A few contacts, as of a grasp, share a force the same way only if all ways begin in the same place.
	s.depth = furthestInside
	if s.many() {
		s.depth = min(max(insideShare*before, leastInside), furthestInside)
	}
	s.start.keep(s.out)
	pre := s.op.pre
	s.op.pre = &s.op.direct
	done := false
	for k, way := range ways {
		if k == 0 && (s.brief || !s.many()) {
			continue // a way that is to end near the solution has patience
		}
		s.begin()
		done = s.follow(team, way.growth, way.patience)
		if s.brief && !done && !(s.out.Residual.Worst() <= nearEnough) {
			s.start.restore(s.out)
			break
		}
		done = done || s.proximal.solve(team, s.out.Newton+finishing)
		if done = done && s.proves(); done {
			break
		}
		if worst := s.out.Residual.Worst(); worst < before && s.proves() {
			before = worst
			s.start.keep(s.out)
		}
		s.start.restore(s.out)
		if s.spent() {
			break
		}
	}
	s.op.pre, s.op.foreign = pre, true
	if !done {
		s.assess(team)
	}
	return done
}

// begin places impulses and velocities inside.
func (s *interior) begin() {
	n, contacts := s.a.N, s.set.Len()
	s.y, s.dy, s.dr = resized(s.y, contacts), resized(s.dy, contacts), resized(s.dr, contacts)
	clear(s.dy) // a way that failed may leave what is not finite
	clear(s.dr)
	s.parts, s.changes = resized(s.parts, contacts), resized(s.changes, contacts)
	s.rhs, s.delta, s.pushed = resized(s.rhs, n), resized(s.delta, n), resized(s.pushed, n)
	s.negligible = math.Inf(1)
	for c := range contacts {
		stiff := s.local[c].Trace() / 3
		p := insidePart{
			on:    s.measure.scale[c] > 0 && !s.out.Bounded[c],
			tied:  s.laws[c].tied,
			mu:    s.set.Contacts[c].Mu,
			slack: insideSlack / stiff,
			free:  freeShare * s.given.target() * s.lightest(c),
		}
		s.parts[c] = p
		if p.obeys() {
			s.negligible = min(s.negligible, stiff*endInside*endInside)
			s.out.R[c].X = max(s.out.R[c].X, s.depth*stiff)
			s.y[c] = max(s.measure.velocity(c).X, s.depth)
		}
	}
	s.tidy()
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

// obeys tells whether the contact obeys Coulomb's law.
func (p *insidePart) obeys() bool { return p.on && !p.tied }

// follow iterates, and tells whether the solver is done. It leaves the best that was found.
func (s *interior) follow(team *par.Team, growth float64, patience int) bool {
	least, blocked, idle := math.Inf(1), 0, 0
	s.out.Residual = s.measure.measure(team)
	for range mostInside {
		// the best, and how long that has not gained
		worst := max(s.out.Residual.Law, balanceShare*s.out.Residual.Dynamics)
		if idle++; worst < insideGain*least {
			idle = 0
		}
		if worst < least {
			least = worst
			s.best.keep(s.out)
		}
		if s.out.Residual.Max() <= s.given.target() && s.offer(team) {
			return true
		}
		if idle == patience || s.spent() {
			break
		}
		// a step
		s.scale()
		s.factor(team)
		s.direction(team, 0, false)
		share := max(0, s.product(min(1, s.room()))/s.nu)
		s.direction(team, share*share*share*s.nu, true)
		length := s.move(team, min(1, stayInside*s.room()), growth)
		if length < shortStep {
			blocked++
		}
		if blocked == mostBlocked || !(length > 0) || s.nu < s.negligible {
			break
		}
	}
	s.best.restore(s.out)
	return s.assess(team)
}

// product returns the mean of r_N y after a share t of the step.
func (s *interior) product(t float64) float64 {
	sum, count := 0.0, 0.0
	for c := range s.parts {
		if s.parts[c].obeys() {
			sum += (s.out.R[c].X + t*s.dr[c].X) * (s.y[c] + t*s.dy[c])
			count++
		}
	}
	return sum / max(count, 1)
}

// tidy brings friction inside of its bound.
func (s *interior) tidy() {
	s.nu = s.product(0)
	for c := range s.parts {
		p := &s.parts[c]
		p.velocity = s.measure.velocity(c)
		if !p.obeys() {
			continue
		}
		r := &s.out.R[c]
		bound, slip := p.mu*r.X, math.Hypot(p.velocity.Y, p.velocity.Z)
		most := 0.0
		if p.mu > 0 {
			most = bound * (1 - keptRoom*(1-slip/sigma(s.nu/bound, slip)))
		}
		if friction := math.Hypot(r.Y, r.Z); friction > most {
			r.Y, r.Z = r.Y*most/friction, r.Z*most/friction
		}
	}
}

// sigma returns σ on the way, where x_T = -x_N z_T/σ and so σ² - excess σ = slip², with excess = ν/x_N.
func sigma(excess, slip float64) float64 { return excess/2 + math.Hypot(excess/2, slip) }

// offer has contacts do what the products come close to, and tells whether that solves the problem. Those that will
// open but still carry something hold for now.
func (s *interior) offer(team *par.Team) bool {
	s.stepped.keep(s.out)
	for c := range s.parts {
		p := &s.parts[c]
		if !p.obeys() {
			continue
		}
		r, stiff := s.out.R[c], insideSlack/p.slack
		friction, slip := math.Hypot(r.Y, r.Z), math.Hypot(p.velocity.Y, p.velocity.Z)
		switch {
		case r.X < min(p.free, stiff*s.y[c]):
			s.out.R[c], s.out.State[c] = r3.Vec{}, TakeOff
		case p.mu*r.X-friction > stiff*slip:
			s.out.State[c] = Stick
		default:
			s.out.State[c] = Slide
		}
	}
	if s.assess(team) {
		return true
	}
	s.stepped.restore(s.out)
	s.out.Residual = s.measure.measure(team)
	return false
}

// scale prepares an iteration.
func (s *interior) scale() {
	for c := range s.parts {
		p := &s.parts[c]
		s.op.couplings[c] = coupled{on: p.on}
		if !p.on {
			continue
		}
		if p.tied {
			p.firm = s.local[c].Scale(stiffening)
			continue
		}
		r, u := s.out.R[c], p.velocity
		p.short = u.X - s.y[c]
		p.firm, p.drag, p.back = r3.Mat{XX: 1 / (s.y[c]/r.X + p.slack)}, r3.Vec{}, r3.Vec{}
		if p.mu == 0 {
			continue
		}
		x := r3.V(p.mu*r.X, r.Y, r.Z)
		excess, det := s.nu/x.X, determinant(x)
		z := r3.V(sigma(excess, math.Hypot(u.Y, u.Z)), u.Y, u.Z)
		square, middle := middleOf(x, z, det, excess*z.X)
		p.back = r3.V(0, -r.Y/det, -r.Z/det)
		p.rub(square, middle)
	}
}

// rub finds how friction changes, from W² = square (2 m mᵀ - diag(1, -1, -1)).
func (p *insidePart) rub(square float64, m r3.Vec) {
	across := math.Hypot(m.Y, m.Z)
	along, aside := 1/((1+2*across*across)/square+p.slack), 1/(1/square+p.slack)
	t := r3.V(0, 1, 0)
	if across > 0 {
		t = r3.V(0, m.Y/across, m.Z/across)
	}
	side := r3.V(0, -t.Z, t.Y)
	p.firm.AddOuter(along, t, t)
	p.firm.AddOuter(aside, side, side)
	p.drag = t.Scale(along * 2 * m.X * across / square)
}

// factor makes A + Jᵀ F J and its factor.
func (s *interior) factor(team *par.Team) {
	s.out.Newton++
	s.op.release()
	s.op.extendPattern()
	team.For(s.a.N, nodeGrain, s.op.assembleRows)
	for c := range s.parts {
		if s.parts[c].on {
			s.op.addCoupling(c, &s.parts[c].firm)
		}
	}
	s.op.pre.Update(team, s.op.matrix, s.op.held)
}

// direction solves for changes that lead to ν. Equations are divided by the masses, so that GMRES measures in m/s.
func (s *interior) direction(team *par.Team, nu float64, corrected bool) {
	copy(s.rhs, s.measure.balance)
	for c := range s.parts {
		p := &s.parts[c]
		if !p.on {
			continue
		}
		if p.tied {
			p.standing = p.firm.MulVec(p.velocity).Neg()
		} else {
			s.stand(c, nu, corrected)
		}
		for _, t := range s.set.Row(c) {
			s.rhs[t.Block] = s.rhs[t.Block].Sub(t.M.MulVecT(p.standing))
		}
	}
	largest := math.SmallestNonzeroFloat64
	for i := range s.rhs {
		if s.op.held[i] {
			s.rhs[i] = r3.Vec{}
			continue
		}
		s.rhs[i] = s.rhs[i].Scale(-1 / s.given.Mass[i])
		largest = max(largest, s.rhs[i].Norm())
	}
	clear(s.delta)
	reduction := max(interiorForcing*s.out.Residual.Worst(), 0.1*s.given.target()) / largest
	s.out.Linear += s.op.gmres.solve(
		team, s.operateAll, s.preconditionAll, s.rhs, s.delta, min(reduction, 0.1), s.op.most)
	for c := range s.parts {
		if p := &s.parts[c]; p.on {
			moved := s.along(int32(c), s.delta)
			s.dr[c] = p.standing.Sub(p.resists(moved))
			s.dy[c] = moved.X + p.short + p.slack*s.dr[c].X
		}
	}
}

// stand finds dr of contact c for dv = 0.
func (s *interior) stand(c int, nu float64, corrected bool) {
	p := &s.parts[c]
	to := nu
	if corrected {
		to -= s.dr[c].X * s.dy[c]
	}
	p.standing = p.firm.MulVec(r3.V(
		to/s.out.R[c].X-p.velocity.X,
		nu*p.back.Y-p.velocity.Y,
		nu*p.back.Z-p.velocity.Z,
	))
	p.standing = p.standing.AddScaled(p.mu*p.standing.X, p.drag)
}

// resists returns what the impulse loses as the velocity changes by u.
func (p *insidePart) resists(u r3.Vec) r3.Vec {
	r := p.firm.MulVec(u)
	if p.tied {
		return r
	}
	return r.AddScaled(p.mu*r.X, p.drag)
}

// room returns how much of the step all contacts can make.
func (s *interior) room() float64 {
	t := math.Inf(1)
	for c := range s.parts {
		if !s.parts[c].obeys() {
			continue
		}
		if s.dr[c].X < 0 {
			t = min(t, -s.out.R[c].X/s.dr[c].X)
		}
		if s.dy[c] < 0 {
			t = min(t, -s.y[c]/s.dy[c])
		}
	}
	return t
}

// move makes a share t of the step, or less if the residual or ν would grow by more than told, and returns the share.
func (s *interior) move(team *par.Team, t, growth float64) float64 {
	worst, nu := s.out.Residual.Worst(), s.nu
	s.stepped.keep(s.out)
	s.steppedY = append(s.steppedY[:0], s.y...)
	for k := 0; ; k++ {
		for i := range s.delta {
			if !s.op.held[i] {
				s.out.V[i] = s.out.V[i].AddScaled(t, s.delta[i])
			}
		}
		for c := range s.parts {
			if s.parts[c].on {
				s.out.R[c] = s.out.R[c].AddScaled(t, s.dr[c])
				s.y[c] += t * s.dy[c]
			}
		}
		s.tidy()
		s.out.Residual = s.measure.measure(team)
		if s.out.Residual.Worst() < growth*worst && s.nu < growth*nu {
			return t
		}
		if k == halvings {
			break
		}
		s.stepped.restore(s.out)
		copy(s.y, s.steppedY)
		t /= 2
	}
	if math.IsNaN(s.out.Residual.Worst()) {
		return 0
	}
	return t
}

// apply computes y = M⁻¹ (A + Jᵀ K J) x, K what resists.
func (s *interior) apply(team *par.Team, x, y []r3.Vec) {
	s.from, s.to = x, y
	team.For(len(s.parts), nodeGrain, s.changeContacts)
	team.For(s.a.N, nodeGrain, s.operateRows)
}

func (s *interior) change(lo, hi int) {
	for c := lo; c < hi; c++ {
		s.changes[c] = r3.Vec{}
		if p := &s.parts[c]; p.on {
			s.changes[c] = p.resists(s.along(int32(c), s.from))
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
		s.to[i] = sum.Scale(1 / s.given.Mass[i])
	}
}

func (s *interior) precondition(team *par.Team, x, y []r3.Vec) {
	for i := range x {
		s.pushed[i] = x[i].Scale(s.given.Mass[i])
	}
	s.op.pre.Apply(team, s.pushed, y)
}
