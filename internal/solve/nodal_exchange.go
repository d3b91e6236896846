// Exchange of a basis, where contacts say the same. Layers that lie on each other have more contacts than their nodes
// can obey one by one: normals are dependent, and what they ask for disagrees by what gaps do. The answer holds about
// as many contacts as the rank, and the others open by a little. Until the right ones do, Newton steps move the
// impulses along the null space of Jᵀ instead of the velocities (nodal_drift.go); with tens of contacts that have to
// open, that ends nowhere.
//
// So the sets are solved on a basis B of contacts with independent normals (nodal_basis.go). Contacts outside have no
// impulse and are not looked at; they are marked as infeasible ones are. Then contacts of B that opened leave it, and
// those outside that are violated, u_N < 0, enter it. If c depends on B, n_c = Σ α_k n_k, one leaves for it as in the
// simplex method: the blocks do not feel an impulse t at c with r_k - α_k t at the others, and the first of these to be
// zero opens, that of the smallest r_k/α_k with α_k > 0. If there is none, c contradicts B by Farkas' lemma. At the end
// nothing outside is violated, and contacts of B alone carry impulses.
//
// Friction goes along: c gets what the others lose. The next basis is solved to a share of the violation that is left,
// since most of them are not the last. Where the number of violated contacts does not fall, they enter by their index
// and not the worst first, which keeps exchanges from going round in circles [Bland77].

package solve

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

const (
	// fewestOnBasis is the number of contacts from which on there may be a basis.
	fewestOnBasis = 120
	// mostExchanges bounds the rounds of exchanges.
	mostExchanges = 30
	// firstViolation is what contacts outside of the first basis are taken to be violated by [m/s].
	firstViolation = 1e-2
	// tooFar is the residual of a basis that was not solved on from which on others are not tried [m/s]: where much is
	// hit at once it is friction that does not settle, which sweeps are better at.
	tooFar = 0.1
	// looseShare is the share of the last worst violation to which the next basis is solved.
	looseShare = 0.03
	// boldRounds is the number of rounds in which exchanges may share blocks.
	boldRounds = 2
	// mostUnsolved is the number of bases that may not be solved on before other methods are tried.
	mostUnsolved = 2
	// mostLinear is the number of iterations a Newton step, on all contacts, from which on bases are left for last. On
	// them contacts are stiffer, and linear solves that are hard without would not be finished: in layers that lie flat
	// and stick they take 35, and the proximal method is quicker; in those that hang over something they take 11.
	mostLinear = 25
	// mostReturns is how often contacts may leave for each other before they are taken to be independent.
	mostReturns = 2
	// mostTries is how often a basis is solved on that is the last one but does not converge.
	mostTries = 3
	// mostEntered is the number of contacts that enter before the basis is factored anew.
	mostEntered = 48
	// leastShare is the smallest α for which a contact can be the one that leaves.
	leastShare = 0.02
	// noShare is an α that is rounding.
	noShare = 1e-6
)

// exchange is the working set of a problem whose contacts are not independent.
type exchange struct {
	*system
	*normals
	sets *sets

	possible bool

	closer ContactProblem // the problem with the tolerance of the round
	start  standing
	key    []float64 // by contact: the lower enters first
	enters []int32   // contacts that are to enter
	left   []int32   // places that left in this round
	gone   []int32   // by contact: how often it left for another
	round  int32     // from 1
	seen   []int32   // by block: the last round in which an exchange touched it
}

// begin tells whether the problem at hand may be solved on a basis. A press divides its force among its contacts as it
// did in the last step, and not among as few as possible. Contacts with obstacles alone depend on each other only where
// they are of one block, for which sweeps are quicker. Contacts that are known to contradict others have no basis.
func (x *exchange) begin() {
	x.possible = x.set.Len() >= fewestOnBasis && len(x.list) == 0 && !x.bounds() &&
		slices.ContainsFunc(x.set.Contacts, func(c contact.Contact) bool { return c.B != contact.None })
}

// promising tells whether bases are to be tried before other methods.
func (x *exchange) promising() bool { return x.possible && x.out.Linear <= mostLinear*x.out.Newton }

