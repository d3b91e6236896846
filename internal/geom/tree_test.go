package geom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Oracles: all pairs, all boxes, all distances.

func pairsByForce(a, b []r3.Box, self bool) [][2]int32 {
	var pairs [][2]int32
	for i := range a {
		for j := range b {
			if self && j <= i || a[i].Empty() || b[j].Empty() {
				continue
			}
			lo, hi := a[i].Min.Max(b[j].Min), a[i].Max.Min(b[j].Max)
			if !(r3.Box{Min: lo, Max: hi}).Empty() {
				pairs = append(pairs, [2]int32{int32(i), int32(j)})
			}
		}
	}
	return pairs
}

// boxSets draws sets of boxes with all that is awkward: few distinct coordinates, so that boxes touch,
// coincide and are flat or points; tiny and huge spreads; boxes that are switched off.
func boxSets() *rapid.Generator[[]r3.Box] {
	return rapid.Custom(func(t *rapid.T) []r3.Box {
		lattice := rapid.Bool().Draw(t, "lattice")
		scale := rapid.SampledFrom([]float64{1, 1e-300, 1e-9, 1e150}).Draw(t, "scale")
		axes := r3.V(
			rapid.SampledFrom([]float64{0, 1e-12, 1}).Draw(t, "x"),
			rapid.SampledFrom([]float64{0, 1}).Draw(t, "y"), 1)
		coordinate := rapid.Float64Range(-1, 1)
		if lattice {
			coordinate = rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) / 4 })
		}
		point := rapid.Custom(func(t *rapid.T) r3.Vec {
			return r3.V(axes.X*coordinate.Draw(t, "px"), axes.Y*coordinate.Draw(t, "py"), coordinate.Draw(t, "pz")).
				Scale(scale)
		})
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) r3.Box {
			p := point.Draw(t, "p")
			q := p
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0:
				return r3.EmptyBox()
			case 1:
				return r3.Box{Min: p, Max: p.Sub(r3.V(0, 0, scale))} // inverted: empty too
			case 2, 3: // a point
			case 4, 5: // small
				q = p.AddScaled(0.1, point.Draw(t, "q"))
			default:
				q = point.Draw(t, "q")
			}
			return r3.BoxOf([]r3.Vec{p, q})
		}), 0, 60).Draw(t, "boxes")
	})
}

func TestPairsAgainstAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := boxSets().Draw(t, "a"), boxSets().Draw(t, "b")
		var f PairFinder
		ta, tb := NewTree(a), NewTree(b)
		if got, want := f.Self(nil, ta, nil, nil), pairsByForce(a, a, true); !slices.Equal(got, want) {
			t.Fatalf("self pairs %v, want %v", got, want)
		}
		if got, want := f.Between(nil, ta, tb, nil, nil), pairsByForce(a, b, false); !slices.Equal(got, want) {
			t.Fatalf("pairs %v, want %v", got, want)
		}
		odd := func(i, j int32) bool { return (i+j)%2 == 1 }
		want := slices.DeleteFunc(pairsByForce(a, b, false), func(p [2]int32) bool { return !odd(p[0], p[1]) })
		if got := f.Between(nil, ta, tb, nil, odd); !slices.Equal(got, want) {
			t.Fatalf("filtered pairs %v, want %v", got, want)
		}
	})
}

func TestOverlappingAgainstAllBoxes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		boxes, queries := boxSets().Draw(t, "boxes"), boxSets().Draw(t, "queries")
		tree := NewTree(boxes)
		var got []int32
		for _, q := range queries {
			got = tree.Overlapping(q, got)
			var want []int32
			for _, p := range pairsByForce([]r3.Box{q}, boxes, false) {
				want = append(want, p[1])
			}
			if !slices.Equal(got, want) {
				t.Fatalf("query %v found %v, want %v", q, got, want)
			}
		}
	})
}

func TestNearestAgainstAllBoxes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		boxes := boxSets().Draw(t, "boxes")
		tree := NewTree(boxes)
		size := max(tree.Bounds().Max.MaxAbs(), 1e-300)
		if tree.Bounds().Empty() {
			size = 1
		}
		for range 5 {
			c := rapid.Float64Range(-2, 2)
			x := r3.V(c.Draw(t, "x"), c.Draw(t, "y"), c.Draw(t, "z")).Scale(size)
			within := rapid.SampledFrom([]float64{0, size / 4, size, math.Inf(1)}).Draw(t, "within")
			dist2 := func(i int32) float64 { return boxDistance2(&boxes[i], x) }
			want, least := int32(-1), math.Inf(1)
			for i := range boxes {
				if d := dist2(int32(i)); !boxes[i].Empty() && d <= within*within && d < least {
					want, least = int32(i), d
				}
			}
			if got, d2 := tree.Nearest(x, within, dist2); got != want || d2 != least {
				t.Fatalf("nearest to %v within %g is %d at %g, want %d at %g", x, within, got, d2, want, least)
			}
		}
	})
}

func randomBoxes(r *rand.Rand, n int, size float64) []r3.Box {
	boxes := make([]r3.Box, n)
	for i := range boxes {
		p := r3.V(r.Float64(), r.Float64(), r.Float64())
		boxes[i] = r3.Box{Min: p, Max: p.Add(r3.V(r.Float64(), r.Float64(), r.Float64()).Scale(size))}
	}
	return boxes
}

