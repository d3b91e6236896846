package yarn

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// state returns all that later forces depend on, other than positions and velocities: contact sets with their springs
// and models. The schedule is not in it, because it finds the same contacts whenever it begins.
func (c *contacts) state() []byte {
	w := &stateCoder{writing: true}
	c.code(w)
	return w.data
}

// setState takes what state returned, of contacts between the same yarns with the same options. On error nothing is
// known of earlier contacts.
func (c *contacts) setState(data []byte) error {
	c.reset()
	before := *c.material
	c.material.arc, c.material.rest = slices.Clone(before.arc), slices.Clone(before.rest)
	r := &stateCoder{data: data}
	c.code(r)
	if r.failed || len(r.data) != 0 {
		*c.material = before
		c.reset()
		return errors.New("yarn: not a state of contacts between these yarns")
	}
	return nil
}

// stateCoder writes values to bytes, or reads them in the same order.
type stateCoder struct {
	data    []byte
	writing bool
	failed  bool
}

func (s *stateCoder) bits(x *uint64) {
	switch {
	case s.writing:
		s.data = binary.LittleEndian.AppendUint64(s.data, *x)
	case len(s.data) < 8:
		s.failed = true
		*x = 0
	default:
		*x = binary.LittleEndian.Uint64(s.data)
		s.data = s.data[8:]
	}
}

func (s *stateCoder) number(x *float64) {
	b := math.Float64bits(*x)
	s.bits(&b)
	*x = math.Float64frombits(b)
	s.failed = s.failed || math.IsNaN(*x)
}

func (s *stateCoder) numbers(x []float64) {
	for i := range x {
		s.number(&x[i])
	}
}

func (s *stateCoder) vec(x *r3.Vec) {
	s.number(&x.X)
	s.number(&x.Y)
	s.number(&x.Z)
}

func (s *stateCoder) vecs(x []r3.Vec) {
	for i := range x {
		s.vec(&x[i])
	}
}

func (s *stateCoder) floats(x []float32) {
	for i := 0; i < len(x); i += 2 { // models have an even number of them
		b := uint64(math.Float32bits(x[i])) | uint64(math.Float32bits(x[i+1]))<<32
		s.bits(&b)
		x[i], x[i+1] = math.Float32frombits(uint32(b)), math.Float32frombits(uint32(b>>32))
	}
}

func (s *stateCoder) ints(x ...*int32) {
	for _, p := range x {
		b := uint64(*p)
		s.bits(&b)
		*p = int32(b)
		s.failed = s.failed || uint64(*p) != b
	}
}

func (s *stateCoder) truth(x *bool) {
	b := uint64(0)
	if *x {
		b = 1
	}
	s.bits(&b)
	*x = b != 0
	s.failed = s.failed || b > 1
}

// count codes a number of things, which must not be more than the rest of the data can hold if each has so many bytes.
func (s *stateCoder) count(n, bytes int) int {
	b := uint64(n)
	s.bits(&b)
	if !s.writing && b > uint64(len(s.data)/bytes) {
		s.failed = true
		return 0
	}
	return int(b)
}

func (c *contacts) code(s *stateCoder) {
	if n := s.count(len(c.material.arc), 16); n != len(c.material.arc) {
		s.failed = true
		return
	}
	s.numbers(c.material.arc)
	s.numbers(c.material.rest)
	for i, rest := range c.material.rest {
		s.failed = s.failed || c.lay.hasSegment(i) && !(rest > 0) || math.IsInf(rest+math.Abs(c.material.arc[i]), 1)
	}
	n := s.count(len(c.sets.list), leastSetBytes)
	if !s.writing {
		c.sets.list = make([]contactSet, n)
	}
	for i := range c.sets.list {
		c.codeSet(s, &c.sets.list[i])
	}
	if !s.writing && !s.failed {
		c.sets.reindex()
		c.sets.assign()
	}
	for i := range c.sets.list {
		if s.failed {
			return
		}
		c.sets.list[i].model.code(s)
	}
}

// leastSetBytes are those of a set without a model: boxes, then numbers, then whether there is a model.
const leastSetBytes = 8 * (8 + 3 + 4*springsOfASet + 1)

func (c *contacts) codeSet(s *stateCoder, set *contactSet) {
	b, t := &set.box, &set.touched
	s.ints(&b.iLo, &b.iHi, &b.jLo, &b.jHi, &t.iLo, &t.iHi, &t.jLo, &t.jHi)
	s.failed = s.failed || !c.valid(b) || *t != (box{}) && !(c.valid(t) && b.contains(t))
	s.number(&set.least)
	s.truth(&set.grip.held)
	s.number(&set.grip.stiffness)
	s.vecs(set.grip.stretch[:])
	s.numbers(set.shares[:])
}

// valid reports whether a box lies within two yarns.
func (c *contacts) valid(b *box) bool {
	if b.iLo < 0 || b.jLo < 0 || b.iLo >= b.iHi || b.jLo >= b.jHi || int(max(b.iHi, b.jHi)) > len(c.spline.at) {
		return false
	}
	_, iEnd := c.extent(b.iLo)
	_, jEnd := c.extent(b.jLo)
	return b.iHi <= iEnd && b.jHi <= jEnd
}

func (m *model) code(s *stateCoder) {
	s.truth(&m.valid)
	if !m.valid {
		return
	}
	if m.store.rest == nil {
		s.failed = true
		return
	}
	r := &m.rotation
	for _, x := range []*float64{&r.W, &r.X, &r.Y, &r.Z, &m.least, &m.share} {
		s.number(x)
	}
	s.vecs(m.store.rest)
	s.vecs(m.store.force)
	s.numbers(m.store.weight)
	s.floats(m.store.stiffness)
	s.floats(m.store.damping)
}
