package engine_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// twistedBar is a bar along X that twists, bends and grows longer over time, and turns as a whole.
type twistedBar struct{ rest []r3.Vec }

func (b twistedBar) At(t float64, out []r3.Vec) error {
	s := math.Sin(3 * t)
	for i, p := range b.rest {
		twist := r3.Rotation(r3.V(1, 0, 0), 4*s*p.X)
		q := twist.Rotate(r3.V(0, p.Y, p.Z))
		// Along an arc of curvature κ in the plane of X and Z.
		const straight = 1e-9
		kappa := 2*s*s + straight
		angle := kappa * p.X * (1 + 0.1*s)
		sin, cos := math.Sincos(angle)
		out[i] = r3.V(sin/kappa, q.Y, (1-cos)/kappa).Add(r3.V(-sin, 0, cos).Scale(q.Z))
		out[i] = r3.Rotation(r3.V(0, 0, 1), t).Rotate(out[i]).Add(r3.V(0.2*t, 0, 0))
	}
	return nil
}

// bar returns the surface of a bar of 0.4 m by 4 cm by 4 cm in 20 lengths, and its triangles.
func bar() ([]r3.Vec, [][3]int32) {
	const n = 20
	var x []r3.Vec
	for i := range n + 1 {
		for _, c := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			x = append(x, r3.V(0.4*float64(i)/n-0.2, 0.02*c[0], 0.02*c[1]))
		}
	}
	var tri [][3]int32
	quad := func(a, b, c, d int32) { tri = append(tri, [3]int32{a, b, c}, [3]int32{a, c, d}) }
	for i := range int32(n) {
		for k := range int32(4) {
			l := (k + 1) % 4
			quad(4*i+k, 4*i+4+k, 4*i+4+l, 4*i+l)
		}
	}
	quad(0, 1, 2, 3)
	quad(4*n, 4*n+3, 4*n+2, 4*n+1)
	for i := range tri { // outside is where x × y of the cross section says
		tri[i][1], tri[i][2] = tri[i][2], tri[i][1]
	}
	return x, tri
}

// flagOnBar pins one edge of a sheet above the top of a bar, some of its vertices over faces, some over edges.
func flagOnBar(
	t testing.TB,
	obstacle engine.Obstacle,
	limit *engine.ForceLimit,
) (*engine.World, engine.ClothID, engine.ObstacleID, []int32) {
	t.Helper()
	w := newWorld(t, engine.DefaultOptions())
	m, x := shape.Grid(0.15, 0.1, 6, 4)
	for i := range x {
		x[i] = x[i].Add(r3.V(-0.0713, -0.0031, 0.0225))
	}
	cloth := addCloth(t, w, engine.DefaultCloth("flag", m, x, fabric(t, "cotton-interlock")))
	obstacle.Positions, obstacle.Tri = bar()
	id := addObstacle(t, w, obstacle)
	var held []int32
	for i := range x {
		if x[i].Y < 0 {
			held = append(held, int32(i))
		}
	}
	if _, err := w.AddHandle(
		engine.Handle{Name: "edge", Cloth: cloth, Vertices: held, Follow: &engine.Follow{Obstacle: id}, Limit: limit},
	); err != nil {
		t.Fatal(err)
	}
	return w, cloth, id, held
}

// besideTriangle is where a vertex is at the start: beside the triangle nearest to it.
type besideTriangle struct {
	tri    [3]int32
	weight r3.Vec
	offset float64 // along the normal [m]
	away   float64 // [m]
}

func beside(p r3.Vec, x []r3.Vec, tri [][3]int32) (b besideTriangle) {
	b.away = math.Inf(1)
	for _, t := range tri {
		weight, _, d2 := geom.PointTriangle(p, x[t[0]], x[t[1]], x[t[2]])
		if d := math.Sqrt(d2); d < b.away {
			b = besideTriangle{tri: t, weight: weight, away: d}
		}
	}
	b.offset, _ = b.measure(p, x)
	return b
}

// measure returns how far p is from the triangle's point along the normal, and in all.
func (b *besideTriangle) measure(p r3.Vec, x []r3.Vec) (offset, away float64) {
	v0, v1, v2 := x[b.tri[0]], x[b.tri[1]], x[b.tri[2]]
	d := p.Sub(v0.Scale(b.weight.X).Add(v1.Scale(b.weight.Y)).Add(v2.Scale(b.weight.Z)))
	return d.Dot(v1.Sub(v0).Cross(v2.Sub(v0)).Unit()), d.Norm()
}

