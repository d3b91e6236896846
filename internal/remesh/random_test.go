package remesh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// sheetOf returns a sheet of a mesh with velocities of about 1 m/s.
func sheetOf(m *mesh.Mesh, x []r3.Vec, rng *rand.Rand) *Sheet {
	s := &Sheet{
		Mesh:    m,
		X:       x,
		V:       make([]r3.Vec, m.Verts),
		UID:     make([]int64, m.Verts),
		Keep:    make([]bool, m.Verts),
		Density: 0.2,
	}
	for i := range s.V {
		s.V[i] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		s.UID[i] = s.NextUID
		s.NextUID++
	}
	s.Mass = lumped(s)
	return s
}

func lumped(s *Sheet) []float64 {
	mass := make([]float64, s.Mesh.Verts)
	for t, v := range s.Mesh.Tri {
		density := s.Density
		if s.DensityByTriangle {
			density = s.Triangle[0][t]
		}
		for _, i := range v {
			mass[i] += density * s.Mesh.RestArea(int32(t)) / 3
		}
	}
	return mass
}

// scroll rolls up a sheet about the Y axis so that its turns are a few millimetres apart.
func scroll(material []r3.Vec2, start, pitch float64) []r3.Vec {
	x := make([]r3.Vec, len(material))
	for i, p := range material {
		// Arc length of r = start + pitch φ/2π, roughly.
		k := pitch / (2 * math.Pi)
		phi := (math.Sqrt(start*start+2*k*p.X) - start) / k
		r := start + k*phi
		x[i] = r3.V(r*math.Cos(phi), p.Y, r*math.Sin(phi))
	}
	return x
}

// randomSheet returns one of several kinds of sheets, with what is around it.
func randomSheet(kind int, rng *rand.Rand) (*Sheet, *Surroundings) {
	around := &Surroundings{Thickness: 1e-3}
	switch kind % 6 {
	case 0: // rolled up near itself
		m, _ := shape.GridOf(shape.Patterns()[rng.IntN(len(shape.Patterns()))], 0.3, 0.05, 18, 3, rng.Uint64())
		return sheetOf(m, scroll(m.Material, 0.02, 0.005), rng), around
	case 1: // a tube with a seam, pressed flat
		m := seamed(14, 3)
		x := make([]r3.Vec, m.Verts)
		for i := range x {
			a := 2 * math.Pi * float64(i%14) / 14
			x[i] = r3.V(0.04*math.Cos(a), 0.02*float64(i/14), 0.004*math.Sin(a))
		}
		return sheetOf(m, x, rng), around
	case 2: // a dart, over a mesh and a ball
		m := darted(6)
		s := sheetOf(m, waves(m, 0.003), rng)
		floor, at := shape.Grid(0.5, 0.5, 5, 5)
		for i := range at {
			at[i] = r3.V(at[i].X-0.2, at[i].Y-0.2, -0.008)
		}
		around.Surfaces = []Surface{{X: at, Tri: floor.Tri}}
		around.Fields = []geom.Field{
			shape.Placed{Shape: shape.Sphere{Radius: 0.03}, Pose: r3.Translation(r3.V(0.05, 0.05, 0.0345))},
		}
		return s, around
	case 3: // two densities, and vertices that stay
		m, _ := shape.GridOf(shape.Random, 0.1, 0.1, 6, 6, rng.Uint64())
		s := sheetOf(m, waves(m, 0.01), rng)
		s.Triangle = [][]float64{make([]float64, len(m.Tri)), make([]float64, len(m.Tri))}
		s.DensityByTriangle = true
		for t := range m.Tri {
			a, b, c := m.RestTriangle(int32(t))
			s.Triangle[0][t], s.Triangle[1][t] = 0.1, 3
			if a.X+b.X+c.X > 0.15 {
				s.Triangle[0][t] = 0.4
			}
		}
		for i := range s.Keep {
			s.Keep[i] = rng.IntN(10) == 0
		}
		s.Mass = lumped(s)
		return s, around
	case 4: // folded over
		m, _ := shape.GridOf(shape.Random, 0.16, 0.06, 12, 4, rng.Uint64())
		x := make([]r3.Vec, m.Verts)
		for i, p := range m.Material {
			x[i] = foldedAt(p, 0.004)
		}
		return sheetOf(m, x, rng), around
	}
	// every triangle cut out alone
	m, x := shape.GridOf(shape.Random, 0.1, 0.1, 6, 6, rng.Uint64())
	for i := range x {
		x[i].Z = 0.01 * math.Sin(40*x[i].X) * math.Cos(30*x[i].Y)
	}
	own, err := mesh.FromSurface(x, m.Tri, r3.V(1, 0.2, 0))
	if err != nil {
		panic(err)
	}
	return sheetOf(own, x, rng), around
}

