package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/toile-sim/toile/farm/flow"
	"github.com/toile-sim/toile/farm/internal/servers"
	"github.com/toile-sim/toile/farm/play"
	"github.com/toile-sim/toile/farm/sandbox"
	"github.com/toile-sim/toile/farm/store"
	"github.com/toile-sim/toile/internal/sweep"
)

// asProgram makes the test program be toile-farm.
const asProgram = "TOILE_FARM_TEST_MAIN"

func TestMain(m *testing.M) {
	if sandbox.Entering() || os.Getenv(asProgram) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// toile builds the simulator, once.
var toile = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "toile-farm-test-")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "toile")
	build := exec.Command("go", "build", "-o", program, "./cmd/toile")
	build.Dir = "../../.." // with the versions of that module
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
})

func buildToile(t *testing.T) string {
	program, err := toile()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// writeSweep writes a sweep of the ramp with a run for each coefficient of friction.
func writeSweep(t *testing.T, end string, friction ...string) string {
	t.Helper()
	dir := t.TempDir()
	scene, err := os.ReadFile("../../../scenes/ramp.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "sweep.yaml")
	text := fmt.Sprintf("sweep: 1\nscene: ramp.yaml\nset: ['time.end=%s']\naxes:\n  - {name: mu, path: friction, values: [%s]}\n"+
		"keep: last\noutcomes:\n  - {name: x, change: centroid square x}\n", end, strings.Join(friction, ", "))
	for path, text := range map[string]string{filepath.Join(dir, "ramp.yaml"): string(scene), file: text} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

func openFolder(t *testing.T) (*store.Store, string) {
	address := "file://" + t.TempDir()
	s, err := store.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, address
}

func newPlayer(t *testing.T, kept *store.Store) *play.Player {
	return playerWith(t, kept, buildToile(t))
}

func playerWith(t *testing.T, kept *store.Store, program string) *play.Player {
	_, stamp, err := askBuild(program)
	if err != nil {
		t.Fatal(err)
	}
	work, err := play.ClaimFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = work.Release() })
	return &play.Player{
		Store: kept, Toile: program, Stamp: stamp, Work: work, Checkpoint: time.Second, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Limits: play.Limits{Limits: sandbox.Limits{Memory: 1 << 30, Files: 64}},
	}
}

// playLane plays a prepared sweep in the SDK's test environment, with the real activities.
func playLane(t *testing.T, order *flow.Order, player *play.Player) flow.Counts {
	t.Helper()
	acts := flow.NewActivities(nil, player)
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	env.SetTestTimeout(2 * time.Minute)
	env.RegisterWorkflowWithOptions(flow.Lane, workflow.RegisterOptions{Name: flow.LaneName})
	env.RegisterActivityWithOptions(acts.Lookup, activity.RegisterOptions{Name: flow.LookupName})
	env.RegisterActivityWithOptions(acts.Play, activity.RegisterOptions{Name: flow.PlayName})
	order.Stride, order.InFlight, order.Heartbeat = 1, 2, time.Minute
	env.ExecuteWorkflow(flow.LaneName, *order)
	var counts flow.Counts
	if err := env.GetWorkflowResult(&counts); err != nil {
		t.Fatal(err)
	}
	return counts
}

func TestTheFarmMakesTheTableOfASweep(t *testing.T) {
	kept, _ := openFolder(t)
	file := writeSweep(t, "0.3 s", "0.15", "0.2", "0.15") // the third is the first again
	player := newPlayer(t, kept)
	order, err := prepare(t.Context(), kept, player.Toile, file)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := playLane(t, order, player), (flow.Counts{Played: 2}); got != want {
		t.Errorf("counted %+v; want %+v", got, want)
	}
	if got, want := playLane(t, order, player), (flow.Counts{Known: 2}); got != want {
		t.Errorf("the second time, counted %+v; want %+v", got, want)
	}
	out := t.TempDir()
	if err := fetch(t.Context(), kept, order.Sweep, out, false); err != nil {
		t.Fatal(err)
	}
	alone := filepath.Join(t.TempDir(), "alone")
	if text, err := exec.Command(player.Toile, "sweep", file, "-o", alone).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, name := range []string{sweep.CSVName, sweep.ParquetName} {
		want, err := os.ReadFile(filepath.Join(alone, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from that of toile sweep (%v):\n%s\n%s", name, err, got, want)
		}
	}
	slim := t.TempDir()
	if err := fetch(t.Context(), kept, order.Sweep, slim, true); err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(slim, "runs", "*")); err != nil || len(left) > 0 {
		t.Errorf("fetch --table left %v, %v", left, err)
	}
	if table, err := os.ReadFile(filepath.Join(slim, sweep.CSVName)); err != nil || strings.Count(string(table), ",done,") != 3 {
		t.Errorf("not all runs are done: %v\n%s", err, table)
	}
}

// buildHeavier builds a simulator with 5 % more gravity than scenes say.
func buildHeavier(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	source, err := filepath.Abs("../../../internal/scenefile/options.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	const line = "o.Gravity = s.Gravity.Start()"
	if strings.Count(string(text), line) != 1 {
		t.Fatalf("%s does not have %q once", source, line)
	}
	changed, overlay := filepath.Join(dir, "options.go"), filepath.Join(dir, "overlay.json")
	places, err := json.Marshal(map[string]any{"Replace": map[string]string{source: changed}})
	if err != nil {
		t.Fatal(err)
	}
	heavier := strings.Replace(string(text), line, line+".Scale(1.05)", 1)
	if err := errors.Join(os.WriteFile(changed, []byte(heavier), 0o666), os.WriteFile(overlay, places, 0o666)); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "toile")
	build := exec.Command("go", "build", "-overlay", overlay, "-o", program, "./cmd/toile")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// Programs of sources that differ in one constant have the same stamps of version, and yet no results in common.
func TestResultsOfAnotherProgramAreNotTaken(t *testing.T) {
	kept, _ := openFolder(t)
	file := writeSweep(t, "0.3 s", "0.15", "0.2")
	alone := filepath.Join(t.TempDir(), "alone")
	programs := []string{buildToile(t), buildHeavier(t)}
	var keys, tables [][]byte
	for _, program := range programs {
		// The same program says the same key twice, and another one another.
		for range 2 {
			key, err := exec.Command(program, "key", filepath.Join(filepath.Dir(file), "ramp.yaml")).Output()
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, key)
		}
		// The farm plays all runs with either program, and does so once.
		player := playerWith(t, kept, program)
		order, err := prepare(t.Context(), kept, program, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []flow.Counts{{Played: 2}, {Known: 2}} {
			if got := playLane(t, order, player); got != want {
				t.Errorf("counted %+v; want %+v", got, want)
			}
		}
		// So does a sweep, in one folder for both.
		if text, err := exec.Command(program, "sweep", file, "-o", alone).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		table, err := os.ReadFile(filepath.Join(alone, sweep.CSVName))
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
		// A run that the other program began is not gone on with.
		text, err := exec.Command(program, "run", filepath.Join(filepath.Dir(file), "ramp.yaml"), "--set", "time.end=0.1 s").CombinedOutput()
		if refused := strings.Contains(string(text), "program: "); (err != nil) != (program == programs[1]) || refused != (err != nil) {
			t.Errorf("%v\n%s", err, text)
		}
	}
	if !bytes.Equal(keys[0], keys[1]) || !bytes.Equal(keys[2], keys[3]) || bytes.Equal(keys[0], keys[2]) {
		t.Errorf("two programs, each asked twice, say the keys\n%s", bytes.Join(keys, nil))
	}
	if runs, err := os.ReadDir(filepath.Join(alone, sweep.RunsName)); err != nil || len(runs) != 4 {
		t.Errorf("two programs left %d folders of two runs, %v; want 4", len(runs), err)
	}
	if bytes.Equal(tables[0], tables[1]) {
		t.Errorf("two programs made the same table:\n%s", tables[0])
	}
}

func TestFailuresAreKeptWithTheirMessages(t *testing.T) {
	kept, _ := openFolder(t)
	player := newPlayer(t, kept)
	order, err := prepare(t.Context(), kept, player.Toile, writeSweep(t, "0.3 s", "0.15", "0.16", "0.17", "0.18"))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := kept.Batch(t.Context(), order.Sweep, 0)
	if err != nil {
		t.Fatal(err)
	}
	// A run with an option that is not one, a run that is another than it says, and one that is no run at all.
	entries[1].Args = append(entries[1].Args, "--nonsense")
	entries[2].Args = append(entries[2].Args, "--set", "friction=0.5")
	entries[3].Args = []string{"version"}
	record, err := kept.Sweep(t.Context(), order.Sweep)
	if err != nil {
		t.Fatal(err)
	}
	if err := kept.PutSweep(t.Context(), record, [][]store.Entry{entries}); err != nil {
		t.Fatal(err)
	}
	if got, want := playLane(t, order, player), (flow.Counts{Played: 1, Failed: 3}); got != want {
		t.Errorf("counted %+v; want %+v", got, want)
	}
	for i, want := range map[int]string{1: "nonsense", 2: "key", 3: "no run"} {
		failure, err := kept.Failure(t.Context(), entries[i].Key)
		if err != nil || !failure.Input || !strings.Contains(failure.Messages, want) {
			t.Errorf("run %d: %+v, %v; want %q", i, failure, err, want)
		}
	}
	// Limits are failures of the run itself: three tries.
	player.Limits.File = 1 << 10
	if err := forgive(t.Context(), kept, order.Sweep); err != nil {
		t.Fatal(err)
	}
	entries[1].Args = entries[0].Args
	entries[1].Key = strings.Repeat("f", 64)
	if err := kept.PutSweep(t.Context(), record, [][]store.Entry{entries[1:2]}); err != nil {
		t.Fatal(err)
	}
	if got, want := playLane(t, order, player), (flow.Counts{Failed: 1}); got != want {
		t.Errorf("with a limit on files, counted %+v; want %+v", got, want)
	}
	if failure, err := kept.Failure(t.Context(), entries[1].Key); err != nil || failure.Tries != flow.Tries || failure.Input {
		t.Errorf("%+v, %v", failure, err)
	}
}

func TestAPoisonedSceneIsRefused(t *testing.T) {
	kept, address := openFolder(t)
	player := newPlayer(t, kept)
	order, err := prepare(t.Context(), kept, player.Toile, writeSweep(t, "0.3 s", "0.15"))
	if err != nil {
		t.Fatal(err)
	}
	blobs, err := filepath.Glob(filepath.Join(strings.TrimPrefix(address, "file://"), "blobs", "*", "*"))
	if err != nil || len(blobs) != 2 {
		t.Fatal(blobs, err)
	}
	for _, b := range blobs {
		if err := os.WriteFile(b, []byte("poison"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := playLane(t, order, player), (flow.Counts{Failed: 1}); got != want {
		t.Errorf("counted %+v; want %+v", got, want)
	}
	err = eachState(t.Context(), kept, order.Sweep, func(e store.Entry, state store.State) error {
		failure, err := kept.Failure(t.Context(), e.Key)
		if err != nil || !strings.Contains(failure.Messages, store.ErrPoisoned.Error()) {
			t.Errorf("%+v, %v", failure, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAMachineWithoutToileIsNotTheRunsFault(t *testing.T) {
	kept, _ := openFolder(t)
	player := newPlayer(t, kept)
	player.Toile = filepath.Join(t.TempDir(), "toile")
	_, err := player.Play(
		t.Context(), nil, play.Job{Key: strings.Repeat("0", 64), Args: func(string) []string { return nil }},
	)
	var (
		failed *play.FailedError
		input  *play.InputError
	)
	if err == nil || errors.As(err, &failed) || errors.As(err, &input) {
		t.Errorf("without the program, a run ends with %v", err)
	}
}

// TestAStoppedRunGoesOn stops a run, as SIGTERM of the worker does, and plays it on, from the same bits.
func TestAStoppedRunGoesOn(t *testing.T) {
	kept, _ := openFolder(t)
	player := newPlayer(t, kept)
	order, err := prepare(t.Context(), kept, player.Toile, writeSweep(t, "8 s", "0.15"))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := kept.Batch(t.Context(), order.Sweep, 0)
	if err != nil {
		t.Fatal(err)
	}
	record, err := kept.Sweep(t.Context(), order.Sweep)
	if err != nil {
		t.Fatal(err)
	}
	input := t.TempDir()
	for _, f := range record.Files {
		if err := kept.GetFile(t.Context(), f, input); err != nil {
			t.Fatal(err)
		}
	}
	job := play.Job{Key: entries[0].Key, Read: []string{input}, Args: func(folder string) []string {
		var args []string
		for _, a := range entries[0].Args {
			args = append(args, strings.NewReplacer(flow.InputFolder, input, flow.RunFolder, folder).Replace(a))
		}
		return append(args, "--checkpoint", "1s")
	}}
	stop := make(chan struct{})
	time.AfterFunc(1500*time.Millisecond, func() { close(stop) })
	if _, err := player.Play(t.Context(), stop, job); err != play.ErrStopped {
		t.Fatalf("a run that was told to stop ended with %v", err)
	}
	found, _, err := kept.Checkpoints(t.Context(), job.Key, player.Stamp)
	if err != nil || len(found) == 0 || found[0].Step == 0 {
		t.Fatalf("it left %v, %v", found, err)
	}
	if _, err := player.Play(t.Context(), nil, job); err != nil {
		t.Fatal(err)
	}
	alone := t.TempDir()
	if text, err := exec.Command(player.Toile, job.Args(alone)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m, _, err := kept.Run(t.Context(), job.Key)
	if err != nil {
		t.Fatal(err)
	}
	got := t.TempDir()
	for _, f := range m.Files {
		if err := kept.GetFile(t.Context(), f, got); err != nil {
			t.Fatal(err)
		}
	}
	frames, err := filepath.Glob(filepath.Join(alone, "frames", "*"))
	if err != nil || len(frames) != 1 {
		t.Fatal(frames, err)
	}
	want, err := os.ReadFile(frames[0])
	if err != nil {
		t.Fatal(err)
	}
	if have, err := os.ReadFile(filepath.Join(got, "frames", filepath.Base(frames[0]))); err != nil || !bytes.Equal(have, want) {
		t.Errorf("the last frame differs from that of a run that was never stopped: %v", err)
	}
}

// engine starts a real Temporal development server, if there is one.
func engine(t *testing.T) *servers.Process {
	if _, err := servers.Find("temporal"); err != nil {
		t.Skip("no Temporal server; bash farm/real servers builds it")
	}
	port, err := servers.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	p, err := servers.Development(t.TempDir(), port)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p
}

// farm is a farm on a real server.
type farm struct {
	t    *testing.T
	env  []string
	kept *store.Store
}

func (f *farm) run(args ...string) string {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), os.Args[0], args...)
	cmd.Env = f.env
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		f.t.Fatalf("toile-farm %s: %v\n%s", args[0], err, said.String())
	}
	return strings.TrimSpace(string(out))
}

func (f *farm) worker() *exec.Cmd {
	cmd := exec.Command(os.Args[0], "worker", "--small", "1", "--checkpoint", "1s", "--toile", buildToile(f.t), "--work", f.t.TempDir())
	cmd.Env = f.env
	cmd.Stderr = f.t.Output()
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd
}

// await waits until a sweep's only run has a checkpoint, or is done.
func (f *farm) await(id string, reached func(checkpoints int, state store.State) bool) {
	f.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		ok := false
		err := eachState(f.t.Context(), f.kept, id, func(e store.Entry, state store.State) error {
			found, _, err := f.kept.Checkpoints(f.t.Context(), e.Key, f.stamp())
			ok = reached(len(found), state)
			return err
		})
		if err != nil {
			f.t.Fatal(err)
		}
		if ok {
			return
		}
	}
	f.t.Fatal("it did not come to that in a minute\n", f.run("status", id))
}

func (f *farm) stamp() string {
	_, stamp, err := askBuild(buildToile(f.t))
	if err != nil {
		f.t.Fatal(err)
	}
	return stamp
}

// TestCancelAndDeathsOnARealServer cancels a sweep, submits it again, takes a worker away with SIGTERM, kills the next
// one, and lets a third finish.
func TestCancelAndDeathsOnARealServer(t *testing.T) {
	server := engine(t)
	kept, address := openFolder(t)
	f := &farm{t, append(os.Environ(), asProgram+"=1", "TEMPORAL_ADDRESS="+server.Address, "TOILE_FARM_STORE="+address), kept}
	file := writeSweep(t, "40 s", "0.15")
	submit := func() string { return f.run("submit", file, "--toile", buildToile(t), "--heartbeat", "5s") }
	first := f.worker()
	id := submit()
	hasCheckpoint := func(checkpoints int, _ store.State) bool { return checkpoints > 0 }
	f.await(id, hasCheckpoint)
	began := time.Now()
	f.run("cancel", id)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("cancel took %v", took)
	}
	step := newestStep(t, f, id)
	submit()
	f.await(id, func(int, store.State) bool { return newestStep(t, f, id) > step })
	if err := first.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err != nil {
		t.Errorf("a worker that was told to stop ended with %v", err)
	}
	step = newestStep(t, f, id)
	second := f.worker()
	f.await(id, func(int, store.State) bool { return newestStep(t, f, id) > step })
	if err := second.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	f.worker()
	f.await(id, func(_ int, state store.State) bool { return state == store.Done })
	f.await(id, func(checkpoints int, _ store.State) bool { return checkpoints == 0 })
}

// newestStep returns the step of the newest checkpoint of a sweep's only run, or a large number if it is done.
func newestStep(t *testing.T, f *farm, id string) int {
	step := 0
	err := eachState(t.Context(), f.kept, id, func(e store.Entry, state store.State) error {
		found, _, err := f.kept.Checkpoints(context.Background(), e.Key, f.stamp())
		if len(found) > 0 {
			step = found[0].Step
		}
		if state == store.Done {
			step = 1 << 30
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return step
}
