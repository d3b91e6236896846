package scenefile

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/invopop/jsonschema"

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

func number(v float64) Scalar { return Scalar{Value: v} }

func vectorOf(v r3.Vec) Vector { return Vector{number(v.X), number(v.Y), number(v.Z)} }

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

// changes tells whether a component has keys.
func (v *Vector) changes() bool {
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

func (s *Scalar) setDefaults() { s.Between = engine.Linear.String() }

func (s *Scalar) check(d *decoder) {
	for i := 1; i < len(s.Keys); i++ {
		switch a, b := s.Keys[i-1].At, s.Keys[i].At; {
		case b < a:
			d.faults.add(s.Keys[i].key("at"), "at must not be before the key before it: %g s is before %g s", b, a)
		case i > 1 && b == s.Keys[i-2].At:
			d.faults.add(s.Keys[i].key("at"), "at is the third key at %g s; two of them make a jump", b)
		}
	}
}

// changing decodes a number, or a mapping with keys whose values are such numbers.
func (d *decoder) changing(n *node, s *Scalar, f *field, what string) {
	if n.kind != mappingNode {
		if n.kind == listNode {
			d.faults.add(
				n.at,
				"%s must be a number, or {keys: [{at: 0 s, value: 1}, {at: 1 s, value: 2}]}, not a list",
				what,
			)
			return
		}
		*s = Scalar{}
		d.scalar(n, valueOf(&s.Value), f, what)
		return
	}
	switch {
	case n.get("map") != nil:
		d.painted(n, s, f, what)
		return
	case f.still:
		d.faults.add(
			n.at,
			"%s must be a number, or a map such as {map: paint.png, from: 1, to: 2}; it does not change over time",
			what,
		)
		return
	}
	outer := d.number
	d.number = f
	d.mapping(n, valueOf(s), what)
	d.number = outer
	if len(s.Keys) > 0 {
		s.Value = 0
	}
}

// byComponent turns a mapping whose keys have vectors as values into one mapping for each component. What is not such a
// mapping, or is faulty, is left as it is.
func byComponent(n *node, size int) *node {
	keys := n.get("keys")
	if n.kind != mappingNode || keys == nil || keys.kind != listNode {
		return n
	}
	list := &node{kind: listNode, at: n.at}
	for axis := range size {
		moments := &node{kind: listNode, at: keys.at}
		for _, k := range keys.items {
			v := k.get("value")
			if k.kind != mappingNode || v == nil || v.kind != listNode || len(v.items) != size {
				return n
			}
			moments.items = append(moments.items, k.with("value", v.items[axis]))
		}
		list.items = append(list.items, n.with("keys", moments))
	}
	return list
}

// with returns a copy of a mapping with another value of a key that it has.
func (n *node) with(key string, value *node) *node {
	out := *n
	out.pairs = slices.Clone(n.pairs)
	for i := range out.pairs {
		if out.pairs[i].key == key {
			out.pairs[i].value = value
		}
	}
	return &out
}

// changing returns the schema of a number that may change over time.
func (b *schemaBuilder) changing(f *field) *jsonschema.Schema {
	ways := []*jsonschema.Schema{scalarSchema(reflect.Float64, f)}
	if !f.still {
		ways = append(ways, b.keys(f))
	}
	if f.maps {
		ways = append(ways, b.painted(f))
	}
	return &jsonschema.Schema{AnyOf: ways}
}

// keys returns the schema of the keys of a number.
func (b *schemaBuilder) keys(f *field) *jsonschema.Schema {
	s := &Scalar{}
	s.setDefaults()
	outer := b.number
	b.number = f
	full := b.structure(valueOf(s))
	b.number = outer
	return full
}

// changingVector returns the schema of a vector that may change over time, as a whole or by component.
func (b *schemaBuilder) changingVector(f *field) *jsonschema.Schema {
	three := uint64(len(Vector{}))
	list := func(item *jsonschema.Schema) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "array", MinItems: &three, MaxItems: &three, Items: item}
	}
	whole := b.keys(f)
	keys, _ := whole.Properties.Get("keys")
	keys.Items.Properties.Set("value", list(scalarSchema(reflect.Float64, f)))
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{list(b.changing(f)), whole}}
}
