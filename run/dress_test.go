package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/scene"
)

// dressedScene sews a skirt of few vertices around a body before its first frame.
const dressedScene = `toile: 1
name: a skirt
time: {end: 0.1 s, fps: 20, step: 5 ms}
dressing: {close: 0.3 s, step: 10 ms}
cloths:
  - name: skirt
    shape: {garment: {kind: skirt, on: body, size: 80 mm}}
    pins: [{select: {group: front.waist}, follow: body}]
obstacles:
  - {name: body, shape: {mannequin: {motion: stand, vertices: 2000, lead: 0.1 s}}}
`

// A dressed run comes out the same with any number of workers and after an interrupt. It sews once: what that led to is
// kept, and made again if it is damaged.
func TestDressedRunComesOutTheSame(t *testing.T) {
	want := t.TempDir()
	sewing := 0
	play := func(dir string, workers, steps int) (Summary, error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		opt := DefaultOptions(dir)
		sewing = 0
		opt.Dressing = func(scene.Dressing) { sewing++ }
		opt.EachStep = func(*Step, int) {
			if steps--; steps == 0 {
				cancel()
			}
		}
		return Play(ctx, jobOf(t, dressedScene, workers), opt)
	}
	sum, err := play(want, 1, -1)
	if err != nil {
		t.Fatal(err)
	}
	if sewing == 0 || !sum.Complete {
		t.Fatalf("%d steps of dressing, %+v", sewing, sum)
	}

	got := t.TempDir()
	if _, err := play(got, 2, 7); !errors.Is(err, ErrInterrupted) {
		t.Fatalf("not interrupted: %v", err)
	}
	if _, err := play(got, 2, -1); err != nil {
		t.Fatal(err)
	}
	if sewing != 0 {
		t.Errorf("%d steps of dressing in a run that goes on", sewing)
	}
	sameFolder(t, want, got)

	if testing.Short() {
		return
	}
	again := t.TempDir()
	if _, err := play(again, 8, 5); !errors.Is(err, ErrInterrupted) {
		t.Fatalf("not interrupted: %v", err)
	}
	path := filepath.Join(again, cache.DressedName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	sum, err = play(again, 1, -1)
	if err != nil {
		t.Fatal(err)
	}
	if sewing == 0 ||
		!slices.ContainsFunc(sum.Notes, func(n string) bool { return strings.Contains(n, cache.DressedName) }) {
		t.Errorf("%d steps of dressing after damage, notes %q", sewing, sum.Notes)
	}
	sameFolder(t, want, again)
}
