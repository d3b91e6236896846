package knits

import (
	"context"
	"slices"
	"time"

	"github.com/toile-sim/toile/internal/yarn"
)

// Measured is what steps of a scene came to. Counts are those of a step, in the mean; times are medians, of a step [s].
type Measured struct {
	Duration  float64 `json:"duration"` // of all steps [s]
	Steps     int     `json:"steps"`
	Contacts  float64 `json:"contacts"` // sets; 0 in modes without
	Updates   float64 `json:"updates"`  // models built, as a share of the sets
	Tracked   float64 `json:"tracked"`
	Examined  float64 `json:"examined"`
	Processed float64 `json:"processed"`
	Closest   float64 `json:"closest"` // distance of yarns over their diameter
	Slips     int     `json:"slips"`   // of all steps
	Retries   int     `json:"retries"` // of all steps
	Total     float64 `json:"total"`   // CPU seconds of all steps
	CPU       float64 `json:"cpu"`
	Wall      float64 `json:"step"`
	Contact   float64 `json:"contact"` // CPU, as those of its phases
	Spline    float64 `json:"spline"`
	Schedule  float64 `json:"schedule"`
	Sets      float64 `json:"sets"`
	Force     float64 `json:"force"`
	Gather    float64 `json:"gather"`
}

// PaperStep is the step of [Kaldor10], which is timed [s].
const PaperStep = 1.0 / 16200

// warmup is how many steps are taken before those that are measured: the schedule begins anew after a state, and linear
// models too.
const warmup = 5

// Measure takes steps of the paper's length, or as long as yarns allow for the same simulated time, and says what they
// took by the CPU time of this process.
func (w *World) Measure(ctx context.Context, steps int, long bool, cpu func() time.Duration) (*Measured, error) {
	c := &counter{now: cpu, sum: Measured{Closest: 1}}
	// steps that do not count
	for range warmup {
		s, err := w.Step(PaperStep)
		if err != nil {
			return nil, err
		}
		c.sum.Slips += len(s.Slips)
	}
	// long steps, or those of the paper
	start := w.Time()
	c.start()
	if long {
		if err := w.Advance(PaperStep*float64(steps), yarn.Pace{Most: LongestStep}, c.add); err != nil {
			return nil, err
		}
	} else {
		for range steps {
			s, err := w.Step(PaperStep)
			if err != nil {
				return nil, err
			}
			c.add(&s)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
	}
	// what they took
	c.sum.Duration = w.Time() - start
	return c.end(), nil
}

// counter sums up steps and collects their times [s].
type counter struct {
	now    func() time.Duration
	wall   time.Time
	worked time.Duration
	sum    Measured

	cpu, step, contact, spline, schedule, sets, force, gather []float64
}

func (c *counter) start() { c.wall, c.worked = time.Now(), c.now() }

// add counts one step and begins the next. Phases are known by the clock on the wall; they get their share of the CPU
// time.
func (c *counter) add(s *yarn.Stats) {
	wall, cpu := time.Since(c.wall).Seconds(), (c.now() - c.worked).Seconds()
	t := &s.Contact.Time
	share := cpu / wall
	c.step, c.cpu = append(c.step, wall), append(c.cpu, cpu)
	c.spline = append(c.spline, share*t.Spline.Seconds())
	c.schedule = append(c.schedule, share*t.Schedule.Seconds())
	c.sets = append(c.sets, share*t.Sets.Seconds())
	c.force = append(c.force, share*t.Force.Seconds())
	c.gather = append(c.gather, share*t.Gather.Seconds())
	c.contact = append(c.contact, share*(t.Spline+t.Schedule+t.Sets+t.Force+t.Gather).Seconds())

	m := &c.sum
	m.Steps++
	m.Total += cpu
	m.Contacts += float64(s.Contact.Sets)
	m.Updates += float64(s.Contact.Updates)
	m.Tracked += float64(s.Contact.Tracked)
	m.Examined += float64(s.Contact.Examined)
	m.Processed += float64(s.Contact.Processed)
	m.Closest = min(m.Closest, s.Contact.Closest)
	m.Slips += len(s.Slips)
	m.Retries += s.Retries
	c.start()
}

// end returns means and medians.
func (c *counter) end() *Measured {
	m := &c.sum
	m.Updates /= max(1, m.Contacts)
	for _, sum := range []*float64{&m.Contacts, &m.Tracked, &m.Examined, &m.Processed} {
		*sum /= float64(m.Steps)
	}
	for _, k := range []struct {
		to   *float64
		from []float64
	}{
		{&m.CPU, c.cpu},
		{&m.Wall, c.step},
		{&m.Contact, c.contact},
		{&m.Spline, c.spline},
		{&m.Schedule, c.schedule},
		{&m.Sets, c.sets},
		{&m.Force, c.force},
		{&m.Gather, c.gather},
	} {
		slices.Sort(k.from)
		*k.to = k.from[len(k.from)/2]
	}
	return m
}
