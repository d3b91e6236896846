package knits

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// small returns a small form of a scene as it begins.
func small(t *testing.T, s Scene) *World {
	t.Helper()
	w, err := s.Build(yarn.Options{Material: yarn.Kaldor(), Gravity: r3.V(0, 0, -9.81)}, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func noCPU() time.Duration { return 0 }

// A state that was reached with an interruption on the way is the same as without, and is not made twice.
func TestReachGoesOn(t *testing.T) {
	scenes := Scenes()
	t.Run("falling", func(t *testing.T) { testReachGoesOn(t, scenes[0]) })
	t.Run("settling", func(t *testing.T) { testReachGoesOn(t, scenes[3]) })
}

func testReachGoesOn(t *testing.T, scene Scene) {
	const end = 7.5e-3
	straight := small(t, scene)
	want, err := (&Store{Dir: t.TempDir(), CPU: noCPU}).Reach(t.Context(), straight, end)
	if err != nil {
		t.Fatal(err)
	}
	store := &Store{Dir: t.TempDir(), CPU: noCPU}
	ctx, cancel := context.WithCancel(t.Context())
	store.Tell = func(*State) { cancel() }
	first := small(t, scene)
	folder := store.Folder(first)
	if _, err := store.Reach(ctx, first, end); err == nil {
		t.Fatal("it was interrupted and did not say so")
	}
	if _, err := os.Stat(filepath.Join(folder, makingFile)); err != nil {
		t.Fatal("nothing to go on from:", err)
	}
	pieces := 0
	store.Tell = func(*State) { pieces++ }
	got, err := store.Reach(t.Context(), small(t, scene), end)
	if err != nil {
		t.Fatal(err)
	}
	if yarn.HashOf(got.Snapshot) != yarn.HashOf(want.Snapshot) || got.Steps != want.Steps || pieces != 2 {
		t.Errorf("%d steps where %d are right, %d pieces after the interruption, or another state", got.Steps, want.Steps, pieces)
	}
	again := small(t, scene)
	if _, err := store.Reach(t.Context(), again, end); err != nil || pieces != 2 || again.Time() != straight.Time() {
		t.Errorf("made again: %d pieces, t = %g s, %v", pieces, again.Time(), err)
	}
}

// States of scenes that begin differently have folders of their own.
func TestFoldersDiffer(t *testing.T) {
	store := &Store{Dir: t.TempDir()}
	a, b := small(t, Scenes()[0]), small(t, Scenes()[0])
	b.Obstacles[0].Friction += 0.1
	if store.Folder(a) != store.Folder(small(t, Scenes()[0])) {
		t.Error("the same scene has two folders")
	}
	if store.Folder(a) == store.Folder(b) {
		t.Error("one folder for two floors")
	}
}

// Yarns that are let down slowly fall at the speed of settling at most, and freely afterwards.
func TestSettling(t *testing.T) {
	s := Scenes()[0]
	s.Settle = 0.025
	w := small(t, s)
	speedAt := func(end float64) float64 {
		for w.Time() < end-1e-9 {
			if err := w.Piece(nil); err != nil {
				t.Fatal(err)
			}
		}
		return w.speed()
	}
	// After n pieces: settling (1 - q^n) with q = settling/(settling + gained) left of what was gained.
	const gained = 9.81 / piecesPerSecond
	const share = settling / (settling + gained)
	slow, free := speedAt(0.025), 0.0
	for range 10 {
		free = (free + gained) * share
	}
	if math.Abs(slow-free) > 0.1*free {
		t.Errorf("%g m/s after 25 ms, %g if all fell freely", slow, free)
	}
	if got, want := speedAt(0.035)-slow, 9.81*0.01; math.Abs(got-want) > 0.1*want {
		t.Errorf("%g m/s gained in the 10 ms after it was let go, %g if all fell freely", got, want)
	}
}
