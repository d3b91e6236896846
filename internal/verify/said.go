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

// stepTally counts how the steps of worlds with contacts went.
type stepTally struct {
	steps, reached int
	claimed        int     // steps that say they converged
	worst          float64 // of these, the referee's residual over what the step claims
	crossings      int     // the most at the end of a step
}

// watch has the referee look at every step of a world, after it was spoilt where that is asked for.
func (t *trial) watch(w *engine.World) {
	word := new(float64)
	t.words.Store(w, word)
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

// word returns what the referee finds in the last step of a world that is watched [m/s].
func (t *trial) word(w *engine.World) float64 {
	word, _ := t.words.Load(w)
	return *word.(*float64)
}

// step takes one step and counts how it went.
func (t *trial) step(w *engine.World, h float64) engine.Stats {
	s, err := w.Step(h)
	t.must(err)
	t.steps.add(t, w, s)
	return s
}

// claim returns the residual that a step claims if it says that it converged [m/s]: the tolerance, and what rounding
// adds.
func claim(o engine.Options, s *engine.Stats) float64 {
	if s.Contacts == 0 {
		return o.Linear.Tolerance + s.Floor
	}
	return o.Contact.Tolerance + s.Floor
}

// add counts the step that a world has just taken.
func (n *stepTally) add(t *trial, w *engine.World, s engine.Stats) {
	n.steps++
	found, opt := t.word(w), w.Options()
	if found <= 1.01*max(opt.Contact.Tolerance, 1e-8) {
		n.reached++
	}
	if s.Converged {
		n.claimed++
		n.worst = max(n.worst, found/claim(opt, &s))
	}
	n.crossings = max(n.crossings, s.Crossings)
}

// reached reports whether nothing crosses after the step that a world has just taken, and the referee finds that it is
// solved to a tolerance, up to what his measure differs by from that of solvers.
func (t *trial) reached(w *engine.World, s *engine.Stats, tolerance float64) bool {
	return t.word(w) <= 1.5*tolerance && s.Crossings == 0
}

// stepsRow asks for a residual of 1e-8 m/s in 99 % of the steps, that the referee finds none above what a step claims,
// and that nothing crosses at the end of any.
func (t *trial) stepsRow() { t.steps.rows(t, "") }

// rows asks that of the steps of a part of a case.
func (n *stepTally) rows(t *trial, part string) {
	if part != "" {
		part += ": "
	}
	t.row(
		Row{
			Quantity: fmt.Sprintf("%sshare of %d steps with a residual of at most 1e-8 m/s, by the referee", part, n.steps),
			Measured: float64(n.reached) / float64(n.steps),
			Bar:      AtLeast,
			Limit:    0.99,
		},
	)
	n.refereeRow(t, part)
	t.row(
		Row{
			Quantity: part + "crossings at the end of a step, at most",
			Measured: float64(n.crossings),
			Bar:      AtMost,
			Limit:    0,
		},
	)
}

// refereeRow asks that no step that says it converged is further off than that. Without any such step it fails.
func (n *stepTally) refereeRow(t *trial, part string) {
	worst := n.worst
	if n.claimed == 0 {
		worst = math.NaN()
	}
	t.row(Row{
		Quantity: fmt.Sprintf("%sthe referee's residual of %d steps that converged, over tolerance and rounding", part, n.claimed),
		Measured: worst, Bar: AtMost, Limit: 1,
		From: "what a step claims; solvers often end far below",
	})
}
