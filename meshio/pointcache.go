package meshio

import (
	"io"
	"io/fs"
	"os"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/format/caches"
	"github.com/toile-sim/toile/internal/format/pointcache"
	"github.com/toile-sim/toile/r3"
)

// CacheHeader is what a point cache says of itself.
type CacheHeader = pointcache.Header

// PointCache is a point cache that is open for reading, in constant memory: one frame and, of an MDD
// file, the times. It is for one goroutine at a time.
type PointCache struct {
	CacheHeader

	reader *pointcache.Reader
	path   string
	file   *os.File
	was    stamp // of the file when it was opened
}

// OpenPointCache opens a point cache whose extension names its format, PC2 or MDD. Of the options, Up and Unit are
// used: a cache is read frame by frame, so that there is no limit to its length.
func OpenPointCache(path string, opt ReadOptions) (*PointCache, error) {
	layout, err := caches.LayoutOf(path)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	c, err := openCacheFile(f, path, layout, opt)
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return c, nil
}

func openCacheFile(f *os.File, path string, layout *pointcache.Layout, opt ReadOptions) (*PointCache, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &Error{File: path, Offset: -1, Msg: "not a regular file"}
	}
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	r, err := pointcache.NewReader(f, info.Size(), path, layout, frameOf(false, opt.Up, opt.Unit))
	if err != nil {
		return nil, err
	}
	return &PointCache{CacheHeader: r.Header, reader: r, path: path, file: f, was: stampOf(info)}, nil
}

// Frame puts the positions of frame i [m], Z-up, into out, which has room for Points of them. It panics
// if there is no such frame.
func (c *PointCache) Frame(i int, out []r3.Vec) error {
	now, err := c.file.Stat()
	if err != nil {
		return err
	}
	if err := c.was.same(c.path, now); err != nil {
		return err
	}
	return c.reader.Frame(i, out)
}

// Close closes the file.
func (c *PointCache) Close() error { return c.file.Close() }

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

// WritePointCacheFile writes a point cache to a file whose extension names its format. It calls frame for each frame in
// order, which puts the positions [m], Z-up, into out, and keeps one frame in memory. The same frames give the same
// bytes. The file is complete or absent.
func WritePointCacheFile(path string, h CacheHeader, opt WriteOptions, frame func(i int, out []r3.Vec) error) error {
	layout, err := caches.LayoutOf(path)
	if err != nil {
		return err
	}
	return disk.WriteFile(path, func(w io.Writer) error { return writePointCache(w, layout, h, opt, frame) })
}

func writePointCache(
	w io.Writer, layout *pointcache.Layout, h CacheHeader, opt WriteOptions, frame func(i int, out []r3.Vec) error,
) error {
	if err := opt.Validate(); err != nil {
		return err
	}
	c, err := pointcache.NewWriter(w, layout, h, frameOf(false, opt.Up, opt.Unit))
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
