// What a file says about itself, in Thrift's compact protocol. Numbers of fields and constants are those of
// parquet.thrift.

package parquet

import "encoding/binary"

// Types of fields in the compact protocol.
const (
	i32Field    = 5
	i64Field    = 6
	stringField = 8
	listField   = 9
	structField = 12
)

// Constants of parquet.thrift.
const (
	typeInt64, typeDouble, typeByteArray = 2, 5, 6
	required, optional                   = 0, 1
	utf8                                 = 0
	encodingPlain, encodingRLE           = 0, 3
	codecGzip                            = 2
)

// thrift writes structures; last has the number of the last field of each that is open.
type thrift struct {
	out  []byte
	last []int
}

// begin opens a structure, end closes it.
func (t *thrift) begin() { t.last = append(t.last, 0) }

func (t *thrift) end() {
	t.out = append(t.out, 0)
	t.last = t.last[:len(t.last)-1]
}

// field begins a field, whose number is at most 15 above that of the one before.
func (t *thrift) field(number, kind int) {
	last := &t.last[len(t.last)-1]
	t.out = append(t.out, byte((number-*last)<<4|kind))
	*last = number
}

func (t *thrift) integer(x int64) { t.out = binary.AppendVarint(t.out, x) }

func (t *thrift) text(s string) {
	t.out = append(binary.AppendUvarint(t.out, uint64(len(s))), s...)
}

func (t *thrift) i32(number, x int) {
	t.field(number, i32Field)
	t.integer(int64(x))
}

func (t *thrift) i64(number int, x int64) {
	t.field(number, i64Field)
	t.integer(x)
}

func (t *thrift) string(number int, s string) {
	t.field(number, stringField)
	t.text(s)
}

// list begins a field that is a list of n elements.
func (t *thrift) list(number, kind, n int) {
	t.field(number, listField)
	if n < 15 {
		t.out = append(t.out, byte(n<<4|kind))
		return
	}
	t.out = binary.AppendUvarint(append(t.out, byte(0xf0|kind)), uint64(n))
}

// structure begins a field that is a structure.
func (t *thrift) structure(number int) {
	t.field(number, structField)
	t.begin()
}

// pageHeader returns what stands before a page.
func pageHeader(raw, packed int, values int64) []byte {
	var t thrift
	t.begin()
	t.i32(1, 0) // a page of data
	t.i32(2, raw)
	t.i32(3, packed)
	t.structure(5)
	t.i32(1, int(values))
	t.i32(2, encodingPlain)
	t.i32(3, encodingRLE)
	t.i32(4, encodingRLE)
	t.end()
	t.end()
	return t.out
}

// footer returns what stands at the end of the file.
func (w *Writer) footer() []byte {
	var t thrift
	t.begin()
	t.i32(1, 1) // version
	// schema: the row, then its columns
	t.list(2, structField, len(w.columns)+1)
	t.begin()
	t.string(4, "row")
	t.i32(5, len(w.columns))
	t.end()
	for _, c := range w.columns {
		c.describe(&t)
	}
	// groups of rows
	t.i64(3, w.rows)
	t.list(4, structField, len(w.groups))
	for i := range w.groups {
		w.describeGroup(&t, &w.groups[i])
	}
	// metadata
	t.list(5, structField, len(w.facts))
	for _, key := range w.keys() {
		t.begin()
		t.string(1, key)
		t.string(2, w.facts[key])
		t.end()
	}
	t.string(6, w.by)
	t.end()
	return t.out
}

// stored returns the type of the values of a column.
func (c *Column) stored() int {
	switch c.Kind {
	case Number:
		return typeDouble
	case Word:
		return typeByteArray
	}
	return typeInt64
}

// describe writes a column of the schema.
func (c *Column) describe(t *thrift) {
	t.begin()
	t.i32(1, c.stored())
	if c.Kind == Number {
		t.i32(3, optional)
	} else {
		t.i32(3, required)
	}
	t.string(4, c.Name)
	if c.Kind == Word {
		t.i32(6, utf8)
		t.structure(10)
		t.structure(1) // the logical type of strings has no fields
		t.end()
		t.end()
	}
	t.end()
}

// describeGroup writes where the columns of a group are.
func (w *Writer) describeGroup(t *thrift, g *group) {
	// columns, each in a chunk
	t.begin()
	t.list(1, structField, len(g.chunks))
	total := int64(0)
	for i, k := range g.chunks {
		total += k.raw
		t.begin()
		t.i64(2, k.at)
		t.structure(3)
		t.i32(1, w.columns[i].stored())
		t.list(2, i32Field, 2)
		t.integer(encodingPlain)
		t.integer(encodingRLE)
		t.list(3, stringField, 1)
		t.text(w.columns[i].Name)
		t.i32(4, codecGzip)
		t.i64(5, g.rows)
		t.i64(6, k.raw)
		t.i64(7, k.packed)
		t.i64(9, k.at)
		t.end()
		t.end()
	}
	// sizes
	t.i64(2, total)
	t.i64(3, g.rows)
	t.end()
}
