package engine_test

import (
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// TestContactsMetOnTheWayAlone: a strip is pushed onto a ball in one step, in which nothing is near at first: the
// contact solver sees its first problem of the step in the second round. What it knows of the steps before must not
// matter, so that a world that was saved and restored goes on with the same bits.
func TestContactsMetOnTheWayAlone(t *testing.T) {
	const h = 0.02
	build := func() (*engine.World, engine.HandleID) {
		opt := engine.DefaultOptions()
		opt.Gravity = r3.Vec{}
		w := newWorld(t, opt)
		m, x := shape.Grid(0.09, 0.09, 3, 3)
		cloth := addCloth(t, w, engine.DefaultCloth("strip", m, x, fabric(t, "cotton")))
		addObstacle(t, w, engine.Obstacle{
			Name: "ball", Shape: shape.Sphere{Radius: 0.05}, Place: r3.Translation(r3.V(0.1412, 0.045, 0)),
		})
		var held []int32
		for i := range x {
			if x[i].X == 0 {
				held = append(held, int32(i))
			}
		}
		hand, err := w.AddHandle(engine.Handle{Cloth: cloth, Vertices: held})
		if err != nil {
			t.Fatal(err)
		}
		return w, hand
	}
	w, hand := build()
	push := func(w *engine.World, hand engine.HandleID, by float64) engine.Stats {
		w.MoveHandle(hand, r3.Translation(r3.V(by, 0, 0)))
		return step(t, w, h)
	}
	touched := push(w, hand, 0.002).Contacts // in touch,
	for range 40 {
		push(w, hand, -0.0004) // and away
	}
	saved := throughBytes(t, w.Snapshot())
	again, other := build()
	if err := again.Restore(saved); err != nil {
		t.Fatal(err)
	}
	one, two := push(w, hand, 0.003), push(again, other, 0.003)
	if touched == 0 || one.Rounds == 0 || one.Contacts == 0 {
		t.Fatalf("%d contacts at first, then %d after %d rounds", touched, one.Contacts, one.Rounds)
	}
	if w.Snapshot().Hash() != again.Snapshot().Hash() || one.Sweeps != two.Sweeps {
		t.Errorf("%d and %d sweeps; the restored world goes on elsewhere", one.Sweeps, two.Sweeps)
	}
}
