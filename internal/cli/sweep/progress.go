package sweep

import (
	"fmt"
	"sync"
	"time"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/sweep"
	"github.com/toile-sim/toile/internal/words"
)

// sweepProgress shows how far a sweep is: one line for all runs.
type sweepProgress struct {
	t     *cli.Term
	began time.Time
	said  time.Time
	bar   *cli.Bar // nil without a terminal

	failures map[string]string // by key

	mu  sync.Mutex
	now sweep.Progress
}

func newSweepProgress(t *cli.Term) *sweepProgress {
	return &sweepProgress{t: t, began: time.Now(), said: time.Now(), failures: map[string]string{}}
}

// sweepEvent says how far a sweep is, when a run begins or ends.
type sweepEvent struct {
	Event   string   `json:"event"`
	Runs    int      `json:"runs"`
	Done    int      `json:"done"`
	Failed  int      `json:"failed"`
	Running int      `json:"running"`
	Left    cli.Real `json:"left"` // estimate [s], null while unknown
}

// failureEvent says why a run failed.
type failureEvent struct {
	Event string `json:"event"`
	sweep.Failure
}

// update is called when a run begins or ends, by one goroutine at a time.
func (p *sweepProgress) update(now sweep.Progress) {
	p.mu.Lock()
	p.now = now
	p.mu.Unlock()
	if p.bar == nil && now.Running > 0 {
		p.bar = cli.NewLineBar(p.t, now.Runs, p.line)
	}
	if fail := now.Failure; fail != nil {
		p.failures[fail.Key] = fail.Text
		p.t.Emit(failureEvent{"failure", *fail})
		if !p.t.JSON {
			p.t.Complain("%s run %d: %s\n", p.t.PaintErr(cli.Yellow, "failed:"), fail.Index, cli.Indented(fail.Text))
		}
	}
	p.t.Emit(sweepEvent{"sweep", now.Runs, now.Done, now.Failed, now.Running, cli.SecondsLeft(now.Left)})
	switch {
	case p.t.JSON:
	case p.bar != nil:
		p.bar.Set(int64(now.Done + now.Failed))
	case time.Since(p.said) >= cli.LineEvery:
		p.said = time.Now()
		p.t.Complain("%s\n", p.line())
	}
}

// line says in words how far the sweep is.
func (p *sweepProgress) line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := &p.now
	text := fmt.Sprintf("%s of %s, %d running", words.Thousands(n.Done), words.Count(n.Runs, "run"), n.Running)
	if n.Failed > 0 {
		text += fmt.Sprintf(", %s failed", words.Thousands(n.Failed))
	}
	if n.Left >= 0 {
		text += fmt.Sprintf(", %s left", words.TimeLeft(n.Left))
	}
	return text
}

// close removes the bar.
func (p *sweepProgress) close() { p.bar.Close() }
