package scenefile

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// decoder turns a tree of nodes into the types of a scene, guided by their tags, and collects
// everything that is wrong on the way.
type decoder struct {
	faults *faultList
	number *field // of the Scalar that is being read
}

// defaulter is a type whose zero value is not its default.
type defaulter interface{ setDefaults() }

// shorthander is a type that can be written shorter than as a mapping. expand returns the mapping
// that n stands for, or n itself; a fault is returned as a message.
type shorthander interface {
	expand(n *node) (*node, string)
}

// checker is a type with rules beyond those of its fields. check is called when all fields are
// right by themselves.
type checker interface{ check(d *decoder) }

// field is what the tags of a struct field say.
type field struct {
	index   int
	key     string
	need    bool
	dim     *dimension
	bounds  interval
	length  interval
	words   []string
	pattern string
	scalar  bool // it is a value of a Scalar, and like it
	maps    bool // it may be a map
	still   bool // it does not change over time
	doc     string
}

// knownFields are the results of fieldsOf by type: reading tags was a quarter of reading a scene.
var knownFields sync.Map

// fieldsOf returns the fields of a struct type that are keys of the file. They are not to be changed.
func fieldsOf(t reflect.Type) []field {
	// tags are read once for each type
	if known, ok := knownFields.Load(t); ok {
		return known.([]field)
	}
	var fields []field
	// exported fields with a key in the file
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || key == "" || key == "-" {
			continue
		}
		fields = append(fields, field{
			index: i, key: key,
			need:    f.Tag.Get("need") != "",
			dim:     dimensionNamed(f.Tag.Get("dim")),
			bounds:  parseInterval(f.Tag.Get("range")),
			length:  parseInterval(f.Tag.Get("len")),
			words:   strings.Fields(f.Tag.Get("one")),
			pattern: f.Tag.Get("pattern"),
			scalar:  f.Tag.Get("of") == "scalar",
			maps:    strings.Contains(f.Tag.Get("varies"), "place"),
			still:   f.Tag.Get("varies") == "place",
			doc:     f.Tag.Get("doc"),
		})
	}
	// kept for next time
	knownFields.Store(t, fields)
	return fields
}

func keysOf(fields []field) []string {
	keys := make([]string, len(fields))
	for i, f := range fields {
		keys[i] = f.key
	}
	return keys
}

func valueOf(p any) reflect.Value { return reflect.ValueOf(p).Elem() }

// interval is a range of numbers, written like (0,1].
type interval struct {
	lo, hi         float64
	openLo, openHi bool
	set            bool
}

func parseInterval(s string) interval {
	if s == "" {
		return interval{lo: math.Inf(-1), hi: math.Inf(1)}
	}
	lo, hi, _ := strings.Cut(s[1:len(s)-1], ",")
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			panic("scene: bad range tag " + s)
		}
		return v
	}
	return interval{number(lo), number(hi), s[0] == '(', s[len(s)-1] == ')', true}
}

// fault says what is wrong with v, or "".
func (r interval) fault(v float64, unit string) string {
	if unit != "" {
		unit = " " + unit
	}
	lo := v < r.lo || r.openLo && v == r.lo
	hi := v > r.hi || r.openHi && v == r.hi
	switch {
	case lo && r.openLo:
		return fmt.Sprintf("must be above %g%s, not %g", r.lo, unit, v)
	case lo:
		return fmt.Sprintf("must be at least %g%s, not %g", r.lo, unit, v)
	case hi && r.openHi:
		return fmt.Sprintf("must be below %g%s, not %g", r.hi, unit, v)
	case hi:
		return fmt.Sprintf("must be at most %g%s, not %g", r.hi, unit, v)
	}
	return ""
}

// value decodes n into v. what names the value in messages.
func (d *decoder) value(n *node, v reflect.Value, f *field, what string) {
	// values that are not understood before they take their place in a scene
	if raw, ok := v.Addr().Interface().(*Value); ok && n.kind != nullNode {
		raw.n = n
		return
	}
	// keys without a value
	if n.kind == nullNode {
		d.faults.add(n.at, "%s has no value; write one or leave the key out", what)
		return
	}
	// each kind of type in its own way
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		d.value(n, p.Elem(), f, what)
		v.Set(p)
	case reflect.Struct:
		if s, ok := v.Addr().Interface().(*Scalar); ok {
			d.changing(n, s, f, what)
			return
		}
		d.mapping(n, v, what)
	case reflect.Map:
		d.named(n, v, what)
	case reflect.Array:
		d.array(n, v, f, what)
	case reflect.Slice:
		d.list(n, v, f, what)
	default:
		d.scalar(n, v, f, what)
	}
}

