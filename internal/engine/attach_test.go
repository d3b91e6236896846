package engine_test

import (
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// where returns the vertices at places that are wanted.
func where(x []r3.Vec, want func(r3.Vec) bool) (list []int32) {
	for i, p := range x {
		if want(p) {
			list = append(list, int32(i))
		}
	}
	return list
}

// watch makes steps, in none of which anything may cross or be left unsolved, and returns the widest gap.
func watch(t *testing.T, w *engine.World, h float64, steps int, each func(k int)) (gap float64) {
	t.Helper()
	for k := range steps {
		if each != nil {
			each(k)
		}
		stats := must(w.Step(h))
		if stats.Crossings > 0 || stats.Failsafe.Left > 0 || !stats.Converged {
			t.Fatalf("step %d: %d crossings, %+v, residual %g m/s", k, stats.Crossings, stats.Failsafe, stats.Residual)
		}
		gap = max(gap, stats.JointGap)
	}
	return gap
}

// tiedWorld is one with a cube that hangs from a strip of cloth, which is held at its upper end, and a rod on a hinge
// below the cube.
type tiedWorld struct {
	*engine.World
	cloth engine.ClothID
	cube  engine.BodyID
	top   engine.HandleID
	hem   engine.AttachmentID
	mass  float64 // of cube and rod [kg]
}

func hang(t testing.TB, workers int) tiedWorld {
	opt := engine.DefaultOptions()
	opt.Workers = workers
	w := must(engine.New(opt))
	m, x := shape.Grid(0.1, 0.3, 5, 15)
	for i := range x {
		x[i] = r3.V(x[i].X-0.05, 0, x[i].Y)
	}
	s := tiedWorld{World: w}
	s.cloth = addCloth(t, w, engine.DefaultCloth("strip", m, x, fabric(t, "cotton-interlock")))
	s.top = must(w.AddHandle(engine.Handle{
		Name: "top", Cloth: s.cloth, Vertices: where(x, func(p r3.Vec) bool { return p.Z > 0.3-1e-9 }),
	}))
	half, below := r3.V(0.03, 0.03, 0.03), r3.V(0.01, 0.01, 0.04)
	at := r3.V(0, 0, -half.Z-opt.Contact.Thickness)
	s.cube = must(w.AddBody("cube", brick(t, half, 1000, r3.NoRotation(), r3.Vec{}), []r3.Vec{at, {}}, make([]r3.Vec, 2)))
	s.hem = must(w.Attach(engine.Attachment{
		Name: "hem", Cloth: s.cloth, To: s.cube, Vertices: where(x, func(p r3.Vec) bool { return p.Z < 1e-9 }),
	}))
	at.Z -= half.Z + below.Z
	rod := must(w.AddBody("rod", brick(t, below, 1000, r3.NoRotation(), r3.Vec{}), []r3.Vec{at, {}}, make([]r3.Vec, 2)))
	at.Z += below.Z
	must(w.Join(engine.Joint{
		Name: "hinge", Kind: engine.HingeJoint, A: rod, B: &s.cube, Place: at, Axis: r3.V(1, 1, 0),
	}))
	s.mass = 8000 * (half.X*half.Y*half.Z + below.X*below.Y*below.Z)
	return s
}

// At rest an attachment carries what hangs on it.
func TestAttachmentCarriesWeight(t *testing.T) {
	s := hang(t, 2)
	opt := engine.DefaultSettleOptions()
	opt.Tolerance, opt.MaxIterations = 1e-10, 3000
	must(s.Settle(opt))
	gap := watch(t, s.World, 5e-3, 200, nil)
	var sum r3.Vec
	for _, f := range s.AttachmentForces(s.hem, nil) {
		sum = sum.Add(f)
	}
	weight := s.mass * 9.81
	if d := sum.Add(r3.V(0, 0, weight)).Norm(); d > 1e-6*weight {
		t.Errorf("the hem feels %v N of %g", sum, weight)
	}
	if now := s.AttachmentGap(s.hem); gap > 1e-8 || now > gap {
		t.Errorf("it opened by %g m, and %g m are left", gap, now)
	}
}

// A steady step with an attachment allocates nothing.
func TestAttachmentsAllocateNothing(t *testing.T) {
	s := hang(t, 1)
	watch(t, s.World, 2e-3, 30, nil)
	if n := testing.AllocsPerRun(10, func() { must(s.Step(2e-3)) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// A cube on a strip that is shaken follows it, and nothing crosses.
func TestShakenStrip(t *testing.T) {
	s := hang(t, 2)
	contacts := 0
	gap := watch(t, s.World, 5e-3, 300, func(k int) {
		a := 0.1 * math.Sin(float64(k)*0.05)
		s.MoveHandle(s.top, r3.Translation(r3.V(a, 2*a, 0)))
		contacts += len(s.Contacts(nil))
	})
	if gap > 1e-5 {
		t.Errorf("it opened by %g m", gap)
	}
	if contacts == 0 {
		t.Error("the strip did not touch the cube")
	}
}

// A rigid button that is fixed to a cloth rides on it, in a sheet that falls down over it.
func TestButton(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Workers = 2
	w := must(engine.New(opt))
	m, x := shape.Grid(0.3, 0.3, 20, 20)
	for i := range x {
		x[i] = x[i].Sub(r3.V(0.15, 0.15, 0))
	}
	cloth := addCloth(t, w, engine.DefaultCloth("cloth", m, x, fabric(t, "cotton-interlock")))
	must(w.AddHandle(engine.Handle{
		Name: "side", Cloth: cloth, Vertices: where(x, func(p r3.Vec) bool { return p.X < -0.15+1e-9 }),
	}))
	half := r3.V(0.025, 0.025, 0.003)
	b := brick(t, half, 1200, r3.NoRotation(), r3.Vec{})
	id := must(w.AddBody("button", b, []r3.Vec{{Z: half.Z + opt.Contact.Thickness}, {}}, make([]r3.Vec, 2)))
	sewn := where(x, func(p r3.Vec) bool { return math.Hypot(p.X, p.Y) < 0.022 })
	must(w.Attach(engine.Attachment{Name: "thread", Cloth: cloth, To: id, Vertices: sewn}))
	if gap := watch(t, w, 4e-3, 200, nil); gap > 1e-5 {
		t.Errorf("it opened by %g m", gap)
	}
	for _, v := range sewn {
		own := b.Turn().Conj().Rotate(w.Positions(cloth)[v].Sub(w.BodyPositions(id)[0]))
		if want := x[v].Sub(r3.V(0, 0, half.Z+opt.Contact.Thickness)); own.Sub(want).Norm() > 1e-5 {
			t.Errorf("vertex %d is at %v of the button, not at %v", v, own, want)
		}
	}
	if z := w.BodyPositions(id)[0].Z; z > -0.05 {
		t.Errorf("the button is at %g m: the cloth did not fall", z)
	}
}

// Cloth that is sewn to a soft block, which bones hold, keeps its places beside the tets below it.
func TestSewnToSoftBlock(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Workers = 2
	w := must(engine.New(opt))
	spec := jelly()
	soft := addSolid(t, w, spec, spec.Mesh.X, make([]r3.Vec, len(spec.Mesh.X)))
	m, x := shape.Grid(0.08, 0.16, 8, 16)
	for i := range x {
		x[i] = x[i].Add(r3.V(0.01, 0.05, 0.05+opt.Contact.Thickness))
	}
	cloth := addCloth(t, w, engine.DefaultCloth("cloth", m, x, fabric(t, "cotton-interlock")))
	must(w.Attach(engine.Attachment{
		Name: "sewn", Cloth: cloth, To: soft, Vertices: where(x, func(p r3.Vec) bool { return p.Y < 0.085 }),
	}))
	must(w.AddHandle(engine.Handle{
		Name: "bone", Body: &soft, Vertices: where(spec.Mesh.X, func(p r3.Vec) bool { return p.X < 1e-9 }),
	}))
	// Rows among vertices are exact, but for the tolerance of a step.
	if gap := watch(t, w, 4e-3, 100, nil); gap > 1e-8*4e-3 {
		t.Errorf("it opened by %g m", gap)
	}
}

// A soft block on a rigid one that spins, in empty space, keeps the momentum of both.
func TestAttachmentKeepsMomentum(t *testing.T) {
	for _, theta := range []float64{0.5, 1} {
		l := newLinkage(t, theta, 0)
		spec := jelly()
		half := r3.V(0.05, 0.05, 0.025)
		l.box(r3.V(0.05, 0.05, -0.026), half, r3.NoRotation(), r3.Vec{}, r3.V(3, 2, 1))
		soft := addSolid(t, l.World, spec, spec.Mesh.X, make([]r3.Vec, len(spec.Mesh.X)))
		solid := must(body.NewSolid(spec))
		must(l.Attach(engine.Attachment{
			Name: "glue", Body: &soft, To: l.ids[0],
			Vertices: where(spec.Mesh.X, func(p r3.Vec) bool { return p.Z < 1e-9 }),
		}))
		momentum := func() r3.Vec {
			_, angular := momenta(solid.Mass, l.BodyPositions(soft), l.BodyVelocities(soft))
			return l.momentum().Add(angular)
		}
		start := momentum()
		watch(t, l.World, 2e-3, 100, nil)
		// Elastic forces of a linearized step keep it as well as the step is short; the rows up to the gap.
		if lost := momentum().Sub(start).Norm() / start.Norm(); lost > 1e-3 {
			t.Errorf("θ %g: momentum changed by %g of it", theta, lost)
		}
	}
}

// Bones take the vertices of a soft body along a path, exactly, and feel its weight.
func TestBones(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Workers = 1
	w := must(engine.New(opt))
	spec := jelly()
	soft := addSolid(t, w, spec, spec.Mesh.X, make([]r3.Vec, len(spec.Mesh.X)))
	bone := where(spec.Mesh.X, func(p r3.Vec) bool { return p.X < 0.026 && p.Z < 0.026 })
	goal := r3.Pose{R: r3.Rotation(r3.V(0, 1, 0), 0.5), T: r3.V(0.05, 0, 0.02)}
	path := &engine.Path{Keys: []engine.Key{{}, {At: 0.2, Translate: goal.T, Axis: r3.V(0, 1, 0), Angle: 0.5}}}
	handle := must(w.AddHandle(engine.Handle{Name: "bone", Body: &soft, Vertices: bone, Path: path}))
	watch(t, w, 4e-3, 50, nil)
	for _, v := range bone {
		want := goal.Apply(spec.Mesh.X[v])
		if d := w.BodyPositions(soft)[v].Sub(want).Norm(); d > 1e-15 {
			t.Errorf("vertex %d is %g m from its bone", v, d)
		}
	}
	must(w.Settle(engine.DefaultSettleOptions()))
	watch(t, w, 4e-3, 1, nil)
	weight := 0.5 * 9.81
	if f := w.HandleForce(handle); math.Abs(f.Z-weight) > 1e-4*weight {
		t.Errorf("bones carry %v N of %g", f, weight)
	}
}

// Worlds with joints and attachments are the same for any number of workers, and after they were brought back.
func TestTiesAreDeterministic(t *testing.T) {
	run := func(s tiedWorld, from, to int) {
		for k := from; k < to; k++ {
			s.MoveHandle(s.top, r3.Translation(r3.V(0.1*math.Sin(float64(k)*0.05), 0, 0)))
			must(s.Step(5e-3))
		}
	}
	var want engine.Hash
	for _, workers := range []int{1, 2, 8} {
		s := hang(t, workers)
		run(s, 0, 40)
		saved := must(s.Snapshot().MarshalBinary())
		force := s.AttachmentForces(s.hem, nil)
		run(s, 40, 80)
		got := s.Snapshot().Hash()
		if workers == 1 {
			want = got
		}
		again := hang(t, workers)
		var snapshot engine.Snapshot
		if err := snapshot.UnmarshalBinary(saved); err != nil {
			t.Fatal(err)
		}
		if err := again.Restore(&snapshot); err != nil {
			t.Fatal(err)
		}
		for i, f := range again.AttachmentForces(again.hem, nil) {
			if f != force[i] {
				t.Errorf("%d workers: force %d is %v after it was brought back, not %v", workers, i, f, force[i])
			}
		}
		run(again, 40, 80)
		if back := again.Snapshot().Hash(); got != want || back != want {
			t.Errorf("%d workers: %v, and %v when brought back, not %v", workers, got, back, want)
		}
	}
}

func TestAttachRefuses(t *testing.T) {
	s := hang(t, 1)
	soft := addSolid(t, s.World, jelly(), jelly().Mesh.X, make([]r3.Vec, len(jelly().Mesh.X)))
	none := engine.BodyID(9)
	block := must(s.AddBody("block", brick(t, r3.V(0.1, 0.1, 0.1), 1000, r3.NoRotation(), r3.Vec{}),
		[]r3.Vec{{X: -0.1}, {}}, make([]r3.Vec, 2))) // vertex 0 of the soft body is on its face
	for _, c := range []struct {
		attachment engine.Attachment
		says       string
	}{
		{engine.Attachment{Cloth: 3, Vertices: []int32{20}}, "no cloth 3"},
		{engine.Attachment{Body: &none, Vertices: []int32{20}}, "no body 9"},
		{engine.Attachment{Body: &s.cube, Vertices: []int32{20}}, "no vertices"},
		{engine.Attachment{Vertices: []int32{20}, To: none}, "no body 9"},
		{engine.Attachment{Body: &soft, Vertices: []int32{0}, To: block}, "on the skin"},
		{engine.Attachment{Body: &soft, Vertices: []int32{20}, To: soft}, "to itself"},
		{engine.Attachment{To: s.cube}, "no vertex"},
		{engine.Attachment{Vertices: []int32{1e6}, To: s.cube}, "has no vertex 1000000"},
		{engine.Attachment{Vertices: []int32{20, 20}, To: s.cube}, "already"},
		{engine.Attachment{Vertices: []int32{0}, To: s.cube}, "already"},
		{engine.Attachment{Vertices: []int32{int32(len(s.Positions(0)) - 1)}, To: s.cube}, "already"},
	} {
		if _, err := s.Attach(c.attachment); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, not %q", c.attachment, err, c.says)
		}
	}
	if _, err := s.AddHandle(engine.Handle{Name: "late", Vertices: []int32{0}}); err == nil {
		t.Error("a handle takes a vertex that is attached")
	}
	if s.Attachments() != 1 || s.Attachment(0).Name != "hem" {
		t.Errorf("%d attachments are left", s.Attachments())
	}
}
