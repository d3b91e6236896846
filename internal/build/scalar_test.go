package build

import (
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/samples"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

// What changes over time reaches the world, and what is resolved means the same.
func TestKeysReachTheWorld(t *testing.T) {
	s := parsed(t, samples.Keyed)
	again := parsed(t, string(s.Resolved()))
	if string(again.Resolved()) != string(s.Resolved()) {
		t.Errorf("resolved twice:\n%s\n%s", s.Resolved(), again.Resolved())
	}
	var hashes []engine.Hash
	for _, s := range []*scenefile.Scene{s, again} {
		b, err := World(s)
		if err != nil {
			t.Fatal(err)
		}
		w := b.World
		cloth, ball := w.ClothSurface(0), w.ObstacleSurface(0)
		if w.Friction(cloth, cloth) != 0.5 || w.Friction(cloth, ball) != 0 || w.Options().Gravity != (r3.Vec{}) ||
			w.Options().Air.Wind.X != 1 {
			t.Errorf("starts with %+v", w.Options())
		}
		if len(b.Cloths[0].Pins) != 4 || b.Cloths[0].Pins[0].Name != "square.pins.0" ||
			b.Cloths[0].Pins[2].Name != "late" ||
			b.Cloths[0].Pins[3].Vertices[0] != 24 {
			t.Fatalf("pins %+v", b.Cloths[0].Pins)
		}
		start := append([]r3.Vec(nil), w.Positions(0)...)
		for range 20 {
			if _, err := w.Step(1e-3); err != nil {
				t.Fatal(err)
			}
		}
		if mu := w.Friction(cloth, ball); math.Abs(mu-1) > 1e-12 || w.Friction(cloth, cloth) != 0.1 {
			t.Errorf("friction %g with the ball, %g with itself", mu, w.Friction(cloth, cloth))
		}
		if g := w.Options().Gravity; g != r3.V(1, 0, -9.81) {
			t.Errorf("gravity %v", g)
		}
		if rose := w.Positions(0)[0].Sub(start[0]); rose.Sub(r3.V(0, 0, 0.01)).Norm() > 1e-12 {
			t.Errorf("the pin that follows the ball went %v", rose)
		}
		if w.Positions(0)[12].Z < 1+1e-3 {
			t.Errorf("the force lifted the middle to %g m only", w.Positions(0)[12].Z)
		}
		if w.Positions(0)[4] == start[4] || w.Positions(0)[20] == start[20] {
			t.Error("a pin did not let go")
		}
		hashes = append(hashes, w.Snapshot().Hash())
	}
	if hashes[0] != hashes[1] {
		t.Error("the resolved scene runs differently")
	}
}

// Overrides reach into keys and replace them.
func TestSetKeys(t *testing.T) {
	for _, c := range []struct {
		set string
		ok  func(*scenefile.Scene) bool
	}{
		{"friction.default=0.2", func(s *scenefile.Scene) bool { return !s.Friction.Default.Changes() && s.Friction.Default.Value == 0.2 }},
		{"friction.default.keys.1.at=7 ms", func(s *scenefile.Scene) bool { return s.Friction.Default.Keys[1].At == 7e-3 }},
		{"friction.default.between=smooth", func(s *scenefile.Scene) bool { return s.Friction.Default.Track().Between == engine.Smooth }},
		{"gravity=[0, 0, {keys: [{at: 0, value: 1}]}]", func(s *scenefile.Scene) bool { return s.Gravity[2].Changes() && !s.Gravity[0].Changes() }},
		{"gravity={keys: [{at: 0, value: [1, 2, 3]}]}", func(s *scenefile.Scene) bool { return s.Gravity.Start() == r3.V(1, 2, 3) }},
		{"gravity.keys.1.at=3 ms", func(s *scenefile.Scene) bool {
			return s.Gravity[0].Keys[1].At == 3e-3 && s.Gravity[2].Keys[1].At == 3e-3
		}},
		{"gravity.keys.1.value=[0, 0, 5]", func(s *scenefile.Scene) bool {
			return s.Gravity[0].Keys[1].Value == 0 && s.Gravity[2].Keys[1].Value == 5
		}},
		{"gravity.between=hold", func(s *scenefile.Scene) bool { return s.Gravity[1].Between == "hold" }},
		{"friction={keys: [{at: 0, value: 1}]}", func(s *scenefile.Scene) bool { return s.Friction.Default.Keys[0].Value == 1 && s.Friction.Pairs == nil }},
		{"cloths.square.pins.1.until=3 ms", func(s *scenefile.Scene) bool { return *s.Cloths[0].Pins[1].Until == 3e-3 }},
		{"cloths.square.material.bend.factor={keys: [{at: 0, value: 1}]}", func(s *scenefile.Scene) bool { return s.Cloths[0].Material.Bend.Factor.Changes() }},
	} {
		if s := parsed(t, samples.Keyed, c.set); !c.ok(s) {
			t.Errorf("%s did nothing", c.set)
		}
	}
}

// A clamp cannot ride on what deforms.
func TestClampOnDeformingObstacle(t *testing.T) {
	path := sequenceFolder(t, "{files: body.###.obj, first: 5, last: 7, fps: 10}")
	s, err := scenefile.Load(path, []string{"cloths.square.pins=[{select: boundary, clamp: [0, 0, 1], follow: body}]"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = World(s); err == nil || !strings.Contains(err.Error(), "deforms") {
		t.Errorf("got %v", err)
	}
}
