package sweep

import (
	"fmt"
	"time"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/sweep"
	"github.com/toile-sim/toile/internal/words"
)

// sweepDone is the last event of a sweep.
type sweepDone struct {
	Event   string   `json:"event"`
	Dir     string   `json:"dir"`
	Runs    int      `json:"runs"`
	Done    int      `json:"done"`
	Failed  int      `json:"failed"`
	Elapsed float64  `json:"elapsed"` // on the wall, this session [s]
	Share   cli.Real `json:"share"`   // of the time of this session's processes that steps took; null if none ran
}

// writeSweep makes the table, the pictures and the report of a sweep, and tells of them.
func writeSweep(t *cli.Term, s *sweep.Sweep, rows []sweep.Row, played *session, f *sweepFlags) error {
	// what the last session did
	var facts [][2]string
	share := played.share(f.jobs)
	if played.now.Simulate > 0 {
		facts = append(facts, [2]string{"Last session", fmt.Sprintf("%s with %d runs at a time, %s of it in steps",
			words.Duration(played.took), f.jobs, words.Share(float64(share), 1))})
	}
	// table, pictures and report
	busy := cli.NewSpinner(t, "drawing the report")
	written, err := s.WriteResults(f.dir, rows, sweep.ResultOptions{
		Failures: played.failures, Facts: facts,
		Again: "toile sweep " + words.ShellWord(s.Path) + " -o " + words.ShellWord(f.dir),
	})
	busy.Close()
	for _, path := range written {
		t.Wrote(path)
	}
	if err != nil {
		return fmt.Errorf("the results could not be written: %w", err)
	}
	// how many failed
	failed := 0
	for i := range rows {
		if rows[i].Status == sweep.Failed {
			failed++
		}
	}
	// what came of it
	now := &played.now
	t.Emit(sweepDone{"done", f.dir, len(rows), now.Done, failed, played.took.Seconds(), share})
	t.Say("Complete   %s of %s", words.Thousands(now.Done), words.Count(now.Runs, "run"))
	if now.Simulate > 0 {
		t.Say("Took       %s, %s of it in steps", words.Duration(played.took), words.Share(float64(share), 1))
	}
	for _, path := range written {
		t.Say("Wrote      %s", path)
	}
	return nil
}

// session is what a command did for a sweep.
type session struct {
	now      sweep.Progress
	took     time.Duration // from the start of the program to the last result
	failures map[string]string
}

// share is the part of the time of all processes that steps took.
func (p *session) share(jobs int) cli.Real {
	return cli.Real(p.now.Simulate / (p.took.Seconds() * float64(min(jobs, max(1, p.now.Runs)))))
}
