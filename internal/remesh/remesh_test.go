package remesh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// draped puts a square sheet over a ball as a cloth would lie there: on the upper half, then straight down. Vertices
// keep the thickness.
func draped(side, radius, thickness float64, cells int) (*mesh.Mesh, []r3.Vec) {
	m, x := shape.GridOf(shape.Random, side, side, cells, cells, 11)
	for i, p := range m.Material {
		q := r3.V(p.X-side/2, p.Y-side/2, 0)
		l := q.Norm()
		r := radius + thickness
		a := min(l/r, math.Pi/2)
		dir := q.Unit()
		x[i] = dir.Scale(r * math.Sin(a)).Add(r3.V(0, 0, r*math.Cos(a)-max(0, l-r*math.Pi/2)))
	}
	return m, x
}

// sizesOK fails where an edge that may be split is too long for its sizes.
func sizesOK(t *testing.T, s *Sheet, most float64) {
	t.Helper()
	c := &change{size: s.Size}
	c.edit.Reset(s.Mesh)
	for side := range int32(3 * len(s.Mesh.Tri)) {
		a, b := c.edit.Ends(side)
		if size := math.Sqrt(c.size2(side)); size > most && (!s.Keep[a] || !s.Keep[b]) {
			t.Fatalf("edge %d-%d has size %g", a, b, size)
		}
	}
}

// At rest on a ball the mesh comes to rest as well, and stays there: sizes fade to what is wanted, then no step does
// anything.
func TestMeshComesToRest(t *testing.T) {
	calls := 90
	if testing.Short() {
		calls = 36
	}
	for name, opt := range map[string]Options{
		"proximity": {Min: 0.01, Max: 0.2, Angle: 0.3, Velocity: 1, Compression: 0.01, Aspect: 0.2, Contact: Proximity, Reach: 4e-3, Ratio: 0.1, Fade: 0.9},
		"isotropic": {Min: 0.01, Max: 0.1, Angle: 0.5, Velocity: 1, Compression: 0.02, Aspect: 1, Contact: Proximity, Reach: 4e-3, Ratio: 0.1, Fade: 0.5},
		"obstacle":  {Min: 0.02, Max: 0.2, Angle: 0.3, Velocity: 1, Compression: 0.01, Aspect: 0.2, Contact: Obstacle, Reach: 4e-3, Ratio: 0.1, Fade: 0.9},
	} {
		if testing.Short() && name != "proximity" {
			continue
		}
		m, x := draped(0.25, 0.06, 1e-3, 12)
		s := still(m, x)
		around := &Surroundings{Thickness: 1e-3, Fields: []geom.Field{shape.Sphere{Radius: 0.06}}}
		var r Remesher
		var history []int
		for range calls {
			c := r.Remesh(nil, s, around, &opt)
			history = append(history, c.Operations())
			sizesOK(t, s, 1+1e-9)
		}
		t.Logf("%s: %d vertices, operations %v", name, s.Mesh.Verts, history)
		last := 0
		for _, n := range history[calls*2/3:] {
			last += n
		}
		if last > 0 {
			t.Errorf("%s: operations go on: %v", name, history)
		}
	}
}

