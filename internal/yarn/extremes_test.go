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

// Segments that would fill the grid of contacts are refused at once, unless yarns do not feel each other.
func TestLongSegmentsAreRefused(t *testing.T) {
	const tooFar = LongestSegment + 1
	for _, c := range []struct {
		name   string
		points []r3.Vec // [radii]
		closed bool
		taken  bool
	}{
		{"as far as can be", []r3.Vec{{}, r3.V(LongestSegment-1, 0, 0)}, false, true},
		{"too far", []r3.Vec{{}, r3.V(1, 0, 0), r3.V(0, 0, tooFar)}, false, false},
		{"too far to close", []r3.Vec{{}, r3.V(40, 0, 0), r3.V(80, 0, 0)}, true, false},
		{"far without closing", []r3.Vec{{}, r3.V(40, 0, 0), r3.V(80, 0, 0)}, false, true},
		{"without end", []r3.Vec{{}, r3.V(1e300, 0, 0)}, false, false},
	} {
		m := Kaldor()
		for _, feel := range []bool{true, false} {
			if !feel {
				m.Contact = 0
			}
			y := Yarn{Name: "yarn", Closed: c.closed}
			for _, p := range c.points {
				y.Points = append(y.Points, p.Scale(m.Radius))
			}
			w := newWorld(t, m, r3.Vec{})
			if _, err := w.AddYarn(y); (err == nil) != (c.taken || !feel) {
				t.Errorf("%s, contact %g: %v", c.name, m.Contact, err)
			}
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
