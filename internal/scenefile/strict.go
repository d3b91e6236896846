package scenefile

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// Decode reads a file of another kind by the rules of scene files: YAML, strict, guided by the tags of the fields of
// *into, with everything that is wrong reported at once, as Faults. kind is what such a file is called, as in "the
// sweep". What becomes a Value may be anything; a struct that embeds Placed knows where it is in the file.
func Decode(kind, name string, data []byte, into any) error {
	var faults faultList
	root := parseYAML(name, data, &faults)
	if root == nil {
		return faults.err()
	}
	if root.kind == nullNode {
		faults.add(root.at, "the file is empty")
		return faults.err()
	}
	d := &decoder{faults: &faults}
	d.mapping(root, reflect.ValueOf(into).Elem(), kind)
	return faults.err()
}

// Placed remembers where a value and its keys are in the file it was read from.
type Placed struct{ placed }

// Value is a value of a file that is not understood until it takes its place in a scene.
type Value struct{ n *node }

// Fault returns a fault at the value.
func (v Value) Fault(format string, args ...any) *Fault {
	at := place{}
	if v.n != nil {
		at = v.n.at
	}
	return faultAt(at, format, args...)
}

// String writes the value as YAML on one line, in the same way however it was written in the file.
func (v Value) String() string {
	if v.n == nil {
		return ""
	}
	return v.n.flow()
}

// Number returns the number that the value is, with its unit if it has one.
func (v Value) Number() (x float64, unit string, ok bool) {
	if v.n == nil || v.n.kind != scalarNode {
		return 0, "", false
	}
	return SplitQuantity(v.n.text)
}

// SplitQuantity splits "2 mm" into a finite number and its unit, which may be missing and may be one that scenes do not
// know.
func SplitQuantity(text string) (x float64, unit string, ok bool) {
	digits := numberSyntax.FindString(text)
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, "", false
	}
	unit = strings.TrimSpace(text[len(digits):])
	return x, unit, unit == "" || unitSyntax.MatchString(unit)
}

// unitSyntax is what a unit can look like.
var unitSyntax = regexp.MustCompile(`^[\pL°µ][\pL\d/*·^ °²³]*$`)

// flow writes a tree as YAML on one line.
func (n *node) flow() string {
	switch n.kind {
	case listNode:
		parts := make([]string, len(n.items))
		for i, item := range n.items {
			parts[i] = item.flow()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case mappingNode:
		parts := make([]string, len(n.pairs))
		for i, p := range n.pairs {
			parts[i] = plainOrQuoted(p.key) + ": " + p.value.flow()
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case nullNode:
		return "null"
	}
	return plainOrQuoted(n.text)
}

// plainSyntax is text that means itself in YAML, also within brackets.
var plainSyntax = regexp.MustCompile(`^[\pL\d.+_/-]([\pL\d.+_/ -]*[\pL\d.+_/-])?$`)

// plainOrQuoted writes a scalar so that it is read as the same text.
func plainOrQuoted(text string) string {
	plain := plainSyntax.MatchString(text)
	if first := strings.TrimLeft(text, "-"); plain && (first == "" || first[0] == ' ') { // a list, or nothing
		plain = false
	}
	if word := strings.ToLower(text); word == "null" || word == "~" || !plain {
		return fmt.Sprintf("%q", text)
	}
	return text
}
