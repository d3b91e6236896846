package engine_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Bodies that start exactly flush move as the law says: nothing freezes, nothing is taken by the fail-safe.

// flushSize is the half size of all bodies here, no binary fraction [m].
const flushSize = 0.0237

// flushKinds are all kinds of bodies that can touch each other: cubes, balls and meshes, capsules along y, soft cubes,
// and squares of cloth.
var flushKinds = []string{"box", "ball", "capsule", "mesh", "soft", "cloth"}

// flushed is a body in a world.
type flushed struct {
	kind  string
	w     *engine.World
	id    engine.BodyID
	cloth engine.ClothID
	rigid *body.Rigid
	begin []r3.Vec
}

func (f *flushed) round() bool { return f.kind == "ball" || f.kind == "capsule" }

// kindHeight is how far the top of a body is above its centre [m].
func kindHeight(kind string) float64 {
	if kind == "cloth" {
		return 0
	}
	return flushSize
}

// addFlush adds a body of a kind with its centre at a place, in the axes of a pose; what is flat is wider by a factor.
func addFlush(t testing.TB, w *engine.World, kind, name string, wider float64, centre r3.Vec, pose r3.Pose) *flushed {
	t.Helper()
	const a, density = flushSize, 713.0
	b := wider * a
	f := &flushed{kind: kind, w: w}
	rigid := func(spec body.RigidSpec, turn r3.Quat) {
		f.rigid = must(body.NewRigid(spec, pose.R.Mul(turn), r3.Vec{}))
		f.id = must(w.AddBody(name, f.rigid, []r3.Vec{pose.Apply(centre), {}}, make([]r3.Vec, 2)))
	}
	placed := func(x []r3.Vec, shift r3.Vec) []r3.Vec {
		out := slices.Clone(x)
		for i := range out {
			out[i] = pose.Apply(out[i].Add(shift).Add(centre))
		}
		return out
	}
	switch kind {
	case "box":
		rigid(body.Brick(r3.V(b, b, a), density), r3.NoRotation())
	case "ball":
		rigid(body.Ball(a, density), r3.NoRotation())
	case "capsule":
		rigid(body.Capsule(a, a, density), r3.Rotation(r3.V(1, 0, 0), math.Pi/2))
	case "mesh": // a prism of four sides, whose faces have a vertex in the middle
		x, tri := shape.Cylinder{Radius: b * math.Sqrt2, Half: a}.Mesh(4)
		spec, _, err := body.RigidOf(x, tri, density)
		if err != nil {
			t.Fatal(err)
		}
		rigid(spec, r3.Rotation(r3.V(0, 0, 1), math.Pi/4))
	case "soft":
		m := shape.Block(r3.V(b, b, a), 2, 2, 2)
		m, _, _ = m.SkinFirst()
		s := must(body.NewSolid(body.SolidSpec{
			Mesh: m, Material: material.Isotropic{Young: 1e5, Poisson: 0.3}, Density: density, Damping: 5e-3,
		}))
		f.id = must(w.AddBody(name, s, placed(m.X, r3.Vec{}), make([]r3.Vec, len(m.X))))
	case "cloth":
		m, x := shape.Grid(2*b, 2*b, 3, 3)
		f.cloth = must(w.AddCloth(engine.DefaultCloth(name, m, placed(x, r3.V(-b, -b, 0)), cotton(t))))
	}
	f.begin = slices.Clone(f.points())
	return f
}

// points are the positions of its blocks that are positions.
func (f *flushed) points() []r3.Vec {
	switch f.kind {
	case "soft":
		return f.w.BodyPositions(f.id)
	case "cloth":
		return f.w.Positions(f.cloth)
	}
	return f.w.BodyPositions(f.id)[:1]
}

// way is how far it has moved, in the mean of its points [m].
func (f *flushed) way() (sum r3.Vec) {
	for i, x := range f.points() {
		sum = sum.Add(x.Sub(f.begin[i]).Scale(1 / float64(len(f.begin))))
	}
	return sum
}

// hold has it stay where it is.
func (f *flushed) hold(t testing.TB) {
	if f.rigid != nil {
		all := [3]bool{true, true, true}
		if err := f.rigid.SetHold(body.Hold{Axes: r3.Identity(), Move: all, Turn: all}); err != nil {
			t.Fatal(err)
		}
		return
	}
	h := engine.Handle{Name: "hold", Cloth: f.cloth}
	if f.kind == "soft" {
		h.Body = &f.id
	}
	for v := range f.begin {
		h.Vertices = append(h.Vertices, int32(v))
	}
	must(f.w.AddHandle(h))
}

