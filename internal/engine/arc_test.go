package engine_test

import (
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A sheet rolled up by θ from vertex to vertex is unstretched along arcs, but for θ⁴/90.
func TestStretchAlongArcs(t *testing.T) {
	const size, angle = 0.02, 0.4
	m, at := shape.Strip(shape.Crossed, 0.2, 0.1, size, 0, 0)
	var x []r3.Vec
	for _, p := range at {
		s, c := math.Sincos(angle / size * p.X)
		x = append(x, r3.V(s, p.Y*angle/size, 1-c).Scale(size/angle))
	}
	w, err := engine.New(engine.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	spec := engine.DefaultCloth("sheet", m, x, cotton(t))
	spec.Membrane = engine.Arc
	id, err := w.AddCloth(spec)
	if err != nil {
		t.Fatal(err)
	}
	for v, s := range w.Stretch(id, nil) {
		if math.Abs(s-1) > math.Pow(angle, 4)/90 {
			t.Errorf("stretch at vertex %d is %g", v, s)
		}
	}
	if _, err := w.Step(0.01); err != nil {
		t.Error(err)
	}
}

func TestArcsNeedAPlate(t *testing.T) {
	m, at := shape.Strip(shape.Right, 0.2, 0.1, 0.05, 0, 0)
	w, err := engine.New(engine.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	spec := engine.DefaultCloth("sheet", m, shape.InPlane(at), cotton(t))
	spec.Membrane, spec.Bending = engine.Arc, engine.Hinge
	if _, err := w.AddCloth(spec); err == nil || !strings.Contains(err.Error(), "needs plate bending") {
		t.Errorf("a hinge along arcs gives %v", err)
	}
	spec.Membrane, spec.Bending = engine.Arc+1, engine.Plate
	if _, err := w.AddCloth(spec); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("an unknown membrane gives %v", err)
	}
}
