package toile_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile"
)

// A track between, at, before and after its keys; a key acts in the step that ends after it.
func TestTrackAt(t *testing.T) {
	keys := []toile.TrackKey{{At: 1, Value: 2}, {At: 3, Value: 6}}
	jump := []toile.TrackKey{{At: 0, Value: 1}, {At: 1, Value: 2}, {At: 1, Value: 5}, {At: 2, Value: 7}}
	for _, c := range []struct {
		track  toile.Track
		end, h float64
		want   float64
	}{
		{toile.Track{Keys: keys}, 0, 0.1, 2},
		{toile.Track{Keys: keys}, 1.5, 0.1, 3},
		{toile.Track{Keys: keys}, 3, 0.1, 6},
		{toile.Track{Keys: keys}, 9, 0.1, 6},
		{toile.Track{Keys: keys, Between: toile.Smooth}, 1.5, 0.1, 2 + 4*0.15625}, // 3 s² - 2 s³ at s = 1/4
		{toile.Track{Keys: keys, Between: toile.Hold}, 2.9, 0.1, 2},
		{toile.Track{Keys: keys, Between: toile.Hold}, 3, 0.1, 2},
		{toile.Track{Keys: keys, Between: toile.Hold}, 3 + 1e-9, 0.1, 2}, // a sum of steps that is meant to be 3
		{toile.Track{Keys: keys, Between: toile.Hold}, 3 + 1e-3, 0.1, 6},
		{toile.Track{Keys: jump}, 0.5, 0.1, 1.5},
		{toile.Track{Keys: jump}, 1 + 1e-9, 0.1, 2},
		{toile.Track{Keys: jump}, 1.5, 0.1, 6},
		{toile.Constant(4), -7, 0.1, 4},
	} {
		if got := c.track.At(c.end, c.h); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v in the step of %g s to %g s: %g, want %g", c.track, c.h, c.end, got, c.want)
		}
	}
}

func TestTrackFaults(t *testing.T) {
	for _, track := range []toile.Track{
		{},
		{Keys: []toile.TrackKey{{At: 1}, {At: 0}}},
		{Keys: []toile.TrackKey{{At: 1}, {At: 1}, {At: 1}}},
		{Keys: []toile.TrackKey{{At: math.NaN()}}},
		{Keys: []toile.TrackKey{{Value: math.Inf(1)}}},
		{Keys: []toile.TrackKey{{}}, Between: 7},
	} {
		if track.Validate() == nil {
			t.Errorf("%v was accepted", track)
		}
	}
	if way, err := toile.ParseBetween("hold"); err != nil || way != toile.Hold || way.String() != "hold" {
		t.Errorf("hold is %v, %v", way, err)
	}
	if _, err := toile.ParseBetween("cubic"); err == nil {
		t.Error("cubic was accepted")
	}
}
