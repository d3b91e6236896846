package rigid

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

const graspMu = 0.5

// O18: two rigid fingers close along x by a force N. What is between them holds if and only if its weight is below
// 2 μ N: a rigid cube, a soft cube, and a towel that is folded once or twice. A soft cube is held from a force on,
// which full runs bisect. Towels slip now and then above the limit too, so that forces are tried one after another.
//
// The rigid cube slipped at up to 1.0425 of the limit once. It does not now: at 2 and at 1 ms, at forces that begin
// twice as large, and 1 mm off the middle, all forces from 1.0037 on hold it, and without turns all from 1 on. 7 mm off
// the middle it hangs over the edge of the fingers, so that the limit is another one, and slips at up to 1.036.
var grasped = verify.Case{
	ID: "O18", Title: "pinched by two rigid fingers", Source: "statics: weight < 2 μ N",
	Body: func(t *verify.Trial) {
		scanForces(t, "rigid cube", 0.95, 0.0025, 0.005, func(share float64) bool { return graspRigid(t, share) })
		once := func(share float64) bool { return graspTowel(t, share, 2) }
		if t.Options.Full {
			heldFrom(t, "soft cube", func(share float64) bool { return graspSoft(t, share) })
			scanForces(t, "towel, folded once", 0.9875, 0.003125, 0.05, once)
			answers(t, "towel, folded twice", 0.05, func(share float64) bool { return graspTowel(t, share, 4) })
			return
		}
		answers(t, "soft cube", 0.01, func(share float64) bool { return graspSoft(t, share) })
		answers(t, "towel, folded once", 0.05, once)
	},
}

// scanForces looks with which forces something is held: never below the limit, and always from a part above it on.
func scanForces(t *verify.Trial, name string, from, step, part float64, holds func(share float64) bool) {
	// smallest force that holds, and largest that does not
	const upTo = 1.06
	first, last := math.Inf(1), 0.0
	for k := 0; from+step*float64(k) < upTo; k++ {
		share := from + step*float64(k)
		t.At(fmt.Sprintf("%s, %.4f", name, share), 0, 0)
		if holds(share) {
			first = min(first, share)
		} else {
			last = max(last, share)
		}
	}
	// both near the limit
	t.Row(verify.Row{
		Quantity: name + ": smallest force that holds it, over weight/(2 μ)",
		Expected: 1, Measured: first, Bar: verify.Relative, Limit: 0.005,
	})
	row := verify.Row{
		Quantity: name + ": largest force that does not hold it, over weight/(2 μ)",
		Expected: 1, Measured: last, Bar: verify.Relative, Limit: part,
		From: "asked: ±0.5 %; forces that are tried are half of that apart",
	}
	// where more than was asked is allowed
	if part > 0.005 {
		row.Asked = "±0.5 %"
		row.Why = "Where something stiff touches at many places, several motions obey Coulomb's law near the limit: " +
			"ours may turn and slip where another division of the force would hold."
	}
	t.Row(row)
}

// heldFrom bisects the force from which on something is held.
func heldFrom(t *verify.Trial, name string, holds func(share float64) bool) {
	t.Row(verify.Row{
		Quantity: name + ": force from which on it is held, over weight/(2 μ)",
		Expected: 1, Bar: verify.Relative, Limit: 0.005,
		Measured: setup.Bisect(0.95, 1.05, 0.002, func(share float64) bool {
			t.At(fmt.Sprintf("%s, %.4f", name, share), 0, 0)
			return !holds(share)
		}),
	})
}

// answers counts how often something is held by a part too little, or not by a part too much.
func answers(t *verify.Trial, name string, part float64, holds func(share float64) bool) {
	wrong := 0
	for _, share := range []float64{1 - part, 1 + part} {
		t.At(fmt.Sprintf("%s, %.4f", name, share), 0, 0)
		if holds(share) != (share > 1) {
			wrong++
		}
	}
	t.Row(verify.Row{
		Quantity: fmt.Sprintf("%s: held by %g %% too little, or not by as much too much", name, 100*part),
		Measured: float64(wrong), Bar: verify.AtMost, Limit: 0,
		Asked: "the same at 0.5 %",
		Why: "Quick runs try two forces only; towels slip now and then above the limit, and folded twice a try takes " +
			"a minute.",
	})
}

