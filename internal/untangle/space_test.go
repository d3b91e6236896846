package untangle

import (
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// elbow is a limb bent until it goes through itself.
func elbow(degrees float64) ([]r3.Vec, [][3]int32) {
	return mannequin.Limb{Radius: 0.05, Bone: 0.2, Around: 24, Along: 16, Blend: 0.15}.Bent(degrees * math.Pi / 180)
}

func openSpace(t *testing.T, x []r3.Vec, tri [][3]int32, opt SpaceOptions) ([]r3.Vec, SpaceStats) {
	t.Helper()
	s, err := NewSpace(len(x), tri)
	if err != nil {
		t.Fatal(err)
	}
	u := make([]r3.Vec, len(x))
	return u, s.Open(x, u, opt)
}

// beginSpace returns a run of Open that has found what interferes.
func beginSpace(t *testing.T, x []r3.Vec, tri [][3]int32) *spaceRun {
	t.Helper()
	s, err := NewSpace(len(x), tri)
	if err != nil {
		t.Fatal(err)
	}
	run := &spaceRun{Space: s, SpaceOptions: DefaultSpaceOptions(), base: x}
	run.Lap = func(string) {}
	run.begin(make([]r3.Vec, len(x)))
	return run
}

// TestSpaceOpensAnElbow: a limb bent by 130 degrees goes through itself, and does not afterwards.
func TestSpaceOpensAnElbow(t *testing.T) {
	x, tri := elbow(130)
	for _, margin := range []float64{0, 0.005, 0.01} {
		opt := DefaultSpaceOptions()
		opt.Margin, opt.UntilClear = margin, true
		_, st := openSpace(t, x, tri, opt)
		t.Logf("margin %g: %+v", margin, st)
		if st.CrossingsBefore == 0 || st.InsideBefore == 0 {
			t.Fatalf("there is nothing to do: %+v", st)
		}
		if !st.Clear() {
			t.Errorf(
				"margin %g: %d crossings and %d vertices inside are left",
				margin,
				st.CrossingsAfter,
				st.InsideAfter,
			)
		}
	}
}

// TestSpaceLeavesAlone [M3]: without interference nothing moves, by a single bit.
func TestSpaceLeavesAlone(t *testing.T) {
	x, tri := elbow(60)
	u, st := openSpace(t, x, tri, DefaultSpaceOptions())
	for i := range u {
		if u[i] != (r3.Vec{}) {
			t.Fatalf("vertex %d moved by %v: %+v", i, u[i], st)
		}
	}
	if st.Iterations != 0 || st.Active != 0 {
		t.Errorf("%+v", st)
	}
}

// TestSpaceForgetsTheFrameBefore: what the frame before needed goes away when it is not needed any more.
func TestSpaceForgetsTheFrameBefore(t *testing.T) {
	bent, tri := elbow(130)
	s, err := NewSpace(len(bent), tri)
	if err != nil {
		t.Fatal(err)
	}
	u := make([]r3.Vec, len(bent))
	s.Open(bent, u, DefaultSpaceOptions())
	straight, _ := elbow(30)
	st := s.Open(straight, u, DefaultSpaceOptions())
	for i := range u {
		if u[i] != (r3.Vec{}) {
			t.Fatalf("vertex %d is still %g from its place: %+v", i, u[i].Norm(), st)
		}
	}
}

// TestSpacePinsHold [M4]: pinned vertices do not move, and the energy ends below where it began, whatever is pinned.
func TestSpacePinsHold(t *testing.T) {
	x, tri := elbow(130)
	s, err := NewSpace(len(x), tri)
	if err != nil {
		t.Fatal(err)
	}
	scale := make([]float64, len(x))
	pinned := 0
	for i := range scale {
		scale[i] = 1
		if x[i].Y < 0 {
			scale[i] = math.Inf(1)
			pinned++
		}
	}
	s.SetAnchors(scale)
	u := make([]r3.Vec, len(x))
	st := s.Open(x, u, DefaultSpaceOptions())
	for i := range u {
		if x[i].Y < 0 && u[i] != (r3.Vec{}) {
			t.Fatalf("pinned vertex %d moved by %v", i, u[i])
		}
	}
	if e := st.Energy; pinned == 0 || st.Move == 0 || e[len(e)-1] >= e[0] {
		t.Errorf("%d pinned; %+v", pinned, st)
	}
}

// TestSpaceEnergyFalls [M4]: from iteration to iteration, with interference found anew each time, the energy does not
// grow by more than a hundredth of what it was at first.
func TestSpaceEnergyFalls(t *testing.T) {
	x, tri := elbow(130)
	for _, margin := range []float64{0, 0.005, 0.01} {
		opt := DefaultSpaceOptions()
		opt.Margin = margin
		_, st := openSpace(t, x, tri, opt)
		for k := 1; k < len(st.Energy); k++ {
			if st.Energy[k] > st.Energy[k-1]+0.01*st.Energy[0] {
				t.Errorf("margin %g: energies %g", margin, st.Energy)
			}
		}
		if len(st.Energy) != 5 || st.Energy[4] > 0.1*st.Energy[0] {
			t.Errorf("margin %g: energies %g", margin, st.Energy)
		}
	}
}

// TestSpaceWorkers: the same bits for any number of workers.
func TestSpaceWorkers(t *testing.T) {
	x, tri := elbow(130)
	opt := DefaultSpaceOptions()
	opt.UntilClear = true
	want, _ := openSpace(t, x, tri, opt)
	for _, workers := range []int{2, 3} {
		opt.Team = par.New(workers)
		got, _ := openSpace(t, x, tri, opt)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%d workers: vertex %d moves by %v, alone by %v", workers, i, got[i], want[i])
			}
		}
	}
}

