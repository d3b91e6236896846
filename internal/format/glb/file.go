package glb

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/toile-sim/toile/internal/format/gltf"
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
)

// file is a GLB file taken apart.
type file struct {
	data      []byte // the whole file
	json, bin []byte // the chunks
	jsonStart int    // of json in data
	doc       document
	buffers   [][]byte

	// budget bounds the numbers that are still to be read. Accessors may be read many times,
	// by primitives and instances that cost a few bytes each; in proportion to the file they
	// cannot exhaust memory. Each primitive costs a few hundred more for its own overhead.
	budget int
}

// at returns an error at a byte of the file.
func (g *file) at(offset int, format string, args ...any) *model.Error {
	return &model.Error{Offset: int64(offset), Msg: fmt.Sprintf(format, args...)}
}

// fail returns an error at a place in the JSON chunk.
func (g *file) fail(path jsonPath, format string, args ...any) *model.Error {
	e := g.at(g.jsonStart+locate(g.json, path), format, args...)
	e.Path = path.String()
	return e
}

// spend takes n numbers from the budget.
func (g *file) spend(n int, path jsonPath) *model.Error {
	if n > g.budget {
		return g.fail(
			path,
			"the file repeats its data too often: it would grow out of proportion to its %d bytes",
			len(g.data),
		)
	}
	g.budget -= n
	return nil
}

// open checks the container, decodes the JSON and finds the buffers.
func open(data []byte) (*file, *model.Error) {
	// chunks of the container
	g := &file{data: data, budget: 1<<22 + 16*len(data)}
	if err := g.readChunks(); err != nil {
		return nil, err
	}
	// JSON, with the place of a mistake in it
	if err := json.Unmarshal(g.json, &g.doc); err != nil {
		e := g.at(g.jsonStart, "the JSON chunk: %v", err)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			e.Offset += syntax.Offset
		}
		return nil, e
	}
	// versions and extensions
	if v := g.doc.Asset.Version; v != "2" && !strings.HasPrefix(v, "2.") {
		return nil, g.fail(jsonPath{"asset", "version"}, "glTF version %q; only 2 is known", v)
	}
	for i, x := range g.doc.ExtensionsRequired {
		if !harmlessExtension(x) {
			return nil, g.fail(
				jsonPath{"extensionsRequired", i},
				"extension %s is required and not known; export without compression or instancing",
				x,
			)
		}
	}
	// bytes of the buffers
	for i := range g.doc.Buffers {
		b, err := g.openBuffer(i)
		if err != nil {
			return nil, err
		}
		g.buffers = append(g.buffers, b)
	}
	return g, nil
}

// harmlessExtension reports whether an extension leaves geometry alone, or is known here.
func harmlessExtension(name string) bool {
	return name == "KHR_mesh_quantization" || name == "KHR_texture_transform" || name == "KHR_lights_punctual" ||
		strings.HasPrefix(name, "KHR_materials_") || strings.HasPrefix(name, "KHR_texture_") ||
		strings.HasPrefix(name, "EXT_texture_")
}

func (g *file) readChunks() *model.Error {
	// head of the container
	data := g.data
	if len(data) < gltf.HeadSize {
		return g.at(len(data), "the file ends inside the 12 bytes of the GLB header")
	}
	magic, version, length := gltf.ReadHead(data)
	if magic != gltf.Magic {
		return g.at(0, "not a GLB file: it does not begin with \"glTF\"")
	}
	if version != gltf.Version {
		return g.at(4, "GLB version %d; only 2 is known", version)
	}
	if length > int64(len(data)) || length < gltf.HeadSize {
		return g.at(8, "the header declares %d bytes, but the file has %d", length, len(data))
	}
	// chunks, one after the other
	for pos, k := gltf.HeadSize, 0; pos < int(length); k++ {
		if int(length)-pos < gltf.ChunkHeadSize {
			return g.at(pos, "the file ends inside a chunk header")
		}
		size, kind := gltf.ReadChunkHead(data[pos:])
		if size > length-int64(pos)-8 {
			return g.at(pos, "the chunk declares %d bytes, but %d are left", size, length-int64(pos)-8)
		}
		body := data[pos+8 : pos+8+int(size)]
		// JSON first, then binary data; others are skipped
		switch {
		case k == 0 && kind != gltf.ChunkJSON:
			return g.at(pos+4, "the first chunk is not JSON")
		case k == 0 && size > maxJSON:
			return g.at(pos, "the JSON chunk has %d bytes, more than the limit of %d", size, maxJSON)
		case k == 0:
			g.json, g.jsonStart = body, pos+8
		case k == 1 && kind == gltf.ChunkBIN:
			g.bin = body
		}
		pos += 8 + int(size)
	}
	if g.json == nil {
		return g.at(12, "the file has no JSON chunk")
	}
	return nil
}

