package pointcache

import (
	"fmt"
	"io"
	"math"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/r3"
)

// Reader reads a point cache in constant memory: one frame and, if the format has them, the times. It is for one
// goroutine at a time.
type Reader struct {
	Header
	Layout *Layout
	Start  int64 // of the first frame [byte]

	file  string
	r     io.ReaderAt
	frame model.Frame
	data  []byte // of one frame
}

// NewReader reads the head of a point cache from r, which has size bytes. The name of the file is for errors.
func NewReader(r io.ReaderAt, size int64, file string, layout *Layout, frame model.Frame) (*Reader, error) {
	c := &Reader{Layout: layout, file: file, r: r, frame: frame}
	if err := layout.Read(c, size); err != nil {
		return nil, err
	}
	need := c.Start + int64(c.Frames)*c.frameSize()
	if size < need {
		whole := max(0, size-c.Start) / c.frameSize()
		return nil, c.Fail(
			size,
			"the file ends after %d of %d frames of %d points; it was cut short or is still being written",
			whole,
			c.Frames,
			c.Points,
		)
	}
	c.data = make([]byte, c.frameSize())
	return c, nil
}

// frameSize returns the length of a frame [byte]. With at most 2^28 points and 2^31 frames all offsets
// fit an int64.
func (c *Reader) frameSize() int64 { return pointSize * int64(c.Points) }

// Fail returns an error at a place in the file, or of all of it if that is negative.
func (c *Reader) Fail(offset int64, format string, args ...any) *model.Error {
	return &model.Error{File: c.file, Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

// ReadHead fills h with the first bytes of a file of size bytes.
func (c *Reader) ReadHead(h []byte, size int64) error {
	if size < int64(len(h)) {
		return c.Fail(size, "the file ends inside the %d bytes of the header of %v", len(h), c.Layout.Name)
	}
	return c.ReadAt(h, 0)
}

// Counts reads the numbers of points and frames at two places of the header.
func (c *Reader) Counts(h []byte, points, frames int) error {
	p, f := int32(c.Layout.Order.Uint32(h[points:])), int32(c.Layout.Order.Uint32(h[frames:]))
	if p < 1 || p > model.MaxVertices {
		return c.Fail(int64(points), "%d points; a point cache has 1 to %d", p, model.MaxVertices)
	}
	if f < 1 {
		return c.Fail(int64(frames), "%d frames; there must be one or more", f)
	}
	c.Points, c.Frames = int(p), int(f)
	return nil
}

// Float returns a number in the byte order of the format.
func (c *Reader) Float(b []byte) float32 { return math.Float32frombits(c.Layout.Order.Uint32(b)) }

// ReadAt fills b with what is at an offset.
func (c *Reader) ReadAt(b []byte, offset int64) error {
	n, err := c.r.ReadAt(b, offset)
	switch {
	case n == len(b):
		return nil
	case err == io.EOF:
		part := "the header"
		if offset >= c.Start {
			part = fmt.Sprintf("frame %d", (offset-c.Start)/c.frameSize())
		}
		return c.Fail(offset+int64(n), "the file ends inside %s, which was there when it was opened", part)
	}
	return fmt.Errorf("%s: byte %d: %w", c.file, offset, err)
}

// Frame puts the positions of frame i [m], Z-up, into out, which has room for Points of them. It panics
// if there is no such frame.
func (c *Reader) Frame(i int, out []r3.Vec) error {
	if i < 0 || i >= c.Frames || len(out) != c.Points {
		panic(fmt.Sprintf("meshio: frame %d of %d into %d of %d points", i, c.Frames, len(out), c.Points))
	}
	offset := c.Start + int64(i)*c.frameSize()
	if err := c.ReadAt(c.data, offset); err != nil {
		return err
	}
	for k := range out {
		b := c.data[pointSize*k:]
		p := r3.V(float64(c.Float(b)), float64(c.Float(b[4:])), float64(c.Float(b[8:])))
		out[k] = c.frame.FromFile(p)
		if !out[k].Finite() {
			return c.Fail(offset+int64(pointSize*k), "point %d of frame %d is at %v", k, i, p)
		}
	}
	return nil
}
