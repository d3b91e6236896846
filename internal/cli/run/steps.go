package run

import (
	"math"
	"time"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/runfolder"
)

// stepEvent tells how one step went and which forces acted.
type stepEvent struct {
	Event          string       `json:"event"`
	Step           int          `json:"step"`
	Frame          int          `json:"frame"` // that it leads to
	Time           cli.Real     `json:"time"`  // at its end [s]
	H              cli.Real     `json:"h"`     // [s]
	Contacts       int          `json:"contacts"`
	Sticking       int          `json:"sticking"`
	Sliding        int          `json:"sliding"`
	Infeasible     int          `json:"infeasible"`
	Jammed         int          `json:"jammed"`
	WorstGap       cli.Real     `json:"worst_gap"` // [m], null without contacts
	PushWork       cli.Real     `json:"push_work"` // [J]
	Before         int          `json:"crossings_before"`
	Crossings      int          `json:"crossings"`
	Inside         cli.Real     `json:"inside"` // [m]
	Untangled      int          `json:"untangled"`
	Halvings       int          `json:"halvings"`
	Failsafe       int          `json:"failsafe"`
	FailsafeBlocks int          `json:"failsafe_blocks"`
	FailsafeTaken  cli.Real     `json:"failsafe_taken"`
	Unavoidable    int          `json:"unavoidable"`
	Rounds         int          `json:"rounds"`
	Newton         int          `json:"newton"`
	Sweeps         int          `json:"sweeps"`
	ContactNewton  int          `json:"contact_newton"`
	Linear         int          `json:"linear"`
	Residual       cli.Real     `json:"residual"`    // [m/s]
	Rounding       cli.Real     `json:"rounding"`    // [m/s]
	Nonlinear      cli.Real     `json:"nonlinear"`   // [m/s]
	AheadMean      cli.Real     `json:"ahead_mean"`  // [m], null in steps that were not looked at
	AheadWorst     cli.Real     `json:"ahead_worst"` // [m]
	Spin           cli.Real     `json:"spin"`        // [J s], null where losses are not known
	SpinLost       cli.Real     `json:"spin_lost"`   // [J s]
	EnergyLost     cli.Real     `json:"energy_lost"` // [J]
	Damped         cli.Real     `json:"damped"`      // [J]
	Converged      bool         `json:"converged"`
	Contradicted   bool         `json:"contradicted"`
	Spent          bool         `json:"spent"`
	MaxSpeed       cli.Real     `json:"max_speed"` // [m/s]
	Energy         energyEvent  `json:"energy"`    // [J]
	Clock          clockEvent   `json:"clock"`     // [s]
	Pairs          []pairEvent  `json:"pairs"`
	Points         []pointEvent `json:"points,omitempty"`
}

// energyEvent has the energies by kind, and their total.
type energyEvent map[string]cli.Real

type clockEvent struct {
	Pose      cli.Real `json:"pose"`
	Detect    cli.Real `json:"detect"`
	Assemble  cli.Real `json:"assemble"`
	Solve     cli.Real `json:"solve"`
	Integrate cli.Real `json:"integrate"`
	Check     cli.Real `json:"check"`
	Untangle  cli.Real `json:"untangle"`
	Refused   cli.Real `json:"refused"`
}

// pairEvent is what two bodies do to each other.
type pairEvent struct {
	A        string      `json:"a"`
	B        string      `json:"b"`
	Contacts int         `json:"contacts"`
	Force    [3]cli.Real `json:"force"`  // on a, mean over the step [N]
	Torque   [3]cli.Real `json:"torque"` // on a, about the origin [N m]
}

// pointEvent is a contact.
type pointEvent struct {
	A          string      `json:"a"`
	B          string      `json:"b"`
	Vertex     int32       `json:"vertex"`          // of a
	Other      *int32      `json:"other,omitempty"` // vertex of b, if b is a cloth
	Point      [3]cli.Real `json:"point"`           // [m]
	Normal     [3]cli.Real `json:"normal"`          // from b to a
	Impulse    [3]cli.Real `json:"impulse"`         // on a [N s]
	Slip       [3]cli.Real `json:"slip"`            // of a relative to b [m/s]
	Gap        cli.Real    `json:"gap"`             // [m]
	Mu         cli.Real    `json:"mu"`
	State      string      `json:"state"` // free, stick or slide
	Infeasible bool        `json:"infeasible,omitempty"`
}

// worstGap is null without contacts.
func worstGap(s *engine.Stats) cli.Real {
	if s.Contacts == 0 {
		return cli.Real(math.NaN())
	}
	return cli.Real(s.WorstGap)
}

// ahead returns how far one more linearization would lead, null in steps that were not looked at.
func ahead(a engine.Ahead) (mean, worst cli.Real) {
	if !a.Known {
		return cli.Real(math.NaN()), cli.Real(math.NaN())
	}
	return cli.Real(a.Mean), cli.Real(a.Worst)
}

