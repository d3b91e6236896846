//go:build unix

package main

import (
	"bufio"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/cli/sewn"
)

var interrupts = flag.Int("interrupts", 1, "how often each scene of TestInterruptsAreObeyed is interrupted")

// slowScenes are scenes that are slow before the first frame, while they settle, and within a step.
var slowScenes = map[string]string{
	"dressing": `toile: 1
time: {end: 1 s, fps: 25, step: 4 ms}
cloths:
  - {name: skirt, shape: {garment: {kind: skirt, on: body, size: 30 mm}}}
obstacles:
  - {name: body, shape: {mannequin: {motion: walk}}}
`,
	"settling": `toile: 1
time: {end: 1 s, fps: 25, step: 4 ms, settle: 1e-12 m}
cloths:
  - name: sheet
    shape: {grid: {size: [1 m, 1 m], cells: [60, 60]}}
    place: {translate: [-0.5 m, -0.5 m, 0.3 m]}
obstacles:
  - {name: ball, shape: {sphere: {radius: 0.25 m}}}
`,
	"falling into folds": `toile: 1
time: {end: 4 s, fps: 25, step: 8 ms}
friction: 0.4
cloths:
  - name: sheet
    shape: {grid: {size: [1 m, 1 m], cells: [60, 60]}}
    place: {rotate: {axis: [1, 0, 0], angle: 90 deg}, translate: [-0.5 m, 0 m, 0.002 m]}
obstacles:
  - {name: floor, shape: {plane: {normal: [0, 0, 1]}}}
`,
}

// TestInterruptsAreObeyed: Ctrl-C ends a run within two seconds, whatever it is doing, and the next one goes on.
func TestInterruptsAreObeyed(t *testing.T) {
	const within = 2 * time.Second
	rng := rand.New(rand.NewPCG(1, 7))
	for name, text := range slowScenes {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "scene.yaml")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			longest := time.Duration(0)
			for range *interrupts {
				cmd := exec.Command("toile", "run", path, "--sewn", sewn.None)
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				lines := bufio.NewReader(out)
				if _, err := lines.ReadString('\n'); err != nil { // which is when there is something to interrupt
					t.Fatal(err)
				}
				go func() { _, _ = io.Copy(io.Discard, lines) }()
				time.Sleep(time.Duration(rng.Int64N(int64(4 * time.Second))))
				begin := time.Now()
				if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
					t.Fatal(err)
				}
				_ = cmd.Wait() // its exit code tells
				longest = max(longest, time.Since(begin))
				if code := cmd.ProcessState.ExitCode(); code != 130 {
					t.Fatalf("exit code %d", code)
				}
			}
			t.Logf("at most %v until it was back, of %d times", longest.Round(time.Millisecond), *interrupts)
			if longest > within {
				t.Errorf("%v until it was back", longest)
			}
		})
	}
}
