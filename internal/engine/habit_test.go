package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// napkins returns three napkins that fall on each other and on a table.
func napkins(t *testing.T) *engine.World {
	t.Helper()
	opt := engine.DefaultOptions()
	opt.Contact.Thickness, opt.Contact.Friction = 1e-3, 0.5
	w := must(engine.New(opt))
	addPlane(w, 0)
	cotton := must(material.LookupFabric("cotton"))
	for i := range 3 {
		m, x := shape.Grid(0.3, 0.3, 12, 12)
		turn := r3.Rotation(r3.V(0, 0, 1), 0.26*float64(i))
		for k := range x {
			x[k] = turn.Rotate(x[k]).Add(r3.V(0.03*float64(i), -0.02*float64(i), 0.004*float64(i+1)))
		}
		cloth := engine.DefaultCloth(fmt.Sprintf("napkin-%d", i+1), m, x, cotton)
		cloth.Velocities = slices.Repeat([]r3.Vec{r3.V(0, 0, -0.5)}, len(x))
		must(w.AddCloth(cloth))
	}
	return w
}

// Which method comes first depends on which solved the steps before, so that states have to say.
func TestHabitsAreKeptInStates(t *testing.T) {
	w := napkins(t)
	for w.Unsettled() < 3 {
		must(w.Step(4e-3))
		if w.Time() > 0.1 {
			t.Fatal("nothing was solved through the interior again and again")
		}
	}
	read, other := throughBytes(t, w.Snapshot()), napkins(t)
	if err := other.Restore(read); err != nil {
		t.Fatal(err)
	}
	a, b := must(w.Step(4e-3)), must(other.Step(4e-3))
	if a.ContactNewton != b.ContactNewton || a.Energy != b.Energy || a.Residual != b.Residual {
		t.Errorf("%d and %d Newton steps, residuals %g and %g m/s", a.ContactNewton, b.ContactNewton, a.Residual, b.Residual)
	}
}