// losses returns what a step took by itself, null where that is not known.
func losses(l engine.Loss) (spin, spinLost, energyLost, damped cli.Real) {
	if !l.Known {
		none := cli.Real(math.NaN())
		return none, none, none, none
	}
	return cli.Real(l.Spin), cli.Real(l.SpinLost), cli.Real(l.EnergyLost), cli.Real(l.Damped)
}

// stateNames are the words for what a contact does, the same as in pictures.
var stateNames = map[engine.ContactState]string{engine.TakeOff: "free", engine.Stick: "stick", engine.Slide: "slide"}

// stepPrinter emits an event for every step.
type stepPrinter struct {
	t       *cli.Term
	columns []string // of the statistics, if they are not those of cloths and bodies
	points  bool     // tell of every contact
	pairs   []engine.PairForce
	all     []engine.ContactPoint
}

func (p *stepPrinter) tell(step *player.Step, frame int) {
	w, s := step.World, step.Stats
	// steps without such statistics have columns of their own
	if s == nil {
		event := cellEvent("step", step, p.columns)
		event["frame"] = frame
		p.t.Emit(event)
		return
	}
	// statistics, with times in seconds
	l := &s.Laps
	lap := func(d time.Duration) cli.Real { return cli.Real(d.Seconds()) }
	event := stepEvent{
		Event:      "step",
		Step:       s.Step,
		Frame:      frame,
		Time:       cli.Real(s.Time),
		H:          cli.Real(s.H),
		Contacts:   s.Contacts,
		Sticking:   s.Sticking,
		Sliding:    s.Sliding,
		Infeasible: s.Infeasible,
		Jammed:     s.Jammed,
		WorstGap: worstGap(
			s,
		),
		PushWork:       cli.Real(s.PushWork),
		Before:         s.CrossingsBefore,
		Crossings:      s.Crossings,
		Inside:         cli.Real(s.Depth),
		Untangled:      s.Untangling.Blocks,
		Halvings:       s.Halvings,
		Failsafe:       s.Failsafe.Rounds,
		FailsafeBlocks: s.Failsafe.Blocks,
		Unavoidable:    s.Failsafe.Left,
		FailsafeTaken:  cli.Real(s.Failsafe.Taken),
		Rounds:         s.Rounds,
		Newton:         s.Newton,
		Sweeps:         s.Sweeps,
		ContactNewton:  s.ContactNewton,
		Linear:         s.Linear,
		Residual: cli.Real(
			s.Residual,
		),
		Rounding:  cli.Real(s.Floor),
		Nonlinear: cli.Real(s.Nonlinear),
		Converged: s.Converged, Contradicted: s.Contradicted, Spent: s.Spent,
		MaxSpeed: cli.Real(s.MaxSpeed),
		Energy:   energies(&s.Energy),
		Clock: clockEvent{
			lap(l.Pose),
			lap(l.Detect),
			lap(l.Assemble),
			lap(l.Solve),
			lap(l.Integrate),
			lap(l.Guard + l.Check),
			lap(l.Untangle),
			lap(l.Refused),
		},
		Pairs: []pairEvent{},
	}
	// how far one more linearization goes, and what is lost
	event.AheadMean, event.AheadWorst = ahead(s.Ahead)
	event.Spin, event.SpinLost, event.EnergyLost, event.Damped = losses(s.Loss)
	// net forces of pairs of bodies
	p.pairs = w.PairForces(p.pairs[:0])
	for _, f := range p.pairs {
		event.Pairs = append(event.Pairs, pairEvent{
			w.SurfaceName(f.A), w.SurfaceName(f.B), f.Contacts, cli.Numbers(f.Force), cli.Numbers(f.Torque),
		})
	}
	// every contact, if asked
	if p.points {
		p.all = w.Contacts(p.all[:0])
		for i := range p.all {
			event.Points = append(event.Points, pointOf(w, &p.all[i]))
		}
	}
	p.t.Emit(event)
}

// cellEvent tells of a step of whatever has these columns, under the names that Parquet files have; nil before the
// first.
func cellEvent(kind string, s *player.Step, columns []string) map[string]any {
	event := map[string]any{"event": kind}
	if s == nil {
		return event
	}
	event["step"], event["time"] = s.Number, cli.Real(s.Time)
	for c, x := range s.Values {
		name, _ := runfolder.ColumnName(columns[c])
		event[name] = cli.Real(x)
	}
	return event
}

func energies(e *engine.Energy) energyEvent {
	out := energyEvent{"total": cli.Real(e.Total())}
	for i, name := range runfolder.EnergyNames() {
		out[name] = cli.Real(e[i])
	}
	return out
}

func pointOf(w *engine.World, c *engine.ContactPoint) pointEvent {
	e := pointEvent{
		A: w.SurfaceName(c.A), B: w.SurfaceName(c.B), Vertex: c.Vertex,
		Point: cli.Numbers(c.Point), Normal: cli.Numbers(c.Normal), Impulse: cli.Numbers(c.Impulse),
		Slip: cli.Numbers(c.Slip),
		Gap:  cli.Real(c.Gap), Mu: cli.Real(c.Mu), State: stateNames[c.State], Infeasible: c.Infeasible,
	}
	if c.Other >= 0 {
		e.Other = &c.Other
	}
	return e
}
