package glb

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/format/gltf"
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/r3"
)

// maxVertices is the number of whole numbers from 0 on that a float holds: those of _ID.
const maxVertices = 1 << 24

// vertices are the vertices of the file: split where a vertex has several UVs.
type vertices struct {
	of        []int32 // the vertex of the mesh
	uv        []int32 // its UV, or -1
	triangles [][3]int32
}

func split(m *model.Mesh) vertices {
	// vertices as they are
	n := len(m.Positions)
	s := vertices{of: make([]int32, n), triangles: m.Triangles}
	for v := range s.of {
		s.of[v] = int32(v)
	}
	// a UV for each vertex needs no splits
	if len(m.CornerUV) == 0 {
		if len(m.UV) > 0 {
			s.uv = s.of
		}
		return s
	}
	// first UV that is met stays with the vertex
	const unset = -2
	s.uv = make([]int32, n)
	for v := range s.uv {
		s.uv[v] = unset
	}
	s.triangles = make([][3]int32, len(m.Triangles))
	// corners with other UVs get vertices of their own, one for each UV
	added := map[[2]int32]int32{}
	for i, t := range m.Triangles {
		for k, v := range t {
			uv := m.CornerUV[i][k]
			if s.uv[v] == unset {
				s.uv[v] = uv
			}
			if s.uv[v] == uv {
				s.triangles[i][k] = v
				continue
			}
			key := [2]int32{v, uv}
			w, ok := added[key]
			if !ok {
				w = int32(len(s.of))
				added[key] = w
				s.of = append(s.of, v)
				s.uv = append(s.uv, uv)
			}
			s.triangles[i][k] = w
		}
	}
	return s
}

// builder lays out a document, and in its embedded builder the binary chunk.
type builder struct {
	doc document
	gltf.Builder
}

func (g *builder) float(x float64) {
	g.Float(float32(x))
}

func (g *builder) vec(v r3.Vec) {
	g.float(v.X)
	g.float(v.Y)
	g.float(v.Z)
}

// Append writes m as binary glTF. Positions, UVs and attributes are rounded to single
// precision, normals brought to unit length and colours clamped to 0..1, as glTF demands.
// Attributes other than the colour get an underscore before their name if they have none.
func Append(b []byte, m *model.Mesh, fr model.Frame) ([]byte, error) {
	if err := model.FitsSingle(m, fr); err != nil {
		return nil, err
	}
	s := split(m)
	if len(s.of) > maxVertices {
		return nil, fmt.Errorf(
			"meshio: mesh: %d vertices after splitting at UV seams, more than the %d of a GLB file",
			len(s.of),
			maxVertices,
		)
	}
	g := &builder{}
	attributes, err := g.attributes(m, &s, fr)
	if err != nil {
		return nil, err
	}
	indices := g.indices(&s)
	if err := g.describe(m, attributes, indices); err != nil {
		return nil, err
	}
	if b, err = appendHead(b, &g.doc, int64(len(g.Bin))); err != nil {
		return nil, err
	}
	return append(b, g.Bin...), nil
}

// appendHead writes everything before the binary data, which has the given length, a multiple of 4.
func appendHead(b []byte, doc any, size int64) ([]byte, error) {
	text, err := gltf.Text(doc)
	if err != nil {
		return nil, err
	}
	if total := gltf.FileSize(int64(len(text)), size); len(text) > maxJSON || total > gltf.MaxSize {
		return nil, fmt.Errorf("meshio: mesh: too large for a GLB file: %d bytes, %d of them JSON", total, len(text))
	}
	return gltf.AppendHead(b, text, size), nil
}

// attributes writes everything at the vertices and returns the accessors by name.
func (g *builder) attributes(m *model.Mesh, s *vertices, fr model.Frame) (map[string]int, error) {
	// room for everything
	n := len(s.of)
	numbers := 3 + 1 + 3 + 2
	for _, a := range m.Attributes {
		numbers += a.Width
	}
	g.Bin = slices.Grow(g.Bin, 4*numbers*n+12*len(s.triangles)+4)
	// positions
	out := map[string]int{"POSITION": g.positions(m, s, fr)}
	// numbers of vertices, to join them again
	start := len(g.Bin)
	for _, v := range s.of {
		g.float(float64(v))
	}
	out[model.IDAttribute] = g.Accessor(start, n, 1, gltf.Float, gltf.ArrayBuffer)
	// normals
	if len(m.Normals) > 0 {
		start := len(g.Bin)
		for _, v := range s.of {
			g.vec(fr.TurnToFile(model.UnitNormal(m.Normals[v])))
		}
		out["NORMAL"] = g.Accessor(start, n, 3, gltf.Float, gltf.ArrayBuffer)
	}
	// UVs, with v downwards
	if s.uv != nil {
		start := len(g.Bin)
		for _, k := range s.uv {
			var p r3.Vec2
			if k >= 0 {
				p = m.UV[k]
			}
			g.float(p.X)
			g.float(flipV(p.Y))
		}
		out["TEXCOORD_0"] = g.Accessor(start, n, 2, gltf.Float, gltf.ArrayBuffer)
	}
	// colours, and attributes under names that glTF allows
	for _, a := range m.Attributes {
		name := a.Name
		if name != model.Colour && !strings.HasPrefix(name, "_") {
			name = "_" + name
		}
		if _, taken := out[name]; taken {
			return nil, fmt.Errorf("meshio: mesh: two attributes would be %s in a GLB file", name)
		}
		start := len(g.Bin)
		for _, v := range s.of {
			for _, x := range a.Data[int(v)*a.Width : int(v+1)*a.Width] {
				if name == model.Colour {
					x = min(max(x, 0), 1)
				}
				g.Float(x)
			}
		}
		out[name] = g.Accessor(start, n, a.Width, gltf.Float, gltf.ArrayBuffer)
	}
	return out, nil
}

