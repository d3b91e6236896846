package build

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

// playBodies plays a scene with bodies and checks every step: nothing crosses, and nearly all are solved.
func playBodies(t *testing.T, path string, sets []string, each func(b *Built, s *engine.Stats)) *Built {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	s, err := scenefile.Load(path, sets)
	if err != nil {
		t.Fatal(err)
	}
	b, err := World(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	steps, good := 0, 0
	err = b.World.Advance(s.Time.End, s.Time.Step, func(st engine.Stats) {
		steps++
		if st.Converged {
			good++
		}
		if st.Crossings > 0 || st.Failsafe.Left > 0 {
			t.Errorf("step %d: %d crossings, %d ways that meet", st.Step, st.Crossings, st.Failsafe.Left)
		}
		if each != nil {
			each(b, &st)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if float64(good) < 0.99*float64(steps) {
		t.Errorf("%d of %d steps reached the tolerance", good, steps)
	}
	return b
}

// The block is held and lifted, or not, by the law of friction: 2 mu N against its weight of 1.41 N.
func TestGripper(t *testing.T) {
	for _, c := range []struct {
		left, right string
		holds       bool
	}{
		{"[2 N, 0, 0]", "[-2 N, 0, 0]", true},
		{"[1.3 N, 0, 0]", "[-1.3 N, 0, 0]", false},
	} {
		var late []r3.Vec
		b := playBodies(t, "../../scenes/gripper.yaml", []string{
			"solids.block.shape.block.cells=[2, 2, 2]", "time.end=2 s",
			"rigids.left.force=" + c.left, "rigids.right.force=" + c.right,
		}, func(b *Built, s *engine.Stats) {
			if late == nil && s.Time > 1.7 {
				late = clone(b.World.BodyPositions(b.Bodies[2].ID))
			}
		})
		x := b.World.BodyPositions(b.Bodies[2].ID)
		height := mean(x).Z - 0.031
		switch {
		case c.holds && (math.Abs(height-0.1) > 2e-3 || farthest(x, late) > 1e-5):
			t.Errorf("with %s the block is lifted by %g m, and moves by %g m in 0.3 s", c.left, height, farthest(x, late))
		case !c.holds && height > 1e-3:
			t.Errorf("with %s the block is lifted by %g m", c.left, height)
		}
	}
}

// Whatever fell into the bag is lifted with it.
func TestBag(t *testing.T) {
	b := playBodies(t, "../../scenes/bag.yaml", []string{
		"cloths.bag.shape.grid.cells=[16, 16]", "time.step=8 ms",
	}, nil)
	rim := r3.BoxOf(b.World.Positions(0)).Max.Z
	for _, o := range b.Bodies {
		x := b.World.BodyPositions(o.ID)[0]
		if x.Z < 0.2 || x.Z > rim || math.Hypot(x.X, x.Y) > 0.25 {
			t.Errorf("%s is at %v, and the rim of the bag at %g m", o.Name, x, rim)
		}
	}
}

// The pins of a hammock carry it and the ball.
func TestHammock(t *testing.T) {
	b := playBodies(t, "../../scenes/hammock.yaml", []string{
		"cloths.hammock.shape.grid.cells=[16, 8]", "cloths.hammock.material={preset: denim, damping: 50 ms}",
		"cloths.hammock.pins.0.select={near: [-0.4, -0.2, 0.5]}", "cloths.hammock.pins.1.select={near: [-0.4, 0.2, 0.5]}",
		"cloths.hammock.pins.2.select={near: [0.4, -0.2, 0.5]}", "cloths.hammock.pins.3.select={near: [0.4, 0.2, 0.5]}",
		"time.end=3.5 s",
	}, nil)
	w := b.World
	weight := 1.5 * 9.81
	for _, m := range w.Masses(0) {
		weight += m * 9.81
	}
	force := 0.0
	for _, pin := range b.Cloths[0].Pins {
		force += w.HandleForce(pin.ID).Z
	}
	// What still swings accelerates: by less than a hundredth of gravity.
	if v := w.BodyVelocities(b.Bodies[0].ID)[0].Norm(); math.Abs(math.Abs(force)-weight) > 0.01*weight || v > 0.02 {
		t.Errorf("the pins carry %g N of %g N, and the ball moves by %g m/s", force, weight, v)
	}
}

// The cloth is gone and the glasses stand; pulled slowly, it takes them along.
func TestTablecloth(t *testing.T) {
	coarse := []string{"cloths.cloth.shape.grid.cells=[15, 10]", "time.step=4 ms"}
	b := playBodies(t, "../../scenes/tablecloth.yaml", coarse, nil)
	for i, from := range []r3.Vec{r3.V(0, 0.08, 0.4475), r3.V(-0.1, -0.06, 0.4325)} {
		o := b.Bodies[i]
		pose := o.Rigid.Pose(b.World.BodyPositions(o.ID))
		if upright := pose.R.Rotate(r3.V(0, 0, 1)).Z; upright < 0.999 || pose.T.Sub(from).Norm() > 0.04 {
			t.Errorf("%s stands at %v, its axis has a height of %g", o.Name, pose.T, upright)
		}
	}
	if x := r3.BoxOf(b.World.Positions(0)).Min.X; x < 0 {
		t.Errorf("the cloth is at %g m", x)
	}
	b = playBodies(t, "../../scenes/tablecloth.yaml", append(coarse,
		"motions.pull.keys.1={at: 1.2 s, translate: [0.7, 0, 0]}", "time.end=0.8 s"), nil)
	if x := b.World.BodyPositions(b.Bodies[1].ID)[0].X; x < 0.1 {
		t.Errorf("a slow cloth has moved a glass to %g m only", x)
	}
}

// A heap of letters comes to rest.
func TestLetters(t *testing.T) {
	b := playBodies(t, "../../scenes/letters.yaml", []string{"time.end=2.5 s"}, nil)
	for _, o := range b.Bodies {
		for _, v := range b.World.BodyVelocities(o.ID) {
			if v.Norm() > 1e-3 {
				t.Fatalf("%s moves by %g m/s", o.Name, v.Norm())
			}
		}
	}
}

// A door hangs on a hinge, a lamp on the door, and a flag on a pole; a soft block hangs on a bone.
func TestTiedBodies(t *testing.T) {
	b := builtScene(t, `toile: 1
time: {end: 1 s}
cloths:
  - name: flag
    shape: {grid: {size: [0.2, 0.2], cells: [4, 4]}}
    place: {rotate: {axis: [1, 0, 0], angle: 90 deg}, translate: [2, 0, 1]}
    attach: [{select: {box: {min: [1.99, -1, 0], max: [2.01, 1, 2]}}, to: pole}]
rigids:
  - {name: door, shape: {box: {size: [0.8, 0.04, 2]}}, place: {translate: [0.4, 0, 1]}, velocity: [0, 0.4, 0], spin: [0, 0, 1]}
  - {name: lamp, shape: {sphere: {radius: 5 cm}}, place: {translate: [0.4, 0.2, 1.5]}}
  - {name: pole, shape: {capsule: {radius: 2 cm, from: [1.96, 0, 0.5], to: [1.96, 0, 1.5]}}, hold: all}
solids:
  - name: meat
    shape: {block: {size: [0.1, 0.1, 0.2], cells: [2, 2, 4]}}
    place: {translate: [4, 0, 1]}
    material: {young: 1 MPa, density: 1000, damping: 5 ms}
    pins: [{select: {box: {min: [3, -1, 1.09], max: [5, 1, 2]}}}]
joints:
  - {kind: hinge, body: door, at: [0, 0, 1], axis: [0, 0, 1]}
  - {kind: ball, body: lamp, to: door, at: [0.4, 0.02, 1.5]}
`)
	w := b.World
	for range 100 {
		if err := w.Advance(0.01, 0.01, nil); err != nil {
			t.Fatal(err)
		}
	}
	if w.Joints() != 2 {
		t.Fatalf("%d joints", w.Joints())
	}
	for i := range w.Joints() {
		// Rows are made anew while gaps are wider than a hundredth of the thickness.
		if gap, _ := w.JointGap(engine.JointID(i)); gap > 0.1*w.Options().Contact.Thickness {
			t.Errorf("joint %d is open by %g m", i, gap)
		}
	}
	pose := b.Bodies[0].Rigid.Pose(w.BodyPositions(b.Bodies[0].ID))
	if pose.R.Rotate(r3.V(0, 0, 1)).Z < 1-1e-6 || pose.R.Vector().Z < 0.3 {
		t.Errorf("the door is at %v", pose)
	}
	for i, x := range w.Positions(0) {
		if i%5 == 0 && math.Abs(x.X-2) > 1e-4 {
			t.Errorf("vertex %d of the flag is at %v", i, x)
		}
	}
	if x := r3.BoxOf(w.BodyPositions(b.Bodies[3].ID)); math.Abs(x.Max.Z-1.1) > 1e-9 || x.Min.Z > 0.9 {
		t.Errorf("the block hangs from %g to %g m", x.Max.Z, x.Min.Z)
	}
}
