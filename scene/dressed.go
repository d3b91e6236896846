package scene

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/toile-sim/toile/r3"
)

const dressedMagic = "toile dressed 1\n"

// MarshalBinary writes where the cloths are and how they were sewn.
func (d *Dressed) MarshalBinary() ([]byte, error) {
	out := bytes.NewBufferString(dressedMagic)
	put := func(v any) { _ = binary.Write(out, binary.LittleEndian, v) } // a buffer takes everything
	put(int64(len(d.cloths)))
	for i := range d.cloths {
		c := &d.cloths[i]
		put(int64(len(c.x)))
		put(c.x)
		put(c.v)
	}
	put(int64(len(d.Sewn)))
	for _, s := range d.Sewn {
		put(int64(len(s.Cloth)))
		out.WriteString(s.Cloth)
		put([4]float64{float64(s.Steps), s.Time, s.Wide, s.Gap})
	}
	return out.Bytes(), nil
}

// errDressed says that bytes are not what MarshalBinary wrote.
var errDressed = errors.New("not the state of a dressed scene")

// UnmarshalBinary reads what MarshalBinary wrote.
func (d *Dressed) UnmarshalBinary(data []byte) error {
	if !bytes.HasPrefix(data, []byte(dressedMagic)) {
		return errDressed
	}
	in := bytes.NewReader(data[len(dressedMagic):])
	var failed error
	get := func(v any) {
		if failed == nil {
			failed = binary.Read(in, binary.LittleEndian, v)
		}
	}
	count := func(size int) int64 {
		var n int64
		get(&n)
		if n < 0 || n > int64(in.Len()/size) {
			failed = errDressed
			return 0
		}
		return n
	}
	const vector = 24
	out := Dressed{cloths: make([]worn, count(1))}
	for i := range out.cloths {
		if n := count(2 * vector); n > 0 {
			c := &out.cloths[i]
			c.x, c.v = make([]r3.Vec, n), make([]r3.Vec, n)
			get(c.x)
			get(c.v)
		}
	}
	for range count(1) {
		name := make([]byte, count(1))
		_, err := io.ReadFull(in, name)
		var v [4]float64
		get(&v)
		failed = errors.Join(failed, err)
		out.Sewn = append(out.Sewn, Sewing{string(name), int(v[0]), v[1], v[2], v[3]})
	}
	if failed != nil || in.Len() > 0 {
		return errDressed
	}
	*d = out
	return nil
}
