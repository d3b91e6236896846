// Package glb reads and writes meshes, and writes films, as binary glTF 2.0.
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
package glb

import (
	"github.com/toile-sim/toile/internal/format/gltf"
)

// maxJSON is the largest JSON chunk accepted [byte]: decoded JSON takes up to fifty times the
// room of its text.
const maxJSON = 32 << 20

// document is a document without facts of our own, but for those that are kept as text.
type document gltf.Document[gltf.Asset, gltf.Node, gltf.Mesh]

// groupExtras is what the extras of a mesh say about groups.
type groupExtras struct {
	Groups []rangedGroup `json:"toile_groups,omitempty"`
}

type rangedGroup struct {
	Name   string  `json:"name"`
	Ranges []int32 `json:"ranges"`
}
