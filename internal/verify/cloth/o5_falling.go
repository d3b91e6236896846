package cloth

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// O5: a cloth that hangs just above the floor is let go and falls into folds that lie on each other. The work of
// contacts in a step is that of their impulses on the way of the vertices,
//
//	W = Σ_i p_i · (x_i - x_i⁰)/h,
//
// with the impulse p_i on vertex i. The floor rests, so the response may only take energy: W ≤ 0, but for the work that
// pushing apart what is closer than the thickness does, which the step tells. [Otaduy09] has 2,500 vertices, 1,000
// steps of 4 ms, and 0.48 s a step on a PC of 2009, of which 69 % go into the solver. A full run has a quarter of the
// vertices, and as many for the first 100 steps.
var fallingCloth = verify.Case{
	ID: "O5", Title: "a cloth that falls into folds", Source: "[Otaduy09] fig. 5, section 6",
	Body: func(t *verify.Trial) {
		runs := []letFall{{14, 0.05, 0.4}, {14, 0.6, 0.4}}
		if t.Options.Full {
			runs = []letFall{{24, 0.05, 4}, {24, 0.6, 4}, {paperCells, 0.05, 0.4}}
		}
		plot := draw.Plot{Title: "O5: energy of the falling cloth", X: "time [s]", Y: "energy [J]"}
		for _, of := range runs {
			var f fall
			took := setup.Worked(func() { f = falling(t, of.cells, of.mu, of.end) })
			name := fmt.Sprintf("μ %g, %d vertices, %d steps: ", of.mu, f.vertices, f.steps)
			t.Row(
				verify.Row{
					Quantity: name + "work of contacts in a step less that of pushing apart, at most, of the energy",
					Measured: f.gain / f.energy,
					Bar:      verify.AtMost,
					Limit:    1e-9,
					From:     "none but rounding of energies and what steps of 1e-8 m/s add",
				},
			)
			t.Row(
				verify.Row{
					Quantity: name + "crossings at the end of a step, at most",
					Measured: float64(f.crossings),
					Bar:      verify.AtMost,
					Limit:    0,
				},
			)
			if of.end > 1 {
				rest := verify.Row{
					Quantity: name + "median speed at the end", Unit: "m/s", Measured: f.speed, Bar: verify.AtMost,
					Limit: 0.01,
				}
				t.Row(t.Shortened(rest, "the same with 2,500 vertices"))
			}
			if of.cells == paperCells {
				mean := verify.Row{
					Quantity: name + "mean time of processors for a step", Unit: "s",
					Measured: took.Seconds() / float64(f.steps),
					Bar:      verify.AtMost, Limit: 0.48,
				}
				t.Row(t.Shortened(mean, "at most 0.48 over 1,000 steps"))
			}
			t.Note(
				"%supper height at the end %.3f m, up to %d contacts; solver %.0f %%, detection and guard %.0f %% of "+
					"%.3f s a step",
				name,
				f.height,
				f.contacts,
				100*f.solve.Seconds()/f.total.Seconds(),
				100*f.detect.Seconds()/f.total.Seconds(),
				f.total.Seconds()/float64(f.steps),
			)
			plot.Series = append(plot.Series, f.trace)
		}
		t.StepsRow()
		largest := runs[len(runs)-1]
		w, _ := HungAbove(t, largest.cells, 0.6, paperRule)
		var rule ruleTally
		rule.play(t, w, fallStep, largest.end, 0.12)
		t.Plot("o5-energy", plot)
	},
}

// paperCells are those along a side of the cloth in the paper.
const paperCells = 49

// letFall is a cloth of so many cells along a side that falls until end [s].
type letFall struct {
	cells   int
	mu, end float64
}

type fall struct {
	vertices, steps, crossings, contacts int
	gain, energy, speed, height          float64
	solve, detect, total                 time.Duration
	trace                                draw.Series
}

// falling lets a cloth of n² cells, 1 m wide, fall.
func falling(t *verify.Trial, n int, mu, end float64) (f fall) {
	const h = fallStep
	w, id := HungAbove(t, n, mu, nil)
	f.trace = draw.Series{Name: fmt.Sprintf("μ = %g", mu), Style: draw.Line}
	f.energy = w.Energy().Total()
	var feel []engine.VertexContact
	before := slices.Clone(w.Positions(id))
	for range int(math.Round(end / h)) {
		t.Must(w.Advance(h, h, func(s engine.Stats) {
			t.Steps.Add(t, w, s)
			feel = w.VertexContacts(id, feel)
			work := 0.0
			for i, x := range w.Positions(id) {
				work += feel[i].Impulse.Dot(x.Sub(before[i])) / s.H
			}
			copy(before, w.Positions(id))
			if s.Failsafe.Rounds == 0 && s.Untangling.Blocks == 0 { // else positions are not those of the impulses
				f.gain = max(f.gain, work-s.PushWork)
			}
			f.add(s)
		}))
		t.At(f.trace.Name, w.Time(), end)
		f.crossings = max(f.crossings, setup.CountCrossings(w))
		f.trace.X, f.trace.Y = append(f.trace.X, w.Time()), append(f.trace.Y, w.Energy().Total())
	}
	f.height = setup.Top(w)
	var speeds []float64
	for _, v := range w.Velocities(id) {
		speeds = append(speeds, v.Norm())
	}
	slices.Sort(speeds)
	f.speed = speeds[len(speeds)/2]
	return f
}

// fallStep is the step of the paper [s].
const fallStep = 4e-3

// HungAbove returns a cloth of n² cells, 1 m wide, upright and just above a floor. set, which may be nil, changes the
// settings of contact.
func HungAbove(t *verify.Trial, n int, mu float64, set func(*engine.ContactOptions)) (*engine.World, engine.ClothID) {
	opt := engine.DefaultOptions()
	opt.Contact.Friction = mu
	if set != nil {
		set(&opt.Contact)
	}
	m, x := shape.Grid(1, 1, n, n)
	for i, p := range x {
		// A slight wave says to which side the folds go first.
		x[i] = r3.V(p.X, 0.01*math.Sin(9*p.Y+2*p.X), 0.01+p.Y)
	}
	w, id := setup.Sheet(t, opt, m, x, setup.SheetFabric{Density: 0.15, Stretch: 500, Bend: 1e-5})
	setup.Obstacle(t, w, "floor", shape.Plane{Normal: r3.V(0, 0, 1)}, r3.Still())
	return w, id
}

func (f *fall) add(s engine.Stats) {
	f.vertices = s.Vertices
	f.steps++
	f.contacts = max(f.contacts, s.Contacts)
	f.solve += s.Laps.Solve + s.Laps.Assemble
	f.detect += s.Laps.Detect + s.Laps.Guard
	f.total += s.Laps.Total()
}