// solve exchanges the basis until the problem is solved or so many could not be solved on, and tells whether it is;
// else what was better is left. alternate solves on the basis at hand and tells whether it is done.
func (x *exchange) solve(team *par.Team, alternate func(team *par.Team) bool, unsolved int) bool {
	if !x.possible || x.bounds() || !x.normals.begin() {
		return false
	}
	before := x.measure.measure(team).Worst()
	x.start.keep(x.out)
	given, steps := x.given, x.sets.most
	x.closer = *given
	first := x.out.Newton
	x.given, x.sets.onBasis, x.sets.most = &x.closer, true, first+steps
	x.choose()
	x.exchange(team, alternate, given.target(), unsolved)
	// What comes after has as many steps as without a basis.
	x.given, x.sets.onBasis, x.sets.most = given, false, steps+x.out.Newton-first
	clear(x.out.Bounded)
	done := x.assess(team) && !math.IsNaN(x.out.Residual.Worst())
	if !done && !(x.out.Residual.Worst() < before) {
		x.start.restore(x.out)
		x.assess(team)
	}
	return done
}

func (x *exchange) exchange(team *par.Team, alternate func(team *par.Team) bool, target float64, most int) {
	worst, fewest, tries, unsolved := firstViolation, math.MaxInt, 0, 0
	clear(x.seen)
	clear(x.gone)
	for x.round = 1; x.round <= mostExchanges && x.out.Newton < x.sets.most && !x.spent(); x.round++ {
		x.mask()
		aim := max(target, looseShare*worst)
		x.closer.Tolerance, x.closer.Floor = aim, 0
		solved := alternate(team) && x.out.Residual.Worst() <= aim
		if !solved {
			unsolved++
		}
		if !solved && x.out.Residual.Worst() > tooFar || unsolved == most {
			return
		}
		x.dropOpen()
		worst = x.findViolated(0.5 * aim)
		if worst <= target && aim <= target {
			if tries++; solved || tries == mostTries {
				return
			}
			continue
		}
		if len(x.enters) == 0 {
			continue
		}
		if len(x.enters) >= fewest && x.round > boldRounds {
			slices.Sort(x.enters)
		}
		fewest = min(fewest, len(x.enters))
		if !x.takeIn() {
			return // contradictions are for others to judge
		}
	}
}

// choose makes the first basis: contacts that carried impulses in the guess or are with obstacles, then the others that
// hold, the most violated or loaded first.
func (x *exchange) choose() {
	x.key, x.gone, x.seen = resized(x.key, x.set.Len()), resized(x.gone, x.set.Len()), resized(x.seen, x.a.N)
	x.enters = x.enters[:0]
	for _, c := range x.order {
		switch {
		case x.out.State[c] == TakeOff:
		case x.begun[c].X > 0 || x.set.Contacts[c].B == contact.None:
			x.in[c] = true
		default:
			x.key[c] = x.measure.velocity(int(c)).X - x.measure.scale[c]*x.out.R[c].X
			x.enters = append(x.enters, c)
		}
	}
	x.factor()
	x.sortEntering()
	for _, c := range x.enters {
		x.refactor()
		x.enter(c)
	}
}

// refactor takes what entered into the factor, if that is much: each contact is compared with all of it.
func (x *exchange) refactor() {
	if len(x.entered) >= mostEntered {
		x.factor()
		x.left = x.left[:0]
	}
}

func (x *exchange) sortEntering() {
	slices.SortFunc(x.enters, func(c, d int32) int {
		return cmp.Or(cmp.Compare(x.key[c], x.key[d]), cmp.Compare(c, d))
	})
}

// mask has contacts outside of the basis left out, and those in it hold.
func (x *exchange) mask() {
	for _, c := range x.order {
		x.out.Bounded[c] = !x.in[c]
		if !x.in[c] {
			x.out.R[c], x.out.State[c] = r3.Vec{}, TakeOff
		} else if x.out.State[c] == TakeOff {
			x.hold(c)
		}
	}
}

