package runfolder

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/format/gltf"
	"github.com/toile-sim/toile/r3"
)

// frameDoc is the document of a frame. Its asset comes first, because it holds the seal.
type frameDoc = gltf.Document[frameAsset, frameNode, frameMesh]

// frameAsset has its extras first.
type frameAsset struct {
	Extras assetExtras `json:"extras"`
	gltf.Asset
}

type assetExtras struct {
	Toile *frameFacts `json:"toile"`
}

// frameFacts is what a frame says about itself.
type frameFacts struct {
	Digest    string  `json:"digest"`
	Frame     int     `json:"frame"`
	Time      float64 `json:"time"`
	Step      int     `json:"step"`
	Hash      string  `json:"hash"`
	Obstacles string  `json:"obstacles,omitempty"` // digest of obstacles.glb, if there is one
}

// frameNode is the place of a body.
type frameNode struct {
	gltf.Node
	Extras *nodeFacts `json:"extras,omitempty"`
}

// nodeFacts says what a node is, if it is no cloth.
type nodeFacts struct {
	Obstacle Kind `json:"obstacle,omitempty"` // its kind, if it is an obstacle
	Body     Kind `json:"body,omitempty"`     // its kind, if it is not
	Shape    *int `json:"shape,omitempty"`    // the number of its mesh in obstacles.glb, if it is there

	Radius float64 `json:"radius,omitempty"` // of yarns [m]
}

// frameMesh has its extras before its primitives.
type frameMesh struct {
	Name   string     `json:"name,omitempty"`
	Extras *meshFacts `json:"extras,omitempty"`
	gltf.Mesh
}

type meshFacts struct {
	Vertices int  `json:"vertices"`        // of the body; entries after these are repetitions
	Input    *int `json:"input,omitempty"` // of a cloth that is remeshed: the number of the mesh, which no node shows, with its input topology
}

// meshOf returns a mesh of one primitive.
func meshOf(name string, p gltf.Primitive, facts *meshFacts) frameMesh {
	return frameMesh{Name: name, Extras: facts, Mesh: gltf.Mesh{Primitives: []gltf.Primitive{p}}}
}

// primitive returns the one primitive of a mesh, which has the given mode.
func (g *frameMesh) primitive(mode int) (*gltf.Primitive, error) {
	if len(g.Primitives) != 1 {
		return nil, fmt.Errorf("mesh %q is not of one primitive", g.Name)
	}
	p, is := &g.Primitives[0], gltf.Triangles
	if p.Mode != nil {
		is = *p.Mode
	}
	if is != mode {
		return nil, fmt.Errorf("mesh %q has primitives of mode %d, not %d", g.Name, is, mode)
	}
	return p, nil
}

// builder grows a glTF document and its binary chunk.
type builder struct {
	doc *frameDoc
	gltf.Builder
}

// accessor closes the numbers appended since start as a new accessor of count times width of them.
func (b *builder) accessor(start, count, width int) int {
	return b.Accessor(start, count, width, gltf.Float, gltf.ArrayBuffer)
}

// turn writes a vector of the scene with Y up. It subtracts from zero, so that 0 does not become -0.
func turn(v r3.Vec) [3]float32 { return [3]float32{float32(v.X), float32(v.Z), float32(0 - v.Y)} }

// vectors adds vectors, then those of the copies; bounds are required for positions.
func (b *builder) vectors(vs []r3.Vec, copies []int32, bounds bool) (int, error) {
	start := len(b.Bin)
	lo, hi := turn(vs[0]), turn(vs[0])
	put := func(v r3.Vec) bool {
		ok := true
		for k, x := range turn(v) {
			b.Float(x)
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
			ok = ok && x-x == 0 // false for infinity and NaN
		}
		return ok
	}
	for i, v := range vs {
		if !put(v) {
			return 0, fmt.Errorf("vertex %d, %v, is out of the range of float32", i, v)
		}
	}
	for _, i := range copies {
		put(vs[i])
	}
	a := b.accessor(start, len(vs)+len(copies), 3)
	if bounds {
		bounds := &b.Accessors[a]
		for k := range 3 {
			bounds.Min, bounds.Max = append(bounds.Min, gltf.Brief(lo[k])), append(bounds.Max, gltf.Brief(hi[k]))
		}
	}
	return a, nil
}

