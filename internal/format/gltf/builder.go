package gltf

import (
	"encoding/binary"
	"math"
	"strconv"
)

// Builder lays out the binary chunk and the accessors into it.
type Builder struct {
	Accessors   []Accessor
	BufferViews []BufferView
	Bin         []byte

	// ZeroOffsets writes the offsets of buffer views that begin at 0, which may be left out.
	ZeroOffsets bool
}

// Accessor ends the piece of the binary chunk begun at start, brings the chunk to a multiple of 4 bytes and returns the
// number of the accessor: so many elements of so many components.
func (b *Builder) Accessor(start, count, width, componentType, target int) int {
	for len(b.Bin)%4 != 0 {
		b.Bin = append(b.Bin, 0)
	}
	buffer, view := 0, len(b.BufferViews)
	v := BufferView{Buffer: &buffer, ByteLength: count * width * Size(componentType), Target: target}
	if start != 0 || b.ZeroOffsets {
		v.ByteOffset = &start
	}
	b.BufferViews = append(b.BufferViews, v)
	b.Accessors = append(b.Accessors, Accessor{
		BufferView: &view, ComponentType: componentType, Count: count, Type: Types[width],
	})
	return len(b.Accessors) - 1
}

// Float writes a number.
func (b *Builder) Float(x float32) {
	b.Bin = binary.LittleEndian.AppendUint32(b.Bin, math.Float32bits(x))
}

// Uint writes an index.
func (b *Builder) Uint(x uint32) { b.Bin = binary.LittleEndian.AppendUint32(b.Bin, x) }

// Ushort writes a short index.
func (b *Builder) Ushort(x uint16) { b.Bin = binary.LittleEndian.AppendUint16(b.Bin, x) }

// Brief returns the number that JSON writes with the fewest digits of those that are x in single precision.
func Brief(x float32) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64)
	if err != nil {
		panic(err) // what has just been written can be read
	}
	return y
}
