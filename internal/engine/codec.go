package engine

import (
	"encoding/binary"
	"math"

	"github.com/toile-sim/toile/r3"
)

func appendInts(b []byte, vs ...int) []byte {
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}

func appendFloats(b []byte, vs ...float64) []byte {
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

func appendVecs(b []byte, vs ...r3.Vec) []byte {
	for _, v := range vs {
		b = appendFloats(b, v.X, v.Y, v.Z)
	}
	return b
}

func appendPose(b []byte, p r3.Pose) []byte {
	return appendVecs(appendFloats(b, p.R.W, p.R.X, p.R.Y, p.R.Z), p.T)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// decoder reads from the front of data and remembers that something was wrong.
type decoder struct {
	data   []byte
	failed bool
}

func (d *decoder) take(n int) []byte {
	if n > len(d.data) {
		d.failed, d.data = true, nil
		return make([]byte, 0)
	}
	head := d.data[:n]
	d.data = d.data[n:]
	return head
}

func (d *decoder) word() uint64 {
	b := d.take(8)
	if len(b) < 8 {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

// count reads an integer from 0 to limit.
func (d *decoder) count(limit int) int {
	v := d.word()
	if v > uint64(limit) {
		d.failed, d.data = true, nil
		return 0
	}
	return int(v)
}

func (d *decoder) float() float64 {
	v := math.Float64frombits(d.word())
	if math.IsNaN(v - v) {
		d.failed, d.data = true, nil
		return 0
	}
	return v
}

func (d *decoder) vec() r3.Vec { return r3.V(d.float(), d.float(), d.float()) }

func (d *decoder) vecs(n int) []r3.Vec {
	if n > len(d.data)/24 {
		d.failed, d.data = true, nil
		return nil
	}
	vs := make([]r3.Vec, n)
	for i := range vs {
		vs[i] = d.vec()
	}
	return vs
}

func (d *decoder) pose() r3.Pose {
	return r3.Pose{R: r3.Quat{W: d.float(), X: d.float(), Y: d.float(), Z: d.float()}, T: d.vec()}
}

func (d *decoder) floats(out []float64) {
	for i := range out {
		out[i] = d.float()
	}
}