// points adds texture points.
func (b *builder) points(uv []r3.Vec2) int {
	start := len(b.Bin)
	for _, p := range uv {
		b.Float(float32(p.X))
		b.Float(float32(1 - p.Y))
	}
	return b.accessor(start, len(uv), 2)
}

// numbers adds one number for each vertex, then those of the copies.
func (b *builder) numbers(xs []float32, copies []int32) int {
	start := len(b.Bin)
	for _, x := range xs {
		b.Float(x)
	}
	for _, i := range copies {
		b.Float(xs[i])
	}
	return b.accessor(start, len(xs)+len(copies), 1)
}

// triples adds vectors of a vertex, turned to Y up.
func (b *builder) triples(xs []float32, copies []int32) int {
	start := len(b.Bin)
	put := func(v int) {
		b.Float(xs[3*v])
		b.Float(xs[3*v+2])
		b.Float(0 - xs[3*v+1])
	}
	for v := range len(xs) / 3 {
		put(v)
	}
	for _, v := range copies {
		put(int(v))
	}
	return b.accessor(start, len(xs)/3+len(copies), 3)
}

// ids adds the number of each vertex, then those of the copies.
func (b *builder) ids(n int, copies []int32) int {
	start := len(b.Bin)
	for i := range n {
		b.Float(float32(i))
	}
	for _, i := range copies {
		b.Float(float32(i))
	}
	return b.accessor(start, n+len(copies), 1)
}

func (b *builder) indices(tri [][3]int32) int {
	start := len(b.Bin)
	for _, t := range tri {
		for _, v := range t {
			b.Uint(uint32(v))
		}
	}
	return b.Accessor(start, 3*len(tri), 1, gltf.Uint, gltf.ElementBuffer)
}

// glb returns the file. All parts of the binary chunk are multiples of 4 bytes.
func (b *builder) glb() ([]byte, error) {
	b.doc.Accessors, b.doc.BufferViews = b.Accessors, b.BufferViews
	if len(b.Bin) > 0 {
		b.doc.Buffers = []gltf.Buffer{{ByteLength: len(b.Bin)}}
	}
	text, err := gltf.Text(b.doc)
	if err != nil {
		return nil, err
	}
	size := gltf.FileSize(int64(len(text)), int64(len(b.Bin)))
	if size > gltf.MaxSize {
		return nil, fmt.Errorf("the frame has %d bytes, and a .glb file can hold no more than 4 GiB", size)
	}
	out := gltf.AppendHead(make([]byte, 0, size), text, int64(len(b.Bin)))
	return append(out, b.Bin...), nil
}

// glbData is a .glb file taken apart.
type glbData struct {
	doc frameDoc
	bin []byte
}

var errNotGLB = errors.New("it is not binary glTF 2")

// splitGLB takes a file apart into its JSON and its binary chunk.
func splitGLB(data []byte) (*glbData, error) {
	if len(data) < gltf.HeadSize {
		return nil, errNotGLB
	}
	magic, version, length := gltf.ReadHead(data)
	if magic != gltf.Magic || version != gltf.Version {
		return nil, errNotGLB
	}
	if length != int64(len(data)) {
		return nil, fmt.Errorf("it announces %d bytes and has %d", length, len(data))
	}
	text, rest, err := chunk(data[gltf.HeadSize:], gltf.ChunkJSON)
	if err != nil {
		return nil, err
	}
	d := &glbData{}
	if len(rest) > 0 {
		if d.bin, rest, err = chunk(rest, gltf.ChunkBIN); err != nil {
			return nil, err
		}
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("it has %d bytes after its last chunk", len(rest))
	}
	return d, json.Unmarshal(text, &d.doc)
}

func chunk(data []byte, kind uint32) (body, rest []byte, err error) {
	if len(data) < gltf.ChunkHeadSize {
		return nil, nil, lacksChunk(kind)
	}
	n, is := gltf.ReadChunkHead(data)
	if is != kind {
		return nil, nil, lacksChunk(kind)
	}
	if n > int64(len(data)-gltf.ChunkHeadSize) {
		return nil, nil, fmt.Errorf("a chunk of %d bytes is cut short", n)
	}
	return data[gltf.ChunkHeadSize : gltf.ChunkHeadSize+n], data[gltf.ChunkHeadSize+n:], nil
}