// A sheet that lies on a flat face with the unevenness of a contact solve, 5 % of the thickness, is not refined but
// becomes as coarse as it may.
func TestFlatFaceDoesNotRefine(t *testing.T) {
	floor, at := shape.Grid(2, 2, 7, 7)
	for i := range at {
		at[i] = at[i].Sub(r3.V(0.5, 0.5, 0))
	}
	rng := rand.New(rand.NewPCG(8, 1))
	lower, under := shape.Grid(1.4, 1.4, 30, 30)
	for i := range under {
		under[i] = under[i].Sub(r3.V(0.2, 0.2, 5e-5*rng.Float64()))
	}
	for name, around := range map[string]*Surroundings{
		"cloth": {Thickness: 1e-3, Surfaces: []Surface{{X: under, Tri: lower.Tri, Cloth: true}}},
		"mesh":  {Thickness: 1e-3, Surfaces: []Surface{{X: at, Tri: floor.Tri}}},
		"box":   {Thickness: 1e-3, Fields: []geom.Field{shape.Placed{Shape: shape.Box{Half: r3.V(2, 2, 1)}, Pose: r3.Translation(r3.V(0, 0, -1))}}},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		m, x := shape.GridOf(shape.Random, 1, 1, 20, 20, 3)
		for i := range x {
			x[i].Z = 1e-3 * (1 + 0.05*rng.Float64())
		}
		s := still(m, x)
		opt := DefaultOptions()
		var r Remesher
		splits := 0
		for range 40 {
			for i := range s.X {
				s.X[i].Z = 1e-3 * (1 + 0.05*rng.Float64())
			}
			splits += r.Remesh(nil, s, around, &opt).Splits
		}
		t.Logf("%s: %d of %d vertices left, %d splits", name, s.Mesh.Verts, m.Verts, splits)
		if splits > 0 {
			t.Errorf("%s: %d edges were split", name, splits)
		}
		// Edges of 0.9·0.2 m at most after collapses: 1 m² needs at least 60 or so vertices.
		if s.Mesh.Verts > 150 {
			t.Errorf("%s: %d vertices are left", name, s.Mesh.Verts)
		}
	}
}

// Same bits for any number of workers, with contact, seams and motion.
func TestWorkersDoNotMatter(t *testing.T) {
	var want *Sheet
	for _, workers := range []int{1, 2, 8} {
		m, x := draped(0.3, 0.08, 1e-3, 16)
		s := still(m, x)
		for i := range s.V {
			s.V[i] = r3.V(math.Sin(9*x[i].Y), math.Cos(7*x[i].X), 0)
		}
		s.Vertex = [][]float64{make([]float64, m.Verts)}
		opt := DefaultOptions()
		around := &Surroundings{Thickness: 1e-3, Fields: []geom.Field{shape.Sphere{Radius: 0.08}}}
		team := par.New(workers)
		var r Remesher
		done := 0
		for range 3 {
			if workers == 2 {
				r = Remesher{} // what it remembers must not matter either
			}
			done += r.Remesh(team, s, around, &opt).Operations()
		}
		if done < 100 {
			t.Fatalf("only %d operations", done)
		}
		if want == nil {
			want = s
			continue
		}
		if !slices.Equal(s.X, want.X) || !slices.Equal(s.V, want.V) || !slices.Equal(s.Mass, want.Mass) || !slices.Equal(s.UID, want.UID) ||
			!slices.Equal(s.Size, want.Size) ||
			!slices.Equal(s.Mesh.Tri, want.Mesh.Tri) ||
			!slices.Equal(s.Mesh.Material, want.Mesh.Material) {
			t.Errorf("%d workers give another sheet than one", workers)
		}
	}
}

