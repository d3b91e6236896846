package engine

import (
	"testing"

	"github.com/toile-sim/toile/r3"
)

// layers returns a world with sheets that fall on each other and on the ground, each turned against the one below.
func layers(budget, workers int) *World {
	opt := DefaultOptions()
	opt.Contact.Budget, opt.Workers = budget, workers
	w := must(New(opt))
	w.block(r3.V(0.3, 0.3, 0.1), lifted(-0.1), nil)
	for k := range 4 {
		turned := r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), 0.3*float64(k)), T: r3.V(0, 0, 2e-3+2.5e-3*float64(k))}
		w.flat(0.1, 6, turned, r3.V(0, 0, -0.5))
	}
	return w
}

// A step that has spent its budget ends soon after, has not converged and crosses nothing, and the run goes on: the
// same for any number of workers. Without a bound, or with one that is not reached, nothing is spent.
func TestBudget(t *testing.T) {
	const count, h = 12, 4e-3
	play := func(budget, workers int) (spent, most, halved int, hash Hash) {
		w := layers(budget, workers)
		for range count {
			used := 0
			if err := w.Advance(h, h, func(s Stats) {
				used += s.ContactNewton
				halved += s.Halvings
				if s.Spent {
					spent++
				}
				if s.Spent && s.Converged || s.Crossings > 0 || s.Failsafe.Left > 0 {
					t.Errorf("budget %d, step %d: converged %t, %d crossings", budget, s.Step, s.Converged, s.Crossings)
				}
			}); err != nil {
				t.Fatal(err)
			}
			most = max(most, used)
		}
		return spent, most, halved, w.Snapshot().Hash()
	}
	spent, most, _, free := play(0, 1)
	if spent > 0 || most < 100 {
		t.Fatalf("without a bound: %d steps spent their budget, up to %d Newton steps", spent, most)
	}
	if spent, _, _, hash := play(10*most, 1); spent > 0 || hash != free {
		t.Errorf("with ten times what is needed: %d steps spent, the same state %t", spent, hash == free)
	}
	budget := most / 4
	spent, used, halved, hash := play(budget, 1)
	// A method looks at the budget after each of its steps, and the path of impulses and what ends a step are short.
	if spent == 0 || used > budget+leastBudget*(1<<2)+100 {
		t.Errorf("of %d: %d steps spent, up to %d Newton steps, %d halvings", budget, spent, used, halved)
	}
	t.Logf("%d steps at most; of %d: %d spent, up to %d, %d halvings", most, budget, spent, used, halved)
	for _, workers := range []int{3} {
		if _, _, _, other := play(budget, workers); other != hash {
			t.Errorf("%d workers end in another state", workers)
		}
	}
}
