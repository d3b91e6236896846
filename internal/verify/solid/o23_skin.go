package solid

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// O23: contacts of a fine skin that coarse tets carry. What they do to the tets has the sum and the moment of what they
// do to the skin, which has points outside of the tets. A plate that presses on such a skin without friction makes the
// same strain -F/(A E) in all tets, because the linear motion that does so is among those of the tets.
var carriedSkin = verify.Case{
	ID: "O23", Title: "a fine skin in coarse tets", Source: "statics",
	Body: func(t *verify.Trial) {
		cells, fine := 2, 5
		if t.Options.Full {
			cells, fine = 4, 11
		}
		skinWrench(t, cells, fine)
		skinPatch(t, cells, fine)
	},
}

// inFineSkin returns a block of tets, 0.1 m wide, with the skin of one that has more cells and is larger by a part.
func inFineSkin(cells, fine int, larger, young float64) body.SolidSpec {
	size := r3.V(0.1, 0.1, 0.1)
	m := shape.TetBox(size, cells, cells, cells)
	outer, _, points := shape.TetBox(size, fine, fine, fine).SkinFirst()
	x := outer.X[:points]
	for i, p := range x {
		x[i] = p.Lerp(size.Scale(0.5), -larger)
	}
	return body.SolidSpec{
		Mesh: m, Material: material.Isotropic{Young: young, Poisson: 0.3}, Density: 1000, Damping: 5e-3,
		Skin: body.SkinIn(m, x, outer.Skin()),
	}
}

// skinWrench throws a block on a floor.
func skinWrench(t *verify.Trial, cells, fine int) {
	// block whose skin is finer than its tets
	const size = 0.1
	w := setup.RigidWorld(t, 0.4, 0)
	place := r3.Pose{R: r3.Rotation(r3.V(1, 0.4, 0), 0.3), T: r3.V(0, 0, 0.05)}
	id := setup.AddSolid(t, w, inFineSkin(cells, fine, 0.02, 2e4), place, r3.V(0.5, 0, -0.5))
	worst, crossings, pushed := 0.0, 0, 0
	// steps, with the wrench of contacts on the skin
	for range 150 {
		start := slices.Clone(w.BodyPositions(id))
		stats, err := w.Step(2e-3)
		t.Must(err)
		crossings += stats.Crossings
		var force, moment r3.Vec
		for _, c := range w.Contacts(nil) {
			at := c.Point.AddScaled(c.Gap/2, c.Normal)
			force, moment = force.Add(c.Impulse), moment.Add(at.Cross(c.Impulse))
		}
		strength := force.Norm()
		// less that on the tets
		for i, f := range w.BodyImpulses(id, nil) {
			force, moment = force.Sub(f), moment.Sub(start[i].Cross(f))
		}
		if strength > 0 {
			worst = max(worst, force.Norm()/strength, moment.Norm()/(size*strength))
			pushed++
		}
	}
	// both are the same
	t.Row(verify.Row{
		Quantity: fmt.Sprintf("difference of the wrenches on skin and tets in %d steps, relative", pushed),
		Measured: worst, Bar: verify.AtMost, Limit: 64 * verify.Rounding,
		From: "64 roundings",
	})
	t.Row(verify.Row{Quantity: "crossings", Measured: float64(crossings), Bar: verify.AtMost})
}

// skinPatch presses a block.
func skinPatch(t *verify.Trial, cells, fine int) {
	const young, force, area = 1e5, 10.0, 0.01
	opt := engine.DefaultOptions()
	thick := opt.Contact.Thickness
	w := setup.RigidWorld(t, 0, 0)
	spec := inFineSkin(cells, fine, 0, young)
	spec.Density = 1e-2 // its own weight is nothing
	id := setup.AddSolid(t, w, spec, r3.Translation(r3.V(-0.05, -0.05, thick)), r3.Vec{})
	plate := body.Brick(r3.V(0.08, 0.08, 0.01), 1000)
	b, _ := setup.AddRigid(t, w, "plate", plate, r3.V(0, 0, 0.11+2*thick), r3.Vec{}, r3.NoRotation())
	t.Must(b.SetHold(body.Hold{
		Axes: r3.Identity(), Move: [3]bool{true, true, false}, Turn: [3]bool{true, true, true},
	}))
	t.Must(b.SetLoad(r3.V(0, 0, plate.Mass*9.81-force), r3.Vec{}))
	for range 200 {
		_, err := w.Step(1e-2)
		t.Must(err)
	}
	want, worst := -force/(area*young), 0.0
	for tet := range spec.Mesh.Tet {
		worst = max(worst, math.Abs(heightStrain(spec.Mesh, w.BodyPositions(id), tet)/want-1))
	}
	t.Row(verify.Row{
		Quantity: fmt.Sprintf("error of the strain in one of %d tets, relative", len(spec.Mesh.Tet)), Measured: worst,
		Bar: verify.AtMost, Limit: 1e-4,
	})
}

// heightStrain returns ∂z/∂Z - 1 of a tet whose vertices have moved to x.
func heightStrain(m *mesh.Tets, x []r3.Vec, tet int) float64 {
	v := m.Tet[tet]
	var before [3]r3.Vec
	var rise [3]float64
	for k := range 3 {
		before[k], rise[k] = m.X[v[k+1]].Sub(m.X[v[0]]), x[v[k+1]].Z-x[v[0]].Z
	}
	rows := r3.Rows(before[0], before[1], before[2])
	inverse, _ := rows.Inverse()
	return inverse.MulVec(r3.V(rise[0], rise[1], rise[2])).Z - 1
}