// Follow-pins stay beside the same point of a surface that bends, twists, stretches and turns, at the same distance
// from it and from its plane, and move by chords.
func TestFollowPinsStayOnDeformingSurface(t *testing.T) {
	rest, tri := bar()
	w, cloth, id, held := flagOnBar(t, engine.Obstacle{Name: "bar", Place: r3.Still(), Deform: twistedBar{rest}}, nil)
	places := make([]besideTriangle, len(held))
	for j, v := range held {
		places[j] = beside(w.Positions(cloth)[v], w.ObstaclePositions(id), tri)
		if math.Abs(places[j].away-2.5e-3) > 1e-12 {
			t.Fatalf("vertex %d begins %g m away", v, places[j].away)
		}
	}
	const h = 2e-3
	count, way := 1000, 0.3
	if testing.Short() {
		count, way = 300, 0.1
	}
	worst, moved := 0.0, 0.0
	for range count {
		before := append([]r3.Vec(nil), w.Positions(cloth)...)
		step(t, w, h)
		for j, v := range held {
			p := w.Positions(cloth)[v]
			offset, away := places[j].measure(p, w.ObstaclePositions(id))
			worst = max(worst, math.Abs(offset-places[j].offset), math.Abs(away-places[j].away))
			chord := p.Sub(before[v])
			moved += chord.Norm()
			if d := w.Velocities(cloth)[v].Sub(chord.Scale(1 / h)).Norm(); d > 1e-9 {
				t.Fatalf("vertex %d has a velocity %g m/s off that of its way", v, d)
			}
		}
	}
	t.Logf("off by up to %g m after %g m", worst, moved/float64(len(held)))
	if worst > 1e-12 || moved < way*float64(len(held)) {
		t.Errorf("off by up to %g m after %g m", worst, moved/float64(len(held)))
	}
}

// On a rigid mesh that turns and moves, and on an analytic shape, pins keep their places in its axes.
func TestFollowPinsStayOnRigidBody(t *testing.T) {
	count := 1000
	if testing.Short() {
		count = 100
	}
	path := &engine.Path{
		Center: r3.V(0.3, 0, 0),
		Keys:   []engine.Key{{}, {At: 2, Axis: r3.V(1, 2, 3), Angle: 11, Translate: r3.V(1, 0, 0)}},
	}
	for _, shape := range []geom.Field{nil, shape.Plane{Normal: r3.V(0, 0, 1)}, shape.Sphere{Radius: 0.02}} {
		w := newWorld(t, engine.DefaultOptions())
		m, x := sheetAt(t, 0.1, 4, r3.Translation(r3.V(0, 0, 0.03)))
		cloth := addCloth(t, w, engine.DefaultCloth("sheet", m, x, fabric(t, "cotton-interlock")))
		o := engine.Obstacle{Name: "body", Place: r3.Still(), Path: path, Shape: shape}
		if shape == nil {
			o.Positions, o.Tri = bar()
		}
		id := addObstacle(t, w, o)
		held := []int32{10, 11, 12, 13, 14}
		if _, err := w.AddHandle(
			engine.Handle{Cloth: cloth, Vertices: held, Follow: &engine.Follow{Obstacle: id}},
		); err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for range count {
			step(t, w, 2e-3)
			back := w.ObstaclePose(id).Inverse()
			for _, v := range held {
				worst = max(worst, back.Apply(w.Positions(cloth)[v]).Sub(x[v]).Norm())
			}
		}
		t.Logf("%T: off by up to %g m", shape, worst)
		if worst > 1e-12 {
			t.Errorf("%T: off by up to %g m", shape, worst)
		}
	}
}

// A weak follow-pin lags by what its spring gives, and lets go of nothing within its limit.
func TestWeakFollowPin(t *testing.T) {
	rest, tri := bar()
	w, cloth, id, held := flagOnBar(
		t,
		engine.Obstacle{Name: "bar", Place: r3.Still(), Deform: twistedBar{rest}},
		&engine.ForceLimit{Force: 50, Stiffness: 2000},
	)
	places := make([]besideTriangle, len(held))
	for j, v := range held {
		places[j] = beside(w.Positions(cloth)[v], w.ObstaclePositions(id), tri)
	}
	for range 300 {
		step(t, w, 2e-3)
		lag := 0.0
		for j, v := range held {
			_, away := places[j].measure(w.Positions(cloth)[v], w.ObstaclePositions(id))
			lag = max(lag, math.Abs(away-places[j].away))
		}
		// Each of n springs gives 2000/n N/m, and the whole handle exerts the force it says; one vertex may carry all
		// of it.
		if most := w.HandleForce(0).Norm()/2000*float64(len(held)) + 2e-3; lag > most {
			t.Fatalf("lags by %g m at %g s, more than %g", lag, w.Time(), most)
		}
	}
}

