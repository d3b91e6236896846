package dress

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

// Forms of the two states of dressing. Whoever changes what is in one changes its name.
const (
	dressedMagic = "toile dressed 1\n"
	fittingMagic = "toile fitting 2\n"
)

// errDressed says that bytes are not what MarshalBinary wrote.
var errDressed = errors.New("not the state of a dressed scene")

// ErrFitting says that Options.Saved is not the state of a dressing of the scene.
var ErrFitting = errors.New("not the state of a dressing of this scene")

// MarshalBinary writes where the cloths are and how they were sewn.
func (d *Dressed) MarshalBinary() ([]byte, error) {
	out := stateWriter{*bytes.NewBufferString(dressedMagic)}
	out.put(int64(len(d.cloths)))
	for i := range d.cloths {
		c := &d.cloths[i]
		out.put(int64(len(c.X)))
		out.put(c.X)
		out.put(c.V)
	}
	out.sewings(d.Sewn)
	return out.Bytes(), nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (d *Dressed) UnmarshalBinary(data []byte) error {
	in, ok := newStateReader(dressedMagic, data)
	if !ok {
		return errDressed
	}
	out := Dressed{cloths: make([]build.Worn, max(0, in.count(1)))}
	for i := range out.cloths {
		if n := in.count(2 * vectorBytes); n > 0 {
			c := &out.cloths[i]
			c.X, c.V = make([]r3.Vec, n), make([]r3.Vec, n)
			in.get(c.X)
			in.get(c.V)
		}
	}
	out.Sewn = in.sewings()
	if !in.ended() {
		return errDressed
	}
	*d = out
	return nil
}

// marshal writes how far a dressing is.
func (f *fitting) marshal() ([]byte, error) {
	out := stateWriter{*bytes.NewBufferString(fittingMagic)}
	out.put([2]int64{int64(f.layer), int64(f.steps)})
	out.put([2]bool{f.slow, f.tight})
	out.put(f.start)
	out.put(f.told != nil)
	out.sewings(f.told)
	out.sewings(f.sewn)
	out.put(int64(len(f.cloths)))
	for i := range f.cloths {
		c := &f.cloths[i]
		out.put([2]bool{c.Absent, c.Tight})
		for _, v := range [][]r3.Vec{c.Apart, c.X, c.V} {
			out.vectors(v)
		}
	}
	out.bytes(f.world)
	return out.Bytes(), nil
}

// unmarshal reads what marshal wrote of a dressing of the scene.
func (f *fitting) unmarshal(s *scenefile.Scene, data []byte) error {
	in, ok := newStateReader(fittingMagic, data)
	if !ok {
		return ErrFitting
	}
	// how far the dressing is
	var counts [2]int64
	var ways [2]bool
	var out fitting
	var told bool
	in.get(&counts)
	in.get(&ways)
	in.get(&out.start)
	in.get(&told)
	out.layer, out.steps = int(counts[0]), int(counts[1])
	out.slow, out.tight = ways[0], ways[1]
	// seams of this layer and of those before
	out.told, out.sewn = in.sewings(), in.sewings()
	if told && out.told == nil {
		out.told = []Sewing{}
	}
	// cloths: how they are worn, and where they are
	out.cloths = make([]build.Worn, max(0, in.count(1)))
	for i := range out.cloths {
		c := &out.cloths[i]
		var flags [2]bool
		in.get(&flags)
		c.Absent, c.Tight = flags[0], flags[1]
		c.Apart, c.X, c.V = in.vectors(), in.vectors(), in.vectors()
	}
	// world under way
	out.world = in.bytes()
	if !in.ended() || !out.fits(s) {
		return ErrFitting
	}
	*f = out
	return nil
}

// fits tells whether the state can be one of a dressing of the scene.
func (f *fitting) fits(s *scenefile.Scene) bool {
	layers := s.LayersToSew()
	if len(f.cloths) != len(s.Cloths) || f.layer < 0 || f.layer > len(layers) || f.steps < 0 ||
		f.layer < len(layers) && f.told != nil && len(f.told) != len(layers[f.layer]) {
		return false
	}
	for i := range f.cloths {
		c, spec := &f.cloths[i], &s.Cloths[i]
		if !spec.Sewn() {
			continue
		}
		g := spec.Shape.Made()
		whole := len(c.X) == g.Sewn.Verts && len(c.V) == g.Sewn.Verts && c.Apart == nil
		hangs := len(c.Apart) == len(g.Positions) && c.X == nil && c.V == nil
		if !whole && !hangs || f.layer == len(layers) && !whole {
			return false
		}
	}
	return true
}

// stateWriter writes numbers, little end first.
type stateWriter struct{ bytes.Buffer }

func (w *stateWriter) put(v any) { _ = binary.Write(w, binary.LittleEndian, v) } // a buffer takes everything

// bytes writes a list with its length, which is -1 of none.
func (w *stateWriter) bytes(b []byte) {
	if b == nil {
		w.put(int64(-1))
		return
	}
	w.put(int64(len(b)))
	w.Write(b)
}

func (w *stateWriter) vectors(v []r3.Vec) {
	if v == nil {
		w.put(int64(-1))
		return
	}
	w.put(int64(len(v)))
	w.put(v)
}

func (w *stateWriter) sewings(list []Sewing) {
	w.put(int64(len(list)))
	for _, s := range list {
		w.bytes([]byte(s.Cloth))
		w.put([4]float64{float64(s.Steps), s.Time, s.Wide, s.Gap})
	}
}

// stateReader reads what a stateWriter wrote. After a failure it reads zeros.
type stateReader struct {
	bytes.Reader
	failed error
}

const vectorBytes = 24

func newStateReader(magic string, data []byte) (*stateReader, bool) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	in := &stateReader{}
	in.Reset(rest)
	return in, ok
}

func (r *stateReader) get(v any) {
	if r.failed == nil {
		r.failed = binary.Read(r, binary.LittleEndian, v)
	}
}

// count reads the number of things of at least so many bytes each that follow; -1: none.
func (r *stateReader) count(size int) int {
	var n int64
	r.get(&n)
	if n < -1 || n > int64(r.Len()/size) {
		r.failed = errDressed
	}
	if r.failed != nil {
		return -1
	}
	return int(n)
}

func (r *stateReader) bytes() []byte {
	n := r.count(1)
	if n < 0 {
		return nil
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	r.failed = errors.Join(r.failed, err)
	return b
}

func (r *stateReader) vectors() []r3.Vec {
	n := r.count(vectorBytes)
	if n < 0 {
		return nil
	}
	v := make([]r3.Vec, n)
	r.get(v)
	return v
}

func (r *stateReader) sewings() (list []Sewing) {
	for range max(0, r.count(1)) {
		name := r.bytes()
		var v [4]float64
		r.get(&v)
		list = append(list, Sewing{string(name), int(v[0]), v[1], v[2], v[3]})
		if r.failed != nil {
			return nil
		}
	}
	return list
}

// ended tells whether all was read, and nothing else is there.
func (r *stateReader) ended() bool { return r.failed == nil && r.Len() == 0 }
