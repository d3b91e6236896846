package player

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/runfolder"
)

// A run that is extended twice, once by a part of a frame and once after an interruption, has the same files as one
// that was long from the start.
func TestExtendedRunIsTheLongOne(t *testing.T) {
	for _, keep := range []runfolder.Keep{runfolder.KeepAll, runfolder.KeepLast, 2} {
		t.Run(keep.String(), func(t *testing.T) {
			play := func(dir, end string, steps int) (Summary, error) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				job := testJob(t, 1, "time.end="+end)
				job.Keep = keep
				opt := DefaultOptions(dir)
				opt.EachStep = func(*Step, int) {
					if steps--; steps == 0 {
						cancel()
					}
				}
				return Play(ctx, job, opt)
			}
			want, got := t.TempDir(), t.TempDir()
			if _, err := play(want, "0.2 s", -1); err != nil {
				t.Fatal(err)
			}
			for _, end := range []string{"0.05 s", "0.11 s"} {
				if sum, err := play(got, end, -1); err != nil || !sum.Complete {
					t.Fatal(sum, err)
				}
			}
			if _, err := play(got, "0.2 s", 3); !errors.Is(err, ErrInterrupted) {
				t.Fatal(err)
			}
			sum, err := play(got, "0.2 s", -1)
			if err != nil || !sum.Complete || !sum.Resumed {
				t.Fatal(sum, err)
			}
			sameFolder(t, want, got)

			_, err = play(got, "0.1 s", -1)
			if !errors.Is(err, runfolder.ErrOtherRun) || !strings.Contains(err.Error(), "time.end") {
				t.Errorf("made shorter: %v", err)
			}
		})
	}
}

// A run that a condition has ended is at its end, however much later it could end, and keeps its last frame.
func TestEndedRunIsNotExtended(t *testing.T) {
	dir := t.TempDir()
	for _, end := range []string{"0.1 s", "0.2 s"} {
		job := testJob(t, 1, "time.end="+end)
		job.Keep = runfolder.KeepLast
		soon, err := runfolder.ParseCondition("time > 0.04")
		if err != nil {
			t.Fatal(err)
		}
		job.Stop = []runfolder.Condition{soon}
		sum, err := Play(context.Background(), job, DefaultOptions(dir))
		if err != nil || sum.Time > 0.09 {
			t.Fatal(sum, err)
		}
		f, err := runfolder.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if frames, err := f.Frames(); err != nil || len(frames) != 1 || frames[0] != sum.Frames-1 {
			t.Errorf("until %s: frames %v, %v; %+v", end, frames, err, sum)
		}
	}
}

// A run is not gone on with by another program, or if an earlier frame is not what was written.
func TestWhatIsNotGoneOnWith(t *testing.T) {
	dir := t.TempDir()
	interrupted := func() {
		t.Helper()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		opt := DefaultOptions(dir)
		opt.Force = true
		opt.Progress = func(p Progress) {
			if p.Frame == 2 {
				cancel()
			}
		}
		if _, err := Play(ctx, testJob(t, 1), opt); !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
	}
	interrupted()
	f, err := runfolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	other := f.Manifest
	other.Program = fmt.Sprintf("%064d", 1)
	if _, err := runfolder.Begin(dir, other, false); !errors.Is(err, runfolder.ErrOtherRun) || !strings.Contains(err.Error(), "program") {
		t.Errorf("another program: %v", err)
	}

	one, err := os.ReadFile(f.FramePath(1))
	if err != nil {
		t.Fatal(err)
	}
	for what, data := range map[string][]byte{"cut short": one[:len(one)-1], "another frame": must(os.ReadFile(f.FramePath(0)))} {
		if err := os.WriteFile(f.FramePath(1), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Play(context.Background(), testJob(t, 1), DefaultOptions(dir)); err == nil || !strings.Contains(err.Error(), "000001") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}
