// Newton's method on the balance of momentum, with contacts or without:
//
//	g(v) = Jᵀ r,   u = J v + u_f,   (r, u) ∈ C(μ).
//
// Each linearization g(w) ≈ A w + b near v is handed to what solves such a problem, which finds w and r. The step
// δ = w - v is made in full near the start of the time step, as in the linearly implicit scheme, unless the problem
// limits it; later ones are halved as long as they overshoot, which is when the slope G·δ of
//
//	G(v) = g(v) - Jᵀ r
//
// with the new r held has turned from falling to rising and is steeper than half of what it was. It looks at slopes,
// not at an energy, because damping and drag have none. Where G is within the tolerance, slopes may be all rounding and
// are not looked at. Both ends of a step obey u_N ≥ 0, and so does all between.
//
// A is made positive, which is safe, and slow where something is pressed: what buckles is taken for stiffer than it is,
// and steps fall short by as much. So after a step in full A is taken as it is, if the problem can tell. Such a step is
// made only if its problem is solved and A is positive along δ, and only in full, or down to a quarter where no element
// can be inverted. The next one is safe again if not. From the start of the time step the second one is safe too: with
// what is about to hit something it may go far beyond. Sheets that buckle went back and forth between a safe step and
// an exact one that was not made when these had to be in full. Where A is indefinite the problem with contacts may have
// no solution: only what is quick is tried on it, and what is not used is not counted.
//
// Where only safe steps can be made, they may fall short by the same share again and again. If a step leaves a share ρ
// of the slope it began with, it goes on to where nothing would be left: 1/(1-ρ) of its length, at most four, and no
// further than contacts allow. After ten steps that did not bring the residual down there are no more.

package solve

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Newton says how often the equations are linearized.
type Newton struct {
	Iterations int     // at most, but for exact ones that are not used; 1 is the linearly implicit scheme
	Tolerance  float64 // largest nonlinear residual [m/s]; with one iteration it is not looked at
}

// Linearized solves problems as they are near some velocities.
type Linearized interface {
	// Near solves A w + b = Jᵀ r and writes w to next and w - v to delta, which is zero where v is prescribed. Where it
	// is a trial, A may be indefinite, and it gives up where an answer is hard to find.
	Near(A *sparse.BSR, b, v, next, delta []r3.Vec, trial bool) (sparse.Result, error)
	// Room returns how much of delta may be added to the last solution.
	Room(delta []r3.Vec) float64
	// Forget takes back what the last trial has left for the next problem.
	Forget()
	// Relieve takes Jᵀ r of the last solution from a balance, and all that cannot move of blocks prescribed in part.
	Relieve(balance []r3.Vec)
}

// limiter is a Problem that limits steps, as Equations do.
type limiter interface {
	Limit(v, dv []r3.Vec) float64
}

// refiner is a Problem that can be linearized as it is, though A may then be indefinite, in place of safely.
type refiner interface{ Refine(exact bool) }

// barrier is a Problem that may have elements that must not be inverted.
type barrier interface{ Barred() bool }

// starter is a Problem that may want to be linearized at the guess of v from the first, and searched along from there,
// because it deforms too much for a whole step from the start of the time step, or was solved before.
type starter interface{ Inside() bool }

const (
	mostHalvings = 10   // how often a step is halved, at most
	gainShare    = 0.7  // a step that brings the residual to less, or was cut, gains
	stuckShare   = 0.01 // of a step that is made, which is as good as none
	patient      = 2    // exact steps that were not used, after which steps that fall short are made longer
	mostIdle     = 10   // steps that gain nothing
	leastShort   = 0.2  // the share of the slope that a step leaves, from which on it is made longer
	mostLonger   = 4.0  // times its length, at most
	leastExact   = 0.25 // how much of an exact step has to be made, at least, where no element can be inverted
)

// newtonLoop is Newton's method. It keeps its workspace.
type newtonLoop struct {
	Newton
	team  *par.Team
	spent func() bool // nil: never

	next, delta, trial, balance []r3.Vec
}

