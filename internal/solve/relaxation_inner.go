// The inner loop of nested relaxation; symbols as in relaxation.go.
//
// Contact c feels w through G = ω Σ J_ci D_i J_ciᵀ. It is relaxed with the others held, either to the exact solution of
// its law (local.go), or as printed in section 5.5: three times along the normal, t₁ and t₂, each with the other two
// held, λ ≥ 0 and then |γ₁|, |γ₂| ≤ μ λ. That is a box: in a direction between t₁ and t₂ it holds up to √2 μ λ. What
// ties and what only pushes has the exact solution in both forms. A change of r moves the blocks of c by ω D_i J_ciᵀ
// Δr.

package solve

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// anticipation is where blocks would be taken, and the contacts there.
type anticipation struct {
	*system
	w    []r3.Vec // by block: the velocity that is anticipated
	push []r3.Vec // by block: Jᵀ r

	bodies     wholes
	unbalanced float64 // the residual of momentum where w begins [m/s]

	boxed   bool
	heading []r3.Vec // by contact: the cosine and sine of t₁ from the first tangent of the frame, in Y and Z
	gives   []r3.Mat // by contact: G of ω = 1 for the normal, t₁ and t₂
	star    []r3.Vec // v*

	linear          nearFree
	held            []bool
	load            []r3.Vec
	balanced, delta []r3.Vec

	ahead       func(lo, hi int)
	lawContacts func(lo, hi int) float64
	share       float64
}

func newAnticipation(s *system) anticipation {
	return anticipation{system: s, bodies: wholes{system: s}}
}

// begin prepares the problem at hand.
func (s *anticipation) begin(boxed bool, team *par.Team) {
	if s.ahead == nil {
		s.ahead, s.lawContacts = s.aheadRows, s.lawAll
	}
	s.boxed = boxed && s.rubs()
	s.w, s.push = resized(s.w, s.a.N), resized(s.push, s.a.N)
	if s.boxed {
		s.align(team)
	}
}

// rubs tells whether some contact has friction.
func (s *anticipation) rubs() bool {
	return slices.ContainsFunc(s.set.Contacts, func(c contact.Contact) bool { return c.Mu > 0 })
}

// anticipate finds w for the impulses at hand, of which the balance is known.
func (s *anticipation) anticipate(team *par.Team, omega float64) {
	if s.bodies.on {
		copy(s.w, s.out.V)
		if s.unbalanced > balancedShare*s.given.target() {
			s.bodies.settle(s.w)
		}
		return
	}
	s.share = omega
	team.For(s.a.N, measureGrain, s.ahead)
}

// balancedShare is the share of the target up to which velocities of whole bodies count as those of their impulses.
const balancedShare = 0.1

func (s *anticipation) aheadRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		s.w[i] = s.out.V[i].AddScaled(-s.share, s.inverse[i].MulVec(s.measure.balance[i]))
	}
}

// pass relaxes all contacts once. It returns the residuals that it found, and the largest change of a velocity.
func (s *anticipation) pass(omega float64) (rates, float64) {
	var sum rates
	largest := 0.0
	for c := range s.set.Contacts {
		if s.measure.scale[c] == 0 {
			continue
		}
		r := s.out.R[c]
		u := s.set.Contacts[c].Uf
		row := s.set.Row(c)
		for k := range row {
			u = u.Add(row[k].M.MulVec(s.w[row[k].Block]))
		}
		if s.local[c] == (r3.Mat{}) {
			continue
		}
		s.rate(c, u, &sum)
		if r == (r3.Vec{}) && u.X >= 0 && !s.laws[c].tied {
			s.out.State[c] = TakeOff
			continue
		}
		if s.bodies.on && !s.bodies.knows(c) {
			s.bodies.know(c)
			if s.boxed {
				s.turnGive(c)
			}
		}
		if s.boxed && !s.laws[c].tied {
			s.box(c, u, omega)
		} else {
			_, s.out.R[c], s.out.State[c] = s.asks(int32(c), u, omega)
		}
		change := s.out.R[c].Sub(r)
		if change == (r3.Vec{}) {
			continue
		}
		largest = max(largest, omega*s.give[c].Trace()/3*change.Norm())
		if s.bodies.on {
			s.bodies.move(c, change, s.w)
			continue
		}
		for k := range row {
			i := row[k].Block
			s.w[i] = s.w[i].AddScaled(omega, s.inverse[i].MulVec(row[k].M.MulVecT(change)))
		}
	}
	sum.normal, sum.friction = math.Sqrt(sum.normal), math.Sqrt(sum.friction)
	return sum, largest
}

