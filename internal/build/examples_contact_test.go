package build

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

func mean(x []r3.Vec) r3.Vec {
	var sum r3.Vec
	for _, p := range x {
		sum = sum.Add(p)
	}
	return sum.Scale(1 / float64(len(x)))
}

// farthest returns the largest distance between corresponding points.
func farthest(x, y []r3.Vec) float64 {
	d := 0.0
	for i := range x {
		d = max(d, x[i].Sub(y[i]).Norm())
	}
	return d
}

func clone(x []r3.Vec) []r3.Vec { return append([]r3.Vec(nil), x...) }

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.6g, not %.6g to %g", what, got, want, tolerance)
	}
}

func TestInclinedPlane(t *testing.T) {
	start, hit := 0.0, 0.0
	b := play(t, "../../scenes/inclined-plane.yaml", []string{"cloths.sheet.shape.grid.cells=[4, 4]"}, func(b *Built) {
		x := mean(b.World.Positions(0))
		if start == 0 {
			start = x.Z
		}
		if hit == 0 && len(b.World.Contacts(nil)) > 0 {
			hit = b.World.Time()
		}
	})
	v := b.World.Velocities(0)
	near(t, "the time of the impact", hit, 0.306483, 2e-3)
	near(t, "the speed at the end", mean(v).Norm(), 2.413304, 0.005*2.413304)
	near(t, "the loss of height", start-mean(b.World.Positions(0)).Z, 0.988493, 2e-3)
	for i := range v {
		near(t, "the difference of two velocities", v[i].Sub(v[0]).Norm(), 0, 1e-9)
	}
}

func TestRamp(t *testing.T) {
	coarse := "cloths.square.shape.grid.cells=[8, 8]"
	for _, c := range []struct {
		mu   string
		want float64
		tol  float64
	}{
		{"0.177", 0, 1e-6},
		// ½ a t² with a = g (sin 10° − 0.176 cos 10°); backward Euler adds ½ a h t.
		{"0.176", 0.5 * 0.0031589 * 5 * (5 + 0.01), 0.02 * 39.5e-3},
	} {
		var start []r3.Vec
		b := play(t, "../../scenes/ramp.yaml", []string{coarse, "friction=" + c.mu}, func(b *Built) {
			if start == nil {
				start = clone(b.World.Positions(0))
			}
		})
		near(t, "the way down the ramp with "+c.mu, farthest(b.World.Positions(0), start), c.want, c.tol)
	}
}

func TestCapstan(t *testing.T) {
	for _, c := range []struct {
		mu    string
		holds bool
	}{{"0.15", true}, {"0.13", false}} {
		var start, late []r3.Vec
		b := play(t, "../../scenes/capstan.yaml", []string{"time.end=2", "friction=" + c.mu}, func(b *Built) {
			if start == nil {
				start = clone(b.World.Positions(0))
			}
			if late == nil && b.World.Time() >= 1 {
				late = clone(b.World.Positions(0))
			}
		})
		// A strip that hangs may still sway, which does not lift its ends.
		x, last := b.World.Positions(0), len(start)-1
		moved := max(math.Abs(x[0].Z-start[0].Z), math.Abs(x[last].Z-start[last].Z))
		creep := max(math.Abs(x[0].Z-late[0].Z), math.Abs(x[last].Z-late[last].Z))
		if c.holds && (moved > 1e-3 || creep > 1e-6) || !c.holds && moved < 0.02 {
			t.Errorf("mu %s: moved %.3g m, of it %.3g m in the last second", c.mu, moved, creep)
		}
	}
}

