package yarn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// swing moves to and fro along Z.
type swing struct{ by, period float64 }

func (s swing) At(t float64) r3.Pose {
	return r3.Translation(r3.V(0, 0, s.by*math.Sin(2*math.Pi*t/s.period)))
}

// swatch returns a knit that hangs by one edge from what swings, and falls on a ball.
func swatch(t *testing.T, workers int, mode yarn.ContactMode) *yarn.World {
	t.Helper()
	f, err := knit.Make(knit.Rib(2, 2), knit.Options{Wales: 8, Courses: 6, Radius: 1.25e-3, LoopLength: 17.6 * 2.5e-3})
	if err != nil {
		t.Fatal(err)
	}
	m := yarn.Kaldor()
	m.Friction, m.DampNormal, m.DampTangent = 0.3, 0.3, 0.03
	w, err := yarn.New(yarn.Options{Material: m, Gravity: r3.V(0, 0, -9.81), Workers: workers, Mode: mode, Tolerance: 0.04})
	if err != nil {
		t.Fatal(err)
	}
	for _, y := range f.Yarns {
		if _, err := w.AddYarn(yarn.Yarn{Points: y.Points, Closed: y.Closed}); err != nil {
			t.Fatal(err)
		}
	}
	for _, g := range f.Glue {
		if err := w.AddGlue(yarn.Glue{A: g.A, B: g.B}); err != nil {
			t.Fatal(err)
		}
	}
	blocks, _ := f.Blocks(4)
	if err := w.SetBlocks(blocks); err != nil {
		t.Fatal(err)
	}
	var held []int
	for i := range 8 {
		_, first, _ := f.Loop(i, 5)
		held = append(held, first+4, first+5)
	}
	if err := w.AddHold(yarn.Hold{Points: held, Motion: swing{5e-3, 0.02}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddObstacle(yarn.Obstacle{
		Shape: shape.Sphere{Radius: 0.02}, Place: r3.Translation(r3.V(0.04, 0.02, -0.024)), Friction: 0.4,
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.Ramp(f.Ratio, 5e-3); err != nil {
		t.Fatal(err)
	}
	return w
}

// The same bits come out for any number of workers, and after a snapshot at any time.
func TestSameBits(t *testing.T) {
	modes := []yarn.ContactMode{yarn.ContactSets, yarn.ContactLinear, yarn.ContactPairs}
	if testing.Short() {
		modes = modes[:1]
	}
	for _, mode := range modes {
		t.Run(fmt.Sprint(mode), func(t *testing.T) {
			advance := func(w *yarn.World, duration float64) {
				t.Helper()
				if err := w.Advance(duration, yarn.Pace{Most: 1.0 / 4000}, nil); err != nil {
					t.Fatal(err)
				}
			}
			one := swatch(t, 1, mode)
			advance(one, 0.01)
			kept := one.Snapshot()
			advance(one, 0.01)
			for _, workers := range []int{2, 8} {
				w := swatch(t, workers, mode)
				advance(w, 0.01)
				advance(w, 0.01)
				if w.Hash() != one.Hash() {
					t.Errorf("%d workers: another state", workers)
				}
			}
			again := swatch(t, 2, mode)
			if err := again.Restore(kept); err != nil {
				t.Fatal(err)
			}
			advance(again, 0.01)
			if again.Hash() != one.Hash() {
				t.Error("another state after going back to a snapshot")
			}
			if one.Steps() < 80 || one.Load(0).Points == 0 {
				t.Errorf("%d steps, %d points on the ball: too little happens", one.Steps(), one.Load(0).Points)
			}
		})
	}
}

// Going back to a snapshot goes on with the same bits also where steps end by rounding: a frame of a scene at 60 frames
// a second is as long as 54 steps of the base, but for it.
func TestSameBitsAtFrames(t *testing.T) {
	const frame = 1.0 / 300
	begin := func() *yarn.World {
		m := yarn.Kaldor()
		w, err := yarn.New(yarn.Options{Material: m, Gravity: r3.V(0, 0, -9.81), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for k := range 2 { // pressed so hard that their steps are those of the base
			var points []r3.Vec
			for i := range 9 {
				p := r3.V(5e-3*float64(i-4), 0, 0.5e-3*float64(k))
				if k == 1 {
					p.X, p.Y = 0, p.X
				}
				points = append(points, p)
			}
			if _, err := w.AddYarn(yarn.Yarn{Points: points}); err != nil {
				t.Fatal(err)
			}
		}
		for _, h := range []yarn.Hold{{Points: []int{0, 8}, Motion: swing{2e-5, 0.02}}, {Points: []int{9, 17}}} {
			if err := w.AddHold(h); err != nil {
				t.Fatal(err)
			}
		}
		w.SetForce(4, r3.V(0, 0, 3))
		w.SetForce(13, r3.V(0, 0, -3))
		// A bent one grows beside them.
		var bent []r3.Vec
		for i := range 9 {
			bent = append(bent, r3.V(4e-3*float64(i), 0.1+3e-3*float64(i%2), 0))
		}
		if _, err := w.AddYarn(yarn.Yarn{Points: bent}); err != nil {
			t.Fatal(err)
		}
		share := []float64{}
		for i := range 27 {
			share = append(share, 1+float64(i/18))
		}
		if err := w.Ramp(share, 0.2); err != nil {
			t.Fatal(err)
		}
		return w
	}
	advance := func(w *yarn.World) {
		t.Helper()
		if err := w.Advance(frame, yarn.Pace{Most: 1.0 / 15000}, nil); err != nil {
			t.Fatal(err)
		}
	}
	one := begin()
	for i := range 40 {
		kept := one.Snapshot()
		advance(one)
		again := begin()
		if err := again.Restore(kept); err != nil {
			t.Fatal(err)
		}
		if advance(again); again.Hash() != one.Hash() {
			t.Errorf("another state after frame %d", i)
		}
	}
}

func TestDamagedSnapshots(t *testing.T) {
	w := swatch(t, 1, yarn.ContactSets)
	if err := w.Advance(2e-3, yarn.Pace{}, nil); err != nil {
		t.Fatal(err)
	}
	good := w.Snapshot()
	before := w.Hash()
	for n := 0; n < len(good); n += 1 + len(good)/97 {
		if w.Restore(good[:n]) == nil {
			t.Errorf("the first %d of %d bytes are taken", n, len(good))
		}
	}
	if w.Restore(append(good[:len(good):len(good)], 0)) == nil {
		t.Error("a byte too many is taken")
	}
	if w.Hash() != before {
		t.Error("a snapshot that was refused has changed the state")
	}
	other := swatch(t, 1, yarn.ContactSets)
	other.SetForce(0, r3.V(1, 0, 0))
	if err := other.Restore(good); err != nil {
		t.Errorf("forces are part of the snapshot, not of the world: %v", err)
	}
}
