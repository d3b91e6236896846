// Package mdd lays out point caches of the format MDD, which is big endian:
//
//	 0  int32 frames
//	 4  int32 points
//	 8  float32 time of each frame [s]
//	..  float32 x, y, z of every point of every frame
package mdd

import (
	"encoding/binary"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/pointcache"
	"github.com/toile-sim/toile/internal/format/scan"
)

const headSize = 8 // [byte], without the times

// Layout is that of the format.
var Layout = &pointcache.Layout{
	Name: "MDD", Order: binary.BigEndian, Read: read, Check: check, Append: appendHead, TimesAt: headSize,
}

func read(r *pointcache.Reader, size int64) error {
	r.Start = headSize
	var h [headSize]byte
	if err := r.ReadHead(h[:], size); err != nil {
		return err
	}
	if err := r.Counts(h[:], 4, 0); err != nil {
		return err
	}
	r.Start = headSize + 4*int64(r.Frames)
	if size < r.Start {
		return r.Fail(size, "the file ends inside the times of %d frames", r.Frames)
	}
	times := make([]byte, 4*r.Frames)
	if err := r.ReadAt(times, headSize); err != nil {
		return err
	}
	r.Times = make([]float64, r.Frames)
	for i := range r.Times {
		r.Times[i] = float64(r.Float(times[4*i:]))
	}
	return nil
}

func check(h *pointcache.Header, add func(format string, args ...any)) {
	if len(h.Times) != h.Frames {
		add("%d times for %d frames", len(h.Times), h.Frames)
	}
	for i, t := range h.Times {
		if !model.Finite32(float32(t)) {
			add("the time of frame %d is %v", i, t)
			break
		}
	}
}

func appendHead(b []byte, h *pointcache.Header) []byte {
	order := binary.BigEndian
	b = order.AppendUint32(b, uint32(h.Frames))
	b = order.AppendUint32(b, uint32(h.Points))
	for _, t := range h.Times {
		b = scan.AppendFloat(b, order, t)
	}
	return b
}
