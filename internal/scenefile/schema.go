package scenefile

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// Schema returns the JSON Schema (draft 2020-12) of scene files, for editors that check and complete
// while one writes. It is made from the same tags that reading is guided by, and accepts whatever
// reading accepts; rules that involve several values are left to reading.
func Schema() []byte {
	s := &Scene{}
	s.setDefaults()
	return SchemaOf("Toile scene", s)
}

// SchemaOf returns the JSON Schema of files that Decode reads into what file points to, which has the defaults.
func SchemaOf(title string, file any) []byte {
	b := schemaBuilder{defs: jsonschema.Definitions{}}
	root := b.structure(reflect.ValueOf(file).Elem())
	root.Version = jsonschema.Version
	root.Title = title
	for i := range dimensions {
		b.defs[dimensions[i].name] = quantitySchema(&dimensions[i])
	}
	root.Definitions = b.defs
	data, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic("scene: " + err.Error())
	}
	return append(data, '\n')
}

type schemaBuilder struct {
	defs   jsonschema.Definitions
	number *field // of the Scalar under way
}

// value returns the schema of a field whose default is v.
func (b *schemaBuilder) value(v reflect.Value, f *field) *jsonschema.Schema {
	t := v.Type()
	// values of any kind
	if t == reflect.TypeFor[Value]() {
		return &jsonschema.Schema{}
	}
	// pointers and structs
	switch t.Kind() {
	case reflect.Pointer:
		fresh := reflect.New(t.Elem())
		return b.value(withDefaults(fresh).Elem(), f)
	case reflect.Struct:
		if t == reflect.TypeFor[Scalar]() {
			return b.changing(f)
		}
		if t == reflect.TypeFor[ScalarKey]() {
			return b.structure(v) // in place: its value is that of the number under way
		}
		return b.reference(v)
	// mappings by name
	case reflect.Map:
		item := withDefaults(reflect.New(t.Elem())).Elem()
		return &jsonschema.Schema{Type: "object", AdditionalProperties: b.value(item, &field{})}
	// lists of a fixed length, and of any
	case reflect.Array:
		if t == reflect.TypeFor[Vector]() {
			return b.changingVector(f)
		}
		n := uint64(t.Len())
		return &jsonschema.Schema{
			Type:     "array",
			MinItems: &n,
			MaxItems: &n,
			Items:    b.value(reflect.New(t.Elem()).Elem(), f),
		}
	case reflect.Slice:
		item := withDefaults(reflect.New(t.Elem())).Elem()
		s := &jsonschema.Schema{Type: "array", Items: b.value(item, f)}
		if f.length.set {
			lo, hi := uint64(f.length.lo), uint64(f.length.hi)
			s.MinItems, s.MaxItems = &lo, &hi
		}
		return s
	default:
		return scalarSchema(t.Kind(), f)
	}
}

func withDefaults(v reflect.Value) reflect.Value {
	if d, ok := v.Interface().(defaulter); ok {
		d.setDefaults()
	}
	return v
}

// reference returns a reference to the schema of a struct, which is made at its first use, along with
// the shorter ways to write it.
func (b *schemaBuilder) reference(v reflect.Value) *jsonschema.Schema {
	name := strings.ToLower(v.Type().Name())
	if name == "time" {
		name = "times" // "time" is the quantity
	}
	if name == "force" {
		name = "load" // likewise
	}
	if _, ok := b.defs[name]; !ok {
		b.defs[name] = nil
		full := b.structure(v)
		if short := b.shorthand(v, full); short != nil {
			full = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{full, short}}
		}
		b.defs[name] = full
	}
	return &jsonschema.Schema{Ref: "#/$defs/" + name}
}

// shorthand returns the schema of the shorter way to write a struct, or nil.
func (b *schemaBuilder) shorthand(v reflect.Value, full *jsonschema.Schema) *jsonschema.Schema {
	key := ""
	switch v.Interface().(type) {
	// words instead of a selection
	case Select:
		words := make([]any, len(selectWords))
		for i, w := range selectWords {
			words[i] = w
		}
		return &jsonschema.Schema{Enum: words}
	case YarnSelect:
		words := make([]any, len(yarnWords))
		for i, w := range yarnWords {
			words[i] = w
		}
		return &jsonschema.Schema{Enum: words}
	// one word instead of a mapping
	case Plasticity:
		return &jsonschema.Schema{Enum: []any{noPlasticity}}
	// value of the main key instead of a mapping
	case Settle:
		key = "tolerance"
	case Newton:
		key = "iterations"
	case Linear:
		key = "method"
	case Material, YarnKind:
		key = "preset"
	case Motion:
		key = "keys"
	case Friction:
		key = "default"
	case Hold:
		// words, or a list of freedoms
		words := []any{"all"}
		for _, w := range Freedoms {
			words = append(words, w)
		}
		list, _ := full.Properties.Get("freedoms")
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Enum: words}, list}}
	default:
		return nil
	}
	// same rules as written in full
	short, _ := full.Properties.Get(key)
	return short
}