// hold has a contact stick or, if it moves along faster than it approaches, slide.
func (x *exchange) hold(c int32) {
	u, r := x.measure.velocity(int(c)), &x.out.R[c]
	slip := math.Hypot(u.Y, u.Z)
	if slip <= max(-u.X, x.closer.Tolerance) {
		x.out.State[c] = Stick
		return
	}
	x.out.State[c] = Slide
	friction := x.set.Contacts[c].Mu * r.X / slip
	r.Y, r.Z = -friction*u.Y, -friction*u.Z
}

// dropOpen has contacts that opened leave the basis.
func (x *exchange) dropOpen() {
	for _, c := range x.order {
		x.in[c] = x.in[c] && x.out.State[c] != TakeOff
	}
}

// findViolated lists contacts outside of the basis that approach by more than least, the worst first, and returns how
// fast that does.
func (x *exchange) findViolated(least float64) float64 {
	x.enters = x.enters[:0]
	worst := 0.0
	for _, c := range x.order {
		if x.in[c] {
			continue
		}
		if u := x.measure.velocity(int(c)).X; u < -least {
			x.key[c] = u
			x.enters = append(x.enters, c)
			worst = max(worst, -u)
		}
	}
	x.sortEntering()
	return worst
}

// takeIn has violated contacts enter the basis, and tells whether one did.
func (x *exchange) takeIn() bool {
	for _, c := range x.enters {
		if x.gone[c] > mostReturns {
			x.least = barely
		}
	}
	x.factor()
	x.left = x.left[:0]
	some := false
	for _, c := range x.enters {
		if x.round > boldRounds && x.clashes(c) {
			continue
		}
		x.refactor()
		entered, depends := x.enter(c)
		if entered {
			x.out.R[c] = r3.Vec{}
			x.hold(c)
		}
		some = entered || depends && x.swap(c) || some
	}
	return some
}

// clashes tells whether another exchange of the round has touched a block of c, and notes that c does.
func (x *exchange) clashes(c int32) bool {
	row := x.set.Row(int(c))
	for _, t := range row {
		if x.seen[t.Block] == x.round {
			return true
		}
	}
	for _, t := range row {
		x.seen[t.Block] = x.round
	}
	return false
}

// swap has c, of which y is at hand, take the place of the first contact that its impulse relieves. If c leans on one
// that left in this round, it waits for the next.
func (x *exchange) swap(c int32) bool {
	x.shares()
	for _, k := range x.left {
		if math.Abs(x.column[k]) > noShare {
			return false
		}
	}
	leaves, reach := -1, math.Inf(1)
	for k, d := range x.order {
		if share := x.column[k]; share > leastShare {
			if t := max(0, x.out.R[d].X) / share; t < reach {
				leaves, reach = k, t
			}
		}
	}
	if leaves < 0 {
		return false
	}
	r := x.relieve(c, reach)
	other := x.order[leaves]
	x.left = append(x.left, int32(leaves))
	x.gone[other]++
	x.in[other], x.in[c] = false, true
	x.out.R[other] = r3.Vec{}
	x.out.R[c] = permitted(x.set, int(c), r)
	x.hold(c)
	return true
}

// relieve takes what a normal impulse t of contact c relieves the others of, and returns the impulse of c.
func (x *exchange) relieve(c int32, t float64) r3.Vec {
	var friction r3.Vec // that the others lose, in world axes, on the side A of c
	normal := x.set.Contacts[c].Normal()
	for k, d := range x.order {
		if share := x.column[k]; math.Abs(share) > noShare {
			lost := x.lessen(d, share*t)
			if normal.Dot(x.set.Contacts[d].Normal()) < 0 {
				lost = lost.Neg()
			}
			friction = friction.Add(lost)
		}
	}
	r := x.set.Contacts[c].Frame.MulVec(friction)
	r.X = t
	return r
}

// lessen takes from the normal impulse of a contact and, in proportion, from its friction, which it returns in world
// axes.
func (x *exchange) lessen(c int32, by float64) r3.Vec {
	r := &x.out.R[c]
	now, lost := max(0, r.X-by), r3.Vec{}
	if r.X > 0 {
		lost = r3.V(0, r.Y, r.Z).Scale(1 - now/r.X)
	}
	r.X, r.Y, r.Z = now, r.Y-lost.Y, r.Z-lost.Z
	return x.set.Contacts[c].Frame.MulVecT(lost)
}