// A linear field is carried over exactly, maps of triangles are where they were, and what stays keeps its number.
func TestStateIsCarriedOver(t *testing.T) {
	m, x := shape.GridOf(shape.Random, 0.4, 0.4, 16, 16, 5)
	s := still(m, x)
	field := func(p r3.Vec2) float64 { return 3*p.X - 2*p.Y + 1 }
	value := make([]float64, m.Verts)
	for i, p := range m.Material {
		value[i] = field(p)
		s.V[i] = r3.V(8*p.X, 0, -6*p.Y)
	}
	s.Vertex = [][]float64{value}
	half := make([]float64, len(m.Tri))
	for i := range half {
		a, b, c := m.RestTriangle(int32(i))
		if a.X+b.X+c.X > 0.6 {
			half[i] = 1
		}
	}
	s.Triangle = [][]float64{half}
	area := func(s *Sheet) (sum float64) {
		for i, h := range s.Triangle[0] {
			sum += h * s.Mesh.RestArea(int32(i))
		}
		return sum
	}
	at := map[int64]r3.Vec{}
	for i, id := range s.UID {
		at[id] = s.X[i]
	}
	before, first := area(s), s.NextUID
	opt := DefaultOptions()
	opt.Max, opt.Velocity = 0.1, 0.3
	var r Remesher
	c := r.Remesh(nil, s, &Surroundings{Thickness: 1e-3}, &opt)
	if c.Operations() == 0 {
		t.Fatal("nothing was done")
	}
	seen := map[int64]bool{}
	for i, id := range s.UID {
		if seen[id] || id >= s.NextUID {
			t.Fatalf("vertex %d has the number %d", i, id)
		}
		seen[id] = true
		if id < first && at[id] != s.X[i] {
			t.Errorf("vertex %d has moved", id)
		}
	}
	points := map[int32]r3.Vec2{}
	for i, v := range s.Mesh.Tri {
		for k, j := range v {
			points[j] = s.Mesh.Material[s.Mesh.Corner[i][k]]
		}
	}
	for i := range s.X {
		if want := field(points[int32(i)]); math.Abs(s.Vertex[0][i]-want) > 1e-12 {
			t.Errorf("value %g at %v, want %g", s.Vertex[0][i], points[int32(i)], want)
		}
		p := points[int32(i)]
		if d := s.V[i].Sub(r3.V(8*p.X, 0, -6*p.Y)).Norm(); d > 1e-12 {
			t.Errorf("a linear velocity has changed by %g m/s", d)
		}
	}
	if d := math.Abs(area(s)-before) / before; d > 1e-12 {
		t.Errorf("the map's area has changed by %g of it", d)
	}
	if got := lumped(s); !slices.Equal(got, s.Mass) {
		t.Error("masses are not those of the new mesh")
	}
}

// leaning returns two cards of 0.2 x 0.1 m that lean against each other at 70° on the floor, the second one's end a
// little above the first's.
func leaning(cells int) (a, b *Sheet) {
	card := func(sign, lift float64) *Sheet {
		m, x := shape.GridOf(shape.Random, 0.2, 0.1, 2*cells, cells, 4)
		sin, cos := math.Sincos(70 * math.Pi / 180)
		for i, p := range m.Material {
			up := p.X + lift
			x[i] = r3.V(sign*(0.2*cos-up*cos+0.0006), p.Y, 1e-3+up*sin)
		}
		return still(m, x)
	}
	return card(-1, 0), card(1, 0.004)
}

// [Li18] figure 10: near the top, where cards touch, the proximity metric gives at least twice the vertices of the
// obstacle metric, and near the floor, where they stand, at most 0.7 times as many.
func TestProximityAgainstObstacleMetric(t *testing.T) {
	count := func(metric ContactMetric) (top, base int) {
		a, b := leaning(5)
		opt := DefaultOptions()
		opt.Min, opt.Max, opt.Contact = 2.5e-3, 0.1, metric
		var r Remesher
		for range 12 {
			for i, s := range []*Sheet{a, b} {
				other := []*Sheet{b, a}[i]
				around := &Surroundings{
					Thickness: 1e-3, Fields: []geom.Field{shape.Plane{Normal: r3.V(0, 0, 1)}},
					Surfaces: []Surface{{X: other.X, Tri: other.Mesh.Tri, Cloth: true}},
				}
				r.Remesh(nil, s, around, &opt)
			}
		}
		for _, s := range []*Sheet{a, b} {
			for _, x := range s.X {
				if x.Z > 0.165 {
					top++
				}
				if x.Z < 0.03 {
					base++
				}
			}
		}
		return top, base
	}
	top, base := count(Proximity)
	oldTop, oldBase := count(Obstacle)
	t.Logf("top: proximity %d, obstacle %d; base: proximity %d, obstacle %d", top, oldTop, base, oldBase)
	if top < 2*oldTop {
		t.Errorf(
			"%d vertices at the top with the proximity metric, %d with the obstacle metric: want twice as many",
			top,
			oldTop,
		)
	}
	if float64(base) > 0.7*float64(oldBase) {
		t.Errorf(
			"%d vertices at the base with the proximity metric, %d with the obstacle metric: want 0.7 times as many at most",
			base,
			oldBase,
		)
	}
}