// flushPoses are the whole scene as it is written, and turned at random.
func flushPoses(seed uint64) map[string]r3.Pose {
	rng := rand.New(rand.NewPCG(seed, 39))
	axis := r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit()
	return map[string]r3.Pose{
		"upright": r3.Still(),
		"turned":  {R: r3.Rotation(axis, 6*rng.Float64()), T: r3.V(rng.Float64(), rng.Float64(), rng.Float64())},
	}
}

// flushStep takes a step in which nothing may freeze, cross or be left unsolved. Asked is the tolerance of 1e-8 m/s;
// some steps of bodies on a cloth whose vertices are all held end at up to 7e-5 m/s, and say so.
func flushStep(t testing.TB, w *engine.World, h float64) {
	t.Helper()
	s := must(w.Step(h))
	if s.Crossings > 0 || s.Infeasible > 0 || s.Failsafe.Blocks > 0 || s.Residual > 1e-4 {
		t.Fatalf("step %d: %d crossings, %d contacts contradict each other, the fail-safe moved %d blocks, residual %g m/s",
			s.Step, s.Crossings, s.Infeasible, s.Failsafe.Blocks, s.Residual)
	}
}

// One body lies on another that is held, and is drawn aside by 0.98 and 1.02 of what friction holds. Flat ones stay, or
// go with the acceleration that is left; where one is round, the other rolls on it. The lower one is wider: beside a
// rim a body is pushed off it, by the thickness. Only the first steps of what rolls
// off a round body are looked at.
func TestFlushStacks(t *testing.T) {
	const g, mu, h = 9.81, 0.3, 2e-3
	for seed, lower := range flushKinds {
		for _, upper := range flushKinds {
			for turned, pose := range flushPoses(uint64(seed)) {
				for _, share := range []float64{0.98, 1.02} {
					t.Run(upper+" on "+lower+" "+turned, func(t *testing.T) {
						flushStack(t, lower, upper, pose, g, mu, share, h)
					})
				}
			}
		}
	}
}

func flushStack(t *testing.T, lower, upper string, pose r3.Pose, g, mu, share, h float64) {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = 1, mu
	aside := share * mu * g
	opt.Gravity = pose.R.Rotate(r3.V(aside, 0, -g))
	w := must(engine.New(opt))
	under := addFlush(t, w, lower, "lower", 1.5, r3.Vec{}, pose)
	under.hold(t)
	over := addFlush(t, w, upper, "upper", 1, r3.V(0, 0, kindHeight(lower)+kindHeight(upper)), pose)
	if under.round() {
		const steps = 5
		for range steps {
			flushStep(t, w, h)
		}
		rollsOff(t, over, pose, aside*h*h*steps*(steps+1)/2)
		return
	}
	// What is pushed out or soft settles first. Then three places tell the acceleration.
	settling, apart := 120, 40
	switch {
	case over.round():
		settling, apart = 10, 20 // not off the other
	case over.rigid == nil:
		settling = 200
	}
	var x [3]float64
	for i := range settling + 2*apart + 1 {
		if i >= settling && (i-settling)%apart == 0 {
			x[(i-settling)/apart] = pose.R.Conj().Rotate(over.way()).X
		}
		flushStep(t, w, h)
	}
	a := (x[2] - 2*x[1] + x[0]) / (float64(apart*apart) * h * h)
	switch {
	case over.round():
		if want := aside * over.rolls(); math.Abs(a-want) > 0.025*want { // the push-out makes its radius a thickness larger
			t.Errorf("it rolls with %g m/s², not %g", a, want)
		}
	case share < 1:
		if v := (x[2] - x[1]) / (float64(apart) * h); math.Abs(v) > over.creep() {
			t.Errorf("it moves at %g m/s, though friction holds it", v)
		}
	default:
		if want := (share - 1) * mu * g; math.Abs(a-want) > 0.05*over.slack()*want {
			t.Errorf("it goes with %g m/s², not %g", a, want)
		}
	}
}

// slack and creep are how far theory may be off: what is not rigid still swings a little, and creeps where parts of it
// slip.
func (f *flushed) slack() float64 {
	if f.rigid != nil {
		return 1
	}
	return 4
}

