package run

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
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
	Contradicted int      `json:"contradicted"`
	Spent        int      `json:"spent"`     // of the unconverged, steps whose budget was spent
	Converged    cli.Real `json:"converged"` // share of steps
	MaxResidual  cli.Real `json:"max_residual"`
	AheadMean    cli.Real `json:"ahead_mean"`  // how far one more linearization would move points [m], null if no step was looked at
	AheadWorst   cli.Real `json:"ahead_worst"` // [m]
	MaxContacts  int      `json:"max_contacts"`
	WorstGap     cli.Real `json:"worst_gap"`  // [m], null without contacts
	Crossings    int      `json:"crossings"`  // the most in a step
	Crossed      int      `json:"crossed"`    // steps with crossings
	Infeasible   int      `json:"infeasible"` // steps with contacts that contradict each other
	Slips        int      `json:"slips"`      // how often yarns passed through each other
	Hash         string   `json:"hash"`
	Resumed      bool     `json:"resumed"`
	Already      bool     `json:"already"`
	Stopped      string   `json:"stopped,omitempty"` // the condition that ended it early
	Torn         string   `json:"torn,omitempty"`    // the joint or attachment that does not hold
	Report       string   `json:"report,omitempty"`  // file; absent if it could not be made
}

func finishRun(t *cli.Term, f *Flags, s player.Summary) error {
	// how good the steps are
	folder, err := runfolder.Open(f.Dir)
	if err != nil {
		return err
	}
	q, err := judge(folder)
	if err != nil {
		return err
	}
	// the report
	page := ""
	if f.Report {
		page = finishReport(t, folder, s.Already, f.Workers)
	}
	// for programs
	aheadMean, aheadWorst := ahead(engine.Ahead{Known: q.ahead.Steps > 0, Mean: q.ahead.Mean, Worst: q.ahead.Worst})
	t.Emit(doneEvent{
		"done",
		f.Dir,
		s.Frames,
		s.Steps,
		s.Time,
		s.Elapsed.Seconds(),
		len(q.unconverged),
		len(q.contradicts),
		len(q.spent),
		cli.Real(q.share()),
		cli.Real(q.residual),
		aheadMean,
		aheadWorst,
		q.contacts,
		cli.Real(q.gap),
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
	// for people: what was done
	if s.Already {
		t.Say("Nothing to do: the run is complete.")
	}
	t.Say("Simulated  %.6g s: %s, %s", s.Time, words.Count(s.Frames, "frame"), words.Count(s.Steps, "step"))
	if s.Stopped != "" {
		t.Say("Ended      early: %s", s.Stopped)
	}
	if !s.Already {
		t.Say("Took       %s", words.Duration(s.Elapsed))
	}
	// how good it is
	q.say(t, folder.StatsPath())
	if s.Torn != "" {
		t.Say("%s", t.Paint(cli.Yellow, "Joints     "+s.Torn))
	}
	t.Say("State      %s", s.Hash)
	if page != "" {
		t.Say("Report     %s", page)
	}
	if f.Shown {
		return doubt(s, q)
	}
	// what to do next
	t.Say("Look at it:")
	t.Say("  toile view %s", words.ShellWord(f.Dir))
	t.Say(
		"  toile render %s -o %s", words.ShellWord(f.Dir),
		words.ShellWord(strings.TrimSuffix(filepath.Base(f.Dir), ".run")+".png"),
	)
	return doubt(s, q)
}

// doubt returns an error if a run is complete and yet not what the scene says.
func doubt(s player.Summary, q *quality) error {
	if s.Torn != "" {
		return cli.Doubted(fmt.Errorf("the run is complete, and its scene contradicts itself: %s", s.Torn))
	}
	if all := q.doubts(); len(all) > 0 {
		return cli.Doubted(fmt.Errorf("the run is complete, but %s", strings.Join(all, ", and ")))
	}
	return nil
}
