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
