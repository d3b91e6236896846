package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/words"
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

// quality is how the steps of a run went, those of earlier sessions included.
type quality struct {
	steps       int
	last        int     // step
	solves      bool    // steps have a residual and a tolerance
	unconverged []int   // the steps that did not reach the tolerance, without those that are contradicted
	contradicts []int   // the steps that did but for contacts that are proven to contradict each other
	residual    float64 // the largest [m/s]
	at          int     // and its step
	ahead       cache.Ahead
	losses      []cache.Loss
	contacts    int     // the most in a step
	gap         float64 // the smallest [m]; +Inf without contacts
	crossings   int     // the most in a step
	crossed     []int   // steps with crossings
	through     []int   // steps in which triangles of smooth surfaces cross
	infeasible  []int   // steps with contacts that contradict each other
	frozen      []int   // steps in a row in which the fail-safe took too much from a body
	yarns       bool    // it is a run of yarns, and then
	slips       int     // how often yarns passed through each other
	slipped     []int   // steps by which they had
}

// judge sums up the statistics of a run.
func judge(f *cache.Folder) (*quality, error) {
	table, err := f.Stats()
	if err != nil {
		return nil, err
	}
	q := &quality{steps: table.Rows(), gap: math.Inf(1)}
	q.solves, q.yarns = table.Column("residual") != nil, table.Column("slips") != nil
	at := func(column string, row int) float64 {
		if c := table.Column(column); c != nil {
			return c[row]
		}
		return 0 // a run of an older version
	}
	for row := range q.steps {
		step := int(at("step", row))
		q.last = step
		if at("contradicted", row) > 0 {
			q.contradicts = append(q.contradicts, step)
		} else if q.solves && at("converged", row) == 0 {
			q.unconverged = append(q.unconverged, step)
		}
		// A residual that is not a number is the worst there is.
		if r := at("residual", row); r > q.residual || math.IsNaN(r) {
			q.residual, q.at = r, step
		}
		q.contacts = max(q.contacts, int(at("contacts", row)))
		if gap := at("worst gap", row); q.solves && at("contacts", row) > 0 && gap < q.gap {
			q.gap = gap
		}
		if n := int(at("crossings", row)); n > 0 {
			q.crossings, q.crossed = max(q.crossings, n), append(q.crossed, step)
		}
		if at("smooth crossings", row) > 0 {
			q.through = append(q.through, step)
		}
		if n := int(at("slips", row)); n > 0 {
			q.slips, q.slipped = q.slips+n, append(q.slipped, step)
		}
		if at("infeasible", row) > 0 {
			q.infeasible = append(q.infeasible, step)
		}
	}
	q.ahead, q.losses = table.Ahead(), table.Losses()
	first, rows := cache.Frozen(table.Column("failsafe taken"))
	for row := first; row < first+rows; row++ {
		q.frozen = append(q.frozen, int(at("step", row)))
	}
	return q, nil
}

// doubts says why a run is not what its scene says; nothing if it is. What crosses at the start and comes apart is no
// doubt.
func (q *quality) doubts() (all []string) {
	began := 0 // the first steps, as long as something crosses without a break
	for began < len(q.crossed) && q.crossed[began] == began+1 {
		began++
	}
	if n := len(q.crossed); n > began || n > 0 && n == q.last {
		all = append(all, "something crosses in "+words.Count(n, "step")+" ("+someSteps(q.crossed)+")")
	}
	if len(q.frozen) > 0 {
		all = append(all, fmt.Sprintf("the fail-safe held a body back in %s in a row (%s)",
			words.Count(len(q.frozen), "step"), someSteps(q.frozen)))
	}
	return all
}

// share returns how many of the steps converged, from 0 to 1.
func (q *quality) share() float64 {
	if q.steps == 0 {
		return 1
	}
	return 1 - float64(len(q.unconverged)+len(q.contradicts))/float64(q.steps)
}