// openBuffer returns the bytes of a buffer: the binary chunk or a data URI, never another file.
func (g *file) openBuffer(i int) ([]byte, *model.Error) {
	b := g.doc.Buffers[i]
	path := jsonPath{"buffers", i}
	body := g.bin
	// binary chunk, unless the buffer says otherwise
	switch {
	case b.URI == "" && (i > 0 || g.bin == nil):
		return nil, g.fail(path, "the buffer has no data: no uri and no binary chunk for it")
	case b.URI == "":
	// bytes in the JSON, as text
	case strings.HasPrefix(b.URI, "data:"):
		_, text, ok := strings.Cut(b.URI, ";base64,")
		if !ok {
			return nil, g.fail(path.with("uri"), "the data URI is not in base64")
		}
		var err error
		if body, err = base64.StdEncoding.DecodeString(text); err != nil {
			return nil, g.fail(path.with("uri"), "the data URI: %v", err)
		}
	default:
		return nil, g.fail(
			path.with("uri"),
			"the buffer is in another file, %q; export everything into one .glb",
			scan.Clip([]byte(b.URI)),
		)
	}
	// as many bytes as declared
	if b.ByteLength < 0 || b.ByteLength > len(body) {
		return nil, g.fail(path.with("byteLength"), "%d bytes are declared, but %d are there", b.ByteLength, len(body))
	}
	return body[:b.ByteLength], nil
}

// view returns count elements of size bytes, the first at offset in buffer view i, and the
// distance between them.
func (g *file) view(i *int, offset, count, size int, from jsonPath) ([]byte, int, *model.Error) {
	// buffer view
	if i == nil || *i < 0 || *i >= len(g.doc.BufferViews) {
		return nil, 0, g.fail(
			from.with("bufferView"),
			"there is no such buffer view; the file has %d",
			len(g.doc.BufferViews),
		)
	}
	// buffer that it lies in
	v := g.doc.BufferViews[*i]
	path := jsonPath{"bufferViews", *i}
	if v.Buffer == nil || *v.Buffer < 0 || *v.Buffer >= len(g.buffers) {
		return nil, 0, g.fail(path.with("buffer"), "there is no such buffer; the file has %d", len(g.buffers))
	}
	buffer := g.buffers[*v.Buffer]
	start := gltf.OrZero(v.ByteOffset)
	if start < 0 || v.ByteLength < 0 || start > len(buffer) || v.ByteLength > len(buffer)-start {
		return nil, 0, g.fail(path, "bytes %d+%d are outside the buffer of %d", start, v.ByteLength, len(buffer))
	}
	// distance between elements
	stride := size
	if v.ByteStride != 0 {
		stride = v.ByteStride
	}
	if stride < size || stride > 1<<16 {
		return nil, 0, g.fail(path.with("byteStride"), "a stride of %d for elements of %d bytes", stride, size)
	}
	// elements that fit into the view
	data := buffer[start : start+v.ByteLength]
	if offset < 0 || offset > len(data) ||
		count > 0 && (len(data)-offset < size || count-1 > (len(data)-offset-size)/stride) {
		return nil, 0, g.fail(
			from,
			"%d elements of %d bytes from byte %d on run over the end of the buffer view of %d bytes",
			count,
			stride,
			offset,
			len(data),
		)
	}
	return data[offset:], stride, nil
}

// accessor checks an accessor and returns it with its component size and width.
func (g *file) accessor(i int, from jsonPath) (a *gltf.Accessor, path jsonPath, size, width int, err *model.Error) {
	if i < 0 || i >= len(g.doc.Accessors) {
		return nil, nil, 0, 0, g.fail(from, "there is no accessor %d; the file has %d", i, len(g.doc.Accessors))
	}
	a, path = &g.doc.Accessors[i], jsonPath{"accessors", i}
	// type of components, and how many make an element
	if size = gltf.Size(a.ComponentType); size == 0 {
		return nil, nil, 0, 0, g.fail(path.with("componentType"), "unknown component type %d", a.ComponentType)
	}
	for w, name := range gltf.Types {
		if w > 0 && a.Type == name {
			width = w
		}
	}
	if width == 0 {
		return nil, nil, 0, 0, g.fail(
			path.with("type"),
			"type %q; a mesh needs SCALAR or VEC2 to VEC4",
			scan.Clip([]byte(a.Type)),
		)
	}
	// number of elements
	if a.Count < 1 || a.Count > model.MaxVertices {
		return nil, nil, 0, 0, g.fail(
			path.with("count"),
			"a count of %d; it must be from 1 to %d",
			a.Count,
			model.MaxVertices,
		)
	}
	// Not in the standard, which lets zeros come from nowhere: they may not outnumber the file.
	if a.BufferView == nil && a.Count > len(g.data) {
		return nil, nil, 0, 0, g.fail(
			path.with("count"),
			"%d elements without a buffer view in a file of %d bytes",
			a.Count,
			len(g.data),
		)
	}
	return a, path, size, width, g.spend(a.Count*width, path)
}

