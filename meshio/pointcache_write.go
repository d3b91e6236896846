package meshio

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/r3"
)

// Validate lists what keeps the header from being written in a format.
func (h *CacheHeader) Validate(format CacheFormat) error {
	var faults []string
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if h.Points < 1 || h.Points > maxVertices {
		add("%d points, there must be 1 to %d", h.Points, maxVertices)
	}
	if h.Frames < 1 || h.Frames > math.MaxInt32 {
		add("%d frames, there must be 1 to %d", h.Frames, math.MaxInt32)
	}
	if format == PC2 && !finite32(float32(h.First)) {
		add("First is %v, it must be a number of a frame", h.First)
	}
	if step := float32(h.Step); format == PC2 && (!(step > 0) || !finite32(step)) {
		add("Step is %v, it must be a positive number of frames", h.Step)
	}
	if format == MDD {
		if len(h.Times) != h.Frames {
			add("%d times for %d frames", len(h.Times), h.Frames)
		}
		for i, t := range h.Times {
			if !finite32(float32(t)) {
				add("the time of frame %d is %v", i, t)
				break
			}
		}
	}
	return joinFaults("point cache", faults)
}

// WritePointCache writes a point cache. It calls frame for each frame in order, which puts the positions
// [m], Z-up, into out, and keeps one frame in memory. The same frames give the same bytes.
func WritePointCache(w io.Writer, format CacheFormat, h CacheHeader, opt WriteOptions, frame func(i int, out []r3.Vec) error) error {
	if format > MDD {
		return fmt.Errorf("meshio: cannot write %v", format)
	}
	if err := opt.Validate(); err != nil {
		return err
	}
	if err := h.Validate(format); err != nil {
		return err
	}
	if _, err := w.Write(appendCacheHeader(nil, format, &h)); err != nil {
		return err
	}
	var order binary.AppendByteOrder = binary.LittleEndian
	if format == MDD {
		order = binary.BigEndian
	}
	fr := frameOf(OBJ, opt.Up, opt.Unit) // Z-up if not told otherwise, as an OBJ file
	out := make([]r3.Vec, h.Points)
	data := make([]byte, 0, pointSize*h.Points)
	for i := range h.Frames {
		if err := frame(i, out); err != nil {
			return err
		}
		data = data[:0]
		for k, p := range out {
			q := fr.toFile(p)
			if !(q.MaxAbs() <= math.MaxFloat32) {
				return fmt.Errorf("meshio: point %d of frame %d at %v cannot be written in single precision", k, i, p)
			}
			data = appendFloat(data, order, q.X)
			data = appendFloat(data, order, q.Y)
			data = appendFloat(data, order, q.Z)
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	return nil
}

// WritePointCacheFile writes a point cache to a file whose extension names its format. The file is
// complete or absent.
func WritePointCacheFile(path string, h CacheHeader, opt WriteOptions, frame func(i int, out []r3.Vec) error) error {
	format, err := CacheFormatOf(path)
	if err != nil {
		return err
	}
	return disk.WriteFile(path, func(w io.Writer) error { return WritePointCache(w, format, h, opt, frame) })
}

func appendCacheHeader(b []byte, format CacheFormat, h *CacheHeader) []byte {
	if format == MDD {
		order := binary.BigEndian
		b = order.AppendUint32(b, uint32(h.Frames))
		b = order.AppendUint32(b, uint32(h.Points))
		for _, t := range h.Times {
			b = appendFloat(b, order, t)
		}
		return b
	}
	order := binary.LittleEndian
	b = append(b, pc2Magic...)
	b = order.AppendUint32(b, 1)
	b = order.AppendUint32(b, uint32(h.Points))
	b = appendFloat(b, order, h.First)
	b = appendFloat(b, order, h.Step)
	return order.AppendUint32(b, uint32(h.Frames))
}

func appendFloat(b []byte, order binary.AppendByteOrder, x float64) []byte {
	return order.AppendUint32(b, math.Float32bits(float32(x)))
}