// someSteps names the first few steps of a list.
func someSteps(steps []int) string {
	const shown = 4
	var names []string
	for _, s := range steps[:min(shown, len(steps))] {
		names = append(names, words.Thousands(s))
	}
	text := strings.Join(names, ", ")
	if len(steps) > shown {
		text += ", …"
	}
	return text
}

// percent writes a share. Only what is whole is 100 %.
func percent(share float64) string {
	if share == 1 {
		return "100 %"
	}
	return fmt.Sprintf("%.2f %%", math.Floor(share*1e4)/100)
}

// say prints the quality of a run.
func (q *quality) say(t *term, stats string) {
	if !q.solves {
		if q.contacts > 0 {
			t.say("Contacts   up to %s", words.Thousands(q.contacts))
		}
		if q.slips > 0 {
			t.say("%s", t.paint(yellow, fmt.Sprintf("Slips      %s: yarns passed through each other before steps %s",
				words.Thousands(q.slips), someSteps(q.slipped))))
		} else if q.yarns {
			t.say("Slips      none: no yarn passed through another")
		}
		return
	}
	residual := "Residuals  every step reached the tolerance"
	switch n := len(q.unconverged); {
	case n > 0:
		residual = t.paint(
			yellow,
			fmt.Sprintf("Residuals  %s of steps reached the tolerance; %s did not (%s): see the column converged of %s",
				percent(q.share()), words.Thousands(n), someSteps(q.unconverged), stats),
		)
	case len(q.contradicts) > 0:
		residual = t.paint(yellow, fmt.Sprintf("Residuals  %s of steps reached the tolerance, the others but for conflicts",
			percent(q.share())))
	case q.steps > 0:
		residual += fmt.Sprintf("; the largest is %.1e m/s, in step %s", q.residual, words.Thousands(q.at))
	}
	t.say("%s", residual)
	if len(q.unconverged)+len(q.contradicts) > 0 {
		t.say("           the largest is %.1e m/s, in step %s", q.residual, words.Thousands(q.at))
	}
	if q.ahead.Steps > 0 {
		t.say("           One more linearization of a step would move points by %s in the mean, %s at worst.",
			length(q.ahead.Mean), length(q.ahead.Worst))
	}
	for i := range q.losses {
		title := "Lost       "
		if body := q.losses[i].Body; body != "" {
			title = "           " + body + ": "
		}
		t.say("%s%s", title, &q.losses[i])
	}
	if q.contacts > 0 {
		t.say("Contacts   up to %s; the smallest gap is %s", words.Thousands(q.contacts), length(q.gap))
	}
	if len(q.frozen) > 0 {
		t.say("%s", t.paint(yellow, fmt.Sprintf("Fail-safe  held a body back by more than 1 %% of its weight in %s in a row (%s)",
			words.Count(len(q.frozen), "step"), someSteps(q.frozen))))
	}
	if len(q.crossed) > 0 {
		t.say("%s", t.paint(yellow, fmt.Sprintf("Crossings  up to %s at a time, in %s (%s)",
			words.Thousands(q.crossings), words.Count(len(q.crossed), "step"), someSteps(q.crossed))))
	} else {
		t.say("Crossings  none")
	}
	if len(q.through) > 0 {
		t.say("%s", t.paint(yellow, fmt.Sprintf("Smooth     triangles of smooth surfaces cross others in %s (%s)",
			words.Count(len(q.through), "step"), someSteps(q.through))))
	}
	if len(q.infeasible) > 0 {
		t.say(
			"%s",
			t.paint(
				yellow,
				fmt.Sprintf("Conflicts  contacts contradict each other in %s (%s), as is proven; their impulses were bounded",
					words.Count(len(q.infeasible), "step"), someSteps(q.infeasible)),
			),
		)
		t.say("           all else reached the tolerance in %s of them", words.Thousands(len(q.contradicts)))
	}
}

