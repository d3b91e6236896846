package contact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/r3"
)

// A9: how long edges may be for vertices at a distance h from a sphere of radius r to keep the whole sheet outside. The
// middle of an edge of length l with both ends at r + h is √((r+h)² - l²/4) from the centre, not less than r if
// l ≤ 2 √(2rh + h²); the centre of an equilateral triangle √((r+h)² - l²/3), not less than r if l ≤ √3 √(2rh + h²).
var sphereBound = verify.Case{
	ID: "A9", Title: "edges that keep a sheet outside a sphere", Source: "[Li18] §5, closed form",
	Body: func(t *verify.Trial) {
		count := 100_000
		if t.Options.Full {
			count = 1_000_000
		}
		rng := rand.New(rand.NewPCG(9, 9))
		for _, corners := range []int{2, 3} {
			name, factor := "edges", 2.0
			if corners == 3 {
				name, factor = "faces", math.Sqrt(3)
			}
			violations, least := 0, math.Inf(1)
			var lengths, depths, bounds []float64
			for i := range count {
				radius, gap := 1.0, math.Pow(10, -4*rng.Float64())
				longest := factor * math.Sqrt(2*radius*gap+gap*gap)
				share := 1.0
				if i%2 == 1 {
					share = rng.Float64()
				}
				x, center := besideSphere(rng, corners, share*longest, radius+gap)
				depth := (distanceTo(t, x, center) - radius) / gap
				least = min(least, depth)
				if depth < -1e-12*radius/gap {
					violations++
				}
				if i < 600 {
					lengths, depths = append(lengths, share), append(depths, depth)
				}
			}
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf("%s inside the sphere, of %d at most as long as the bound", name, count),
					Measured: float64(violations),
					Bar:      verify.AtMost,
					Limit:    0,
				},
			)
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf("least distance of %s over that of vertices", name),
					Measured: least,
					Bar:      verify.AtLeast,
					Limit:    -1e-8,
				},
			)
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf("depth of regular %s 1.001 times the bound, over h", name),
					Expected: (1 - math.Sqrt(1.01*1.01-1.001*1.001*0.0201)) / 0.01,
					Measured: sharpDepth(t, corners, 1.001*factor),
					Bar:      verify.Relative,
					Limit:    512 * verify.Rounding / 2e-5,
					From:     "512 roundings of the radius, of which the depth is 2e-5",
				},
			)
			shares := make([]float64, 51)
			for k := range shares {
				s := float64(k) / 50
				shares[k] = s
				gap := 1e-4
				bounds = append(bounds, (math.Sqrt((1+gap)*(1+gap)-s*s*(2*gap+gap*gap))-1)/gap)
			}
			t.Plot("a9-"+name, draw.Plot{
				Title: "A9: " + name + " with vertices at h from a sphere or farther",
				X:     "longest edge / bound",
				Y:     "distance / h",
				Series: []draw.Series{
					{Name: "regular, all vertices at h", X: shares, Y: bounds, Style: draw.Line},
					{Name: "random", X: lengths, Y: depths, Style: draw.Points},
				},
			})
		}
	},
}

// besideSphere returns an edge or a triangle whose longest edge has the given length, and the centre of a sphere that
// its nearest vertex is at the given distance from.
func besideSphere(rng *rand.Rand, corners int, longest, distance float64) (x []r3.Vec, center r3.Vec) {
	gauss := func() r3.Vec { return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()) }
	x = make([]r3.Vec, corners)
	if corners == 3 && rng.IntN(2) == 0 {
		// Nearly regular, which is the hardest.
		turn := r3.Rotation(gauss().Unit(), 2*math.Pi*rng.Float64())
		for i := range x {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / 3)
			x[i] = turn.Rotate(r3.V(cos, sin, 0)).AddScaled(0.02*rng.Float64(), gauss())
		}
	} else {
		for i := range x {
			x[i] = gauss()
		}
	}
	size := 0.0
	for i := range x {
		size = max(size, x[i].Sub(x[(i+1)%corners]).Norm())
	}
	var inside r3.Vec
	rest := 1.0
	for i := range x {
		// A hair below the bound, so that rounding of the length does not decide.
		x[i] = x[i].Scale(longest * (1 - 1e-12) / size)
		w := rest
		if i < corners-1 {
			w = rest * rng.Float64()
			if rng.IntN(2) == 0 {
				w = 1 / float64(corners)
			}
		}
		rest -= w
		inside = inside.AddScaled(w, x[i])
	}
	away := gauss().Unit()
	if corners == 3 && rng.IntN(2) == 0 {
		away = x[1].Sub(x[0]).Cross(x[2].Sub(x[0])).Unit()
	}
	if corners == 2 && rng.IntN(2) == 0 {
		away = away.Cross(x[1].Sub(x[0])).Unit()
	}
	// The least s from which on all vertices are outside: |x - inside - s away| = distance.
	s := 0.0
	for _, p := range x {
		d := p.Sub(inside)
		b := d.Dot(away)
		if root := b*b - d.Norm2() + distance*distance; root > 0 {
			s = max(s, b+math.Sqrt(root))
		}
	}
	return x, inside.AddScaled(s, away)
}

func distanceTo(t *verify.Trial, x []r3.Vec, p r3.Vec) float64 {
	var d2 float64
	if len(x) == 2 {
		_, d2 = geom.PointEdge(p, x[0], x[1])
	} else {
		_, _, d2 = geom.PointTriangle(p, x[0], x[1], x[2])
	}
	return t.Value(math.Sqrt(d2))
}