// rate adds what contact c lacks at the velocity u to the squares of the residuals.
func (s *anticipation) rate(c int, u r3.Vec, sum *rates) {
	r := s.out.R[c].Scale(s.measure.scale[c])
	if s.laws[c].tied {
		tied, _ := split(u, s.set.Has(c))
		sum.normal += tied.Norm2()
		return
	}
	sum.deepest = min(sum.deepest, u.X)
	lacks := min(u.X, r.X)
	sum.normal += lacks * lacks
	far := s.frictionLacks(c, u, r)
	sum.friction += far * far
}

// frictionLacks returns how far the friction of contact c is from where its velocity would push it within its bounds;
// r is scaled to a velocity.
func (s *anticipation) frictionLacks(c int, u, r r3.Vec) float64 {
	bound := s.set.Contacts[c].Mu * max(r.X, 0)
	if s.boxed {
		u, r = s.turn(c, u), s.turn(c, r)
		return math.Hypot(r.Y-clamp(r.Y-u.Y, bound), r.Z-clamp(r.Z-u.Z, bound))
	}
	y, z := r.Y-u.Y, r.Z-u.Z
	if size := math.Hypot(y, z); size > bound {
		y, z = y*bound/size, z*bound/size
	}
	return math.Hypot(r.Y-y, r.Z-z)
}

// law returns the largest residual of the law, of the pyramid where that is used [m/s].
func (s *anticipation) law(team *par.Team) float64 { return team.Max(s.set.Len(), s.lawContacts) }

func (s *anticipation) lawAll(lo, hi int) float64 {
	worst := 0.0
	for c := lo; c < hi; c++ {
		if s.measure.scale[c] == 0 {
			continue
		}
		if !s.boxed || s.laws[c].tied {
			worst = max(worst, s.measure.law(c))
			continue
		}
		u, r := s.measure.velocity(c), s.out.R[c].Scale(s.measure.scale[c])
		worst = max(worst, math.Abs(min(u.X, r.X)), s.frictionLacks(c, u, r))
	}
	return worst
}

// rates returns what the paper's rule looks at, at the velocities at hand, of which the balance is known.
func (s *anticipation) rates() rates {
	var sum rates
	for c := range s.set.Contacts {
		if s.measure.scale[c] > 0 {
			s.rate(c, s.measure.velocity(c), &sum)
		}
	}
	for i, g := range s.measure.balance {
		if k := s.partly(int32(i)); k >= 0 {
			g = s.partials.along(k, g)
		}
		if !s.isFixed(int32(i)) {
			sum.momentum += g.Norm2() / s.given.Mass[i]
		}
	}
	sum.normal, sum.friction, sum.momentum = math.Sqrt(sum.normal), math.Sqrt(sum.friction), math.Sqrt(sum.momentum)
	return sum
}

const (
	// boxPasses is how often a contact is relaxed in a pass (step 3.2.1).
	boxPasses = 3
	// leastSlip is the unconstrained slip from which on the pyramid follows it [m/s].
	leastSlip = 1e-6
)

