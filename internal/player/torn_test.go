package player

import (
	"context"
	"errors"
	"testing"
)

// tornScene leads a body away from where it is joined to, and back.
const tornScene = `toile: 1
name: torn
time: {end: 0.2 s, fps: 50, step: 10 ms}
rigids:
  - {name: a, shape: {box: {size: [0.1, 0.1, 0.1]}}, place: {translate: [0, 0, 1]}, density: 1000, motion: away}
joints:
  - {name: w, kind: weld, body: a, at: [0, 0, 1]}
motions:
  away: [{at: 0 s}, {at: 0.05 s, translate: [0, 0, 0.02]}, {at: 0.1 s}]
`

// A run says in how many of its steps something joined did not hold, though that was in an earlier session.
func TestTornIsRemembered(t *testing.T) {
	want, err := Play(context.Background(), jobOf(t, tornScene, 1), DefaultOptions(t.TempDir()))
	if err != nil || want.Torn == "" {
		t.Fatalf("it is said to be torn as %q: %v", want.Torn, err)
	}
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	opt := DefaultOptions(dir)
	opt.EachStep = func(s *Step, _ int) {
		if s.Number == 15 {
			cancel()
		}
	}
	if _, err := Play(ctx, jobOf(t, tornScene, 1), opt); !errors.Is(err, ErrInterrupted) {
		t.Fatal(err)
	}
	for _, session := range []string{"resumed", "complete already"} {
		got, err := Play(context.Background(), jobOf(t, tornScene, 1), DefaultOptions(dir))
		if err != nil || got.Torn != want.Torn {
			t.Errorf("%s: torn as %q, and unbroken as %q: %v", session, got.Torn, want.Torn, err)
		}
	}
}
