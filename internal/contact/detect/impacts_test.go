package detect

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// allImpacts is Impacts without boxes and trees, in another order.
func allImpacts(f *Finder) []contact.Impact {
	var c chunk
	allPairs(f, func(k *pair) { f.guard.through(&c, k) })
	return c.impacts
}

// TestImpactsAreThoseOfAllPairs: trees leave nothing out, and nothing comes up twice.
func TestImpactsAreThoseOfAllPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	total := 0
	for range 20 {
		f := DefaultFinder()
		f.Team = par.New(2)
		cloths, m := crumpled(t, rng, 0.02, 0.01)
		pos, tri := boxMesh(r3.V(0.01, 0.01, 0.01))
		turned := r3.Pose{R: r3.Rotation(r3.V(1, 2, 3), 0.3), T: r3.V(0.003, 0, 0)}
		box := moved(contact.Skin{Surface: 5, Block: contact.None, Tri: tri, X0: pos, X1: pos}, turned)
		f.Begin(slices.Concat(cloths, []contact.Skin{box}))
		var set contact.Set
		f.Find(m, nil, &set)
		got := map[contact.Impact]int{}
		for _, p := range f.Impacts(m.X1, 1e-5, nil) {
			got[p]++
		}
		for _, p := range allImpacts(&f) {
			total++
			got[p]--
		}
		for p, n := range got {
			if n != 0 {
				t.Fatalf("%+v came up %d times too often", p, n)
			}
		}
	}
	t.Logf("%d impacts", total)
}

// gentle returns a folded cloth over a ball and a box, and a motion of the given size.
func gentle(t *testing.T, rng *rand.Rand, size float64) (*Finder, contact.Motion) {
	mesh, x := folded(t, 12, 3e-3)
	f := DefaultFinder()
	pos, tri := boxMesh(r3.V(0.02, 0.02, 0.02))
	low := r3.BoxOf(x)
	under := r3.Translation(r3.V(low.Center().X, low.Center().Y, low.Min.Z-0.025))
	o := contact.Skin{
		Surface: 5,
		Block:   contact.None,
		Tri:     tri,
		X0:      make([]r3.Vec, len(pos)),
		X1:      make([]r3.Vec, len(pos)),
		Deforms: true,
	}
	for i := range pos {
		o.X0[i] = under.Apply(pos[i])
		o.X1[i] = o.X0[i].Add(r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(size))
	}
	ballUnder := ball(0.02)
	ballUnder.From = r3.Translation(r3.V(low.Min.X-0.025, low.Center().Y, low.Center().Z))
	ballUnder.To = r3.Translation(ballUnder.From.T.Add(r3.V(rng.NormFloat64(), 0, 0).Scale(size)))
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, mesh), o, ballUnder})
	m := falling(x, 1e-3)
	for i := range m.X1 {
		m.X1[i] = m.X0[i].Add(r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(size))
	}
	return &f, m
}

// TestMotionsWithoutImpactsDoNotCross: a motion in which nothing meets ends without a crossing, and one that ends with
// new crossings meets something.
func TestMotionsWithoutImpactsDoNotCross(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var free, met, crossed int
	for range 150 {
		f, m := gentle(t, rng, 1e-3*math.Exp(1.5*rng.NormFloat64()))
		var set contact.Set
		f.Find(m, nil, &set)
		f.Crossings(m.X1)
		if n := f.Tangled(); n > 0 {
			t.Fatalf("%d crossings at the start", n)
		}
		impacts, fresh := f.Impacts(m.X1, 1e-6, nil), f.Fresh(m.X1, nil)
		if n := f.Crossings(m.X1).Count; n != len(fresh) {
			t.Fatalf("%d crossings, of which %d are new, and the start has none", n, len(fresh))
		}
		switch {
		case len(impacts) == 0 && len(fresh) > 0:
			t.Fatalf("nothing meets and %d cross", len(fresh))
		case len(impacts) == 0:
			free++
		default:
			met++
		}
		if len(fresh) > 0 {
			crossed++
		}
	}
	t.Logf("%d motions are free, in %d something meets, and %d end crossed", free, met, crossed)
	if free < 20 || crossed < 20 {
		t.Errorf("%d motions are free, in %d something meets, and %d end crossed", free, met, crossed)
	}
}

// TestImpactGapIsLinear: the gap of an impact at the start and at the end are those of the points that meet, and it is
// violated where they go through.
func TestImpactGapIsLinear(t *testing.T) {
	f := DefaultFinder()
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), floor(1)})
	m := still(r3.V(0, 0, 0.01), r3.V(1, 0, 0.01), r3.V(0, 1, 0.01))
	m.X1 = []r3.Vec{r3.V(0, 0, -0.01), r3.V(1, 0, 0.02), r3.V(0, 1, 0.01)}
	var set contact.Set
	f.Find(m, nil, &set)
	impacts := f.Impacts(m.X1, 1e-4, nil)
	if len(impacts) != 1 {
		t.Fatalf("%d impacts", len(impacts))
	}
	p := &impacts[0]
	if p.Normal.Sub(r3.V(0, 0, 1)).Norm() > 1e-12 || math.Abs(p.Gap(m.X0)-0.01) > 1e-12 ||
		math.Abs(p.Gap(m.X1)+0.01) > 1e-12 ||
		p.Time > 0.5 ||
		p.Time < 0.49 {
		t.Errorf("%+v: gap %g at the start and %g at the end", p, p.Gap(m.X0), p.Gap(m.X1))
	}
}
