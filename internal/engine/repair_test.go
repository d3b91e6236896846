package engine

import (
	"testing"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// TestRepairBringsApartWhatStartsCrossed: two sheets through each other, one of them in a ball, with a corner that a
// handle holds.
func TestRepairBringsApartWhatStartsCrossed(t *testing.T) {
	w := must(New(DefaultOptions()))
	w.flat(0.3, 12, lifted(0.095), r3.V(0, 0, 1))
	tilted := w.flat(0.2, 13, r3.Pose{R: r3.Rotation(r3.V(0, 1, 0), 0.45), T: r3.V(0.05, 0, 0.112)}, r3.Vec{})
	must(w.AddObstacle(Obstacle{Name: "ball", Shape: shape.Sphere{Radius: 0.1}, Place: r3.Still()}))
	must(w.AddHandle(Handle{Name: "corner", Cloth: tilted, Vertices: []int32{0}}))
	held, speed := w.Positions(tilted)[0], w.vel[3]
	before, _ := w.Crossings()
	for _, p := range w.CrossingPairs() {
		if at := p.Where.Min.Lerp(p.Where.Max, 0.5); at.Sub(r3.V(0.05, 0, 0.1)).Norm() > 0.06 {
			t.Errorf("surfaces %d and %d cross at %v", p.A, p.B, p.Where)
		}
	}
	stats := w.Repair()
	t.Logf("%+v", stats)
	after, _ := w.Crossings()
	if stats.Before != before || stats.After != after || before < 20 || after != 0 || stats.Move == 0 ||
		stats.Move > 0.05 {
		t.Errorf("%d crossings became %d: %+v", before, after, stats)
	}
	if w.Positions(tilted)[0] != held || w.vel[3] != speed {
		t.Error("what is held was moved, or velocities have changed")
	}
	if again := w.Repair(); again != (RepairStats{}) {
		t.Errorf("there was something left to do: %+v", again)
	}
	for range 5 {
		if s := must(w.Step(4e-3)); s.Crossings > 0 || s.Untangling.Blocks > 0 {
			t.Errorf("step %d: %d crossings", s.Step, s.Crossings)
		}
	}
}
