package meshio

// Point caches: where the vertices of a mesh are, frame after frame, and nothing else.
//
// PC2 (PointCache2) is little endian:
//
//	 0  "POINTCACHE2\0"
//	12  int32 version, 1
//	16  int32 points
//	20  float32 number of the first frame
//	24  float32 frames from one sample to the next
//	28  int32 samples
//	32  float32 x, y, z of every point of every sample
//
// MDD is big endian:
//
//	 0  int32 frames
//	 4  int32 points
//	 8  float32 time of each frame [s]
//	..  float32 x, y, z of every point of every frame
//
// Every frame has the same length, so that any of them is one read at a known place. Neither format
// says which way is up or how long a unit is: Blender's own exporter writes MDD with Z upwards, and PC2
// with Y upwards unless told otherwise. UpByFormat means Z for both.
//
// Bytes after the last frame are ignored. A file with fewer than the header declares is refused at once,
// and a file that changes while it is open as soon as that is seen.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/toile-sim/toile/r3"
)

// CacheFormat is a format of point caches.
type CacheFormat uint8

// The formats.
const (
	PC2 CacheFormat = iota
	MDD
)

// String returns the name of the format.
func (f CacheFormat) String() string {
	switch f {
	case PC2:
		return "PC2"
	case MDD:
		return "MDD"
	}
	return fmt.Sprintf("CacheFormat(%d)", uint8(f))
}

// CacheFormatOf returns the format that the extension of path stands for.
func CacheFormatOf(path string) (CacheFormat, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".pc2":
		return PC2, nil
	case ".mdd":
		return MDD, nil
	}
	return 0, &Error{
		File:   path,
		Offset: -1,
		Msg:    fmt.Sprintf("unknown format %q of a point cache; write .pc2 or .mdd", filepath.Ext(path)),
	}
}

// CacheHeader is what a point cache says of itself.
type CacheHeader struct {
	Points int
	Frames int
	First  float64   // PC2: number of the first frame, stored in single precision
	Step   float64   // PC2: frames from one sample to the next, positive, stored in single precision
	Times  []float64 // MDD: one for each frame [s], as they are in the file, in single precision
}

const (
	pc2Magic  = "POINTCACHE2\x00"
	pc2Header = 32 // [byte]
	mddHeader = 8  // [byte], without the times
	pointSize = 12 // [byte]
)

// PointCache is a point cache that is open for reading, in constant memory: one frame and, of an MDD
// file, the times. It is for one goroutine at a time.
type PointCache struct {
	CacheHeader
	Format CacheFormat

	file  string
	r     io.ReaderAt
	close func() error
	check func() error // that the file is as it was when it was opened; nil if there is no file
	order binary.ByteOrder
	start int64 // of the first frame [byte]
	frame frame
	data  []byte // of one frame
}

// OpenPointCache opens a point cache whose extension names its format. Of the options, Up and Unit are
// used: a cache is read frame by frame, so that there is no limit to its length.
func OpenPointCache(path string, opt ReadOptions) (*PointCache, error) {
	format, err := CacheFormatOf(path)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	c, err := openCacheFile(f, path, format, opt)
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return c, nil
}

func openCacheFile(f *os.File, path string, format CacheFormat, opt ReadOptions) (*PointCache, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &Error{File: path, Offset: -1, Msg: "not a regular file"}
	}
	c, err := newPointCache(f, info.Size(), path, format, opt)
	if err != nil {
		return nil, err
	}
	was := stampOf(info)
	c.close = f.Close
	c.check = func() error {
		now, err := f.Stat()
		if err != nil {
			return err
		}
		return was.same(path, now)
	}
	return c, nil
}

// NewPointCache reads a point cache from r, which has size bytes.
func NewPointCache(r io.ReaderAt, size int64, format CacheFormat, opt ReadOptions) (*PointCache, error) {
	return newPointCache(r, size, "", format, opt)
}

