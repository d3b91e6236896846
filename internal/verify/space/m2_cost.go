package space

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/internal/verify"
)

var spaceCost = verify.Case{
	ID: "M2", Title: "30,000 vertices with 5,000 active", Source: "[Minor18] §4: 0.1 to 0.2 s",
	Body: func(t *verify.Trial) {
		around := 64
		if t.Options.Full {
			around = 110
		}
		b := limb("knee", 0.06, 0.2, 120, around)
		best := spaceTime(t, b, t.Workers)
		t.Note(
			"%d vertices, %d free to move, %d workers: %.3f s without counting crossings (%.3f s); %d steps of "+
				"conjugate gradients",
			len(b.x),
			best.Active,
			par.New(t.Workers).Workers(),
			best.work(),
			best.laps["count"],
			best.Solves,
		)
		limit := 2.0 // quick runs share the machine with others
		if t.Options.Full {
			limit = 0.2
		}
		for _, phase := range spacePhases {
			t.Row(
				verify.Row{
					Quantity: "of it: " + phase.what,
					Unit:     "s",
					Measured: best.laps[phase.lap],
					Bar:      verify.AtMost,
					Limit:    limit,
					From:     spaceBusy,
				},
			)
		}
		took := verify.Row{
			Quantity: "time without counting crossings",
			Unit:     "s",
			Measured: best.work(),
			Bar:      verify.AtMost,
			Limit:    limit, From: spaceBusy,
		}
		if !t.Options.Full {
			took.Asked, took.Why = "at most 0.2, for 30,000 vertices", "Quick runs share the machine with others, "+
				"and have 15,000."
		}
		t.Row(took)
		t.Row(
			verify.Row{
				Quantity: "vertices free to move",
				Measured: float64(best.Active),
				Bar:      verify.AtLeast,
				Limit:    float64(len(b.x) / 6),
			},
		)
		t.Row(verify.Row{
			Quantity: "vertices inside as given", Measured: float64(best.InsideBefore), Bar: verify.AtLeast, Limit: 1,
			From: "the body as given crosses itself at all",
		})
		if t.Options.Full {
			spaceGrowth(t)
		}
	},
}

// spacePhases are the parts of the time of making space. The local step of ADMM has none: it leaves the right-hand side
// as it is.
var spacePhases = []struct{ lap, what string }{
	{"place", "boxes and weights"}, {"inside", "inside tests"}, {"near", "nearest surfaces"}, {"solve", "global steps"},
}

// work returns the time without counting crossings [s].
func (o *opened) work() float64 { return o.all - o.laps["count"] }

// spaceTime opens up the sixth of a body's vertices that is nearest to the origin several times, and returns the
// fastest.
func spaceTime(t *verify.Trial, b spaceBody, workers int) opened {
	order := make([]int, len(b.x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(b.x[i].Norm2(), b.x[j].Norm2()) })
	in := make([]bool, len(b.x))
	for _, i := range order[:len(b.x)/6] {
		in[i] = true
	}
	opt := untangle.DefaultSpaceOptions()
	opt.Team = par.New(workers)
	best := openBody(t, b, opt, in)
	for range max(4, min(20, 300_000/len(b.x))) { // the machine may be busy with other things
		if again := openBody(t, b, opt, in); again.work() < best.work() {
			best = again
		}
	}
	return best
}

// spaceGrowth measures the cost at growing sizes with a sixth of the vertices active.
func spaceGrowth(t *verify.Trial) {
	var sizes, times []float64
	for _, around := range []int{64, 110, 202, 348} {
		b := limb("knee", 0.06, 0.2, 120, around)
		o := spaceTime(t, b, t.Workers)
		sizes, times = append(sizes, float64(len(b.x))), append(times, o.work())
		t.Note(
			"%d vertices, %d free to move: %.3f s, %.1f µs for each that is free; %.3f s more count crossings",
			len(b.x),
			o.Active,
			o.work(),
			1e6*o.work()/float64(o.Active),
			o.laps["count"],
		)
	}
	last := len(sizes) - 1
	t.Row(verify.Row{
		Quantity: "exponent of the growth of time with size",
		Bar:      verify.AtMost,
		Limit:    1.6, // n^1.5: conjugate gradients take √n more steps
		Measured: math.Log(times[last]/times[0]) / math.Log(sizes[last]/sizes[0]),
	})
	t.Plot("M2-growth", draw.Plot{
		Title: "Making space: cost and size", X: "vertices", Y: "time [s]",
		Series: []draw.Series{{Name: "measured", X: sizes, Y: times, Style: draw.Points}},
	})
}
