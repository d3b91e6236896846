package mech

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// strained is the assembly of a block of tets that is strained.
func strained(t testing.TB, workers int) (a *Assembly, x []r3.Vec) {
	t.Helper()
	m := shape.Block(r3.V(0.3, 0.2, 0.1), 6, 4, 2)
	tets, err := elastic.NewCorotational(m, material.Isotropic{Young: 1e5, Poisson: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	a = NewAssembly(par.New(workers), len(m.X), []Placed{{Part{Elements: tets}, 0, len(m.X)}})
	rng := rand.New(rand.NewPCG(81, 82))
	x = slices.Clone(m.X)
	for i := range x {
		x[i] = x[i].Scale(1.05).AddScaled(0.003, r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()))
	}
	a.Update(x, make([]r3.Vec, len(x)), elastic.Projected)
	return a, x
}

func rotating(x []r3.Vec, spin, drift r3.Vec) []r3.Vec {
	v := make([]r3.Vec, len(x))
	for i := range x {
		v[i] = spin.Cross(x[i]).Add(drift)
	}
	return v
}

// In a rigid rotation every patch has its spin, and what is given back is h² K_g (ω x r), which is h² K (ω x r) since
// the material part of K knows no rotations. It has no net force.
func TestTurnOfARigidRotation(t *testing.T) {
	const h = 2e-3
	a, x := strained(t, 1)
	spin := r3.V(3, -4, 5)
	v, turn := rotating(x, spin, r3.V(7, 8, 9)), make([]r3.Vec, len(x))
	if !a.Turn(x, v, h, turn) {
		t.Fatal("nothing turns")
	}
	for i, got := range a.spin.node {
		// What keeps patches on a line in bounds is 1e-9 of the trace of the inertia.
		if d := got.Sub(spin).Norm(); d > 1e-8*spin.Norm() {
			t.Fatalf("node %d has spin %v, want %v", i, got, spin)
		}
	}
	a.WeighStep(h)
	for i := range a.families {
		a.families[i].material = a.families[i].geometric
	}
	a.Matrix(make([]r3.Mat, len(x)), 0)
	want := make([]r3.Vec, len(x))
	a.A.Mul(a.team, rotating(x, spin, r3.Vec{}), want)
	var sum r3.Vec
	size := 0.0
	for i := range want {
		sum, size = sum.Add(turn[i]), max(size, want[i].Norm())
	}
	for i := range want {
		if d := turn[i].Sub(want[i]).Norm(); d > 1e-8*size {
			t.Fatalf("node %d is given %v back, K_g times the rotation is %v", i, turn[i], want[i])
		}
	}
	if sum.Norm() > 1e-13*size*float64(len(x)) {
		t.Errorf("it has a net force of %v, of terms of %g", sum, size)
	}
}

// What rests or moves without turning is left alone to the bit, and so is what turns too far.
func TestTurnOfWhatDoesNotTurn(t *testing.T) {
	const h = 2e-3
	a, x := strained(t, 1)
	turn := make([]r3.Vec, len(x))
	for name, v := range map[string][]r3.Vec{
		"rest":        make([]r3.Vec, len(x)),
		"translation": rotating(x, r3.Vec{}, r3.V(70, 80, 90)),
		"slow turn":   rotating(x, r3.V(0, 0, 0.9*leastTurn/h), r3.Vec{}),
	} {
		if a.Turn(x, v, h, turn) {
			t.Errorf("%s turns", name)
		}
	}
	if a.Turn(x, rotating(x, r3.V(0, 0, 1.01*widestTurn/h), r3.Vec{}), h, turn); slices.ContainsFunc(turn, func(v r3.Vec) bool { return v != r3.Vec{} }) {
		t.Error("a turn that is too wide is given back")
	}
}

// Points on a line have no spin about it, one point and points at one place have none at all.
func TestSpinOfALine(t *testing.T) {
	thread := elastic.NewStitches([][2]int32{{0, 1}, {1, 2}, {3, 4}}, elastic.Thread{Stiffness: 100, Force: 10})
	a := NewAssembly(par.New(1), 6, []Placed{{Part{Elements: thread}, 0, 6}})
	x := []r3.Vec{{}, {X: 0.1}, {X: 0.2}, {Y: 1}, {Y: 1}, {Y: 2}}
	v := rotating(x, r3.V(5, 0, 3), r3.Vec{})
	v[3], v[4] = r3.V(1, 0, 0), r3.V(0, 1, 0)
	a.Update(x, v, elastic.Projected)
	turn := make([]r3.Vec, len(x))
	a.Turn(x, v, 1e-3, turn)
	for i, want := range []r3.Vec{{Z: 3}, {Z: 3}, {Z: 3}, {}, {}, {}} {
		if d := a.spin.node[i].Sub(want).Norm(); !(d <= 1e-8) {
			t.Errorf("node %d has spin %v, want %v", i, a.spin.node[i], want)
		}
	}
}

// The same bits for any number of workers, and nothing allocated.
func TestTurnWorkers(t *testing.T) {
	one, x := strained(t, 1)
	three, _ := strained(t, 3)
	v := rotating(x, r3.V(3, -4, 5), r3.Vec{})
	for i := range v {
		v[i] = v[i].AddScaled(float64(i%7), r3.V(0.01, 0.02, -0.01))
	}
	a, b := make([]r3.Vec, len(x)), make([]r3.Vec, len(x))
	one.Turn(x, v, 2e-3, a)
	three.Turn(x, v, 2e-3, b)
	if !slices.Equal(a, b) {
		t.Error("three workers find something else than one")
	}
	if n := testing.AllocsPerRun(10, func() { one.Turn(x, v, 2e-3, a) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
