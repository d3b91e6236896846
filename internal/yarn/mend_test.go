package yarn

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// tautOverBar returns a yarn over a bar, drawn at both ends, after long steps in which it hardly moves.
func tautOverBar(t *testing.T, pace Pace) *World {
	t.Helper()
	m := Kaldor()
	m.Contact, m.Bend, m.Twist, m.Plastic, m.PlasticMost = 0, 0, 0, 0, 0
	w, err := New(Options{Material: m})
	if err != nil {
		t.Fatal(err)
	}
	const bar, spacing, points = 0.05, 5e-3, 61
	r := bar + m.Radius
	var yarn []r3.Vec
	for i := range points {
		// Along a quarter of a turn on either side, then straight down.
		along := spacing * (float64(i) - (points-1)/2)
		turned := math.Copysign(min(math.Abs(along), math.Pi/2*r), along)
		sin, cos := math.Sincos(turned / r)
		yarn = append(yarn, r3.V(r*sin, 0, r*cos-math.Abs(along-turned)))
	}
	if _, err := w.AddYarn(Yarn{Points: yarn}); err != nil {
		t.Fatal(err)
	}
	lying := r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), math.Pi/2)}
	if _, err := w.AddObstacle(Obstacle{Name: "bar", Shape: shape.Capsule{Radius: bar, Half: 0.1}, Place: lying}); err != nil {
		t.Fatal(err)
	}
	for _, end := range []int{0, points - 1} {
		w.SetForce(end, r3.V(0, 0, -0.3))
	}
	for range 400 {
		if err := w.Advance(pace.Most, Pace{Base: pace.Most}, nil); err != nil {
			t.Fatal(err)
		}
		w.Stop()
	}
	return w
}

// A yarn that is pressed onto an obstacle is left a little too long by every step. A step that is much shorter than
// those before corrects a share of that, and so the yarn is not jerked.
func TestShortStepsDoNotJerk(t *testing.T) {
	pace := Pace{Base: 1.0 / 64000, Most: 1.0 / 4000}
	w := tautOverBar(t, pace)
	jerked, err := w.Step(pace.Base) // all of it
	if err != nil {
		t.Fatal(err)
	}
	w = tautOverBar(t, pace)
	var calm Stats
	if err := w.Advance(pace.Base, pace, func(s *Stats) { calm = *s }); err != nil {
		t.Fatal(err)
	}
	if math.Abs(calm.Length-pace.Base) > 1e-9*pace.Base || !(calm.Spared > 0) {
		t.Fatalf("a step of %g s that leaves a strain of %g", calm.Length, calm.Spared)
	}
	if !(calm.Fastest < 0.25*jerked.Fastest) {
		t.Errorf("the yarn moves at %g m/s, and at %g m/s where all is corrected at once", calm.Fastest, jerked.Fastest)
	}
}