// mapping decodes the keys of a struct.
func (d *decoder) mapping(n *node, v reflect.Value, what string) {
	// defaults, which the file overwrites
	before := len(d.faults.list)
	if def, ok := v.Addr().Interface().(defaulter); ok {
		def.setDefaults()
	}
	// shorter ways to write it
	if short, ok := v.Addr().Interface().(shorthander); ok {
		var msg string
		if n, msg = short.expand(n); msg != "" {
			d.faults.add(n.at, "%s %s", what, msg)
			return
		}
	}
	fields := fieldsOf(v.Type())
	if n.kind != mappingNode {
		d.faults.add(n.at, "%s must be a mapping with keys such as %s, not %s", what, fields[0].key, n.kind)
		return
	}
	// keys of the file, known or not, and where each stands
	at := placed{at: n.at, keys: make(map[string]place, len(n.pairs))}
	for _, p := range n.pairs {
		i := slices.IndexFunc(fields, func(f field) bool { return f.key == p.key })
		if i < 0 {
			d.unknown(p, what, keysOf(fields))
			continue
		}
		at.keys[p.key] = p.value.at
		f := &fields[i]
		if f.scalar {
			f = d.number
		}
		d.value(p.value, v.Field(fields[i].index), f, p.key)
	}
	// keys that may not be left out
	for _, f := range fields {
		if f.need && n.get(f.key) == nil {
			d.faults.add(n.at, "%s needs the key %q: %s", what, f.key, f.doc)
		}
	}
	// rules beyond those of single fields, if these are sound
	if p, ok := v.Addr().Interface().(placer); ok {
		p.setPlace(at)
	}
	if c, ok := v.Addr().Interface().(checker); ok && len(d.faults.list) == before {
		c.check(d)
	}
}

// planned are keys that the format will have, so that writing one today is no mystery.
var planned = []string{
	"seams", "layers", "solids", "rigids",
}

// misplaced are keys that people look for in the wrong place.
var misplaced = map[string]string{
	"about":        "it belongs to the whole motion: {about: [x, y, z], keys: [...]}",
	"fps":          "it belongs to time",
	"wind":         "it belongs to air",
	"end":          "it belongs to time",
	"step":         "it belongs to time",
	"dt":           "the time step is the key step of time",
	"mass":         "the mass of a cloth comes from its material's density; an obstacle has one only as a press",
	"position":     "it is moved by place: {translate: [x, y, z]}",
	"translate":    "it is moved by place: {translate: [x, y, z]}",
	"center":       "it is moved by place: {translate: [x, y, z]}",
	"rotate":       "it is turned by place: {rotate: {axis: [x, y, z], angle: 90 deg}}",
	"half":         "give the whole of it as length, without the round ends of a capsule",
	"youngs":       "stiffness is the mapping stretch of the material",
	"steps":        "the number of steps follows from time: {end, fps, step}",
	"frames":       "the number of frames follows from time: {end, fps}",
	"contact":      "it belongs to the scene",
	"friction":     "it belongs to the scene: friction: {default: 0.3, pairs: [{between: [a, b], mu: 0.4}]}",
	"mu":           "it belongs to the friction of the scene: friction: {pairs: [{between: [a, b], mu: 0.4}]}",
	"obstacles":    "it belongs to the scene",
	"press":        "it belongs to an obstacle",
	"self-contact": "it is the key self of the scene's contact",
}

func (d *decoder) unknown(p pair, what string, keys []string) {
	switch {
	case slices.Contains(planned, p.key):
		d.faults.add(p.at, "unknown key %q in %s: not supported by this version", p.key, what)
	case misplaced[p.key] != "":
		d.faults.add(p.at, "unknown key %q in %s; %s", p.key, what, misplaced[p.key])
	case slices.Contains([]string{"thickness", "diameter"}, p.key) && slices.Contains(keys, "radius"):
		d.faults.add(p.at, "unknown key %q in %s; write radius, which is half of it", p.key, what)
	default:
		d.faults.add(p.at, "unknown key %s in %s%s", shown(p.key), what, suggestion(p.key, keys))
	}
}

// named decodes a mapping from names of the user's own choice.
func (d *decoder) named(n *node, v reflect.Value, what string) {
	if n.kind != mappingNode {
		d.faults.add(n.at, "%s must be a mapping from names to values, not %s", what, n.kind)
		return
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(n.pairs)))
	for _, p := range n.pairs {
		if !isName(p.key) {
			d.faults.add(p.at, "%s is not a name; write letters, digits, - and _", shown(p.key))
			continue
		}
		item := reflect.New(v.Type().Elem())
		d.value(p.value, item.Elem(), &field{}, p.key)
		v.SetMapIndex(reflect.ValueOf(p.key), item.Elem())
	}
}

// array decodes a fixed number of values.
func (d *decoder) array(n *node, v reflect.Value, f *field, what string) {
	// vectors may change over time, each component by its keys
	if v.Type() == reflect.TypeFor[Vector]() {
		n = byComponent(n, v.Len())
	}
	if v.Type() == reflect.TypeFor[Vector]() && n.kind == mappingNode {
		d.faults.add(
			n.at,
			"%s must be a list of 3 numbers, or change over time by keys that have such lists as values: {keys: [{at: 0 s, value: [0, 0, 0]}, {at: 1 s, value: [1, 0, 0]}]}",
			what,
		)
		return
	}
	// as many items as there is room for
	if n.kind != listNode || len(n.items) != v.Len() {
		got := n.kind.String()
		if n.kind == listNode {
			got = fmt.Sprintf("%d", len(n.items))
		}
		of := "numbers"
		if v.Type().Elem().Kind() == reflect.String {
			of = "names"
		}
		d.faults.add(n.at, "%s must be a list of %d %s, not %s", what, v.Len(), of, got)
		return
	}
	for i, item := range n.items {
		d.value(item, v.Index(i), f, what)
	}
}

