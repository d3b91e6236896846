package scheme

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/friction"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// contactScene is a scene for C20: a world, and what moves it before each step.
type contactScene struct {
	name string
	h    float64
	make func(t *verify.Trial) (*engine.World, func(step int))
}

var contactScenes = []contactScene{
	{"ramp", 5e-3, func(t *verify.Trial) (*engine.World, func(int)) {
		w, id, down := friction.OnSlope(t, 12, 0.3, 10*math.Pi/180, 1e-8, 0)
		setup.SetSpeed(w, id, 0, down.Scale(0.1))
		return w, nil
	}},
	{"capstan", 1e-2, func(t *verify.Trial) (*engine.World, func(int)) {
		w, _ := friction.HungOver(t, 60, 0.4, 0, nil)
		return w, nil
	}},
	{"leaning cards", setup.CardStep, func(t *verify.Trial) (*engine.World, func(int)) {
		return friction.Leaning(t, 8, 0).W, nil
	}},
	{"circular drag", 4e-3, func(t *verify.Trial) (*engine.World, func(int)) {
		w, _, hand := friction.Dragged(t, engine.DefaultOptions(), 7, 0.5, 0.5)
		return w, func(k int) {
			sin, cos := math.Sincos(2 * math.Pi * 4e-3 * float64(k) / 5)
			w.MoveHandle(hand, r3.Translation(r3.V(0.5*(cos-1), 0.5*sin, 0)))
		}
	}},
	{"pinch", friction.PinchStep, func(t *verify.Trial) (*engine.World, func(int)) {
		return friction.NewPinch(t, 8, friction.PinchStep, 0).W, nil
	}},
	{"ball drape", 2e-3, func(t *verify.Trial) (*engine.World, func(int)) {
		m, x := shape.Grid(0.5, 0.5, 20, 20)
		for i := range x {
			x[i] = x[i].Add(r3.V(-0.25, -0.25, 0.01))
		}
		w, _ := setup.Sheet(t, engine.DefaultOptions(), m, x, setup.SheetFabric{Density: 0.2, Stretch: 200, Bend: 1e-5})
		setup.Obstacle(t, w, "ball", shape.Sphere{Radius: 0.1}, r3.Translation(r3.V(0, 0, -0.1)))
		return w, nil
	}},
	{"three layers", 2e-3, func(t *verify.Trial) (*engine.World, func(int)) {
		opt := engine.DefaultOptions()
		opt.Workers = t.Workers
		w := t.World(opt)
		for layer := range 3 {
			m, x := shape.Grid(0.2, 0.2, 10, 10)
			turn := r3.Rotation(r3.V(0, 0, 1), 0.3*float64(layer))
			v := make([]r3.Vec, len(x))
			for i := range x {
				x[i] = turn.Rotate(x[i].Sub(r3.V(0.1, 0.1, 0))).Add(r3.V(0, 0, 2e-3+5e-3*float64(layer)))
				v[i] = r3.V(0.2*float64(layer), 0, 0)
			}
			c := body.DefaultCloth(
				fmt.Sprintf("layer %d", layer+1),
				m,
				x,
				setup.SheetFabric{Density: 0.2, Stretch: 200, Bend: 1e-5}.Fabric(),
			)
			c.Velocities = v
			_, err := cloths.Add(w, c)
			t.Must(err)
		}
		setup.Obstacle(t, w, "floor", shape.Plane{Normal: r3.V(0, 0, 1)}, r3.Still())
		return w, nil
	}},
}

// C20: the residual of every step of the scenes here, with friction from 0 to 0.6. 99 % of the steps of each reach 1e-8
// m/s, the rest say that they did not. Of some the problem is written out, and the referee, who knows the law and
// nothing of the solver, looks at the velocities and impulses of the step: what momentum is lacking, and what is wrong
// with each clause of the law. His word and the step's must agree.
var residuals = verify.Case{
	ID: "C20", Title: "residual of every step", Source: "Coulomb's law",
	Body: func(t *verify.Trial) {
		steps, every := 80, 10
		if t.Options.Full {
			steps, every = 250, 25
		}
		var j judged
		series := []draw.Series{
			{Name: "tolerance", X: []float64{0, float64(steps)}, Y: []float64{1e-8, 1e-8}, Style: draw.Dashed},
		}
		for _, scene := range contactScenes {
			t.Steps = verify.StepTally{}
			trace := draw.Series{Name: scene.name, Style: draw.Points}
			for _, mu := range []float64{0, 0.1, 0.3, 0.6} {
				w, move := scene.make(t)
				for id := range engine.ClothID(w.Cloths()) {
					setup.SetFriction(w, id, mu)
				}
				for k := range steps {
					if move != nil {
						move(k + 1)
					}
					var dump bytes.Buffer
					if k%every == every-1 {
						w.DumpNext(&dump)
					}
					s := t.Step(w, scene.h)
					if dump.Len() > 0 {
						j.step(t, w, &s, &dump)
					}
					if mu == 0.3 && k%3 == 0 {
						trace.X, trace.Y = append(trace.X, float64(k+1)), append(trace.Y, max(s.Residual, 1e-17))
					}
				}
			}
			t.Steps.Rows(t, scene.name)
			if len(series) < 6 {
				series = append(series, trace)
			}
		}
		j.rows(t)
		t.Plot(
			"c20-residual",
			draw.Plot{
				Title:  "C20: residual of every third step, μ = 0.3",
				X:      "step",
				Y:      "residual [m/s]",
				LogY:   true,
				Series: series,
			},
		)
	},
}

