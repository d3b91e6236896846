package toile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
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

// TestReadsFillWhatTheyAreGiven: with slices that are kept, reading allocates nothing.
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

// TestSteadyStepsAllocateNothing: a cloth that hangs is stepped and read without an allocation.
func TestSteadyStepsAllocateNothing(t *testing.T) {
	opt := toile.DefaultOptions()
	opt.Workers = 1
	world := must(toile.New(opt))
	mesh, x := shape.Grid(0.2, 0.2, 8, 8)
	sheet := must(world.AddCloth(toile.DefaultCloth("sheet", mesh, x, must(material.LookupFabric("cotton")))))
	must(world.AddHandle(toile.HandleSpec{Name: "corners", On: sheet, Vertices: []int32{0, 8}}))
	ctx := context.Background()
	step := func() {
		must(world.Step(ctx, 0.002))
		x = sheet.Positions(x)
	}
	for range 20 {
		step()
	}
	if n := testing.AllocsPerRun(20, step); n > 0 {
		t.Errorf("a step allocates %g objects", n)
	}
}

// TestRigidBodiesKeepTheirVelocity: a body that is given a velocity and a spin flies on with them, and what stands on
// the floor gets its weight from it in every step, and no turn.
func TestRigidBodiesKeepTheirVelocity(t *testing.T) {
	opt := toile.DefaultOptions()
	world := must(toile.New(opt))
	must(world.AddObstacle(toile.ObstacleSpec{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}}))
	stands := toile.Brick(r3.V(0.05, 0.05, 0.02), 500)
	stands.Name, stands.Pose = "stands", r3.Translation(r3.V(0, 0, 0.021))
	standing := must(world.AddRigid(stands))
	flies := toile.Ball(0.02, 500)
	flies.Name, flies.Pose = "flies", r3.Translation(r3.V(0, 0, 5))
	flying := must(world.AddRigid(flies))
	v, spin := r3.V(1, 2, 3), r3.V(-4, 5, 6)
	if err := flying.SetVelocity(v, spin); err != nil {
		t.Fatal(err)
	}
	if err := flying.SetVelocity(r3.V(math.NaN(), 0, 0), spin); err == nil {
		t.Error("a velocity that is NaN was accepted")
	}
	const h, steps = 0.002, 50
	for range steps {
		must(world.Step(context.Background(), h))
	}
	if want := v.AddScaled(h*steps, opt.Gravity); flying.Velocity().Sub(want).Norm() > 1e-8*steps {
		t.Errorf("velocity %v, want %v", flying.Velocity(), want)
	}
	if flying.Spin().Sub(spin).Norm() > 1e-8*steps/0.02 { // over the radius
		t.Errorf("spin %v, want %v", flying.Spin(), spin)
	}
	impulse, angular := standing.ContactImpulse()
	if want := opt.Gravity.Scale(-h * standing.Mass()); impulse.Sub(want).Norm() > 1e-7*standing.Mass() {
		t.Errorf("the floor gives %v N s, want %v", impulse, want)
	}
	if angular.Norm() > 1e-7*standing.Mass()*0.05 {
		t.Errorf("the floor turns what stands on it by %v N m s", angular)
	}
}

// TestTracksAreOfOneWorld: a world does not drive what is of another.
func TestTracksAreOfOneWorld(t *testing.T) {
	world, all := everything(t)
	other, _ := everything(t)
	track := toile.Track{Keys: []toile.TrackKey{{Value: 2}}}
	stiff := all["sheet"].(*toile.Cloth).StretchFactor()
	if err := other.Drive(stiff, track); err == nil {
		t.Error("a world drives the cloth of another")
	}
	if err := world.Drive(stiff, track); err != nil {
		t.Error(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a world has friction with a surface of another")
		}
	}()
	other.SetFriction(all["sheet"], all["floor"], 0.1)
}

// TestSnapshotsHoldWhatActs: what a program sets on a rigid body after a snapshot is undone by going back, and what it
// set before comes back, also by way of bytes.
func TestSnapshotsHoldWhatActs(t *testing.T) {
	ctx := context.Background()
	build := func() (*toile.World, *toile.Rigid) {
		opt := toile.DefaultOptions()
		world := must(toile.New(opt))
		must(world.AddObstacle(toile.ObstacleSpec{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}}))
		brick := toile.Brick(r3.V(0.05, 0.05, 0.02), 500)
		brick.Name, brick.Pose = "brick", r3.Translation(r3.V(0, 0, 0.021))
		return world, must(world.AddRigid(brick))
	}
	after := func(world *toile.World) toile.Hash {
		for range 20 {
			must(world.Step(ctx, 0.004))
		}
		return world.Snapshot().Hash()
	}
	along := func(x float64) func(float64) r3.Pose {
		return func(t float64) r3.Pose { return r3.Translation(r3.V(x*t, 0, 0.03)) }
	}
	ways := map[string][2]func(*toile.Rigid){
		"force": {
			func(b *toile.Rigid) { must(0, b.Apply(r3.V(0.1, 0, 0), r3.V(0, 0, 1e-3))) },
			func(b *toile.Rigid) { must(0, b.Apply(r3.V(0, -0.2, 0), r3.Vec{})) },
		},
		"hold": {
			func(b *toile.Rigid) { must(0, b.Hold(toile.HoldAll())) },
			func(b *toile.Rigid) { must(0, b.Hold(toile.Hold{})) },
		},
		"guide": {
			func(b *toile.Rigid) { must(0, b.Hold(toile.HoldAll())); b.Guide(along(0.1)) },
			func(b *toile.Rigid) { b.Guide(along(-0.3)) },
		},
		"friction": {
			func(b *toile.Rigid) { b.SetFriction(0); must(0, b.SetVelocity(r3.V(0.2, 0, 0), r3.Vec{})) },
			func(b *toile.Rigid) { b.SetFriction(1) },
		},
		"nothing": {
			func(b *toile.Rigid) { must(0, b.SetVelocity(r3.V(0.2, 0, 0), r3.Vec{})) },
			func(b *toile.Rigid) { must(0, b.Hold(toile.HoldAll())); b.SetFriction(1) },
		},
	}
	for name, way := range ways {
		world, brick := build()
		must(world.Step(ctx, 0.004))
		way[0](brick)
		kept := world.Snapshot()
		want := after(world)
		way[1](brick)
		if after(world) == want {
			t.Errorf("%s: acting otherwise leads to the same", name)
		}
		must(0, world.Restore(kept))
		if after(world) != want {
			t.Errorf("%s: another end after going back", name)
		}

		var read toile.Snapshot
		if err := read.UnmarshalBinary([]byte("toile state 9\n of before")); !strings.Contains(fmt.Sprint(err), "another version") {
			t.Errorf("a state of an earlier version: %v", err)
		}
		must(0, read.UnmarshalBinary(must(kept.MarshalBinary())))
		other, like := build()
		must(other.Step(ctx, 0.004))
		if name == "guide" {
			if other.Restore(&read) == nil {
				t.Error("a body is led by a guide that it does not have")
			}
			like.Guide(along(0.1))
		}
		must(0, other.Restore(&read))
		if after(other) != want {
			t.Errorf("%s: another end by way of bytes", name)
		}
	}
}
