package toile_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/body"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// ends returns the vertices of a cloth with the given coordinate.
func verticesWhere(x []r3.Vec, want func(r3.Vec) bool) (list []int32) {
	for i, p := range x {
		if want(p) {
			list = append(list, int32(i))
		}
	}
	return list
}

// strip returns a world in which a cube hangs from a strip of cloth that is held at its upper end.
func strip(t testing.TB, workers int) (*toile.World, toile.ClothID, toile.BodyID, toile.HandleID, toile.AttachmentID) {
	opt := toile.DefaultOptions()
	opt.Workers = workers
	w := must(toile.New(opt))
	m, x := shape.Grid(0.1, 0.3, 5, 15)
	for i := range x {
		x[i] = r3.V(x[i].X-0.05, 0, x[i].Y)
	}
	cloth := addCloth(t, w, toile.DefaultCloth("strip", m, x, fabric(t, "cotton-interlock")))
	top := must(w.AddHandle(toile.Handle{
		Name: "top", Cloth: cloth, Vertices: verticesWhere(x, func(p r3.Vec) bool { return p.Z > 0.3-1e-9 }),
	}))
	const half = 0.04
	cube := must(w.AddBody("cube", brick(t, r3.V(half, half, half), 1000, r3.NoRotation(), r3.Vec{}),
		[]r3.Vec{{Z: -half - opt.Contact.Thickness}, {}}, make([]r3.Vec, 2)))
	sewn := must(w.Attach(toile.Attachment{
		Name: "hem", Cloth: cloth, To: cube, Vertices: verticesWhere(x, func(p r3.Vec) bool { return p.Z < 1e-9 }),
	}))
	return w, cloth, cube, top, sewn
}

func TestCubeOnStrip(t *testing.T) {
	w, _, cube, top, sewn := strip(t, 2)
	if stats, err := w.Settle(toile.SettleOptions{Tolerance: 1e-10, MaxIterations: 3000, LoadSteps: 1, Step: 5e-3}); err != nil || !stats.Converged {
		t.Logf("%+v %v", stats, err)
	}
	gap := 0.0
	for k := range 200 {
		stats := must(w.Step(5e-3))
		if stats.Crossings > 0 || stats.Failsafe.Rounds > 0 || !stats.Converged {
			t.Fatalf("step %d: %d crossings, %+v, residual %g", k, stats.Crossings, stats.Failsafe, stats.Residual)
		}
		gap = max(gap, stats.JointGap)
	}
	var sum r3.Vec
	for _, f := range w.AttachmentForces(sewn, nil) {
		sum = sum.Add(f)
	}
	weight := 8 * math.Pow(0.04, 3) * 1000 * 9.81
	t.Logf("gap %g; force %v of %g, held by %v; at %v", gap, sum, weight, w.HandleForce(top), w.BodyPositions(cube)[0])
}

func TestStripSwings(t *testing.T) {
	w, _, cube, top, _ := strip(t, 2)
	gap, contacts := 0.0, 0
	for k := range 400 {
		a := 0.1 * math.Sin(float64(k)*0.05)
		w.MoveHandle(top, r3.Translation(r3.V(a, 2*a, 0)))
		stats := must(w.Step(5e-3))
		if stats.Crossings > 0 || !stats.Converged {
			t.Fatalf("step %d: %d crossings, %+v, residual %g", k, stats.Crossings, stats.Failsafe, stats.Residual)
		}
		if stats.Failsafe.Rounds > 0 {
			t.Logf("step %d: %+v gap %g", k, stats.Failsafe, stats.JointGap)
		}
		gap = max(gap, stats.JointGap)
		contacts += stats.Contacts
	}
	t.Logf("gap %g; %d contacts; at %v", gap, contacts, w.BodyPositions(cube)[0])
}

var _ = body.Brick

// button returns a cloth that is held along one side and falls over, with a rigid button fixed to its middle.
func button(t testing.TB, workers int) (*toile.World, toile.BodyID) {
	opt := toile.DefaultOptions()
	opt.Workers = workers
	w := must(toile.New(opt))
	m, x := shape.Grid(0.3, 0.3, 20, 20)
	for i := range x {
		x[i] = x[i].Sub(r3.V(0.15, 0.15, 0))
	}
	cloth := addCloth(t, w, toile.DefaultCloth("cloth", m, x, fabric(t, "cotton-interlock")))
	must(w.AddHandle(toile.Handle{
		Name: "side", Cloth: cloth, Vertices: verticesWhere(x, func(p r3.Vec) bool { return p.X < -0.15+1e-9 }),
	}))
	half := r3.V(0.025, 0.025, 0.003)
	id := must(w.AddBody("button", brick(t, half, 1200, r3.NoRotation(), r3.Vec{}),
		[]r3.Vec{{Z: half.Z + opt.Contact.Thickness}, {}}, make([]r3.Vec, 2)))
	must(w.Attach(toile.Attachment{
		Name: "thread", Cloth: cloth, To: id,
		Vertices: verticesWhere(x, func(p r3.Vec) bool { return math.Hypot(p.X, p.Y) < 0.022 }),
	}))
	return w, id
}

func TestButton(t *testing.T) {
	w, id := button(t, 2)
	gap := 0.0
	for k := range 250 {
		stats := must(w.Step(4e-3))
		if stats.Crossings > 0 || stats.Failsafe.Left > 0 || !stats.Converged {
			t.Fatalf("step %d: %d crossings, %+v, residual %g", k, stats.Crossings, stats.Failsafe, stats.Residual)
		}
		if stats.Failsafe.Rounds > 0 {
			t.Logf("step %d: %+v gap %g", k, stats.Failsafe, stats.JointGap)
		}
		gap = max(gap, stats.JointGap)
	}
	t.Logf("gap %g, at %v", gap, w.BodyPositions(id)[0])
}

func TestSewnToJelly(t *testing.T) {
	opt := toile.DefaultOptions()
	opt.Workers = 2
	w := must(toile.New(opt))
	spec := jelly()
	soft := addSolid(t, w, spec, spec.Mesh.X, make([]r3.Vec, len(spec.Mesh.X)))
	m, x := shape.Grid(0.08, 0.16, 8, 16)
	for i := range x {
		x[i] = x[i].Add(r3.V(0.01, 0.05, 0.05+opt.Contact.Thickness))
	}
	cloth := addCloth(t, w, toile.DefaultCloth("cloth", m, x, fabric(t, "cotton-interlock")))
	must(w.Attach(toile.Attachment{
		Name: "sewn", Cloth: cloth, To: soft, Vertices: verticesWhere(x, func(p r3.Vec) bool { return p.Y < 0.085 }),
	}))
	must(w.AddHandle(toile.Handle{
		Name: "bone", Body: &soft, Vertices: verticesWhere(spec.Mesh.X, func(p r3.Vec) bool { return p.X < 1e-9 }),
	}))
	gap := 0.0
	for k := range 150 {
		stats := must(w.Step(4e-3))
		if stats.Crossings > 0 || stats.Failsafe.Left > 0 || !stats.Converged {
			t.Fatalf("step %d: %d crossings, %+v, residual %g", k, stats.Crossings, stats.Failsafe, stats.Residual)
		}
		if stats.Failsafe.Rounds > 0 {
			t.Logf("step %d: %+v gap %g", k, stats.Failsafe, stats.JointGap)
		}
		gap = max(gap, stats.JointGap)
	}
	t.Logf("gap %g", gap)
}
