package detect

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// crumpled returns two cloths, thrown about in a cube of the given size, and a motion that takes them apart and
// through each other.
func crumpled(t testing.TB, rng *rand.Rand, size, speed float64) ([]contact.Skin, contact.Motion) {
	m, _ := grid(t, 4, 0.01)
	random := func(s float64) r3.Vec {
		return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(s)
	}
	cloths := []contact.Skin{contact.ClothSkin(3, 2, m), contact.ClothSkin(1, 2+int32(m.Verts), m)}
	n := 2 + 2*m.Verts
	motion := contact.Motion{H: 0.01, Theta: 1, X0: make([]r3.Vec, n), V0: make([]r3.Vec, n), X1: make([]r3.Vec, n)}
	for i := range n {
		motion.X0[i] = random(size)
		motion.X1[i] = motion.X0[i].Add(random(speed))
	}
	return cloths, motion
}

func byID(found []candidate) []candidate {
	found = slices.Clone(found)
	slices.SortFunc(found, func(a, b candidate) int { return a.id.Compare(b.id) })
	return found
}

// bruteForce tests all pairs of features, without boxes and trees.
func bruteForce(f *Finder) []candidate {
	var c chunk
	allPairs(f, func(k *pair) { f.rules.meet(&c, k) })
	return c.found
}

// allPairs visits all pairs of features that may touch.
func allPairs(f *Finder, visit func(*pair)) {
	p := &f.scene.moving
	same := func(a, b int32) bool { return f.scene.skinOf[a] == f.scene.skinOf[b] }
	rigid := func(a, b int32) bool { return same(a, b) && f.scene.skins[f.scene.skinOf[a]].Rigid }
	for _, v := range f.scene.points {
		for i := range p.prim[:p.faces] {
			if !holds(&p.prim[i], v) && !rigid(v, p.prim[i][0]) {
				visit(&pair{p: p, q: p, i: v, j: int32(i), same: same(v, p.prim[i][0])})
			}
		}
	}
	for _, v := range f.scene.points {
		free := len(f.scene.moving.fans.Of(v)) == 0
		for i := p.faces; i < len(p.prim); i++ {
			to := p.prim[i][0]
			round := f.scene.radius(v)+f.scene.radius(to) > 0
			if twice := free && i >= p.extended && v >= to; round && !twice && !same(v, to) {
				visit(&pair{p: p, q: p, i: v, j: int32(i)})
			}
		}
	}
	for e := range p.edge {
		for g := range e {
			a, b := p.edge[g], p.edge[e]
			if a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1] && !rigid(a[0], b[0]) {
				visit(&pair{p: p, q: p, i: int32(g), j: int32(e), edges: true, same: same(a[0], b[0])})
			}
		}
	}
	for _, t := range f.scene.obstacles {
		for _, v := range f.scene.points {
			for i := range t.features.tri {
				visit(&pair{p: p, q: &t.side, i: v, j: int32(i)})
			}
		}
		for v := range t.x0 {
			for i := range p.prim {
				visit(&pair{p: &t.side, q: p, i: int32(v), j: int32(i)})
			}
		}
		for e := range p.edge {
			for g := range t.surface.edge {
				visit(&pair{p: p, q: &t.side, i: int32(e), j: int32(g), edges: true})
			}
		}
	}
}

// Oracle: all pairs. The trees must find the same candidates, to the last bit.
func TestTreesFindWhatAllPairsFind(t *testing.T) {
	for _, mapped := range []bool{false, true} {
		f := DefaultFinder()
		treesFindWhatAllPairsFind(t, &f, mapped)
	}
}

// vary gives every block a thickness of 0.1 to 3 mm, and some friction.
func vary(f *Finder, n int, rng *rand.Rand) {
	f.VertexThickness, f.VertexFriction = make([]float64, n), make([]float64, n)
	for i := range n {
		f.VertexThickness[i] = 1e-3 * (0.1 + 2.9*rng.Float64())
		f.VertexFriction[i] = rng.Float64()
	}
}

