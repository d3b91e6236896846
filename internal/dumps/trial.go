package dumps

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/solve"
)

// Trial is what a solver did with a problem.
type Trial struct {
	Seconds    float64 `json:"seconds"` // median of the repeats, of all cores together
	Repeats    int     `json:"repeats"`
	Sweeps     int     `json:"sweeps"`
	Newton     int     `json:"newton"`
	Linear     int     `json:"linear"`
	Infeasible int     `json:"infeasible"` // contacts that it gave up, as contradicting others
}

// Tolerance is the residual that solvers are asked for [m/s].
const Tolerance = 1e-8

// dualWork bounds the products of blocks of 3 x 3 that the dual solver may make: about twenty seconds.
const dualWork = 2e9

type method struct {
	name string
	make func(p *solve.ContactProblem, team *par.Team) solve.Solver
}

// methods are the solvers that are compared. Nodal takes its own order of methods; sweeps and interior are parts of it.
// Disk and pyramid are nested relaxation, accelerated, and printed is that with the disk as the paper has it.
var methods = []method{
	{"nodal", func(_ *solve.ContactProblem, team *par.Team) solve.Solver {
		n := solve.DefaultNodal()
		n.Team = team
		return &n
	}},
	{"interior", func(_ *solve.ContactProblem, team *par.Team) solve.Solver {
		n := solve.DefaultNodal()
		n.Team, n.Interior = team, true
		return &n
	}},
	{"sweeps", func(_ *solve.ContactProblem, team *par.Team) solve.Solver {
		n := solve.DefaultNodal()
		n.Team, n.MaxNewton = team, 0
		return &n
	}},
	{"dual", func(p *solve.ContactProblem, _ *par.Team) solve.Solver {
		d := solve.DefaultDual()
		if n := float64(p.Set.Len()); n*n*float64(d.MaxSweeps) > dualWork {
			d.MaxSweeps = int(dualWork / (n * n))
		}
		return &d
	}},
	{"staggered", func(_ *solve.ContactProblem, team *par.Team) solve.Solver {
		return &solve.Staggered{Team: team}
	}},
	{"disk", func(_ *solve.ContactProblem, team *par.Team) solve.Solver {
		return relaxation(team, solve.RelaxationForm{})
	}},
	{"pyramid", func(_ *solve.ContactProblem, team *par.Team) solve.Solver {
		return relaxation(team, solve.RelaxationForm{Pyramid: true})
	}},
	{"printed", func(_ *solve.ContactProblem, team *par.Team) solve.Solver {
		return relaxation(team, solve.RelaxationForm{Printed: true})
	}},
}

// relaxation is nested relaxation alone.
func relaxation(team *par.Team, form solve.RelaxationForm) solve.Solver {
	r := solve.DefaultRelaxation()
	r.Team, r.RelaxationForm, r.Alone = team, form, true
	return &r
}

// Methods returns the names of the solvers, that of the steps first.
func Methods() []string {
	var names []string
	for _, m := range methods {
		names = append(names, m.name)
	}
	return names
}

const (
	// tryAgain is how long the first of several repeats may take [s].
	tryAgain = 2
	// timesOver is how many repeats there are then.
	timesOver = 3
)

// leastTime is what the shortest solve counts as, so that ratios are finite [s].
const leastTime = 1e-6

var begun = time.Now()

// worked returns how long all cores have worked for this process, or how long it runs if the system does not tell.
func worked() time.Duration {
	if cpu := bench.CPUTime(); cpu > 0 {
		return cpu
	}
	return time.Since(begun)
}

// Try has a solver solve a problem from the guess of its file, a few times if that is quick.
func Try(p *solve.ContactProblem, name string, workers int) (*Trial, *Answer, error) {
	i := slices.IndexFunc(methods, func(m method) bool { return m.name == name })
	if i < 0 {
		return nil, nil, fmt.Errorf("there is no solver %q; there are %s", name, strings.Join(Methods(), ", "))
	}
	p.Tolerance = Tolerance
	team := par.New(workers)
	team.Enter()
	defer team.Leave()
	var times []float64
	for {
		start := worked()
		out, report, err := p.SolveBy(methods[i].make(p, team))
		if err != nil {
			return nil, nil, err
		}
		times = append(times, max(leastTime, (worked()-start).Seconds()))
		if len(times) == timesOver || times[0] > tryAgain {
			slices.Sort(times)
			return &Trial{
				times[len(times)/2], len(times), report.Sweeps, report.Newton, report.Linear, report.Infeasible,
			}, &Answer{out.V, out.R}, nil
		}
	}
}
