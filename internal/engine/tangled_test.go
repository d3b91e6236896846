package engine

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// patch adds a sheet of the given size whose vertices a map puts in place.
func (w *World) patch(name string, sizeX, sizeY float64, cellsX, cellsY int, bend func(p r3.Vec) r3.Vec) ClothID {
	m, x := shape.Grid(sizeX, sizeY, cellsX, cellsY)
	for i := range x {
		x[i] = bend(x[i])
	}
	return must(w.AddCloth(DefaultCloth(name, m, x, testFabric())))
}

// tangledWorld returns a world of one or two sheets that start with some crossings, falling freely or lying on a floor.
func tangledWorld(seed uint64, workers int) *World {
	rng := rand.New(rand.NewPCG(seed, 5))
	between := func(lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }
	opt := DefaultOptions()
	opt.Workers = workers
	if rng.IntN(2) == 0 {
		opt.Gravity = r3.Vec{}
	}
	w := must(New(opt))
	n := 3 + rng.IntN(32)
	shaken := func(bend func(p r3.Vec) r3.Vec) func(p r3.Vec) r3.Vec {
		return func(p r3.Vec) r3.Vec {
			return bend(p).Add(r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Scale(0.001))
		}
	}
	flat := func() { w.patch("base", 0.3, 0.3, n, n, shaken(func(p r3.Vec) r3.Vec { return p })) }
	switch rng.IntN(4) {
	case 0: // a bump through a sheet
		at, radius, depth := r3.V(
			between(0.05, 0.25),
			between(0.05, 0.25),
			0,
		), between(
			0.03,
			0.07,
		), between(
			0.0105,
			0.05,
		)
		flat()
		w.patch("bumped", 0.3, 0.3, n+1, n+2, shaken(func(p r3.Vec) r3.Vec {
			d := p.Sub(at)
			return r3.V(p.X, p.Y, 0.01-depth*math.Exp(-d.Norm2()/(radius*radius)))
		}))
	case 1: // a corner through a sheet
		slope, shift, drop := between(0.2, 0.8), between(0.05, 0.2), between(0.002, 0.04)
		one := rng.IntN(2) == 0 // a corner of one triangle, or one of two
		flat()
		w.patch("corner", 0.2, 0.2, n, n, shaken(func(p r3.Vec) r3.Vec {
			if one {
				return r3.V(p.X+shift, p.Y+shift-0.1, slope*(p.X+0.2-p.Y)-drop)
			}
			return r3.V(p.X+shift, p.Y+shift, slope*(p.X+p.Y)-drop)
		}))
	case 2: // a strip whose end goes through itself
		crease, radius, slope := between(0.15, 0.2), between(0.01, 0.015), between(0.3, 0.45)
		w.patch("strip", 0.3, between(0.04, 0.1), 3*n, n/2, shaken(func(p r3.Vec) r3.Vec {
			s := p.X - crease
			switch {
			case s <= 0:
				return p
			case s < math.Pi*radius:
				return r3.V(crease+radius*math.Sin(s/radius), p.Y, radius*(1-math.Cos(s/radius)))
			}
			s -= math.Pi * radius
			return r3.V(crease-s, p.Y, 2*radius-slope*s)
		}))
	default: // an edge dipped into a sheet
		slope, drop, shift := between(0.15, 0.6), between(0.001, 0.025), between(-0.1, 0.1)
		flat()
		w.patch(
			"dipped",
			0.2,
			0.15,
			n,
			n,
			shaken(func(p r3.Vec) r3.Vec { return r3.V(p.X+0.1, p.Y+shift+0.08, slope*p.X-drop) }),
		)
	}
	if opt.Gravity != (r3.Vec{}) {
		must(w.AddObstacle(Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: lifted(-0.06)}))
	}
	return w
}

