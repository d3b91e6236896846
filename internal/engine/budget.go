// The budget of a step: how many Newton steps of the contact solver it may take, with all rounds, linearizations and
// halvings together. They are counted, never timed, so that the same run ends the same way on every machine. A step
// whose budget is spent ends with what it has: no further rounds, nothing is refused any more, the fail-safe brings
// apart what would cross, and the step is not Converged.

package engine

// leastBudget is how many Newton steps a solve may take all the same.
const leastBudget = 20

// budget is what is left to a step and its halves.
type budget struct {
	bound bool
	left  int // Newton steps
}

// begin makes the budget a whole one.
func (b *budget) begin(o *ContactOptions) { b.bound, b.left = o.Budget > 0, o.Budget }

// spent reports whether the budget is spent with so many steps more.
func (b *budget) spent(more int) bool { return b.bound && b.left <= more }

// of returns the budget of a solve after so many steps more; 0: without a bound.
func (b *budget) of(more int) int {
	if !b.bound {
		return 0
	}
	return max(b.left-more, leastBudget)
}

// spent reports whether there is no budget for another linearization.
func (s *step) spent() bool { return s.w.budget.spent(s.contacts.Steps) }

// pay takes Newton steps from the budget. Where that is all, the step ends, and is not refused.
func (s *step) pay(steps int) {
	s.w.budget.left -= steps
	if s.w.budget.spent(0) {
		s.refuse, s.stats.Spent = false, true
	}
}
