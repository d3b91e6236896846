package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/run"
)

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
		t.say("Took       %s", words.Duration(s.Elapsed))
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
		return doubted(fmt.Errorf("the run is complete, and its scene contradicts itself: %s", s.Torn))
	}
	if all := q.doubts(); len(all) > 0 {
		return doubted(fmt.Errorf("the run is complete, but %s", strings.Join(all, ", and ")))
	}
	return nil
}
