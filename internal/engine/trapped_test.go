package engine

import (
	"testing"

	"github.com/toile-sim/toile/r3"
)

// TestSheetIsBroughtOutOfABody: a block that starts half through a sheet that hangs from two corners is left by it, to
// one side.
func TestSheetIsBroughtOutOfABody(t *testing.T) {
	w := must(New(DefaultOptions()))
	upright := r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), 1.57), T: r3.V(0, 0, 0)}
	id := w.flat(0.2, 11, upright, r3.Vec{})
	must(w.AddHandle(Handle{Name: "top", Cloth: id, Vertices: []int32{132, 143}}))
	w.block(r3.V(0.03, 0.03, 0.03), r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), 0.2), T: r3.V(0.004, 0.023, -0.02)}, nil)
	first, _ := w.Crossings()
	count, steps := first, 0
	for ; count > 0 && steps < 200; steps++ {
		s := must(w.Step(4e-3))
		count = s.Crossings
		if !(s.ResidualElsewhere <= w.opt.Contact.Tolerance) || s.Converged == s.squeezed() {
			t.Errorf("step %d: converged %v, residual %g m/s, %g elsewhere, %d contacts infeasible, %d jammed",
				s.Step, s.Converged, s.Residual, s.ResidualElsewhere, s.Infeasible, s.Jammed)
		}
	}
	t.Logf("%d crossings at first, %d left after %d steps", first, count, steps)
	if first == 0 || count > 0 {
		t.Errorf("%d crossings at first, %d left after %d steps", first, count, steps)
	}
}

// TestTrappedClothIsHeldAndReleased: of a sheet on a table, one end is between two blocks that go into each other by a
// centimetre and part again. The rest is not spoilt, residuals are at tolerance when they have parted, but for what is
// caught still, and the end is
// drawn out of the block at a metre a second, 4 mm every other step: from a depth of 2 cm in 10 steps. It gets four
// times as many, since there are ways that lead through more crossings and are not taken. Some ends find no way that
// does not: of blocks that are turned by 0.1 to 0.8 rad in steps of 0.1, five or six let go in that time, the others
// later, and which do changes with a rounding of the angle. Three of them are tried here, and one may fail.
func TestTrappedClothIsHeldAndReleased(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	released := 0
	for _, turn := range []float64{0.4, 0.5, 0.6} {
		if last := trap(t, turn); last <= 40 {
			released++
		} else {
			t.Logf("turned by %g: crossings until %d steps after they parted", turn, last)
		}
	}
	if released < 2 {
		t.Errorf("%d of 3 released", released)
	}
}

// trap traps a sheet below a block that is turned, and returns the step of the last crossing after they parted.
func trap(t *testing.T, turn float64) int {
	w := must(New(DefaultOptions()))
	w.flat(0.3, 12, lifted(0.0005), r3.Vec{})
	w.block(
		r3.V(0.2, 0.2, 0.02),
		r3.Pose{R: r3.NoRotation(), T: r3.V(-0.1, 0, -0.021)},
		nil,
	) // the table, and the lower jaw
	path := &Path{Keys: []Key{{}, {At: 0.16, Translate: r3.V(0, 0, -0.02)}, {At: 0.32}}}
	w.block(r3.V(0.03, 0.05, 0.04), r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), turn), T: r3.V(0.06, 0.03, 0.049)}, path)
	steps, spoilt, infeasible, last, crossed, parted := 0, 0, 0, 0, 0, 0
	for w.Time() < 0.42 {
		must(0, w.Advance(4e-3, 4e-3, func(s Stats) {
			steps++
			if s.Infeasible > 0 {
				infeasible++
			}
			if s.ResidualElsewhere > w.opt.Contact.Tolerance {
				spoilt++
			}
			if s.Crossings > 0 {
				crossed, last = max(crossed, s.Crossings), s.Step
			}
			if s.Time < 0.25 { // 8 mm above the table again
				parted = s.Step
			} else if s.Step > parted+5 && !s.Converged && !s.squeezed() {
				t.Errorf("step %d, %d steps after they parted: residual %g m/s", s.Step, s.Step-parted, s.Residual)
			}
			if !(s.MaxSpeed < 20) {
				t.Errorf("step %d: %g m/s", s.Step, s.MaxSpeed)
			}
		}))
	}
	if crossed == 0 || infeasible == 0 || 100*spoilt > steps {
		t.Errorf(
			"up to %d crossings, %d steps with contradictions; elsewhere %d of %d steps above tolerance",
			crossed,
			infeasible,
			spoilt,
			steps,
		)
	}
	return last - parted
}
