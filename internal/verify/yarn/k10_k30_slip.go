package yarn

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// piece is a knit in a world of yarns.
type piece struct {
	*knit.Fabric
	w *yarn.World
}

// newPiece lays a knit of the given loops, damped in blocks of 4 x 4, with its ends glued.
func newPiece(t *verify.Trial, chart *knit.Chart, o knit.Options, w *yarn.World) *piece {
	f, err := knit.Make(chart, o)
	t.Must(err)
	if err != nil {
		return nil
	}
	for _, y := range f.Yarns {
		_, err := w.AddYarn(yarn.Yarn{Name: "yarn", Points: y.Points, Closed: y.Closed})
		t.Must(err)
	}
	for _, g := range f.Glue {
		t.Must(w.AddGlue(yarn.Glue{A: g.A, B: g.B}))
	}
	blocks, _ := f.Blocks(4)
	t.Must(w.SetBlocks(blocks))
	return &piece{f, w}
}

// K10: a knit that is thrown about keeps its crossings at the step of [Kaldor10]; with one ten times as long and speeds
// that tear it, yarns pass through each other, and every time that is told in the step in which it happens.
var slipThrough = verify.Case{
	ID: "K10", Title: "yarns that slip through are told", Source: "signs of crossings",
	Body: func(t *verify.Trial) {
		size, end := 10, 0.1
		if t.Options.Full {
			size, end = 20, 2
		}
		p := thrownKnit(t, size, 1)
		watch := p.Watch()
		changed, slips, steps := 0, 0, 0
		for p.w.Time() < end {
			s, err := p.w.Step(1.0 / 16200)
			t.Must(err)
			slips += len(s.Slips)
			if steps++; steps%50 == 0 {
				changed += len(watch.Check(p.w.Positions()))
			}
		}
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("crossings changed, %d x %d loops thrown at 1 m/s", size, size),
			Measured: float64(changed), Bar: verify.AtMost,
		})
		t.Row(verify.Row{Quantity: "slips told", Measured: float64(slips), Bar: verify.AtMost})
		forced(t, size, 10, 10.0/16200)
	},
}

// thrownKnit returns a knit whose blocks fly apart at random with a speed [m/s].
func thrownKnit(t *verify.Trial, size int, speed float64) *piece {
	w, err := t.Yarns(yarn.Options{Material: yarn.Kaldor(), Gravity: r3.V(0, 0, -9.81), Workers: t.Options.Workers})
	t.Must(err)
	p := newPiece(t, knit.Stockinette(), knit.Options{Wales: size, Courses: size, Radius: 1.25e-3}, w)
	r := rand.New(rand.NewPCG(10, 30))
	blocks, count := p.Blocks(4)
	each := make([]r3.Vec, count)
	for b := range each {
		each[b] = r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit().Scale(speed)
	}
	v := w.Velocities()
	for i := range v {
		v[i] = each[blocks[i]]
	}
	return p
}

// flips follows the signs of crossings through a motion, in pieces in which nothing moves by more than a fiftieth of a
// diameter, and lists those whose sign changed where the two yarns were as good as in one place: within a twentieth.
// Others turned around each other without meeting, as loose yarns can, and where an end is pulled out.
func (p *piece) flips(watch *knit.Watch, from, to []r3.Vec, bad map[int]bool) (met []int) {
	far := 0.0
	for i := range from {
		far = max(far, to[i].Sub(from[i]).Norm())
	}
	parts := 1 + int(50*far/(2*p.Radius))
	x := make([]r3.Vec, len(from))
	for k := range parts {
		for i := range x {
			x[i] = from[i].Lerp(to[i], float64(k+1)/float64(parts))
		}
		now := map[int]bool{}
		for _, c := range watch.Check(x) {
			now[c] = true
			at := &watch.Crossings[c]
			if !bad[c] && p.At(x, at.A).Sub(p.At(x, at.B)).Norm() < p.Radius/10 {
				met = append(met, c)
			}
		}
		clear(bad)
		for c := range now {
			bad[c] = true
		}
	}
	return met
}

