package scenefile

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// kind says what a node is.
type kind int

const (
	scalarNode kind = iota
	nullNode
	listNode
	mappingNode
)

func (k kind) String() string {
	return [...]string{"a single value", "nothing", "a list", "a mapping"}[k]
}

// node is a value of a scene file before it is understood: what is left of YAML.
type node struct {
	kind  kind
	at    place
	text  string  // of a scalar
	joint bool    // a scalar of several lines, which YAML joined to one
	items []*node // of a list
	pairs []pair  // of a mapping, in the order of the file
}

// pair is a key of a mapping and its value.
type pair struct {
	key   string
	at    place
	value *node
}

// get returns the value of a key, or nil.
func (n *node) get(key string) *node {
	for i := range n.pairs {
		if n.pairs[i].key == key {
			return n.pairs[i].value
		}
	}
	return nil
}

// Limits of what is read before it is understood. They keep a hostile file from using more memory
// or stack than an honest one: an alias may repeat a large value, and YAML nests without end.
const (
	maxSceneBytes = 4 << 20
	maxNodes      = 400_000
	maxDepth      = 32
	maxKeys       = 1024
	// maxBlockColumn bounds the nesting of indented blocks, since every level is further right.
	maxBlockColumn = 200
)

// parseYAML turns text into a tree. A nil tree comes with faults.
func parseYAML(name string, data []byte, faults *faultList) *node {
	// size, which bounds everything after
	src := &source{name: name}
	start := place{src, 1, 1}
	if len(data) > maxSceneBytes {
		faults.add(
			start,
			"the file has %d bytes; a scene has at most %d (large data belongs into mesh files)",
			len(data),
			maxSceneBytes,
		)
		return nil
	}
	// plain lines, without byte order mark or carriage returns
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	src.lines = strings.Split(string(data), "\n")
	if at, ok := badByte(src); ok {
		faults.add(at, "not a text file: a scene is UTF-8 text without control characters")
		return nil
	}
	// what scenes do without is refused before it is parsed
	tokens := lexer.Tokenize(string(data))
	if !checkTokens(tokens, src, faults) {
		return nil
	}
	// syntax, with the place that the parser names
	file, err := parseTokens(tokens)
	if err != nil {
		at, msg := start, err.Error()
		var yamlErr yaml.Error
		if errors.As(err, &yamlErr) {
			msg = yamlErr.GetMessage()
			if t := yamlErr.GetToken(); t != nil {
				at = placeOf(src, t)
			}
		}
		faults.add(at, "not valid YAML: %s", msg)
		return nil
	}
	// one document, and no more
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if body != nil {
			faults.add(placeOf(src, doc.Body.GetToken()), "a second document; a file holds one scene")
			return nil
		}
		body = doc.Body
	}
	if body == nil {
		return &node{kind: nullNode, at: start}
	}
	// tree of our own
	c := converter{src: src, faults: faults, anchors: map[string]ast.Node{}}
	n := c.convert(body, 0)
	if c.failed {
		return nil
	}
	return n
}

// parseTokens runs the YAML parser; should it panic on a strange file, that is an error like any other.
func parseTokens(tokens token.Tokens) (file *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the parser gave up: %v", r)
		}
	}()
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// badByte finds the first place that is not text.
func badByte(src *source) (place, bool) {
	for i, line := range src.lines {
		col := 0
		for j, r := range line {
			col++
			_, size := utf8.DecodeRuneInString(line[j:])
			if r == utf8.RuneError && size == 1 || r < ' ' && r != '\t' || r == 0x7f {
				return place{src, i + 1, col}, true
			}
		}
	}
	return place{}, false
}

// checkTokens refuses what a scene has no use for, and nesting that would exhaust the stack of a
// recursive parser.
func checkTokens(tokens token.Tokens, src *source, faults *faultList) bool {
	depth := 0
	var count keyCount
	for i, t := range tokens {
		// levels of brackets
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		// parts of YAML that scenes do without
		case token.TagType:
			faults.add(placeOf(src, t), "tags such as %s are not part of scene files; write the value alone", t.Value)
			return false
		case token.DirectiveType:
			faults.add(placeOf(src, t), "directives are not part of scene files")
			return false
		case token.MergeKeyType:
			faults.add(
				placeOf(src, t),
				"merge keys are not part of scene files; write the keys out, or use an alias for the whole value",
			)
			return false
		case token.AnchorType:
			if i >= 2 && tokens[i-2].Type == token.AnchorType {
				faults.add(placeOf(src, t), "a second anchor for the same value")
				return false
			}
		// levels of indentation, and keys at each
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			if depth > 0 {
				break
			}
			start := t
			if t.Type == token.MappingValueType && i > 0 {
				start = tokens[i-1]
			}
			if t.Position.Column > maxBlockColumn || !count.add(t.Type, start.Position.Column) {
				faults.add(
					placeOf(src, start),
					"nested too deeply, indented by more than %d columns, or a mapping with more than %d keys",
					maxBlockColumn,
					maxKeys,
				)
				return false
			}
		}
		if depth > maxDepth {
			faults.add(placeOf(src, t), "nested more than %d levels deep", maxDepth)
			return false
		}
	}
	return true
}