// TestTreeWorkersAndStructure asks for the same bits from any number of workers, from a refitted and a
// rebuilt tree, and against the oracle on sets large enough for several tasks and chunks.
func TestTreeWorkersAndStructure(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	before, after := randomBoxes(r, 6000, 0.05), randomBoxes(r, 6000, 0.05)
	want := pairsByForce(after, after, true)
	across := pairsByForce(after, before, false)
	other := NewTree(before)
	var growth float64
	for _, workers := range []int{1, 2, 8} {
		team := par.New(workers)
		team.Enter()
		tree := NewTree(before)
		tree.Refit(team, after)
		if len(tree.tasks) < 2 {
			t.Fatal("too few tasks to tell")
		}
		var f PairFinder
		if got := f.Self(team, tree, nil, nil); !slices.Equal(got, want) {
			t.Errorf("%d workers, refitted: %d pairs, want %d", workers, len(got), len(want))
		}
		if got := f.Between(team, tree, other, nil, nil); !slices.Equal(got, across) {
			t.Errorf("%d workers: %d pairs across, want %d", workers, len(got), len(across))
		}
		if g := tree.Growth(); workers == 1 {
			growth = g
		} else if g != growth {
			t.Errorf("growth %v at %d workers, %v at one", g, workers, growth)
		}
		if !tree.Update(team, after, 2) {
			t.Error("a shuffled tree was kept")
		}
		if tree.Growth() != 1 {
			t.Error("growth of a new tree is not 1")
		}
		if got := f.Self(team, tree, nil, nil); !slices.Equal(got, want) {
			t.Errorf("%d workers, rebuilt: %d pairs, want %d", workers, len(got), len(want))
		}
		team.Leave()
	}
	// Boxes placed at random in a tree made for others have nodes as large as the whole.
	if growth < 4 {
		t.Errorf("growth %g after a shuffle", growth)
	}
}

// TestTreeInvariants checks every node's box, and that nodes, leaves and tasks cover what they should.
func TestTreeInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		boxes := boxSets().Draw(t, "boxes")
		tree := NewTree(boxes)
		places := make([]int, len(boxes))
		for i, n := range tree.nodes {
			want := r3.EmptyBox()
			for k := i; k < int(n.skip); k++ {
				leaf := tree.nodes[k]
				for _, p := range tree.prim[leaf.first : leaf.first+leaf.count] {
					if k == i {
						places[p]++
					}
					if !boxes[p].Empty() {
						want = want.Union(boxes[p])
					}
				}
			}
			if n.box != want {
				t.Fatalf("node %d: box %v, want %v", i, n.box, want)
			}
		}
		for p, count := range places {
			if count != 1 {
				t.Fatalf("primitive %d is in %d leaves", p, count)
			}
		}
	})
}

func TestTreeOfCoincidentBoxes(t *testing.T) {
	boxes := make([]r3.Box, 1000)
	tree := NewTree(boxes) // a thousand points at the origin
	var f PairFinder
	if got := len(f.Self(nil, tree, nil, nil)); got != 1000*999/2 {
		t.Errorf("%d pairs", got)
	}
	if i, d2 := tree.Nearest(r3.V(1, 0, 0), 2, func(int32) float64 { return 1 }); i != 0 || d2 != 1 {
		t.Errorf("nearest %d at %g, want the first at 1", i, d2)
	}
	if i, _ := tree.Nearest(r3.V(1, 0, 0), 2, func(int32) float64 { return math.NaN() }); i != -1 {
		t.Errorf("NaN distances found %d", i)
	}
	if i, _ := tree.Nearest(r3.V(math.NaN(), 0, 0), 2, func(int32) float64 { return 1 }); i != -1 {
		t.Errorf("NaN point found %d", i)
	}
}

func TestTreeRejectsBoxesThatAreNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for side := range 6 {
			boxes := make([]r3.Box, 9)
			tree := NewTree(boxes)
			b := &boxes[7]
			*[]*float64{&b.Min.X, &b.Min.Y, &b.Min.Z, &b.Max.X, &b.Max.Y, &b.Max.Z}[side] = bad
			if b.Empty() {
				continue
			}
			for name, do := range map[string]func(){
				"build": func() { NewTree(boxes) },
				"refit": func() { tree.Refit(nil, boxes) },
			} {
				func() {
					defer func() {
						if r := recover(); r == nil {
							t.Errorf("%s accepted %v", name, *b)
						} else if want := fmt.Sprintf("geom: box 7 is not finite: %v", *b); r != want {
							t.Errorf("%s: %q, want %q", name, r, want)
						}
					}()
					do()
				}()
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a refit to fewer boxes was accepted")
		}
	}()
	NewTree(make([]r3.Box, 3)).Refit(nil, make([]r3.Box, 2))
}

func TestTreeSteadyStateAllocatesNothing(t *testing.T) {
	boxes := sheetBoxes(5000)
	tree, team := NewTree(boxes), par.New(2)
	team.Enter()
	defer team.Leave()
	var f PairFinder
	var pairs [][2]int32
	var found []int32
	distance := func(i int32) float64 { return boxDistance2(&boxes[i], r3.Vec{}) }
	all := func() {
		tree.Update(team, boxes, 2)
		pairs = f.Self(team, tree, pairs, nil)
		pairs = f.Between(team, tree, tree, pairs, nil)
		found = tree.Overlapping(boxes[0], found)
		tree.Nearest(r3.Vec{}, 1, distance)
		tree.Rebuild(boxes)
	}
	all()
	if n := testing.AllocsPerRun(10, all); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
