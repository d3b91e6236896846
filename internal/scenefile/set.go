package scenefile

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// setter applies overrides such as cloths.shirt.material.density=0.2 to the tree of a file, before it
// is understood: a value that comes from an override is checked like any other.
type setter struct {
	faults *faultList
	src    *source // one line for each override
}

func applySets(root *node, sets []string, faults *faultList) {
	s := setter{faults, &source{name: "--set", lines: sets}}
	for i := range sets {
		s.apply(root, i)
	}
}

// segment is one part of the path of an override.
type segment struct {
	text string
	at   place
}

func (s *setter) apply(root *node, i int) {
	arg := s.src.lines[i]
	at := func(offset int) place {
		return place{s.src, i + 1, utf8.RuneCountInString(arg[:offset]) + 1}
	}
	path, text, ok := strings.Cut(arg, "=")
	if !ok {
		s.faults.add(at(0), "an override is written path=value, such as time.end=2")
		return
	}
	if strings.ContainsAny(arg, "\n\r") {
		s.faults.add(at(0), "an override is a single line")
		return
	}
	var segments []segment
	offset := 0
	for part := range strings.SplitSeq(path, ".") {
		segments = append(segments, segment{strings.TrimSpace(part), at(offset)})
		offset += len(part) + 1
	}
	value := s.parse(text, at(len(path)+1))
	if value == nil {
		return
	}
	s.put(root, reflect.TypeFor[Scene](), segments, value)
}

// parse reads the value of an override, whose text begins at a place.
func (s *setter) parse(text string, at place) *node {
	var faults faultList
	n := parseYAML("", []byte(text), &faults)
	for _, f := range faults.list {
		s.faults.add(place{at.src, at.line, at.col + f.Col - 1}, "%s", f.Msg)
	}
	if n == nil || len(faults.list) > 0 {
		return nil
	}
	n.shift(at)
	return n
}

// shift moves the places of a tree that was parsed alone to where its text really is.
func (n *node) shift(to place) {
	move := func(p *place) { *p = place{to.src, to.line, to.col + p.col - 1} }
	// A tree with aliases has copies, not shared nodes, so that nothing moves twice.
	move(&n.at)
	for _, item := range n.items {
		item.shift(to)
	}
	for i := range n.pairs {
		move(&n.pairs[i].at)
		n.pairs[i].value.shift(to)
	}
}

// put walks from n, which is to become a t, along the path and replaces what it finds there.
func (s *setter) put(n *node, t reflect.Type, path []segment, value *node) {
	where := "the scene"
	for i, seg := range path {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if short, ok := reflect.New(t).Interface().(shorthander); ok {
			was := *n // expand may keep what it is given
			if full, msg := short.expand(&was); msg == "" {
				*n = *full
			}
		}
		next, nextType := s.child(n, t, seg, where, i == len(path)-1)
		if next == nil {
			return
		}
		if i == len(path)-1 {
			*next = *value
			return
		}
		where = joinPath(path[:i+1])
		n, t = next, nextType
	}
}

func joinPath(path []segment) string {
	words := make([]string, len(path))
	for i, seg := range path {
		words[i] = seg.text
	}
	return strings.Join(words, ".")
}

// child returns the part of n that a segment names, made if the file does not have it, and its type.
func (s *setter) child(n *node, t reflect.Type, seg segment, where string, last bool) (*node, reflect.Type) {
	switch t.Kind() {
	case reflect.Struct:
		return s.key(n, t, seg, where, last)
	case reflect.Map:
		if v := n.get(seg.text); v != nil {
			return v, t.Elem()
		}
		var keys []string
		for _, p := range n.pairs {
			keys = append(keys, p.key)
		}
		s.faults.add(seg.at, "there is no %s in %s%s", shown(seg.text), where, suggestion(seg.text, keys))
		return nil, nil
	case reflect.Slice, reflect.Array:
		if t == reflect.TypeFor[Vector]() && n.kind == mappingNode { // with keys as a whole
			return s.key(n, reflect.TypeFor[Scalar](), seg, where, last)
		}
		return s.item(n, t, seg, where)
	}
	s.faults.add(seg.at, "%s is a single value; there is no %s in it", where, shown(seg.text))
	return nil, nil
}

func (s *setter) key(n *node, t reflect.Type, seg segment, where string, last bool) (*node, reflect.Type) {
	// field of that key
	fields := fieldsOf(t)
	i := slices.IndexFunc(fields, func(f field) bool { return f.key == seg.text })
	if i < 0 {
		d := decoder{faults: s.faults}
		d.unknown(pair{key: seg.text, at: seg.at}, where, keysOf(fields))
		return nil, nil
	}
	// what the file has already
	if n.kind != mappingNode && n.kind != nullNode {
		s.faults.add(seg.at, "%s is %s in the file; there is no %q in it", where, n.kind, seg.text)
		return nil, nil
	}
	fieldType := t.Field(fields[i].index).Type
	if v := n.get(seg.text); v != nil {
		return v, fieldType
	}
	// what it does not have, made if it can be filled
	v := &node{kind: nullNode, at: seg.at}
	switch k := fieldType.Kind(); {
	case k == reflect.Struct || k == reflect.Map || k == reflect.Pointer && fieldType.Elem().Kind() == reflect.Struct:
		v.kind = mappingNode
	case !last:
		s.faults.add(seg.at, "%s is not in the file; set it as a whole", seg.text)
		return nil, nil
	}
	// new key in the file
	n.kind = mappingNode
	n.pairs = append(n.pairs, pair{seg.text, seg.at, v})
	return v, fieldType
}

// item finds an item of a list by its number or its name.
func (s *setter) item(n *node, t reflect.Type, seg segment, where string) (*node, reflect.Type) {
	if n.kind != listNode {
		s.faults.add(seg.at, "%s is not a list in the file; set it as a whole: %s=[...]", where, where)
		return nil, nil
	}
	var names []string
	for _, item := range n.items {
		if item.kind != mappingNode {
			continue
		}
		if name := item.get("name"); name != nil && name.kind == scalarNode {
			if name.text == seg.text {
				return item, t.Elem()
			}
			names = append(names, name.text)
		}
	}
	if i, err := strconv.Atoi(seg.text); err == nil && i >= 0 && i < len(n.items) {
		return n.items[i], t.Elem()
	}
	hint := suggestion(seg.text, names)
	if hint == "" {
		hint = fmt.Sprintf("; its %d items are numbered from 0", len(n.items))
	}
	s.faults.add(seg.at, "there is no %s in %s%s", shown(seg.text), where, hint)
	return nil, nil
}
