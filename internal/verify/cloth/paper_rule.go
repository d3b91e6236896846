package cloth

import (
	"fmt"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
)

// paperRule is nested relaxation that ends by the rule of [Otaduy09] section 5.5.
func paperRule(c *engine.ContactOptions) {
	c.Solver, c.Relaxation = "relaxation", engine.RelaxationForm{ByChange: true}
}

// ruleTally counts what steps by the paper's rule do: O1, O12 and processor time.
type ruleTally struct {
	steps, met, quick, halvings, crossings, contacts int
	seconds, residual                                float64
}

func (n *ruleTally) add(s engine.Stats) {
	n.steps++
	if s.Converged {
		n.met++
	}
	if s.Rounds < 3 {
		n.quick++
	}
	n.halvings, n.crossings, n.contacts = max(n.halvings, s.Halvings), max(
		n.crossings, s.Crossings,
	), max(n.contacts, s.Contacts)
	n.residual = max(n.residual, s.Residual)
}

// rows asks what the paper says of its scenes, and in full that a step takes at most so many seconds.
func (n *ruleTally) rows(t *verify.Trial, limit float64) {
	const part = "the paper's rule: "
	count := float64(n.steps)
	// what the paper says of every step
	t.Row(verify.Row{
		Quantity: fmt.Sprintf("%sshare of %d steps in which it holds (O12)", part, n.steps),
		Measured: float64(n.met) / count, Bar: verify.AtLeast, Limit: 1,
	})
	t.Row(verify.Row{
		Quantity: part + "share of steps in at most three rounds (O1)", Measured: float64(n.quick) / count,
		Bar: verify.AtLeast, Limit: 0.9,
	})
	// what must not go wrong
	t.Row(verify.Row{
		Quantity: part + "halvings of a step, at most", Measured: float64(n.halvings), Bar: verify.AtMost, Limit: 2,
		From: "the rule of the paper halves twice before it says that it failed",
	})
	t.Row(verify.Row{
		Quantity: part + "crossings at the end of a step, at most", Measured: float64(n.crossings), Bar: verify.AtMost,
		Limit: 0,
	})
	// time of a step
	mean := n.seconds / count
	if t.Options.Full {
		t.Row(verify.Row{
			Quantity: part + "mean processor time of a step", Unit: "s", Measured: mean, Bar: verify.AtMost,
			Limit: limit,
		})
	}
	t.Note("%sup to %d contacts, %.3g s a step; residual up to %.1e m/s", part, n.contacts, mean, n.residual)
}

// play advances a world by the paper's rule and asks for what rows does.
func (n *ruleTally) play(t *verify.Trial, w *engine.World, h, end, limit float64) {
	for w.Time() < end-h/2 {
		t.At("the paper's rule", w.Time(), end)
		before := bench.CPUTime()
		t.Must(w.Advance(h, h, n.add))
		n.seconds += (bench.CPUTime() - before).Seconds()
	}
	n.rows(t, limit)
}
