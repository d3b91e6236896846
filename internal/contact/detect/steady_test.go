package detect

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func equal(a, b *contact.Set) bool {
	if !slices.Equal(a.Contacts, b.Contacts) {
		return false
	}
	for i := range a.Len() {
		if !slices.Equal(a.Row(i), b.Row(i)) {
			return false
		}
	}
	return true
}

// busy is a scene with everything in it: two cloths, one folded, a moving mesh, a box with its edges, a press.
func busy(t testing.TB) ([]contact.Skin, contact.Motion) {
	a, x := folded(t, 24, 1.3e-3)
	b, y := draped(t, 24, 1e-3)
	all := slices.Concat(x, y, []r3.Vec{{}})
	m := falling(all, 5e-3)
	for i := range m.X1 {
		m.X1[i] = m.X1[i].Add(r3.V(0, 0, 2e-3*math.Sin(7*float64(i))))
	}
	mesh := ballMesh(0.25, 16)
	mesh.Surface = 2
	mesh = moved(mesh, r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), 0.05), T: r3.V(0, 0, 1e-3)})
	table := contact.Skin{
		Surface: 3,
		Block:   contact.None,
		Field:   shape.Box{Half: r3.V(0.3, 0.3, 0.1)},
		From:    r3.Translation(r3.V(0.3, 0.4, -0.101)),
	}
	table.To = table.From
	press := contact.Skin{
		Surface: 4,
		Block:   int32(len(all) - 1),
		Field:   shape.Plane{Normal: r3.V(0, 0, -1)},
		From:    r3.Translation(r3.V(0, 0, 0.26)),
		To:      r3.Translation(r3.V(0, 0, 0.26)),
	}
	return []contact.Skin{contact.ClothSkin(0, 0, a), contact.ClothSkin(1, int32(len(x)), b), mesh, table, press}, m
}

// The same bits for any number of workers.
func TestWorkersCannotBeTold(t *testing.T) {
	workersCannotBeTold(t, false)
	workersCannotBeTold(t, true)
}

func workersCannotBeTold(t *testing.T, mapped bool) {
	skins, m := busy(t)
	var want contact.Set
	for _, workers := range []int{1, 2, 8} {
		f := DefaultFinder()
		f.Team = par.New(workers)
		if mapped {
			vary(&f, len(m.X0), rand.New(rand.NewPCG(3, 1)))
		}
		f.Begin(skins)
		var set contact.Set
		f.Find(m, nil, &set)
		if err := set.Validate(len(m.X0)); err != nil {
			t.Fatal(err)
		}
		farther := m
		farther.X1 = slices.Clone(m.X1)
		for i := range farther.X1 {
			farther.X1[i].Z -= 3e-3
		}
		if f.Extend(farther, nil, &set) == 0 {
			t.Error("nothing was added")
		}
		for i := 0; i < len(farther.X1); i += 20 { // few enough for pairs to be mended
			farther.X1[i].Z -= 3e-3
		}
		if f.Extend(farther, nil, &set) == 0 {
			t.Error("nothing was added where some points go farther")
		}
		if workers == 1 {
			want = set
			t.Logf("%d contacts of %d candidates", set.Len(), len(f.rules.found))
			continue
		}
		if !equal(&set, &want) {
			t.Errorf("%d workers give other contacts", workers)
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	skins, m := busy(t)
	f := DefaultFinder()
	f.Team = par.New(2)
	var set contact.Set
	step := func() {
		f.Begin(skins)
		f.Find(m, nil, &set)
		f.Extend(m, nil, &set)
		f.Crossings(m.X1)
	}
	for range 2 {
		step()
		step()
		if n := testing.AllocsPerRun(5, step); n > 0 {
			t.Errorf("%v allocations a step", n)
		}
		vary(&f, len(m.X0), rand.New(rand.NewPCG(3, 1)))
	}
}

// A search for a motion that differs little from the one before reuses its pairs, and finds what a fresh one
// finds, also after crossings have been counted in between; so does one that differs much.
func TestPairsAreReusedSafely(t *testing.T) {
	skins, m := busy(t)
	skins[2].Block = int32(len(m.X0) - 1)
	for _, size := range []float64{0.2e-3, 2e-3} {
		f, fresh := DefaultFinder(), DefaultFinder()
		f.Begin(skins)
		fresh.Begin(skins)
		var set contact.Set
		f.Find(m, nil, &set)
		for round := range 3 {
			n := m
			n.X1 = slices.Clone(m.X1)
			for i := range n.X1 {
				n.X1[i] = n.X1[i].Add(
					r3.V(math.Sin(float64(3*i+round)), math.Cos(float64(5*i)), math.Sin(float64(7*i))).Scale(size),
				)
			}
			f.Extend(n, nil, &set)
			var other contact.Set
			fresh.Find(n, nil, &other)
			if got, want := byID(f.rules.found), byID(fresh.rules.found); !slices.Equal(got, want) {
				t.Fatalf("%v, round %d: %d candidates, a fresh search has %d", size, round, len(got), len(want))
			}
			f.Crossings(n.X1)
		}
	}
}

// Extend adds what a farther motion meets, once, keeps the rest, and is content with a motion that keeps the thickness.
func TestExtend(t *testing.T) {
	f := DefaultFinder()
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), floor(1)})
	m := still(r3.V(0, 0, 1.2e-3), r3.V(1, 0, 0.1), r3.V(0, 1, 0.1))
	var set contact.Set
	f.Find(m, nil, &set)
	if set.Len() != 1 {
		t.Fatalf("%+v", set.Contacts)
	}
	m.X1 = slices.Clone(m.X0)
	m.X1[1].Z, m.X1[2].Z = -0.1, 1.0001e-3
	if n := f.Extend(m, nil, &set); n != 1 || set.Len() != 2 || set.Contacts[1].A != 1 {
		t.Errorf("added %d: %+v", n, set.Contacts)
	}
	if n := f.Extend(m, nil, &set); n != 0 {
		t.Errorf("added %d again", n)
	}
	if err := set.Validate(3); err != nil {
		t.Error(err)
	}
}

