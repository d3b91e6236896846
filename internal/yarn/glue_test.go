package yarn

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// Glue holds two points at their distance and keeps momentum, also between a light one and a heavy one; what is held
// does not move.
func TestGlueKeepsItsLength(t *testing.T) {
	inverse := []float64{1 / 2e-6, 1 / 7e-6, 0}
	for _, g := range []glue{{a: 0, b: 1, rest: 3e-3}, {a: 1, b: 2, rest: 1e-3}} {
		from := []r3.Vec{r3.V(0, 0, 0), r3.V(2e-3, 1e-3, -1e-3), r3.V(0, 5e-3, 0)}
		x := append([]r3.Vec(nil), from...)
		projectGlue([]glue{g}, inverse, x, x, 1)
		if got := x[g.b].Sub(x[g.a]).Norm(); math.Abs(got-g.rest) > 1e-15 {
			t.Errorf("glue of %g m is %g m long", g.rest, got)
		}
		var momentum r3.Vec
		for i := range 2 {
			momentum = momentum.AddScaled(1/inverse[i], x[i].Sub(from[i]))
		}
		if inverse[g.b] > 0 && momentum.Norm() > 1e-22 {
			t.Errorf("momentum changed by %v", momentum)
		}
		if x[2] != from[2] {
			t.Error("a held point has moved")
		}
	}
}

// Glue and lengths are both kept in a step: what one of them left would be corrected in the next, as a velocity, and
// shorter steps would make a larger one of it.
func TestGlueUnderLoadStaysCalm(t *testing.T) {
	m := Kaldor()
	m.Contact, m.Bend, m.Twist, m.Plastic, m.PlasticMost = 0, 0, 0, 0, 0
	w, err := New(Options{Material: m})
	if err != nil {
		t.Fatal(err)
	}
	const half = 10 // points of a strand on either side
	var strand, hung []r3.Vec
	for i := -half; i <= half; i++ {
		x := 5e-3 * float64(i)
		strand = append(strand, r3.V(x, 0, math.Abs(x)))
		hung = append(hung, r3.V(0, 1e-3, -5e-3*float64(i+half)))
	}
	for _, points := range [][]r3.Vec{strand, hung} {
		if _, err := w.AddYarn(Yarn{Points: points}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.AddHold(Hold{Points: []int{0, 2 * half}}); err != nil {
		t.Fatal(err)
	}
	// Two points beside each other: moved for the one, both are wrong for the length between them.
	for i := range 2 {
		if err := w.AddGlue(Glue{A: half + i, B: 2*half + 1 + i}); err != nil {
			t.Fatal(err)
		}
	}
	w.SetForce(4*half+1, r3.V(0, 0, -0.1))
	const long, short = 1.0 / 4000, 1.0 / 16200
	for range 400 {
		if _, err := w.Step(long); err != nil {
			t.Fatal(err)
		}
		w.Stop()
	}
	s, err := w.Step(short)
	if err != nil {
		t.Fatal(err)
	}
	if most := glueWithin * m.Radius; s.Glue > most || s.GlueRounds == 0 || s.Fastest > 2*most/short {
		t.Errorf("after %d rounds glue is off by %g m, and points move at %g m/s", s.GlueRounds, s.Glue, s.Fastest)
	}
}

// A yarn that hangs on a held point by glue alone is borne by what holds it.
func TestReactionOfGlue(t *testing.T) {
	m := Kaldor()
	m.Contact = 0
	const g = 9.81
	w, err := New(Options{Material: m, Gravity: r3.V(0, 0, -g)})
	if err != nil {
		t.Fatal(err)
	}
	const n = 20
	upper, lower := []r3.Vec{}, []r3.Vec{}
	for i := range n {
		upper = append(upper, r3.V(5e-3*float64(i), 0, 0))
		lower = append(lower, r3.V(0, 0, -5e-3*float64(i+1)))
	}
	weight := 0.0
	for _, points := range [][]r3.Vec{upper, lower} {
		if _, err := w.AddYarn(Yarn{Points: points}); err != nil {
			t.Fatal(err)
		}
	}
	var held []int
	for i := range n {
		held = append(held, i)
	}
	if err := w.AddHold(Hold{Points: held}); err != nil {
		t.Fatal(err)
	}
	if err := w.AddGlue(Glue{A: n, B: 0}); err != nil { // the held point may be either
		t.Fatal(err)
	}
	// Glue is kept to a tolerance that is more than what falls in a step: the mean over many steps counts.
	sum, steps := 0.0, 0
	err = w.Advance(0.2, Pace{Base: 1.0 / 4000}, func(*Stats) {
		sum, steps = sum-w.Reaction(0).Z, steps+1
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := n; i < 2*n; i++ {
		weight += g * w.mass[i]
	}
	own := g * w.mass[0]
	if got := sum/float64(steps) - own; math.Abs(got-weight) > 0.01*weight {
		t.Errorf("the glue pulls with %g N on what holds it, and the yarn below weighs %g N", got, weight)
	}
}
