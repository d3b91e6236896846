package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/toile-sim/toile/internal/words"
)

// Track is a number that changes over time, given by keys. It keeps its first value before the first key and its last
// value after the last.
//
// A step from t to t+h takes the value at its end, t+h, for all of its length. What happens at a key at the time T
// therefore acts in the step that contains T, t ≤ T < t+h, and in all later ones: the step that ends at T, to 1e-6 of
// its length, does not feel it yet. A jump in the middle of a step acts in all of that step; steps are not divided at
// keys.
type Track struct {
	Keys    []TrackKey    // by time, ascending; two keys at the same time are a jump
	Between Interpolation // how it goes from key to key
}

// TrackKey is the value of a track at one moment.
type TrackKey struct {
	At    float64 // [s]
	Value float64
}

// Interpolation is a way to go from key to key.
type Interpolation int

const (
	// Linear goes evenly from value to value.
	Linear Interpolation = iota
	// Hold keeps each value until the next key, and then jumps.
	Hold
	// Smooth starts and stops softly at every key.
	Smooth
)

// betweenNames are the words for them in scene files.
var betweenNames = []string{Linear: "linear", Hold: "hold", Smooth: "smooth"}

// String returns the word for the way.
func (b Interpolation) String() string { return words.Name(betweenNames, "Between", int(b)) }

// ParseBetween returns the way of that name: linear, hold or smooth.
func ParseBetween(name string) (Interpolation, error) {
	i := slices.Index(betweenNames, name)
	if i < 0 {
		return 0, fmt.Errorf("%q is not one of %s", name, strings.Join(betweenNames, ", "))
	}
	return Interpolation(i), nil
}

// Constant returns the track that always has the same value.
func Constant(value float64) Track { return Track{Keys: []TrackKey{{Value: value}}} }

// Validate lists everything that is wrong with the track.
func (t *Track) Validate() error {
	var faults []error
	if len(t.Keys) == 0 {
		faults = append(faults, errors.New("track has no keys"))
	}
	if t.Between < Linear || t.Between > Smooth {
		faults = append(faults, fmt.Errorf("track goes from key to key by %v, which does not exist", t.Between))
	}
	for i, k := range t.Keys {
		switch {
		case math.IsNaN(k.At-k.At) || math.IsNaN(k.Value-k.Value):
			faults = append(faults, fmt.Errorf("key %d is not finite", i))
		case i > 0 && !(k.At >= t.Keys[i-1].At):
			faults = append(faults, fmt.Errorf("key %d is at %g s, before the key before it", i, k.At))
		case i > 1 && k.At == t.Keys[i-2].At:
			faults = append(faults, fmt.Errorf("key %d is the third at %g s", i, k.At))
		}
	}
	return errors.Join(faults...)
}

// sameTime is the part of a step by which its end may lie behind a key that it is meant to end at: times of steps are
// sums.
const sameTime = 1e-6

// At returns the value in a step of h seconds that ends at the given time [s]. A step of no length feels what happened
// before that time.
func (t *Track) At(end, h float64) float64 {
	before := end - sameTime*h
	next := sort.Search(len(t.Keys), func(i int) bool { return t.Keys[i].At >= before })
	switch {
	case next == 0:
		return t.Keys[0].Value
	case next == len(t.Keys) || t.Between == Hold:
		return t.Keys[next-1].Value
	}
	a, b := t.Keys[next-1], t.Keys[next]
	s := min((end-a.At)/(b.At-a.At), 1)
	if t.Between == Smooth {
		s = s * s * (3 - 2*s)
	}
	return (1-s)*a.Value + s*b.Value
}