func (b *schemaBuilder) structure(v reflect.Value) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type:                 "object",
		Properties:           jsonschema.NewProperties(),
		AdditionalProperties: jsonschema.FalseSchema,
	}
	// keys: their rules, and either needed or with a default
	for _, f := range fieldsOf(v.Type()) {
		fv := v.Field(f.index)
		like := &f
		if f.scalar {
			like = b.number
		}
		p := b.value(fv, like)
		p.Description = f.doc
		if f.need {
			s.Required = append(s.Required, f.key)
		} else if s, ok := fv.Interface().(Scalar); ok && s.Value != 0 {
			p.Default = s.Value
		} else if isPlain(fv.Kind()) && !fv.IsZero() {
			p.Default = fv.Interface()
		}
		s.Properties.Set(f.key, p)
	}
	// what goes with what, and what excludes each other
	switch v.Interface().(type) {
	case Select:
		s.OneOf = oneOfKeys("box", "sphere", "group", "ids", "near", "map")
		s.DependentRequired = map[string][]string{"above": {"map"}, "channel": {"map"}}
	case Shape:
		s.OneOf = oneOfKeys(clothShapes...)
	case YarnSelect:
		s.OneOf = oneOfKeys("box", "sphere", "near", "ids")
	case YarnPiece:
		s.OneOf = oneOfKeys(pieceKinds...)
		s.DependentRequired = map[string][]string{"pattern": {"size"}, "ease": {"loop-length"}, "unit": {"file"}, "up": {"file"}}
	case ObstacleShape:
		s.OneOf = oneOfKeys(obstacleShapes...)
	case Sequence:
		s.OneOf = oneOfKeys("files", "cache")
		s.DependentRequired = map[string][]string{"files": {"last", "fps"}, "cache": {"base"}}
	case Pin:
		s.DependentRequired = map[string][]string{"gap": {"follow", "strength"}}
		s.Not = &jsonschema.Schema{Required: []string{"follow", "motion"}}
	case RodShape:
		s.OneOf = oneOfKeys("length", "from")
		s.DependentRequired = map[string][]string{"from": {"to"}, "to": {"from"}, "axis": {"length"}}
	}
	return s
}

// oneOfKeys demands exactly one of the keys.
func oneOfKeys(keys ...string) []*jsonschema.Schema {
	var one []*jsonschema.Schema
	for _, k := range keys {
		one = append(one, &jsonschema.Schema{Required: []string{k}})
	}
	return one
}

// isPlain reports whether a default of this kind is shown.
func isPlain(k reflect.Kind) bool {
	return slices.Contains([]reflect.Kind{reflect.Bool, reflect.Int, reflect.Float64, reflect.String, reflect.Array}, k)
}

func scalarSchema(k reflect.Kind, f *field) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	// type, with words, units and names
	switch k {
	case reflect.Bool:
		s.Type = "boolean"
	case reflect.Int:
		s.Type = "integer"
	case reflect.Float64:
		s.Type = "number"
		if f.dim != nil {
			s = &jsonschema.Schema{Ref: "#/$defs/" + f.dim.name}
		}
	case reflect.String:
		s.Type = "string"
		for _, w := range f.words {
			s.Enum = append(s.Enum, w)
		}
		if f.pattern == "name" {
			s.Pattern = `^[\p{L}\p{Nd}_-]+$`
		}
		return s
	}
	if f.bounds.set && k != reflect.Bool {
		// A quantity with a unit is a string, to which bounds do not apply.
		lo, hi := bound(f.bounds.lo), bound(f.bounds.hi)
		if f.bounds.openLo {
			s.ExclusiveMinimum = lo
		} else {
			s.Minimum = lo
		}
		if f.bounds.openHi {
			s.ExclusiveMaximum = hi
		} else {
			s.Maximum = hi
		}
	}
	return s
}

func bound(v float64) json.Number {
	if math.IsInf(v, 0) {
		return ""
	}
	data, err := json.Marshal(v)
	if err != nil {
		panic("scene: " + err.Error())
	}
	return json.Number(data)
}

// quantitySchema accepts a number in SI, or a string of a number and a unit.
func quantitySchema(d *dimension) *jsonschema.Schema {
	var names []string
	for _, u := range d.units {
		names = append(names, strings.ReplaceAll(regexp.QuoteMeta(u.name), " ", `[ *·]?`))
	}
	slices.Sort(names)
	number := strings.ReplaceAll(strings.TrimPrefix(numberSyntax.String(), "^"), "?:", "")
	return &jsonschema.Schema{
		AnyOf: []*jsonschema.Schema{
			{Type: "number"},
			{Type: "string", Pattern: "^" + number + " *(" + strings.Join(names, "|") + ")?$"},
		},
		Description: "a " + strings.ReplaceAll(
			d.name,
			"-",
			" ",
		) + " in " + d.si() + ", or with a unit: " + orList(
			d.names(),
		),
	}
}
