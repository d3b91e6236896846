package verify

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/draw"
	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/knit"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/yarn"
)

// K7: yarns that move as one rigid body keep their models and springs; their forces turn along and have neither a sum
// nor a torque. Friction, which one yarn sliding on the other has called up before, stays what it is.
var rigidModels = Case{
	ID: "K7", Title: "contact follows rigid motion", Source: "no ghost forces: section 4.1 of [Kaldor10]",
	run: func(t *trial) {
		trials := 4
		if t.Options.Full {
			trials = 40
		}
		for _, c := range []struct {
			name     string
			mode     yarn.ContactMode
			friction float64
		}{
			{"linear models", yarn.ContactLinear, 0},
			{"linear models, friction 0.3", yarn.ContactLinear, 0.3},
			{"contact sets, friction 0.3", yarn.ContactSets, 0.3},
		} {
			r := rand.New(rand.NewPCG(7, 1))
			var worst rigidOff
			for range trials {
				worst = worst.most(t.tumble(r, c.mode, c.friction))
			}
			if c.mode == yarn.ContactLinear {
				t.row(Row{Quantity: c.name + ": models built anew", Measured: float64(worst.updates), Bar: AtMost})
			}
			t.row(Row{Quantity: c.name + ": force off the turned one, over its largest", Measured: worst.force, Bar: AtMost, Limit: 1e-10})
			t.row(Row{Quantity: c.name + ": net force over force", Measured: worst.net, Bar: AtMost, Limit: 1e-10})
			if c.friction == 0 {
				t.row(Row{Quantity: c.name + ": net torque over force times radius", Measured: worst.torque, Bar: AtMost, Limit: 1e-10})
			} else {
				t.row(Row{Quantity: c.name + ": friction over normal force, before", Measured: worst.drag, Bar: AtLeast, Limit: 0.02})
			}
		}
	},
}

// rigidOff is by how much contact misses a rigid motion.
type rigidOff struct {
	updates                  int
	force, net, torque, drag float64
}

func (a rigidOff) most(b rigidOff) rigidOff {
	return rigidOff{
		a.updates + b.updates, max(a.force, b.force), max(a.net, b.net), max(a.torque, b.torque), max(a.drag, b.drag),
	}
}

// tumble slides one of two crossed yarns along the other and then moves both as one body.
func (t *trial) tumble(r *rand.Rand, mode yarn.ContactMode, friction float64) (worst rigidOff) {
	const h, still, steps = 1.0 / 16200, 100, 300
	m := touchOnly()
	m.Friction = friction
	m.Twist = 1e-15 // so little that no force of it is felt: held edges have frames, that turn with what holds them
	w, err := yarn.New(yarn.Options{Material: m, Mode: mode, Tolerance: 0.04, Workers: t.Options.Workers, Strain: math.Inf(1)})
	t.must(err)
	body := tumbling{axis: gaussian(r).Unit(), rate: 0.02 / h, along: gaussian(r), start: still * h, slid: 20 * h}
	for k, y := range crossedYarns(r) {
		first, err := w.AddYarn(y)
		t.must(err)
		points := make([]int, len(y.Points))
		for i := range points {
			points[i] = first + i
		}
		if friction > 0 {
			body.slide = r3.V(2e-6, -1e-6, 0).Scale(float64(k))
		}
		t.must(w.AddHold(yarn.Hold{Points: points, Motion: body}))
	}
	n := len(w.Positions())
	first, force, was := make([]r3.Vec, n), make([]r3.Vec, n), make([]r3.Vec, n)
	for step := range still + steps {
		copy(was, w.Positions())
		s, err := w.Step(h)
		t.must(err)
		pose := body.At(float64(step) * h)
		for i := range force {
			force[i] = pose.R.Conj().Rotate(w.Force(i))
		}
		if step < still {
			copy(first, force)
			worst.drag = max(worst.drag, t.dragOf(w, n))
			continue
		}
		for i := range was {
			was[i] = pose.R.Conj().Rotate(was[i].Sub(pose.T))
		}
		net, torque := moments(was, force)
		worst = worst.most(rigidOff{
			s.Contact.Updates, differ(force, first), net.Norm() / s.Contact.Force, torque.Norm() / (s.Contact.Force * m.Radius), 0,
		})
	}
	return worst
}

// dragOf returns the part of the force on the first of two yarns of n points that is not upright, over the force.
func (t *trial) dragOf(w *yarn.World, n int) float64 {
	var net r3.Vec
	for i := range n / 2 {
		net = net.Add(w.Force(i))
	}
	return math.Hypot(net.X, net.Y) / net.Norm()
}

// tumbling is a body that slides until a time and after another one turns and flies.
type tumbling struct {
	slide       r3.Vec // in all [m]
	slid, start float64
	axis, along r3.Vec
	rate        float64 // [rad/s]
}

