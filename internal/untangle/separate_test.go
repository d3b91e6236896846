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

const thickness = 1e-3

func sheet(layer int, tri [][3]int32, x []r3.Vec) untangle.Surface {
	return untangle.Surface{Tri: tri, X: x, Layer: layer, Thickness: thickness}
}

func flat(layer int, cells int, height func(x, y float64) float64) untangle.Surface {
	m, x := shape.Grid(0.3, 0.3, cells, cells)
	for i := range x {
		x[i].Z = height(x[i].X, x[i].Y)
	}
	return sheet(layer, m.Tri, x)
}

// tube returns a tube whose radius depends on angle and height.
func tube(layer int, around, along int, radius func(angle, z float64) float64) untangle.Surface {
	m, x := shape.Tube(0.1, 0.4, around, along)
	for i := range x {
		a := math.Atan2(x[i].Y, x[i].X)
		r := radius(a, x[i].Z)
		x[i].X, x[i].Y = r*math.Cos(a), r*math.Sin(a)
	}
	return sheet(layer, m.Tri, x)
}

func crossings(sheets []untangle.Surface, bodies []untangle.Body) int {
	n := 0
	for _, t := range untangle.Count(sheets, bodies, nil) {
		n += t.Count
	}
	return n
}

// mustSeparate separates and fails unless nothing crosses any more.
func mustSeparate(t *testing.T, sheets []untangle.Surface, bodies []untangle.Body) untangle.Stats {
	t.Helper()
	before := crossings(sheets, bodies)
	stats := untangle.Separate(sheets, bodies, untangle.DefaultOptions())
	after := crossings(sheets, bodies)
	if stats.Before+stats.OtherBefore != before || stats.After+stats.OtherAfter != after {
		t.Errorf("stats %+v, but there were %d crossings and are %d", stats, before, after)
	}
	if before == 0 {
		t.Errorf("nothing crossed at the start")
	}
	if after != 0 {
		t.Errorf("%d of %d crossings are left: %+v", after, before, stats)
	}
	t.Logf("%+v", stats)
	return stats
}

func TestFlatSheetsComeApart(t *testing.T) {
	mustSeparate(t, []untangle.Surface{
		flat(1, 20, func(x, y float64) float64 { return 0.02*(x-0.15) + 0.001*math.Sin(40*y) }),
		flat(2, 23, func(x, y float64) float64 { return 0 }),
	}, nil)
}

func TestTubesInWavesComeApart(t *testing.T) {
	stats := mustSeparate(t, []untangle.Surface{
		tube(1, 60, 40, func(a, z float64) float64 { return 0.105 + 0.01*math.Sin(5*a)*math.Cos(30*z) }),
		tube(2, 55, 37, func(a, z float64) float64 { return 0.1 + 0.008*math.Cos(7*a+20*z) }),
	}, nil)
	if stats.Before < 500 {
		t.Errorf("only %d crossings to begin with", stats.Before)
	}
}

func capsule() untangle.Body {
	x, tri := shape.Capsule{Radius: 0.1, Half: 0.25}.Mesh(12)
	return untangle.Body{Tri: tri, X: x}
}

func TestThreeLayersOnABody(t *testing.T) {
	for name, body := range map[string]untangle.Body{
		"mesh": capsule(), "shape": {Field: shape.Capsule{Radius: 0.1, Half: 0.25}},
	} {
		t.Run(name, func(t *testing.T) {
			sheets := []untangle.Surface{
				tube(1, 50, 35, func(a, z float64) float64 { return 0.1 + 0.015*math.Sin(3*a+10*z) }),
				tube(2, 47, 31, func(a, z float64) float64 { return 0.1 + 0.02*math.Cos(2*a-15*z) }),
				tube(3, 55, 37, func(a, z float64) float64 { return 0.095 + 0.01*math.Cos(4*a+5*z) }),
			}
			mustSeparate(t, sheets, []untangle.Body{body})
			last := 0.1
			for _, s := range sheets {
				mean := 0.0
				for _, x := range s.X {
					mean += math.Hypot(x.X, x.Y) / float64(len(s.X))
				}
				if mean < last {
					t.Errorf("layer %d has a mean radius of %.4g m, inside of %.4g m", s.Layer, mean, last)
				}
				last = mean
			}
		})
	}
}

// overlap returns a random set of tubes, or of flat sheets, that overlap by at most depth.
func overlap(seed uint64) ([]untangle.Surface, []untangle.Body) {
	rng := rand.New(rand.NewPCG(seed, 7))
	depth := 0.002 + 0.048*rng.Float64()
	type mode struct{ p, q, phase, size float64 }
	bumps := func(count int) func(a, z float64) float64 {
		modes := make([]mode, count)
		for i := range modes {
			modes[i] = mode{
				float64(rng.IntN(7)),
				60 * (rng.Float64() - 0.5),
				7 * rng.Float64(),
				depth / float64(2*count),
			}
		}
		return func(a, z float64) float64 {
			sum := 0.0
			for _, m := range modes {
				sum += m.size * math.Sin(m.p*a+m.q*z+m.phase)
			}
			return sum
		}
	}
	var bodies []untangle.Body
	if rng.IntN(2) == 0 {
		bodies = append(bodies, capsule())
	}
	layers := 2 + rng.IntN(2)
	jitter, apart := 0.002*rng.Float64(), 1.3*depth*rng.Float64()
	var sheets []untangle.Surface
	round := bodies != nil || rng.IntN(2) == 0
	for k := range layers {
		f := bumps(1 + rng.IntN(3))
		n := 10 + rng.IntN(16)
		var s untangle.Surface
		if round {
			s = tube(k+1, n+10, n, func(a, z float64) float64 { return 0.1 + apart*float64(k) + f(a, z) })
		} else {
			s = flat(k+1, n, func(x, y float64) float64 { return apart*float64(k) + f(10*x, y) })
		}
		for i := range s.X {
			s.X[i] = s.X[i].Add(r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Scale(jitter))
		}
		sheets = append(sheets, s)
	}
	return sheets, bodies
}

func TestRandomOverlapsComeApart(t *testing.T) {
	count := 60
	if testing.Short() {
		count = 12
	}
	clean, rounds, most, least := 0, 0, 0, math.MaxInt
	took := map[int]int{}
	var failed []string
	for seed, done := uint64(0), 0; done < count; seed++ {
		sheets, bodies := overlap(seed)
		if crossings(sheets, bodies) < 5 {
			continue // they hardly overlap
		}
		done++
		stats := untangle.Separate(sheets, bodies, untangle.DefaultOptions())
		if n := crossings(sheets, bodies); n == 0 {
			clean++
		} else {
			failed = append(failed, fmt.Sprintf("%d: %+v", seed, stats))
		}
		if stats.OtherAfter > stats.OtherBefore || stats.After > stats.Before {
			t.Errorf("overlap %d became worse: %+v", seed, stats)
		}
		rounds += stats.Iterations
		most, least = max(most, stats.Before), min(least, stats.Before)
		took[stats.Iterations]++
	}
	t.Logf(
		"%d of %d overlaps came apart, of %d to %d crossings, in %.1f rounds on average",
		clean,
		count,
		least,
		most,
		float64(rounds)/float64(count),
	)
	t.Logf("rounds: %v", took)
	if clean != count {
		t.Errorf("left crossed: %q", failed)
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	var first []untangle.Surface
	for _, workers := range []int{1, 2, 8} {
		sheets, bodies := overlap(3)
		opt := untangle.DefaultOptions()
		opt.Team = par.New(workers)
		untangle.Separate(sheets, bodies, opt)
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
