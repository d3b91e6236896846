// What steps say of themselves, and what the referee says of them.

package verify

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/internal/solve"
)

// StepTally counts how the steps of worlds with contacts went.
type StepTally struct {
	Steps, Reached int
	claimed        int     // steps that say they converged
	worst          float64 // of these, the referee's residual over what the step claims
	Crossings      int     // the most at the end of a step
}

// Watch has the referee look at every step of a world, after it was spoilt where that is asked for.
func (t *Trial) Watch(w *engine.World) {
	word := new(float64)
	t.words.Store(w, word)
	if t.Spoil != nil && t.Spoil.Blind {
		w.Blind()
	}
	var plain referee.Problem
	w.Watch(func(p *solve.ContactProblem, void []bool) {
		if t.Spoil != nil && t.Spoil.Step != nil {
			t.Spoil.Step(p)
		}
		problems.Fill(&plain, p.A, p.B, p.Mass, p.Fixed, p.Set, void)
		plain.Rails = plain.Rails[:0]
		for _, k := range p.Partly {
			plain.Rails = append(plain.Rails, referee.Rail{Block: k.Block, Free: k.Free})
		}
		*word = referee.Judge(&plain, p.V, p.R).Residual
	})
}

// Word returns what the referee finds in the last step of a world that is watched [m/s].
func (t *Trial) Word(w *engine.World) float64 {
	word, _ := t.words.Load(w)
	return *word.(*float64)
}

// Step takes one step and counts how it went.
func (t *Trial) Step(w *engine.World, h float64) engine.Stats {
	s, err := w.Step(h)
	t.Must(err)
	t.Steps.Add(t, w, s)
	return s
}

// Claim returns the residual that a step claims if it says that it converged [m/s]: the tolerance, and what rounding
// adds.
func Claim(o engine.Options, s *engine.Stats) float64 {
	if s.Contacts == 0 {
		return o.Linear.Tolerance + s.Floor
	}
	return o.Contact.Tolerance + s.Floor
}

// Add counts the step that a world has just taken.
func (n *StepTally) Add(t *Trial, w *engine.World, s engine.Stats) {
	n.Steps++
	found, opt := t.Word(w), w.Options()
	if found <= 1.01*max(opt.Contact.Tolerance, 1e-8) {
		n.Reached++
	}
	if s.Converged {
		n.claimed++
		n.worst = max(n.worst, found/Claim(opt, &s))
	}
	n.Crossings = max(n.Crossings, s.Crossings)
}

// Reached reports whether nothing crosses after the step that a world has just taken, and the referee finds that it is
// solved to a tolerance, up to what his measure differs by from that of solvers.
func (t *Trial) Reached(w *engine.World, s *engine.Stats, tolerance float64) bool {
	return t.Word(w) <= 1.5*tolerance && s.Crossings == 0
}

// StepsRow asks for a residual of 1e-8 m/s in 99 % of the steps, that the referee finds none above what a step claims,
// and that nothing crosses at the end of any.
func (t *Trial) StepsRow() { t.Steps.Rows(t, "") }

// Rows asks that of the steps of a part of a case.
func (n *StepTally) Rows(t *Trial, part string) {
	if part != "" {
		part += ": "
	}
	t.Row(
		Row{
			Quantity: fmt.Sprintf(
				"%sshare of %d steps with a residual of at most 1e-8 m/s, by the referee", part, n.Steps,
			),
			Measured: float64(n.Reached) / float64(n.Steps),
			Bar:      AtLeast,
			Limit:    0.99,
		},
	)
	n.RefereeRow(t, part)
	t.Row(
		Row{
			Quantity: part + "crossings at the end of a step, at most",
			Measured: float64(n.Crossings),
			Bar:      AtMost,
			Limit:    0,
		},
	)
}

// RefereeRow asks that no step that says it converged is further off than that. Without any such step it fails.
func (n *StepTally) RefereeRow(t *Trial, part string) {
	worst := n.worst
	if n.claimed == 0 {
		worst = math.NaN()
	}
	t.Row(Row{
		Quantity: fmt.Sprintf(
			"%sthe referee's residual of %d steps that converged, over tolerance and rounding", part, n.claimed,
		),
		Measured: worst, Bar: AtMost, Limit: 1,
		From: "what a step claims; solvers often end far below",
	})
}
