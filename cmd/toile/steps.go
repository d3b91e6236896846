package main

import (
	"math"
	"time"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/run"
)

// stepEvent tells how one step went and which forces acted.
type stepEvent struct {
	Event          string       `json:"event"`
	Step           int          `json:"step"`
	Frame          int          `json:"frame"` // that it leads to
	Time           real         `json:"time"`  // at its end [s]
	H              real         `json:"h"`     // [s]
	Contacts       int          `json:"contacts"`
	Sticking       int          `json:"sticking"`
	Sliding        int          `json:"sliding"`
	Infeasible     int          `json:"infeasible"`
	Jammed         int          `json:"jammed"`
	WorstGap       real         `json:"worst_gap"` // [m], null without contacts
	PushWork       real         `json:"push_work"` // [J]
	Before         int          `json:"crossings_before"`
	Crossings      int          `json:"crossings"`
	Inside         real         `json:"inside"` // [m]
	Untangled      int          `json:"untangled"`
	Halvings       int          `json:"halvings"`
	Failsafe       int          `json:"failsafe"`
	FailsafeBlocks int          `json:"failsafe_blocks"`
	FailsafeTaken  real         `json:"failsafe_taken"`
	Unavoidable    int          `json:"unavoidable"`
	Rounds         int          `json:"rounds"`
	Newton         int          `json:"newton"`
	Sweeps         int          `json:"sweeps"`
	ContactNewton  int          `json:"contact_newton"`
	Linear         int          `json:"linear"`
	Residual       real         `json:"residual"`    // [m/s]
	Rounding       real         `json:"rounding"`    // [m/s]
	Nonlinear      real         `json:"nonlinear"`   // [m/s]
	AheadMean      real         `json:"ahead_mean"`  // [m], null in steps that were not looked at
	AheadWorst     real         `json:"ahead_worst"` // [m]
	Spin           real         `json:"spin"`        // [J s], null where losses are not known
	SpinLost       real         `json:"spin_lost"`   // [J s]
	EnergyLost     real         `json:"energy_lost"` // [J]
	Damped         real         `json:"damped"`      // [J]
	Converged      bool         `json:"converged"`
	Contradicted   bool         `json:"contradicted"`
	MaxSpeed       real         `json:"max_speed"` // [m/s]
	Energy         energyEvent  `json:"energy"`    // [J]
	Clock          clockEvent   `json:"clock"`     // [s]
	Pairs          []pairEvent  `json:"pairs"`
	Points         []pointEvent `json:"points,omitempty"`
}

// energyEvent has the energies by kind, and their total.
type energyEvent map[string]real

type clockEvent struct {
	Pose      real `json:"pose"`
	Detect    real `json:"detect"`
	Assemble  real `json:"assemble"`
	Solve     real `json:"solve"`
	Integrate real `json:"integrate"`
	Check     real `json:"check"`
	Untangle  real `json:"untangle"`
	Refused   real `json:"refused"`
}

// pairEvent is what two bodies do to each other.
type pairEvent struct {
	A        string  `json:"a"`
	B        string  `json:"b"`
	Contacts int     `json:"contacts"`
	Force    [3]real `json:"force"`  // on a, mean over the step [N]
	Torque   [3]real `json:"torque"` // on a, about the origin [N m]
}

// pointEvent is a contact.
type pointEvent struct {
	A          string  `json:"a"`
	B          string  `json:"b"`
	Vertex     int32   `json:"vertex"`          // of a
	Other      *int32  `json:"other,omitempty"` // vertex of b, if b is a cloth
	Point      [3]real `json:"point"`           // [m]
	Normal     [3]real `json:"normal"`          // from b to a
	Impulse    [3]real `json:"impulse"`         // on a [N s]
	Slip       [3]real `json:"slip"`            // of a relative to b [m/s]
	Gap        real    `json:"gap"`             // [m]
	Mu         real    `json:"mu"`
	State      string  `json:"state"` // free, stick or slide
	Infeasible bool    `json:"infeasible,omitempty"`
}

func numbers(v r3.Vec) [3]real { return [3]real{real(v.X), real(v.Y), real(v.Z)} }

// worstGap is null without contacts.
func worstGap(s *engine.Stats) real {
	if s.Contacts == 0 {
		return real(math.NaN())
	}
	return real(s.WorstGap)
}

// ahead returns how far one more linearization would lead, null in steps that were not looked at.
func ahead(a engine.Ahead) (mean, worst real) {
	if !a.Known {
		return real(math.NaN()), real(math.NaN())
	}
	return real(a.Mean), real(a.Worst)
}

