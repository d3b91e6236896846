package meshio

// BCC (binary curve collection) is the format of Cem Yuksel's yarn-level cloth models. It is described at
// https://www.cemyuksel.com/research/yarnmodels and, with a struct of its header, at
// https://www.cemyuksel.com/cyCodeBase/soln/using_bcc_files.html. It is little endian:
//
//	 0  "BCC"
//	 3  sizes of integers and of floats [byte], in the high and the low half: 0x44
//	 4  "C0": Catmull-Rom curves with uniform parameters
//	 6  dimensions, 3
//	 7  axis that points upwards: 1 is y, 2 is z
//	 8  uint64 curves
//	16  uint64 control points of all curves
//	24  40 bytes of text
//	64  for each curve int32 its control points, negative if it is closed, and float32 x, y, z of each
//
// Other sizes, curves and dimensions are refused. Bytes after the last curve are ignored. The unit is not stated.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/r3"
)

const (
	bccHeader = 64 // [byte]
	bccText   = 40 // [byte]
	bccSizes  = 0x44
)

// ReadBCC reads curves. UpByFormat takes the upward axis from the file; of the other options Unit and MaxBytes are
// used.
func ReadBCC(r io.Reader, opt ReadOptions) (*Curves, error) { return readBCC(r, 0, "", opt) }

// ReadBCCFile reads the curves in a file.
func ReadBCCFile(path string, opt ReadOptions) (*Curves, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	return readBCC(f, size, path, opt)
}

func readBCC(r io.Reader, size int64, file string, opt ReadOptions) (*Curves, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	data, err := readAll(r, size, opt.MaxBytes)
	var curves *Curves
	if err == nil {
		curves, err = parseBCC(data, opt)
	}
	if e, ok := err.(*Error); ok {
		e.File = file
	}
	if err != nil {
		return nil, err
	}
	return curves, nil
}

func bccFault(offset int, format string, args ...any) *Error {
	return &Error{Offset: int64(offset), Msg: fmt.Sprintf(format, args...)}
}

func parseBCC(data []byte, opt ReadOptions) (*Curves, error) {
	fr, err := bccFrame(data, opt)
	if err != nil {
		return nil, err
	}
	order := binary.LittleEndian
	count, total := order.Uint64(data[8:]), order.Uint64(data[16:])
	if count == 0 {
		return nil, bccFault(8, "no curves")
	}
	// Every curve has a number and at least one point, so that what is allocated is backed by bytes.
	room := uint64(len(data) - bccHeader)
	if count > room/(4+pointSize) || total > room/pointSize {
		return nil, bccFault(8, "%d curves of %d points do not fit into the %d bytes of the file", count, total, len(data))
	}
	c := &Curves{
		Name:   strings.ToValidUTF8(string(bytes.TrimRight(data[24:bccHeader], "\x00")), "?"),
		Points: make([]r3.Vec, 0, total), Counts: make([]int32, 0, count), Closed: make([]bool, 0, count),
	}
	at := bccHeader
	for k := range count {
		if len(data)-at < 4 {
			return nil, bccFault(at, "the file ends after %d of %d curves", k, count)
		}
		n := int64(int32(order.Uint32(data[at:])))
		closed := n < 0
		if closed {
			n = -n
		}
		switch {
		case n < 2 || closed && n < 3:
			return nil, bccFault(at, "curve %d has %d points", k, n)
		case n > int64(len(data)-at-4)/pointSize:
			return nil, bccFault(at, "the file ends inside the %d points of curve %d", n, k)
		case n > int64(total)-int64(len(c.Points)):
			return nil, bccFault(at, "the curves have more points than the %d of the header", total)
		}
		at += 4
		for range n {
			p := fr.fromFile(bccPoint(data[at:]))
			if !p.Finite() {
				return nil, bccFault(at, "a point of curve %d is at %v", k, p)
			}
			c.Points = append(c.Points, p)
			at += pointSize
		}
		c.Counts, c.Closed = append(c.Counts, int32(n)), append(c.Closed, closed)
	}
	if uint64(len(c.Points)) != total {
		return nil, bccFault(16, "the curves have %d points, and the header says %d", len(c.Points), total)
	}
	return c, nil
}

// bccFrame checks what the header says of the format.
func bccFrame(data []byte, opt ReadOptions) (frame, error) {
	switch {
	case !bytes.HasPrefix(data, []byte("BCC")):
		return frame{}, bccFault(0, "not a BCC file: it does not start with BCC")
	case len(data) < bccHeader:
		return frame{}, bccFault(len(data), "the file ends inside its header of %d bytes", bccHeader)
	case data[3] != bccSizes:
		return frame{}, bccFault(3, "integers and floats of %d and %d bytes; only 4 and 4 are read", data[3]>>4, data[3]&15)
	case string(data[4:6]) != "C0":
		return frame{}, bccFault(4, "curves of type %q; only C0, uniform Catmull-Rom curves, are read", data[4:6])
	case data[6] != 3:
		return frame{}, bccFault(6, "points of %d dimensions; only 3 are read", data[6])
	case opt.Up == UpByFormat && data[7] != 1 && data[7] != 2:
		return frame{}, bccFault(7, "the upward axis is %d; it must be 1 for y or 2 for z, or be given", data[7])
	}
	return frame{yUp: opt.Up == UpY || opt.Up == UpByFormat && data[7] == 1, unit: opt.Unit}, nil
}

func bccPoint(b []byte) r3.Vec {
	float := func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) }
	return r3.V(float(b), float(b[4:]), float(b[8:]))
}

// WriteBCC writes curves, in single precision, with as much of their name as a BCC file takes. UpByFormat is z; of the
// other options Unit is used. The same curves and options give the same bytes.
func WriteBCC(w io.Writer, c *Curves, opt WriteOptions) error {
	if err := opt.Validate(); err != nil {
		return err
	}
	if err := c.Validate(); err != nil {
		return err
	}
	fr, up := frame{yUp: opt.Up == UpY, unit: opt.Unit}, byte(2)
	if fr.yUp {
		up = 1
	}
	order := binary.LittleEndian
	data := make([]byte, 0, bccHeader+4*len(c.Counts)+pointSize*len(c.Points))
	data = append(data, 'B', 'C', 'C', bccSizes, 'C', '0', 3, up)
	data = order.AppendUint64(data, uint64(len(c.Counts)))
	data = order.AppendUint64(data, uint64(len(c.Points)))
	text := strings.TrimRight(c.Name[:min(bccText, len(c.Name))], "\x00")
	data = append(data, strings.ToValidUTF8(text, "")...)
	data = append(data, make([]byte, bccHeader-len(data))...)
	far := -1
	c.Each(func(first, end int, closed bool) {
		n := int32(end - first)
		if closed {
			n = -n
		}
		data = order.AppendUint32(data, uint32(n))
		for i := first; i < end; i++ {
			q := fr.toFile(c.Points[i])
			if !(q.MaxAbs() <= math.MaxFloat32) {
				far = i
			}
			data = appendFloat(data, order, q.X)
			data = appendFloat(data, order, q.Y)
			data = appendFloat(data, order, q.Z)
		}
	})
	if far >= 0 {
		return fmt.Errorf("meshio: point %d at %v cannot be written in single precision", far, c.Points[far])
	}
	_, err := w.Write(data)
	return err
}

// WriteBCCFile writes curves to a file. The file is complete or absent.
func WriteBCCFile(path string, c *Curves, opt WriteOptions) error {
	return disk.WriteFile(path, func(w io.Writer) error { return WriteBCC(w, c, opt) })
}
