package player

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/export"
	"github.com/toile-sim/toile/internal/runfolder"
)

// childEnv names the folder that a child process of the tests is to play testScene into, or contactScene, keyedScene,
// adaptiveScene, adaptiveBodyScene, bodyScene, yarnScene or dressedScene if childSceneEnv is "contact", "keys",
// "adaptive", "adaptive bodies", "bodies", "yarns" or "dressing", or testScene settled if it is "settling", and
// checkpointsEnv how often it writes checkpoints. A child exports the run that exportEnv names to that folder instead,
// if it names one.
const (
	childEnv       = "TOILE_RUN_CHILD"
	childSceneEnv  = "TOILE_RUN_SCENE"
	checkpointsEnv = "TOILE_RUN_CHECKPOINTS"
	exportEnv      = "TOILE_RUN_EXPORT"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		os.Exit(child(dir))
	}
	code := m.Run()
	if playedIn != "" {
		_ = os.RemoveAll(playedIn)
	}
	os.Exit(code)
}

// child plays its scene into dir and says what came of it in its exit code.
func child(dir string) int {
	if run := os.Getenv(exportEnv); run != "" {
		if err := exportTo(run, dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	}
	every, err := time.ParseDuration(os.Getenv(checkpointsEnv))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	var t childTB
	job := testJob
	switch os.Getenv(childSceneEnv) {
	case "contact":
		job = contactJob
	case "keys":
		job = func(t testing.TB, workers int, _ ...string) Job { return keyedJob(t, workers) }
	case "adaptive":
		job = func(t testing.TB, workers int, _ ...string) Job { return adaptiveJob(t, workers) }
	case "adaptive bodies":
		job = func(t testing.TB, workers int, _ ...string) Job { return jobOf(t, adaptiveBodyScene, workers) }
	case "bodies":
		job = func(t testing.TB, workers int, _ ...string) Job { return bodyJob(t, workers) }
	case "yarns":
		job = func(t testing.TB, workers int, _ ...string) Job { return yarnJobOf(t, workers) }
	case "dressing":
		job = func(t testing.TB, workers int, _ ...string) Job { return jobOf(t, dressedScene, workers) }
	case "settling":
		job = func(t testing.TB, workers int, _ ...string) Job { return testJob(t, workers, settling...) }
	}
	_, err = Play(context.Background(), job(&t, 1), Options{Dir: dir, Every: every})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// childTB lets a child process use helpers of tests.
type childTB struct{ testing.TB }

func (*childTB) Helper() {}

func (*childTB) Fatal(args ...any) {
	fmt.Fprintln(os.Stderr, args...)
	os.Exit(2)
}

func childCommand(dir string, every time.Duration) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childEnv+"="+dir, checkpointsEnv+"="+every.String())
	c.Stderr = os.Stderr
	return c
}

// countOf is how often a test does something: as often as a variable of the environment says, or as is usual.
func countOf(t *testing.T, variable string, usual int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%s is not a number of times", variable, text)
	}
	return n
}

// longestLife is the longest time a process is left alone: less than a whole run takes, so that most
// runs are killed more than once.
const longestLife = 150 * time.Millisecond

// kills tells at what moments processes were killed.
type kills struct {
	all, early, betweenSteps, inFrame, inCheckpoint, aheadOfCheckpoint int
}

func (k *kills) String() string {
	return fmt.Sprintf(
		"%d kills: %d before the first checkpoint, %d while a frame and %d while a checkpoint was written, %d with frames newer than the checkpoint, %d elsewhere",
		k.all,
		k.early,
		k.inFrame,
		k.inCheckpoint,
		k.aheadOfCheckpoint,
		k.betweenSteps,
	)
}

// classify looks at what a killed process left behind.
func (k *kills) classify(t *testing.T, dir string) {
	t.Helper()
	k.all++
	some := func(pattern string) bool {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		return len(found) > 0
	}
	if !some("checkpoints/*.ckpt") {
		k.early++
		return
	}
	switch {
	case some("frames/.*.tmp"):
		k.inFrame++
		return
	case some("checkpoints/.*.tmp"):
		k.inCheckpoint++
		return
	}
	f, err := runfolder.Open(dir)
	if err != nil {
		t.Fatal("a kill damaged the manifest:", err)
	}
	c, skipped, err := f.Newest(nil)
	if err != nil || len(skipped) > 0 {
		t.Fatal("a kill damaged a checkpoint:", skipped, err)
	}
	frames, err := f.Frames()
	if err != nil {
		t.Fatal(err)
	}
	if frames[len(frames)-1] > c.Frame {
		k.aheadOfCheckpoint++
		return
	}
	k.betweenSteps++
}

