package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/internal/report"
	"github.com/toile-sim/toile/run"
	"github.com/toile-sim/toile/scene"
)

// A run that fails leaves a report that says why; one that was interrupted or belongs to somebody else leaves none.
func TestReportOfFailure(t *testing.T) {
	s, err := scene.Parse("flag.yaml", []byte(`
toile: 1
time: {end: 0.1 s, fps: 30, step: 5 ms}
cloths: [{name: flag, shape: {grid: {size: [1, 1], cells: [2, 2]}}, material: cotton, pins: [{select: corners}]}]
`), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	job, err := run.FromScene(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	summary, err := run.Play(context.Background(), job, run.DefaultOptions(dir))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, report.Name)
	var log bytes.Buffer
	term := newTerm(new(bytes.Buffer), &log)
	for _, why := range []error{run.ErrInterrupted, cache.ErrOtherRun, cache.ErrLocked} {
		reportFailure(term, &runFlags{dir: dir}, fmt.Errorf("so: %w", why), summary)
		if exists(path) {
			t.Errorf("there is a report after %v", why)
		}
	}
	reportFailure(term, &runFlags{dir: dir}, errors.New("the <disk> is full"), summary)
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

// The pictures of a film are evenly spaced in time, whatever its pace.
func TestSchedule(t *testing.T) {
	for _, c := range []struct {
		n          int
		rate, pace float64
		want       []int
	}{
		{4, 30, 30, []int{0, 1, 2, 3}},
		{4, 30, 60, []int{0, 0, 1, 1, 2, 2, 3, 3}},
		{6, 60, 20, []int{0, 3}},
		{1, 30, 30, []int{0}},
		{5, 100, 40, []int{0, 2}},
	} {
		if got := schedule(c.n, c.rate, c.pace); !slices.Equal(got, c.want) {
			t.Errorf("%d frames, %g a second, at %g: %v, want %v", c.n, c.rate, c.pace, got, c.want)
		}
	}
	// A rate that is no binary fraction loses no frame to rounding.
	for _, rate := range []float64{29.97, 23.976, 30, 24, 1.0 / 3} {
		if got := schedule(10_000, rate, rate); len(got) != 10_000 || got[9999] != 9999 {
			t.Errorf("at %g a second 10000 frames make %d pictures", rate, len(got))
		}
	}
}
