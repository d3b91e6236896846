package solve

import (
	"fmt"
	"strings"

	"github.com/toile-sim/toile/internal/par"
)

// Settings are what all contact solvers are told.
type Settings struct {
	Team      *par.Team // nil: none
	MaxSweeps int       // 0: as many as the solver takes by itself
	Thickness float64   // the distance that contacts keep [m]; 0: not known
	Tolerance float64   // what is asked for in the end, though first rounds ask for less [m/s]; 0: not known

	Relaxation RelaxationForm // of nested relaxation
	Staggered  StaggeredSettings
}

// hasty is the tolerance from which on Nodal is Hasty [m/s].
const hasty = 1e-6

// solvers are the contact solvers by name, the default first.
var solvers = []struct {
	name string
	make func(Settings) Solver
}{
	{"nodal", func(s Settings) Solver {
		n := DefaultNodal()
		n.Team, n.Hasty = s.Team, s.Tolerance >= hasty
		if s.MaxSweeps > 0 {
			n.MaxSweeps = s.MaxSweeps
		}
		return &n
	}},
	{"dual", func(s Settings) Solver {
		d := DefaultDual()
		d.Team = s.Team
		if s.MaxSweeps > 0 {
			d.MaxSweeps = s.MaxSweeps
		}
		return &d
	}},
	{"relaxation", func(s Settings) Solver {
		r := DefaultRelaxation()
		r.Team, r.Thickness, r.RelaxationForm, r.Hasty = s.Team, s.Thickness, s.Relaxation, s.Tolerance >= hasty
		if s.MaxSweeps > 0 {
			r.MaxSweeps = s.MaxSweeps
		}
		return &r
	}},
	{"staggered", func(s Settings) Solver { return &Staggered{StaggeredSettings: s.Staggered, Team: s.Team} }},
}

// Names returns the names of the contact solvers, the default first.
func Names() []string {
	var names []string
	for _, s := range solvers {
		names = append(names, s.name)
	}
	return names
}

// SolverByName returns a new contact solver, for an empty name the default.
func SolverByName(name string, s Settings) (Solver, error) {
	for _, known := range solvers {
		if name == known.name || name == "" {
			return known.make(s), nil
		}
	}
	return nil, fmt.Errorf("there is no contact solver %q; there are %s", name, strings.Join(Names(), ", "))
}
