// Package gltf describes binary glTF 2.0 [Khronos21]: the JSON document, the chunks of a file and the layout of its
// binary data. Who reads or writes such files decides what they mean.
//
// Only what meshes, frames and films need is known here. The JSON is decoded into these structs and not by a glTF
// library, because a reader of untrusted files must tell a property that is missing from one that is zero, refuse
// component types and modes it does not know, and allocate no buffer by its declared length.
package gltf

import "encoding/json"

// Types of the components of accessors.
const (
	Byte   = 5120
	Ubyte  = 5121
	Short  = 5122
	Ushort = 5123
	Uint   = 5125
	Float  = 5126
)

// Targets of buffer views.
const (
	ArrayBuffer   = 34962
	ElementBuffer = 34963
)

// Modes of primitives.
const (
	Lines     = 1
	Triangles = 4
	Strip     = 5
	Fan       = 6
)

// Types are the accessor types by the number of their components.
var Types = [...]string{1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}

// Size returns the size of a component [byte], 0 if there is no such type.
func Size(componentType int) int {
	switch componentType {
	case Byte, Ubyte:
		return 1
	case Short, Ushort:
		return 2
	case Uint, Float:
		return 4
	}
	return 0
}

// Document is the JSON of a file. What programs say of themselves in extras is up to them: A, N and M are Asset, Node
// and Mesh, or structs that embed these and have Extras of their own.
type Document[A, N, M any] struct {
	Asset              A            `json:"asset"`
	ExtensionsRequired []string     `json:"extensionsRequired,omitempty"`
	Scene              *int         `json:"scene,omitempty"`
	Scenes             []Scene      `json:"scenes,omitempty"`
	Nodes              []N          `json:"nodes,omitempty"`
	Meshes             []M          `json:"meshes,omitempty"`
	Materials          []Material   `json:"materials,omitempty"`
	Accessors          []Accessor   `json:"accessors,omitempty"`
	BufferViews        []BufferView `json:"bufferViews,omitempty"`
	Buffers            []Buffer     `json:"buffers,omitempty"`
}

// Asset is what a file says of itself.
type Asset struct {
	Version   string          `json:"version"`
	Generator string          `json:"generator,omitempty"`
	Extras    json.RawMessage `json:"extras,omitempty"`
}

// Scene is a list of nodes.
type Scene struct {
	Nodes []int `json:"nodes,omitempty"`
}

// Node places a mesh and other nodes.
type Node struct {
	Name        string    `json:"name,omitempty"`
	Mesh        *int      `json:"mesh,omitempty"`
	Skin        *int      `json:"skin,omitempty"`
	Children    []int     `json:"children,omitempty"`
	Matrix      []float64 `json:"matrix,omitempty"`
	Translation []float64 `json:"translation,omitempty"`
	Rotation    []float64 `json:"rotation,omitempty"`
	Scale       []float64 `json:"scale,omitempty"`
}

// Mesh is a list of primitives.
type Mesh struct {
	Name       string          `json:"name,omitempty"`
	Primitives []Primitive     `json:"primitives"`
	Extras     json.RawMessage `json:"extras,omitempty"`
}

// Primitive is triangles, lines or points, by numbers of accessors.
type Primitive struct {
	Attributes map[string]int    `json:"attributes"`
	Indices    *int              `json:"indices,omitempty"`
	Material   *int              `json:"material,omitempty"`
	Mode       *int              `json:"mode,omitempty"` // triangles without it
	Targets    []json.RawMessage `json:"targets,omitempty"`
}

// Material is how a primitive looks.
type Material struct {
	Name        string `json:"name,omitempty"`
	PBR         *PBR   `json:"pbrMetallicRoughness,omitempty"`
	DoubleSided bool   `json:"doubleSided,omitempty"`
}

// PBR is how light leaves a material.
type PBR struct {
	Metallic  *float64 `json:"metallicFactor,omitempty"`
	Roughness *float64 `json:"roughnessFactor,omitempty"`
}

// Accessor is a list of numbers or vectors in a buffer view.
type Accessor struct {
	BufferView    *int      `json:"bufferView,omitempty"`
	ByteOffset    int       `json:"byteOffset,omitempty"`
	ComponentType int       `json:"componentType"`
	Normalized    bool      `json:"normalized,omitempty"`
	Count         int       `json:"count"`
	Type          string    `json:"type"`
	Min           []float64 `json:"min,omitempty"`
	Max           []float64 `json:"max,omitempty"`
	Sparse        *Sparse   `json:"sparse,omitempty"`
}

// Sparse replaces some elements of an accessor.
type Sparse struct {
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

// BufferView is a part of a buffer.
type BufferView struct {
	Buffer     *int `json:"buffer"`
	ByteOffset *int `json:"byteOffset,omitempty"` // 0 without it
	ByteLength int  `json:"byteLength"`
	ByteStride int  `json:"byteStride,omitempty"`
	Target     int  `json:"target,omitempty"`
}

// Buffer is bytes, in the file's binary chunk if it has no URI.
type Buffer struct {
	URI        string `json:"uri,omitempty"`
	ByteLength int    `json:"byteLength"`
}

// Animation moves nodes and blends morph targets.
type Animation struct {
	Name     string    `json:"name,omitempty"`
	Samplers []Sampler `json:"samplers"`
	Channels []Channel `json:"channels"`
}

// Sampler says by accessors which numbers hold at which times.
type Sampler struct {
	Input  int `json:"input"`
	Output int `json:"output"`
}

// Channel gives the numbers of a sampler to a property of a node.
type Channel struct {
	Sampler int `json:"sampler"`
	Target  struct {
		Node int    `json:"node"`
		Path string `json:"path"`
	} `json:"target"`
}

// OrZero returns a number of the JSON that counts as 0 where it is missing.
func OrZero(p *int) int {
	if p == nil {
		return 0
	}
	return *p
}
