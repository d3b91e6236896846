package solid

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C17: a soft block of 0.1 m lies on another, and a plate presses on both. Their stress is -F/A everywhere, if
// contact can pass an even pressure on; with ν = 0 nothing moves sideways, and friction only keeps the blocks on
// each other.
//
// Contacts here are points, each pushed against a triangle of the other side. Where vertices are on vertices they
// pass the pressure on. Where they are not, points of one side cannot: with 3 cells on 2, the best impulses leave a
// vertex with a load 43 % off. Those of both sides together can, if the diagonals are parallel as here: there are
// impulses without pull that load every vertex as an even pressure does, to rounding. But of these 21 contacts 16
// are kept, since others stand for the rest (detect/cover.go), and the stress of a tet is 13 % off; with
// all that detection finds, 19, it is 3 % off, and with 5 cells on 3 it is 13 % in place of 17 %. That is not all: with
// 7 cells on 5 it is 43 % with them, too. Forces and their moments are right, and stress is not within a cell of the
// contact, at any size of cells. Smooth skins are no way: that of a block of three cells is round at its edges, and
// stress is 61 % off and more.
var contactPatch = verify.Case{
	ID: "C17", Title: "contact patch test of two soft blocks", Source: "Hooke's law",
	Body: func(t *verify.Trial) {
		same, others := [2]int{2, 2}, [][2]int{{3, 2}}
		if t.Options.Full {
			same, others = [2]int{4, 4}, [][2]int{{3, 2}, {2, 3}, {5, 3}, {7, 5}}
		}
		mean, worst := patchOfTwo(t, same)
		t.Row(verify.Row{
			Quantity: "vertices on vertices: error of the stress in a tet, relative", Measured: worst,
			Bar: verify.AtMost, Limit: 4 * patchOwnWeight, // the weight of the blocks
		})
		for _, cells := range others {
			m, one := patchOfTwo(t, cells)
			mean, worst = max(mean, m), max(worst, one)
			t.Note("%d cells below %d: stress of a tet to %.1f %%", cells[0], cells[1], 100*one)
		}
		t.Row(verify.Row{
			Quantity: "error of the mean stress of a block, relative", Measured: mean, Bar: verify.AtMost, Limit: 0.01,
			From: "asked: 1 %, for any cells",
		})
		t.Row(verify.Row{
			Quantity: "other cells: error of the stress in a tet, relative", Measured: worst, Bar: verify.AtMost,
			Limit: 0.5,
			Asked: "at most 0.01",
			Why: "Points of both sides could pass an even pressure on, but contacts are left out for which others " +
				"stand: " +
				"with 3 cells on 2, 16 of 21 are kept and stress is 13 % off, with 19 it is 3 %; " +
				"with 7 on 5 that does not help. Smooth skins are round at edges: 61 %.",
		})
	},
}

// patchOwnWeight is the weight of one block over the force that presses on it.
const (
	patchSide, patchForce, patchDensity = 0.1, 5.0, 1e-2
	patchOwnWeight                      = patchDensity * patchSide * patchSide * patchSide * 9.81 / patchForce
)

// patchOfTwo returns the relative errors of the mean stress of a block, and of the stress of a tet, for so many cells
// along a side of the lower and of the upper block.
func patchOfTwo(t *verify.Trial, cells [2]int) (mean, worst float64) {
	const side, force, young, density = patchSide, patchForce, 1e5, patchDensity
	// blocks on each other
	thick := engine.DefaultOptions().Contact.Thickness
	w := setup.RigidWorld(t, 0.5, 0)
	var meshes [2]*mesh.Tets
	var ids [2]engine.BodyID
	for i, n := range cells {
		meshes[i] = shape.TetBox(r3.V(side, side, side), n, n, n)
		spec := body.SolidSpec{
			Mesh: meshes[i], Material: material.Isotropic{Young: young}, Density: density, Damping: 5e-3,
		}
		ids[i] = setup.AddSolid(
			t, w, spec, r3.Translation(r3.V(-side/2, -side/2, thick+float64(i)*(side+thick))), r3.Vec{},
		)
	}
	// plate on top, guided along the vertical and pushed by the force
	half := r3.V(0.08, 0.08, 0.01)
	b, _ := setup.AddBrick(t, w, "plate", half, 1000, r3.V(0, 0, 2*side+3*thick+half.Z), r3.NoRotation(), r3.Vec{})
	t.Must(b.SetHold(body.Hold{
		Axes: r3.Identity(), Move: [3]bool{true, true, false}, Turn: [3]bool{true, true, true},
	}))
	t.Must(b.SetLoad(r3.V(0, 0, b.Mass()*9.81-force), r3.Vec{}))
	// until all is at rest
	for range 200 {
		t.At(fmt.Sprint(cells, " cells"), w.Time(), 2)
		stats, err := w.Step(1e-2)
		t.Must(err)
		if stats.Crossings > 0 {
			t.Must(fmt.Errorf("%d crossings between blocks", stats.Crossings))
		}
	}
	// strain along the height, of each tet and in the mean
	want := -force / (side * side * young)
	for i, m := range meshes {
		whole := 0.0
		for tet := range m.Tet {
			strain := heightStrain(m, w.BodyPositions(ids[i]), tet) / want
			worst = max(worst, math.Abs(strain-1))
			whole += strain * m.TetVolume(int32(tet)) / (side * side * side)
		}
		mean = max(mean, math.Abs(whole-1))
	}
	return mean, worst
}
