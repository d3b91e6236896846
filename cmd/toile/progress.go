package main

import (
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/toile-sim/toile/run"
)

// progress shows how far a run is: a bar on a terminal, a line every few seconds elsewhere, an event
// for every frame with --json.
type progress struct {
	t     *term
	began time.Time
	said  time.Time // when the last line was printed
	shown int       // the last frame that was an event

	bars *mpb.Progress // nil without a terminal
	bar  *mpb.Bar
	was  io.Writer // where standard error went before the bar

	mu          sync.Mutex // of what follows, which the bar reads at its own pace
	now         run.Progress
	steps       int // in this session
	unconverged int // of them
}

// lineEvery is the time between lines where there is no terminal.
const lineEvery = 5 * time.Second

// barTicks is the resolution of the bar.
const barTicks = 10_000

func newProgress(t *term) *progress {
	return &progress{t: t, shown: -1}
}

// frameEvent says that a frame was written, and how its last step went.
type frameEvent struct {
	Event     string `json:"event"`
	Frame     int    `json:"frame"`
	Frames    int    `json:"frames"`
	Time      real   `json:"time"` // [s]
	Step      int    `json:"step"`
	Residual  real   `json:"residual"` // [m/s]
	Converged bool   `json:"converged"`
	MaxSpeed  real   `json:"max_speed"` // [m/s]
	Energy    real   `json:"energy"`    // [J]
	Contacts  int    `json:"contacts"`
	WorstGap  real   `json:"worst_gap"` // [m], null without contacts
	Crossings int    `json:"crossings"`
	Left      real   `json:"left"` // estimate [s], null while unknown
}

// update is called by the run after every step and every frame.
func (p *progress) update(now run.Progress) {
	if p.began.IsZero() {
		p.began, p.said = time.Now(), time.Now()
		if now.Time > 0 {
			p.t.say("Going on after frame %d, at t = %.4g s.", now.Frame, now.Time)
		}
		p.open()
	}
	p.mu.Lock()
	if now.Stats.Step > p.now.Stats.Step {
		p.steps++
		if !now.Stats.Converged {
			p.unconverged++
		}
	}
	p.now = now
	p.mu.Unlock()
	if now.Note != "" {
		p.t.note("%s", now.Note)
	}
	if now.Frame != p.shown {
		p.shown = now.Frame
		s, left := &now.Stats, real(now.Left.Seconds())
		if left < 0 {
			left = real(math.NaN())
		}
		p.t.emit(frameEvent{
			"frame", now.Frame, now.Frames, real(now.Time), s.Step, real(s.Residual), s.Converged || s.Step == 0,
			real(s.MaxSpeed), real(s.Energy.Total()), s.Contacts, worstGap(s), s.Crossings, left,
		})
	}
	switch {
	case p.t.json:
	case p.bars != nil:
		p.bar.SetCurrent(int64(barTicks * now.Time / max(now.End, 1e-300)))
	case time.Since(p.said) >= lineEvery:
		p.said = time.Now()
		p.t.complain("%s\n", p.line())
	}
}

// open begins the bar, if there is a terminal for it.
func (p *progress) open() {
	if p.t.json || !p.t.live {
		return
	}
	p.bars = mpb.New(mpb.WithOutput(p.t.err), mpb.WithWidth(32), mpb.WithRefreshRate(200*time.Millisecond))
	p.bar = p.bars.New(barTicks, mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]"), mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + p.line() })))
	p.was = p.t.divert(p.bars)
}

// close removes the bar.
func (p *progress) close() {
	if p.bars == nil {
		return
	}
	p.bar.Abort(true)
	p.bars.Wait()
	p.t.divert(p.was)
}

// line says in words how far the run is.
func (p *progress) line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := &p.now
	text := fmt.Sprintf("frame %d/%d", n.Frame, n.Frames-1)
	if n.Left >= 0 {
		text += fmt.Sprintf(", %s left", timeLeft(n.Left))
	}
	if s := time.Since(p.began).Seconds(); s > 0 && p.steps > 0 {
		text += fmt.Sprintf(", %.3g steps/s", float64(p.steps)/s)
	}
	if s := &n.Stats; s.Step > 0 {
		if s.Contacts > 0 {
			text += fmt.Sprintf(", %s", count(s.Contacts, "contact"))
		}
		text += fmt.Sprintf(", residual %.1e m/s", s.Residual)
		if s.Contacts > 0 {
			text += fmt.Sprintf(", worst gap %s", length(s.WorstGap))
		}
		if s.Crossings > 0 {
			text += fmt.Sprintf(", %s", count(s.Crossings, "crossing"))
		}
	}
	if p.unconverged > 0 {
		text += fmt.Sprintf(", %s above tolerance", count(p.unconverged, "step"))
	}
	return text
}

// spinner shows on a terminal that something is being computed whose end is not known.
type spinner struct {
	t    *term
	was  io.Writer
	bars *mpb.Progress // nil without a terminal
	bar  *mpb.Bar
}

func newSpinner(t *term, what string) *spinner {
	s := &spinner{t: t}
	if t.json || !t.live {
		return s
	}
	s.bars = mpb.New(mpb.WithOutput(t.err), mpb.WithRefreshRate(200*time.Millisecond))
	s.bar = s.bars.New(0, mpb.SpinnerStyle().PositionLeft(), mpb.BarWidth(1),
		mpb.AppendDecorators(decor.Name(" "+what), decor.Elapsed(decor.ET_STYLE_GO, decor.WC{C: decor.DSyncSpace})))
	s.was = t.divert(s.bars)
	return s
}

// close removes the spinner.
func (s *spinner) close() {
	if s.bars == nil {
		return
	}
	s.bar.Abort(true)
	s.bars.Wait()
	s.t.divert(s.was)
}
