package toile_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// everything returns a world with a cloth, a rigid and a soft body, an obstacle, a handle, a joint, an attachment and a
// load, in which they touch.
func everything(t *testing.T) (*toile.World, map[string]toile.Surface) {
	t.Helper()
	opt := toile.DefaultOptions()
	opt.Workers = 1
	world := must(toile.New(opt))
	floor := toile.ObstacleSpec{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}}
	must(world.AddObstacle(floor))
	brick := toile.Brick(r3.V(0.05, 0.05, 0.02), 500)
	brick.Name, brick.Pose = "brick", r3.Translation(r3.V(0, 0, 0.021))
	base := must(world.AddRigid(brick))
	other := brick
	other.Name, other.Pose = "other", r3.Translation(r3.V(0.3, 0, 0.021))
	must(world.AddRigid(other))
	tets := shape.TetBox(r3.V(0.04, 0.04, 0.04), 2, 2, 2)
	jelly := toile.DefaultSolid("jelly", tets, must(material.LookupSoft("gelatine")))
	jelly.Pose = r3.Translation(r3.V(0.15, 0, 0.022))
	soft := must(world.AddSolid(jelly))
	mesh, x := shape.Grid(0.12, 0.12, 6, 6)
	for i := range x {
		x[i] = x[i].Add(r3.V(-0.06, -0.06, 0.043))
	}
	sheet := must(world.AddCloth(toile.DefaultCloth("sheet", mesh, x, must(material.LookupFabric("cotton")))))
	must(world.AddHandle(toile.HandleSpec{Name: "hand", On: sheet, Vertices: []int32{0}}))
	must(world.AddAttachment(toile.AttachmentSpec{Name: "pin", On: sheet, Vertices: []int32{24}, To: base}))
	must(world.AddLoad(toile.LoadSpec{Name: "push", On: soft, Vertices: []int32{1}, Force: r3.V(0, 0, -0.01)}))
	all := map[string]toile.Surface{}
	for _, name := range []string{"floor", "brick", "other", "jelly", "sheet"} {
		if all[name] = world.Find(name); all[name] == nil {
			t.Fatalf("there is no %q", name)
		}
	}
	return world, all
}

// TestForksGoOnToTheSameBits: a snapshot, by way of its bytes, goes on in another world as it does in its own.
func TestForksGoOnToTheSameBits(t *testing.T) {
	world, _ := everything(t)
	ctx := context.Background()
	if err := world.Advance(ctx, 0.04, 0.004, nil); err != nil {
		t.Fatal(err)
	}
	data := must(world.Snapshot().MarshalBinary())
	var state toile.Snapshot
	if err := state.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	fork, _ := everything(t)
	if err := fork.Restore(&state); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*toile.World{world, fork} {
		if err := w.Advance(ctx, 0.04, 0.004, nil); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := world.Snapshot(), fork.Snapshot(); a.Hash() != b.Hash() ||
		!bytes.Equal(must(a.MarshalBinary()), must(b.MarshalBinary())) {
		t.Error("the fork went on to other bits")
	}
}

// TestContactsNameWhatTouches: every contact is between handles of the world, and forces of pairs are opposite.
func TestContactsNameWhatTouches(t *testing.T) {
	world, all := everything(t)
	if err := world.Advance(context.Background(), 0.1, 0.004, nil); err != nil {
		t.Fatal(err)
	}
	known := map[toile.Surface]bool{}
	for _, s := range all {
		known[s] = true
	}
	contacts := world.Contacts(nil)
	if len(contacts) == 0 {
		t.Fatal("nothing touches")
	}
	for _, c := range contacts {
		if !known[c.A] || !known[c.B] {
			t.Errorf("a contact between %v and %v, which are not of the world", c.A, c.B)
		}
	}
	on, by := world.ForceBetween(all["brick"], all["floor"]), world.ForceBetween(all["floor"], all["brick"])
	if on.Add(by) != (r3.Vec{}) || !(on.Z > 0) {
		t.Errorf("the floor pushes the brick with %v N, the brick the floor with %v N", on, by)
	}
}

// TestReadsFillWhatTheyAreGiven: with slices that are kept, a steady step and all reads allocate nothing.
func TestReadsFillWhatTheyAreGiven(t *testing.T) {
	world, all := everything(t)
	ctx := context.Background()
	if err := world.Advance(ctx, 0.2, 0.004, nil); err != nil {
		t.Fatal(err)
	}
	sheet, jelly := all["sheet"].(*toile.Cloth), all["jelly"].(*toile.Solid)
	var x, v, y []r3.Vec
	var mass, stretch []float64
	var felt []toile.VertexContact
	var contacts []toile.Contact
	read := func() {
		x, v, y = sheet.Positions(x), sheet.Velocities(v), jelly.Positions(y)
		mass, stretch = sheet.Masses(mass), sheet.Stretch(stretch)
		felt, contacts = sheet.Contacts(felt), world.Contacts(contacts)
	}
	read()
	if n := testing.AllocsPerRun(20, read); n > 0 {
		t.Errorf("reading allocates %g objects", n)
	}
}

// TestStepsEndWithTheirContext: a step whose context is done leaves the world as it was.
func TestStepsEndWithTheirContext(t *testing.T) {
	world, _ := everything(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	before := world.Snapshot().Hash()
	if _, err := world.Step(ctx, 0.004); !errors.Is(err, context.Canceled) {
		t.Errorf("a step with a context that is done ended with %v", err)
	}
	if world.Snapshot().Hash() != before {
		t.Error("it changed the world")
	}
	if _, err := world.Step(context.Background(), 0.004); err != nil {
		t.Error(err)
	}
}

// TestSpecsOfNothing: what is on nothing, or on something of another world, is refused.
func TestSpecsOfNothing(t *testing.T) {
	world := must(toile.New(toile.DefaultOptions()))
	if _, err := world.AddHandle(toile.HandleSpec{Name: "h"}); err == nil {
		t.Error("a handle on nothing was added")
	}
	if _, err := world.AddJoint(toile.JointSpec{Name: "j"}); err == nil {
		t.Error("a joint of nothing was added")
	}
	if _, err := world.AddAttachment(toile.AttachmentSpec{Name: "a"}); err == nil {
		t.Error("an attachment of nothing was added")
	}
	if _, err := world.AddLoad(toile.LoadSpec{Name: "l"}); err == nil {
		t.Error("a load on nothing was added")
	}
	_, all := everything(t)
	if _, err := world.AddHandle(toile.HandleSpec{Name: "h", On: all["sheet"].(*toile.Cloth)}); err == nil {
		t.Error("a handle on a cloth of another world was added")
	}
	opt := toile.DefaultOptions()
	opt.Contact.Solver = 7
	if _, err := toile.New(opt); err == nil {
		t.Error("a solver that there is not was accepted")
	}
}
