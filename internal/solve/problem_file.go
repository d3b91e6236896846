package solve

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc64"
	"io"
	"math"
	"strings"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// A problem file begins with problemKind, a digit for the version of the format, and a line feed. Version 2, which
// had no masses, and 3, in which rows were weights of at most four blocks, are read too.
const (
	problemKind    = "toile contact problem "
	problemVersion = 4
	oldestProblem  = 2
)

const (
	mostBlocks    = 1 << 26
	mostEntries   = 1 << 29 // of the upper triangle
	mostContacts  = 1 << 28
	mostTerms     = 1 << 29
	mostWeights   = 4                                         // of versions 2 and 3
	contactBytes  = 2*(4+1+8) + 1 + 2*4 + 4 + 8*(9+1+3+1+3+3) // in a file,
	weightBytes   = contactBytes - 5 + 1 + mostWeights*(4+8)  // and in one of those versions
	termBytes     = 4 + 8 + 9*8
	partialBytes  = 4 + 9*8
	guideBytes    = 4 + 3*8 // of versions 2 and 3, which had an axis
	problemChunk  = 1 << 12 // elements that are read before memory for more is asked for
	checksumBytes = 8
)

// WriteProblem writes a problem in the format of docs/problem-file.md.
func WriteProblem(w io.Writer, p *ContactProblem) error {
	if err := p.validate(); err != nil {
		return fmt.Errorf("contact problem: %w", err)
	}
	buffered := bufio.NewWriterSize(w, 1<<16)
	out := &problemWriter{w: buffered, sum: crc64.New(crc64.MakeTable(crc64.ECMA))}
	out.put(fmt.Appendf(nil, "%s%d\n", problemKind, problemVersion))
	out.write(p)
	out.buf = binary.LittleEndian.AppendUint64(out.buf[:0], out.sum.Sum64())
	if out.err == nil {
		_, out.err = buffered.Write(out.buf)
	}
	if out.err == nil {
		out.err = buffered.Flush()
	}
	if out.err != nil {
		return fmt.Errorf("contact problem: %w", out.err)
	}
	return nil
}

type problemWriter struct {
	w   io.Writer
	sum hash.Hash64
	buf []byte
	err error
}

func (o *problemWriter) put(b []byte) {
	if o.err == nil {
		o.sum.Write(b) // never fails
		_, o.err = o.w.Write(b)
	}
}

// end writes what was gathered in buf.
func (o *problemWriter) end() {
	o.put(o.buf)
	o.buf = o.buf[:0]
}

func (o *problemWriter) word(x int) { o.buf = binary.LittleEndian.AppendUint32(o.buf, uint32(x)) }

func (o *problemWriter) floats(x ...float64) {
	for _, f := range x {
		o.buf = binary.LittleEndian.AppendUint64(o.buf, math.Float64bits(f))
	}
}

func (o *problemWriter) vec(v r3.Vec) { o.floats(v.X, v.Y, v.Z) }

func (o *problemWriter) mat(m *r3.Mat) {
	o.floats(m.XX, m.XY, m.XZ, m.YX, m.YY, m.YZ, m.ZX, m.ZY, m.ZZ)
}

func (o *problemWriter) write(p *ContactProblem) {
	a := p.A
	upper := 0
	for i := range a.N {
		upper += int(a.Start[i+1] - a.Diag[i])
	}
	o.word(a.N)
	o.word(upper)
	o.word(len(p.Partly))
	o.word(p.Set.Len())
	o.floats(p.Tolerance, p.Floor)
	o.end()
	for i := range a.N {
		o.word(int(a.Start[i+1] - a.Diag[i]))
		o.end()
	}
	for i := range a.N {
		for q := a.Diag[i]; q < a.Start[i+1]; q++ {
			o.word(int(a.Col[q]))
			o.mat(&a.Val[q])
		}
		o.end()
	}
	for i := range a.N {
		var v r3.Vec
		if p.V != nil {
			v = p.V[i]
		}
		held := byte(0)
		if p.Fixed != nil && p.Fixed[i] {
			held = 1
		}
		o.buf = append(o.buf, held)
		o.floats(p.Mass[i])
		o.vec(p.B[i])
		o.vec(v)
		o.end()
	}
	for _, g := range p.Partly {
		o.word(int(g.Block))
		o.mat(&g.Free)
	}
	o.end()
	for c := range p.Set.Contacts {
		var r r3.Vec
		if p.R != nil {
			r = p.R[c]
		}
		o.contact(p.Set, c, r)
		o.end()
	}
	for c := range p.Set.Contacts {
		for _, t := range rowOf(p.Set, c) {
			o.word(int(t.Block))
			o.floats(t.W)
			o.mat(&t.M)
		}
		o.end()
	}
}