func newPointCache(r io.ReaderAt, size int64, file string, format CacheFormat, opt ReadOptions) (*PointCache, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	c := &PointCache{Format: format, file: file, r: r, frame: frame{yUp: opt.Up == UpY, unit: opt.Unit}}
	var err error
	switch format {
	case PC2:
		err = c.readPC2(size)
	case MDD:
		err = c.readMDD(size)
	default:
		return nil, fmt.Errorf("meshio: cannot read %v", format)
	}
	if err != nil {
		return nil, err
	}
	need := c.start + int64(c.Frames)*c.frameSize()
	if size < need {
		whole := max(0, size-c.start) / c.frameSize()
		return nil, c.fail(
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
func (c *PointCache) frameSize() int64 { return pointSize * int64(c.Points) }

func (c *PointCache) fail(offset int64, format string, args ...any) *Error {
	return &Error{File: c.file, Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

func (c *PointCache) readPC2(size int64) error {
	c.order, c.start = binary.LittleEndian, pc2Header
	var h [pc2Header]byte
	if err := c.readHeader(h[:], size); err != nil {
		return err
	}
	if !bytes.Equal(h[:len(pc2Magic)], []byte(pc2Magic)) {
		return c.fail(0, "not a PC2 file: it does not start with POINTCACHE2")
	}
	if v := int32(c.order.Uint32(h[12:])); v != 1 {
		return c.fail(12, "PC2 version %d; only 1 is known", v)
	}
	c.First, c.Step = float64(c.float(h[20:])), float64(c.float(h[24:]))
	if !finite64(c.First) {
		return c.fail(20, "the number of the first frame is %v", c.First)
	}
	if !(c.Step > 0) || math.IsInf(c.Step, 1) {
		return c.fail(24, "%v frames from one sample to the next; the number must be positive", c.Step)
	}
	return c.counts(h[:], 16, 28)
}

func (c *PointCache) readMDD(size int64) error {
	c.order, c.start = binary.BigEndian, mddHeader
	var h [mddHeader]byte
	if err := c.readHeader(h[:], size); err != nil {
		return err
	}
	if err := c.counts(h[:], 4, 0); err != nil {
		return err
	}
	c.start = mddHeader + 4*int64(c.Frames)
	if size < c.start {
		return c.fail(size, "the file ends inside the times of %d frames", c.Frames)
	}
	times := make([]byte, 4*c.Frames)
	if err := c.readAt(times, mddHeader); err != nil {
		return err
	}
	c.Times = make([]float64, c.Frames)
	for i := range c.Times {
		c.Times[i] = float64(c.float(times[4*i:]))
	}
	return nil
}

func (c *PointCache) readHeader(h []byte, size int64) error {
	if size < int64(len(h)) {
		return c.fail(size, "the file ends inside the %d bytes of the header of %v", len(h), c.Format)
	}
	return c.readAt(h, 0)
}

// counts reads the numbers of points and frames at two places of the header.
func (c *PointCache) counts(h []byte, points, frames int) error {
	p, f := int32(c.order.Uint32(h[points:])), int32(c.order.Uint32(h[frames:]))
	if p < 1 || p > maxVertices {
		return c.fail(int64(points), "%d points; a point cache has 1 to %d", p, maxVertices)
	}
	if f < 1 {
		return c.fail(int64(frames), "%d frames; there must be one or more", f)
	}
	c.Points, c.Frames = int(p), int(f)
	return nil
}

func (c *PointCache) float(b []byte) float32 { return math.Float32frombits(c.order.Uint32(b)) }

// readAt fills b with what is at an offset.
func (c *PointCache) readAt(b []byte, offset int64) error {
	n, err := c.r.ReadAt(b, offset)
	switch {
	case n == len(b):
		return nil
	case err == io.EOF:
		part := "the header"
		if offset >= c.start {
			part = fmt.Sprintf("frame %d", (offset-c.start)/c.frameSize())
		}
		return c.fail(offset+int64(n), "the file ends inside %s, which was there when it was opened", part)
	}
	return fmt.Errorf("%s: byte %d: %w", c.file, offset, err)
}

// Frame puts the positions of frame i [m], Z-up, into out, which has room for Points of them. It panics
// if there is no such frame.
func (c *PointCache) Frame(i int, out []r3.Vec) error {
	if i < 0 || i >= c.Frames || len(out) != c.Points {
		panic(fmt.Sprintf("meshio: frame %d of %d into %d of %d points", i, c.Frames, len(out), c.Points))
	}
	if c.check != nil {
		if err := c.check(); err != nil {
			return err
		}
	}
	offset := c.start + int64(i)*c.frameSize()
	if err := c.readAt(c.data, offset); err != nil {
		return err
	}
	for k := range out {
		b := c.data[pointSize*k:]
		p := r3.V(float64(c.float(b)), float64(c.float(b[4:])), float64(c.float(b[8:])))
		out[k] = c.frame.fromFile(p)
		if !out[k].Finite() {
			return c.fail(offset+int64(pointSize*k), "point %d of frame %d is at %v", k, i, p)
		}
	}
	return nil
}

// Close closes the file.
func (c *PointCache) Close() error {
	if c.close == nil {
		return nil
	}
	return c.close()
}

// stamp tells whether a file has been written to.
type stamp struct {
	size  int64 // [byte]
	nanos int64 // time of the last change
}

func stampOf(info fs.FileInfo) stamp { return stamp{info.Size(), info.ModTime().UnixNano()} }

// same returns an error if a file is not as it was.
func (s stamp) same(path string, now fs.FileInfo) error {
	if stampOf(now) != s {
		return &Error{File: path, Offset: -1, Msg: "the file has changed since it was opened"}
	}
	return nil
}
