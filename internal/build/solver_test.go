package build

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
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

// The other solvers take a sheet down a ramp as the nodal one does.
func TestSolversOfAScene(t *testing.T) {
	for _, other := range []string{"dual", "staggered", "staggered, staggered: {disks: polar, forward: false}"} {
		t.Run(other, func(t *testing.T) { compareWithNodal(t, other) })
	}
}

func compareWithNodal(t *testing.T, other string) {
	nodal := mustBuild(t, onRamp(5, "solver: nodal"))
	dual := mustBuild(t, onRamp(5, "solver: "+other))
	if got, want := dual.World.Options().Contact.Solver, strings.Split(other, ",")[0]; got != want {
		t.Fatalf("the solver is %q", got)
	}
	for _, w := range []*engine.World{nodal.World, dual.World} {
		err := w.Advance(0.05, 2e-3, func(s engine.Stats) {
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
	if !errors.Is(err, engine.ErrUnsupported) || !strings.Contains(err.Error(), "2209 contacts") || strings.Contains(err.Error(), "halving") {
		t.Errorf("got %v", err)
	}
	if b.World.Time() != 0 {
		t.Errorf("the world is at %g s", b.World.Time())
	}
}

// More contacts than fit in a dense matrix are refused, and are no matter for the mass.
func TestStaggeredSolverRefuses(t *testing.T) {
	if testing.Short() {
		t.Skip("3136 contacts")
	}
	b := mustBuild(t, onRamp(55, "solver: staggered"))
	err := b.World.Advance(2e-3, 2e-3, nil)
	if !errors.Is(err, engine.ErrUnsupported) || !strings.Contains(err.Error(), "3136 contacts") {
		t.Errorf("got %v", err)
	}
	b = mustBuild(t, onRamp(55, "solver: staggered, staggered: {metric: mass}"))
	if err := b.World.Advance(2e-3, 2e-3, nil); err != nil {
		t.Errorf("with the mass: %v", err)
	}
}

func TestStaggeredSettings(t *testing.T) {
	b := mustBuild(t, onRamp(5, "solver: staggered, staggered: {metric: mass, disks: polar, forward: false}"))
	if got, want := b.World.Options().Contact.Staggered, (engine.StaggeredOptions{Mass: true, Polar: true, Fresh: true}); got != want {
		t.Errorf("settings are %+v", got)
	}
}

// Nested relaxation takes a sheet down a ramp as the nodal solver does, in each of its forms: slip is along the
// pyramid.
func TestRelaxationOfAScene(t *testing.T) {
	nodal := mustBuild(t, onRamp(5, "solver: nodal"))
	if err := nodal.World.Advance(0.05, 2e-3, nil); err != nil {
		t.Fatal(err)
	}
	want := nodal.World.Positions(nodal.Cloths[0].ID)
	for form, near := range map[string]float64{
		"solver: relaxation":                                                               1e-8,
		"solver: relaxation, relaxation: {form: printed}":                                  1e-8,
		"solver: relaxation, relaxation: {friction: pyramid, form: printed}":               1e-6,
		"solver: relaxation, relaxation: {friction: pyramid, stop: change, form: printed}": 1e-4,
	} {
		b := mustBuild(t, onRamp(5, form))
		err := b.World.Advance(0.05, 2e-3, func(s engine.Stats) {
			if !s.Converged || s.Contacts != 36 || s.ContactNewton > 0 {
				t.Errorf("%s: step %d: residual %g m/s of %d contacts, %d Newton steps", form, s.Step, s.Residual, s.Contacts, s.ContactNewton)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for i, x := range b.World.Positions(b.Cloths[0].ID) {
			worst = max(worst, x.Sub(want[i]).Norm())
		}
		if t.Logf("%s: %g m", form, worst); worst > near {
			t.Errorf("%s: vertices are up to %g m from those of the nodal solver", form, worst)
		}
	}
}

// The form of relaxation without that solver is a mistake.
func TestRelaxationWithoutItsSolver(t *testing.T) {
	_, err := scenefile.Parse("ramp.yaml", []byte(onRamp(5, "relaxation: {stop: change}")), nil, nil)
	if err == nil || !strings.Contains(err.Error(), "solver: relaxation") {
		t.Errorf("got %v", err)
	}
}