// A process killed at random moments, as often as it takes, leaves a folder that the next one brings to
// the same end, bit for bit.
func TestKills(t *testing.T) {
	if testing.Short() && os.Getenv("TOILE_KILLS") == "" {
		t.Skip("starts many processes")
	}
	want, _ := reference(t)
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	var k kills
	runs := 0
	for count := (countOf(t, "TOILE_KILLS", 60) + 3) / 4; k.all < count; runs++ {
		dir := t.TempDir()
		// Every other run writes checkpoints all the time, so that kills hit them too.
		every := time.Duration(runs%2) * 50 * time.Millisecond
		for {
			done, err := playAndKill(dir, every, time.Duration(r.Int64N(int64(longestLife))), k.all < count)
			if err != nil {
				t.Fatalf("seed %d, after %v: %v", seed, &k, err)
			}
			if done {
				break
			}
			k.classify(t, dir)
		}
		sameFolder(t, want, dir)
	}
	t.Logf("seed %d: %v; %d runs, all as if never killed", seed, &k, runs)
}

// playAndKill starts a process that plays testScene into dir and kills it after a while. It reports
// whether the process came to its end before.
func playAndKill(dir string, every, after time.Duration, kill bool) (done bool, err error) {
	return killAfter(childCommand(dir, every), after, kill)
}

// killAfter starts a process and, if it is to be killed, does so after a while. It reports whether the process
// came to its end before.
func killAfter(c *exec.Cmd, after time.Duration, kill bool) (done bool, err error) {
	if err := c.Start(); err != nil {
		return false, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	if !kill {
		return true, <-ended
	}
	select {
	case err := <-ended:
		return true, err
	case <-time.After(after):
		_ = c.Process.Kill()
		if err := <-ended; err == nil {
			return true, nil // it was faster
		}
		return false, nil
	}
}

// settling makes testScene find its equilibrium first, which takes longer than moving for so short a time.
var settling = []string{"time.settle=1 um", "time.end=0.1 s"}

// exportTo writes a run to a folder in three formats.
func exportTo(run, dir string) error {
	folder, err := runfolder.Open(run)
	if err != nil {
		return err
	}
	for _, name := range []string{"film.glb", "film.usda", "frame_####.obj"} {
		if _, err := export.Run(context.Background(), folder, filepath.Join(dir, name), export.DefaultOptions()); err != nil {
			return err
		}
	}
	return nil
}

// sameFiles fails unless two folders hold the same files, and nothing that was left half written.
func sameFiles(t testing.TB, want, got string) {
	t.Helper()
	files := func(dir string) map[string]string {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]string{}
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			all[e.Name()] = string(data)
		}
		return all
	}
	a, b := files(want), files(got)
	for name, data := range b {
		if there, ok := a[name]; !ok || there != data {
			t.Errorf("%s is not what it is without kills, or not there then", name)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d files, want %d", len(b), len(a))
	}
}

// A process killed at random moments of what it does before the first frame and after the last leaves what the next one
// makes the same of: a quarter of all kills each while garments are put on, while the world settles, and while a run is
// exported. TestKills has the other quarter.
func TestKillsInOtherPhases(t *testing.T) {
	if testing.Short() && os.Getenv("TOILE_KILLS") == "" {
		t.Skip("starts many processes")
	}
	count := (countOf(t, "TOILE_KILLS", 12) + 3) / 4
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	// start returns a process that works on dir, with one more variable in its environment.
	start := func(dir, env string) *exec.Cmd {
		c := childCommand(dir, 0)
		c.Env = append(c.Env, env)
		return c
	}
	const settle = childSceneEnv + "=settling"
	settled := t.TempDir()
	if _, err := killAfter(start(settled, settle), 0, false); err != nil {
		t.Fatal(err)
	}
	for _, phase := range []struct {
		name, env string
		same      func(t testing.TB, want, got string)
	}{
		{"settling", settle, sameFolder},
		{"exporting", exportEnv + "=" + settled, sameFiles},
		{"dressing", childSceneEnv + "=dressing", sameFolder},
	} {
		t.Run(phase.name, func(t *testing.T) {
			want := t.TempDir()
			began := time.Now()
			if _, err := killAfter(start(want, phase.env), 0, false); err != nil {
				t.Fatal(err)
			}
			life := time.Since(began)
			killed, runs := 0, 0
			for ; killed < count; runs++ {
				dir := t.TempDir()
				// A world that settles starts over, so that no more than a few kills in a row would do anything new.
				for kill, done := 5, false; !done; kill-- {
					var err error
					after := time.Duration(r.Int64N(int64(life)))
					if done, err = killAfter(start(dir, phase.env), after, kill > 0 && killed < count); err != nil {
						t.Fatalf("seed %d, after %d kills: %v", seed, killed, err)
					}
					if !done {
						killed++
					}
				}
				phase.same(t, want, dir)
			}
			t.Logf("seed %d: %d kills while %s; %d runs, all as if never killed", seed, killed, phase.name, runs)
		})
	}
}