// A contact that holds at its node and not where the surfaces meet is tightened, by at most a thickness, and not once
// that is mended.
func TestExtendTightens(t *testing.T) {
	f := DefaultFinder()
	spike := []r3.Vec{{X: 0.4, Y: 0.3}, {X: 0.4, Y: 0.3, Z: -1}, {X: 0.5, Y: 0.3, Z: -1}}
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), {
		Surface: 1,
		Block:   contact.None,
		From:    r3.Still(),
		To:      r3.Still(),
		Tri:     [][3]int32{{0, 1, 2}},
		X0:      spike,
		X1:      spike,
	}})
	m := still(r3.V(0, 0, 1.2e-3), r3.V(1, 0, 1.2e-3), r3.V(0, 1, 1.2e-3))
	var set contact.Set
	f.Find(m, nil, &set)
	if set.Len() != 1 || set.Contacts[0].A != 1 {
		t.Fatalf("%+v", set.Contacts)
	}
	before := set.Contacts[0].Uf.X
	m.X1 = slices.Clone(m.X0)
	m.X1[0].Z, m.X1[2].Z = 0.2e-3, 0.2e-3 // the node stays; the point, of weights 0.3, 0.4, 0.3, comes down by 0.6 mm
	if n := f.Extend(m, nil, &set); n != 1 || set.Len() != 1 {
		t.Fatalf("changed %d: %+v", n, set.Contacts)
	}
	if got, want := (before-set.Contacts[0].Uf.X)*m.H, tightening*0.4e-3; math.Abs(got-want) > 1e-12 {
		t.Errorf("tightened by %g m, want %g m", got, want)
	}
	m.X1[1].Z += 2e-3
	if n := f.Extend(m, nil, &set); n != 0 {
		t.Errorf("changed %d once it holds", n)
	}
}

// Corners and edges of shapes that come up between the vertices of a cloth are met, near and on the way.
func TestSharpFeatures(t *testing.T) {
	m := one(t) // a large triangle: corners at (0,0), (1,0), (0,1)
	at := func(z float64) []r3.Vec { return []r3.Vec{{Z: z}, {X: 1, Z: z}, {Y: 1, Z: z}} }
	cone := contact.Skin{
		Surface: 1,
		Block:   contact.None,
		Field:   shape.Cone{Radius: 0.1, Height: 0.3},
		From:    r3.Translation(r3.V(0.2, 0.2, -0.3)),
	}
	ridge := contact.Skin{
		Surface: 1,
		Block:   contact.None,
		Field: shape.Placed{
			Shape: shape.Box{Half: r3.V(0.1, 0.1, 0.1)},
			Pose:  r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), math.Pi/4)},
		},
		From: r3.Translation(r3.V(0.3, 0, -0.1*math.Sqrt2)),
	}
	rim := contact.Skin{
		Surface: 1, Block: contact.None, Field: shape.Cylinder{Radius: 0.1, Half: 0.02},
		From: r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), math.Pi/2), T: r3.V(0.3, 0.3, -0.1)},
	}
	for name, o := range map[string]contact.Skin{"apex": cone, "ridge": ridge, "rim": rim} {
		o.To = o.From
		for _, c := range []struct{ from, to, gap float64 }{
			{1.2e-3, 1.2e-3, 1.2e-3},
			{-0.5e-3, -0.5e-3, -0.5e-3},
			{0.05, -0.05, 0.05},
			{0.05, 0.01, 1},
			{2e-3, 2e-3, 1},
		} {
			f := DefaultFinder()
			f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m), o})
			motion := still(at(c.from)...)
			motion.X1 = at(c.to)
			var set contact.Set
			f.Find(motion, nil, &set)
			if c.gap == 1 {
				if set.Len() != 0 {
					t.Errorf("%s: from %v to %v: %+v", name, c.from, c.to, set.Contacts)
				}
				continue
			}
			good := false
			for i := range set.Contacts {
				k := &set.Contacts[i]
				good = good || math.Abs(k.Gap-c.gap) < 1e-4 && normalOf(k).Z > 0.99
			}
			if !good {
				t.Errorf("%s: from %v to %v: %+v", name, c.from, c.to, set.Contacts)
			}
		}
	}
}

