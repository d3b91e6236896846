package pointcache

import (
	"fmt"
	"io"
	"math"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/r3"
)

// Writer writes a point cache frame by frame, with one frame in memory.
type Writer struct {
	w      io.Writer
	header Header
	layout *Layout
	frame  model.Frame
	done   int // frames written
	data   []byte
}

// NewWriter writes the header of a point cache. As many frames as it announces are to follow.
func NewWriter(w io.Writer, layout *Layout, h Header, frame model.Frame) (*Writer, error) {
	if err := h.validate(layout); err != nil {
		return nil, err
	}
	if _, err := w.Write(layout.Append(nil, &h)); err != nil {
		return nil, err
	}
	return &Writer{w: w, header: h, layout: layout, frame: frame, data: make([]byte, 0, pointSize*h.Points)}, nil
}

// Write writes the next frame: the positions of all points [m], Z-up.
func (c *Writer) Write(points []r3.Vec) error {
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
		q := c.frame.ToFile(p)
		if !(q.MaxAbs() <= math.MaxFloat32) {
			return fmt.Errorf("meshio: point %d of frame %d at %v cannot be written in single precision", k, c.done, p)
		}
		c.data = scan.AppendFloat(c.data, c.layout.Order, q.X)
		c.data = scan.AppendFloat(c.data, c.layout.Order, q.Y)
		c.data = scan.AppendFloat(c.data, c.layout.Order, q.Z)
	}
	c.done++
	_, err := c.w.Write(c.data)
	return err
}
