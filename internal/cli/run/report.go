package run

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/report"
	"github.com/toile-sim/toile/internal/runfolder"
)

// outdated removes the report of a folder when its run goes on, and passes progress on. Play calls back only once the
// folder is its own.
func outdated(dir string, update func(player.Progress)) func(player.Progress) {
	done := false
	return func(p player.Progress) {
		if !done {
			done = true
			_ = os.Remove(filepath.Join(dir, report.Name)) // it will be written again
		}
		update(p)
	}
}

// finishReport makes the report of a run that is complete, unless it is there, and returns where it is. A run does not
// fail for its report.
func finishReport(t *cli.Term, folder *runfolder.Folder, already bool, workers int) string {
	if path := filepath.Join(folder.Dir, report.Name); already && cli.Exists(path) {
		return path
	}
	busy := cli.NewSpinner(t, "drawing the report")
	path, err := report.Write(folder, report.Options{Workers: workers})
	busy.Close()
	if err != nil {
		t.Note("the report could not be written: %v", err)
	}
	return path
}

// reportFailure makes the report of a run that failed on its way, where one may help to see why.
func reportFailure(t *cli.Term, f *Flags, why error, s player.Summary) {
	if s.Frames == 0 || errors.Is(why, player.ErrInterrupted) || errors.Is(why, runfolder.ErrOtherRun) ||
		errors.Is(why, runfolder.ErrLocked) {
		return
	}
	folder, err := runfolder.Open(f.Dir)
	if err != nil {
		return // the run says more
	}
	if path, err := report.Write(folder, report.Options{Failure: why.Error(), Workers: f.Workers}); err == nil {
		t.Note("%s shows how far it came", path)
	}
}
