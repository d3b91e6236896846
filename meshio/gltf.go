package meshio

// Binary glTF 2.0 [Khronos21]: a header, a JSON chunk and a chunk of binary data.
//
// Only the part of the format that carries meshes is known here. The JSON is decoded into these
// structs and not by a glTF library, because a reader of untrusted files must tell a property
// that is missing from one that is zero, refuse component types and modes it does not know,
// and allocate no buffer by its declared length.
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
)

// idAttribute names the attribute that holds a vertex's index before splitting.
const idAttribute = "_ID"

const (
	glbMagic     = 0x46546C67 // "glTF"
	glbChunkJSON = 0x4E4F534A // "JSON"
	glbChunkBIN  = 0x004E4942 // "BIN\0"
)

// glbMaxJSON is the largest JSON chunk accepted [byte]: decoded JSON takes up to fifty times the
// room of its text.
const glbMaxJSON = 32 << 20

const (
	gltfByte   = 5120
	gltfUbyte  = 5121
	gltfShort  = 5122
	gltfUshort = 5123
	gltfUint   = 5125
	gltfFloat  = 5126
)

const (
	gltfArrayBuffer   = 34962
	gltfElementBuffer = 34963
)

const (
	gltfTriangles = 4
	gltfStrip     = 5
	gltfFan       = 6
)

// gltfTypes are the accessor types by the number of their components.
var gltfTypes = [...]string{1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}

type gltfDocument struct {
	Asset              gltfAsset        `json:"asset"`
	ExtensionsRequired []string         `json:"extensionsRequired,omitempty"`
	Scene              *int             `json:"scene,omitempty"`
	Scenes             []gltfScene      `json:"scenes,omitempty"`
	Nodes              []gltfNode       `json:"nodes,omitempty"`
	Meshes             []gltfMesh       `json:"meshes,omitempty"`
	Materials          []gltfMaterial   `json:"materials,omitempty"`
	Accessors          []gltfAccessor   `json:"accessors,omitempty"`
	BufferViews        []gltfBufferView `json:"bufferViews,omitempty"`
	Buffers            []gltfBuffer     `json:"buffers,omitempty"`
}

type gltfAsset struct {
	Version   string          `json:"version"`
	Generator string          `json:"generator,omitempty"`
	Extras    json.RawMessage `json:"extras,omitempty"`
}

type gltfScene struct {
	Nodes []int `json:"nodes,omitempty"`
}

type gltfNode struct {
	Name        string    `json:"name,omitempty"`
	Mesh        *int      `json:"mesh,omitempty"`
	Skin        *int      `json:"skin,omitempty"`
	Children    []int     `json:"children,omitempty"`
	Matrix      []float64 `json:"matrix,omitempty"`
	Translation []float64 `json:"translation,omitempty"`
	Rotation    []float64 `json:"rotation,omitempty"`
	Scale       []float64 `json:"scale,omitempty"`
}

type gltfMesh struct {
	Name       string          `json:"name,omitempty"`
	Primitives []gltfPrimitive `json:"primitives"`
	Extras     json.RawMessage `json:"extras,omitempty"`
}

type gltfPrimitive struct {
	Attributes map[string]int    `json:"attributes"`
	Indices    *int              `json:"indices,omitempty"`
	Material   *int              `json:"material,omitempty"`
	Mode       *int              `json:"mode,omitempty"`
	Targets    []json.RawMessage `json:"targets,omitempty"`
}

type gltfMaterial struct {
	Name        string   `json:"name,omitempty"`
	PBR         *gltfPBR `json:"pbrMetallicRoughness,omitempty"`
	DoubleSided bool     `json:"doubleSided,omitempty"`
}

type gltfPBR struct {
	Metallic  *float64 `json:"metallicFactor,omitempty"`
	Roughness *float64 `json:"roughnessFactor,omitempty"`
}

type gltfAccessor struct {
	BufferView    *int        `json:"bufferView,omitempty"`
	ByteOffset    int         `json:"byteOffset,omitempty"`
	ComponentType int         `json:"componentType"`
	Normalized    bool        `json:"normalized,omitempty"`
	Count         int         `json:"count"`
	Type          string      `json:"type"`
	Min           []float64   `json:"min,omitempty"`
	Max           []float64   `json:"max,omitempty"`
	Sparse        *gltfSparse `json:"sparse,omitempty"`
}

type gltfSparse struct {
	Count   int `json:"count"`
	Indices struct {
		BufferView    *int `json:"bufferView"`
		ByteOffset    int  `json:"byteOffset,omitempty"`
		ComponentType int  `json:"componentType"`
	} `json:"indices"`
	Values struct {
		BufferView *int `json:"bufferView"`
		ByteOffset int  `json:"byteOffset,omitempty"`
	} `json:"values"`
}

type gltfBufferView struct {
	Buffer     *int `json:"buffer"`
	ByteOffset int  `json:"byteOffset,omitempty"`
	ByteLength int  `json:"byteLength"`
	ByteStride int  `json:"byteStride,omitempty"`
	Target     int  `json:"target,omitempty"`
}

type gltfBuffer struct {
	URI        string `json:"uri,omitempty"`
	ByteLength int    `json:"byteLength"`
}

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
