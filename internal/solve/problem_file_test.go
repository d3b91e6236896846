package solve

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
)

func written(t testing.TB, p *ContactProblem) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := WriteProblem(&buf, p); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// pressedFile is a small problem with all that a file can hold.
func pressedFile() *ContactProblem {
	p, part := pressed(problems.InLayers(4, 2, 400, 0.3, true), r3.V(0, 0, 1), 20, 0.3, 2e-3)
	p.Fixed[3] = true
	f := given(p, 1e-8)
	f.Partly, f.Floor = []contact.Partial{part}, 1e-12
	f.V, f.R = make([]r3.Vec, p.A.N), make([]r3.Vec, p.Set.Len())
	f.V[3], f.V[part.Block] = r3.V(0.1, 0, 0), r3.V(0, 0.2, 0)
	for c := range f.R {
		f.R[c] = r3.V(1e-3, float64(c)*1e-6, 0)
		f.Set.Contacts[c].Gap, f.Set.Contacts[c].Point = 1e-3, r3.V(1, 2, float64(c))
	}
	return f
}

// fileWithLaws is pressedFile with a row that only pushes, and one that ties two components of two blocks.
func fileWithLaws() *ContactProblem {
	f := pressedFile()
	f.Set.Contacts[5].Law, f.Set.Contacts[5].Mu = contact.NormalOnly, 0
	e := contact.FrameOf(r3.V(0, 0, 1))
	row := only(e, false, true, true)
	tie := contact.Contact{ID: contact.ID{A: contact.Feature{ID: 1000}}, Law: contact.Bilateral, A: 1, B: 2, Frame: e}
	f.Set.AddRow(tie, contact.Term{Block: 1, W: 1, M: row}, contact.Term{Block: 2, W: -1, M: row.Scale(-1)})
	f.R = append(f.R, r3.Vec{})
	return f
}

// What is read is what was written, bit for bit, and has the same solution.
func TestProblemFileKeepsEverything(t *testing.T) {
	want := fileWithLaws()
	data := written(t, want)
	got, err := ReadProblem(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.A.Start, want.A.Start) || !slices.Equal(got.A.Col, want.A.Col) ||
		!slices.Equal(got.A.Val, want.A.Val) {
		t.Error("A differs")
	}
	if !slices.Equal(got.B, want.B) || !slices.Equal(got.V, want.V) || !slices.Equal(got.Fixed, want.Fixed) || !slices.Equal(got.Partly, want.Partly) ||
		!slices.Equal(got.R, want.R) || !slices.Equal(got.Set.Contacts, want.Set.Contacts) || got.Tolerance != want.Tolerance ||
		got.Floor != want.Floor || !slices.Equal(got.Mass, want.Mass) ||
		got.OldScale {
		t.Error("something besides A differs")
	}
	s := DefaultNodal()
	a, first, _ := want.SolveBy(&s)
	b, second, _ := got.SolveBy(&s)
	if !slices.Equal(a.V, b.V) || !slices.Equal(a.R, b.R) || first != second {
		t.Error("the solutions differ")
	}
	if !first.Converged || first.Blocks != 33 || first.Fixed != 1 || first.Partly != 1 || first.Contacts != 65 ||
		first.Pairs != 33 ||
		first.TakeOff+first.Stick+first.Slide+first.Idle+first.Infeasible != first.Contacts {
		t.Errorf("%+v", first)
	}
}

const problemHead = problemKind + "4\n"

// older turns a file into one of an earlier version: of 3, which had weights of at most four blocks in place of rows,
// or of 2, which had neither masses nor a floor.
func older(p *ContactProblem, data []byte, version int) []byte {
	at := len(problemHead) + 4*4 + 8
	old := fmt.Appendf(nil, "%s%d\n", problemKind, version)
	old = append(old, data[len(problemHead):at]...)
	take := func(n int, keep bool) {
		if keep {
			old = append(old, data[at:at+n]...)
		}
		at += n
	}
	take(8, version > 2)
	upper := 0
	for i := range p.A.N {
		upper += int(p.A.Start[i+1] - p.A.Diag[i])
	}
	take(4*p.A.N+upper*(4+9*8), true)
	for range p.A.N {
		take(1, true)
		take(8, version > 2)
		take(6*8, true)
	}
	for _, g := range p.Partly { // along z
		take(4, true)
		take(9*8, false)
		for _, x := range [3]float64{g.Free.XX, g.Free.YY, g.Free.ZZ} {
			old = binary.LittleEndian.AppendUint64(old, math.Float64bits(x))
		}
	}
	for c := range p.Set.Contacts {
		take(2*(4+1+8), true)
		take(1, false)
		take(2*4, true)
		take(4, false)
		row := rowOf(p.Set, c)
		old = append(old, byte(len(row)))
		for k := range mostWeights {
			var t contact.Term
			if k < len(row) {
				t = row[k]
			}
			old = binary.LittleEndian.AppendUint32(old, uint32(t.Block))
			old = binary.LittleEndian.AppendUint64(old, math.Float64bits(t.W))
		}
		take(8*(9+1+3+1+3+3), true)
	}
	return binary.LittleEndian.AppendUint64(old, crc64.Checksum(old, crc64.MakeTable(crc64.ECMA)))
}

