package run

import (
	"fmt"
	"sync"
	"time"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/words"
)

// progress shows how far a run is: a bar on a terminal, a line every few seconds elsewhere, an event
// for every frame with --json.
type progress struct {
	t       *cli.Term
	columns []string // of the statistics, if they are not those of cloths and bodies

	began time.Time
	said  time.Time // when the last line was printed
	shown int       // the last frame that was an event

	bar *cli.Bar // nil without a terminal

	mu          sync.Mutex // of what follows, which the bar reads at its own pace
	now         player.Progress
	steps       int // in this session
	unconverged int // of them
}

// barTicks is the resolution of the bar.
const barTicks = 10_000

func newProgress(t *cli.Term, columns []string) *progress {
	return &progress{t: t, columns: columns, shown: -1}
}

// frameEvent says that a frame was written, and how its last step went.
type frameEvent struct {
	Event     string   `json:"event"`
	Frame     int      `json:"frame"`
	Frames    int      `json:"frames"`
	Time      cli.Real `json:"time"` // [s]
	Step      int      `json:"step"`
	Residual  cli.Real `json:"residual"` // [m/s]
	Converged bool     `json:"converged"`
	MaxSpeed  cli.Real `json:"max_speed"` // [m/s]
	Energy    cli.Real `json:"energy"`    // [J]
	Contacts  int      `json:"contacts"`
	WorstGap  cli.Real `json:"worst_gap"` // [m], null without contacts
	Crossings int      `json:"crossings"`
	Left      cli.Real `json:"left"` // estimate [s], null while unknown
}

// update is called by the run after every step and every frame.
func (p *progress) update(now player.Progress) {
	// the first time, say where it goes on
	if p.began.IsZero() {
		p.began, p.said = time.Now(), time.Now()
		if now.Time > 0 {
			p.t.Say("Going on after frame %d, at t = %.4g s.", now.Frame, now.Time)
		}
		p.open()
	}
	// steps that are done, and those that did not converge
	p.mu.Lock()
	if now.Step != p.now.Step {
		p.steps += now.Step.Number
		if p.now.Step != nil {
			p.steps -= p.now.Step.Number
		} else {
			p.steps = 1
		}
		if s := now.Step.Stats; s != nil && !s.Converged && !s.Contradicted {
			p.unconverged++
		}
	}
	p.now = now
	p.mu.Unlock()
	// notes and new frames
	if now.Note != "" {
		p.t.Note("%s", now.Note)
	}
	if now.Frame != p.shown {
		p.shown = now.Frame
		p.emit(&now)
	}
	// a bar, or a line now and then
	switch {
	case p.t.JSON:
	case p.bar != nil:
		p.bar.Set(int64(barTicks * now.Time / max(now.End, 1e-300)))
	case time.Since(p.said) >= cli.LineEvery:
		p.said = time.Now()
		p.t.Complain("%s\n", p.line())
	}
}

// emit tells programs of a frame.
func (p *progress) emit(now *player.Progress) {
	left := cli.SecondsLeft(now.Left)
	if p.columns != nil {
		event := cellEvent("frame", now.Step, p.columns)
		event["frame"], event["frames"], event["time"], event["left"] = now.Frame, now.Frames, cli.Real(now.Time), left
		p.t.Emit(event)
		return
	}
	s := &engine.Stats{}
	if now.Step != nil {
		s = now.Step.Stats
	}
	p.t.Emit(frameEvent{
		"frame", now.Frame, now.Frames, cli.Real(now.Time), s.Step, cli.Real(s.Residual), s.Converged || s.Step == 0,
		cli.Real(s.MaxSpeed), cli.Real(s.Energy.Total()), s.Contacts, worstGap(s), s.Crossings, left,
	})
}

// open begins the bar, if there is a terminal for it.
func (p *progress) open() {
	p.bar = cli.NewLineBar(p.t, barTicks, p.line)
}

// close removes the bar.
func (p *progress) close() { p.bar.Close() }

// line says in words how far the run is.
func (p *progress) line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := &p.now
	text := fmt.Sprintf("frame %d/%d", n.Frame, n.Frames-1)
	if n.Left >= 0 {
		text += fmt.Sprintf(", %s left", words.TimeLeft(n.Left))
	}
	if s := time.Since(p.began).Seconds(); s > 0 && p.steps > 0 {
		text += fmt.Sprintf(", %.3g steps/s", float64(p.steps)/s)
	}
	switch {
	case n.Step == nil:
	case n.Step.Stats != nil:
		text += stepWords(n.Step.Stats)
	case n.Step.Summary != "":
		text += ", " + n.Step.Summary
	}
	if p.unconverged > 0 {
		text += fmt.Sprintf(", %s above tolerance", words.Count(p.unconverged, "step"))
	}
	return text
}

// stepWords says how a step of cloths and bodies went, after what was said before.
func stepWords(s *engine.Stats) string {
	text := ""
	if s.Contacts > 0 {
		text += fmt.Sprintf(", %s", words.Count(s.Contacts, "contact"))
	}
	text += fmt.Sprintf(", residual %.1e m/s", s.Residual)
	if s.Contacts > 0 {
		text += fmt.Sprintf(", worst gap %s", words.Length(s.WorstGap))
	}
	if s.Crossings > 0 {
		text += fmt.Sprintf(", %s", words.Count(s.Crossings, "crossing"))
	}
	return text
}