func TestCrossings(t *testing.T) {
	const none = contact.None
	m := one(t)
	tri := []r3.Vec{{}, {X: 1}, {Y: 1}}
	through := []r3.Vec{{X: 0.2, Y: 0.2, Z: -0.1}, {X: 0.2, Y: 0.2, Z: 0.1}, {X: 0.2, Y: -3, Z: 0.1}}
	away := []r3.Vec{{Z: 1}, {X: 1, Z: 1}, {Y: 1, Z: 1}}
	plate := contact.Skin{
		Surface: 5,
		Block:   contact.None,
		Tri:     [][3]int32{{0, 1, 2}},
		X0:      away,
		X1:      tri,
		Deforms: true,
		From:    r3.Still(),
		To:      r3.Still(),
	}
	below := floor(6)
	for name, c := range map[string]struct {
		obstacles []contact.Skin
		x         []r3.Vec
		count     int
		first     Crossing
	}{
		"none":   {nil, slices.Concat(tri, away), 0, Crossing{}},
		"cloths": {nil, slices.Concat(tri, through), 1, Crossing{2, 3, 0, 0, none}},
		"mesh":   {[]contact.Skin{plate}, slices.Concat(away, through), 1, Crossing{3, 5, 0, 0, none}},
		"shape":  {[]contact.Skin{below}, slices.Concat(away, through), 1, Crossing{3, 6, none, none, 0}},
	} {
		f := DefaultFinder()
		f.Begin(slices.Concat([]contact.Skin{contact.ClothSkin(2, 0, m), contact.ClothSkin(3, 3, m)}, c.obstacles))
		for range 2 {
			if got := f.Crossings(c.x); got.Count != c.count || got.First != c.first {
				t.Errorf("%s: %+v; want %d, %+v", name, got, c.count, c.first)
			}
			var set contact.Set
			f.Find(still(c.x...), nil, &set) // and again after a search
		}
	}
}

// Oracle: all pairs of triangles.
func TestCrossingsOfAllPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	f := DefaultFinder()
	for range 10 {
		cloths, m := crumpled(t, rng, 0.03, 0.001)
		mesh := ballMesh(0.04, 5)
		mesh.Surface = 9
		f.Begin(slices.Concat(cloths, []contact.Skin{mesh}))
		got := f.Crossings(m.X1)
		want := 0
		for i, u := range f.scene.moving.prim {
			for _, v := range f.scene.moving.prim[i+1:] {
				if geom.MeshTriangles(m.X1, u, v) {
					want++
				}
			}
			for _, v := range mesh.Tri {
				if geom.Triangles(
					[3]r3.Vec{m.X1[u[0]], m.X1[u[1]], m.X1[u[2]]},
					[3]r3.Vec{mesh.X1[v[0]], mesh.X1[v[1]], mesh.X1[v[2]]},
				) {
					want++
				}
			}
		}
		if got.Count != want || want < 100 || got.First.Vertex != contact.None {
			t.Errorf("%+v, want %d", got, want)
		}
	}
}

// The meshes of the tests are what they say.
func TestMeshesAreClosed(t *testing.T) {
	x, tri := boxMesh(r3.V(1, 1, 1))
	ball := ballMesh(1, 6)
	if !geom.NewMeshField(x, tri).Closed() || !geom.NewMeshField(ball.X0, ball.Tri).Closed() {
		t.Error("a box or a ball has holes")
	}
	if d, _ := geom.NewMeshField(x, tri).Distance(r3.Vec{}); d != -1 {
		t.Errorf("the middle of the box is at %v", d)
	}
	if d, _ := geom.NewMeshField(ball.X0, ball.Tri).Distance(r3.Vec{}); !(d < 0) {
		t.Errorf("the middle of the ball is at %v", d)
	}
}
