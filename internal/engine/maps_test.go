package engine_test

import (
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func constant[T any](n int, value T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = value
	}
	return out
}

// evenMaps are maps that say everywhere what the cloth has anyway.
func evenMaps(c *engine.Cloth, opt *engine.Options) engine.Maps {
	f, tris, verts := &c.Fabric, len(c.Mesh.Tri), c.Mesh.Verts
	return engine.Maps{
		Factor: constant(
			tris,
			1.0,
		),
		Density: constant(tris, f.Density),
		Stretch: constant(tris, f.Membrane),
		Damping: constant(tris, f.Damping),
		Bend: constant(
			tris,
			material.Rigidity{Warp: f.BendWarp, Weft: f.BendWeft, Bias: f.BendBias, Poisson: f.BendPoisson},
		),
		Friction:  constant(verts, opt.Contact.Friction),
		Thickness: constant(verts, opt.Contact.Thickness),
	}
}

// A sheet with maps that are the same everywhere moves like one without, for all models; damping is added up in another
// order.
func TestEvenMapsChangeNothing(t *testing.T) {
	for _, c := range []struct {
		membrane engine.MembraneModel
		bending  engine.BendingModel
	}{{engine.Chord, engine.Plate}, {engine.Arc, engine.Plate}, {engine.Chord, engine.Hinge}, {engine.Chord, engine.Isometric}} {
		var end [2][]r3.Vec
		for i := range end {
			opt := engine.DefaultOptions()
			opt.Newton.Iterations = 2
			w := newWorld(t, opt)
			m, x := sheetAt(t, 0.2, 8, r3.Pose{R: r3.Rotation(r3.V(1, 0.3, 0), 0.4), T: r3.V(0, 0, 0.08)})
			cloth := engine.DefaultCloth("sheet", m, x, cotton(t))
			cloth.Fabric.Damping = 5e-3
			cloth.Membrane, cloth.Bending = c.membrane, c.bending
			if i == 1 {
				cloth.Maps = evenMaps(&cloth, &opt)
			}
			id := addCloth(t, w, cloth)
			addFloor(t, w)
			steps(t, w, 60, 4e-3)
			if len(w.Contacts(nil)) == 0 {
				t.Fatal("it touches nothing: the test says little")
			}
			end[i] = w.Positions(id)
		}
		for v := range end[0] {
			if d := end[0][v].Sub(end[1][v]).Norm(); d > 1e-8 {
				t.Errorf("%v, %v: vertex %d is %g m off", c.membrane, c.bending, v, d)
				break
			}
		}
	}
}

// Snapshots of a mapped world go on bit for bit, for any number of workers.
func TestMappedWorldResumesBitForBit(t *testing.T) {
	build := func(workers int) *engine.World {
		opt := engine.DefaultOptions()
		opt.Workers = workers
		w := newWorld(t, opt)
		m, x := sheetAt(t, 0.2, 10, r3.Pose{R: r3.Rotation(r3.V(1, 0.3, 0), 0.2), T: r3.V(0, 0, 0.03)})
		cloth := engine.DefaultCloth("sheet", m, x, cotton(t))
		cloth.Maps = evenMaps(&cloth, &opt)
		for i := range cloth.Maps.Friction {
			cloth.Maps.Friction[i] = 0.1 * float64(i%5)
			cloth.Maps.Thickness[i] = 1e-3 * (1 + float64(i%4))
		}
		for i := range cloth.Maps.Density {
			cloth.Maps.Density[i] *= float64(1 + i%3)
			cloth.Maps.Damping[i] = 1e-3 * float64(i%2)
		}
		addCloth(t, w, cloth)
		addFloor(t, w)
		return w
	}
	w := build(1)
	steps(t, w, 40, 4e-3)
	middle := throughBytes(t, w.Snapshot())
	steps(t, w, 20, 4e-3)
	other := build(2)
	if err := other.Restore(middle); err != nil {
		t.Fatal(err)
	}
	steps(t, other, 20, 4e-3)
	if w.Snapshot().Hash() != other.Snapshot().Hash() {
		t.Error("the resumed world differs")
	}
	if len(w.Contacts(nil)) < 20 {
		t.Error("it hardly touches the floor: the test says little")
	}
}

// A sheet on the floor rests at the distance that the map has at each vertex.
func TestThicknessMapLifts(t *testing.T) {
	w := newWorld(t, engine.DefaultOptions())
	m, x := shape.Grid(0.3, 0.3, 12, 12)
	cloth := engine.DefaultCloth("sheet", m, x, cotton(t))
	cloth.Fabric.Damping = 0.05
	cloth.Maps.Thickness = make([]float64, m.Verts)
	for i, p := range x {
		cloth.Maps.Thickness[i] = 1e-3 + 4e-3*p.X/0.3 // linear: no bending
		x[i].Z = 6e-3
	}
	id := addCloth(t, w, cloth)
	addFloor(t, w)
	steps(t, w, 200, 4e-3)
	for i, p := range w.Positions(id) {
		if math.Abs(p.Z-cloth.Maps.Thickness[i]) > 1e-5 {
			t.Fatalf("vertex %d rests at %g m, not at %g", i, p.Z, cloth.Maps.Thickness[i])
		}
	}
}

