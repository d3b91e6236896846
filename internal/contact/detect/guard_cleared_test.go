package detect

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// parted is a scene without crossings: a folded cloth above a flat one, above a ball that comes up through it.
func parted(t testing.TB) ([]contact.Skin, contact.Motion) {
	a, x := folded(t, 24, 1.3e-3)
	b, y := grid(t, 24, 1.0/24)
	for i := range y {
		y[i].Z = -1.5e-3
	}
	all := slices.Concat(x, y)
	ball := ballMesh(0.25, 16)
	ball.Surface = 2
	for i := range ball.X0 {
		ball.X0[i] = ball.X0[i].Add(r3.V(0.5, 0.5, -0.253))
	}
	ball = moved(ball, r3.Translation(r3.V(0, 0, 2e-3)))
	return []contact.Skin{contact.ClothSkin(0, 0, a), contact.ClothSkin(1, int32(len(x)), b), ball}, falling(all, 5e-3)
}

// atRest returns skins whose obstacles stay where they are at the start.
func atRest(skins []contact.Skin) []contact.Skin {
	skins = slices.Clone(skins)
	for i := range skins {
		skins[i].X1, skins[i].To = skins[i].X0, skins[i].From
	}
	return skins
}

// From a start that was counted clear, the count that asks hot primitives alone is that of all: of motions that cross
// nothing, little, and nearly everything.
func TestHotPrimitivesAreAllThatCross(t *testing.T) {
	skins, m := parted(t)
	rng := rand.New(rand.NewPCG(6, 1))
	f, fresh := DefaultFinder(), DefaultFinder()
	f.Begin(atRest(skins))
	if n := f.Crossings(m.X0); n.Count > 0 {
		t.Fatalf("the start is crossed: %+v", n)
	}
	f.Begin(skins)
	fresh.Begin(skins)
	var set contact.Set
	f.Find(m, nil, &set)
	fresh.Find(m, nil, &set)
	if !f.scene.clear || fresh.scene.clear {
		t.Fatal("it is not known that the start is clear, or without having been counted")
	}
	crossed := 0
	for round, much := range []float64{0, 1e-4, 1e-3, 3e-3, 1e-2, 3e-2} {
		n := astray(m, rng, 0.1, 0.1*much, much)
		got, want := f.Crossings(n.X1), fresh.Crossings(n.X1)
		if got != want {
			t.Errorf("round %d: %+v, want %+v", round, got, want)
		}
		crossed += want.Count
		f.scene.cleared.none = false // what was counted clear is the start, not this end
	}
	if crossed == 0 {
		t.Error("nothing ever crossed")
	}
}

// A start is known to be clear only if it is, to the bit, where the last count was, and that found nothing.
func TestStartsClear(t *testing.T) {
	skins, m := parted(t)
	rest := atRest(skins)
	var set contact.Set
	begin := func(f *Finder, x []r3.Vec, skins []contact.Skin) bool {
		n := m
		n.X0 = x
		f.Begin(skins)
		f.Find(n, nil, &set)
		return f.scene.clear
	}
	counted := func() *Finder {
		f := DefaultFinder()
		f.Begin(rest)
		f.Crossings(m.X0)
		return &f
	}
	if !begin(counted(), m.X0, skins) {
		t.Error("a start that was counted is not known")
	}
	elsewhere := slices.Clone(m.X0)
	elsewhere[7].X += 1e-12
	if begin(counted(), elsewhere, skins) {
		t.Error("a point has moved")
	}
	other := slices.Clone(skins)
	other[2].X0 = slices.Clone(other[2].X0)
	other[2].X0[3].Z += 1e-12
	if begin(counted(), m.X0, other) {
		t.Error("an obstacle has moved")
	}
	other = slices.Clone(skins)
	other[0].Tri = slices.Clone(other[0].Tri)
	if begin(counted(), m.X0, other) {
		t.Error("features have changed")
	}
	f := counted()
	f.Begin(rest)
	through := slices.Clone(m.X0)
	through[len(through)/4].Z -= 0.01
	if f.Crossings(through).Count == 0 {
		t.Fatal("nothing crosses")
	}
	if begin(f, through, skins) {
		t.Error("the start is crossed")
	}
}

// A triangle without area goes through another and crosses nothing, until it opens.
func TestTriangleThatOpens(t *testing.T) {
	tri := [][3]int32{{0, 1, 2}, {3, 4, 5}}
	skin := contact.Skin{Tri: tri, Points: 6, Rest: constantRest(1)}
	x := []r3.Vec{
		r3.V(-1, -1, 0), r3.V(1, -1, 0), r3.V(0, 1, 0),
		r3.V(0, 0, -1), r3.V(0, 0, 1), r3.V(0, 0, 0.5),
	}
	f := DefaultFinder()
	f.Begin([]contact.Skin{skin})
	if n := f.Crossings(x); n.Count != 0 {
		t.Fatalf("%+v at the start", n)
	}
	open := slices.Clone(x)
	open[5] = r3.V(0.1, 0, 0.5)
	f.Begin([]contact.Skin{skin})
	var set contact.Set
	f.Find(contact.Motion{H: 1e-3, Theta: 1, X0: x, X1: open, V0: make([]r3.Vec, 6)}, nil, &set)
	if n := f.Crossings(open); n.Count != 1 || !f.scene.clear {
		t.Errorf("%+v at the end", n)
	}
}

type constantRest float64

func (r constantRest) RestLength(int, int) float64 { return float64(r) }
