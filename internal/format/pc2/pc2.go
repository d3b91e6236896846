// Package pc2 lays out point caches of the format PC2 (PointCache2), which is little endian:
//
//	 0  "POINTCACHE2\0"
//	12  int32 version, 1
//	16  int32 points
//	20  float32 number of the first frame
//	24  float32 frames from one sample to the next
//	28  int32 samples
//	32  float32 x, y, z of every point of every sample
package pc2

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/pointcache"
	"github.com/toile-sim/toile/internal/format/scan"
)

const (
	magic    = "POINTCACHE2\x00"
	headSize = 32 // [byte]
)

// Layout is that of the format.
var Layout = &pointcache.Layout{Name: "PC2", Order: binary.LittleEndian, Read: read, Check: check, Append: appendHead}

func read(r *pointcache.Reader, size int64) error {
	r.Start = headSize
	var h [headSize]byte
	if err := r.ReadHead(h[:], size); err != nil {
		return err
	}
	if !bytes.Equal(h[:len(magic)], []byte(magic)) {
		return r.Fail(0, "not a PC2 file: it does not start with POINTCACHE2")
	}
	if v := int32(binary.LittleEndian.Uint32(h[12:])); v != 1 {
		return r.Fail(12, "PC2 version %d; only 1 is known", v)
	}
	r.First, r.Step = float64(r.Float(h[20:])), float64(r.Float(h[24:]))
	if !model.Finite64(r.First) {
		return r.Fail(20, "the number of the first frame is %v", r.First)
	}
	if !(r.Step > 0) || math.IsInf(r.Step, 1) {
		return r.Fail(24, "%v frames from one sample to the next; the number must be positive", r.Step)
	}
	return r.Counts(h[:], 16, 28)
}

func check(h *pointcache.Header, add func(format string, args ...any)) {
	if !model.Finite32(float32(h.First)) {
		add("First is %v, it must be a number of a frame", h.First)
	}
	if step := float32(h.Step); !(step > 0) || !model.Finite32(step) {
		add("Step is %v, it must be a positive number of frames", h.Step)
	}
}

func appendHead(b []byte, h *pointcache.Header) []byte {
	order := binary.LittleEndian
	b = append(b, magic...)
	b = order.AppendUint32(b, 1)
	b = order.AppendUint32(b, uint32(h.Points))
	b = scan.AppendFloat(b, order, h.First)
	b = scan.AppendFloat(b, order, h.Step)
	return order.AppendUint32(b, uint32(h.Frames))
}
