package engine

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// intruder is something near a sheet that is remeshed.
type intruder struct {
	x      []r3.Vec // about the origin: vertices of tri, or without one the middle of a ball or the ends of a capsule
	tri    [][3]int32
	radius float64
	// add puts it into a world, moved from the origin, and returns where the world has x.
	add func(w *World, at r3.Vec) []r3.Vec
}

func moved(x []r3.Vec, by r3.Vec) []r3.Vec {
	out := make([]r3.Vec, len(x))
	for i := range x {
		out[i] = x[i].Add(by)
	}
	return out
}

// crosses reports whether a triangle is inside of the intruder or goes through its surface, when its points are at x.
// It is by exact signs for meshes, and by distances of features for balls and capsules.
func (k *intruder) crosses(x []r3.Vec, f [3]r3.Vec) bool {
	if k.tri == nil && k.radius == 0 {
		return geom.SegmentTriangle(x[0], x[1], f[0], f[1], f[2])
	}
	if k.tri == nil {
		return coreDistance(x, f) < k.radius-inexact
	}
	low, high := f[0].Min(f[1]).Min(f[2]), f[0].Max(f[1]).Max(f[2])
	for _, t := range k.tri {
		p := [3]r3.Vec{x[t[0]], x[t[1]], x[t[2]]}
		box, own := (r3.Box{Min: low, Max: high}), (r3.Box{Min: p[0].Min(p[1]).Min(p[2]), Max: p[0].Max(p[1]).Max(p[2])})
		if box.Overlaps(&own) && geom.Triangles(f, p) {
			return true
		}
	}
	return false
}

// inexact is by how much faces may enter shapes that are no meshes [m]: distances to these are floating-point numbers,
// and an operation may come nearer by a millionth of the thickness.
const inexact = 1e-8

// coreDistance returns the distance of a triangle to a point or a segment.
func coreDistance(core []r3.Vec, f [3]r3.Vec) float64 {
	least := math.Inf(1)
	for _, p := range core {
		_, _, d2 := geom.PointTriangle(p, f[0], f[1], f[2])
		least = min(least, d2)
	}
	if len(core) == 2 {
		if geom.SegmentTriangle(core[0], core[1], f[0], f[1], f[2]) {
			return 0
		}
		for k := range 3 {
			_, _, d2 := geom.EdgeEdge(core[0], core[1], f[k], f[(k+1)%3])
			least = min(least, d2)
		}
	}
	return math.Sqrt(least)
}

