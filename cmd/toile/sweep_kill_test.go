//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/sweep"
)

// killsVar asks for a long form of TestSweepSurvivesKills: how many kills, such as 200.
const killsVar = "TOILE_SWEEP_KILLS"

// killedSweep has 24 runs, two of which are the same, of about half a second each.
const killedSweep = `sweep: 1
scene: scene.yaml
axes:
  - {path: friction.default, name: mu, values: [0.1, 0.15, 0.2, 0.25, 0.3, 0.30]}
  - {path: cloths.square.material, name: fabric, values: [cotton, silk]}
  - {path: cloths.square.shape.grid.cells, name: cells, values: [[14, 14], [16, 16]]}
outcomes:
  - {name: slid, change: centroid square x}
  - {largest: crossings}
`

const killedScene = `toile: 1
time: {end: 1 s, fps: 10, step: 10 ms}
contact: {thickness: 1 mm, self: false}
cloths:
  - name: square
    shape: {grid: {size: [0.5, 0.5], cells: [16, 16]}}
    place: {rotate: {axis: [0, 1, 0], angle: 10 deg}}
    material: cotton
obstacles:
  - name: ramp
    shape: {plane: {point: [0, 0, -1 mm]}}
    place: {rotate: {axis: [0, 1, 0], angle: 10 deg}}
`

// A sweep whose process and whose children are killed again and again ends with the table, bit for bit, and the states
// of runs that were played alone.
func TestSweepSurvivesKills(t *testing.T) {
	kills := 4
	if text := os.Getenv(killsVar); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	} else if testing.Short() {
		t.Skip("it takes half a minute")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "sweep.yaml")
	for name, text := range map[string]string{"sweep.yaml": killedSweep, "scene.yaml": killedScene} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"sweep", path, "--output", filepath.Join(dir, "out"), "--jobs", "2", "--checkpoint", "200ms"}
	random := rand.New(rand.NewPCG(21, 4))
	ofSweep, ofRuns := 0, 0
	for killed := 0; killed < kills; {
		cmd := program(t, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for alive := true; alive && killed < kills; {
			select {
			case err := <-ended:
				if err != nil {
					t.Fatalf("the sweep failed by itself after %d kills: %v\n%s", killed, err, cmd.Stderr)
				}
				// All runs are complete before all kills are done: begin again.
				if err := os.RemoveAll(filepath.Join(dir, "out")); err != nil {
					t.Fatal(err)
				}
				alive = false
			case <-time.After(time.Duration(200+random.IntN(800)) * time.Millisecond):
				killed++
				children := childrenOf(t, cmd.Process.Pid)
				if len(children) > 0 && random.IntN(2) == 0 {
					_ = syscall.Kill(children[random.IntN(len(children))], syscall.SIGKILL) // it may just have ended
					ofRuns++
					continue
				}
				ofSweep++
				_ = cmd.Process.Kill() // likewise
				<-ended
				alive = false
			}
		}
		if killed == kills {
			_ = cmd.Process.Kill() // what is left is for the last sweep
		}
	}
	out, err := program(t, args...).Output()
	if err != nil {
		t.Fatalf("the last sweep: %v\n%s", err, out)
	}
	t.Logf("%d kills of the sweep, %d of runs", ofSweep, ofRuns)
	compareWithSingleRuns(t, dir, path)
}

// program returns the command that runs toile with arguments.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	toile, err := exec.LookPath("toile") // TestMain has put it there
	if err != nil {
		t.Fatal(err)
	}
	return exec.Command(toile, args...)
}

// childrenOf returns the processes that a process started.
func childrenOf(t *testing.T, pid int) []int {
	t.Helper()
	out, err := exec.Command("ps", "-e", "-o", "pid=,ppid=").Output()
	if err != nil {
		t.Skipf("processes cannot be listed: %v", err)
	}
	var children []int
	for line := range bytes.Lines(out) {
		var child, parent int
		if _, err := fmt.Sscan(string(line), &child, &parent); err == nil && parent == pid {
			children = append(children, child)
		}
	}
	return children
}

// compareWithSingleRuns plays every run of a sweep alone and compares states, statistics without clocks, and tables.
func compareWithSingleRuns(t *testing.T, dir, path string) {
	t.Helper()
	s, err := sweep.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := s.Runs()
	if err != nil {
		t.Fatal(err)
	}
	var rows []sweep.Row
	folders := map[string]bool{}
	for _, r := range runs {
		alone := filepath.Join(dir, "alone", r.FolderName())
		if out, err := program(t, s.Args(r, alone)...).CombinedOutput(); err != nil {
			t.Fatalf("run %d alone: %v\n%s", r.Index, err, out)
		}
		row, err := s.Outcome(r, alone)
		if err != nil {
			t.Fatal(err)
		}
		swept, err := s.Outcome(r, sweep.FolderOf(filepath.Join(dir, "out"), &r))
		if err != nil {
			t.Fatal(err)
		}
		if row.State != swept.State {
			t.Errorf("run %d ends in state %s, alone in %s", r.Index, swept.State, row.State)
		}
		folders[r.FolderName()] = true
		rows = append(rows, row)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "out", sweep.RunsName))
	if err != nil || len(entries) != len(folders) {
		t.Errorf("%d run folders for %d keys, %v", len(entries), len(folders), err)
	}
	var want bytes.Buffer
	if err := s.WriteCSV(&want, rows); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "out", sweep.CSVName))
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("the table is\n%s\nand of single runs\n%s%v", got, want.Bytes(), err)
	}
}

// Ctrl-C and requests to terminate have all runs write a checkpoint, and end within seconds.
func TestSweepIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sweep.yaml")
	long := strings.Replace(killedScene, "end: 1 s", "end: 1000 s", 1)
	for name, text := range map[string]string{"sweep.yaml": killedSweep, "scene.yaml": long} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := program(t, "sweep", path, "--jobs", "2")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for len(childrenOf(t, cmd.Process.Pid)) < 2 && ctx.Err() == nil {
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(time.Second) // let them take some steps
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != cli.ExitInterrupted || !strings.Contains(said.String(), "To go on") {
		t.Errorf("ended with %v\n%s", err, said.String())
	}
	folders, err := filepath.Glob(filepath.Join(dir, "sweep.sweep", sweep.RunsName, "*"))
	if err != nil || len(folders) != 2 {
		t.Fatalf("%d folders, %v", len(folders), err)
	}
	for _, folder := range folders {
		f, err := runfolder.Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		if c, _, err := f.Newest(nil); err != nil || c == nil || c.Step == 0 || f.Busy() {
			t.Errorf("%s has no checkpoint of what was done: %+v, %v", folder, c, err)
		}
	}
}