// foldedAt bends a sheet over along X: flat, half a turn of a small cylinder, flat again.
func foldedAt(p r3.Vec2, radius float64) r3.Vec {
	const half = 0.075
	arc := math.Pi * radius
	switch {
	case p.X < half:
		return r3.V(p.X, p.Y, -radius)
	case p.X < half+arc:
		a := (p.X - half) / radius
		return r3.V(half+radius*math.Sin(a), p.Y, -radius*math.Cos(a))
	}
	return r3.V(half-(p.X-half-arc), p.Y, radius)
}

// waves returns positions over the material that are a little uneven. Vertices at a cut go to the middle of their
// points.
func waves(m *mesh.Mesh, height float64) []r3.Vec {
	x, n := make([]r3.Vec, m.Verts), make([]float64, m.Verts)
	for t, v := range m.Tri {
		for k, i := range v {
			p := m.Material[m.Corner[t][k]]
			x[i] = x[i].Add(r3.V(p.X, p.Y, height*math.Sin(60*p.X)*math.Sin(50*p.Y)))
			n[i]++
		}
	}
	for i := range x {
		x[i] = x[i].Scale(1 / n[i])
	}
	return x
}

// seamed returns a strip of cells of 2 cm closed to a tube by one seam.
func seamed(around, along int) *mesh.Mesh {
	var material []r3.Vec2
	for j := range along + 1 {
		for i := range around + 1 {
			material = append(material, r3.Vec2{X: 0.02 * float64(i), Y: 0.02 * float64(j)})
		}
	}
	var tri, corner [][3]int32
	for j := range along {
		for i := range around {
			v := func(i, j int) int32 { return int32(j*around + i%around) }
			c := func(i, j int) int32 { return int32(j*(around+1) + i) }
			tri = append(tri, [3]int32{v(i, j), v(i+1, j), v(i+1, j+1)}, [3]int32{v(i, j), v(i+1, j+1), v(i, j+1)})
			corner = append(
				corner,
				[3]int32{c(i, j), c(i+1, j), c(i+1, j+1)},
				[3]int32{c(i, j), c(i+1, j+1), c(i, j+1)},
			)
		}
	}
	m, err := mesh.New(around*(along+1), tri, material, corner)
	if err != nil {
		panic(err)
	}
	return m
}

// darted returns a square of 10 cm with a wedge sewn shut: from the middle of one side to the centre, the material
// right of the line is moved away the more the nearer it is to the side.
func darted(cells int) *mesh.Mesh {
	n := cells + 1
	h := 0.1 / float64(cells)
	var material []r3.Vec2
	for j := range n {
		for i := range n {
			material = append(material, r3.Vec2{X: h * float64(i), Y: h * float64(j)})
		}
	}
	// Right of the dart below its tip: points of their own, sheared away.
	mid := cells / 2
	right := map[int]int32{}
	for j := range mid {
		for i := mid; i < n; i++ {
			right[j*n+i] = int32(len(material))
			material = append(material, r3.Vec2{X: h*float64(i) + 0.3*h*float64(mid-j), Y: h * float64(j)})
		}
	}
	var tri, corner [][3]int32
	for j := range cells {
		for i := range cells {
			v := func(i, j int) int32 { return int32(j*n + i) }
			c := func(i, j int) int32 {
				if p, ok := right[j*n+i]; ok {
					return p
				}
				return v(i, j)
			}
			if i < mid {
				c = v
			}
			tri = append(tri, [3]int32{v(i, j), v(i+1, j), v(i+1, j+1)}, [3]int32{v(i, j), v(i+1, j+1), v(i, j+1)})
			corner = append(
				corner,
				[3]int32{c(i, j), c(i+1, j), c(i+1, j+1)},
				[3]int32{c(i, j), c(i+1, j+1), c(i, j+1)},
			)
		}
	}
	m, err := mesh.New(n*n, tri, material, corner)
	if err != nil {
		panic(err)
	}
	return m
}