// A weak follow-pin with a gap draws its vertices to that distance from the surface: of a shape, a rigid mesh and one
// that deforms.
func TestFollowPinDrawsToGap(t *testing.T) {
	const gap = 4e-3
	pos, tri := bar()
	for _, o := range []engine.Obstacle{
		{Shape: shape.Box{Half: r3.V(0.2, 0.02, 0.02)}},
		{Positions: pos, Tri: tri},
		{Positions: pos, Tri: tri, Deform: still{pos}},
	} {
		opt := engine.DefaultOptions()
		opt.Gravity = r3.Vec{}
		w := newWorld(t, opt)
		m, x := sheetAt(t, 0.05, 3, r3.Translation(r3.V(0.013, 0, 0.05)))
		c := engine.DefaultCloth("sheet", m, x, fabric(t, "cotton-interlock"))
		c.Fabric.Damping = 0.01
		cloth := addCloth(t, w, c)
		o.Name, o.Place = "bar", r3.Still()
		id := addObstacle(t, w, o)
		wanted := gap
		if _, err := w.AddHandle(engine.Handle{
			Cloth: cloth, Vertices: []int32{5, 6, 9, 10}, Limit: &engine.ForceLimit{Force: 1, Stiffness: 20},
			Follow: &engine.Follow{Obstacle: id, Gap: &wanted},
		}); err != nil {
			t.Fatal(err)
		}
		for range 400 {
			step(t, w, 4e-3)
		}
		for _, v := range []int32{5, 6, 9, 10} {
			if z := w.Positions(cloth)[v].Z; math.Abs(z-0.02-gap) > 1e-4 {
				t.Errorf("%T, deforming %v: vertex %d is %g m above the surface", o.Shape, o.Deform != nil, v, z-0.02)
			}
		}
	}
}

// still is a deformation that does nothing.
type still struct{ x []r3.Vec }

func (s still) At(_ float64, out []r3.Vec) error {
	copy(out, s.x)
	return nil
}

// A steady step with tracks and follow-pins allocates nothing.
func TestSteadyTracksAllocateNothing(t *testing.T) {
	pos, _ := bar()
	w, cloth, _, _ := flagOnBar(t, engine.Obstacle{Name: "bar", Place: r3.Still(), Deform: still{pos}}, nil)
	w.SetWorkers(1)
	drive(t, w, engine.DefaultFriction(), engine.Linear, engine.TrackKey{Value: 0.3}, engine.TrackKey{At: 1, Value: 0.2})
	drive(t, w, engine.GravityAlong(0), engine.Smooth, engine.TrackKey{}, engine.TrackKey{At: 1, Value: 0.2})
	drive(t, w, engine.BendFactor(cloth), engine.Linear, engine.TrackKey{Value: 1}, engine.TrackKey{At: 1, Value: 2})
	drive(t, w, engine.HandleHold(0), engine.Hold, engine.TrackKey{Value: 1}, engine.TrackKey{At: 9, Value: 0})
	for range 200 {
		step(t, w, 2e-3)
	}
	if n := testing.AllocsPerRun(20, func() { step(t, w, 2e-3) }); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
}

func TestFollowFaults(t *testing.T) {
	w, cloth := littleSheet(t, engine.DefaultOptions(), 0.001)
	floor := addFloor(t, w)
	press := addPress(t, w, 0.001, nil, engine.Press{Axis: r3.V(0, 0, -1), Force: 1, Mass: 1, Stop: 1})
	flat := addObstacle(t, w, engine.Obstacle{
		Name: "flat", Place: r3.Still(), Tri: [][3]int32{{0, 1, 2}}, Positions: make([]r3.Vec, 3), Deform: collapsed{},
	})
	for _, h := range []engine.Handle{
		{Follow: &engine.Follow{Obstacle: 7}},
		{Follow: &engine.Follow{Obstacle: -1}},
		{Follow: &engine.Follow{Obstacle: press}},
		{Follow: &engine.Follow{Obstacle: floor, Gap: new(float64)}},
		{Follow: &engine.Follow{Obstacle: flat}},
		{Follow: &engine.Follow{Obstacle: floor}, Path: &engine.Path{Keys: []engine.Key{{}}}},
	} {
		h.Cloth, h.Vertices = cloth, []int32{0}
		if _, err := w.AddHandle(h); err == nil {
			t.Errorf("%+v was accepted", h.Follow)
		}
	}
}

// collapsed is a mesh without an area.
type collapsed struct{}

func (collapsed) At(_ float64, out []r3.Vec) error {
	for i := range out {
		out[i] = r3.V(float64(i), 0, -5)
	}
	return nil
}

