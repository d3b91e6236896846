package run_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toile-sim/toile/run"
	"github.com/toile-sim/toile/scene"
)

const flag = `
toile: 1
name: flag
time: {end: 0.1 s, fps: 30, step: 5 ms}
cloths:
  - name: flag
    shape: {grid: {size: [1, 1], cells: [4, 4]}}
    material: cotton
    pins: [{select: corners}]
`

// Playing the same scene into the same folder resumes it; here it is done already. What it left can be read.
func Example() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := scene.Parse("flag.yaml", []byte(flag), nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		sum, err := run.Play(context.Background(), s, dir, run.DefaultOptions())
		fmt.Println(sum.Frames, sum.Complete, sum.Already, err)
	}
	folder, err := run.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	frame, err := folder.Frame(3)
	if err != nil {
		log.Fatal(err)
	}
	stats, err := folder.Stats()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s at %.1f s: %d vertices, %d steps\n", folder.Name(), frame.Time, len(frame.Bodies[0].Mesh.Positions), len(stats.Column("step")))
	// Output:
	// 4 true false <nil>
	// 4 true true <nil>
	// flag at 0.1 s: 25 vertices, 21 steps
}

func played(t *testing.T, ctx context.Context, dir string, opt run.Options) (run.Summary, error) {
	t.Helper()
	s, err := scene.Parse("flag.yaml", []byte(flag), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return run.Play(ctx, s, dir, opt)
}

// A run that is cancelled says so, goes on where it was, and comes out as one that was not.
func TestCancelledAndResumed(t *testing.T) {
	whole, parts := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "parts")
	frames, steps := 0, 0
	opt := run.DefaultOptions()
	opt.EachFrame = func(p run.Progress) { frames++ }
	opt.EachStep = func(run.Step) { steps++ }
	one, err := played(t, context.Background(), whole, opt)
	if err != nil || frames != one.Frames || steps != one.Steps {
		t.Fatalf("%v: %d reports of frames, %d of steps: %+v", err, frames, steps, one)
	}

	ctx, cancel := context.WithCancel(context.Background())
	opt.EachStep = func(s run.Step) {
		if s.Number == 10 {
			cancel()
		}
	}
	if sum, err := played(t, ctx, parts, opt); !errors.Is(err, run.ErrInterrupted) || sum.Complete {
		t.Fatalf("%v: %+v", err, sum)
	}
	two, err := played(t, context.Background(), parts, run.DefaultOptions())
	if err != nil || !two.Resumed || two.Hash != one.Hash {
		t.Errorf("%v: %+v, want hash %s", err, two, one.Hash)
	}
	if same, words, err := run.Diff(whole, parts); err != nil || !same {
		t.Errorf("%v: %s", err, words)
	}
}

// What is asked for in words is obeyed, or refused before a folder is made.
func TestStopKeepAndProbe(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	for _, bad := range []run.Options{{Keep: "some"}, {Stop: []string{"soon"}}, {Probes: []string{"x"}}, {Workers: -1}} {
		if _, err := played(t, context.Background(), dir, bad); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused run has left %v", err)
	}
	opt := run.DefaultOptions()
	opt.Keep, opt.Stop, opt.Probes = "last", []string{"step > 8"}, []string{"vertex flag 0"}
	sum, err := played(t, context.Background(), dir, opt)
	if err != nil || sum.Stopped == "" || !sum.Complete {
		t.Fatalf("%v: %+v", err, sum)
	}
	folder, err := run.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if frames, err := folder.Frames(); err != nil || len(frames) != 1 {
		t.Errorf("%v: frames %v", err, frames)
	}
	stats, err := folder.Stats()
	if err != nil {
		t.Fatal(err)
	}
	probed := -1
	for i, name := range stats.Columns {
		if strings.HasPrefix(name, "vertex flag 0") {
			probed = i
		}
	}
	if probed < 0 || math.IsNaN(stats.Values[probed][0]) {
		t.Errorf("no probe in %v", stats.Columns)
	}
}
