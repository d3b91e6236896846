package cloth

import (
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
)

// O7: soft letters fall into a bin. [Otaduy09] has 164 of them with 23,000 tets, steps of 30 ms, and 4.05 s a step on a
// PC of 2009; scenes/letters-heap.yaml is that scene, to its end by toile run. Here are its first layers.
var letterHeap = verify.Case{
	ID: "O7", Title: "letters fall on a heap", Source: "[Otaduy09] fig. 7, section 6",
	Body: func(t *verify.Trial) {
		const few = "letters.yaml"
		many, end := few, 0.6
		if t.Options.Full {
			many, end = "letters-heap.yaml", 3.0
			t.Note(
				"to 1e-8 m/s all 164 letters take 13 s a step when they lie on each other; the few of %s are solved so",
				few,
			)
		}
		for _, solver := range []string{"nodal", "relaxation"} {
			s, b := setup.Bundled(t, few, false, "contact.solver="+solver)
			w := b.World
			var n verify.StepTally
			seconds, steps, contacts := 0.0, 0, 0
			for w.Time() < end-1e-9 {
				t.At(solver, w.Time(), end)
				t.Must(w.Advance(s.Time.Step, s.Time.Step, func(s engine.Stats) {
					n.Add(t, w, s)
					seconds, steps, contacts = seconds+s.Laps.Total().Seconds(), steps+1, max(contacts, s.Contacts)
				}))
			}
			t.Must(b.Close())
			n.Rows(t, solver)
			t.Note("%s: %s to %g s: %d steps, up to %d contacts, %.3g s a step", solver, few, end, steps, contacts,
				seconds/float64(steps))
		}
		s, b := setup.Bundled(t, many, false, "contact.solver=relaxation", "contact.relaxation.stop=change")
		var rule ruleTally
		rule.play(t, b.World, s.Time.Step, end, 0.8)
		t.Must(b.Close())
	},
}
