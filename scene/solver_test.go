package scene

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/toile-sim/toile"
)

// onRamp is a sheet that slides down a plane, without contacts of its own, solved as the key says.
func onRamp(cells int, solver string) string {
	return fmt.Sprintf(`toile: 1
name: ramp
time: {end: 1 s, fps: 50, step: 2 ms}
gravity: [4, 0, -9]
contact: {self: false, %s}
friction: 0.3
cloths:
  - name: square
    shape: {grid: {size: [1, 1], cells: [%d, %d]}}
    place: {translate: [0, 0, 1 mm]}
    material: {density: 0.2, stretch: {warp: 100, weft: 100, shear: 30, poisson: 0.3}, bend: {warp: 1e-5, weft: 1e-5, bias: 1e-5, poisson: 0.3}}
obstacles: [{name: floor, shape: {plane: {}}}]
`, solver, cells, cells)
}

// The dual solver takes a sheet down a ramp as the nodal one does.
func TestDualSolverOfAScene(t *testing.T) {
	nodal := mustBuild(t, onRamp(5, "solver: nodal"))
	dual := mustBuild(t, onRamp(5, "solver: dual"))
	if got := dual.World.Options().Contact.Solver; got != "dual" {
		t.Fatalf("the solver is %q", got)
	}
	for _, w := range []*toile.World{nodal.World, dual.World} {
		err := w.Advance(0.05, 2e-3, func(s toile.Stats) {
			if !s.Converged || s.Contacts != 36 {
				t.Errorf("%s: step %d: residual %g m/s of %d contacts", w.Options().Contact.Solver, s.Step, s.Residual, s.Contacts)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	want, got := nodal.World.Positions(nodal.Cloths[0].ID), dual.World.Positions(dual.Cloths[0].ID)
	worst := 0.0
	for i := range want {
		worst = max(worst, got[i].Sub(want[i]).Norm())
	}
	if worst > 1e-8 || want[0] == got[0] {
		t.Errorf("vertices are up to %g m apart, the first at %v and %v", worst, want[0], got[0])
	}
}

// More contacts than the dual solver can keep are refused, at once and with the reason.
func TestDualSolverRefuses(t *testing.T) {
	b := mustBuild(t, onRamp(46, "solver: dual"))
	err := b.World.Advance(0.05, 2e-3, nil)
	if !errors.Is(err, toile.ErrUnsupported) || !strings.Contains(err.Error(), "2209 contacts") || strings.Contains(err.Error(), "halving") {
		t.Errorf("got %v", err)
	}
	if b.World.Time() != 0 {
		t.Errorf("the world is at %g s", b.World.Time())
	}
}