// solve finds v, from the guess in out.V. A step that was cut is not the last, unless they are used up.
func (l *newtonLoop) solve(p Problem, linear Linearized, out *Result) error {
	l.prepare(len(out.V))
	out.Newton, out.Linear, out.Nonlinear, out.Converged = 0, 0, math.NaN(), true
	inside := l.Iterations > 1 && isInside(p)
	refining, refines := p.(refiner)
	trusted := false // A may be taken as it is
	least := leastExact
	if b, ok := p.(barrier); ok && b.Barred() {
		least = 1
	}
	before, idle, rejected, gains := math.Inf(1), 0, 0, true
	reject := func() {
		linear.Forget()
		trusted = false
		rejected++
	}
	for made := 0; made < l.Iterations && idle < mostIdle; {
		var at []r3.Vec
		if made > 0 || inside {
			at = out.V
		}
		last := made+1 == l.Iterations || idle+1 == mostIdle && !gains // is made, whatever comes of it
		exact := trusted && (made > 1 || inside) && !last
		if refines {
			refining.Refine(exact)
		}
		A, b := p.Linearize(at)
		out.Newton++
		solved, err := linear.Near(A, b, out.V, l.next, l.delta, exact)
		if err != nil && !exact {
			return err
		}
		out.Linear += solved.Iterations
		if exact && (err != nil || !solved.Converged) {
			reject()
			continue
		}
		scale := l.allowed(p, out.V, l.delta)
		if l.Iterations > 1 {
			var curved float64
			longer := rejected >= patient && !exact && !last && !l.ends()
			scale, curved = l.search(p, linear, A, b, out.V, scale, at != nil, longer)
			if exact && !(curved > 0 && scale >= least) {
				reject()
				continue
			}
			out.Nonlinear, trusted = Worst(p.Mass(), l.balance, p.Fixed()), refines && (scale >= 1 || exact)
		}
		out.Residual, out.Status, out.Converged = solved.Residual, solved.Status, solved.Converged
		l.move(out.V, scale)
		made++
		if l.Iterations > 1 && scale == 1 && out.Nonlinear <= l.Tolerance {
			return nil
		}
		gains = out.Nonlinear < gainShare*before || scale < 1 && scale > stuckShare // which goes on where it was cut
		if before = out.Nonlinear; !gains {
			idle++
		}
		out.Converged = out.Converged && l.Iterations == 1 && scale == 1
		if l.ends() {
			return nil
		}
	}
	return nil
}

// ends reports whether there is no more time or budget.
func (l *newtonLoop) ends() bool { return l.team.Stopped() || l.spent != nil && l.spent() }

func (l *newtonLoop) prepare(n int) {
	if len(l.delta) != n {
		for _, p := range []*[]r3.Vec{&l.next, &l.delta, &l.trial, &l.balance} {
			*p = make([]r3.Vec, n)
		}
	}
}

// allowed returns how far the problem allows to go along delta.
func (l *newtonLoop) allowed(p Problem, v, delta []r3.Vec) float64 {
	if p, ok := p.(limiter); ok {
		return min(1, p.Limit(v, delta))
	}
	return 1
}

// isInside tells whether steps have to start from the guess.
func isInside(p Problem) bool {
	s, ok := p.(starter)
	return ok && s.Inside()
}

// move goes along delta, to exactly what was found where the step is whole.
func (l *newtonLoop) move(v []r3.Vec, scale float64) {
	if scale == 1 {
		copy(v, l.next)
		return
	}
	for i := range v {
		v[i] = v[i].AddScaled(scale, l.delta[i])
	}
}

// search returns how far to go along delta, at most as far as given where that is not all, and δᵀAδ, and leaves G there
// in l.balance. It looks for overshooting and falling short only where asked to.
func (l *newtonLoop) search(p Problem, linear Linearized, A *sparse.BSR, b, v []r3.Vec, most float64, look, longer bool) (far, curved float64) {
	fixed, start := p.Fixed(), math.Inf(1)
	if look {
		A.Mul(l.team, v, l.balance)
		for i := range l.balance {
			l.balance[i] = l.balance[i].Add(b[i])
		}
		linear.Relieve(l.balance)
		start = -l.slope(fixed) // δᵀAδ, because G is A (v - w) there
	}
	far = most
	for halvings := 0; ; halvings++ {
		l.try(p, linear, v, far)
		if !look || halvings == mostHalvings || Worst(p.Mass(), l.balance, fixed) <= l.Tolerance {
			return far, start
		}
		if slope := l.slope(fixed); slope <= 0.5*start {
			if far == 1 && longer {
				far = l.lengthen(p, linear, v, start, slope)
			}
			return far, start
		}
		far /= 2
	}
}

// try leaves G at v and so much of delta in l.balance.
func (l *newtonLoop) try(p Problem, linear Linearized, v []r3.Vec, far float64) {
	copy(l.trial, v)
	l.move(l.trial, far)
	p.Balance(l.trial, l.balance)
	linear.Relieve(l.balance)
}