// balance writes the velocities at which blocks balance the impulses on them, if any, to out, to a tolerance [m/s].
func (s *anticipation) balance(team *par.Team, push []r3.Vec, tolerance float64, out []r3.Vec) {
	n := s.a.N
	s.held, s.load = resized(s.held, n), append(s.load[:0], s.b...)
	s.balanced, s.delta = resized(s.balanced, n), resized(s.delta, n)
	for i := range s.held {
		s.held[i] = !s.free(int32(i))
	}
	for i := range push {
		s.load[i] = s.load[i].Sub(push[i])
	}
	s.linear.Linear = Linear{Auto, tolerance, 5000}
	s.linear.Team, s.linear.mass, s.linear.fixed = team, s.given.Mass, s.held
	result, _ := s.linear.Near(s.a, s.load, s.out.V, s.balanced, s.delta, false) // it returns what it has
	s.out.Linear += result.Iterations
	Guide(s.a, s.load, s.list, s.out.V, s.balanced)
	for i := range s.balanced {
		if s.isFixed(int32(i)) {
			s.balanced[i] = s.out.V[i]
		}
	}
	copy(out, s.balanced)
}

// align finds the velocities without contact and turns the pyramids along them (section 3.4).
func (s *anticipation) align(team *par.Team) {
	contacts := s.set.Len()
	s.star = resized(s.star, s.a.N)
	s.balance(team, nil, leastSlip/10, s.star)
	s.heading, s.gives = resized(s.heading, contacts), resized(s.gives, contacts)
	for c := range contacts {
		u := s.set.Contacts[c].Uf.Add(s.system.along(int32(c), s.star))
		s.heading[c] = r3.V(0, 1, 0)
		if slip := math.Hypot(u.Y, u.Z); slip >= leastSlip {
			s.heading[c] = r3.V(0, u.Y/slip, u.Z/slip)
		}
		s.turnGive(c)
	}
}

// turnGive finds what contact c gives way by along its pyramid.
func (s *anticipation) turnGive(c int) {
	turn := r3.Rows(r3.V(1, 0, 0), s.heading[c], r3.V(0, -s.heading[c].Z, s.heading[c].Y))
	back := turn.T()
	g := turn.Mul(&s.give[c])
	s.gives[c] = g.Mul(&back)
}

// turn returns a vector of contact c along the normal, t₁ and t₂, and back turns it back.
func (s *anticipation) turn(c int, x r3.Vec) r3.Vec {
	a := s.heading[c]
	return r3.V(x.X, a.Y*x.Y+a.Z*x.Z, a.Y*x.Z-a.Z*x.Y)
}

func (s *anticipation) back(c int, x r3.Vec) r3.Vec {
	a := s.heading[c]
	return r3.V(x.X, a.Y*x.Y-a.Z*x.Z, a.Z*x.Y+a.Y*x.Z)
}

// box relaxes contact c, which moves at u, within its pyramid (steps 3.2.1.1 to 3.2.1.6).
func (s *anticipation) box(c int, u r3.Vec, omega float64) {
	g, mu := &s.gives[c], s.set.Contacts[c].Mu
	u, r := s.turn(c, u), s.turn(c, s.out.R[c])
	for range boxPasses {
		was := r
		r.X = max(0, r.X-u.X/(omega*g.XX))
		u = u.AddScaled(omega*(r.X-was.X), r3.V(g.XX, g.XY, g.XZ))
		bound := mu * r.X
		if mu > 0 {
			r.Y = clamp(r.Y-u.Y/(omega*g.YY), bound)
			u = u.AddScaled(omega*(r.Y-was.Y), r3.V(g.XY, g.YY, g.YZ))
			r.Z = clamp(r.Z-u.Z/(omega*g.ZZ), bound)
			u = u.AddScaled(omega*(r.Z-was.Z), r3.V(g.XZ, g.YZ, g.ZZ))
		} else {
			r.Y, r.Z = 0, 0
		}
	}
	bound := mu * r.X
	switch {
	case r.X == 0:
		s.out.State[c] = TakeOff
	case math.Abs(r.Y) < bound && math.Abs(r.Z) < bound:
		s.out.State[c] = Stick
	default:
		s.out.State[c] = Slide
	}
	s.out.R[c] = s.back(c, r)
}

// clamp returns x within [-bound, bound].
func clamp(x, bound float64) float64 { return max(-bound, min(bound, x)) }
