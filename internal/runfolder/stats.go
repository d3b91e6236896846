package runfolder

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mech"
)

// statsColumns is the header of stats.csv of a world of cloths and bodies: quantities with their units. Whoever changes
// it, or the kinds of energy, raises Format.
var statsColumns = slices.Concat(leadingColumns, []string{
	"h [s]",
	"vertices",
	"triangles",
	"flips",
	"splits",
	"collapses",
	"contacts",
	"sticking",
	"sliding",
	"infeasible",
	"jammed",
	"worst gap [m]",
	"push work [J]",
	"crossings before",
	"crossings",
	"inside [m]",
	"smooth contacts",
	"smooth deep",
	"smooth crossings",
	"smooth off [m]",
	"untangled",
	"halvings",
	"failsafe",
	"failsafe blocks",
	"unavoidable",
	"failsafe taken [1]",
	"rounds",
	"newton",
	"sweeps",
	"contact newton",
	"linear",
	"residual [m/s]",
	"rounding [m/s]",
	"nonlinear [m/s]",
	"ahead mean [m]",
	"ahead worst [m]",
}, lossColumns[:], []string{
	"converged",
	"contradicted",
	"spent",
	"joint gap [m]",
	"joint angle [rad]",
	"max speed [m/s]",
}, energyColumns(), []string{
	"total [J]",
	clockPrefix + "remesh [s]",
	clockPrefix + "pose [s]",
	clockPrefix + "detect [s]",
	clockPrefix + "assemble [s]",
	clockPrefix + "solve [s]",
	clockPrefix + "integrate [s]",
	clockPrefix + "check [s]",
	clockPrefix + "untangle [s]",
	clockPrefix + "refused [s]",
})

// EnergyNames are the kinds of energy that have a column, in their order. The total has the others too.
func EnergyNames() []string {
	names := make([]string, len(mech.Kinds))
	for i, kind := range mech.Kinds {
		names[i] = string(kind)
	}
	return names
}

func energyColumns() []string {
	names := EnergyNames()
	for i := range names {
		names[i] += " [J]"
	}
	return names
}

// appendStats appends the row of one step, on the way to the given frame. Numbers are as short as they
// can be without losing a bit. Without contacts that count for it there is no worst gap, and its cell is empty, as are
// those of steps that were not looked at for what one more linearization would do, and of what cannot be known of
// losses.
func appendStats(b []byte, frame int, s *engine.Stats) []byte {
	count := func(n ...int) {
		for _, n := range n {
			b = append(strconv.AppendInt(b, int64(n), 10), ',')
		}
	}
	real := func(x ...float64) {
		for _, x := range x {
			b = append(strconv.AppendFloat(b, x, 'g', -1, 64), ',')
		}
	}
	// when, and what there is
	count(s.Step, frame)
	real(s.Time, s.H)
	count(s.Vertices, s.Triangles, s.Remesh.Flips, s.Remesh.Splits, s.Remesh.Collapses)
	count(s.Contacts, s.Sticking, s.Sliding, s.Infeasible, s.Jammed)
	if s.Contacts > 0 && !math.IsInf(s.WorstGap, 1) {
		real(s.WorstGap)
	} else {
		b = append(b, ',')
	}
	real(s.PushWork)
	count(s.CrossingsBefore, s.Crossings)
	real(s.Depth)
	count(s.Smooth.Contacts, s.Smooth.Deep, s.Smooth.Crossings)
	real(s.Smooth.Off)
	count(
		s.Untangling.Blocks,
		s.Halvings,
		s.Failsafe.Rounds,
		s.Failsafe.Blocks,
		s.Failsafe.Left,
	)
	real(s.Failsafe.Taken)
	// how it was solved, and what that left
	count(s.Rounds, s.Newton, s.Sweeps, s.ContactNewton, s.Linear)
	real(s.Residual, s.Floor, s.Nonlinear)
	if a := &s.Ahead; a.Known {
		real(a.Mean, a.Worst)
	} else {
		b = append(b, ",,"...)
	}
	if k := &s.Loss; k.Known {
		real(k.Spin, k.SpinLost, k.EnergyLost, k.Damped)
	} else {
		b = append(b, ",,,,"...)
	}
	for _, yes := range [...]bool{s.Converged, s.Contradicted, s.Spent} {
		if yes {
			count(1)
		} else {
			count(0)
		}
	}
	// energies, and clocks
	e, l := &s.Energy, &s.Laps
	real(s.JointGap, s.JointAngle, s.MaxSpeed)
	real(e[:len(mech.Kinds)]...)
	real(e.Total())
	for _, lap := range [...]time.Duration{
		l.Remesh, l.Pose, l.Detect, l.Assemble, l.Solve, l.Integrate, l.Guard + l.Check, l.Untangle, l.Refused,
	} {
		b = append(strconv.AppendFloat(b, lap.Seconds(), 'g', 6, 64), ',')
	}
	b[len(b)-1] = '\n'
	return b
}

// appendRow appends the row of one step of another simulation, with the given columns after the leading ones. Those
// without a unit are whole numbers. A cell that is not a number is empty.
func appendRow(b []byte, frame, step int, time float64, columns []string, cells []float64) []byte {
	b = append(strconv.AppendInt(b, int64(step), 10), ',')
	b = append(strconv.AppendInt(b, int64(frame), 10), ',')
	b = strconv.AppendFloat(b, time, 'g', -1, 64)
	for c, x := range cells {
		b = append(b, ',')
		switch {
		case math.IsNaN(x):
		case IsClock(columns[c]):
			b = strconv.AppendFloat(b, x, 'g', 6, 64)
		case !strings.HasSuffix(columns[c], "]"):
			b = strconv.AppendInt(b, int64(x), 10)
		default:
			b = strconv.AppendFloat(b, x, 'g', -1, 64)
		}
	}
	return append(b, '\n')
}

// allColumns returns those of the statistics, with those of probes at the end. own are those of the simulation, if not
// nil.
func (m *Manifest) allColumns(own []string) []string {
	columns := statsColumns
	if own != nil {
		columns = slices.Concat(leadingColumns, own)
	}
	for _, p := range m.Probes {
		columns = slices.Concat(columns, p.columns())
	}
	return columns
}

// CheckStop says whether the conditions that end the run are on columns that there will be. own are those of the
// simulation, if not nil.
func (m *Manifest) CheckStop(own []string) error {
	_, err := newStopper(m.Stop, m.allColumns(own))
	return err
}

// CheckColumn reports why the statistics will not have a column, named with or without its unit. own are those of the
// simulation, if not nil.
func (m *Manifest) CheckColumn(own []string, name string) error {
	columns := m.allColumns(own)
	if columnAt(columns, name) < 0 {
		return fmt.Errorf("%s has no column %q; it has: %s", StatsName, name, bareNames(columns))
	}
	return nil
}