// floats reads an accessor as single-precision numbers; normalized integers become 0..1 or -1..1.
func (g *file) floats(i int, from jsonPath) (out []float32, width int, err *model.Error) {
	// how many numbers, and of which type
	a, path, size, width, err := g.accessor(i, from)
	if err != nil {
		return nil, 0, err
	}
	if a.ComponentType == gltf.Uint {
		return nil, 0, g.fail(path.with("componentType"), "32-bit integers are for indices only")
	}
	// where they are, if anywhere
	var data []byte
	stride := 0
	if a.BufferView != nil {
		if data, stride, err = g.view(a.BufferView, a.ByteOffset, a.Count, size*width, path); err != nil {
			return nil, 0, err
		}
	}
	// zero where there is no data
	out = make([]float32, a.Count*width)
	if a.BufferView != nil {
		for k := 0; k < a.Count; k++ {
			readComponents(out[k*width:(k+1)*width], data[k*stride:], a, size)
		}
	}
	// elements that are replaced
	if a.Sparse != nil {
		if err := g.sparse(out, a, path, size, width); err != nil {
			return nil, 0, err
		}
	}
	// finite numbers only
	for k, x := range out {
		if !model.Finite32(x) {
			return nil, 0, g.fail(path, "element %d is %v", k/width, x)
		}
	}
	return out, width, nil
}

func readComponents(out []float32, b []byte, a *gltf.Accessor, size int) {
	for c := range out {
		p := b[c*size:]
		switch a.ComponentType {
		case gltf.Float:
			out[c] = math.Float32frombits(binary.LittleEndian.Uint32(p))
		case gltf.Byte:
			out[c] = unpack(float32(int8(p[0])), 127, a.Normalized)
		case gltf.Ubyte:
			out[c] = unpack(float32(p[0]), 255, a.Normalized)
		case gltf.Short:
			out[c] = unpack(float32(int16(binary.LittleEndian.Uint16(p))), 32767, a.Normalized)
		case gltf.Ushort:
			out[c] = unpack(float32(binary.LittleEndian.Uint16(p)), 65535, a.Normalized)
		}
	}
}

// unpack is the decoding of normalized integers, [Khronos21] §3.11.
func unpack(x, top float32, normalized bool) float32 {
	if normalized {
		return max(x/top, -1)
	}
	return x
}

// sparse replaces some elements of out.
func (g *file) sparse(out []float32, a *gltf.Accessor, path jsonPath, size, width int) *model.Error {
	// how many elements are replaced
	s := a.Sparse
	path = path.with("sparse")
	if s.Count < 1 || s.Count > a.Count {
		return g.fail(path.with("count"), "%d replacements for %d elements", s.Count, a.Count)
	}
	// values and the elements they are for
	values, stride, err := g.view(s.Values.BufferView, s.Values.ByteOffset, s.Count, size*width, path.with("values"))
	if err != nil {
		return err
	}
	where, err := g.integers(
		s.Indices.BufferView,
		s.Indices.ByteOffset,
		s.Indices.ComponentType,
		s.Count,
		path.with("indices"),
	)
	if err != nil {
		return err
	}
	// each element at most once, in ascending order
	for k, i := range where {
		if int64(i) >= int64(a.Count) || k > 0 && i <= where[k-1] {
			return g.fail(
				path.with("indices"),
				"replacement %d is for element %d of %d; they must ascend",
				k,
				i,
				a.Count,
			)
		}
		readComponents(out[int(i)*width:int(i+1)*width], values[k*stride:], a, size)
	}
	return nil
}

// integers reads unsigned integers of any size.
func (g *file) integers(view *int, offset, componentType, count int, path jsonPath) ([]uint32, *model.Error) {
	size := map[int]int{gltf.Ubyte: 1, gltf.Ushort: 2, gltf.Uint: 4}[componentType]
	if size == 0 {
		return nil, g.fail(
			path.with("componentType"),
			"component type %d; indices are unsigned integers",
			componentType,
		)
	}
	data, stride, err := g.view(view, offset, count, size, path)
	if err != nil {
		return nil, err
	}
	out := make([]uint32, count)
	for k := range out {
		p := data[k*stride:]
		switch size {
		case 1:
			out[k] = uint32(p[0])
		case 2:
			out[k] = uint32(binary.LittleEndian.Uint16(p))
		case 4:
			out[k] = binary.LittleEndian.Uint32(p)
		}
	}
	return out, nil
}