// TestSpaceRegion: what is outside of the region is not looked at, and what is far from it does not move.
func TestSpaceRegion(t *testing.T) {
	x, tri := elbow(130)
	s, err := NewSpace(len(x), tri)
	if err != nil {
		t.Fatal(err)
	}
	s.SetRegion(make([]bool, len(x)))
	u := make([]r3.Vec, len(x))
	if st := s.Open(x, u, DefaultSpaceOptions()); st.Move != 0 || st.InsideBefore != 0 {
		t.Errorf("in an empty region: %+v", st)
	}
	s.SetRegion(nil)
	if st := s.Open(x, u, DefaultSpaceOptions()); st.Move == 0 {
		t.Errorf("everywhere: %+v", st)
	}
}

// TestSpaceADMM runs the steps of [Overby17] as they are printed, with z and λ for each triangle, for rows that stay,
// and compares with the solver.
func TestSpaceADMM(t *testing.T) {
	x, tri := elbow(130)
	s := beginSpace(t, x, tri)
	s.release()
	rows := s.rows
	s.solver.solve(x, s.finder.x, rows)
	want := append([]r3.Vec(nil), s.solver.u...)

	// Iterations with the multipliers, each global step solved by the same conjugate gradients: its right-hand side is
	// that of the given body plus Dᵀ w² (z - λ - F₀), the only place where z and λ enter.
	gradient := func(u []r3.Vec, v [3]int32) [2]r3.Vec { // of the displacement, in an orthonormal frame of the triangle
		e1, e2 := x[v[1]].Sub(x[v[0]]), x[v[2]].Sub(x[v[0]])
		l := e1.Norm()
		a := e1.Dot(e2) / l
		h := e1.Cross(e2).Norm() / l
		du := u[v[1]].Sub(u[v[0]]).Scale(1 / l)
		return [2]r3.Vec{du, u[v[2]].Sub(u[v[0]]).AddScaled(-a, du).Scale(1 / h)}
	}
	z, lambda := make([][2]r3.Vec, len(tri)), make([][2]r3.Vec, len(tri)) // both less F₀ and 0
	worst := 0.0
	for range 4 {
		for i, v := range tri {
			g := gradient(want, v)
			for k := range 2 {
				z[i][k] = g[k].Add(lambda[i][k]).Scale(0.5)
				lambda[i][k] = lambda[i][k].Add(g[k]).Sub(z[i][k])
				worst = max(worst, z[i][k].Sub(lambda[i][k]).Norm())
			}
		}
	}
	// So the right-hand side is unchanged, but for rounding of numbers of order 1.
	if worst > 1e-14 {
		t.Errorf("z - λ differs from F₀ by %g", worst)
	}
}

// TestSpaceEnergy: the energy of a displacement that is linear in a plane is its gradient squared times half the area,
// and that of a shift the anchors' alone.
func TestSpaceEnergy(t *testing.T) {
	m, x := shape.Grid(0.2, 0.1, 8, 5)
	s := beginSpace(t, x, m.Tri)
	for i := range x {
		s.solver.u[i] = r3.V(0, 0, 0.3*x[i].X+0.1*x[i].Y)
		s.solver.anchor[i] = 0
	}
	if got, want := s.solver.energy(nil, x), (0.09+0.01)*0.02/2; math.Abs(got-want) > 1e-12 {
		t.Errorf("energy %g of a slope, not %g", got, want)
	}
	for i := range x {
		s.solver.u[i] = r3.V(0.01, 0, 0)
		s.solver.anchor[i] = s.Anchor * perArea * s.solver.area[i]
	}
	if got, want := s.solver.energy(nil, x), 0.5*1e4*1e-4*0.02/2; math.Abs(got-want) > 1e-12 {
		t.Errorf("energy %g of a shift, not %g", got, want)
	}
}

