package engine_test

import (
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// TestLoadsOnASoftBody: a load that vertices share, and a force on one of them, give a free block the momentum F t.
func TestLoadsOnASoftBody(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Gravity = r3.Vec{}
	w := must(engine.New(opt))
	tets := shape.TetBox(r3.V(0.1, 0.1, 0.1), 2, 2, 2)
	soft := material.Isotropic{Young: 1e5, Poisson: 0.3}
	block := must(body.NewSolid(body.SolidSpec{Mesh: tets, Material: soft, Density: 500}))
	id := must(w.AddBody("block", block, tets.X, make([]r3.Vec, len(tets.X))))
	must(w.AddLoad(engine.Load{Name: "push", Body: &id, Vertices: []int32{0, 3, 5}, Force: r3.V(0.3, 0, 0)}))
	w.SetBodyForce(id, 7, r3.V(0, 0.2, 0))
	const steps, h = 20, 1e-3
	for range steps {
		must(w.Step(h))
	}
	var momentum r3.Vec
	for i, v := range w.BodyVelocities(id) {
		momentum = momentum.AddScaled(block.Mass[i], v)
	}
	if want := r3.V(0.3, 0.2, 0).Scale(steps * h); momentum.Sub(want).Norm() > 1e-8*0.5 { // 1e-8 m/s of 0.5 kg
		t.Errorf("momentum %v, want %v", momentum, want)
	}
	if _, err := w.AddLoad(engine.Load{Name: "far", Body: &id, Vertices: []int32{999}}); err == nil {
		t.Error("a load on a vertex that there is not was accepted")
	}
}

// TestWeakHandlesSlip: a handle that can bear less than a sheet weighs is left behind by all of its vertices, one that
// can bear ten times as much, more than it pulls with as it swings, by none, and an exact one never.
func TestWeakHandlesSlip(t *testing.T) {
	for share, want := range map[float64]int{0.5: 2, 10: 0, 0: 0} {
		w := must(engine.New(engine.DefaultOptions()))
		m, x := shape.Grid(0.1, 0.1, 4, 4)
		sheet := must(w.AddCloth(engine.DefaultCloth("sheet", m, x, must(material.LookupFabric("cotton")))))
		weight := 0.0
		for _, mass := range w.Masses(sheet) {
			weight += 9.81 * mass
		}
		h := engine.Handle{Name: "grip", Cloth: sheet, Vertices: []int32{0, 4}}
		if share > 0 {
			h.Limit = &engine.ForceLimit{Force: share * weight, Stiffness: 1e4}
		}
		grip := must(w.AddHandle(h))
		for range 100 {
			must(w.Step(4e-3))
		}
		if slips := w.HandleSlips(grip); slips != want {
			t.Errorf("with %g of the weight %d of 2 vertices slip, want %d", share, slips, want)
		}
	}
}

// TestSetSpin: a body that is given a spin has it, and turns with it.
func TestSetSpin(t *testing.T) {
	b := must(body.NewRigid(body.Brick(r3.V(0.1, 0.2, 0.3), 500), r3.Rotation(r3.V(1, 2, 3), 0.7), r3.Vec{}))
	spin := r3.V(1, -2, 0.5)
	b.SetSpin(spin)
	if b.Spin().Sub(spin).Norm() > 1e-14 {
		t.Errorf("spin %v, want %v", b.Spin(), spin)
	}
}
