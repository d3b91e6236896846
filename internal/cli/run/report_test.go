package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/report"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
)

// A run that fails leaves a report that says why; one that was interrupted or belongs to somebody else leaves none.
func TestReportOfFailure(t *testing.T) {
	s, err := scenefile.Parse("flag.yaml", []byte(`
toile: 1
time: {end: 0.1 s, fps: 30, step: 5 ms}
cloths: [{name: flag, shape: {grid: {size: [1, 1], cells: [2, 2]}}, material: cotton, pins: [{select: corners}]}]
`), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	job, err := player.FromScene(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	summary, err := player.Play(context.Background(), job, player.DefaultOptions(dir))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, report.Name)
	var log bytes.Buffer
	term := cli.NewTerm(new(bytes.Buffer), &log)
	for _, why := range []error{player.ErrInterrupted, runfolder.ErrOtherRun, runfolder.ErrLocked} {
		reportFailure(term, &Flags{Dir: dir}, fmt.Errorf("so: %w", why), summary)
		if cli.Exists(path) {
			t.Errorf("there is a report after %v", why)
		}
	}
	reportFailure(term, &Flags{Dir: dir}, errors.New("the <disk> is full"), summary)
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "the &lt;disk&gt; is full") ||
		!strings.Contains(string(page), `class="state failed"`) {
		t.Error("the page does not say why")
	}
	if !strings.Contains(log.String(), "shows how far it came") {
		t.Errorf("it says %q", log.String())
	}
}