// watch checks a change after every operation.
type watch struct {
	t        testing.TB
	c        *change
	around   *Surroundings
	mass     float64
	momentum r3.Vec
	scale    float64 // Σ m|v|

	clearance float64 // distance that nothing may go below to shapes, from the start, less than the thickness [m]
}

func newWatch(t testing.TB, c *change, around *Surroundings) *watch {
	w := &watch{t: t, c: c, around: around}
	for i, m := range c.mass {
		w.mass += m
		w.momentum = w.momentum.AddScaled(m, c.v[i])
		w.scale += m * c.v[i].Norm()
	}
	w.clearance = around.Thickness
	for _, f := range around.Fields {
		for t := range c.edit.Tri {
			p := c.guard.corners(int32(t))
			_, d := dip(f, &p)
			w.clearance = min(w.clearance, d)
		}
	}
	w.clearance -= 1e-3 * around.Thickness // what many small slacks and a search that stops at a micrometre may add up to
	return w
}

// check fails if a promise is broken: connectivity, mass, momentum, orientation in the material; and whether the
// triangles of the last operation cross any other, by all pairs.
func (w *watch) check(what string) {
	c := w.c
	if err := c.edit.Validate(); err != nil {
		w.t.Fatalf("after %s: %v", what, err)
	}
	for i, m := range c.mass {
		if c.edit.Has(int32(i)) && !(m > 0) {
			w.t.Fatalf("after %s: mass %g of vertex %d", what, m, i)
		}
	}
	w.sums(what, c.mass, c.v)
	for _, t := range c.tris {
		w.cross(what, t)
	}
}

// sums fails if total mass or momentum has changed.
func (w *watch) sums(what string, masses []float64, v []r3.Vec) {
	mass, momentum := 0.0, r3.Vec{}
	for i, m := range masses {
		mass += m
		momentum = momentum.AddScaled(m, v[i])
	}
	if d := math.Abs(mass-w.mass) / w.mass; !(d <= 1e-12) {
		w.t.Fatalf("after %s: mass has changed by %g of it", what, d)
	}
	if d := momentum.Sub(w.momentum).Norm() / w.scale; !(d <= 1e-10) {
		w.t.Fatalf("after %s: momentum has changed by %g of Σ m|v|", what, d)
	}
}

func (w *watch) cross(what string, t int32) {
	c := w.c
	if c.edit.Tri[t][0] == mesh.None {
		return
	}
	for u := range c.edit.Tri {
		if int32(u) != t && w.pair(t, int32(u)) {
			w.t.Fatalf("after %s: triangles %d and %d cross", what, t, u)
		}
	}
	p := c.guard.corners(t)
	for _, f := range w.around.Fields {
		const n = 6
		for i := range n + 1 {
			for j := range n + 1 - i {
				a, b := float64(i)/n, float64(j)/n
				x := p[0].Scale(1-a-b).AddScaled(a, p[1]).AddScaled(b, p[2])
				if d, _ := f.Distance(x); d < w.clearance {
					w.t.Fatalf(
						"after %s: triangle %d is %g m from a shape, all were %g m away",
						what,
						t,
						d,
						w.clearance,
					)
				}
			}
		}
	}
	for _, s := range w.around.Surfaces {
		for u := range s.Tri {
			if geom.Triangles(p, [3]r3.Vec{s.X[s.Tri[u][0]], s.X[s.Tri[u][1]], s.X[s.Tri[u][2]]}) {
				w.t.Fatalf("after %s: triangle %d crosses %d of a mesh", what, t, u)
			}
		}
	}
}