// The same bits with 1, 2 and 8 workers, and after a resume at any step, with tracks, follow-pins and handles that let
// go and take hold.
func TestHashesWithTracksAndFollowPins(t *testing.T) {
	const h, count = 2e-3, 60
	rest, _ := bar()
	build := func(workers int) *engine.World {
		w, cloth, id, _ := flagOnBar(t, engine.Obstacle{Name: "bar", Place: r3.Still(), Deform: twistedBar{rest}}, nil)
		w.SetWorkers(workers)
		weak := must(w.AddHandle(engine.Handle{
			Name: "corner", Cloth: cloth, Vertices: []int32{34}, Limit: &engine.ForceLimit{Force: 1, Stiffness: 10},
			Follow: &engine.Follow{Obstacle: id},
		}))
		free := must(w.AddHandle(engine.Handle{
			Name: "other", Cloth: cloth, Vertices: []int32{28},
			Path: &engine.Path{Keys: []engine.Key{{}, {At: 0.1, Translate: r3.V(0, 0, 0.02)}}},
		}))
		at := func(t, v float64) engine.TrackKey { return engine.TrackKey{At: t, Value: v} }
		drive(t, w, engine.DefaultFriction(), engine.Linear, at(0, 0.3), at(0.1, 0))
		drive(t, w, engine.FrictionBetween(0, 0), engine.Hold, at(0, 0.3), at(0.05, 0.2))
		drive(t, w, engine.GravityAlong(1), engine.Smooth, at(0.02, 0), at(0.1, 3))
		drive(t, w, engine.AirDensity(), engine.Linear, at(0, 0), at(0.1, 1.2))
		drive(t, w, engine.WindAlong(2), engine.Linear, at(0, 0), at(0.1, 4))
		drive(t, w, engine.ContactThickness(), engine.Linear, at(0, 1e-3), at(0.1, 1.5e-3))
		drive(t, w, engine.HandleLimit(weak), engine.Linear, at(0, 1), at(0.1, 2))
		drive(t, w, engine.HandleHold(weak), engine.Hold, at(0, 1), at(0.03, 0), at(0.06, 1))
		drive(t, w, engine.HandleHold(free), engine.Hold, at(0, 0), at(0.05, 1), at(0.09, 0))
		drive(t, w, engine.ClothDamping(cloth), engine.Linear, at(0, 0), at(0.1, 0.01))
		drive(t, w, engine.ClothDrag(cloth), engine.Linear, at(0, 1), at(0.1, 2))
		load := must(w.AddLoad(engine.Load{Cloth: cloth, Vertices: []int32{30, 31}}))
		drive(t, w, engine.LoadAlong(load, 1), engine.Smooth, at(0, 0), at(0.1, 0.2))
		drive(t, w, engine.StretchFactor(cloth), engine.Linear, at(0, 1), at(0.1, 2))
		drive(t, w, engine.BendFactor(cloth), engine.Linear, at(0, 1), at(0.1, 2))
		return w
	}
	first := build(1)
	var states [][]byte
	for range count {
		states = append(states, must(first.Snapshot().MarshalBinary()))
		step(t, first, h)
	}
	want := first.Snapshot().Hash()
	for _, workers := range []int{2, 8} {
		w := build(workers)
		for range count {
			step(t, w, h)
		}
		if got := w.Snapshot().Hash(); got != want {
			t.Errorf("%d workers: %v, want %v", workers, got, want)
		}
	}
	for at, state := range states {
		if at%7 != 3 && at != 15 && at != 16 && at != 30 && at != 31 {
			continue
		}
		var snap engine.Snapshot
		if err := snap.UnmarshalBinary(state); err != nil {
			t.Fatal(err)
		}
		w := build(2)
		if err := w.Restore(&snap); err != nil {
			t.Fatal(err)
		}
		if w.Snapshot().Hash() != snap.Hash() {
			t.Errorf("restored at step %d: another state", at)
		}
		for range count - at {
			step(t, w, h)
		}
		if got := w.Snapshot().Hash(); got != want {
			t.Errorf("resumed at step %d: %v, want %v", at, got, want)
		}
	}
	// Another track is another world.
	w, cloth, _, _ := flagOnBar(t, engine.Obstacle{Name: "bar", Place: r3.Still(), Deform: twistedBar{rest}}, nil)
	plain := w.Snapshot()
	drive(t, w, engine.BendFactor(cloth), engine.Linear, engine.TrackKey{Value: 1})
	if w.Restore(plain) == nil {
		t.Error("a snapshot of a world without a track fits one with it")
	}
}