// A file of version 3 is read, with the rows that its weights make.
func TestProblemFileOfVersion3(t *testing.T) {
	want := pressedFile()
	c := want.Set.Contacts[want.Set.Len()-1]
	c.ID.B.ID += 1000
	want.Set.AddWeighted(c, contact.Weight{Block: c.A, W: 0.25}, contact.Weight{Block: c.A - 1, W: 0.75}, contact.Weight{Block: c.B, W: -1})
	want.R = append(want.R, r3.Vec{})
	got, err := ReadProblem(bytes.NewReader(older(want, written(t, want), 3)))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written(t, got), written(t, want)) {
		t.Error("it is another problem")
	}
}

// Rows of any length, with any matrices, are written and read.
func TestProblemFileOfLongRows(t *testing.T) {
	want := pressedFile()
	c := want.Set.Contacts[want.Set.Len()-1]
	c.ID.B.ID += 1000
	var row []contact.Term
	for i := range int32(20) {
		row = append(row, contact.Term{Block: i, W: 0.1, M: r3.Rows(r3.V(1, float64(i), 0), r3.V(0, 2, 0), r3.V(0.5, 0, 1))})
	}
	c.A, c.B = 0, 19
	want.Set.AddRow(c, row...)
	want.R = append(want.R, r3.Vec{})
	data := written(t, want)
	got, err := ReadProblem(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Set.Row(got.Set.Len()-1), row) || !bytes.Equal(written(t, got), data) {
		t.Error("the row differs")
	}
}

// A file of version 2 is read, and its problem says that it is measured by the diagonal of A.
func TestProblemFileOfVersion2(t *testing.T) {
	want := pressedFile()
	got, err := ReadProblem(bytes.NewReader(older(want, written(t, want), 2)))
	if err != nil {
		t.Fatal(err)
	}
	if !got.OldScale || got.Floor != 0 || !slices.Equal(got.B, want.B) || !slices.Equal(got.V, want.V) ||
		!slices.Equal(got.R, want.R) {
		t.Errorf("old scale %v, floor %g", got.OldScale, got.Floor)
	}
	for i := range got.Mass {
		if got.Mass[i] != got.A.Val[got.A.Diag[i]].Trace()/3 {
			t.Fatalf("block %d has the mass %g", i, got.Mass[i])
		}
	}
	s := DefaultNodal()
	if _, report, err := got.SolveBy(&s); err != nil || !report.Converged {
		t.Errorf("%v: %+v", err, report)
	}
}