func randomTurn(rng *rand.Rand) r3.Quat {
	return r3.Quat{W: rng.NormFloat64(), X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Unit()
}

func turned(x []r3.Vec, by r3.Quat) []r3.Vec {
	out := make([]r3.Vec, len(x))
	for i := range x {
		out[i] = by.Rotate(x[i])
	}
	return out
}

// rigidIntruder returns a rigid body that is turned at random.
func rigidIntruder(spec body.RigidSpec, rng *rand.Rand) *intruder {
	turn := randomTurn(rng)
	k := &intruder{x: turned(spec.Points, turn), tri: spec.Tri, radius: spec.Radius}
	k.add = func(w *World, at r3.Vec) []r3.Vec {
		b := must(body.NewRigid(spec, turn, r3.Vec{}))
		id := must(w.AddBody("rigid", b, []r3.Vec{at, {}}, make([]r3.Vec, 2)))
		out := make([]r3.Vec, len(spec.Points))
		b.Carry(w.BodyPositions(id), out)
		return out
	}
	return k
}

// softIntruder returns a soft ball, or a coarse soft box in the skin of a fine ball, which stands out of it.
func softIntruder(fine bool, rng *rand.Rand) *intruder {
	radius := uniform(rng, 0.01, 0.04)
	spec := body.SolidSpec{Material: material.Isotropic{Young: 2e4, Poisson: 0.3}, Density: 1000}
	if fine {
		x, tri := shape.Sphere{Radius: radius}.Mesh(6)
		spec.Mesh = shape.Block(r3.V(1, 1, 1).Scale(radius/2), 1, 1, 1)
		spec.Skin = body.SkinIn(spec.Mesh, x, tri)
	} else {
		spec.Mesh, _, _ = shape.Ball(radius, 2).SkinFirst()
	}
	turn := randomTurn(rng)
	s := must(body.NewSolid(spec))
	rest := make([]r3.Vec, s.Blocks()+s.Skin().Points)
	s.Carry(spec.Mesh.X, rest)
	k := &intruder{x: turned(rest[:s.Skin().Points], turn), tri: s.Skin().Tri}
	k.add = func(w *World, at r3.Vec) []r3.Vec {
		id := must(w.AddBody("soft", s, moved(turned(spec.Mesh.X, turn), at), make([]r3.Vec, s.Blocks())))
		out := make([]r3.Vec, s.Blocks()+s.Skin().Points)
		s.Carry(w.BodyPositions(id), out)
		return out[:s.Skin().Points]
	}
	return k
}

// shapeIntruder returns an obstacle that is a shape, whose points or whose inscribed mesh is given.
func shapeIntruder(f geom.Field, x []r3.Vec, tri [][3]int32, radius float64, rng *rand.Rand) *intruder {
	turn := randomTurn(rng)
	k := &intruder{x: turned(x, turn), tri: tri, radius: radius}
	k.add = func(w *World, at r3.Vec) []r3.Vec {
		must(w.AddObstacle(Obstacle{Name: "shape", Shape: f, Place: r3.Pose{R: turn, T: at}}))
		return moved(k.x, at)
	}
	return k
}

func uniform(rng *rand.Rand, lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }

// shrunk returns points that are nearer to the origin along each axis by a length.
func shrunk(x []r3.Vec, by float64) []r3.Vec {
	out := make([]r3.Vec, len(x))
	for i, p := range x {
		less := func(c float64) float64 { return math.Copysign(max(math.Abs(c)-by, 0), c) }
		out[i] = r3.V(less(p.X), less(p.Y), less(p.Z))
	}
	return out
}

// intruders are all that a sheet can meet, by kind.
var intruders = []struct {
	kind string
	make func(rng *rand.Rand) *intruder
}{
	{"other cloth", func(rng *rand.Rand) *intruder {
		m, x := shape.GridOf(shape.Random, 0.08, 0.08, 4, 4, rng.Uint64())
		for i := range x {
			x[i] = x[i].Sub(r3.V(0.04, 0.04, 0.01*math.Sin(80*x[i].X)))
		}
		k := &intruder{x: turned(x, randomTurn(rng)), tri: m.Tri}
		k.add = func(w *World, at r3.Vec) []r3.Vec {
			id := must(w.AddCloth(DefaultCloth("other", m, moved(k.x, at), testFabric())))
			return w.Positions(id)
		}
		return k
	}},
	{"rigid box", func(rng *rand.Rand) *intruder {
		half := r3.V(uniform(rng, 0.001, 0.03), uniform(rng, 0.001, 0.03), uniform(rng, 0.001, 0.03))
		return rigidIntruder(body.Brick(half, 100), rng)
	}},
	{"rigid ball", func(rng *rand.Rand) *intruder { return rigidIntruder(body.Ball(uniform(rng, 0.001, 0.04), 100), rng) }},
	{"rigid capsule", func(rng *rand.Rand) *intruder {
		return rigidIntruder(body.Capsule(uniform(rng, 0.001, 0.02), uniform(rng, 0.001, 0.05), 100), rng)
	}},
	{"rigid mesh", func(rng *rand.Rand) *intruder {
		x, tri := shape.Cone{Radius: uniform(rng, 0.002, 0.03), Height: uniform(rng, 0.004, 0.08)}.Mesh(8)
		spec, _, err := body.RigidOf(x, tri, 100)
		if err != nil {
			panic(err)
		}
		return rigidIntruder(spec, rng)
	}},
	{"rigid wire", func(rng *rand.Rand) *intruder {
		return rigidIntruder(body.RigidSpec{
			Mass: 0.01, Inertia: r3.Diagonal(1e-6), Points: []r3.Vec{{Z: -0.02}, {Z: uniform(rng, 0.01, 0.03)}}, Edges: [][2]int32{{0, 1}},
		}, rng)
	}},
	{"soft body", func(rng *rand.Rand) *intruder { return softIntruder(false, rng) }},
	{"soft body with a fine skin", func(rng *rand.Rand) *intruder { return softIntruder(true, rng) }},
	{"obstacle ball", func(rng *rand.Rand) *intruder {
		r := uniform(rng, 0.001, 0.04)
		return shapeIntruder(shape.Sphere{Radius: r}, make([]r3.Vec, 1), nil, r, rng)
	}},
	{"obstacle capsule", func(rng *rand.Rand) *intruder {
		r, half := uniform(rng, 0.001, 0.02), uniform(rng, 0.001, 0.05)
		return shapeIntruder(shape.Capsule{Radius: r, Half: half}, []r3.Vec{{Z: -half}, {Z: half}}, nil, r, rng)
	}},
	{"obstacle box", func(rng *rand.Rand) *intruder {
		half := r3.V(uniform(rng, 0.001, 0.03), uniform(rng, 0.001, 0.03), uniform(rng, 0.001, 0.03))
		x, tri := shape.Box{Half: half}.Mesh()
		return shapeIntruder(shape.Box{Half: half}, shrunk(x, inexact), tri, 0, rng)
	}},
	{"obstacle cylinder", func(rng *rand.Rand) *intruder {
		r, half := uniform(rng, 0.001, 0.03), uniform(rng, 0.001, 0.03)
		x, tri := shape.Cylinder{Radius: r - inexact, Half: half - inexact}.Mesh(48)
		return shapeIntruder(shape.Cylinder{Radius: r, Half: half}, x, tri, 0, rng)
	}},
	{"obstacle cone", func(rng *rand.Rand) *intruder {
		r, height := uniform(rng, 0.005, 0.03), uniform(rng, 0.01, 0.08)
		x, tri := shape.Cone{Radius: r * (1 - 1e-6), Height: height * (1 - 1e-6)}.Mesh(48)
		return shapeIntruder(shape.Cone{Radius: r, Height: height}, moved(x, r3.V(0, 0, 3e-7*height)), tri, 0, rng)
	}},
	{"obstacle mesh", func(rng *rand.Rand) *intruder {
		x, tri := shape.Sphere{Radius: uniform(rng, 0.01, 0.04)}.Mesh(4)
		k := &intruder{x: turned(x, randomTurn(rng)), tri: tri}
		k.add = func(w *World, at r3.Vec) []r3.Vec {
			must(w.AddObstacle(Obstacle{Name: "mesh", Tri: tri, Positions: k.x, Place: r3.Translation(at)}))
			return w.obstacles[len(w.obstacles)-1].x
		}
		return k
	}},
}

// landscape returns a sheet that is a height over its material, with hills as high as its cells are wide.
func landscape(rng *rand.Rand) Cloth {
	cells := 4 + rng.IntN(9)
	m, x := shape.GridOf(shape.Random, 0.2, 0.2, cells, cells, rng.Uint64())
	height, kx, ky := uniform(rng, 0, 0.03), uniform(rng, 10, 60), uniform(rng, 10, 60)
	px, py := uniform(rng, 0, 6), uniform(rng, 0, 6)
	for i := range x {
		x[i].Z = height*math.Sin(kx*x[i].X+px)*math.Sin(ky*x[i].Y+py) + uniform(rng, 0, 0.1*height)
	}
	return DefaultCloth("sheet", m, x, testFabric())
}

// above reports whether a point is above a sheet that is a height, and whether the sheet has a height there.
func above(p r3.Vec, x []r3.Vec, tri [][3]int32) (up, ok bool) {
	for _, t := range tri {
		a, b, c := x[t[0]], x[t[1]], x[t[2]]
		flat := func(v r3.Vec) r3.Vec2 { return r3.Vec2{X: v.X, Y: v.Y} }
		s := geom.Orient2(flat(a), flat(b), flat(c))
		if s*geom.Orient2(flat(a), flat(b), flat(p)) >= 0 && s*geom.Orient2(flat(b), flat(c), flat(p)) >= 0 &&
			s*geom.Orient2(flat(c), flat(a), flat(p)) >= 0 {
			n := b.Sub(a).Cross(c.Sub(a))
			return p.Sub(a).Dot(n)*n.Z > 0, true
		}
	}
	return false, false
}

// randomSizes returns sizes that coarsen much, or refine.
func randomSizes(rng *rand.Rand) Remesh {
	o := DefaultRemesh()
	o.Fade, o.Velocity = 0, 1e3
	o.Contact = []RemeshMetric{RemeshProximity, RemeshObstacle, RemeshNoContact}[rng.IntN(3)]
	if rng.IntN(3) > 0 {
		o.Min, o.Max, o.Angle, o.Compression = uniform(rng, 0.02, 0.1), 0.3, uniform(rng, 1, 10), 1e3
	} else {
		o.Min, o.Max, o.Angle = 0.008, uniform(rng, 0.02, 0.06), uniform(rng, 0.3, 1)
	}
	return o
}

// crossesItself reports whether two triangles of a sheet cross, by exact signs.
func crossesItself(x []r3.Vec, tri [][3]int32) bool {
	boxes := make([]r3.Box, len(tri))
	for i, t := range tri {
		boxes[i] = r3.EmptyBox().With(x[t[0]]).With(x[t[1]]).With(x[t[2]])
		for j := range i {
			if boxes[i].Overlaps(&boxes[j]) && geom.MeshTriangles(x, t, tri[j]) {
				return true
			}
		}
	}
	return false
}

// beside adds an intruder to a world at a random place of its sheet, so far below or above that it only just does not
// cross, and returns where it is.
func beside(w *World, k *intruder, rng *rand.Rand) []r3.Vec {
	c, x := w.Cloth(0), w.Positions(0)
	at := r3.V(uniform(rng, 0.03, 0.17), uniform(rng, 0.03, 0.17), 0)
	stride := math.Copysign(uniform(rng, 1e-5, 2e-3), rng.Float64()-0.5)
	for ; ; at.Z += stride {
		here, clear := moved(k.x, at), true
		for _, t := range c.Mesh.Tri {
			if k.crosses(here, [3]r3.Vec{x[t[0]], x[t[1]], x[t[2]]}) {
				clear = false
				break
			}
		}
		if clear {
			return k.add(w, at)
		}
	}
}

// remeshes counts what a world does when it is remeshed several times, and calls check after each.
func remeshes(t *testing.T, w *World, sizes *Remesh, rng *rand.Rand, check func(round int)) (counts RemeshCounts) {
	t.Helper()
	w.build()
	w.team.Enter()
	defer w.team.Leave()
	var sum remeshed
	for round := range 4 {
		*sizes = randomSizes(rng)
		if err := w.adapt(); err != nil {
			t.Fatal(err)
		}
		w.replaced = nil
		sum.counts.Add(w.remeshed.counts)
		check(round)
	}
	return sum.counts
}

// Property: after remeshing nothing crosses that did not before, and nothing has come to the other side, whatever the
// sheet is near to. The answer is by all pairs, exact for meshes.
func TestRemeshingCrossesNothing(t *testing.T) {
	cases := uint64(12)
	if !testing.Short() {
		cases = 60
	}
	for _, kind := range intruders {
		t.Run(kind.kind, func(t *testing.T) {
			var all remeshed
			for seed := range cases {
				rng := rand.New(rand.NewPCG(seed, 39))
				opt := DefaultOptions()
				opt.Workers = 1
				w := must(New(opt))
				var sizes Remesh
				c := landscape(rng)
				sizes = DefaultRemesh()
				c.Remesh = &sizes
				must(w.AddCloth(c))
				k := kind.make(rng)
				points := beside(w, k, rng)
				type side struct{ up, ok bool }
				before := make([]side, len(points))
				for i, p := range points {
					before[i].up, before[i].ok = above(p, w.Positions(0), w.Cloth(0).Mesh.Tri)
				}
				all.counts.Add(remeshes(t, w, &sizes, rng, func(round int) {
					x, tri := w.Positions(0), w.Cloth(0).Mesh.Tri
					for _, f := range tri {
						if k.crosses(points, [3]r3.Vec{x[f[0]], x[f[1]], x[f[2]]}) {
							t.Fatalf("seed %d, round %d: a triangle crosses", seed, round)
						}
					}
					for i, p := range points {
						if up, ok := above(p, x, tri); ok && before[i].ok && up != before[i].up {
							t.Fatalf("seed %d, round %d: point %d has come to the other side", seed, round, i)
						}
					}
					if crossesItself(x, tri) {
						t.Fatalf("seed %d, round %d: the sheet crosses itself", seed, round)
					}
				}))
			}
			all.checkBusy(t)
		})
	}
	t.Run("itself", func(t *testing.T) {
		var all remeshed
		for seed := range cases {
			rng := rand.New(rand.NewPCG(seed, 39))
			opt := DefaultOptions()
			opt.Workers = 1
			w := must(New(opt))
			m, x := shape.GridOf(shape.Random, 0.3, 0.05, 18, 3, rng.Uint64())
			pitch := uniform(rng, 0.002, 0.006)
			for i, p := range m.Material { // rolled up
				turn := p.X / 0.02
				r := 0.02 + pitch*turn/(2*math.Pi)
				x[i] = r3.V(r*math.Cos(turn), p.Y, r*math.Sin(turn))
			}
			sizes := DefaultRemesh()
			c := DefaultCloth("sheet", m, x, testFabric())
			c.Remesh = &sizes
			must(w.AddCloth(c))
			if crossesItself(x, m.Tri) {
				continue
			}
			all.counts.Add(remeshes(t, w, &sizes, rng, func(round int) {
				if crossesItself(w.Positions(0), w.Cloth(0).Mesh.Tri) {
					t.Fatalf("seed %d, round %d: the sheet crosses itself", seed, round)
				}
			}))
		}
		all.checkBusy(t)
	})
}

// checkBusy fails if there was too little to see.
func (r *remeshed) checkBusy(t *testing.T) {
	t.Helper()
	c := r.counts
	t.Logf("%+v", c)
	if c.Flips < 100 || c.Splits < 100 || c.Collapses < 100 || c.Refused.Crossing < 10 {
		t.Errorf("%+v: too few operations, or none that had to be refused", c)
	}
}

// fallen are bodies that a sheet falls on, with their tops at 0.05 m.
func fallen(t *testing.T) map[string]func(w *World) (points func() []r3.Vec, k *intruder) {
	held := func(spec body.RigidSpec, turn r3.Quat, top float64) func(w *World) (func() []r3.Vec, *intruder) {
		return func(w *World) (func() []r3.Vec, *intruder) {
			b := must(body.NewRigid(spec, turn, r3.Vec{}))
			all := [3]bool{true, true, true}
			if err := b.SetHold(body.Hold{Axes: r3.Identity(), Move: all, Turn: all}); err != nil {
				t.Fatal(err)
			}
			id := must(w.AddBody("body", b, []r3.Vec{{Z: 0.05 - top}, {}}, make([]r3.Vec, 2)))
			return func() []r3.Vec {
				out := make([]r3.Vec, len(spec.Points))
				b.Carry(w.BodyPositions(id), out)
				return out
			}, &intruder{tri: spec.Tri, radius: spec.Radius}
		}
	}
	return map[string]func(w *World) (func() []r3.Vec, *intruder){
		"box":     held(body.Brick(r3.V(0.05, 0.05, 0.05), 1000), r3.NoRotation(), 0.05),
		"ball":    held(body.Ball(0.05, 1000), r3.NoRotation(), 0.05),
		"capsule": held(body.Capsule(0.02, 0.08, 1000), r3.Rotation(r3.V(0, 1, 0), math.Pi/2), 0.02),
		"soft": func(w *World) (func() []r3.Vec, *intruder) {
			spec := body.SolidSpec{
				Mesh: shape.Block(r3.V(0.05, 0.05, 0.05), 2, 2, 2), Material: material.Isotropic{Young: 1e5, Poisson: 0.3},
				Density: 1000, Damping: 5e-3,
			}
			fine, _, n := shape.Block(r3.V(0.05, 0.05, 0.05), 4, 4, 4).SkinFirst()
			spec.Skin = body.SkinIn(spec.Mesh, fine.X[:n], fine.Skin())
			s := must(body.NewSolid(spec))
			id := must(w.AddBody("body", s, spec.Mesh.X, make([]r3.Vec, s.Blocks())))
			must(w.AddObstacle(Obstacle{Name: "table", Place: r3.Translation(r3.V(0, 0, -0.051)), Shape: shape.Plane{Normal: r3.V(0, 0, 1)}}))
			return func() []r3.Vec {
				out := make([]r3.Vec, n)
				s.Carry(w.BodyPositions(id), out)
				return out
			}, &intruder{tri: s.Skin().Tri}
		},
	}
}

// A silk sheet of 0.4 m that is remeshed falls on a body and drapes over it: in no step does a triangle cross the body,
// nor a vertex get inside. It fell through rigid and soft bodies, up to 24 mm.
func TestAdaptiveClothOnBodies(t *testing.T) {
	for name, add := range fallen(t) {
		t.Run(name, func(t *testing.T) {
			opt := DefaultOptions()
			opt.Workers, opt.Contact.Friction = 2, 0.3
			w := must(New(opt))
			silk := must(material.LookupFabric("silk"))
			silk.Damping = 0.002
			m, x := shape.Grid(0.4, 0.4, 8, 8)
			c := DefaultCloth("sheet", m, moved(x, r3.V(-0.2, -0.2, 0.06)), silk)
			sizes := DefaultRemesh()
			sizes.Min, sizes.Max = 0.015, 0.1
			c.Remesh = &sizes
			must(w.AddCloth(c))
			points, k := add(w)
			for step := range 32 {
				if _, err := w.Step(5e-3); err != nil {
					t.Fatal(err)
				}
				at, x := points(), w.Positions(0)
				for _, f := range w.Cloth(0).Mesh.Tri {
					if k.crosses(at, [3]r3.Vec{x[f[0]], x[f[1]], x[f[2]]}) {
						t.Fatalf("step %d: a triangle crosses the body", step)
					}
				}
				if k.tri == nil {
					continue
				}
				inside := geom.NewMeshField(at, k.tri)
				for v := range x {
					if inside.Inside(x[v]) {
						t.Fatalf("step %d: vertex %d is inside of the body", step, v)
					}
				}
			}
			if low := slices.MinFunc(w.Positions(0), func(a, b r3.Vec) int { return cmp.Compare(a.Z, b.Z) }).Z; low > 0 {
				t.Errorf("the sheet is nowhere below %g m: this test shows nothing", low)
			}
		})
	}
}