func (f *flushed) creep() float64 {
	if f.rigid != nil {
		return 1e-6
	}
	return 1e-4
}

// rolls is the share of a force aside by which a rigid body that touches something below its centre is accelerated:
// 1/(1 + I/(m r²)).
func (f *flushed) rolls() float64 {
	about := f.rigid.Spec().Inertia.YY
	if f.kind == "capsule" {
		about = f.rigid.Spec().Inertia.ZZ
	}
	return 1 / (1 + about/(f.rigid.Mass()*flushSize*flushSize))
}

// rollsOff looks at the first steps of what lies on something round: free it would go so far.
func rollsOff(t *testing.T, over *flushed, pose r3.Pose, free float64) {
	way := pose.R.Conj().Rotate(over.way()).X
	if over.rigid == nil {
		if way < 0.2*free || way > 1.01*free {
			t.Errorf("it went %g m, of at most %g", way, free)
		}
		return
	}
	if want := free * over.rolls(); math.Abs(way-want) > 0.05*want {
		t.Errorf("it went %g m, not %g", way, want)
	}
}

// Two bodies side by side fall freely.
func TestFlushFalls(t *testing.T) {
	const g, h, steps = 9.81, 2e-3, 50
	for i, one := range flushKinds {
		for _, two := range flushKinds[i:] {
			for turned, pose := range flushPoses(uint64(10 + i)) {
				t.Run(one+" beside "+two+" "+turned, func(t *testing.T) {
					opt := engine.DefaultOptions()
					opt.Workers = 1
					opt.Gravity = pose.R.Rotate(r3.V(0, 0, -g))
					w := must(engine.New(opt))
					a := addFlush(t, w, one, "one", 1, r3.Vec{}, pose)
					b := addFlush(t, w, two, "two", 1, r3.V(2*flushSize, 0, 0), pose)
					for range steps {
						flushStep(t, w, h)
					}
					want := -g * h * h * steps * (steps + 1) / 2
					off := 1e-9
					if one == "soft" || two == "soft" {
						off = 1e-6 // it swings when it is pushed out, and rubs
					}
					for _, f := range []*flushed{a, b} {
						if way := pose.R.Conj().Rotate(f.way()); math.Abs(way.Z-want) > off {
							t.Errorf("%s fell by %g m, not %g", f.kind, way.Z, want)
						}
					}
				})
			}
		}
	}
}

// flushWorld is one without gravity.
func flushWorld(t testing.TB) *engine.World {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Gravity = 1, r3.Vec{}
	return must(engine.New(opt))
}

// Cloths that lie flush on each other and on a cube are laid off each other, too.
func TestFlushClothsInAStack(t *testing.T) {
	w := flushWorld(t)
	addFlush(t, w, "box", "box", 1.5, r3.Vec{}, r3.Still()).hold(t)
	for i := range 3 {
		addFlush(t, w, "cloth", string(rune('a'+i)), 1, r3.V(0, 0, flushSize), r3.Still())
	}
	flushStep(t, w, 2e-3)
	for i := range w.Cloths() {
		want := flushSize + float64(i+1)*w.Options().Contact.Thickness
		for _, x := range w.Positions(engine.ClothID(i)) {
			if math.Abs(x.Z-want) > 1e-9 {
				t.Fatalf("cloth %d is at %g m, not %g", i, x.Z, want)
			}
		}
	}
}

// A cloth that lies flush on a cube is not laid into or through what is above it: a cube, a shape, or a cloth that is
// held.
func TestFlushClothWithoutRoom(t *testing.T) {
	thickness := engine.DefaultOptions().Contact.Thickness
	for _, gap := range []float64{0, 0.5 * thickness} {
		for _, above := range []string{"box", "cloth", "plane"} {
			w := flushWorld(t)
			addFlush(t, w, "box", "box", 1.5, r3.Vec{}, r3.Still()).hold(t)
			sheet := addFlush(t, w, "cloth", "sheet", 1, r3.V(0, 0, flushSize), r3.Still())
			switch ceiling := flushSize + gap; above {
			case "plane":
				must(w.AddObstacle(engine.Obstacle{
					Name: "plane", Place: r3.Still(), Shape: shape.Plane{Point: r3.V(0, 0, ceiling), Normal: r3.V(0, 0, -1)},
				}))
			default:
				addFlush(t, w, above, "above", 1.5, r3.V(0, 0, ceiling+kindHeight(above)), r3.Still()).hold(t)
			}
			must(w.Step(2e-3))
			for _, x := range sheet.points() {
				if x.Z > flushSize+gap+1e-6 {
					t.Fatalf("%g m below a %s: it is %g m above it", gap, above, x.Z-flushSize-gap)
				}
			}
		}
	}
}