// keyCount counts the keys of the indented mappings that are open, by column. The parser takes time
// quadratic in their number.
type keyCount [maxBlockColumn + 1]int

// add notes a token of an indented block, and reports whether its mapping may have so many keys.
func (k *keyCount) add(kind token.Type, column int) bool {
	if column < 0 || column > maxBlockColumn {
		return false
	}
	clear(k[column+1:]) // what was further right has ended
	if kind == token.MappingValueType {
		k[column]++
	}
	return k[column] <= maxKeys
}

func placeOf(src *source, t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{src, 1, 1}
	}
	return place{src, min(max(t.Position.Line, 1), len(src.lines)), max(t.Position.Column, 1)}
}

// converter turns the parser's tree into ours.
type converter struct {
	src     *source
	faults  *faultList
	anchors map[string]ast.Node // never ranged over
	nodes   int
	failed  bool
}

func (c *converter) fail(at place, format string, args ...any) *node {
	if !c.failed {
		c.faults.add(at, format, args...)
	}
	c.failed = true
	return nil
}

func (c *converter) convert(a ast.Node, depth int) *node {
	// limits, which aliases could otherwise exceed
	if c.failed {
		return nil
	}
	if a == nil {
		return c.fail(place{c.src, 1, 1}, "a value is missing")
	}
	at := placeOf(c.src, a.GetToken())
	if depth > maxDepth {
		return c.fail(at, "nested more than %d levels deep", maxDepth)
	}
	if c.nodes++; c.nodes > maxNodes {
		return c.fail(at, "more than %d values once aliases are written out", maxNodes)
	}
	switch a := a.(type) {
	// mappings of several keys, or of one
	case *ast.MappingNode:
		n := &node{kind: mappingNode, at: at}
		if !a.IsFlowStyle && len(a.Values) > 0 {
			n.at = placeOf(c.src, a.Values[0].Key.GetToken())
		}
		for _, v := range a.Values {
			c.pair(n, v, depth)
		}
		return n
	case *ast.MappingValueNode:
		n := &node{kind: mappingNode, at: placeOf(c.src, a.Key.GetToken())}
		c.pair(n, a, depth)
		return n
	case *ast.SequenceNode:
		// lists
		n := &node{kind: listNode, at: at}
		for _, v := range a.Values {
			n.items = append(n.items, c.convert(v, depth+1))
		}
		return n
	case *ast.AnchorNode:
		// values with a name, and those that repeat them
		name := a.Name.GetToken().Value
		n := c.convert(a.Value, depth+1)
		c.anchors[name] = a.Value
		return n
	case *ast.AliasNode:
		name := a.Value.GetToken().Value
		value, ok := c.anchors[name]
		if !ok {
			return c.fail(at, "alias *%s, but nothing before it is marked &%s", name, name)
		}
		return c.convert(value, depth+1)
	case *ast.NullNode:
		// nothing, texts of several lines, and plain values
		return &node{kind: nullNode, at: at}
	case *ast.LiteralNode:
		folded := strings.HasPrefix(a.Start.Value, ">") && severalLines(a.Value.GetToken())
		return &node{kind: scalarNode, at: at, text: strings.TrimSpace(a.Value.Value), joint: folded}
	case ast.ScalarNode:
		return &node{kind: scalarNode, at: at, text: a.GetToken().Value, joint: severalLines(a.GetToken())}
	default:
		return c.fail(at, "%s is not part of scene files", strings.ToLower(a.Type().String()))
	}
}

// severalLines reports whether a scalar is written on more than one line.
func severalLines(t *token.Token) bool { return strings.Contains(strings.TrimSpace(t.Origin), "\n") }

func (c *converter) pair(n *node, v *ast.MappingValueNode, depth int) {
	at := placeOf(c.src, v.Key.GetToken())
	key, ok := v.Key.(ast.ScalarNode)
	if !ok {
		c.fail(at, "a key must be a plain word")
		return
	}
	p := pair{key: key.GetToken().Value, at: at, value: c.convert(v.Value, depth+1)}
	if p.value != nil && p.value.kind == nullNode {
		p.value.at = at // what is missing is said at its key
	}
	if len(n.pairs) == maxKeys {
		c.fail(at, "a mapping with more than %d keys", maxKeys)
		return
	}
	if n.get(p.key) != nil {
		c.faults.add(at, "key %q is given twice", p.key)
	}
	n.pairs = append(n.pairs, p)
}

// wrap returns the mapping {key: n}.
func wrap(key string, n *node) *node {
	return &node{kind: mappingNode, at: n.at, pairs: []pair{{key: key, at: n.at, value: n}}}
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
