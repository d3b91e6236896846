package engine

import (
	"bytes"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A step of another length begins with the forces of the one before, not with its impulses: those of a sheet at rest
// carry its weight for the time of the step.
func TestGuessOfAShorterStep(t *testing.T) {
	w := must(New(DefaultOptions()))
	id := w.flat(0.1, 4, lifted(1e-3), r3.Vec{})
	must(w.AddObstacle(Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	for range 5 {
		must(w.Step(4e-3))
	}
	weight := 0.0
	for _, m := range w.Masses(id) {
		weight += 9.81 * m
	}
	for _, h := range []float64{4e-3, 1e-3, 3e-3} {
		var file bytes.Buffer
		w.DumpNext(&file)
		must(w.Step(h))
		p := must(solve.ReadProblem(&file))
		sum := 0.0
		for _, r := range p.R {
			sum += r.X
		}
		if !(math.Abs(sum-weight*h) < 1e-6*weight*h) {
			t.Errorf("step of %g s begins with %g N s, want %g", h, sum, weight*h)
		}
	}
}