// TestSpaceSolvesItsEquations: the solve ends where the gradient of the energy vanishes, by central differences.
func TestSpaceSolvesItsEquations(t *testing.T) {
	x, tri := elbow(130)
	s := beginSpace(t, x, tri)
	s.release()
	rows := s.rows
	at := func() float64 {
		p := append([]r3.Vec(nil), x...)
		for i := range p {
			p[i] = p[i].Add(s.solver.u[i])
		}
		return s.solver.energy(rows, p)
	}
	slope := func(v int32, axis r3.Vec) float64 {
		const h = 1e-6
		was := s.solver.u[v]
		s.solver.u[v] = was.AddScaled(h, axis)
		up := at()
		s.solver.u[v] = was.AddScaled(-h, axis)
		down := at()
		s.solver.u[v] = was
		return (up - down) / (2 * h)
	}
	worst := func() (w float64) {
		for k := 0; k < len(s.solver.free); k += 13 {
			for _, axis := range []r3.Vec{r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1)} {
				w = max(w, math.Abs(slope(s.solver.free[k], axis)))
			}
		}
		return w
	}
	before := worst()
	for range 3 { // until rows are neither let go nor taken in
		s.solver.reference = 0
		s.solver.solve(x, s.finder.x, rows)
	}
	// Differences of an energy of 1e-2 over 2e-6 carry 1e-16 · 1e-2 / 2e-6 = 5e-13; three solves that each stop at 1e-3
	// of the slope.
	if after := worst(); after > 1e-4*before {
		t.Errorf("the slope is %g, before it was %g", after, before)
	}
}

// TestSpaceWinding compares the inside test with the solid angles of all triangles. Of those around a vertex none is
// seen from it, and what the others leave is the angle inside the surface there, so that the winding number just
// outside is the next whole number below.
func TestSpaceWinding(t *testing.T) {
	x, tri := elbow(140)
	s := beginSpace(t, x, tri)
	field := geom.NewMeshField(x, tri)
	inside := 0
	for v := range x {
		w := math.Floor(field.Winding(x[v]))
		got, sure := s.finder.winding(int32(v), s.finder.normal[v], &spaceScratch{})
		if !sure || float64(got) != w {
			t.Errorf("vertex %d: winding number %d (%v), by solid angles %g", v, got, sure, field.Winding(x[v]))
		}
		if w != 0 {
			inside++
		}
	}
	if inside < 20 {
		t.Errorf("only %d vertices are inside", inside)
	}
}

// TestSpaceOpenAndSeveral: a limb without its end, and two limbs through each other.
func TestSpaceOpenAndSeveral(t *testing.T) {
	x, tri := elbow(130)
	var cut [][3]int32
	for _, v := range tri {
		if min(v[0], v[1], v[2]) > 24 { // the first pole and its ring
			cut = append(cut, v)
		}
	}
	s, err := NewSpace(len(x), cut)
	if err != nil {
		t.Fatal(err)
	}
	opt := DefaultSpaceOptions()
	opt.UntilClear = true
	u := make([]r3.Vec, len(x))
	if st := s.Open(x, u, opt); s.Holes() != 1 || s.Shells() != 1 || st.InsideBefore == 0 || !st.Clear() {
		t.Errorf("%d holes, %d shells: %+v", s.Holes(), s.Shells(), st)
	}

	a, ta := mannequin.Limb{Radius: 0.04, Bone: 0.1, Around: 16, Along: 8, Blend: 0.05}.Bent(0)
	n := int32(len(a))
	for _, p := range a[:n] {
		a = append(a, p.Add(r3.V(0.07, 0, 0.013)))
	}
	for _, v := range ta[:len(ta):len(ta)] {
		ta = append(ta, [3]int32{v[0] + n, v[1] + n, v[2] + n})
	}
	s, err = NewSpace(len(a), ta)
	if err != nil {
		t.Fatal(err)
	}
	u = make([]r3.Vec, len(a))
	if st := s.Open(
		a,
		u,
		opt,
	); s.Shells() != 2 || s.Holes() != 0 || s.Hollow(a) != 0 || st.CrossingsBefore == 0 ||
		!st.Clear() {
		t.Errorf("%d shells: %+v", s.Shells(), st)
	}
	for i := range ta[:len(ta)/2] {
		ta[i][0], ta[i][1] = ta[i][1], ta[i][0]
	}
	s, err = NewSpace(len(a), ta)
	if err != nil || s.Hollow(a) != 1 {
		t.Errorf("one limb is inside out: %v, %d", err, s.Hollow(a))
	}
}

