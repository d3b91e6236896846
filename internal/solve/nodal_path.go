package solve

import (
	"github.com/toile-sim/toile/internal/par"
)

const (
	// afterPath is the number of sweeps of the dual solver at its end.
	afterPath = 20
)

// viaImpulses solves a problem of few contacts, whose sets were not found, by the dual solver along its path
// (dual_path.go), and goes on with Newton steps from there. It tells whether that solved it; if not, it leaves the best
// that was found, and the fallbacks begin there. Of several solutions the path comes to one in the middle, which for a
// press need not be that of the last step, so problems with blocks that are prescribed in part are left to the others.
// So are those with contacts that are bounded, which the dual solver does not know of.
func (s *Nodal) viaImpulses(team *par.Team) bool {
	if s.set.Len() > mostOnPath || len(s.list) > 0 || s.bounds() {
		return false
	}
	best := s.out.Residual.Worst()
	s.onPath.keep(s.out)
	before := *s.out
	d, closer := &s.dual, *s.given
	d.MaxSweeps, d.Path, d.Team = afterPath, true, team
	closer.Tolerance, closer.Floor = 0.2*s.given.target(), 0
	if d.Solve(&closer, s.out) != nil {
		return false // A is not definite, and there is no dual problem
	}
	s.out.Sweeps, s.out.Newton = s.out.Sweeps+before.Sweeps, s.out.Newton+before.Newton
	s.out.Linear, s.out.Idle = before.Linear, before.Idle
	for range 2 {
		if s.assess(team) {
			return true
		}
		if worst := s.out.Residual.Worst(); worst < best {
			best = worst
			s.onPath.keep(s.out)
		}
		s.sets.steps(team, s.out.Residual.Worst())
	}
	s.onPath.restore(s.out)
	return s.assess(team)
}