func treesFindWhatAllPairsFind(t *testing.T, f *Finder, mapped bool) {
	rng := rand.New(rand.NewPCG(5, 6))
	total := 0
	for round := range 30 {
		cloths, motion := crumpled(t, rng, 0.02+0.05*rng.Float64(), []float64{0, 1e-4, 0.002, 0.02}[round%4])
		plate, x := grid(t, 3, 0.02)
		o := contact.Skin{
			Surface: 9,
			Block:   contact.None,
			Tri:     plate.Tri,
			X0:      x,
			From:    r3.Still(),
			To:      r3.Translation(r3.V(0, 0.001, 0.01)),
		}
		for _, p := range x {
			o.X1 = append(o.X1, o.To.Apply(p))
		}
		if mapped {
			vary(f, len(motion.X0), rng)
		}
		f.Begin(slices.Concat(cloths, []contact.Skin{o}))
		var set contact.Set
		f.Find(motion, nil, &set)
		if err := set.Validate(len(motion.X0)); err != nil {
			t.Fatal(err)
		}
		got, want := byID(f.rules.found), byID(bruteForce(f))
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: %d candidates, all pairs find %d", round, len(got), len(want))
		}
		total += len(got)
		for i := 1; i < len(got); i++ {
			if got[i].id == got[i-1].id {
				t.Fatalf("round %d: %+v was found twice", round, got[i].id)
			}
		}
	}
	if total < 1000 {
		t.Errorf("only %d candidates: the test says little", total)
	}
}

// crosses samples a motion and reports whether, between two samples, the four points of a pair become coplanar
// while one of the features passes through the other.
func crosses(k *pair) bool {
	const samples = 2000
	volume := func(t float64) float64 {
		var a, b, c, d r3.Vec
		if k.edges {
			a, b = k.p.ends(k.i, t)
			c, d = k.q.ends(k.j, t)
		} else {
			a = k.p.at(k.i, t)
			b, c, d = k.q.corners(k.j, t)
		}
		return b.Sub(a).Dot(c.Sub(a).Cross(d.Sub(a)))
	}
	last := volume(0)
	for s := 1; s <= samples; s++ {
		lo, hi := float64(s-1)/samples, float64(s)/samples
		now := volume(hi)
		if (last < 0) != (now < 0) {
			for range 60 {
				if mid := (lo + hi) / 2; (volume(mid) < 0) == (last < 0) {
					lo = mid
				} else {
					hi = mid
				}
			}
			if h := k.look(lo); h.distance < 1e-12 {
				return true
			}
		}
		last = now
	}
	return false
}

// Every pair of features that goes through each other in the step must be among the candidates. Oracle: samples of
// the volume spanned by the four points.
func TestNoImpactIsMissed(t *testing.T) {
	for _, mapped := range []bool{false, true} {
		f := DefaultFinder()
		noImpactIsMissed(t, &f, mapped)
	}
}

func noImpactIsMissed(t *testing.T, f *Finder, mapped bool) {
	rng := rand.New(rand.NewPCG(7, 8))
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	total := 0
	for range rounds {
		cloths, motion := crumpled(t, rng, 0.05, 0.03)
		if mapped {
			vary(f, len(motion.X0), rng)
		}
		f.Begin(cloths)
		var set contact.Set
		f.Find(motion, nil, &set)
		found := byID(f.rules.found)
		check := func(k *pair) {
			if !crosses(k) {
				return
			}
			total++
			id, _ := f.scene.name(k)
			if _, ok := slices.BinarySearchFunc(
				found,
				id,
				func(c candidate, id contact.ID) int { return c.id.Compare(id) },
			); !ok {
				t.Errorf("missed %+v, now %+v", id, k.look(0))
			}
		}
		p := &f.scene.moving
		for _, v := range f.scene.points {
			i := int32(rng.IntN(len(p.prim)))
			for ; int(i) < len(p.prim); i += 1 + int32(rng.IntN(8)) {
				if !holds(&p.prim[i], v) {
					check(&pair{p: p, q: p, i: v, j: i})
				}
			}
		}
		for e := range p.edge {
			for g := rng.IntN(8); g < e; g += 1 + rng.IntN(16) {
				a, b := p.edge[g], p.edge[e]
				if a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1] {
					check(&pair{p: p, q: p, i: int32(g), j: int32(e), edges: true})
				}
			}
		}
	}
	if total < 30 {
		t.Errorf("only %d pairs crossed: the test says little", total)
	}
	t.Logf("%d pairs crossed", total)
}