// judged is what the referee found in steps.
type judged struct {
	steps, passed int // looked at, and not because they were solved again with other contacts, or have a press
	worst         referee.Breach
	factor        float64 // between the residual that a step says and what the referee finds

	// What the referee finds in disturbed answers over three times what the measure says of the law, at most, and by
	// how much they differ about momentum, relative.
	missed, balance float64
	measure         solve.Measure
}

// step asks the referee about a step that has just been taken, the problem of which was written out.
func (j *judged) step(t *verify.Trial, w *engine.World, s *engine.Stats, dump *bytes.Buffer) {
	p, err := solve.ReadProblem(dump)
	t.Must(err)
	points := w.Contacts(nil)
	if s.Rounds > 0 || s.Infeasible > 0 || len(p.Partly) > 0 || len(points) != p.Set.Len() || !s.Converged {
		j.passed++
		return
	}
	v := p.V[:0]
	for id := range engine.ClothID(w.Cloths()) {
		v = append(v, w.Velocities(id)...)
	}
	r := make([]r3.Vec, len(points))
	for c := range points {
		r[c] = p.Set.Contacts[c].Frame.MulVec(points[c].Impulse)
	}
	plain := problems.Plain(p.A, p.B, p.Mass, p.Fixed, p.Set, nil)
	found := referee.Judge(plain, v, r)
	j.steps++
	for _, size := range []float64{1e-6, 1e-3, 1} {
		j.disturb(p, plain, v, r, size)
	}
	j.worst.Balance, j.worst.Approach, j.worst.Pull = max(
		j.worst.Balance,
		found.Balance,
	), max(
		j.worst.Approach,
		found.Approach,
	), max(
		j.worst.Pull,
		found.Pull,
	)
	j.worst.Parting, j.worst.Cone = max(j.worst.Parting, found.Parting), max(j.worst.Cone, found.Cone)
	j.worst.Slip, j.worst.Direction = max(j.worst.Slip, found.Slip), max(j.worst.Direction, found.Direction)
	const small = 1e-11 // below which rounding decides [m/s]
	said, is := s.Residual+small, found.Worst()+small
	j.factor = max(j.factor, said/is, is/said)
}

// disturb asks the referee and the measure about an answer with errors of the given size [m/s]. If a change by d makes
// an answer lawful, then no clause of the law is off by more than 3 d for μ up to 2: slip and friction that were
// opposed are turned by at most 30 degrees each as long as both are above 2 d, the cone is left by (1 + μ) d, and
// others by d.
func (j *judged) disturb(p *solve.ContactProblem, plain *referee.Problem, v, r []r3.Vec, size float64) {
	rng := rand.New(rand.NewPCG(uint64(j.steps), 20))
	off := func() r3.Vec { return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(size) }
	v, r = slices.Clone(v), slices.Clone(r)
	for i := range v {
		v[i] = v[i].Add(off())
	}
	for c := range r {
		r[c] = r[c].AddScaled(p.Mass[p.Set.Row(c)[0].Block], off())
	}
	said, found := j.measure.Of(p, v, r, nil), referee.Judge(plain, v, r)
	j.balance = max(j.balance, math.Abs(said.Dynamics/found.Balance-1))
	found.Balance = 0
	j.missed = max(j.missed, found.Worst()/(3*said.Law))
}

func (j *judged) rows(t *verify.Trial) {
	// enough steps
	t.Row(verify.Row{
		Quantity: "steps that the referee looked at", Measured: float64(j.steps), Bar: verify.AtLeast, Limit: 100,
	})
	// each part of the law
	for _, part := range []struct {
		name string
		is   float64
	}{
		{"momentum that a vertex lacks, over its mass", j.worst.Balance},
		{"surfaces that come closer", j.worst.Approach},
		{"surfaces that pull", j.worst.Pull},
		{"surfaces that part and push", j.worst.Parting},
		{"friction beyond the cone", j.worst.Cone},
		{"slip that friction could stop", j.worst.Slip},
		{"slip and friction that are not opposed", j.worst.Direction},
	} {
		t.Row(verify.Row{
			Quantity: "referee: " + part.name, Unit: "m/s", Measured: part.is, Bar: verify.AtMost, Limit: setup.Solved,
			From: "a step's tolerance, of parts of the law by up to √2",
		})
	}
	// what a step says of itself against the referee
	t.Row(
		verify.Row{
			Quantity: "factor between the residual that a step says and that of the referee, at most",
			Measured: j.factor,
			Bar:      verify.AtMost,
			Limit:    3,
		},
	)
	// answers that were disturbed
	t.Row(
		verify.Row{
			Quantity: "disturbed answers: what the referee finds over three times what the residual says of the law, " +
				"at most",
			Measured: j.missed,
			Bar:      verify.AtMost,
			Limit:    1,
		},
	)
	t.Row(
		verify.Row{
			Quantity: "disturbed answers: momentum that is lacking, referee and residual, relative difference",
			Measured: j.balance,
			Bar:      verify.AtMost,
			Limit:    4 * verify.Rounding / 1e-6,
			From:     "4 roundings of 1 m/s, over disturbances of 1e-6 m/s",
		},
	)
	// steps that were passed over
	t.Note("%d steps were not looked at: solved again with other contacts, with a press, or not converged", j.passed)
}
