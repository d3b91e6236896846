package run

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

	"github.com/toile-sim/toile/cache"
)

// childEnv names the folder that a child process of the tests is to play testScene into, or contactScene, keyedScene,
// adaptiveScene, bodyScene or yarnScene if childSceneEnv is "contact", "keys", "adaptive", "bodies" or "yarns", and
// checkpointsEnv how often it writes checkpoints.
const (
	childEnv       = "TOILE_RUN_CHILD"
	childSceneEnv  = "TOILE_RUN_SCENE"
	checkpointsEnv = "TOILE_RUN_CHECKPOINTS"
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
	case "bodies":
		job = func(t testing.TB, workers int, _ ...string) Job { return bodyJob(t, workers) }
	case "yarns":
		job = func(t testing.TB, workers int, _ ...string) Job { return yarnJobOf(t, workers) }
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

// killCount is the number of kills asked for: 20, or what TOILE_KILLS says.
func killCount(t *testing.T) int {
	text := os.Getenv("TOILE_KILLS")
	if text == "" {
		return 20
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("TOILE_KILLS=%s is not a number of kills", text)
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
	f, err := cache.Open(dir)
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
	for count := killCount(t); k.all < count; runs++ {
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
