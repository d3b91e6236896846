// What falsifies cases, so that their rows are seen to fail (internal/bite).

package verify

import (
	"slices"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// Spoil falsifies what cases get from the engine, before they and the referee see it. What is nil is left as it is.
type Spoil struct {
	Blind   bool                                    // steps find no contacts and refuse no crossings
	World   func(o *engine.Options)                 // of worlds that cases make themselves
	Fabric  func(stretch, bend, mass *float64)      // of their sheets
	Step    func(p *solve.ContactProblem)           // the answer of a step
	Settled func(x []r3.Vec, s *engine.SettleStats) // the end of Settle, by body
	Answer  func(out *solve.Contacts)               // of a solver to a problem of its own
	Yarns   func(o *yarn.Options)                   // of worlds of yarns
	Value   func(x float64) float64                 // what formulas return: numbers,
	Says    func(yes bool) bool                     // and what they decide
	Yarn    func(x, v, force []r3.Vec, h float64)   // the end of their steps
}

// Settle settles a world.
func (t *Trial) Settle(w *engine.World, opt engine.SettleOptions) (engine.SettleStats, error) {
	stats, err := w.Settle(opt)
	if t.Spoil != nil && t.Spoil.Settled != nil {
		for id := range engine.ClothID(w.Cloths()) {
			t.Spoil.Settled(w.Positions(id), &stats)
		}
		for id := range engine.BodyID(w.Bodies()) {
			t.Spoil.Settled(w.BodyPositions(id), &stats)
		}
	}
	return stats, err
}

// Yarns returns a world without yarns.
func (t *Trial) Yarns(o yarn.Options) (*yarn.World, error) {
	o.Workers = t.Workers
	if t.Spoil != nil && t.Spoil.Yarns != nil {
		t.Spoil.Yarns(&o)
	}
	w, err := yarn.New(o)
	if err == nil && t.Spoil != nil && t.Spoil.Yarn != nil {
		w.Watch(t.Spoil.Yarn)
	}
	return w, err
}

// Answered returns the answer of a solver to a problem, with the residual that it has.
func (t *Trial) Answered(p *solve.ContactProblem, out *solve.Contacts) *solve.Contacts {
	if t.Spoil == nil || t.Spoil.Answer == nil || out == nil {
		return out
	}
	fixed := slices.Clone(out.V)
	t.Spoil.Answer(out)
	for i := range p.Fixed {
		if p.Fixed[i] {
			out.V[i] = fixed[i]
		}
	}
	var m solve.Measure
	out.Residual = m.Of(p, out.V, out.R, out.Infeasible)
	return out
}

// SolveBy solves a problem.
func (t *Trial) SolveBy(p *solve.ContactProblem, s solve.Solver) (*solve.Contacts, solve.ProblemReport, error) {
	out, report, err := p.SolveBy(s)
	if t.Spoil != nil && t.Spoil.Answer != nil && err == nil {
		t.Answered(p, out)
		report.Residual, report.Converged = out.Residual, out.Converged
	}
	return out, report, err
}

// OneContact solves the problem of one contact.
func (t *Trial) OneContact(
	w *r3.Mat, b r3.Vec, mu float64, guess r3.Vec,
) (u r3.Vec, state solve.State, residual float64) {
	u, state, residual = solve.SolveCoulomb(w, b, mu, guess)
	if t.Spoil != nil && t.Spoil.Answer != nil {
		out := solve.Contacts{
			V: []r3.Vec{u}, U: []r3.Vec{u}, R: []r3.Vec{w.MulVec(u).Add(b)}, State: []solve.State{state},
		}
		t.Spoil.Answer(&out)
		u, state, residual = out.V[0], out.State[0], residual+out.V[0].Sub(u).Norm()
	}
	return u, state, residual
}

// Value returns what a formula has returned.
func (t *Trial) Value(x float64) float64 {
	if t.Spoil == nil || t.Spoil.Value == nil {
		return x
	}
	return t.Spoil.Value(x)
}

// Vector does so for vectors.
func (t *Trial) Vector(v r3.Vec) r3.Vec { return r3.V(t.Value(v.X), t.Value(v.Y), t.Value(v.Z)) }

// Says returns what a formula has decided.
func (t *Trial) Says(yes bool) bool {
	if t.Spoil == nil || t.Spoil.Says == nil {
		return yes
	}
	return t.Spoil.Says(yes)
}

// Moved falsifies places that were computed.
func (t *Trial) Moved(x []r3.Vec) {
	for i := range x {
		x[i] = t.Vector(x[i])
	}
}