// rowOf returns the row of a contact if it has to be written: that of a nodal contact follows from its blocks.
func rowOf(set *contact.Set, i int) []contact.Term {
	if set.Nodal(i) {
		return nil
	}
	return set.Row(i)
}

func (o *problemWriter) contact(set *contact.Set, i int, r r3.Vec) {
	c := &set.Contacts[i]
	for _, f := range [...]contact.Feature{c.ID.A, c.ID.B} {
		o.word(int(f.Surface))
		o.buf = append(o.buf, byte(f.Kind))
		o.buf = binary.LittleEndian.AppendUint64(o.buf, uint64(f.ID))
	}
	o.buf = append(o.buf, byte(c.Law))
	o.word(int(c.A))
	o.word(int(c.B))
	o.word(len(rowOf(set, i)))
	o.mat(&c.Frame)
	o.floats(c.Mu)
	o.vec(c.Uf)
	o.floats(c.Gap)
	o.vec(c.Point)
	o.vec(r)
}

// ReadProblem reads a problem in the format of docs/problem-file.md. It checks all of it, and asks for memory in
// proportion to what it has read, whatever the file says about its size.
func ReadProblem(r io.Reader) (*ContactProblem, error) {
	in := &problemReader{r: bufio.NewReaderSize(r, 1<<16), sum: crc64.New(crc64.MakeTable(crc64.ECMA))}
	p, err := in.read()
	if err != nil {
		return nil, fmt.Errorf("contact problem: %w", err)
	}
	return p, nil
}

type problemReader struct {
	version int

	r    *bufio.Reader
	sum  hash.Hash64
	buf  []byte // what is left of the last chunk
	hold []byte
}

// fetch makes the next n bytes the chunk.
func (in *problemReader) fetch(n int) error {
	if cap(in.hold) < n {
		in.hold = make([]byte, n)
	}
	in.buf = in.hold[:n]
	if _, err := io.ReadFull(in.r, in.buf); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return errors.New("the file ends too early")
		}
		return err
	}
	in.sum.Write(in.buf) // never fails
	return nil
}

// records reads count records of the given size, a chunk at a time, and calls each.
func (in *problemReader) records(what string, count, size int, each func(i int) error) error {
	for done := 0; done < count; {
		chunk := min(problemChunk, count-done)
		if err := in.fetch(chunk * size); err != nil {
			return fmt.Errorf("%s %d of %d: %w", what, done, count, err)
		}
		for i := done; i < done+chunk; i++ {
			if err := each(i); err != nil {
				return fmt.Errorf("%s %d: %w", what, i, err)
			}
		}
		done += chunk
	}
	return nil
}

func (in *problemReader) take(n int) []byte {
	b := in.buf[:n]
	in.buf = in.buf[n:]
	return b
}

func (in *problemReader) octet() byte    { return in.take(1)[0] }
func (in *problemReader) word() uint32   { return binary.LittleEndian.Uint32(in.take(4)) }
func (in *problemReader) long() int64    { return int64(binary.LittleEndian.Uint64(in.take(8))) }
func (in *problemReader) float() float64 { return math.Float64frombits(uint64(in.long())) }

func (in *problemReader) vec() r3.Vec {
	return r3.Vec{X: in.float(), Y: in.float(), Z: in.float()}
}

func (in *problemReader) mat() r3.Mat { return r3.Rows(in.vec(), in.vec(), in.vec()) }