// TestTangledStartsComeApart: worlds that start with 1 to 200 crossings lose them, and none of them fails.
func TestTangledStartsComeApart(t *testing.T) {
	worlds, limit := 120, 150
	if testing.Short() {
		worlds = 4
	}
	undone, taken, slowest, fewest, largest := 0, 0, 0, 200, 0
	sizes := []int{10, 50, 100, 200}           // classes of tangles, by crossings
	lengths := []int{1, 2, 3, 4, 8, 16, limit} // and by the steps that they took
	table := make([][]int, len(sizes))         // undone, by both
	of := func(classes []int, x int) int {
		return slices.IndexFunc(classes, func(most int) bool { return x <= most })
	}
	for i := range table {
		table[i] = make([]int, len(lengths))
	}
	for seed, done := uint64(0), 0; done < worlds; seed++ {
		w := tangledWorld(seed, 1)
		first, _ := w.Crossings()
		if first == 0 || first > 200 {
			continue
		}
		done++
		fewest, largest = min(fewest, first), max(largest, first)
		count, steps, most := first, 0, first
		for count > 0 && steps < limit {
			must(0, w.Advance(4e-3, 4e-3, func(s Stats) {
				steps++
				count = s.Crossings
				most = max(most, count)
				if !(s.MaxSpeed < 20) {
					t.Errorf("seed %d, step %d: %g m/s", seed, s.Step, s.MaxSpeed)
				}
			}))
		}
		if count > 0 {
			t.Logf("seed %d: %d of %d crossings left", seed, count, first)
			continue
		}
		if most > first {
			t.Logf("seed %d: %d crossings at first, %d at most, %d steps", seed, first, most, steps)
		}
		undone++
		table[of(sizes, first)][of(lengths, steps)]++
		taken += steps
		slowest = max(slowest, steps)
	}
	t.Logf(
		"%d of %d tangles of %d to %d crossings came apart, in %.1f steps on average and %d at most",
		undone,
		worlds,
		fewest,
		largest,
		float64(taken)/float64(max(1, undone)),
		slowest,
	)
	for i, row := range table {
		t.Logf("up to %d crossings: undone within %v steps: %v", sizes[i], lengths, row)
	}
	if !testing.Short() && (fewest > 2 || largest < 180) {
		t.Error("tangles are not of 1 to 200 crossings")
	}
	if 100*undone < 95*worlds {
		t.Error("too few came apart")
	}
}

// TestUntanglingDoesNotDependOnWorkers: the same bits with 1, 2 and 8, and after a snapshot is restored in the midst of
// it.
func TestUntanglingDoesNotDependOnWorkers(t *testing.T) {
	var want Hash
	for i, workers := range []int{1, 2, 8, 1} {
		w, moved := tangledWorld(1, workers), 0
		for step := range 8 {
			moved += must(w.Step(4e-3)).Untangling.Blocks
			if i == 3 && step == 3 {
				must(0, w.Restore(w.Snapshot()))
			}
		}
		got := w.Snapshot().Hash()
		if i == 0 {
			want = got
		}
		if got != want || moved == 0 {
			t.Errorf("%v with %d workers, %v with one; %d vertices were moved", got, workers, want, moved)
		}
	}
}

// TestUntanglingKeepsMomentum: what moves vertices and slows them down does not push the sheets as a whole.
func TestUntanglingKeepsMomentum(t *testing.T) {
	w := must(New(DefaultOptions()))
	w.opt.Gravity = r3.Vec{}
	w.flat(0.2, 8, r3.Still(), r3.V(0, 0, 0.5))
	w.flat(0.2, 9, r3.Pose{R: r3.Rotation(r3.V(1, 0.3, 0), 0.5), T: r3.V(0.02, 0.12, 0.03)}, r3.V(0, 0, -0.5))
	momentum := func() (p r3.Vec) {
		for i, v := range w.vel {
			p = p.AddScaled(w.mass[i], v)
		}
		return p
	}
	before, moved := momentum(), 0
	for range 5 {
		moved += must(w.Step(4e-3)).Untangling.Blocks
	}
	total := 0.0
	for _, m := range w.mass {
		total += m
	}
	if got := momentum().Sub(before).Norm() / total; moved == 0 || got > 1e-7 {
		t.Errorf("the mean velocity changed by %g m/s; %d vertices were moved", got, moved)
	}
}