// A cloth that is attached to something stays with it.
func TestFlushClothAttached(t *testing.T) {
	w := flushWorld(t)
	addFlush(t, w, "box", "box", 1.5, r3.Vec{}, r3.Still()).hold(t)
	sheet := addFlush(t, w, "cloth", "sheet", 2, r3.V(0, 0, flushSize), r3.Still())
	other := addFlush(t, w, "box", "other", 1, r3.V(0, 0, 1), r3.Still())
	other.hold(t)
	must(w.Attach(engine.Attachment{Name: "corner", Cloth: sheet.cloth, Vertices: []int32{0}, To: other.id}))
	if s := must(w.Step(2e-3)); s.JointGap > 0.01*w.Options().Contact.Thickness {
		t.Errorf("it is %g m from where it is attached", s.JointGap)
	}
}

// A step that fails leaves flush cloths where they were.
func TestFlushClothOfAStepThatFails(t *testing.T) {
	w := flushWorld(t)
	addFlush(t, w, "box", "box", 1.5, r3.Vec{}, r3.Still()).hold(t)
	addFlush(t, w, "cloth", "sheet", 1, r3.V(0, 0, flushSize), r3.Still())
	begin := w.Snapshot().Hash()
	w.DumpNext(brokenPipe{})
	if _, err := w.Step(2e-3); err == nil {
		t.Fatal("a step that could not write its contact problem did not fail")
	}
	if w.Snapshot().Hash() != begin {
		t.Error("the state is another one")
	}
}

// brokenPipe takes nothing.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken") }

// A cube that starts flush on a plane is pushed off it so gently that it does not hop: at 0.92 of what friction holds
// it stays, also in short steps and with the midpoint rule's larger velocities.
func TestFlushOnAPlaneStays(t *testing.T) {
	for _, c := range []struct{ h, theta float64 }{{1e-3, 1}, {2e-3, 1}, {2e-3, 0.5}} {
		opt := engine.DefaultOptions()
		opt.Workers, opt.Theta, opt.Contact.Friction = 1, c.theta, 0.4
		w := must(engine.New(opt))
		must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
		cube := addFlush(t, w, "box", "cube", 1, r3.V(0, 0, flushSize), r3.Still())
		weight := (713 * 8 * flushSize * flushSize * flushSize) * 9.81
		if err := cube.rigid.SetLoad(r3.V(0.92*0.4*weight, 0, 0), r3.Vec{}); err != nil {
			t.Fatal(err)
		}
		for range int(math.Round(0.3 / c.h)) {
			must(w.Step(c.h))
		}
		// What the midpoint rule leaves of the first step's jump swings, and moves it by a part of the thickness.
		if way := cube.way().X; math.Abs(way) > 1e-4 {
			t.Errorf("step %g s, θ = %g: it slips by %g m", c.h, c.theta, way)
		}
	}
}

// Bodies that are held as a whole are not pushed out of what they are flush with: nothing could give way.
func TestHeldFlushOnAPlaneHasNoContacts(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Workers = 1
	w := must(engine.New(opt))
	must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	lower := addFlush(t, w, "box", "lower", 2, r3.V(0, 0, flushSize), r3.Still())
	beside := addFlush(t, w, "box", "beside", 2, r3.V(4*flushSize, 0, flushSize), r3.Still())
	lower.hold(t)
	beside.hold(t)
	cube := addFlush(t, w, "box", "cube", 1, r3.V(0, 0, 3*flushSize), r3.Still())
	for range 50 {
		if s := must(w.Step(2e-3)); !s.Converged || s.Infeasible > 0 || s.Contacts > 4 {
			t.Fatalf("step %d: converged %v, %d of %d contacts contradict each other", s.Step, s.Converged, s.Infeasible, s.Contacts)
		}
	}
	if way := cube.way(); way.Norm() > 1.1e-3 {
		t.Errorf("the cube on top moves by %v", way)
	}
}