// list decodes any number of values.
func (d *decoder) list(n *node, v reflect.Value, f *field, what string) {
	if n.kind != listNode {
		d.faults.add(n.at, "%s must be a list, not %s; write - before each item, or [ ] around them", what, n.kind)
		return
	}
	if float64(len(n.items)) < f.length.lo || float64(len(n.items)) > f.length.hi {
		d.faults.add(n.at, "%s must have %g to %g items, not %d", what, f.length.lo, f.length.hi, len(n.items))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.items), len(n.items)))
	single := strings.TrimSuffix(what, "s")
	for i, item := range n.items {
		d.value(item, v.Index(i), f, fmt.Sprintf("%s %d", single, i))
	}
}

// scalar decodes a number, a word or a switch.
func (d *decoder) scalar(n *node, v reflect.Value, f *field, what string) {
	// no keys and no lists here
	if n.get("keys") != nil {
		d.faults.add(n.at, "%s cannot change over time; write a single value", what)
		return
	}
	if n.kind != scalarNode {
		d.faults.add(n.at, "%s must be a single value, not %s", what, n.kind)
		return
	}
	// each kind of value by its own rules
	var err error
	switch v.Kind() {
	case reflect.Float64:
		err = decodeFloat(n.text, v, f)
	case reflect.Int:
		err = decodeInt(n.text, v, f)
	case reflect.Bool:
		switch n.text {
		case "true", "false":
			v.SetBool(n.text == "true")
		default:
			err = fmt.Errorf("must be true or false, not %s", shown(n.text))
		}
	case reflect.String:
		if f.pattern == "chart" && n.joint {
			err = errors.New(`has its rows joined to one; write "chart: |" and the rows in the lines below it`)
			break
		}
		err = decodeString(n.text, v, f)
	default:
		panic("scene: no way to read a " + v.Kind().String())
	}
	if err != nil {
		d.faults.add(n.at, "%s %v", what, err)
	}
}

func decodeFloat(text string, v reflect.Value, f *field) error {
	x, err := parseQuantity(text, f.dim)
	if err != nil {
		return err
	}
	unit := ""
	if f.dim != nil {
		unit = f.dim.si()
	}
	if msg := f.bounds.fault(x, unit); msg != "" {
		if _, bare := strconv.ParseFloat(text, 64); bare == nil && unit == "m" && x > 0 && f.bounds.fault(x/1000, unit) == "" {
			msg += fmt.Sprintf(" (without a unit it is in m; is %s mm meant?)", text)
		}
		return fmt.Errorf("%s", msg)
	}
	v.SetFloat(x)
	return nil
}

func decodeInt(text string, v reflect.Value, f *field) error {
	x, err := parseQuantity(text, nil)
	if err != nil {
		if _, length := parseQuantity(text, dimensionNamed("length")); length == nil {
			return fmt.Errorf("%w; it is a number of things, not a length", err)
		}
		return err
	}
	if x != math.Trunc(x) {
		return fmt.Errorf("must be a whole number, not %s", shown(text))
	}
	if msg := f.bounds.fault(x, ""); msg != "" {
		return fmt.Errorf("%s", msg)
	}
	v.SetInt(int64(x))
	return nil
}

// maxString is the length of the longest text a scene can hold, maxChart that of the longest chart of stitches.
const (
	maxString = 1000
	maxChart  = 1 << 20
)

func decodeString(text string, v reflect.Value, f *field) error {
	most := maxString
	if f.pattern == "chart" {
		most = maxChart
	}
	switch {
	case len(text) > most:
		return fmt.Errorf("is %d bytes long; at most %d are allowed", len(text), most)
	case text == "":
		return fmt.Errorf("is empty; write a word or leave the key out")
	case len(f.words) > 0 && !slices.Contains(f.words, text):
		hint := ""
		if w := nearest(text, f.words); w != "" {
			hint = fmt.Sprintf("; did you mean %q?", w)
		}
		return fmt.Errorf("must be %s, not %s%s", orList(f.words), shown(text), hint)
	case f.pattern == "name" && !isName(text):
		return fmt.Errorf("%s is not a name; write letters, digits, - and _", shown(text))
	}
	v.SetString(text)
	return nil
}

// isName reports whether s can name a cloth, a pin or a motion: it appears in paths of overrides and
// in file names.
func isName(s string) bool {
	if s == "" || len(s) > 100 {
		return false
	}
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' {
			return false
		}
	}
	return true
}