// fingers returns a world in which two fingers close along x with a force, around a place of the given width.
func fingers(t *verify.Trial, force, width float64) *engine.World {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = t.Workers, graspMu
	w := t.World(opt)
	half := r3.V(0.01, 0.03, 0.04)
	for i, side := range []float64{-1, 1} {
		at := r3.V(side*(width/2+opt.Contact.Thickness+half.X), 0, 0)
		b, _ := setup.AddBrick(t, w, fmt.Sprint("finger ", i), half, 1000, at, r3.NoRotation(), r3.Vec{})
		t.Must(b.SetHold(body.Hold{
			Axes: r3.Identity(), Move: [3]bool{false, true, true}, Turn: [3]bool{true, true, true},
		}))
		t.Must(b.SetLoad(r3.V(-side*force, 0, 0), r3.Vec{}))
	}
	return w
}

// stays plays for a while and tells whether something, which height says where it is, comes to rest. With a share s of
// the force that is needed it falls by (1-s) g t²/2 at least, three quarters of that in the second half of the time.
func stays(t *verify.Trial, w *engine.World, h, end float64, height func() float64) bool {
	const least = 1e-3 // of 1-s that is told from rest
	steps := int(math.Round(end / h))
	half := 0.0
	for k := range steps {
		stats, err := w.Step(h)
		t.Must(err)
		if stats.Crossings > 0 {
			t.Must(fmt.Errorf("%d crossings in a grasp", stats.Crossings))
		}
		if k == steps/2 {
			half = height()
		}
	}
	return half-height() < 0.75*least*9.81*end*end/2
}

func graspRigid(t *verify.Trial, share float64) bool {
	const half, density = 0.025, 2000
	weight := 8 * half * half * half * density * 9.81
	w := fingers(t, share*weight/(2*graspMu), 2*half)
	_, cube := setup.AddBrick(t, w, "cube", r3.V(half, half, half), density, r3.Vec{}, r3.NoRotation(), r3.Vec{})
	return stays(t, w, 2e-3, 0.5, func() float64 { return w.BodyPositions(cube)[0].Z })
}

func graspSoft(t *verify.Trial, share float64) bool {
	const side, density, cells = 0.05, 1000, 3
	weight := side * side * side * density * 9.81
	w := fingers(t, share*weight/(2*graspMu), side)
	spec := body.SolidSpec{
		Mesh:     shape.TetBox(r3.V(side, side, side), cells, cells, cells),
		Material: material.Isotropic{Young: 2e5, Poisson: 0.3}, Density: density, Damping: 0.02,
	}
	cube := setup.AddSolid(t, w, spec, r3.Translation(r3.V(-side/2, -side/2, -side/2)), r3.Vec{})
	return stays(t, w, 4e-3, 0.5, func() float64 { return meanHeight(w.BodyPositions(cube)) })
}

// graspTowel pinches a heavy towel that is folded like an accordion. Its folds are narrow strips that bridge the
// thickness between layers. It is stiff and damped: what flutters uses friction up sideways, and walks out of the
// fingers.
func graspTowel(t *verify.Trial, share float64, layers int) bool {
	const width, height, cells, density = 0.05, 0.06, 4, 1.0
	thick := engine.DefaultOptions().Contact.Thickness
	weight := density * width * (height*float64(layers) + thick*float64(layers-1)) * 9.81
	w := fingers(t, share*weight/(2*graspMu), thick*float64(layers-1))
	rows := layers * (cells + 1)
	flat, x := shape.Grid(width, height, cells, rows-1)
	material := make([]r3.Vec2, len(x))
	for i := range x {
		row := i / (cells + 1)
		layer, along := row/(cells+1), height*float64(row%(cells+1))/cells
		material[i] = r3.Vec2{X: x[i].X, Y: float64(layer)*(height+thick) + along}
		if layer%2 == 0 {
			along = height - along
		}
		x[i] = r3.V(thick*(float64(layer)-float64(layers-1)/2), x[i].X-width/2, along-height/2)
	}
	m, err := mesh.New(len(x), flat.Tri, material, nil)
	t.Must(err)
	fabric := setup.SheetFabric{Density: density, Stretch: 5000, Bend: 1e-6}.Fabric()
	fabric.Damping = 0.05
	id, err := cloths.Add(w, body.DefaultCloth("towel", m, x, fabric))
	t.Must(err)
	return stays(t, w, 4e-3, 0.2, func() float64 { return meanHeight(w.Positions(id)) })
}

func meanHeight(x []r3.Vec) (z float64) {
	for _, p := range x {
		z += p.Z / float64(len(x))
	}
	return z
}