// positions writes the positions and the bounds that glTF wants of them.
func (g *builder) positions(m *model.Mesh, s *vertices, fr model.Frame) int {
	start := len(g.Bin)
	box := r3.EmptyBox()
	for _, v := range s.of {
		p := fr.ToFile(m.Positions[v])
		g.vec(p)
		box = box.With(r3.V(float64(float32(p.X)), float64(float32(p.Y)), float64(float32(p.Z))))
	}
	k := g.Accessor(start, len(s.of), 3, gltf.Float, gltf.ArrayBuffer)
	g.Accessors[k].Min = []float64{box.Min.X, box.Min.Y, box.Min.Z}
	g.Accessors[k].Max = []float64{box.Max.X, box.Max.Y, box.Max.Z}
	return k
}

func (g *builder) indices(s *vertices) int {
	start := len(g.Bin)
	// 65535 itself restarts strips on some hardware and is forbidden as an index.
	if len(s.of) <= math.MaxUint16 {
		for _, t := range s.triangles {
			for _, v := range t {
				g.Ushort(uint16(v))
			}
		}
		return g.Accessor(start, 3*len(s.triangles), 1, gltf.Ushort, gltf.ElementBuffer)
	}
	for _, t := range s.triangles {
		for _, v := range t {
			g.Uint(uint32(v))
		}
	}
	return g.Accessor(start, 3*len(s.triangles), 1, gltf.Uint, gltf.ElementBuffer)
}

// describe fills in the document around the accessors.
func (g *builder) describe(m *model.Mesh, attributes map[string]int, indices int) error {
	// head, with the extras of the mesh
	zero, matte := 0, 0.0
	g.doc.Asset = gltf.Asset{Version: "2.0", Generator: "Toile"}
	if len(m.Extra) > 0 {
		extras, err := json.Marshal(m.Extra)
		if err != nil {
			return err
		}
		g.doc.Asset.Extras = extras
	}
	// mesh, and its groups as ranges
	mesh := gltf.Mesh{
		Name:       m.Name,
		Primitives: []gltf.Primitive{{Attributes: attributes, Indices: &indices, Material: &zero}},
	}
	if groups := groupRanges(m.Groups); len(groups) > 0 {
		extras, err := json.Marshal(groupExtras{groups})
		if err != nil {
			return err
		}
		mesh.Extras = extras
	}
	// scene of one node
	g.doc.Scene = &zero
	g.doc.Scenes = []gltf.Scene{{Nodes: []int{0}}}
	g.doc.Nodes = []gltf.Node{{Name: m.Name, Mesh: &zero}}
	g.doc.Meshes = []gltf.Mesh{mesh}
	g.doc.Materials = []gltf.Material{{PBR: &gltf.PBR{Metallic: &matte}, DoubleSided: true}}
	// where the data is
	g.doc.Buffers = []gltf.Buffer{{ByteLength: len(g.Bin)}}
	g.doc.Accessors, g.doc.BufferViews = g.Accessors, g.BufferViews
	return nil
}

// groupRanges writes groups as ranges of consecutive vertices.
func groupRanges(groups []model.Group) []rangedGroup {
	var out []rangedGroup
	for _, g := range groups {
		var ranges []int32
		for _, v := range g.Vertices {
			if k := len(ranges); k > 0 && ranges[k-2]+ranges[k-1] == v {
				ranges[k-1]++
			} else {
				ranges = append(ranges, v, 1)
			}
		}
		if len(ranges) > 0 {
			out = append(out, rangedGroup{g.Name, ranges})
		}
	}
	return out
}

// flipV returns 1 - v, rounded to a multiple of 2^-40. The rounding is far below single precision
// but makes the result, and 1 minus it, exact in double precision, so that reading and writing
// a file any number of times leaves it as it is.
func flipV(v float64) float64 {
	const grid = 1 << 40
	f := 1 - v
	if math.Abs(f) < 1<<12 {
		f = math.Round(f*grid)/grid + 0 // and -0 becomes 0
	}
	return f
}