// limbIn is a thin limb in a thick one, along it or across, with its middle at a place.
func limbIn(at r3.Vec, across bool) ([]r3.Vec, [][3]int32) {
	x, tri := mannequin.Limb{Radius: 0.08, Bone: 0.2, Around: 32, Along: 16, Blend: 0.05}.Bent(0)
	thin, faces := mannequin.Limb{Radius: 0.02, Bone: 0.1, Around: 16, Along: 20, Blend: 0.05}.Bent(0)
	n := int32(len(x))
	for _, p := range thin {
		if across {
			p = r3.V(p.Z, p.Y, -p.X)
		}
		x = append(x, p.Add(at))
	}
	for _, v := range faces {
		tri = append(tri, [3]int32{v[0] + n, v[1] + n, v[2] + n})
	}
	return x, tri
}

// TestSpaceDoesNoHarm: what cannot be opened is left as it was, and said.
func TestSpaceDoesNoHarm(t *testing.T) {
	opt := DefaultSpaceOptions()
	opt.UntilClear = true
	for _, c := range []struct {
		name             string
		at               r3.Vec
		across           bool
		hidden, relented bool
	}{
		{"in another as a whole", r3.Vec{}, false, true, false},
		{"half in", r3.V(0.1, 0, 0), true, false, true},
		{"through", r3.Vec{}, true, false, true},
		{"its end in", r3.V(0.17, 0, 0), true, false, false},
	} {
		x, tri := limbIn(c.at, c.across)
		u, st := openSpace(t, x, tri, opt)
		if (st.Hidden > 0) != c.hidden || (st.Relented > 0) != c.relented || st.Clear() == c.relented {
			t.Errorf("%s: %+v", c.name, st)
		}
		still := true
		for _, d := range u {
			still = still && d == (r3.Vec{})
		}
		if still != (c.hidden || c.relented) {
			t.Errorf("%s: furthest move %g m", c.name, st.Move)
		}
		if c.relented && (st.CrossingsAfter != st.CrossingsBefore || st.InsideAfter != st.InsideBefore) {
			t.Errorf("%s: it is not as it was given: %+v", c.name, st)
		}
	}
}

// TestSpaceOpensADeepArm: of a forearm 5 cm in a chest the hand is inside as a whole, and its own far side is nearer
// than the skin.
func TestSpaceOpensADeepArm(t *testing.T) {
	m, err := mannequin.MeasuresOf("M")
	if err != nil {
		t.Fatal(err)
	}
	b, err := mannequin.NewMannequin(m, 3000)
	if err != nil {
		t.Fatal(err)
	}
	motion, err := mannequin.MotionOf("arm-through-chest", mannequin.MotionOptions{Tempo: 1, Depth: 0.05, Body: b})
	if err != nil {
		t.Fatal(err)
	}
	pose := motion.At(motion.Length() / 2)
	x := make([]r3.Vec, b.Vertices())
	b.Skin(&pose, x)
	opt := DefaultSpaceOptions()
	opt.UntilClear = true
	if _, st := openSpace(t, x, b.Tri, opt); st.CrossingsBefore == 0 || !st.Clear() {
		t.Errorf("%+v", st)
	}
}

// TestSpaceRefuses: what is no surface is named.
func TestSpaceRefuses(t *testing.T) {
	for want, tri := range map[string][][3]int32{
		"no triangles":           {},
		"there are 4 vertices":   {{0, 1, 4}},
		"two are the same":       {{0, 1, 1}},
		"face opposite ways":     {{0, 1, 2}, {0, 1, 3}},
		"holes meet at vertex 0": {{0, 1, 2}, {0, 3, 4}},
	} {
		n := 4
		if strings.HasPrefix(want, "holes") {
			n = 5
		}
		if _, err := NewSpace(n, tri); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, it should say %q", tri, err, want)
		}
	}
	bad := SpaceOptions{Margin: -1, Deform: math.NaN(), Anchor: math.Inf(1), Rounds: -1}
	err := bad.Validate()
	for _, name := range []string{"margin", "deform", "anchor", "push", "depth", "iterations", "rounds"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not speak of %s", err, name)
		}
	}
}

func TestLimitChange(t *testing.T) {
	before := []r3.Vec{{}, {}, {X: 1}}
	u := []r3.Vec{{X: 3}, {Y: 0.5}, {X: 1}}
	if largest, held := LimitChange(
		before,
		u,
		1,
	); largest != 3 || held != 1 || u[0] != r3.V(1, 0, 0) ||
		u[1] != r3.V(0, 0.5, 0) {
		t.Errorf("%g %d %v", largest, held, u)
	}
}