// doneEvent is the last event of a run that is complete.
type doneEvent struct {
	Event       string  `json:"event"`
	Dir         string  `json:"dir"`
	Frames      int     `json:"frames"`
	Steps       int     `json:"steps"`
	Time        float64 `json:"time"`        // simulated [s]
	Elapsed     float64 `json:"elapsed"`     // on the wall, this session [s]
	Unconverged int     `json:"unconverged"` // steps
	// Contradicted are steps that reached the tolerance but for contacts that are proven to contradict each other. They
	// are neither unconverged nor converged.
	Contradicted int    `json:"contradicted"`
	Converged    real   `json:"converged"` // share of steps
	MaxResidual  real   `json:"max_residual"`
	AheadMean    real   `json:"ahead_mean"`  // how far one more linearization would move points [m], null if no step was looked at
	AheadWorst   real   `json:"ahead_worst"` // [m]
	MaxContacts  int    `json:"max_contacts"`
	WorstGap     real   `json:"worst_gap"`  // [m], null without contacts
	Crossings    int    `json:"crossings"`  // the most in a step
	Crossed      int    `json:"crossed"`    // steps with crossings
	Infeasible   int    `json:"infeasible"` // steps with contacts that contradict each other
	Slips        int    `json:"slips"`      // how often yarns passed through each other
	Hash         string `json:"hash"`
	Resumed      bool   `json:"resumed"`
	Already      bool   `json:"already"`
	Stopped      string `json:"stopped,omitempty"` // the condition that ended it early
	Torn         string `json:"torn,omitempty"`    // the joint or attachment that does not hold
	Report       string `json:"report,omitempty"`  // file; absent if it could not be made
}

func finishRun(t *term, f *runFlags, s run.Summary) error {
	folder, err := cache.Open(f.dir)
	if err != nil {
		return err
	}
	q, err := judge(folder)
	if err != nil {
		return err
	}
	page := ""
	if f.report {
		page = finishReport(t, folder, s.Already, f.workers)
	}
	aheadMean, aheadWorst := ahead(engine.Ahead{Known: q.ahead.Steps > 0, Mean: q.ahead.Mean, Worst: q.ahead.Worst})
	t.emit(doneEvent{
		"done",
		f.dir,
		s.Frames,
		s.Steps,
		s.Time,
		s.Elapsed.Seconds(),
		len(q.unconverged),
		len(q.contradicts),
		real(q.share()),
		real(q.residual),
		aheadMean,
		aheadWorst,
		q.contacts,
		real(q.gap),
		q.crossings,
		len(q.crossed),
		len(q.infeasible),
		q.slips,
		s.Hash.String(),
		s.Resumed,
		s.Already,
		s.Stopped,
		s.Torn,
		page,
	})
	if s.Already {
		t.say("Nothing to do: the run is complete.")
	}
	t.say("Simulated  %.6g s: %s, %s", s.Time, words.Count(s.Frames, "frame"), words.Count(s.Steps, "step"))
	if s.Stopped != "" {
		t.say("Ended      early: %s", s.Stopped)
	}
	if !s.Already {
		t.say("Took       %s", duration(s.Elapsed))
	}
	q.say(t, folder.StatsPath())
	if s.Torn != "" {
		t.say("%s", t.paint(yellow, "Joints     "+s.Torn))
	}
	t.say("State      %s", s.Hash)
	if page != "" {
		t.say("Report     %s", page)
	}
	if f.shown {
		return doubt(s, q)
	}
	t.say("Look at it:")
	t.say("  toile view %s", quote(f.dir))
	t.say("  toile render %s -o %s", quote(f.dir), quote(strings.TrimSuffix(filepath.Base(f.dir), ".run")+".png"))
	return doubt(s, q)
}

// doubt returns an error if a run is complete and yet not what the scene says.
func doubt(s run.Summary, q *quality) error {
	if s.Torn != "" {
		return &doubtedError{fmt.Errorf("the run is complete, and its scene contradicts itself: %s", s.Torn)}
	}
	if all := q.doubts(); len(all) > 0 {
		return &doubtedError{fmt.Errorf("the run is complete, but %s", strings.Join(all, ", and "))}
	}
	return nil
}