// forced throws a knit so that yarns slip through each other, with steps of h that nothing guards, and compares what is
// told with what the signs of crossings show. A crossing whose yarns passed through each other must have been in a slip
// near it, no farther along either yarn than the two segments that the watch looks at.
func forced(t *verify.Trial, size int, speed, h float64) {
	// knit, and its crossings to watch
	p := thrownKnit(t, size, speed)
	watch, bad := p.Watch(), map[int]bool{}
	changed, untold := 0, 0
	// steps, until yarns are torn
	for range 20 {
		from := append([]r3.Vec(nil), p.w.Positions()...)
		s, err := p.w.Step(h)
		if errors.Is(err, yarn.ErrTorn) {
			break
		}
		t.Must(err)
		// what was told
		told := map[[2]int]bool{}
		for _, slip := range s.Slips {
			nearSlip(told, slip)
		}
		// what passed through, and whether it was told
		for _, c := range p.flips(watch, from, p.w.Positions(), bad) {
			changed++
			at := &watch.Crossings[c]
			if !told[[2]int{at.A.Segment, at.B.Segment}] {
				untold++
			}
		}
	}
	// enough passed through, and all were told
	t.Row(verify.Row{
		Quantity: fmt.Sprintf("crossings that pass through at %g m/s with steps of %.2g ms", speed, h*1e3),
		Measured: float64(changed), Bar: verify.AtLeast, Limit: 10,
	})
	t.Row(verify.Row{Quantity: "of these untold in their step", Measured: float64(untold), Bar: verify.AtMost})
}

// K30: with steps of up to 1/4000 s under guards a knit keeps its crossings. Thrown five times as fast, a large one
// does not: yarns that meet at up to 10 m/s are pressed to a tenth of a diameter, and slip between points of quadrature
// that are a fifth of it apart. There, and without guards, every slip is told.
var guardedSteps = verify.Case{
	ID: "K30", Title: "long steps under guards", Source: "signs of crossings",
	Body: func(t *verify.Trial) {
		size, end := 10, 0.04
		if t.Options.Full {
			size, end = 20, 1
		}
		for _, speed := range []float64{1, 5} {
			p := thrownKnit(t, size, speed)
			watch, bad, from := p.Watch(), map[int]bool{}, append([]r3.Vec(nil), p.w.Positions()...)
			changed, untold, slips, steps, retries := 0, 0, 0, 0, 0
			told := map[[2]int]bool{} // since crossings were looked at
			t.Must(p.w.Advance(end, yarn.Pace{Most: 1.0 / 4000}, func(s *yarn.Stats) {
				slips += len(s.Slips)
				retries += s.Retries
				for _, slip := range s.Slips {
					nearSlip(told, slip)
				}
				if steps++; steps%10 == 0 {
					for _, c := range p.flips(watch, from, p.w.Positions(), bad) {
						changed++
						if at := &watch.Crossings[c]; !told[[2]int{at.A.Segment, at.B.Segment}] {
							untold++
						}
					}
					copy(from, p.w.Positions())
					clear(told)
				}
			}))
			what := fmt.Sprintf("thrown at %g m/s: ", speed)
			if speed == 1 {
				t.Row(verify.Row{Quantity: what + "crossings changed", Measured: float64(changed), Bar: verify.AtMost})
				t.Row(verify.Row{Quantity: what + "slips told", Measured: float64(slips), Bar: verify.AtMost})
			} else {
				t.Row(verify.Row{
					Quantity: what + "crossings changed, untold", Measured: float64(untold), Bar: verify.AtMost,
					Asked: "no crossing changed",
					Why: "The energy of contact is a sum over points a fifth of a diameter apart, so that its " +
						"barrier is finite.",
				})
				t.Note("%s%d crossings changed, %d slips told", what, changed, slips)
			}
			t.Note("%smean step %.3g ms in %d steps, %d of them halved", what, end/float64(steps)*1e3, steps, retries)
		}
		forced(t, size, 10, 1.0/4000)
	},
}
