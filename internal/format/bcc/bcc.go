// Package bcc reads and writes curves as binary curve collections.
//
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
package bcc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/r3"
)

const (
	headSize    = 64 // [byte]
	textSize    = 40 // [byte]
	numberSizes = 0x44

	pointSize = 12 // [byte]
)

func fault(offset int, format string, args ...any) *model.Error {
	return &model.Error{Offset: int64(offset), Msg: fmt.Sprintf(format, args...)}
}

// Read reads curves in the axes and unit of a frame; which way is up the file says unless it is given.
func Read(data []byte, upGiven bool, fr model.Frame) (*model.Curves, error) {
	fr, err := frameOf(data, upGiven, fr)
	if err != nil {
		return nil, err
	}
	// numbers of the head
	order := binary.LittleEndian
	count, total := order.Uint64(data[8:]), order.Uint64(data[16:])
	if count == 0 {
		return nil, fault(8, "no curves")
	}
	// Every curve has a number and at least one point, so that what is allocated is backed by bytes.
	room := uint64(len(data) - headSize)
	if count > room/(4+pointSize) || total > room/pointSize {
		return nil, fault(8, "%d curves of %d points do not fit into the %d bytes of the file", count, total, len(data))
	}
	c := &model.Curves{
		Name:   strings.ToValidUTF8(string(bytes.TrimRight(data[24:headSize], "\x00")), "?"),
		Points: make([]r3.Vec, 0, total), Counts: make([]int32, 0, count), Closed: make([]bool, 0, count),
	}
	// curves, one after the other
	at := headSize
	for k := range count {
		if len(data)-at < 4 {
			return nil, fault(at, "the file ends after %d of %d curves", k, count)
		}
		n := int64(int32(order.Uint32(data[at:])))
		closed := n < 0
		if closed {
			n = -n
		}
		// number of points, which has to fit into the file
		switch {
		case n < 2 || closed && n < 3:
			return nil, fault(at, "curve %d has %d points", k, n)
		case n > int64(len(data)-at-4)/pointSize:
			return nil, fault(at, "the file ends inside the %d points of curve %d", n, k)
		case n > int64(total)-int64(len(c.Points)):
			return nil, fault(at, "the curves have more points than the %d of the header", total)
		}
		at += 4
		// points
		for range n {
			p := fr.FromFile(point(data[at:]))
			if !p.Finite() {
				return nil, fault(at, "a point of curve %d is at %v", k, p)
			}
			c.Points = append(c.Points, p)
			at += pointSize
		}
		c.Counts, c.Closed = append(c.Counts, int32(n)), append(c.Closed, closed)
	}
	if uint64(len(c.Points)) != total {
		return nil, fault(16, "the curves have %d points, and the header says %d", len(c.Points), total)
	}
	return c, nil
}

// frameOf checks what the header says of the format.
func frameOf(data []byte, upGiven bool, fr model.Frame) (model.Frame, error) {
	switch {
	case !bytes.HasPrefix(data, []byte("BCC")):
		return model.Frame{}, fault(0, "not a BCC file: it does not start with BCC")
	case len(data) < headSize:
		return model.Frame{}, fault(len(data), "the file ends inside its header of %d bytes", headSize)
	case data[3] != numberSizes:
		integer, float := data[3]>>4, data[3]&15
		return model.Frame{}, fault(3, "integers and floats of %d and %d bytes; only 4 and 4 are read", integer, float)
	case string(data[4:6]) != "C0":
		return model.Frame{}, fault(4, "curves of type %q; only C0, uniform Catmull-Rom curves, are read", data[4:6])
	case data[6] != 3:
		return model.Frame{}, fault(6, "points of %d dimensions; only 3 are read", data[6])
	case !upGiven && data[7] != 1 && data[7] != 2:
		return model.Frame{}, fault(7, "the upward axis is %d; it must be 1 for y or 2 for z, or be given", data[7])
	}
	if !upGiven {
		fr.YUp = data[7] == 1
	}
	return fr, nil
}

func point(b []byte) r3.Vec {
	float := func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) }
	return r3.V(float(b), float(b[4:]), float(b[8:]))
}

// Bytes returns the file of curves that are valid.
func Bytes(c *model.Curves, fr model.Frame) ([]byte, error) {
	up := byte(2)
	if fr.YUp {
		up = 1
	}
	// head of the file
	order := binary.LittleEndian
	data := make([]byte, 0, headSize+4*len(c.Counts)+pointSize*len(c.Points))
	data = append(data, 'B', 'C', 'C', numberSizes, 'C', '0', 3, up)
	data = order.AppendUint64(data, uint64(len(c.Counts)))
	data = order.AppendUint64(data, uint64(len(c.Points)))
	// name, as far as there is room
	text := strings.TrimRight(c.Name[:min(textSize, len(c.Name))], "\x00")
	data = append(data, strings.ToValidUTF8(text, "")...)
	data = append(data, make([]byte, headSize-len(data))...)
	// curves: number of points, negative if closed, then the points
	far := -1
	c.Each(func(first, end int, closed bool) {
		n := int32(end - first)
		if closed {
			n = -n
		}
		data = order.AppendUint32(data, uint32(n))
		for i := first; i < end; i++ {
			q := fr.ToFile(c.Points[i])
			if !(q.MaxAbs() <= math.MaxFloat32) {
				far = i
			}
			data = scan.AppendFloat(data, order, q.X)
			data = scan.AppendFloat(data, order, q.Y)
			data = scan.AppendFloat(data, order, q.Z)
		}
	})
	// points too far away
	if far >= 0 {
		return nil, fmt.Errorf("meshio: point %d at %v cannot be written in single precision", far, c.Points[far])
	}
	return data, nil
}