// sharpDepth returns how deep a regular edge or triangle, factor √(2rh + h²) long and with its vertices at r + h,
// enters the sphere, over h.
func sharpDepth(t *verify.Trial, corners int, factor float64) float64 {
	const radius, gap = 1.0, 0.01
	length := factor * math.Sqrt(2*radius*gap+gap*gap)
	around := length / 2
	if corners == 3 {
		around = length / math.Sqrt(3)
	}
	height := math.Sqrt((radius+gap)*(radius+gap) - around*around)
	x := make([]r3.Vec, corners)
	for i := range x {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(corners))
		x[i] = r3.V(around*cos, around*sin, height)
	}
	return (radius - distanceTo(t, x, r3.Vec{})) / gap
}

// C23: continuous collision detection, point against triangle and edge against edge, eleven of thirteen kinds
// degenerate, against an exact referee: no impact may be missed or dated late, and reports that are early are so by at
// most ImpactTolerance of the pair's reach.
var impactTimes = verify.Case{
	ID: "C23", Title: "times of impact", Source: "exact arithmetic",
	Body: func(t *verify.Trial) {
		count := 60_000
		if t.Options.Full {
			count = 500_000
		}
		const shards = 64
		tallies := make([][]impactTally, shards)
		t.Parallel(shards, func(shard int) {
			tallies[shard] = make([]impactTally, len(referee.PairKinds))
			for i := shard; i < count && (i/shards%100 > 0 || t.Context().Err() == nil); i += shards {
				kind := i / 2 % len(referee.PairKinds)
				c := referee.MovingPair(rand.New(rand.NewPCG(uint64(i)+1000, 1)), kind, i%2 == 1)
				tallies[shard][kind].examine(t, &c)
			}
		})
		t.Must(nil)
		var all impactTally
		var kinds, gaps []float64
		for k := range referee.PairKinds {
			var n impactTally
			for shard := range tallies {
				n.add(&tallies[shard][k])
			}
			all.add(&n)
			kinds, gaps = append(kinds, float64(k+1)), append(gaps, max(n.gap, 1e-18))
		}
		missed := verify.Row{
			Quantity: fmt.Sprintf("impacts missed, of %d pairs", all.pairs),
			Measured: float64(all.missed),
			Bar:      verify.AtMost,
			Limit:    0,
		}
		t.Row(t.Shortened(missed, "at most 0 of 10,000,000"))
		t.Row(
			verify.Row{
				Quantity: fmt.Sprintf("impacts dated late, of %d", all.hits),
				Measured: float64(all.late),
				Bar:      verify.AtMost,
				Limit:    0,
			},
		)
		t.Row(
			verify.Row{
				Quantity: "largest gap at a reported time, over the reach",
				Measured: all.gap,
				Bar:      verify.AtMost,
				Limit:    geom.ImpactTolerance,
			},
		)
		t.Note(
			"%d of %d reports are of pairs that only come within the tolerance; exact arithmetic had to decide on %d "+
				"pairs",
			all.early,
			all.hits,
			all.exact,
		)
		t.Note("kinds of pairs: %s", strings.Join(referee.PairKinds, ", "))
		bound := []float64{geom.ImpactTolerance, geom.ImpactTolerance}
		t.Plot("c23-early", draw.Plot{
			Title: "C23: gap at the reported time, by kind of pair",
			X:     "kind of pair",
			Y:     "largest gap / reach",
			LogY:  true,
			Series: []draw.Series{
				{Name: "allowed", X: []float64{0.5, float64(len(kinds)) + 0.5}, Y: bound, Style: draw.Dashed},
				{Name: "measured", X: kinds, Y: gaps, Style: draw.Points},
			},
		})
	},
}

// impactTally counts what moving pairs came to.
type impactTally struct {
	pairs, hits, missed, late, early, exact int

	gap float64 // the largest at a reported time, over the reach
}

func (n *impactTally) examine(t *verify.Trial, c *referee.Pair) {
	until, hit := impactOf(c)
	until, hit = t.Value(until), t.Says(hit)
	n.pairs++
	meets, exact := c.Meets(1, false)
	if hit {
		n.hits++
		before, exactly := c.Meets(until, true)
		exact = exact || exactly
		if before {
			n.late++
		}
		if !meets {
			n.early++
		}
		if reach := c.Reach(); reach > 0 {
			n.gap = max(n.gap, distanceAt(c, until)/reach)
		}
	} else if meets {
		n.missed++
	}
	if exact {
		n.exact++
	}
}

func (n *impactTally) add(m *impactTally) {
	n.pairs, n.hits, n.missed = n.pairs+m.pairs, n.hits+m.hits, n.missed+m.missed
	n.late, n.early, n.exact, n.gap = n.late+m.late, n.early+m.early, n.exact+m.exact, max(n.gap, m.gap)
}

func impactOf(c *referee.Pair) (t float64, hit bool) {
	x, y := &c.X0, &c.X1
	if c.Edges {
		return geom.EdgeEdgeImpact(x[0], y[0], x[1], y[1], x[2], y[2], x[3], y[3], 0)
	}
	return geom.PointTriangleImpact(x[0], y[0], x[1], y[1], x[2], y[2], x[3], y[3], 0)
}

// distanceAt returns the distance at time t, from differences, so that it does not lose digits far away.
func distanceAt(c *referee.Pair, t float64) float64 {
	diff := func(i int) r3.Vec { return c.X0[i].Sub(c.X0[0]).Lerp(c.X1[i].Sub(c.X1[0]), t) }
	var d2 float64
	if c.Edges {
		_, _, d2 = geom.EdgeEdge(r3.Vec{}, diff(1), diff(2), diff(3))
	} else {
		_, _, d2 = geom.PointTriangle(r3.Vec{}, diff(1), diff(2), diff(3))
	}
	return math.Sqrt(d2)
}