func (in *problemReader) read() (*ContactProblem, error) {
	if err := in.begin(); err != nil {
		return nil, err
	}
	p := &ContactProblem{Set: &contact.Set{}, OldScale: in.version == 2}
	settings := 2 // tolerance and floor
	if p.OldScale {
		settings = 1
	}
	if err := in.fetch(4*4 + settings*8); err != nil {
		return nil, fmt.Errorf("sizes: %w", err)
	}
	n, upper, partly, contacts := in.word(), in.word(), in.word(), in.word()
	p.Tolerance = in.float()
	if !p.OldScale {
		p.Floor = in.float()
	}
	switch {
	case n > mostBlocks || upper > mostEntries || contacts > mostContacts || partly > n || upper < n:
		return nil, fmt.Errorf(
			"%d blocks, %d entries of A, %d blocks prescribed in part and %d contacts cannot be",
			n,
			upper,
			partly,
			contacts,
		)
	case !(p.Tolerance > 0) || math.IsInf(p.Tolerance, 1):
		return nil, fmt.Errorf("tolerance %g; it must be positive and finite", p.Tolerance)
	case !(p.Floor >= 0) || math.IsInf(p.Floor, 1):
		return nil, fmt.Errorf("floor of rounding %g; it must be finite and not negative", p.Floor)
	}
	if err := in.matrix(p, int(n), int(upper)); err != nil {
		return nil, err
	}
	if err := in.blocks(p, int(n)); err != nil {
		return nil, err
	}
	if err := in.partly(p, int(partly)); err != nil {
		return nil, err
	}
	if err := in.contacts(p, int(contacts)); err != nil {
		return nil, err
	}
	return p, in.end()
}

// begin reads the version.
func (in *problemReader) begin() error {
	if err := in.fetch(len(problemKind) + 2); err != nil {
		return err
	}
	got := string(in.take(len(problemKind) + 2))
	told, ok := strings.CutPrefix(got, problemKind)
	if !ok {
		return errors.New("this is not a file of a contact problem: it does not begin with '" + problemKind + "'")
	}
	in.version = int(told[0]) - '0'
	if told[1] != '\n' || in.version < oldestProblem || in.version > problemVersion {
		return fmt.Errorf("version %q of the format, this program reads versions %d to %d",
			strings.TrimSpace(told), oldestProblem, problemVersion)
	}
	return nil
}

// matrix reads the upper triangle of A.
func (in *problemReader) matrix(p *ContactProblem, n, upper int) error {
	var ends []int
	total := 0
	err := in.records("length of row", n, 4, func(i int) error {
		length := in.word()
		total += int(length)
		if length == 0 || int(length) > n-i || total > upper {
			return fmt.Errorf("%d entries from the diagonal on", length)
		}
		ends = append(ends, total)
		return nil
	})
	if err != nil {
		return err
	}
	if total != upper {
		return fmt.Errorf("the rows have %d entries together, the file says %d", total, upper)
	}
	var pairs [][2]int32
	var values []r3.Mat
	row, last := -1, 0
	err = in.records("entry of A", upper, 4+9*8, func(k int) error {
		j := int(int32(in.word()))
		if first := row < 0 || k == ends[row]; first {
			row++
			if j != row {
				return fmt.Errorf("row %d must begin with its diagonal, not with column %d", row, j)
			}
		} else if j <= last || j >= n {
			return fmt.Errorf("column %d after %d in row %d of %d", j, last, row, n)
		}
		last = j
		m := in.mat()
		if !m.Finite() || j == row && !(m.Trace() > 0) {
			return fmt.Errorf("block (%d, %d) is not finite, or a diagonal that is not positive", row, j)
		}
		pairs, values = append(pairs, [2]int32{int32(row), int32(j)}), append(values, m)
		return nil
	})
	if err != nil {
		return err
	}
	p.A = sparse.NewBSR(n, pairs)
	for k, at := range pairs {
		p.A.Val[p.A.Index(at[0], at[1])] = values[k]
	}
	p.A.Mirror(nil)
	return nil
}

func (in *problemReader) blocks(p *ContactProblem, n int) error {
	numbers := 7 // mass, b, v
	if p.OldScale {
		numbers = 6
	}
	return in.records("block", n, 1+numbers*8, func(i int) error {
		held, mass := in.octet(), p.A.Val[p.A.Diag[i]].Trace()/3
		if !p.OldScale {
			mass = in.float()
		}
		b, v := in.vec(), in.vec()
		if held > 1 || !b.Finite() || !v.Finite() || !(mass > 0) || math.IsInf(mass, 1) {
			return fmt.Errorf(
				"fixed is %d, which must be 0 or 1; its mass is %g, which must be positive; b is %v and v %v, which must be finite",
				held,
				mass,
				b,
				v,
			)
		}
		p.Fixed, p.B, p.V, p.Mass = append(p.Fixed, held == 1), append(p.B, b), append(p.V, v), append(p.Mass, mass)
		return nil
	})
}

