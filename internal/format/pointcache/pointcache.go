// Package pointcache reads and writes point caches: where the vertices of a mesh are, frame after frame, and nothing
// else. A file is a head, which each format lays out in its own way, and the frames: float32 x, y, z of every point.
//
// Every frame has the same length, so that any of them is one read at a known place. The formats say neither which way
// is up nor how long a unit is: Blender's own exporter writes MDD with Z upwards, and PC2 with Y upwards unless told
// otherwise.
//
// Bytes after the last frame are ignored. A file with fewer than the header declares is refused at once.
package pointcache

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/format/model"
)

// Header is what a point cache says of itself.
type Header struct {
	Points int
	Frames int
	First  float64   // PC2: number of the first frame, stored in single precision
	Step   float64   // PC2: frames from one sample to the next, positive, stored in single precision
	Times  []float64 // MDD: one for each frame [s], as they are in the file, in single precision
}

// Layout is how a format lays out its head.
type Layout struct {
	Name  string
	Order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}
	// Read reads the head of a file of size bytes into the reader's Header and says where it ends.
	Read func(r *Reader, size int64) error
	// Check adds what keeps a header from being written, but for numbers of points and frames.
	Check func(h *Header, add func(format string, args ...any))
	// Append writes the head.
	Append func(b []byte, h *Header) []byte
	// TimesAt is where the times of the frames are [byte]; 0 if frames are Step apart.
	TimesAt int64
}

// String returns the name of the format.
func (l *Layout) String() string { return l.Name }

// validate lists what keeps the header from being written in a format.
func (h *Header) validate(layout *Layout) error {
	var faults []string
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if h.Points < 1 || h.Points > model.MaxVertices {
		add("%d points, there must be 1 to %d", h.Points, model.MaxVertices)
	}
	if h.Frames < 1 || h.Frames > math.MaxInt32 {
		add("%d frames, there must be 1 to %d", h.Frames, math.MaxInt32)
	}
	layout.Check(h, add)
	return model.JoinFaults("point cache", faults)
}

const pointSize = 12 // [byte]
