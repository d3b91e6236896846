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

// PointCacheWriter writes a point cache frame by frame, with one frame in memory.
type PointCacheWriter struct {
	w      io.Writer
	header CacheHeader
	order  binary.AppendByteOrder
	frame  frame
	done   int // frames written
	data   []byte
}

// NewPointCacheWriter writes the header of a point cache. As many frames as it announces are to follow.
func NewPointCacheWriter(w io.Writer, format CacheFormat, h CacheHeader, opt WriteOptions) (*PointCacheWriter, error) {
	if format > MDD {
		return nil, fmt.Errorf("meshio: cannot write %v", format)
	}
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if err := h.Validate(format); err != nil {
		return nil, err
	}
	if _, err := w.Write(appendCacheHeader(nil, format, &h)); err != nil {
		return nil, err
	}
	c := &PointCacheWriter{w: w, header: h, order: binary.LittleEndian, data: make([]byte, 0, pointSize*h.Points)}
	if format == MDD {
		c.order = binary.BigEndian
	}
	c.frame = frameOf(OBJ, opt.Up, opt.Unit) // Z-up if not told otherwise, as an OBJ file
	return c, nil
}

// Write writes the next frame: the positions of all points [m], Z-up.
func (c *PointCacheWriter) Write(points []r3.Vec) error {
	if len(points) != c.header.Points || c.done == c.header.Frames {
		return fmt.Errorf(
			"meshio: frame %d has %d points in a point cache of %d frames of %d points",
			c.done,
			len(points),
			c.header.Frames,
			c.header.Points,
		)
	}
	c.data = c.data[:0]
	for k, p := range points {
		q := c.frame.toFile(p)
		if !(q.MaxAbs() <= math.MaxFloat32) {
			return fmt.Errorf("meshio: point %d of frame %d at %v cannot be written in single precision", k, c.done, p)
		}
		c.data = appendFloat(c.data, c.order, q.X)
		c.data = appendFloat(c.data, c.order, q.Y)
		c.data = appendFloat(c.data, c.order, q.Z)
	}
	c.done++
	_, err := c.w.Write(c.data)
	return err
}

// WritePointCache writes a point cache. It calls frame for each frame in order, which puts the positions
// [m], Z-up, into out, and keeps one frame in memory. The same frames give the same bytes.
func WritePointCache(
	w io.Writer,
	format CacheFormat,
	h CacheHeader,
	opt WriteOptions,
	frame func(i int, out []r3.Vec) error,
) error {
	c, err := NewPointCacheWriter(w, format, h, opt)
	if err != nil {
		return err
	}
	out := make([]r3.Vec, h.Points)
	for i := range h.Frames {
		if err := frame(i, out); err != nil {
			return err
		}
		if err := c.Write(out); err != nil {
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