// TestCircularDrag goes round twice: in the first turn the cloth still finds its place behind the corner.
func TestCircularDrag(t *testing.T) {
	below := math.Inf(1)
	var radius []float64
	b := play(t, "../../scenes/circular-drag.yaml", []string{
		"cloths.square.shape.grid.cells=[6, 6]", "time.step=5 ms", "time.fps=10", "time.end=11",
		"motions.turn.keys.1={at: 11 s, rotate: {axis: [0, 0, 1], angle: 720 deg}}",
	}, func(b *Built) {
		x := b.World.Positions(0)
		below = min(below, r3.BoxOf(x).Min.Z)
		if b.World.Time() > 6+1e-9 {
			c := mean(x)
			radius = append(radius, math.Hypot(c.X, c.Y))
		}
	})
	x := b.World.Positions(0)
	corner := b.Cloths[0].Pins[0].Vertices[0]
	near(t, "the way of the corner", x[corner].Sub(r3.V(0.5, 0, 1e-3)).Norm(), 0, 1e-9)
	if below < 0 || r3.BoxOf(x).Max.Z > 0.1 {
		t.Errorf("the cloth was as low as %g m and ends as high as %g m", below, r3.BoxOf(x).Max.Z)
	}
	// The fourth harmonic of the distance of the middle of the cloth from that of the circle: how square its path is.
	var re, im, level float64
	for i, r := range radius {
		s, c := math.Sincos(4 * 2 * math.Pi * float64(i) / float64(len(radius)))
		re, im, level = re+2*r*c, im+2*r*s, level+r
	}
	if square := math.Hypot(re, im) / level; !(square < 0.01) {
		t.Errorf("the path of the cloth is square by %g of its radius, %g m", square, level/float64(len(radius)))
	}
}

func TestPinch(t *testing.T) {
	for _, c := range []struct {
		force string
		holds bool
	}{{"0.33333 N", true}, {"0.29 N", false}} {
		var late []r3.Vec
		b := play(
			t,
			"../../scenes/pinch.yaml",
			[]string{"cloths.square.shape.grid.cells=[6, 6]", "obstacles.press.press.force=" + c.force},
			func(b *Built) {
				if late == nil && b.World.Time() >= 1 {
					late = clone(b.World.Positions(0))
				}
			},
		)
		drift := farthest(b.World.Positions(0), late)
		if c.holds && drift > 1e-6 || !c.holds && drift < 0.1 {
			t.Errorf("%s: drift of %g m in 2 s", c.force, drift)
		}
	}
}

func TestBallDrape(t *testing.T) {
	worst := math.Inf(1)
	steps, good := 0, 0
	s, err := scenefile.Load(
		"../../scenes/ball-drape.yaml",
		[]string{"cloths.sheet.shape.grid.cells=[12, 12]", "time.step=4 ms", "time.end=1"},
	)
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		t.Skip("takes seconds")
	}
	b, err := World(s)
	if err != nil {
		t.Fatal(err)
	}
	err = b.World.Advance(s.Time.End, s.Time.Step, func(st engine.Stats) {
		steps++
		if st.Residual <= 1e-8 {
			good++
		}
		for _, x := range b.World.Positions(0) {
			worst = min(worst, x.Norm()-0.152)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if worst < 0.5e-3 {
		t.Errorf("the sheet was %g m from the ball", worst)
	}
	if float64(good) < 0.99*float64(steps) {
		t.Errorf("%d of %d steps reached the tolerance", good, steps)
	}
	box := r3.BoxOf(b.World.Positions(0))
	if box.Max.Z < 0.152 || box.Min.Z > -0.2 {
		t.Errorf("the sheet does not hang on the ball: %v to %v", box.Min, box.Max)
	}
}

// TestTemplate plays what toile new writes, on a coarser mesh: the cloth hangs on the ball and turns with it.
func TestTemplate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	path, err := scenefile.New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var before []r3.Vec
	coarse := []string{"cloths.square.shape.grid.cells=[16, 16]", "contact.thickness=3 mm"}
	b := play(t, path, coarse, func(b *Built) {
		if before == nil && b.World.Time() >= 0.5 {
			before = clone(b.World.Positions(0))
		}
	})
	x := b.World.Positions(0)
	for i, p := range x {
		if p.Z < 0 || p.Sub(r3.V(0, 0, 0.12)).Norm() < 0.1 {
			t.Errorf("vertex %d is at %v", i, p)
		}
	}
	// The vertex that was nearest to the top of the ball has not slipped off, and its neighbours have turned by 90
	// degrees.
	top := scenefile.Closest(before, r3.V(0, 0, 0.223))
	side := before[top+2].Sub(before[top])
	turned := x[top+2].Sub(x[top])
	near(t, "the distance from the top", x[top].Sub(r3.V(0, 0, 0.223)).Norm(), 0, 0.02)
	angle := math.Atan2(side.X*turned.Y-side.Y*turned.X, side.X*turned.X+side.Y*turned.Y)
	near(t, "the turn", angle, math.Pi/2, 0.2)
}
