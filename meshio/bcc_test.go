package meshio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// twoCurves has numbers that single precision holds.
func twoCurves() *Curves {
	return &Curves{
		Name:   "two curves",
		Points: []r3.Vec{{X: 1, Y: 2, Z: 3}, {X: 0.5, Y: -0.25}, {Z: 8}, {X: -1}, {Y: 4, Z: 0.125}},
		Counts: []int32{3, 2}, Closed: []bool{true, false},
	}
}

func mustBCC(t testing.TB, c *Curves, opt WriteOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteBCC(&b, c, opt); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestBCCBytes holds the writer to the layout of the format, byte by byte.
func TestBCCBytes(t *testing.T) {
	points := []r3.Vec{{X: 1, Y: 2, Z: -3}, {X: 4}, {Y: 5}}
	c := &Curves{Name: "a", Points: points, Counts: []int32{3}, Closed: []bool{true}}
	got := mustBCC(t, c, DefaultWriteOptions())
	want := append([]byte("BCC\x44C0\x03\x02"), make([]byte, 96)...)
	want[8], want[16], want[24] = 1, 3, 'a'
	binary.LittleEndian.PutUint32(want[64:], math.MaxUint32-2) // -3
	for k, x := range []float32{1, 2, -3, 4, 0, 0, 0, 5, 0} {
		binary.LittleEndian.PutUint32(want[68+4*k:], math.Float32bits(x))
	}
	if !bytes.Equal(got, want) {
		t.Errorf("wrote\n%q, want\n%q", got, want)
	}
}

func TestBCCRoundTrip(t *testing.T) {
	for _, up := range []Axis{UpByFormat, UpZ, UpY} {
		for _, unit := range []float64{1, 0.5} {
			data := mustBCC(t, twoCurves(), WriteOptions{Up: up, Unit: unit})
			// The file says which way is up.
			got, err := ReadBCC(bytes.NewReader(data), ReadOptions{Unit: unit, MaxBytes: defaultMaxBytes})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, twoCurves()) {
				t.Errorf("up %d, unit %v: read %+v", up, unit, got)
			}
		}
	}
}

func hostileBCC(t testing.TB) []hostile {
	good := string(mustBCC(t, twoCurves(), DefaultWriteOptions()))
	with := func(at int, bytes string) string { return good[:at] + bytes + good[at+len(bytes):] }
	return []hostile{
		{"empty", "", "not a BCC file", "byte 0"},
		{"another format", "ply\n" + good, "not a BCC file", "byte 0"},
		{"half a header", good[:40], "inside its header", "byte 40"},
		{"doubles", with(3, "\x48"), "4 and 8 bytes", "byte 3"},
		{"polylines", with(4, "PL"), `type "PL"`, "byte 4"},
		{"flat points", with(6, "\x02"), "2 dimensions", "byte 6"},
		{"no way up", with(7, "\x00"), "upward axis is 0", "byte 7"},
		{"many curves", with(8, "\xff\xff\xff\xff\xff\xff\xff\xff"), "do not fit", "byte 8"},
		{"many points", with(16, "\xff\xff\xff\xff\xff\xff\xff\x7f"), "do not fit", "byte 8"},
		{"one curve more", with(8, "\x03"), "after 2 of 3 curves", "byte 132"},
		{"a point too few", with(16, "\x04"), "more points than the 4", "byte 104"},
		{"a curve too few", with(8, "\x01"), "have 3 points, and the header says 5", "byte 16"},
		{"empty curve", with(64, "\x00\x00\x00\x00"), "0 points", "byte 64"},
		{"least number", with(64, "\x00\x00\x00\x80"), "inside the 2147483648 points", "byte 64"},
		{"cut short", good[:len(good)-1], "inside the 2 points", "byte 104"},
		{"not a number", with(68, "\x00\x00\xc0\x7f"), "NaN", "byte 68"},
	}
}

func TestHostileBCC(t *testing.T) {
	for _, h := range hostileBCC(t) {
		_, err := ReadBCC(strings.NewReader(h.data), DefaultReadOptions())
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v, want an error", h.name, err)
			continue
		}
		if !strings.Contains(err.Error(), h.want) || !strings.Contains(err.Error(), h.place+":") {
			t.Errorf("%s: %v, want %q at %s", h.name, err, h.want, h.place)
		}
	}
}

func TestBCCRefusesToWrite(t *testing.T) {
	for name, c := range map[string]*Curves{
		"empty curve":    {Counts: []int32{0}, Closed: []bool{false}},
		"far away point": {Points: []r3.Vec{{X: 1e300}, {}}, Counts: []int32{2}, Closed: []bool{false}},
		"no number":      {Points: []r3.Vec{{X: math.NaN()}, {}}, Counts: []int32{2}, Closed: []bool{false}},
	} {
		if WriteBCC(&bytes.Buffer{}, c, DefaultWriteOptions()) == nil {
			t.Errorf("%s: written", name)
		}
	}
}

// FuzzBCC says that whatever is read can be written and reads back the same.
func FuzzBCC(f *testing.F) {
	f.Add(mustBCC(f, twoCurves(), DefaultWriteOptions()))
	f.Add(mustBCC(f, twoCurves(), WriteOptions{Up: UpY, Unit: 1}))
	for _, h := range hostileBCC(f) {
		f.Add([]byte(h.data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ReadBCC(bytes.NewReader(data), DefaultReadOptions())
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		again, err := ReadBCC(bytes.NewReader(mustBCC(t, c, DefaultWriteOptions())), DefaultReadOptions())
		if err != nil {
			t.Fatalf("reading back: %v", err)
		}
		if !reflect.DeepEqual(again, c) {
			t.Fatalf("%+v became %+v", c, again)
		}
	})
}
