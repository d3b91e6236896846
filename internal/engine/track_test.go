package engine_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
)

// A track between, at, before and after its keys; a key acts in the step that ends after it.
func TestTrackAt(t *testing.T) {
	keys := []engine.TrackKey{{At: 1, Value: 2}, {At: 3, Value: 6}}
	jump := []engine.TrackKey{{At: 0, Value: 1}, {At: 1, Value: 2}, {At: 1, Value: 5}, {At: 2, Value: 7}}
	for _, c := range []struct {
		track  engine.Track
		end, h float64
		want   float64
	}{
		{engine.Track{Keys: keys}, 0, 0.1, 2},
		{engine.Track{Keys: keys}, 1.5, 0.1, 3},
		{engine.Track{Keys: keys}, 3, 0.1, 6},
		{engine.Track{Keys: keys}, 9, 0.1, 6},
		{engine.Track{Keys: keys, Between: engine.Smooth}, 1.5, 0.1, 2 + 4*0.15625}, // 3 s² - 2 s³ at s = 1/4
		{engine.Track{Keys: keys, Between: engine.Hold}, 2.9, 0.1, 2},
		{engine.Track{Keys: keys, Between: engine.Hold}, 3, 0.1, 2},
		{engine.Track{Keys: keys, Between: engine.Hold}, 3 + 1e-9, 0.1, 2}, // a sum of steps that is meant to be 3
		{engine.Track{Keys: keys, Between: engine.Hold}, 3 + 1e-3, 0.1, 6},
		{engine.Track{Keys: jump}, 0.5, 0.1, 1.5},
		{engine.Track{Keys: jump}, 1 + 1e-9, 0.1, 2},
		{engine.Track{Keys: jump}, 1.5, 0.1, 6},
		{engine.Constant(4), -7, 0.1, 4},
	} {
		if got := c.track.At(c.end, c.h); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v in the step of %g s to %g s: %g, want %g", c.track, c.h, c.end, got, c.want)
		}
	}
}

func TestTrackFaults(t *testing.T) {
	for _, track := range []engine.Track{
		{},
		{Keys: []engine.TrackKey{{At: 1}, {At: 0}}},
		{Keys: []engine.TrackKey{{At: 1}, {At: 1}, {At: 1}}},
		{Keys: []engine.TrackKey{{At: math.NaN()}}},
		{Keys: []engine.TrackKey{{Value: math.Inf(1)}}},
		{Keys: []engine.TrackKey{{}}, Between: 7},
	} {
		if track.Validate() == nil {
			t.Errorf("%v was accepted", track)
		}
	}
	if way, err := engine.ParseBetween("hold"); err != nil || way != engine.Hold || way.String() != "hold" {
		t.Errorf("hold is %v, %v", way, err)
	}
	if _, err := engine.ParseBetween("cubic"); err == nil {
		t.Error("cubic was accepted")
	}
}