func lacksChunk(kind uint32) error { return fmt.Errorf("it lacks a chunk of type %#x", kind) }

// access returns the bytes of an accessor of the given kind, width numbers of 4 bytes a piece.
func (d *glbData) access(i, component int, kind string, width int) ([]byte, error) {
	if i < 0 || i >= len(d.doc.Accessors) {
		return nil, fmt.Errorf("accessor %d does not exist", i)
	}
	a := &d.doc.Accessors[i]
	view := gltf.OrZero(a.BufferView)
	if a.ComponentType != component || a.Type != kind || view < 0 || view >= len(d.doc.BufferViews) {
		return nil, fmt.Errorf("accessor %d is not of type %s %d", i, kind, component)
	}
	v := &d.doc.BufferViews[view]
	offset := gltf.OrZero(v.ByteOffset)
	if offset < 0 || offset > len(d.bin) || v.ByteLength < 0 || v.ByteLength > len(d.bin)-offset ||
		v.ByteLength%(4*width) != 0 || a.Count != v.ByteLength/(4*width) {
		return nil, fmt.Errorf("accessor %d is out of range", i)
	}
	return d.bin[offset : offset+v.ByteLength], nil
}

func floatAt(b []byte, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
}

func (d *glbData) vectors(i int) ([]r3.Vec, error) {
	b, err := d.access(i, gltf.Float, "VEC3", 3)
	if err != nil {
		return nil, err
	}
	vs := make([]r3.Vec, len(b)/12)
	for j := range vs {
		x, y, z := floatAt(b, 3*j), floatAt(b, 3*j+1), floatAt(b, 3*j+2)
		vs[j] = r3.V(float64(x), 0-float64(z), float64(y))
	}
	return vs, nil
}

func (d *glbData) points(i int) ([]r3.Vec2, error) {
	b, err := d.access(i, gltf.Float, "VEC2", 2)
	if err != nil {
		return nil, err
	}
	ps := make([]r3.Vec2, len(b)/8)
	for j := range ps {
		ps[j] = r3.Vec2{X: float64(floatAt(b, 2*j)), Y: 1 - float64(floatAt(b, 2*j+1))}
	}
	return ps, nil
}

func (d *glbData) numbers(i int) ([]float32, error) {
	b, err := d.access(i, gltf.Float, "SCALAR", 1)
	if err != nil {
		return nil, err
	}
	xs := make([]float32, len(b)/4)
	for j := range xs {
		xs[j] = floatAt(b, j)
	}
	return xs, nil
}

// width returns how many numbers an entry has: 3 for vectors, else 1.
func (d *glbData) width(i int) int {
	if i >= 0 && i < len(d.doc.Accessors) && d.doc.Accessors[i].Type == "VEC3" {
		return 3
	}
	return 1
}

// triples returns vectors with Z up.
func (d *glbData) triples(i int) ([]float32, error) {
	b, err := d.access(i, gltf.Float, "VEC3", 3)
	if err != nil {
		return nil, err
	}
	xs := make([]float32, len(b)/4)
	for j := 0; j < len(xs); j += 3 {
		xs[j], xs[j+1], xs[j+2] = floatAt(b, j), 0-floatAt(b, j+2), floatAt(b, j+1)
	}
	return xs, nil
}

func (d *glbData) indices(i int) ([][3]int32, error) {
	b, err := d.access(i, gltf.Uint, "SCALAR", 1)
	if err != nil {
		return nil, err
	}
	if len(b)%12 != 0 {
		return nil, fmt.Errorf("accessor %d does not hold whole triangles", i)
	}
	tri := make([][3]int32, len(b)/12)
	for j := range tri {
		for k := range 3 {
			tri[j][k] = int32(binary.LittleEndian.Uint32(b[12*j+4*k:]))
		}
	}
	return tri, nil
}

func sortedKeys(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// mesh adds a mesh and returns its number.
func (b *builder) mesh(m frameMesh) int {
	b.doc.Meshes = append(b.doc.Meshes, m)
	return len(b.doc.Meshes) - 1
}

// node adds a node to the scene.
func (b *builder) node(n frameNode) {
	b.doc.Scenes[0].Nodes = append(b.doc.Scenes[0].Nodes, len(b.doc.Nodes))
	b.doc.Nodes = append(b.doc.Nodes, n)
}