// Every cut, every damaged byte and every wrong field is noticed, and named.
func TestProblemFileFaults(t *testing.T) {
	data := written(t, pressedFile())
	for i := 0; i < len(data); i += 1 + i/50 {
		if _, err := ReadProblem(bytes.NewReader(data[:i])); err == nil {
			t.Fatalf("cut after %d bytes of %d: no error", i, len(data))
		}
		damaged := slices.Clone(data)
		damaged[i] ^= 0x10
		if _, err := ReadProblem(bytes.NewReader(damaged)); err == nil {
			t.Fatalf("byte %d damaged: no error", i)
		}
	}
	sizes := len(problemHead)
	for _, c := range []struct {
		name string
		edit func([]byte) []byte
		want string
	}{
		{"empty", func(b []byte) []byte { return nil }, "ends too early"},
		{"another file", func(b []byte) []byte { return append([]byte("x"), b...) }, "does not begin with"},
		{"version", func(b []byte) []byte { b[sizes-2] = '9'; return b }, `version "9"`},
		{"more", func(b []byte) []byte { return append(b, 0) }, "follows"},
		{"blocks", func(b []byte) []byte { b[sizes+3] = 0xff; return b }, "cannot be"},
		{"huge but allowed", func(b []byte) []byte { b[sizes+7] = 0x10; return b }, "entries together"},
		{"tolerance", func(b []byte) []byte {
			binary.LittleEndian.PutUint64(b[sizes+16:], math.Float64bits(math.NaN()))
			return b
		}, "tolerance NaN"},
		{"row", func(b []byte) []byte { b[sizes+32] = 0; return b }, "length of row 0"},
		{"floor", func(b []byte) []byte {
			binary.LittleEndian.PutUint64(b[sizes+24:], math.Float64bits(-1))
			return b
		}, "floor of rounding -1"},
		{"checksum", func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, "damaged"},
	} {
		_, err := ReadProblem(bytes.NewReader(c.edit(slices.Clone(data))))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	for _, c := range []struct {
		name string
		edit func(p *ContactProblem)
		want string
	}{
		{"b", func(p *ContactProblem) { p.B[4].X = math.Inf(1) }, "block 4"},
		{"mass", func(p *ContactProblem) { p.Mass[4] = 0 }, "its mass is 0"},
		{"value", func(p *ContactProblem) { p.A.Val[p.A.Diag[5]] = r3.Diagonal(-1) }, "(5, 5)"},
		{"free part", func(p *ContactProblem) { p.Partly[0].Free = r3.Identity() }, "no symmetric projector"},
		{"free part of a sheet", func(p *ContactProblem) { p.Partly[0].Block = 2 }, "entries besides its diagonal"},
		{"impulse", func(p *ContactProblem) { p.R[3].Y = math.NaN() }, "contact 3"},
		{"frame", func(p *ContactProblem) { p.Set.Contacts[3].Frame.XX = 4 }, "not a rotation"},
		{"order", func(p *ContactProblem) { p.Set.Contacts[3].ID.A.ID = -1 }, "order"},
		{"block", func(p *ContactProblem) { p.Set.Contacts[1].B = -7 }, "contact 1"},
		{"friction", func(p *ContactProblem) { p.Set.Contacts[1].Mu = -1 }, "friction"},
	} {
		p := pressedFile()
		c.edit(p)
		_, err := ReadProblem(bytes.NewReader(written(t, p)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// A file that promises much and holds little costs little memory.
func TestProblemFileDoesNotAskForMemory(t *testing.T) {
	head := binary.LittleEndian.AppendUint32([]byte(problemHead), mostBlocks)
	head = binary.LittleEndian.AppendUint32(head, mostEntries)
	head = binary.LittleEndian.AppendUint32(head, 0)
	head = binary.LittleEndian.AppendUint32(head, mostContacts)
	head = binary.LittleEndian.AppendUint64(head, math.Float64bits(1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := ReadProblem(bytes.NewReader(head)); err == nil {
		t.Error("no error")
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes", n)
	}
}

type fullDisk struct{ left int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.left -= len(p); d.left < 0 {
		return 0, errors.New("the disk is full")
	}
	return len(p), nil
}

func TestWriteProblemFaults(t *testing.T) {
	p := pressedFile()
	for _, left := range []int{0, 1000, len(written(t, p)) - 1} {
		if err := WriteProblem(&fullDisk{left}, p); err == nil || !strings.Contains(err.Error(), "full") {
			t.Errorf("%d bytes left: %v", left, err)
		}
	}
	p.B = p.B[1:]
	if err := WriteProblem(&bytes.Buffer{}, p); err == nil {
		t.Error("a b that is too short was written")
	}
}

// FuzzProblem reads anything, with the checksum that it should have: there is no panic, and what is accepted can be
// written, read again and given to the solver.
func FuzzProblem(f *testing.F) {
	small := masses([]float64{1, 2}, []r3.Vec{{Z: -1}, {}})
	small.Set.Add(problems.VertexOn(0, r3.V(0, 0, 1), 0, 0.3, 1))
	empty := &ContactProblem{A: masses(nil, nil).A, Set: &contact.Set{}, Tolerance: 1}
	for _, p := range []*ContactProblem{pressedFile(), fileWithLaws(), tower(2, 3, 0.5), given(small, 1e-6), empty} {
		data := written(f, p)
		f.Add(data[len(problemHead) : len(data)-checksumBytes])
	}
	table := crc64.MakeTable(crc64.ECMA)
	f.Fuzz(func(t *testing.T, body []byte) {
		data := append([]byte(problemHead), body...)
		data = binary.LittleEndian.AppendUint64(data, crc64.Checksum(data, table))
		p, err := ReadProblem(bytes.NewReader(data))
		if err != nil {
			if _, again := ReadProblem(bytes.NewReader(body)); again == nil {
				t.Fatal("a body without a head was accepted")
			}
			return
		}
		if again := written(t, p); !bytes.Equal(again, data) {
			t.Fatal("the file changed")
		}
		s := DefaultNodal()
		s.MaxSweeps, s.MaxNewton = 20, 5
		s.Solve(p, p.Start())
	})
}
