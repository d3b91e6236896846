package untangle_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// piece returns a sheet of the given size, bent by a map.
func piece(sizeX, sizeY float64, cellsX, cellsY int, bend func(p r3.Vec) r3.Vec) untangle.Surface {
	m, x := shape.Grid(sizeX, sizeY, cellsX, cellsY)
	for i := range x {
		x[i] = bend(x[i])
	}
	return sheet(0, m.Tri, x)
}

func still(p r3.Vec) r3.Vec { return p }

// bump pushes a round part of a sheet down.
func bump(at r3.Vec, radius, depth float64) func(p r3.Vec) r3.Vec {
	return func(p r3.Vec) r3.Vec {
		d := p.Sub(at)
		d.Z = 0
		p.Z -= depth * math.Exp(-d.Norm2()/(radius*radius))
		return p
	}
}

// hairpin folds a sheet at x = crease around a bend of the given radius, so that its end comes to lie over it, and
// drops the end by slope from there on.
func hairpin(crease, radius, slope float64) func(p r3.Vec) r3.Vec {
	return func(p r3.Vec) r3.Vec {
		s := p.X - crease
		switch {
		case s <= 0:
			return p
		case s < math.Pi*radius:
			a := s / radius
			return r3.V(crease+radius*math.Sin(a), p.Y, radius*(1-math.Cos(a)))
		}
		s -= math.Pi * radius
		return r3.V(crease-s, p.Y, 2*radius-slope*s)
	}
}

func mustUndo(t *testing.T, sheets ...untangle.Surface) untangle.ContourStats {
	t.Helper()
	before := crossings(sheets, nil)
	stats := untangle.Contours(sheets, nil, untangle.DefaultContourOptions())
	t.Logf("%+v", stats)
	if after := crossings(sheets, nil); stats.Before != before || stats.After != after || before == 0 || after != 0 {
		t.Errorf("%d crossings became %d: %+v", before, after, stats)
	}
	return stats
}

func TestBumpIsDrawnBack(t *testing.T) {
	mustUndo(t,
		piece(0.3, 0.3, 20, 20, still),
		piece(0.3, 0.3, 21, 21, func(p r3.Vec) r3.Vec { p.Z += 0.01; return bump(r3.V(0.15, 0.15, 0), 0.05, 0.03)(p) }))
}

func TestCornerIsDrawnBack(t *testing.T) {
	mustUndo(t,
		piece(0.3, 0.3, 20, 20, still),
		piece(0.3, 0.3, 21, 21, func(p r3.Vec) r3.Vec { return r3.V(p.X+0.12, p.Y+0.12, 0.35*(p.X+p.Y)-0.03) }))
}

func TestFoldThroughItselfIsDrawnBack(t *testing.T) {
	mustUndo(t, piece(0.3, 0.1, 40, 13, hairpin(0.18, 0.012, 0.32)))
}

// tangle returns sheets with 1 to about 200 crossings.
func tangle(seed uint64) []untangle.Surface {
	rng := rand.New(rand.NewPCG(seed, 3))
	between := func(lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }
	n := 10 + rng.IntN(12)
	jitter := func(s untangle.Surface) untangle.Surface {
		for i := range s.X {
			s.X[i] = s.X[i].Add(r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Scale(0.001))
		}
		return s
	}
	base := jitter(piece(0.3, 0.3, n, n, still))
	switch rng.IntN(4) {
	case 0: // one or two bumps through a sheet
		first := bump(r3.V(between(0.05, 0.25), between(0.05, 0.25), 0), between(0.03, 0.07), between(0.012, 0.05))
		second := bump(r3.V(between(0.05, 0.25), between(0.05, 0.25), 0), between(0.03, 0.07), between(0, 0.04))
		return []untangle.Surface{
			base,
			jitter(piece(0.3, 0.3, n+1, n+2, func(p r3.Vec) r3.Vec { p.Z += 0.01; return second(first(p)) })),
		}
	case 1: // a corner through a sheet
		slope, shift, drop := between(0.2, 0.8), between(0.05, 0.2), between(0.01, 0.04)
		return []untangle.Surface{
			base,
			jitter(
				piece(
					0.2,
					0.2,
					n,
					n,
					func(p r3.Vec) r3.Vec { return r3.V(p.X+shift, p.Y+shift, slope*(p.X+p.Y)-drop) },
				),
			),
		}
	case 2: // a strip whose end goes through itself
		return []untangle.Surface{
			jitter(
				piece(
					0.3,
					between(0.04, 0.1),
					3*n,
					n/2,
					hairpin(between(0.15, 0.2), between(0.01, 0.015), between(0.3, 0.45)),
				),
			),
		}
	}
	// an edge dipped into a sheet
	slope, drop, shift := between(0.15, 0.6), between(0.005, 0.025), between(-0.1, 0.1)
	return []untangle.Surface{
		base,
		jitter(piece(0.2, 0.15, n, n, func(p r3.Vec) r3.Vec { return r3.V(p.X+0.1, p.Y+shift+0.08, slope*p.X-drop) })),
	}
}

func TestRandomTanglesAreUndone(t *testing.T) {
	count := 100
	if testing.Short() {
		count = 10
	}
	undone, rounds, most, least := 0, 0, 0, math.MaxInt
	var left []string
	for seed, done := uint64(0), 0; done < count; seed++ {
		sheets := tangle(seed)
		n := crossings(sheets, nil)
		if n == 0 || n > 200 {
			continue
		}
		done++
		most, least = max(most, n), min(least, n)
		stats := untangle.Contours(sheets, nil, untangle.DefaultContourOptions())
		if stats.LengthAfter > stats.LengthBefore {
			t.Errorf("tangle %d became worse: %+v", seed, stats)
		}
		if crossings(sheets, nil) == 0 {
			undone++
			rounds += stats.Iterations
		} else {
			left = append(left, fmt.Sprintf("%d: %d to %d in %d", seed, stats.Before, stats.After, stats.Iterations))
		}
	}
	t.Logf(
		"%d of %d tangles of %d to %d crossings are undone, in %.1f iterations on average",
		undone,
		count,
		least,
		most,
		float64(rounds)/float64(max(1, undone)),
	)
	if 100*undone < 95*count {
		t.Errorf("left: %q", left)
	}
}

func TestContoursDoNotDependOnWorkers(t *testing.T) {
	var first []untangle.Surface
	for _, workers := range []int{1, 2, 8} {
		sheets := tangle(4)
		opt := untangle.DefaultContourOptions()
		opt.Team = par.New(workers)
		untangle.Contours(sheets, nil, opt)
		if first == nil {
			first = sheets
		}
		for i := range sheets {
			if !slices.Equal(sheets[i].X, first[i].X) {
				t.Errorf("%d workers give other positions of sheet %d than one", workers, i)
			}
		}
	}
}
