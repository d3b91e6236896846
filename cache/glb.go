package cache

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// The part of glTF 2.0 (Khronos specification, sections 3 and 4.4) that frames use. The asset comes
// first, because it holds the seal.

type gltfDoc struct {
	Asset       gltfAsset      `json:"asset"`
	Scene       int            `json:"scene"`
	Scenes      [1]gltfScene   `json:"scenes"`
	Nodes       []gltfNode     `json:"nodes,omitempty"`
	Meshes      []gltfMesh     `json:"meshes,omitempty"`
	Accessors   []gltfAccessor `json:"accessors,omitempty"`
	BufferViews []gltfView     `json:"bufferViews,omitempty"`
	Buffers     []gltfBuffer   `json:"buffers,omitempty"`
}

type gltfAsset struct {
	Extras    assetExtras `json:"extras"`
	Version   string      `json:"version"`
	Generator string      `json:"generator"`
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

type gltfScene struct {
	Nodes []int `json:"nodes,omitempty"`
}

type gltfNode struct {
	Name        string     `json:"name,omitempty"`
	Mesh        *int       `json:"mesh,omitempty"`
	Translation []float64  `json:"translation,omitempty"`
	Rotation    []float64  `json:"rotation,omitempty"`
	Extras      *nodeFacts `json:"extras,omitempty"`
}

// nodeFacts says what a node is, if it is no cloth.
type nodeFacts struct {
	Obstacle Kind `json:"obstacle,omitempty"` // its kind, if it is an obstacle
	Body     Kind `json:"body,omitempty"`     // its kind, if it is not
	Shape    *int `json:"shape,omitempty"`    // the number of its mesh in obstacles.glb, if it is there

	Radius float64 `json:"radius,omitempty"` // of yarns [m]
}

type gltfMesh struct {
	Name       string          `json:"name,omitempty"`
	Extras     *meshFacts      `json:"extras,omitempty"`
	Primitives []gltfPrimitive `json:"primitives"`
}

type meshFacts struct {
	Vertices int  `json:"vertices"`        // of the body; entries after these are repetitions
	Input    *int `json:"input,omitempty"` // of a cloth that is remeshed: the number of the mesh, which no node shows, with its input topology
}

type gltfPrimitive struct {
	Attributes map[string]int `json:"attributes"`
	Indices    int            `json:"indices"`
	Mode       *int           `json:"mode,omitempty"` // triangles without it
}

// primitive returns the one primitive of a mesh, which has the given mode.
func (g *gltfMesh) primitive(mode int) (*gltfPrimitive, error) {
	if len(g.Primitives) != 1 {
		return nil, fmt.Errorf("mesh %q is not of one primitive", g.Name)
	}
	p, is := &g.Primitives[0], gltfTriangles
	if p.Mode != nil {
		is = *p.Mode
	}
	if is != mode {
		return nil, fmt.Errorf("mesh %q has primitives of mode %d, not %d", g.Name, is, mode)
	}
	return p, nil
}

type gltfAccessor struct {
	BufferView    int       `json:"bufferView"`
	ComponentType int       `json:"componentType"`
	Count         int       `json:"count"`
	Type          string    `json:"type"`
	Min           []float32 `json:"min,omitempty"`
	Max           []float32 `json:"max,omitempty"`
}

type gltfView struct {
	Buffer     int `json:"buffer"`
	ByteOffset int `json:"byteOffset"`
	ByteLength int `json:"byteLength"`
	Target     int `json:"target"`
}

type gltfBuffer struct {
	ByteLength int `json:"byteLength"`
}

const (
	gltfFloat  = 5126
	gltfUint32 = 5125

	gltfLines     = 1
	gltfTriangles = 4

	gltfArrayBuffer   = 34962
	gltfElementBuffer = 34963

	glbMagic     = 0x46546C67 // "glTF"
	glbVersion   = 2
	glbJSON      = 0x4E4F534A // "JSON"
	glbBIN       = 0x004E4942 // "BIN\0"
	glbHeader    = 12
	glbChunkHead = 8
)

// builder grows a glTF document and its binary chunk.
type builder struct {
	doc *gltfDoc
	bin []byte
}

// accessor closes the numbers appended since start as a new accessor.
func (b *builder) accessor(start, count, component int, kind string, target int) int {
	b.doc.BufferViews = append(b.doc.BufferViews, gltfView{
		ByteOffset: start, ByteLength: len(b.bin) - start, Target: target,
	})
	b.doc.Accessors = append(b.doc.Accessors, gltfAccessor{
		BufferView: len(b.doc.BufferViews) - 1, ComponentType: component, Count: count, Type: kind,
	})
	return len(b.doc.Accessors) - 1
}

func (b *builder) float(x float32) {
	b.bin = binary.LittleEndian.AppendUint32(b.bin, math.Float32bits(x))
}

// turn writes a vector of the scene with Y up. It subtracts from zero, so that 0 does not become -0.
func turn(v r3.Vec) [3]float32 { return [3]float32{float32(v.X), float32(v.Z), float32(0 - v.Y)} }

// vectors adds vectors, then those of the copies; bounds are required for positions.
func (b *builder) vectors(vs []r3.Vec, copies []int32, bounds bool) (int, error) {
	start := len(b.bin)
	lo, hi := turn(vs[0]), turn(vs[0])
	put := func(v r3.Vec) bool {
		ok := true
		for k, x := range turn(v) {
			b.float(x)
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
	a := b.accessor(start, len(vs)+len(copies), gltfFloat, "VEC3", gltfArrayBuffer)
	if bounds {
		b.doc.Accessors[a].Min, b.doc.Accessors[a].Max = lo[:], hi[:]
	}
	return a, nil
}

// points adds texture points.
func (b *builder) points(uv []r3.Vec2) int {
	start := len(b.bin)
	for _, p := range uv {
		b.float(float32(p.X))
		b.float(float32(1 - p.Y))
	}
	return b.accessor(start, len(uv), gltfFloat, "VEC2", gltfArrayBuffer)
}

// numbers adds one number for each vertex, then those of the copies.
func (b *builder) numbers(xs []float32, copies []int32) int {
	start := len(b.bin)
	for _, x := range xs {
		b.float(x)
	}
	for _, i := range copies {
		b.float(xs[i])
	}
	return b.accessor(start, len(xs)+len(copies), gltfFloat, "SCALAR", gltfArrayBuffer)
}

// triples adds vectors of a vertex, turned to Y up.
func (b *builder) triples(xs []float32, copies []int32) int {
	start := len(b.bin)
	put := func(v int) {
		b.float(xs[3*v])
		b.float(xs[3*v+2])
		b.float(0 - xs[3*v+1])
	}
	for v := range len(xs) / 3 {
		put(v)
	}
	for _, v := range copies {
		put(int(v))
	}
	return b.accessor(start, len(xs)/3+len(copies), gltfFloat, "VEC3", gltfArrayBuffer)
}

// ids adds the number of each vertex, then those of the copies.
func (b *builder) ids(n int, copies []int32) int {
	start := len(b.bin)
	for i := range n {
		b.float(float32(i))
	}
	for _, i := range copies {
		b.float(float32(i))
	}
	return b.accessor(start, n+len(copies), gltfFloat, "SCALAR", gltfArrayBuffer)
}

func (b *builder) indices(tri [][3]int32) int {
	start := len(b.bin)
	for _, t := range tri {
		for _, v := range t {
			b.bin = binary.LittleEndian.AppendUint32(b.bin, uint32(v))
		}
	}
	return b.accessor(start, 3*len(tri), gltfUint32, "SCALAR", gltfElementBuffer)
}

// glb returns the file. All parts of the binary chunk are multiples of 4 bytes.
func (b *builder) glb() ([]byte, error) {
	if len(b.bin) > 0 {
		b.doc.Buffers = []gltfBuffer{{ByteLength: len(b.bin)}}
	}
	text, err := json.Marshal(b.doc)
	if err != nil {
		return nil, err
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	size := glbHeader + glbChunkHead + len(text)
	if len(b.bin) > 0 {
		size += glbChunkHead + len(b.bin)
	}
	if int64(size) > math.MaxUint32 {
		return nil, fmt.Errorf("the frame has %d bytes, and a .glb file can hold no more than 4 GiB", size)
	}
	le := binary.LittleEndian
	out := make([]byte, 0, size)
	out = le.AppendUint32(out, glbMagic)
	out = le.AppendUint32(out, glbVersion)
	out = le.AppendUint32(out, uint32(size))
	out = le.AppendUint32(out, uint32(len(text)))
	out = le.AppendUint32(out, glbJSON)
	out = append(out, text...)
	if len(b.bin) > 0 {
		out = le.AppendUint32(out, uint32(len(b.bin)))
		out = le.AppendUint32(out, glbBIN)
		out = append(out, b.bin...)
	}
	return out, nil
}

// glbData is a .glb file taken apart.
type glbData struct {
	doc gltfDoc
	bin []byte
}

func parseFrame(file string, data []byte) (*Frame, error) {
	if err := checkSeal(file, data); err != nil {
		return nil, err
	}
	d, err := splitGLB(data)
	if err != nil {
		return nil, damaged(file, "%v", err)
	}
	facts := d.doc.Asset.Extras.Toile
	if facts == nil {
		return nil, damaged(file, "it lacks asset.extras.toile")
	}
	f := &Frame{Number: facts.Frame, Time: facts.Time, Step: facts.Step, Hash: facts.Hash, shapes: facts.Obstacles}
	for i := range d.doc.Nodes {
		b, err := d.body(&d.doc.Nodes[i])
		if err != nil {
			return nil, damaged(file, "node %d: %v", i, err)
		}
		f.Bodies = append(f.Bodies, b)
	}
	return f, nil
}

// splitGLB takes a file apart into its JSON and its binary chunk.
func splitGLB(data []byte) (*glbData, error) {
	le := binary.LittleEndian
	if len(data) < glbHeader || le.Uint32(data) != glbMagic || le.Uint32(data[4:]) != glbVersion {
		return nil, fmt.Errorf("it is not binary glTF 2")
	}
	if n := le.Uint32(data[8:]); int64(n) != int64(len(data)) {
		return nil, fmt.Errorf("it announces %d bytes and has %d", n, len(data))
	}
	text, rest, err := chunk(data[glbHeader:], glbJSON)
	if err != nil {
		return nil, err
	}
	d := &glbData{}
	if len(rest) > 0 {
		if d.bin, rest, err = chunk(rest, glbBIN); err != nil {
			return nil, err
		}
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("it has %d bytes after its last chunk", len(rest))
	}
	return d, json.Unmarshal(text, &d.doc)
}

func chunk(data []byte, kind uint32) (body, rest []byte, err error) {
	le := binary.LittleEndian
	if len(data) < glbChunkHead || le.Uint32(data[4:]) != kind {
		return nil, nil, fmt.Errorf("it lacks a chunk of type %#x", kind)
	}
	n := int64(le.Uint32(data))
	if n > int64(len(data)-glbChunkHead) {
		return nil, nil, fmt.Errorf("a chunk of %d bytes is cut short", n)
	}
	return data[glbChunkHead : glbChunkHead+n], data[glbChunkHead+n:], nil
}

// access returns the bytes of an accessor of the given kind, width numbers of 4 bytes a piece.
func (d *glbData) access(i, component int, kind string, width int) ([]byte, error) {
	if i < 0 || i >= len(d.doc.Accessors) {
		return nil, fmt.Errorf("accessor %d does not exist", i)
	}
	a := &d.doc.Accessors[i]
	if a.ComponentType != component || a.Type != kind || a.BufferView < 0 || a.BufferView >= len(d.doc.BufferViews) {
		return nil, fmt.Errorf("accessor %d is not of type %s %d", i, kind, component)
	}
	v := &d.doc.BufferViews[a.BufferView]
	if v.ByteOffset < 0 || v.ByteOffset > len(d.bin) || v.ByteLength < 0 || v.ByteLength > len(d.bin)-v.ByteOffset ||
		v.ByteLength%(4*width) != 0 || a.Count != v.ByteLength/(4*width) {
		return nil, fmt.Errorf("accessor %d is out of range", i)
	}
	return d.bin[v.ByteOffset : v.ByteOffset+v.ByteLength], nil
}

func floatAt(b []byte, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
}

func (d *glbData) vectors(i int) ([]r3.Vec, error) {
	b, err := d.access(i, gltfFloat, "VEC3", 3)
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
	b, err := d.access(i, gltfFloat, "VEC2", 2)
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
	b, err := d.access(i, gltfFloat, "SCALAR", 1)
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
	b, err := d.access(i, gltfFloat, "VEC3", 3)
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
	b, err := d.access(i, gltfUint32, "SCALAR", 1)
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