func (m tumbling) At(time float64) r3.Pose {
	since := max(0, time-m.start)
	pose := r3.Pose{R: r3.Rotation(m.axis, m.rate*since), T: m.along.Scale(since)}
	return r3.Pose{R: pose.R, T: pose.Apply(m.slide.Scale(min(1, time/m.slid)))}
}

// K11: how long linear models last at the tolerance of [Kaldor10].
var modelAges = Case{
	ID: "K11", Title: "linear models last", Source: "section 6 of [Kaldor10]: more than 200 steps at τ = 0.04",
	run: func(t *trial) {
		loops, duration := 10, 0.15
		if t.Options.Full {
			loops, duration = 27, 1.0
		}
		w := t.fallingKnit(loops, yarn.ContactLinear, 0.04)
		const frame = 1.0 / 30
		lives, updates := 0.0, 0.0
		ages := draw.Series{Name: "in the mean of 1 ms", Style: draw.Line}
		var sets, renewed float64
		next := 1e-3
		t.must(w.Advance(duration, yarn.Pace{}, func(s *yarn.Stats) {
			lives, updates = lives+float64(s.Contact.Sets), updates+float64(s.Contact.Updates)
			sets, renewed = sets+float64(s.Contact.Sets), renewed+float64(s.Contact.Updates)
			if w.Time() >= next {
				ages.X, ages.Y = append(ages.X, w.Time()), append(ages.Y, 100*renewed/sets)
				next, sets, renewed = w.Time()+1e-3, 0, 0
			}
		}))
		t.row(Row{Quantity: "mean time between rebuilds of a model", Unit: "steps", Measured: lives / updates, Bar: AtLeast, Limit: 200})
		_ = frame
		t.plot("k11-rebuilds", draw.Plot{
			Title: "K11: models built anew in a step", X: "time [s]", Y: "[%]", Series: []draw.Series{ages},
		})
	},
}

// fallingKnit returns a square of stockinette that falls from near by on a plane.
func (t *trial) fallingKnit(loops int, mode yarn.ContactMode, tau float64) *yarn.World {
	m := yarn.Kaldor()
	m.Bend = 2e-9
	f, err := knit.Make(knit.Stockinette(), knit.Options{Wales: loops, Courses: loops, Radius: m.Radius, LoopLength: 17.6 * 2 * m.Radius})
	t.must(err)
	w, err := yarn.New(yarn.Options{Material: m, Gravity: r3.V(0, 0, -9.81), Mode: mode, Tolerance: tau, Workers: t.Options.Workers})
	t.must(err)
	for _, y := range asLaid(f) {
		_, err := w.AddYarn(y)
		t.must(err)
	}
	for _, g := range f.Glue {
		t.must(w.AddGlue(yarn.Glue{A: g.A, B: g.B}))
	}
	blocks, _ := f.Blocks(4)
	t.must(w.SetBlocks(blocks))
	_, err = w.AddObstacle(yarn.Obstacle{Shape: geom.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Translation(r3.V(0, 0, -0.02)), Friction: 0.3})
	t.must(err)
	t.must(w.Ramp(f.Ratio, 0.01))
	return w
}

// K28: how far linear models are from the exact force while a knit falls, by their tolerance. Puppets follow the knit.
var modelErrors = Case{
	ID: "K28", Title: "errors of linear models", Source: "section 4.2 of [Kaldor10]",
	run: func(t *trial) {
		loops, steps := 8, 1500
		if t.Options.Full {
			loops, steps = 16, 6000
		}
		w := t.fallingKnit(loops, yarn.ContactLinear, 0.04)
		var yarns []yarn.Yarn
		for y := range w.Yarns() {
			first, end, closed := w.Range(y)
			yarns = append(yarns, yarn.Yarn{Points: append([]r3.Vec(nil), w.Positions()[first:end]...), Closed: closed})
		}
		taus := []float64{0.004, 0.01, 0.04, 0.1, 0.3}
		exact := t.newPuppet(yarn.Options{Material: touchOnly()}, yarns)
		var puppets []*puppet
		for _, tau := range taus {
			puppets = append(puppets, t.newPuppet(yarn.Options{Material: touchOnly(), Mode: yarn.ContactLinear, Tolerance: tau}, yarns))
		}
		const h = 1.0 / 16200
		size, off := 0.0, make([]float64, len(taus))
		for step := range steps {
			_, err := w.Step(h)
			t.must(err)
			copy(exact.at, w.Positions())
			exact.step()
			for k, p := range puppets {
				copy(p.at, w.Positions())
				p.step()
				if step < steps/2 {
					continue
				}
				for i, f := range p.force {
					off[k] += f.Sub(exact.force[i]).Norm2()
				}
			}
			if step >= steps/2 {
				for _, f := range exact.force {
					size += f.Norm2()
				}
			}
		}
		for k := range off {
			off[k] = math.Sqrt(off[k] / size)
			t.note("%s", fmt.Sprint(taus[k], " ", off[k]))
		}
		t.row(Row{Quantity: "order", Measured: orderOf(taus, off), Expected: 1, Bar: Absolute, Limit: 0.3})
	},
}