// lengthen returns how far to go along delta after a whole step that has brought the slope from -start to what is left,
// and leaves G there in l.balance.
func (l *newtonLoop) lengthen(p Problem, linear Linearized, v []r3.Vec, start, left float64) float64 {
	if left > -leastShort*start {
		return 1
	}
	far := start / max(start+left, start/mostLonger)
	for i := range l.trial {
		l.trial[i] = l.delta[i].Scale(far)
	}
	if far = min(far*l.allowed(p, v, l.trial), 1+linear.Room(l.delta)); far > 1 {
		if l.try(p, linear, v, far); l.slope(p.Fixed()) <= 0.5*start {
			return far
		}
		l.try(p, linear, v, 1)
	}
	return 1
}

// slope returns the balance along delta.
func (l *newtonLoop) slope(fixed []bool) float64 {
	sum := 0.0
	for i, g := range l.balance {
		if !fixed[i] {
			sum += g.Dot(l.delta[i])
		}
	}
	return sum
}

// InContact solves linearized problems with contacts. Its Problem is that of the step; A and B follow the
// linearization.
type InContact struct {
	Newton  Newton
	Team    *par.Team
	Solver  Solver
	Problem *ContactProblem
	Out     *Contacts // in: the guess of impulses
	// Ready, which may be nil, is called before each solve with A, B and V of the problem at hand.
	Ready func(p *ContactProblem)
	// Spent, which may be nil, reports whether there is no budget for another linearization.
	Spent func() bool
	Push  []r3.Vec // by block: Jᵀ r

	Sweeps, Steps int // of the contact solver, all linearizations together

	loop    newtonLoop
	guessed []r3.Vec // R before the last trial
}

// Solve finds v and r. It fails if the solver of contacts does. Contacts that are proven to contradict each other do
// not keep it from converging.
func (t *InContact) Solve(p Problem, out *Result) error {
	t.loop.Newton, t.loop.team, t.loop.spent, t.Sweeps, t.Steps = t.Newton, t.Team, t.Spent, 0, 0
	err := t.loop.solve(p, t, out)
	copy(t.Out.V, out.V)
	return err
}

// Near hands the problem to the solver of contacts.
func (t *InContact) Near(A *sparse.BSR, b, v, next, delta []r3.Vec, trial bool) (sparse.Result, error) {
	copy(t.Out.V, v)
	if trial {
		t.guessed = append(t.guessed[:0], t.Out.R...)
	}
	t.Problem.Trial = trial
	t.Problem.A, t.Problem.B, t.Problem.V, t.Problem.R = A, b, t.Out.V, t.Out.R
	if t.Ready != nil {
		t.Ready(t.Problem)
	}
	if err := t.Solver.Solve(t.Problem, t.Out); err != nil {
		return sparse.Result{}, err
	}
	copy(next, t.Out.V)
	for i := range delta {
		delta[i] = next[i].Sub(v[i])
	}
	t.Sweeps, t.Steps = t.Sweeps+t.Out.Sweeps, t.Steps+t.Out.Newton
	t.findPush()
	return sparse.Result{
		Iterations: t.Out.Linear, Residual: t.Out.Residual.Max(), Converged: t.Out.Converged || t.Out.Contradicted,
	}, nil
}

// Forget goes back to the impulses before the last trial.
func (t *InContact) Forget() { copy(t.Out.R, t.guessed) }

// Room reaches to where something closes, or a tie opens, by more than the tolerance.
func (t *InContact) Room(delta []r3.Vec) float64 {
	room := math.Inf(1)
	for c := range t.Problem.Set.Contacts {
		k := &t.Problem.Set.Contacts[c]
		var change r3.Vec
		for _, term := range t.Problem.Set.Row(c) {
			change = change.Add(term.M.MulVec(delta[term.Block]))
		}
		switch {
		case t.Out.Bounded[c]:
		case k.Law == contact.Bilateral:
			if far := change.Norm(); far > 0 {
				room = min(room, t.Problem.Tolerance/far)
			}
		case change.X < 0:
			room = min(room, max(0, t.Out.U[c].X+t.Problem.Tolerance)/-change.X)
		}
	}
	return room
}

// findPush sums up the impulses of contacts on each block.
func (t *InContact) findPush() {
	clear(t.Push)
	for c := range t.Problem.Set.Contacts {
		for _, term := range t.Problem.Set.Row(c) {
			t.Push[term.Block] = t.Push[term.Block].Add(term.M.MulVecT(t.Out.R[c]))
		}
	}
}

// Relieve takes the push of contacts from a balance.
func (t *InContact) Relieve(balance []r3.Vec) { Relieve(balance, t.Push, t.Problem.Partly) }

// Relieve takes a push from a balance, and all that cannot move of blocks that are prescribed in part.
func Relieve(balance, push []r3.Vec, partly []contact.Partial) {
	for i := range balance {
		balance[i] = balance[i].Sub(push[i])
	}
	for k := range partly {
		i := partly[k].Block
		balance[i] = partly[k].Free.MulVec(balance[i])
	}
}
