package yarn

import (
	"bytes"
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// sliding returns two yarns that cross and slide on each other.
func sliding(t testing.TB, mode ContactMode) *World {
	t.Helper()
	m := Kaldor()
	m.Friction, m.DampNormal, m.DampTangent = 0.3, 0.3, 0.03
	w, err := New(Options{Material: m, Workers: 1, Mode: mode, Tolerance: 0.04})
	if err != nil {
		t.Fatal(err)
	}
	for y := range 2 {
		var line []r3.Vec
		for i := range 6 {
			p := r3.V((float64(i)-2.4)*5e-3, 0, 0)
			if y == 1 {
				p = r3.V(0, p.X, 1.9e-3)
			}
			line = append(line, p)
		}
		if _, err := w.AddYarn(Yarn{Points: line}); err != nil {
			t.Fatal(err)
		}
	}
	for i, v := range w.Velocities() {
		w.Velocities()[i] = v.Add(r3.V(0.01*float64(i/6), 0, 0))
	}
	return w
}

// FuzzSnapshot restores anything, with the checksum that it should have: there is no panic; what is refused changes
// nothing; what is accepted is what Snapshot returns, and a step from it fails or leads to numbers.
func FuzzSnapshot(f *testing.F) {
	modes := []ContactMode{ContactSets, ContactLinear, ContactPairs}
	for i, mode := range modes {
		w := sliding(f, mode)
		for range 5 {
			if _, err := w.Step(1e-4); err != nil {
				f.Fatal(err)
			}
		}
		data := w.Snapshot()
		f.Add(uint8(i), data[:len(data)-checksumBytes])
	}
	f.Fuzz(func(t *testing.T, mode uint8, body []byte) {
		w := sliding(t, modes[int(mode)%len(modes)])
		before := w.Snapshot()
		data := seal(bytes.Clone(body))
		if err := w.Restore(data); err != nil {
			if !bytes.Equal(w.Snapshot(), before) {
				t.Fatalf("refused (%v), and yet the state has changed", err)
			}
			return
		}
		if !bytes.Equal(w.Snapshot(), data) {
			t.Fatal("the state is another one than in the snapshot")
		}
		if _, err := w.Step(1e-4); err != nil {
			return
		}
		for i, x := range w.Positions() {
			if !x.Finite() {
				t.Fatalf("point %d is at %v", i, x)
			}
		}
	})
}

// A step that would tear a yarn fails and changes nothing.
func TestStepDoesNotTear(t *testing.T) {
	w, err := New(Options{Material: Kaldor(), Workers: 1, Strain: math.Inf(1)})
	if err != nil {
		t.Fatal(err)
	}
	must[int](t)(w.AddYarn(Yarn{Points: straight(r3.V(1, 0, 0), 0)}))
	w.Velocities()[3].X = 1e9
	before := w.Hash()
	if _, err := w.Step(1e-4); err == nil {
		t.Error("no error")
	}
	if w.Hash() != before {
		t.Error("the state has changed")
	}
}