// Contacts have the friction of their vertex; a listed pair has its own.
func TestFrictionMapAndListedPairs(t *testing.T) {
	w, _ := littleSheet(t, engine.DefaultOptions(), 1e-3)
	m, x := shape.Grid(0.1, 0.1, 4, 4)
	for i := range x {
		x[i] = x[i].Add(r3.V(1, 0, 1e-3))
	}
	cloth := engine.DefaultCloth("mapped", m, x, cotton(t))
	for i := range x {
		cloth.Maps.Friction = append(cloth.Maps.Friction, 0.01*float64(i))
	}
	id := addCloth(t, w, cloth)
	floor := addFloor(t, w)
	step(t, w, 2e-3)
	count := 0
	for _, c := range w.Contacts(nil) {
		want := engine.DefaultOptions().Contact.Friction
		if c.A == w.ClothSurface(id) {
			want = 0.01 * float64(c.Vertex)
			count++
		}
		if c.Mu != want {
			t.Errorf("vertex %d of %s: mu %g, not %g", c.Vertex, w.SurfaceName(c.A), c.Mu, want)
		}
	}
	if count != m.Verts {
		t.Errorf("%d contacts of %d vertices", count, m.Verts)
	}
	w.SetFriction(w.ClothSurface(id), w.ObstacleSurface(floor), 0.3)
	// The coefficient is that of the default, and yet it is the pair's own, also after a resume.
	if err := w.Restore(throughBytes(t, w.Snapshot())); err != nil {
		t.Fatal(err)
	}
	step(t, w, 2e-3)
	for _, c := range w.Contacts(nil) {
		if c.A == w.ClothSurface(id) && c.Mu != 0.3 {
			t.Errorf("vertex %d: mu %g in spite of the coefficient of the pair", c.Vertex, c.Mu)
		}
	}
}

// A sheet that a weak handle carries by two vertices, of which one may pull with a tenth: that one gives way, with just
// its force.
func TestStrengthMapGivesWay(t *testing.T) {
	w := newWorld(t, engine.DefaultOptions())
	m, x := shape.Grid(0.2, 0.2, 4, 4)
	cloth := engine.DefaultCloth("sheet", m, x, cotton(t))
	id := addCloth(t, w, cloth)
	mass := 0.0
	for _, k := range w.Masses(id) {
		mass += k
	}
	weight := mass * 9.81
	left, right := int32(4*5), int32(4*5+4)
	h, err := w.AddHandle(engine.Handle{
		Name: "hands", Cloth: id, Vertices: []int32{left, right},
		Limit: &engine.ForceLimit{ForceAt: []float64{6 * weight, 0.2 * weight}, Stiffness: 1000},
	})
	if err != nil {
		t.Fatal(err)
	}
	steps(t, w, 150, 4e-3)
	p := w.Positions(id)
	if d := p[left].Sub(x[left]).Norm(); d > 0.01 {
		t.Errorf("the strong hand let go by %g m", d)
	}
	if d := p[right].Sub(x[right]).Norm(); d < 0.05 {
		t.Errorf("the weak hand held to %g m", d)
	}
	if f := w.HandleForce(h).Norm(); f > (3+0.1)*weight {
		t.Errorf("the hands pull with %g N, more than their limits", f)
	}
}

func TestBadMapsAreRefused(t *testing.T) {
	m, x := shape.Grid(1, 1, 2, 2)
	for _, c := range []struct {
		change func(*engine.Cloth)
		want   string
	}{
		{func(c *engine.Cloth) { c.Maps.Density = []float64{1} }, "density map has 1 values; it needs 8"},
		{func(c *engine.Cloth) { c.Maps.Density = make([]float64, 8) }, "density map has 0 as its value 0"},
		{func(c *engine.Cloth) { c.Maps.Friction = constant(9, -1.0) }, "friction map has -1"},
		{func(c *engine.Cloth) { c.Maps.Thickness = constant(9, math.NaN()) }, "thickness map has NaN"},
		{func(c *engine.Cloth) { c.Maps.Stretch = make([]material.Stretch, 8) }, "stretch map at triangle 0"},
		{func(c *engine.Cloth) { c.Maps.Bend = make([]material.Rigidity, 8) }, "bend map at triangle 0"},
		{func(c *engine.Cloth) { c.Maps.Factor = constant(8, 0.0) }, "factor map has 0"},
		{func(c *engine.Cloth) { c.Maps.Bend = make([]material.Rigidity, 7) }, "bend map has 7 values"},
	} {
		w := newWorld(t, engine.DefaultOptions())
		cloth := engine.DefaultCloth("sheet", m, x, cotton(t))
		c.change(&cloth)
		if _, err := w.AddCloth(cloth); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
