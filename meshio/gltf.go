package meshio

// Meshes in binary glTF 2.0.
//
// Conventions of the files written here:
//
//   - One node, one mesh, one primitive. Vertices that have several UVs are split, as glTF
//     wants: the first UV met stays at the vertex, the others follow the last vertex. The scalar
//     attribute _ID holds the index of the vertex before splitting, so that the reader joins them
//     again and restores the topology exactly. It is a float, as glTF allows no 32-bit integers
//     in attributes, and so limits a file to 2^24 vertices.
//   - Groups are in the extras of the mesh: toile_groups, a list of {name, ranges}, with ranges
//     first, count, first, count, ... of the indices before splitting. They are read only together
//     with _ID, because a program that renumbers the vertices drops _ID but keeps extras.
//   - Extra is in the extras of the asset.
//   - glTF counts v downwards: v in the file is 1 - v in memory.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toile-sim/toile/internal/format/gltf"
)

// idAttribute names the attribute that holds a vertex's index before splitting.
const idAttribute = "_ID"

// glbMaxJSON is the largest JSON chunk accepted [byte]: decoded JSON takes up to fifty times the
// room of its text.
const glbMaxJSON = 32 << 20

// gltfDocument is a document without facts of our own, but for those that are kept as text.
type gltfDocument gltf.Document[gltf.Asset, gltf.Node, gltf.Mesh]

// gltfGroups is what the extras of a mesh say about groups.
type gltfGroups struct {
	Groups []gltfGroup `json:"toile_groups,omitempty"`
}

type gltfGroup struct {
	Name   string  `json:"name"`
	Ranges []int32 `json:"ranges"`
}

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
		open, err := dec.Token()
		if err != nil {
			return found
		}
		i, isIndex := step.(int)
		if isIndex != (open == json.Delim('[')) || !isIndex && open != json.Delim('{') {
			return found
		}
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
			var skipped json.RawMessage
			if dec.Decode(&skipped) != nil {
				return found
			}
		}
		found = int(dec.InputOffset())
		for found < len(text) && strings.IndexByte(" \t\r\n:,", text[found]) >= 0 {
			found++
		}
	}
	return found
}
