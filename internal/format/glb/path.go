package glb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// jsonPath is a place in a JSON text: property names and array indices from the root.
type jsonPath []any

// with returns the path of something inside p.
func (p jsonPath) with(more ...any) jsonPath { return append(p[:len(p):len(p)], more...) }

// String writes the path as in accessors[2].count.
func (p jsonPath) String() string {
	var b strings.Builder
	for _, e := range p {
		if i, ok := e.(int); ok {
			fmt.Fprintf(&b, "[%d]", i)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		fmt.Fprint(&b, e)
	}
	return b.String()
}

// locate returns the offset of the value at path in a JSON text, or of the last part of the way
// to it that exists.
func locate(text []byte, path jsonPath) int {
	dec := json.NewDecoder(bytes.NewReader(text))
	found := 0
	for _, step := range path {
		// object or array to go into
		open, err := dec.Token()
		if err != nil {
			return found
		}
		i, isIndex := step.(int)
		if isIndex != (open == json.Delim('[')) || !isIndex && open != json.Delim('{') {
			return found
		}
		// entries, up to the one that is looked for
		for n := 0; ; n++ {
			if !dec.More() {
				return found
			}
			if isIndex && n == i {
				break
			}
			if !isIndex {
				key, err := dec.Token()
				if err != nil {
					return found
				}
				if key == step {
					break
				}
			}
			// values on the way
			var skipped json.RawMessage
			if dec.Decode(&skipped) != nil {
				return found
			}
		}
		// first character of the value
		found = int(dec.InputOffset())
		for found < len(text) && strings.IndexByte(" \t\r\n:,", text[found]) >= 0 {
			found++
		}
	}
	return found
}