// losses returns what a step took by itself, null where that is not known.
func losses(l engine.Loss) (spin, spinLost, energyLost, damped real) {
	if !l.Known {
		none := real(math.NaN())
		return none, none, none, none
	}
	return real(l.Spin), real(l.SpinLost), real(l.EnergyLost), real(l.Damped)
}

// stateNames are the words for what a contact does, the same as in pictures.
var stateNames = map[engine.ContactState]string{engine.TakeOff: "free", engine.Stick: "stick", engine.Slide: "slide"}

// stepTeller emits an event for every step.
type stepTeller struct {
	t       *term
	columns []string // of the statistics, if they are not those of cloths and bodies
	points  bool     // tell of every contact
	pairs   []engine.PairForce
	all     []engine.ContactPoint
}

func (p *stepTeller) tell(step *run.Step, frame int) {
	w, s := step.World, step.Stats
	if s == nil {
		event := cellEvent("step", step, p.columns)
		event["frame"] = frame
		p.t.emit(event)
		return
	}
	l := &s.Laps
	lap := func(d time.Duration) real { return real(d.Seconds()) }
	event := stepEvent{
		Event:      "step",
		Step:       s.Step,
		Frame:      frame,
		Time:       real(s.Time),
		H:          real(s.H),
		Contacts:   s.Contacts,
		Sticking:   s.Sticking,
		Sliding:    s.Sliding,
		Infeasible: s.Infeasible,
		Jammed:     s.Jammed,
		WorstGap: worstGap(
			s,
		),
		PushWork:       real(s.PushWork),
		Before:         s.CrossingsBefore,
		Crossings:      s.Crossings,
		Inside:         real(s.Depth),
		Untangled:      s.Untangling.Blocks,
		Halvings:       s.Halvings,
		Failsafe:       s.Failsafe.Rounds,
		FailsafeBlocks: s.Failsafe.Blocks,
		Unavoidable:    s.Failsafe.Left,
		FailsafeTaken:  real(s.Failsafe.Taken),
		Rounds:         s.Rounds,
		Newton:         s.Newton,
		Sweeps:         s.Sweeps,
		ContactNewton:  s.ContactNewton,
		Linear:         s.Linear,
		Residual: real(
			s.Residual,
		),
		Rounding:  real(s.Floor),
		Nonlinear: real(s.Nonlinear),
		Converged: s.Converged, Contradicted: s.Contradicted,
		MaxSpeed: real(s.MaxSpeed),
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
	event.AheadMean, event.AheadWorst = ahead(s.Ahead)
	event.Spin, event.SpinLost, event.EnergyLost, event.Damped = losses(s.Loss)
	p.pairs = w.PairForces(p.pairs[:0])
	for _, f := range p.pairs {
		event.Pairs = append(event.Pairs, pairEvent{
			w.SurfaceName(f.A), w.SurfaceName(f.B), f.Contacts, numbers(f.Force), numbers(f.Torque),
		})
	}
	if p.points {
		p.all = w.Contacts(p.all[:0])
		for i := range p.all {
			event.Points = append(event.Points, pointOf(w, &p.all[i]))
		}
	}
	p.t.emit(event)
}

// cellEvent tells of a step of whatever has these columns, under the names that Parquet files have; nil before the
// first.
func cellEvent(kind string, s *run.Step, columns []string) map[string]any {
	event := map[string]any{"event": kind}
	if s == nil {
		return event
	}
	event["step"], event["time"] = s.Number, real(s.Time)
	for c, x := range s.Cells {
		name, _ := cache.ColumnName(columns[c])
		event[name] = real(x)
	}
	return event
}

func energies(e *engine.Energy) energyEvent {
	out := energyEvent{"total": real(e.Total())}
	for kind, x := range e {
		out[engine.EnergyKind(kind).String()] = real(x)
	}
	return out
}

func pointOf(w *engine.World, c *engine.ContactPoint) pointEvent {
	e := pointEvent{
		A: w.SurfaceName(c.A), B: w.SurfaceName(c.B), Vertex: c.Vertex,
		Point: numbers(c.Point), Normal: numbers(c.Normal), Impulse: numbers(c.Impulse), Slip: numbers(c.Slip),
		Gap: real(c.Gap), Mu: real(c.Mu), State: stateNames[c.State], Infeasible: c.Infeasible,
	}
	if c.Other >= 0 {
		e.Other = &c.Other
	}
	return e
}