// Normals, gaps and velocities must stay finite and frames rotations where everything coincides.
func TestDegeneratePairsHaveNormals(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	f := DefaultFinder()
	f.SelfRatio = 1e9 // so that coincident neighbours count, too
	rounds := 60
	if testing.Short() {
		rounds = 12
	}
	for round := range rounds {
		cloths, motion := crumpled(t, rng, 1, 1)
		for i := range motion.X0 {
			snap := func(x r3.Vec) r3.Vec {
				return r3.V(math.Round(x.X), math.Round(x.Y), math.Round(x.Z)).Scale(0.003 * float64(round%3))
			}
			motion.X0[i], motion.X1[i] = snap(motion.X0[i]), snap(motion.X1[i])
			if round%2 == 0 {
				motion.X1[i] = motion.X0[i]
			}
		}
		box := contact.Skin{
			Surface: 8,
			Block:   contact.None,
			Field:   shape.Box{Half: r3.V(0.003, 0.003, 0.003)},
			From:    r3.Still(),
			To:      r3.Still(),
		}
		mesh := ballMesh(0.003, 2)
		mesh.Surface = 9
		f.Begin(slices.Concat(cloths, []contact.Skin{box, mesh}))
		var set contact.Set
		f.Find(motion, nil, &set)
		if err := set.Validate(len(motion.X0)); err != nil {
			t.Fatal(err)
		}
		if set.Len() == 0 {
			t.Fatal("nothing found")
		}
	}
}

// A point on a face, and crossed edges that touch: the normal is that of the last step, or else that of the
// geometry at the start.
func TestDegenerateNormalsFollowTheStatedOrder(t *testing.T) {
	f := DefaultFinder()
	m := one(t)
	cloths := []contact.Skin{contact.ClothSkin(0, 0, m), contact.ClothSkin(1, 3, m)}
	f.Begin(cloths)
	x := []r3.Vec{{X: 0.2, Y: 0.2}, {X: 0.2, Y: 0.2, Z: 1}, {X: 0.3, Y: 0.2, Z: 1}, {}, {X: 1}, {Y: 1}}
	id := vertexOnFace(0, 0)
	normal := func(past []contact.Past) r3.Vec {
		var set contact.Set
		f.Find(still(x...), past, &set)
		i, ok := slices.BinarySearchFunc(
			set.Contacts, id, func(c contact.Contact, id contact.ID) int { return c.ID.Compare(id) },
		)
		if !ok {
			t.Fatalf("no contact %+v in %+v", id, set.Contacts)
		}
		return set.Contacts[i].Frame.MulVecT(r3.V(1, 0, 0))
	}
	if n := normal(nil); n != r3.V(0, 0, 1) {
		t.Errorf("without a past the normal is %v, want that of the face", n)
	}
	x[0].Z = -1e-7 // below a thousandth of the thickness, but on the other side
	if n := normal(nil); n != r3.V(0, 0, -1) {
		t.Errorf("the side at the start was not taken: %v", n)
	}
	want := r3.V(0.6, 0, 0.8)
	past := []contact.Past{{ID: id, Normal: want, Node: contact.None}}
	if n := normal(past); cmp.Compare(n.Sub(want).Norm(), 1e-15) > 0 {
		t.Errorf("normal %v, want that of the past %v", n, want)
	}
}

// A vertex beyond the border of a face, whose own face reaches over it, is near but no minimum of the distance. It is a
// contact only if it pushed so much in the last step that it would be an impact without.
func TestWhatPushedStays(t *testing.T) {
	f := DefaultFinder()
	m := one(t)
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m), contact.ClothSkin(1, 3, m)})
	motion := still(
		r3.V(0.5, -0.0005, 0.0005), r3.V(0.6, 1, 0.0005), r3.V(0.4, 1, 0.0005), // the upper one
		r3.V(0, 0, 0), r3.V(1, 0, 0), r3.V(0, 1, 0),
	)
	id := vertexOnFace(0, 0)
	distance := 0.0005 * math.Sqrt2
	for _, c := range []struct {
		past []contact.Past
		want bool
	}{
		{nil, false},
		{[]contact.Past{{ID: id}}, false},
		{[]contact.Past{{ID: id, Prevented: 0.85 * distance}}, false},
		{[]contact.Past{{ID: id, Prevented: 0.95 * distance}}, true},
	} {
		var set contact.Set
		f.Find(motion, c.past, &set)
		if _, found := set.Find(id, set.Len()); found != c.want {
			t.Errorf("past %+v: contact %v, want %v", c.past, found, c.want)
		}
	}
}
