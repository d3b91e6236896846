package player

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

// keyedScene has what changes over time and must survive a resume: numbers on tracks, pins that let go and take hold
// again, and pins that follow a body that deforms and a ball that moves.
const keyedScene = `toile: 1
name: a sheet on a body
time: {end: 0.2 s, fps: 20, step: 5 ms}
gravity: [0, {keys: [{at: 0, value: 0}, {at: 0.1 s, value: 2}]}, -9.81]
air: {wind: {keys: [{at: 0, value: [0, 0, 0]}, {at: 0.2 s, value: [3, 0, 1]}], between: smooth}}
friction: {keys: [{at: 0, value: 0.5}, {at: 0.1 s, value: 0.1}], between: hold}
contact: {thickness: {keys: [{at: 0, value: 2 mm}, {at: 0.2 s, value: 3 mm}]}}
cloths:
  - name: sheet
    shape: {grid: {size: [0.36, 0.4], cells: [6, 6]}}
    place: {rotate: {axis: [1, 0, 0], angle: 90 deg}, translate: [-0.18, 0.16, 1]}
    material: {preset: cotton, damping: {keys: [{at: 0, value: 0}, {at: 0.2 s, value: 5 ms}]}, stretch: {factor: {keys: [{at: 0, value: 1}, {at: 0.2 s, value: 3}]}}}
    pins:
      - {select: {ids: [42, 43, 44, 46, 47, 48]}, follow: body, until: 0.13 s}
      - {select: {ids: [45]}, follow: body, strength: {force: {keys: [{at: 0, value: 5}, {at: 0.2 s, value: 1}]}, stiffness: 50}, gap: 5 mm, from: 0.06 s}
      - {select: {ids: [0]}, follow: ball, from: 0.05 s}
      - {select: {ids: [6]}, motion: up, from: 0.02 s, until: 0.11 s}
obstacles:
  - {name: body, shape: {mannequin: {motion: fast-dance, vertices: 2000}}}
  - {name: ball, shape: {sphere: {radius: 5 cm}}, place: {translate: [0, 0.4, 1]}, motion: up}
motions:
  up: [{at: 0 s}, {at: 0.2 s, translate: [0, 0, 0.05]}]
`

func keyedJob(t testing.TB, workers int) Job {
	t.Helper()
	return jobOf(t, keyedScene, workers)
}

// A run with tracks and follow-pins comes out the same with any number of workers, after interrupts and, in the long
// form, after kills.
func TestKeysComeOutTheSame(t *testing.T) { comesOutTheSame(t, "keys", keyedJob) }

// comesOutTheSame plays a job, which child processes know by its name, with several numbers of workers, interrupts it
// and kills it. It returns the folder of the run.
func comesOutTheSame(t *testing.T, name string, job func(t testing.TB, workers int) Job) string {
	t.Helper()
	want := t.TempDir()
	if _, err := Play(context.Background(), job(t, 1), DefaultOptions(want)); err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{2, 8} {
		got := t.TempDir()
		if _, err := Play(context.Background(), job(t, workers), DefaultOptions(got)); err != nil {
			t.Fatal(err)
		}
		sameFolder(t, want, got)
	}
	interrupted := t.TempDir()
	for {
		ctx, cancel := context.WithCancel(context.Background())
		opt := DefaultOptions(interrupted)
		left := 11
		opt.EachStep = func(*Step, int) {
			if left--; left == 0 {
				cancel()
			}
		}
		_, err := Play(ctx, job(t, 2), opt)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
	}
	sameFolder(t, want, interrupted)
	if testing.Short() {
		return want
	}
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	for killed := 0; killed < 4; {
		dir := t.TempDir()
		for done := false; !done; {
			c := childCommand(dir, 20*time.Millisecond)
			c.Env = append(c.Env, childSceneEnv+"="+name)
			var err error
			if done, err = killAfter(c, time.Duration(r.Int64N(int64(600*time.Millisecond))), killed < 4); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if !done {
				killed++
			}
		}
		sameFolder(t, want, dir)
	}
	return want
}
