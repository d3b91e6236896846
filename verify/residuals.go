package verify

import (
	"bytes"
	"fmt"
	"math"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/draw"
	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
	"github.com/toile-sim/toile/solve"
)

// contactScene is a scene for C20: a world, and what moves it before each step.
type contactScene struct {
	name string
	h    float64
	make func(t *trial) (*toile.World, func(step int))
}

var contactScenes = []contactScene{
	{"ramp", 5e-3, func(t *trial) (*toile.World, func(int)) {
		w, id, down := t.onSlope(12, 0.3, 10*math.Pi/180, 1e-8, 0)
		t.setSpeed(w, id, 0, down.Scale(0.1))
		return w, nil
	}},
	{"capstan", 1e-2, func(t *trial) (*toile.World, func(int)) {
		w, _ := t.hungOver(60, 0.4, 0, nil)
		return w, nil
	}},
	{"leaning cards", cardStep, func(t *trial) (*toile.World, func(int)) { return t.leaning(8, 0).w, nil }},
	{"circular drag", 4e-3, func(t *trial) (*toile.World, func(int)) {
		w, _, hand := t.dragged(7, 0.5, 0.5)
		return w, func(k int) {
			sin, cos := math.Sincos(2 * math.Pi * 4e-3 * float64(k) / 5)
			w.MoveHandle(hand, r3.Translation(r3.V(0.5*(cos-1), 0.5*sin, 0)))
		}
	}},
	{"pinch", pinchStep, func(t *trial) (*toile.World, func(int)) { return t.newPinch(8, pinchStep, 0).w, nil }},
	{"ball drape", 2e-3, func(t *trial) (*toile.World, func(int)) {
		m, x := shape.Grid(0.5, 0.5, 20, 20)
		for i := range x {
			x[i] = x[i].Add(r3.V(-0.25, -0.25, 0.01))
		}
		w, _ := t.sheet(toile.DefaultOptions(), m, x, sheetFabric{density: 0.2, stretch: 200, bend: 1e-5})
		t.obstacle(w, "ball", geom.Sphere{Radius: 0.1}, r3.Translation(r3.V(0, 0, -0.1)))
		return w, nil
	}},
	{"three layers", 2e-3, func(t *trial) (*toile.World, func(int)) {
		opt := toile.DefaultOptions()
		opt.Workers = t.Workers
		w, err := toile.New(opt)
		t.must(err)
		for layer := range 3 {
			m, x := shape.Grid(0.2, 0.2, 10, 10)
			turn := r3.Rotation(r3.V(0, 0, 1), 0.3*float64(layer))
			v := make([]r3.Vec, len(x))
			for i := range x {
				x[i] = turn.Rotate(x[i].Sub(r3.V(0.1, 0.1, 0))).Add(r3.V(0, 0, 2e-3+5e-3*float64(layer)))
				v[i] = r3.V(0.2*float64(layer), 0, 0)
			}
			c := toile.DefaultCloth(fmt.Sprintf("layer %d", layer+1), m, x, sheetFabric{density: 0.2, stretch: 200, bend: 1e-5}.fabric())
			c.Velocities = v
			_, err = w.AddCloth(c)
			t.must(err)
		}
		t.obstacle(w, "floor", geom.Plane{Normal: r3.V(0, 0, 1)}, r3.Still())
		return w, nil
	}},
}

// C20: the residual of every step of the scenes here, with friction from 0 to 0.6. 99 % of the steps of each reach 1e-8 m/s, the rest say that they did
// not. Some problems are also written out and their solutions measured again by the parts of the law: s max(0, ‖r_T‖ - μ r_N),
// min(u_N, s r_N), ‖u_T‖ sin∠(r_T, -u_T).
var residuals = Case{
	ID: "C20", Title: "residual of every step", Source: "Coulomb's law",
	run: func(t *trial) {
		steps, every := 80, 20
		if t.Options.Full {
			steps, every = 1000, 50
		}
		var parts solve.Residual
		measured := 0
		series := []draw.Series{{Name: "tolerance", X: []float64{0, float64(steps)}, Y: []float64{1e-8, 1e-8}, Style: draw.Dashed}}
		for _, scene := range contactScenes {
			t.steps = stepTally{}
			trace := draw.Series{Name: scene.name, Style: draw.Points}
			for _, mu := range []float64{0, 0.1, 0.3, 0.6} {
				w, move := scene.make(t)
				for id := range toile.ClothID(w.Cloths()) {
					setFriction(w, id, mu)
				}
				for k := range steps {
					if move != nil {
						move(k + 1)
					}
					var dump bytes.Buffer
					if k%every == every-1 {
						w.DumpNext(&dump)
					}
					s := t.step(w, scene.h)
					if dump.Len() > 0 && s.Converged {
						t.measureAgain(&dump, &parts)
						measured++
					}
					if mu == 0.3 && k%3 == 0 {
						trace.X, trace.Y = append(trace.X, float64(k+1)), append(trace.Y, max(s.Residual, 1e-17))
					}
				}
			}
			t.steps.rows(t, scene.name)
			if len(series) < 6 {
				series = append(series, trace)
			}
		}
		t.row(Row{Quantity: fmt.Sprintf("cone violation in %d problems measured again", measured), Unit: "m/s", Measured: parts.Cone, Bar: AtMost, Limit: 1.01e-8})
		t.row(Row{Quantity: "complementarity", Unit: "m/s", Measured: parts.Complementarity, Bar: AtMost, Limit: 1.01e-8})
		t.row(Row{Quantity: "misalignment", Unit: "m/s", Measured: parts.Misalignment, Bar: AtMost, Limit: 1.01e-8})
		t.plot("c20-residual", draw.Plot{Title: "C20: residual of every third step, μ = 0.3", X: "step", Y: "residual [m/s]", LogY: true, Series: series})
	},
}

// measureAgain reads a dumped problem, solves it and keeps the largest parts of the residual.
func (t *trial) measureAgain(dump *bytes.Buffer, parts *solve.Residual) {
	p, err := solve.ReadProblem(dump)
	t.must(err)
	p.Tolerance = min(p.Tolerance, 1e-8) // rounds before the last of a step are solved roughly
	out, _ := p.Solve(nil)
	if !out.Converged {
		return
	}
	var m solve.Measure
	r := m.Of(p, out.V, out.R, out.Infeasible)
	parts.Cone, parts.Complementarity, parts.Misalignment = max(parts.Cone, r.Cone), max(parts.Complementarity, r.Complementarity), max(parts.Misalignment, r.Misalignment)
}