// pair reports whether two triangles cross, by exact signs alone if their boxes meet.
func (w *watch) pair(t, u int32) bool {
	c := w.c
	if c.edit.Tri[t][0] == mesh.None || c.edit.Tri[u][0] == mesh.None {
		return false
	}
	p, q := c.guard.corners(t), c.guard.corners(u)
	box := boxOf(&p)
	return meets(&box, &q) && geom.MeshTriangles(c.x, c.edit.Tri[t], c.edit.Tri[u])
}

// crossed reports whether a change has crossings to begin with.
func (w *watch) crossed() bool {
	c := w.c
	for t := range c.edit.Tri {
		for u := range t {
			if w.pair(int32(t), int32(u)) {
				return true
			}
		}
	}
	return false
}

// start makes a change of a sheet, with sizes of about its edges.
func start(r *Remesher, s *Sheet, around *Surroundings) *change {
	opt := DefaultOptions()
	opt.Min, opt.Max, opt.Angle = 0.004, 0.06, 10
	r.change.edit.Reset(s.Mesh)
	flanks := r.flanks(s, around, &opt)
	r.size(nil, s, around, &opt, flanks)
	r.begin(s, around, &opt, flanks)
	return &r.change
}

// randomly does one random operation and returns its name.
func randomly(c *change, rng *rand.Rand, most int) (string, refusal) {
	for {
		side := int32(rng.IntN(3 * len(c.edit.Tri)))
		if c.edit.Tri[side/3][0] == mesh.None {
			continue
		}
		v, _ := c.edit.Ends(side)
		alive := 0
		for t := range c.edit.Tri {
			if c.edit.Tri[t][0] != mesh.None {
				alive++
			}
		}
		switch rng.IntN(3) {
		case 0:
			if alive < most {
				return "split", c.split(side)
			}
		case 1:
			return "flip", c.flip(side)
		default:
			return "collapse", c.collapse(v, side, false)
		}
	}
}

// Property: connectivity, mass, momentum and freedom from crossings after every operation, on sheets with seams,
// borders, darts, maps, kept vertices, near themselves and near obstacles.
func TestRandomOperationsKeepEverything(t *testing.T) {
	rounds, each := 12, 150
	if !testing.Short() {
		rounds, each = 96, 1050
	}
	var r Remesher
	done := map[string]int{}
	total, refused := 0, map[string]int{}
	for round := range rounds {
		rng := rand.New(rand.NewPCG(uint64(round), 3))
		s, around := randomSheet(round, rng)
		before := len(s.Mesh.Tri)
		c := start(&r, s, around)
		w := newWatch(t, c, around)
		if round < 12 && w.crossed() {
			t.Fatalf("sheet %d crosses itself to begin with", round)
		}
		for i, tries := 0, 0; i < each; tries++ {
			if tries > 100*each {
				t.Fatalf("round %d: only %d operations of %d were possible", round, i, each)
			}
			what, why := randomly(c, rng, 2*before)
			if why != allowed {
				refused[fmt.Sprint(what, why)]++
				continue
			}
			done[what]++
			total++
			i++
			w.check(fmt.Sprintf("round %d, operation %d, %s", round, i, what))
			if i%100 == 0 { // a mesh of what is left, now and then
				r.finish(s)
				c = start(&r, s, around)
			}
		}
		if w.crossed() {
			t.Fatalf("round %d: crosses at the end", round)
		}
		r.finish(s)
		if err := s.Mesh.Validate(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		w.sums(fmt.Sprintf("round %d, in the new mesh", round), s.Mass, s.V)
	}
	t.Logf("%d operations: %v; refused %v", total, done, refused)
	for _, what := range []string{"split", "flip", "collapse"} {
		if done[what] < total/20 {
			t.Errorf("only %d of %d operations are a %s", done[what], total, what)
		}
	}
}