// settle calls Remesh again and again on a sheet that lies where place says, and returns the number of operations of
// each call.
func settle(s *Sheet, around *Surroundings, opt *Options, calls int, place func(r3.Vec2) r3.Vec) []int {
	var r Remesher
	var history []int
	for range calls {
		for t, v := range s.Mesh.Tri {
			for k, i := range v {
				s.X[i] = place(s.Mesh.Material[s.Mesh.Corner[t][k]])
			}
		}
		history = append(history, r.Remesh(nil, s, around, opt).Operations())
	}
	return history
}

// A sheet that hangs over the edge of a box, or on the tip of a cone, with vertices that go back to the surface after
// each call as a step would bring them: refined to the smallest size there and nowhere near it elsewhere, and at rest
// in the end.
func TestMeshRestsOnEdgeAndTip(t *testing.T) {
	const h, side = 1e-3, 0.4
	edge := func(p r3.Vec2) r3.Vec {
		a := (p.X - side/2) / h
		switch {
		case a < 0:
			return r3.V(p.X, p.Y, h)
		case a < math.Pi/2:
			return r3.V(side/2+h*math.Sin(a), p.Y, h*math.Cos(a))
		}
		return r3.V(side/2+h, p.Y, -(p.X - side/2 - h*math.Pi/2))
	}
	tip := func(p r3.Vec2) r3.Vec { // all around the wall, as if the cloth could shrink
		d := r3.V(p.X-side/2, p.Y-side/2, 0)
		sin, cos := 1/math.Sqrt(5), 2/math.Sqrt(5)
		return d.Unit().Scale(d.Norm()*sin + h*cos).Add(r3.V(0, 0, h-d.Norm()*cos+h*sin))
	}
	box := shape.Placed{Shape: shape.Box{Half: r3.V(0.5, 2, 0.5)}, Pose: r3.Translation(r3.V(side/2-0.5, 0, -0.5))}
	cone := shape.Placed{Shape: shape.Cone{Radius: 0.3, Height: 0.6}, Pose: r3.Translation(r3.V(0, 0, -0.6))}
	for _, c := range []struct {
		name  string
		shape geom.Field
		place func(r3.Vec2) r3.Vec
		near  func(r3.Vec2) float64 // distance to the edge or tip in the material
	}{
		{"box", box, edge, func(p r3.Vec2) float64 { return math.Abs(p.X - side/2) }},
		{"cone", cone, tip, func(p r3.Vec2) float64 { return math.Hypot(p.X-side/2, p.Y-side/2) }},
	} {
		m, x := shape.GridOf(shape.Random, side, side, 6, 6, 3)
		s := still(m, x)
		opt := DefaultOptions()
		opt.Compression = 100 // the cloth on the cone is compressed, which is not what we look at
		history := settle(s, &Surroundings{Thickness: h, Fields: []geom.Field{c.shape}}, &opt, 110, c.place)
		finest, coarsest := math.Inf(1), 0.0
		for i := range s.Mesh.Tri {
			p, q, r := s.Mesh.RestTriangle(int32(i))
			size := math.Sqrt(s.Mesh.RestArea(int32(i)))
			if min(c.near(p), c.near(q), c.near(r)) < opt.Min {
				finest = min(finest, size)
			}
			if min(c.near(p), c.near(q), c.near(r)) > 0.1 {
				coarsest = max(coarsest, size)
			}
		}
		t.Logf(
			"%s: %d vertices, finest %.1f mm, coarsest %.1f mm, operations %v",
			c.name,
			s.Mesh.Verts,
			1e3*finest,
			1e3*coarsest,
			history,
		)
		if finest > opt.Min || coarsest < 2*opt.Min {
			t.Errorf("%s: triangles of %g m near the edge or tip, %g m away from it", c.name, finest, coarsest)
		}
		for _, n := range history[80:] {
			if n > 0 {
				t.Fatalf("%s: operations go on: %v", c.name, history)
			}
		}
	}
}
