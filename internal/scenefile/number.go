package scenefile

import (
	"encoding/json"
	"slices"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
)

// Scalar is a number of the file, or one that changes over time: a mapping with keys, or one that differs from place to
// place: a map. The tags of a field of this type are those of the number.
type Scalar struct {
	Value   float64     `json:"-"` // without keys
	Keys    []ScalarKey `json:"keys" need:"yes" len:"[1,100000]" doc:"its values and when; kept before the first key and after the last"`
	Between string      `json:"between" one:"linear hold smooth" doc:"how it goes from key to key: evenly, by jumps at the keys, or starting and stopping softly"`

	Over *Painted `json:"-"` // what it is from place to place; nil: the same everywhere

	placed
}

// ScalarKey is the value of a scalar at one moment.
type ScalarKey struct {
	At    float64 `json:"at" need:"yes" dim:"time" range:"[-1e6,1e6]" doc:"when"`
	Value float64 `json:"value" need:"yes" of:"scalar" doc:"its value then"`

	placed
}

// Vector is a vector of which each component may change over time.
type Vector [3]Scalar

func Number(v float64) Scalar { return Scalar{Value: v} }

func vectorOf(v r3.Vec) Vector { return Vector{Number(v.X), Number(v.Y), Number(v.Z)} }

// Start returns the value before all keys; of a map, the mean of its ends.
func (s *Scalar) Start() float64 {
	if s.Over != nil {
		return (s.Over.From + s.Over.To) / 2
	}
	if len(s.Keys) > 0 {
		return s.Keys[0].Value
	}
	return s.Value
}

// Changes tells whether the scalar has keys.
func (s *Scalar) Changes() bool { return len(s.Keys) > 0 }

// Track returns the scalar as a track of a world.
func (s *Scalar) Track() engine.Track {
	if !s.Changes() {
		return engine.Constant(s.Value)
	}
	var t engine.Track
	t.Between, _ = engine.ParseBetween(s.Between) // checked when it was read
	for _, k := range s.Keys {
		t.Keys = append(t.Keys, engine.TrackKey{At: k.At, Value: k.Value})
	}
	return t
}

// Start returns the vector before all keys.
func (v *Vector) Start() r3.Vec { return r3.V(v[0].Start(), v[1].Start(), v[2].Start()) }

// Changes tells whether a component has keys.
func (v *Vector) Changes() bool {
	return slices.ContainsFunc(v[:], func(s Scalar) bool { return s.Changes() })
}

// IsZero tells whether the vector is always zero.
func (v *Vector) IsZero() bool {
	return !slices.ContainsFunc(v[:], func(s Scalar) bool { return s.Changes() || s.Value != 0 })
}

// MarshalJSON writes a scalar the way a scene file does.
func (s Scalar) MarshalJSON() ([]byte, error) {
	if s.Over != nil {
		return json.Marshal(s.Over)
	}
	if !s.Changes() {
		return json.Marshal(s.Value)
	}
	type mapping Scalar
	return json.Marshal(mapping(s))
}

// Painted is a number that differs from place to place of a cloth: from where a map is 0 to where it is 1. The tags of
// the number are those of the field it is the value of.
type Painted struct {
	Map     string  `json:"map" need:"yes" doc:"an image (.png, .jpg) over the UVs of the cloth, or an attribute of the vertices of its file"`
	From    float64 `json:"from" need:"yes" of:"scalar" doc:"its value where the map is 0 (black)"`
	To      float64 `json:"to" need:"yes" of:"scalar" doc:"its value where the map is 1 (white)"`
	Channel string  `json:"channel,omitempty" one:"luminance red green blue alpha" doc:"which part of a colour is taken; luminance by default"`

	placed
	source mapSource
}

// mapSource is where the values of a map come from.
type mapSource struct {
	name, part string   // part is the channel
	image      *picture // nil for an attribute
}

func sourceOf(name, channel string) mapSource {
	if channel == "" {
		channel = "luminance"
	}
	return mapSource{name: name, part: channel}
}

// between returns the numbers that values of a map stand for.
func (p *Painted) between(values []float64) []float64 {
	for i, v := range values {
		values[i] = (1-v)*p.From + v*p.To
	}
	return values
}

// Plain tells whether the number is given and no map.
func (s *Scalar) Plain() bool { return s != nil && s.Over == nil }

// Mapped tells whether the number is a map.
func (s *Scalar) Mapped() bool { return s != nil && s.Over != nil }
