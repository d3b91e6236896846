package build

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

// The tests below play the example scenes on coarser meshes, which take seconds instead of minutes, and
// check what the comments at their tops promise.

// play runs a scene to its end and calls each after every step.
func play(t *testing.T, path string, sets []string, each func(*Built)) *Built {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	s, err := scenefile.Load(path, sets)
	if err != nil {
		t.Fatal(err)
	}
	b, err := World(s)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= s.Time.Frames(); i++ {
		err := b.World.Advance(s.Time.FrameTime(i)-b.World.Time(), s.Time.Step, func(engine.Stats) {
			if each != nil {
				each(b)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func fastest(b *Built) float64 {
	v := 0.0
	for _, u := range b.World.Velocities(0) {
		v = max(v, u.Norm())
	}
	return v
}

func TestHangingSheet(t *testing.T) {
	b := play(t, "../../scenes/hanging-sheet.yaml", []string{"cloths.sheet.shape.grid.cells=[12, 12]"}, nil)
	x := b.World.Positions(0)
	for i, corner := range []r3.Vec{r3.V(-0.5, 1, 1.5), r3.V(0.5, 1, 1.5)} {
		if got := x[b.Cloths[0].Pins[i].Vertices[0]]; got != corner {
			t.Errorf("pin %d has moved to %v", i, got)
		}
	}
	if drop := 1.5 - r3.BoxOf(x).Min.Z; drop < 0.95 || drop > 1.1 {
		t.Errorf("hangs down by %g m", drop)
	}
	if v := fastest(b); v > 0.5 {
		t.Errorf("moves with %g m/s", v)
	}
}

func TestFlag(t *testing.T) {
	b := play(t, "../../scenes/flag.yaml", []string{"cloths.flag.shape.grid.cells=[12, 8]"}, nil)
	x := b.World.Positions(0)
	pole := b.Cloths[0].Pins[0].Vertices
	if len(pole) != 9 {
		t.Fatalf("the pole holds %d vertices", len(pole))
	}
	mean := 0.0
	for j, v := range pole {
		if want := r3.V(0, 0, 1.4+0.6*float64(j)/8); x[v].Sub(want).Norm() > 1e-12 {
			t.Errorf("vertex %d of the pole is at %v", j, x[v])
		}
		mean += x[v+12].X / 9
	}
	if mean < 0.5 || mean > 0.9 {
		t.Errorf("the free edge is %g m down wind", mean)
	}
	if v := fastest(b); v < 0.5 {
		t.Errorf("the flag moves with %g m/s only", v)
	}
}

func TestSwing(t *testing.T) {
	pull := 0.0
	b := play(t, "../../scenes/swing.yaml", []string{"cloths.towel.shape.grid.cells=[9, 12]"}, func(b *Built) {
		pull = max(pull, b.World.HandleForce(b.Cloths[0].Pins[1].ID).Norm())
	})
	x := b.World.Positions(0)
	bar := b.Cloths[0].Pins[0].Vertices
	if got := x[bar[0]]; got.Sub(r3.V(-0.3, 0, 1.6)).Norm() > 1e-12 {
		t.Errorf("the end of the bar is at %v, not where it started", got)
	}
	if top := r3.BoxOf(x).Max.Z; top > 1.6+1e-6 {
		t.Errorf("the towel is above the bar, at %g m", top)
	}
	if v := fastest(b); v > 0.5 {
		t.Errorf("moves with %g m/s", v)
	}
	// With one linearization a step the force is that of a tangent, above the limit by the square of how far the vertex
	// moves aside in a step, relative to the reach of the spring: a percent squared here.
	if !(pull > 0.1) || pull > 0.4*(1+1e-3) || math.IsNaN(pull) {
		t.Errorf("the hand pulled with %g N", pull)
	}
}
