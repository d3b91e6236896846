// The budget of a step: how many Newton steps of the contact solver it may take, with all rounds, linearizations and
// halvings together. They are counted, never timed, so that the same run ends the same way on every machine. A step
// whose budget is spent ends with what it has: there are no further rounds, and it is not Converged. Where little is
// left nothing is refused, and the fail-safe brings apart what would cross.

package engine

const (
	// leastBudget is how many Newton steps a solve may take all the same.
	leastBudget = 20
	// refusedFrom is the share of the budget that has to be left for a step to be refused, and its halves to be tried.
	refusedFrom = 0.25
)

// budget is what is left to a step and its halves.
type budget struct {
	bound       bool
	whole, left int // Newton steps
}

// begin makes the budget a whole one.
func (b *budget) begin(o *ContactOptions) {
	b.bound = o.Budget > 0 && (o.Solver == "" || o.Solver == "nodal")
	b.whole, b.left = o.Budget, o.Budget
}

// short reports whether there is not enough left for halves of a step.
func (b *budget) short() bool { return b.bound && float64(b.left) < refusedFrom*float64(b.whole) }

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

// pay takes Newton steps from the budget. Where little is left the step is not refused, and where nothing is it ends.
func (s *step) pay(steps int) {
	s.w.budget.left -= steps
	s.refuse = s.refuse && !s.w.budget.short()
	s.stats.Spent = s.w.budget.spent(0)
}
