package scheme

import (
	"fmt"
	"math"
	"time"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/internal/verify/stress"
)

// refinement is O1: refinement of constraints over scenes that are hard not to cross in, with no crossing at the end of
// any step.
var refinement = verify.Case{
	ID: "O1", Title: "refinement of contacts, and nothing crossed", Source: "Otaduy et al. 2009, section 4",
	Body: func(t *verify.Trial) {
		var all stress.Tally
		for _, s := range stress.Scenes() {
			if s.Forced || !t.Options.Full && s.Slow {
				continue
			}
			starts := 1
			if t.Options.Full && !s.Slow {
				starts = 5
			}
			for seed := range starts {
				one, err := s.Run(stress.Options{Fine: 1, Jitter: 1e-6, Seed: uint64(seed), Workers: t.Workers})
				t.Must(err)
				if seed == 0 {
					t.Note(
						"%s: %d vertices, %d steps, up to %d contacts; at most 3 rounds in %.0f %% of the steps, %d "+
							"are halves, %d with the fail-safe",
						s.Name,
						one.Vertices,
						one.Steps,
						one.MostContacts,
						100*one.Few(3),
						one.Halved,
						one.Failsafe,
					)
				}
				all.Join(&one)
			}
		}
		of := func(d time.Duration) float64 { return d.Seconds() / all.Total.Seconds() }
		t.Note("steps by rounds: %v", all.Rounds)
		t.Note(
			"price of never crossing: %.1f %% of the time for the guard, %.1f %% for contacts that were added and "+
				"solves with them, %.1f %% for attempts that were halved",
			100*of(all.Guard),
			100*of(all.Refine),
			100*of(all.Refused),
		)
		t.Row(verify.Row{
			Quantity: "share of the time that the guard takes", Measured: of(all.Guard), Bar: verify.AtMost, Limit: 0.2,
			From: "a fifth of the time at the most, on any machine",
		})
		bars := draw.Series{Name: "steps", Style: draw.Points}
		for k, n := range all.Rounds {
			bars.X, bars.Y = append(bars.X, float64(k)), append(bars.Y, float64(n)/float64(all.Steps))
		}
		t.Plot(
			"o1-rounds",
			draw.Plot{
				Title:  "O1: steps by rounds of refinement",
				X:      "rounds",
				Y:      "share of steps",
				Series: []draw.Series{bars},
			},
		)
		t.Row(
			verify.Row{
				Quantity: fmt.Sprintf("share of %d steps with at most 3 rounds", all.Steps),
				Measured: all.Few(3),
				Bar:      verify.AtLeast,
				Limit:    0.85,
				Asked:    "at least 0.9",
				Why:      "What turns keeps its spin, and meets more on its way.",
			},
		)
		crossings := verify.Row{
			Quantity: "crossings at the end of a step, at most",
			Measured: float64(all.MostCrossings),
			Bar:      verify.AtMost,
			Limit:    0,
		}
		t.Row(t.Shortened(crossings, "at most 0 in ten starts of each scene, also of slow ones"))
		const wanted = 0.01
		t.Row(verify.Row{
			Quantity: "share of steps with the fail-safe",
			Measured: float64(all.Failsafe) / float64(all.Steps),
			Bar:      verify.AtMost,
			Limit:    wanted + 2*math.Sqrt(wanted*(1-wanted)/float64(all.Steps)),
			Asked:    "at most 0.01",
			Why: "So many steps of scenes that are chaotic tell a share of 1 % up to chance; two standard " +
				"deviations are allowed.",
		})
		refineBodies(t)
	},
}

// refineBodies is O1 for the bundled scenes with rigid and soft bodies.
func refineBodies(t *verify.Trial) {
	var all, here stress.Tally
	travel(t, bodyTour(t), func(_ string, w *engine.World, s engine.Stats) {
		here.Add(s)
		here.MostCrossings = max(here.MostCrossings, s.Crossings)
		if here.Steps%10 == 0 { // the other test takes as long as a step
			here.MostCrossings = max(here.MostCrossings, setup.CountCrossings(w))
		}
	}, func(scene string, _ *engine.World) {
		t.Note(
			"%s: %d steps, up to %d contacts; at most 3 rounds in %.0f %% of the steps, %d are halves, %d with the "+
				"fail-safe",
			scene, here.Steps, here.MostContacts, 100*here.Few(3), here.Halved, here.Failsafe,
		)
		all.Join(&here)
		here = stress.Tally{}
	})
	const name = "rigid and soft bodies: "
	t.Row(verify.Row{
		Quantity: name + fmt.Sprintf("share of %d steps with at most 3 rounds", all.Steps), Measured: all.Few(3),
		Bar: verify.AtLeast, Limit: 0.9,
	})
	t.Row(verify.Row{
		Quantity: name + "crossings at the end of a step, at most", Measured: float64(all.MostCrossings),
		Bar: verify.AtMost,
	})
	t.Row(verify.Row{
		Quantity: name + "share of steps with the fail-safe", Measured: float64(all.Failsafe) / float64(all.Steps),
		Bar: verify.AtMost, Limit: 0.01, From: "asked: at most 0.01",
	})
}
