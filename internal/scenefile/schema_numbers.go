package scenefile

import (
	"reflect"

	"github.com/invopop/jsonschema"
)

// painted returns the schema of a number that may be a map.
func (b *schemaBuilder) painted(f *field) *jsonschema.Schema {
	outer := b.number
	b.number = f
	defer func() { b.number = outer }()
	return b.structure(valueOf(&Painted{}))
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
