package detect

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// astray returns the motion with all ends elsewhere by less than a length, and some of them by another.
func astray(m contact.Motion, rng *rand.Rand, some, little, much float64) contact.Motion {
	m.X1 = slices.Clone(m.X1)
	for i := range m.X1 {
		size := little
		if rng.Float64() < some {
			size = much
		}
		m.X1[i] = m.X1[i].Add(r3.V(2*rng.Float64()-1, 2*rng.Float64()-1, 2*rng.Float64()-1).Scale(size))
	}
	return m
}

// Mended pairs give the answers that pairs found anew give: contacts, impacts and their order, crossings.
func TestMendedPairsAreAsGoodAsNew(t *testing.T) {
	skins, m := busy(t)
	block := len(m.X0) - 1
	skins[2].Block = int32(block)
	rng := rand.New(rand.NewPCG(5, 1))
	for _, some := range []float64{0, 2e-3, 0.02, 0.1} {
		f, fresh := DefaultFinder(), DefaultFinder()
		f.Begin(skins)
		fresh.Begin(skins)
		var set contact.Set
		f.Find(m, nil, &set)
		for round := range 4 {
			n := astray(m, rng, some, 0.05e-3, 3e-3)
			if n.X1[block] = m.X1[block]; round%2 == 1 {
				n.X1[block] = n.X1[block].Add(r3.V(0, 0, 2e-3))
			}
			f.Extend(n, nil, &set)
			var other contact.Set
			fresh.Find(n, nil, &other)
			if !slices.Equal(f.rules.found, fresh.rules.found) {
				got, want := len(f.rules.found), len(fresh.rules.found)
				t.Fatalf("%v, round %d: other candidates: %d, want %d", some, round, got, want)
			}
			got, want := f.Impacts(n.X1, 1e-5, nil), fresh.Impacts(n.X1, 1e-5, nil)
			if !slices.Equal(got, want) {
				t.Fatalf("%v, round %d: %d impacts, want %d", some, round, len(got), len(want))
			}
			if got, want := f.Crossings(n.X1), fresh.Crossings(n.X1); got != want {
				t.Fatalf("%v, round %d: crossings %+v, want %+v", some, round, got, want)
			}
			for i := 1; i < len(f.scene.selfPairs); i++ {
				if !before(f.scene.selfPairs[i-1], f.scene.selfPairs[i]) {
					t.Fatalf("%v, round %d: pairs are not in order", some, round)
				}
			}
		}
	}
}

// The pairs that are listed contain all that any motion within the slack brings within reach.
func TestNothingThatMayMeetIsLeftOut(t *testing.T) {
	skins, m := busy(t)
	rng := rand.New(rand.NewPCG(5, 2))
	f := DefaultFinder()
	f.Begin(skins)
	var set contact.Set
	f.Find(m, nil, &set)
	type name struct {
		led   int32
		i, j  int32
		edges bool
		first bool // of an obstacle
	}
	nameOf := func(k *pair) name {
		i, j := k.i, k.j
		if k.edges && k.led() == contact.None {
			i, j = min(i, j), max(i, j)
		}
		return name{k.led(), i, j, k.edges, k.p.led != contact.None}
	}
	listed := map[name]bool{}
	list := func(near []nearPair, other *side) {
		for i := range near {
			k := near[i].pair(&f.scene.moving, other)
			listed[nameOf(&k)] = true
			if k.apart != k.look(0).distance {
				t.Fatalf("%+v is %v apart, not %v", k, k.look(0).distance, k.apart)
			}
		}
	}
	list(f.scene.near, &f.scene.moving)
	for _, o := range f.scene.obstacles {
		list(o.near, &o.side)
	}
	end := astray(m, rng, 0, slack*f.Thickness, 0)
	f.scene.moving.x1 = end.X1
	reached := 0
	allPairs(&f, func(k *pair) {
		now := k.look(0)
		if now.distance < f.Reach*f.Thickness {
			reached++
		} else if now.distance > f.Thickness+k.travel() {
			return
		} else if _, hit := k.impact(f.Thickness); !hit {
			return
		}
		if !listed[nameOf(k)] {
			t.Errorf("%+v is left out, %v m apart", nameOf(k), now.distance)
		}
	})
	t.Logf("%d pairs are listed, %d are within reach at the start", len(listed), reached)
}

// What is beyond a limit by its cheap test is.
func TestBeyond(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	point := func() r3.Vec { return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()) }
	surface := connect(6, features{tri: [][3]int32{{0, 1, 2}, {3, 4, 5}}})
	told, far := 0, 0
	for range 20_000 {
		s := side{surface: &surface, led: contact.None, x0: make([]r3.Vec, 6)}
		size, offset := math.Exp(-4*rng.Float64()), point().Scale(2)
		for i := range s.x0 {
			s.x0[i] = point().Scale(size)
			if i >= 3 {
				s.x0[i] = s.x0[i].Add(offset)
			}
		}
		limit := 2 * rng.Float64()
		for _, k := range []pair{{p: &s, q: &s, i: 0, j: 1}, {p: &s, q: &s, i: 0, j: 4, edges: true}} {
			beyond, d := k.beyond(limit), k.look(0).distance
			if beyond && d <= limit {
				t.Fatalf("%+v is said to be beyond %v, and %v apart", s.x0, limit, d)
			}
			if beyond {
				told++
			}
			if d > limit {
				far++
			}
		}
	}
	if t.Logf("%d of %d are told", told, far); 2*told < far {
		t.Error("fewer than half are told")
	}
}