func (in *problemReader) partly(p *ContactProblem, count int) error {
	last, size := -1, partialBytes
	if in.version < 4 {
		size = guideBytes
	}
	return in.records("block prescribed in part,", count, size, func(int) error {
		g := contact.Partial{Block: int32(in.word())}
		if in.version < 4 {
			axis := in.vec()
			g.Free = r3.Outer(axis, axis)
		} else {
			g.Free = in.mat()
		}
		if int(g.Block) <= last {
			return fmt.Errorf("block %d after %d; they are sorted", g.Block, last)
		}
		if err := checkPartial(&g, p.A); err != nil {
			return err
		}
		last = int(g.Block)
		p.Partly = append(p.Partly, g)
		return nil
	})
}

// contacts reads the contacts, and then their rows.
func (in *problemReader) contacts(p *ContactProblem, count int) error {
	size := contactBytes
	if in.version < 4 {
		size = weightBytes
	}
	var list []contact.Contact
	var lengths []int
	var terms []contact.Term
	total := 0
	err := in.records("contact", count, size, func(int) error {
		c := contact.Contact{ID: contact.ID{A: in.feature(), B: in.feature()}}
		if in.version >= 4 {
			c.Law = contact.Law(in.octet())
		}
		c.A, c.B = int32(in.word()), int32(in.word())
		var weights []contact.Weight
		length := 0
		if in.version < 4 {
			var err error
			if weights, err = in.weights(); err != nil {
				return err
			}
			length = len(weights)
		} else {
			length = int(in.word())
		}
		c.Frame, c.Mu, c.Uf, c.Gap, c.Point = in.mat(), in.float(), in.vec(), in.float(), in.vec()
		r := in.vec()
		if c.B < contact.None || c.ID.A.Kind > contact.Whole || c.ID.B.Kind > contact.Whole || !r.Finite() {
			return fmt.Errorf("block B is %d, the features are of kinds %d and %d and the impulse is %v; that cannot be",
				c.B, c.ID.A.Kind, c.ID.B.Kind, r)
		}
		if total += length; length > p.A.N || total > mostTerms {
			return fmt.Errorf("a row of %d blocks; there are %d", length, p.A.N)
		}
		for _, w := range weights {
			terms = append(terms, contact.Term{Block: w.Block, W: w.W, M: c.Frame.Scale(w.W)})
		}
		list, lengths, p.R = append(list, c), append(lengths, length), append(p.R, r)
		return nil
	})
	if err == nil && in.version >= 4 {
		err = in.records("term", total, termBytes, func(int) error {
			terms = append(terms, contact.Term{Block: int32(in.word()), W: in.float(), M: in.mat()})
			if w := terms[len(terms)-1].W; w-w != 0 {
				return fmt.Errorf("share %g; it must be finite", w)
			}
			return nil
		})
	}
	if err != nil {
		return err
	}
	for i, c := range list {
		if lengths[i] == 0 {
			p.Set.Add(c)
			continue
		}
		p.Set.AddRow(c, terms[:lengths[i]]...)
		terms = terms[lengths[i]:]
		if p.Set.Nodal(i) {
			return fmt.Errorf("contact %d: a row that is that of its blocks alone has terms", i)
		}
	}
	return p.Set.Validate(p.A.N)
}

// weights reads the row of a contact; it is empty where that is the row of its blocks A and B.
func (in *problemReader) weights() ([]contact.Weight, error) {
	count := int(in.octet())
	var all [mostWeights]contact.Weight
	for k := range all {
		all[k] = contact.Weight{Block: int32(in.word()), W: in.float()}
		if k >= count && all[k] != (contact.Weight{}) || math.Signbit(all[k].W) && all[k].W == 0 {
			return nil, errors.New("there are weights beyond those of the row")
		}
	}
	if count > mostWeights {
		return nil, fmt.Errorf("a row of %d blocks; at most %d are possible", count, mostWeights)
	}
	return all[:count], nil
}

func (in *problemReader) feature() contact.Feature {
	return contact.Feature{Surface: int32(in.word()), Kind: contact.Kind(in.octet()), ID: in.long()}
}

// end checks the checksum and that nothing follows.
func (in *problemReader) end() error {
	want := in.sum.Sum64()
	if err := in.fetch(checksumBytes); err != nil {
		return fmt.Errorf("checksum: %w", err)
	}
	if got := uint64(in.long()); got != want {
		return fmt.Errorf("the checksum is %016x, the file says %016x: it was damaged", want, got)
	}
	if _, err := in.r.ReadByte(); !errors.Is(err, io.EOF) {
		return errors.New("something follows after the end")
	}
	return nil
}
