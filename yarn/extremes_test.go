package yarn

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// Options that contact cannot work with are refused: more points than a word has bits would lose contacts unseen.
func TestOptionsAreRefused(t *testing.T) {
	for name, o := range map[string]Options{
		"one point":       {Points: 1},
		"too many points": {Points: maxPoints + 1},
		"fewer than none": {Points: -1},
		"no tolerance":    {Tolerance: math.NaN()},
		"below a metric":  {Tolerance: -1},
		"no such mode":    {Mode: ContactHierarchy + 1},
		"no strain":       {Strain: math.NaN()},
		"gravity is not":  {Gravity: r3.V(0, 0, math.Inf(1))},
	} {
		o.Material = Kaldor()
		if _, err := New(o); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// Yarns without any stiffness, and worlds without any yarn, step.
func TestNothingToBend(t *testing.T) {
	m := Kaldor()
	m.Bend, m.Twist = 0, 0
	w := newWorld(t, m, r3.V(0, 0, -9.81))
	hair(t, w)
	if s := w.mustStep(t, 1e-4); s.Frames != 0 || math.IsNaN(s.Kinetic) {
		t.Errorf("slopes of frames %g, kinetic energy %g", s.Frames, s.Kinetic)
	}
	newWorld(t, Kaldor(), r3.Vec{}).mustStep(t, 1e-4)
}

// What rounding leaves of a frame's time is passed without a step: velocities over it would tear yarns.
func TestAdvancingByRounding(t *testing.T) {
	w := newWorld(t, Kaldor(), r3.V(0, 0, -9.81))
	hair(t, w)
	if err := w.Advance(0.09, Pace{}, nil); err != nil {
		t.Fatal(err)
	}
	const end = 0.1
	if err := w.Advance(end-w.Time()-1e-17, Pace{}, nil); err != nil {
		t.Fatal(err)
	}
	steps := w.Steps()
	if err := w.Advance(1e-17, Pace{}, nil); err != nil || w.Steps() != steps {
		t.Errorf("%d steps in 1e-17 s: %v", w.Steps()-steps, err)
	}
}
