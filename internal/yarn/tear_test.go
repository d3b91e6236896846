package yarn

import (
	"errors"
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// A yarn whose ends are drawn apart is told to be torn soon after it is straight, in steps of any length.
func TestShortStepsTellOfTearing(t *testing.T) {
	for _, pace := range []Pace{{Base: 1.0 / 4000}, {Base: 1.0 / 64000, Most: 1.0 / 4000}} {
		m := Kaldor()
		m.Contact = 0
		w, err := New(Options{Material: m})
		if err != nil {
			t.Fatal(err)
		}
		var points []r3.Vec
		for i := range 11 {
			points = append(points, r3.V(5e-3*float64(i), 1e-3*float64(i%2), 0))
		}
		if _, err := w.AddYarn(Yarn{Points: points}); err != nil {
			t.Fatal(err)
		}
		for _, h := range []Hold{{Points: []int{0}}, {Points: []int{10}, Motion: drawn{}}} {
			if err := w.AddHold(h); err != nil {
				t.Fatal(err)
			}
		}
		// It is 2 % longer than the way between its ends, which 2 ms take.
		for err == nil && w.Time() < 0.1 {
			err = w.Advance(pace.Base, pace, nil)
		}
		var torn *TornError
		if !errors.As(err, &torn) || !errors.Is(err, ErrTorn) || w.Time() > 0.01 {
			t.Fatalf("steps of %g s: %v after %g s", pace.Base, err, w.Time())
		}
		length := 10 * math.Hypot(5e-3, 1e-3)
		if !torn.Drawn() || torn.Held != [2]int{0, 10} || math.Abs(torn.Length-length) > 1e-12 || torn.Apart > 1.1*length {
			t.Errorf("%v of a yarn of %g m: %+v", err, length, torn)
		}
	}
}

// drawn moves at 0.5 m/s, ten lengths of the yarn in a second.
type drawn struct{}

func (drawn) At(t float64) r3.Pose { return r3.Translation(r3.V(0.5*t, 0, 0)) }

// What is not held on both sides is torn for another reason.
func TestTearingWithoutHolds(t *testing.T) {
	w, err := New(Options{Material: Kaldor()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddYarn(Yarn{Points: []r3.Vec{{}, r3.V(5e-3, 0, 0), r3.V(1e-2, 0, 0)}}); err != nil {
		t.Fatal(err)
	}
	if err := w.AddHold(Hold{Points: []int{0}}); err != nil {
		t.Fatal(err)
	}
	w.begin()
	for _, last := range []r3.Vec{r3.V(1, 0, 0), r3.V(0, -1, 0)} {
		var e *TornError
		if err := w.torn([]r3.Vec{{}, r3.V(5e-3, 0, 0), last}); !errors.As(err, &e) || e.Drawn() || e.Point != 1 {
			t.Errorf("%v: %v", last, err)
		}
	}
	if err := w.torn([]r3.Vec{{}, r3.V(5e-3, 0, 0), r3.V(math.NaN(), 0, 0)}); !errors.Is(err, ErrNotFinite) {
		t.Errorf("not a number: %v", err)
	}
}

// Two neighbours that are drawn apart are torn at tornStrain, however long steps are: no length is solved for between
// them.
func TestNeighboursTear(t *testing.T) {
	for _, pace := range []Pace{{Base: 1.0 / 4000}, {Base: 1.0 / 16200, Most: 1.0 / 4000}, {Base: 1.0 / 64000, Most: 1.0 / 4000}} {
		w, err := New(Options{Material: Kaldor()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.AddYarn(Yarn{Points: []r3.Vec{{}, r3.V(5e-3, 0, 0), r3.V(1e-2, 0, 0)}}); err != nil {
			t.Fatal(err)
		}
		for _, h := range []Hold{{Points: []int{0}}, {Points: []int{1}, Motion: drawn{}}} {
			if err := w.AddHold(h); err != nil {
				t.Fatal(err)
			}
		}
		err = w.Advance(0.1, pace, nil)
		var torn *TornError
		if !errors.As(err, &torn) || !torn.Drawn() {
			t.Fatalf("%+v: %v", pace, err)
		}
		// A step later at most, and the share that it spares is of what the step before left.
		far := 2 * 0.5 * pace.Most / 5e-3
		if strain := torn.Apart/torn.Length - 1; strain < tornStrain/2 || strain > 1.5*tornStrain+far {
			t.Errorf("%+v: torn at %g times its length", pace, 1+strain)
		}
	}
}

// What is told of a tear is in lengths of now, not in those of how it was laid, and rounding draws nothing.
func TestTearingWhileLengthsChange(t *testing.T) {
	w, err := New(Options{Material: Kaldor()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddYarn(Yarn{Points: []r3.Vec{{}, r3.V(5e-3, 0, 0), r3.V(1e-2, 0, 0)}}); err != nil {
		t.Fatal(err)
	}
	if err := w.AddHold(Hold{Points: []int{0, 2}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Ramp([]float64{0.5, 0.5, 1}, 0); err != nil {
		t.Fatal(err)
	}
	err = w.Advance(0.01, Pace{}, nil)
	var torn *TornError
	if !errors.As(err, &torn) || !torn.Drawn() || math.Abs(torn.Length-5e-3) > 1e-12 || math.Abs(torn.Apart-1e-2) > 1e-12 {
		t.Errorf("%v, of 5 mm of yarn between points that are 10 mm apart", err)
	}
	if e := (&TornError{Apart: 0.1 * (1 + 1e-15), Length: 0.1}); e.Drawn() {
		t.Error("drawn apart by rounding")
	}
}

// A straight yarn with both ends held has no way to sag, and its lengths are kept by any pull: it stays as it is.
func TestStraightYarnHangsBetweenItsEnds(t *testing.T) {
	for _, gravity := range []float64{0, 9.81} {
		for _, n := range []int{3, 5, 40} {
			m := Kaldor()
			m.Contact = 0
			w, err := New(Options{Material: m, Gravity: r3.V(0, 0, -gravity)})
			if err != nil {
				t.Fatal(err)
			}
			var points []r3.Vec
			for i := range n {
				points = append(points, r3.V(5e-3*float64(i), 0, 0))
			}
			if _, err := w.AddYarn(Yarn{Points: points}); err != nil {
				t.Fatal(err)
			}
			if err := w.AddHold(Hold{Points: []int{0, n - 1}}); err != nil {
				t.Fatal(err)
			}
			if err := w.Advance(0.05, Pace{Base: 1.0 / 16200, Most: 1.0 / 4000}, nil); err != nil {
				t.Errorf("%d points, gravity %g: %v", n, gravity, err)
			}
			// A shallow arc that is longer than its chord L by the share ε sags by L sqrt(3 ε/8).
			most := 5e-3 * float64(n-1) * math.Sqrt(3*w.opt.Strain/8)
			for i, x := range w.Positions() {
				if off := x.Sub(points[i]).Norm(); !(off <= most) {
					t.Errorf("%d points, gravity %g: point %d has moved by %g m, more than %g m", n, gravity, i, off, most)
				}
			}
		}
	}
}
