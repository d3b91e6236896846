package engine_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// overlapped returns a capsule that wears two sleeves, which cross each other and it.
func overlapped(t *testing.T, body bool) *engine.World {
	t.Helper()
	w, err := engine.New(engine.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	fabric, err := material.LookupFabric("cotton-interlock")
	if err != nil {
		t.Fatal(err)
	}
	for k, radius := range []func(a, z float64) float64{
		func(a, z float64) float64 { return 0.1 + 0.008*math.Sin(3*a+20*z) },
		func(a, z float64) float64 { return 0.1 + 0.008*math.Cos(4*a-15*z) },
	} {
		m, x := shape.Tube(0.102+0.003*float64(k), 0.2, 30+3*k, 10+k)
		for i := range x {
			a := math.Atan2(x[i].Y, x[i].X)
			r := radius(a, x[i].Z)
			x[i] = r3.V(r*math.Cos(a), r*math.Sin(a), x[i].Z)
		}
		c := engine.DefaultCloth([]string{"shirt", "jacket"}[k], m, x, fabric)
		c.Layer = k + 1
		if _, err := w.AddCloth(c); err != nil {
			t.Fatal(err)
		}
	}
	if body {
		pos, tri := shape.Capsule{Radius: 0.1, Half: 0.25}.Mesh(12)
		if _, err := w.AddObstacle(
			engine.Obstacle{Name: "arm", Place: r3.Still(), Tri: tri, Positions: pos},
		); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func TestSeparatedLayersStayApart(t *testing.T) {
	for _, body := range []bool{false, true} {
		w := overlapped(t, body)
		crossing := 0
		for _, p := range w.CrossingPairs() {
			crossing += p.Count
		}
		stats, err := w.SeparateLayers(engine.DefaultSeparateOptions())
		if err != nil {
			t.Fatal(err)
		}
		if stats.Before != crossing || crossing == 0 {
			t.Errorf("%d crossings at the start, but %+v", crossing, stats)
		}
		if left := w.CrossingPairs(); len(left) > 0 || stats.After != 0 {
			t.Fatalf("%+v are left: %+v", left, stats)
		}
		steps := 100
		if testing.Short() {
			steps = 10
		}
		for range steps {
			s, err := w.Step(2e-3)
			if err != nil {
				t.Fatal(err)
			}
			if s.Crossings > 0 {
				t.Fatalf("step %d has %d crossings: %+v", s.Step, s.Crossings, s.Crossed)
			}
		}
		if left := w.CrossingPairs(); len(left) > 0 {
			t.Errorf("%+v cross after %d steps", left, steps)
		}
	}
}

func TestSeparateLayersRefusesNonsense(t *testing.T) {
	w := overlapped(t, false)
	for _, o := range []engine.SeparateOptions{{Depth: 0, MaxIterations: 1}, {Depth: math.Inf(1), MaxIterations: 1}, {Depth: 0.1}} {
		if _, err := w.SeparateLayers(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	empty, err := engine.New(engine.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := empty.SeparateLayers(engine.DefaultSeparateOptions()); err == nil {
		t.Error("a world without layers is separated")
	}
}

// Handles hold what they hold, and the rest goes around it.
func TestSeparateLayersKeepsHeldVertices(t *testing.T) {
	w := overlapped(t, false)
	held := []int32{0, 5, 100}
	if _, err := w.AddHandle(engine.Handle{Name: "pin", Cloth: 0, Vertices: held}); err != nil {
		t.Fatal(err)
	}
	var before []r3.Vec
	for _, v := range held {
		before = append(before, w.Positions(0)[v])
	}
	stats, err := w.SeparateLayers(engine.DefaultSeparateOptions())
	if err != nil || stats.After != 0 {
		t.Fatalf("%+v, %v", stats, err)
	}
	for i, v := range held {
		if w.Positions(0)[v] != before[i] {
			t.Errorf("vertex %d has moved", v)
		}
	}
}
