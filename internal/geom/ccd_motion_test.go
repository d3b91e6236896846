package geom

import (
	"fmt"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/r3"
)

// leastUntil returns the least distance over [0, until] at sampled times, each local minimum refined.
func (c *pair) leastUntil(until float64) float64 {
	const samples = 64
	at := func(i int) float64 { return until * float64(i) / samples }
	least := math.Inf(1)
	for i := range samples + 1 {
		d := c.dist2(at(i))
		least = min(least, d)
		lo, hi := at(max(0, i-1)), at(min(samples, i+1))
		if d > c.dist2(lo) || d > c.dist2(hi) {
			continue
		}
		for range 40 {
			third := (hi - lo) / 3
			if c.dist2(lo+third) < c.dist2(hi-third) {
				hi -= third
			} else {
				lo += third
			}
		}
		least = min(least, c.dist2((lo+hi)/2))
	}
	return math.Sqrt(least)
}

// With a separation s there is no exact referee, but any time at which the distance is below s is a witness.
func TestImpactWithSeparation(t *testing.T) {
	cases := 13_000
	if testing.Short() {
		cases = 2_600
	}
	hits, early := 0, 0
	for i := range cases {
		r := source(uint64(i) + 31)
		c := movingPair(r, i/2%len(referee.PairKinds), i%2 == 1)
		reach := c.Reach()
		separation := reach * math.Pow(10, -6*r.Float64())
		if r.IntN(3) == 0 {
			separation = c.leastUntil(1) * (1 + float64(r.IntN(3)-1)*1e-9) // grazing at the separation
		}
		until, hit := c.impact(separation)
		rounding := 1e-13 * reach
		if least := c.leastUntil(until); least < separation-rounding && (!hit || until > 0) {
			t.Fatalf(
				"case %d: distance %g before the time %v of impact at separation %g: %+v",
				i,
				least,
				until,
				separation,
				c,
			)
		}
		if !hit {
			continue
		}
		hits++
		if gap := math.Sqrt(c.dist2(until)) - separation; gap > ImpactTolerance*reach {
			t.Fatalf("case %d: reported at %v, %.3g of the reach too early: %+v", i, until, gap/reach, c)
		}
		if c.leastUntil(1) > separation+rounding {
			early++
		}
	}
	t.Logf("%d pairs, %d hits, %d of them within the tolerance only", cases, hits, early)
	if hits < cases/4 || hits == cases {
		t.Errorf("%d of %d hit: the set is lopsided", hits, cases)
	}
}

// A point that falls 1 m onto a floor 0.5 m below, kept 0.1 m away, gets there after 0.4 of the time.
func TestImpactTimesInClosedForm(t *testing.T) {
	a, b, c := r3.V(-1, -1, 0), r3.V(2, -1, 0), r3.V(-1, 2, 0)
	at, hit := PointTriangleImpact(r3.V(0, 0, 0.5), r3.V(0, 0, -0.5), a, a, b, b, c, c, 0.1)
	if !hit || at > 0.4 || at < 0.4-1e-6 {
		t.Errorf("point: %v %v, want 0.4", at, hit)
	}
	d, e, f, g := r3.V(-1, 0, 0), r3.V(1, 0, 0), r3.V(0, -1, 0.5), r3.V(0, 1, 0.5)
	down := r3.V(0, 0, -1)
	at, hit = EdgeEdgeImpact(d, d, e, e, f, f.Add(down), g, g.Add(down), 0.1)
	if !hit || at > 0.4 || at < 0.4-1e-6 {
		t.Errorf("edges: %v %v, want 0.4", at, hit)
	}
	// Already closer than the separation: at once. Moving away from just beyond it: never.
	if at, hit = PointTriangleImpact(r3.V(0, 0, 0.05), r3.V(0, 0, 9), a, a, b, b, c, c, 0.1); !hit || at != 0 {
		t.Errorf("closer than the separation: %v %v", at, hit)
	}
	if at, hit = PointTriangleImpact(r3.V(0, 0, 0.1+1e-12), r3.V(0, 0, 9), a, a, b, b, c, c, 0.1); hit || at != 1 {
		t.Errorf("moving away: %v %v", at, hit)
	}
}

// What cannot be computed is reported, never missed.
func TestImpactOfWhatIsNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), 1e308, -1e308} {
		for k := range 4 {
			c := movingPair(source(5), 0, k%2 == 1)
			c.X1[k].Y = bad
			if _, hit := c.impact(0); !hit && math.Abs(bad) > math.MaxFloat64 || !hit && math.IsNaN(bad) {
				t.Errorf("corner %d at %v: missed", k, bad)
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a negative separation does not panic")
		}
	}()
	EdgeEdgeImpact(r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}, -1)
}

// Metamorphic: a shift that all coordinates bear without rounding changes no bit; turned, reversed in time or
// with roles exchanged, a pair hits again unless it only came within the tolerance.
func TestImpactOfMovedPairs(t *testing.T) {
	turn := r3.Rotation(r3.V(1, 2, 3).Unit(), 0.7)
	doubtful := 0
	const cases = 6000
	for i := range cases {
		c := movingPair(source(uint64(i)+51), i/2%3, i%2 == 1)
		at, hit := c.impact(0)
		if i/2%3 == 2 {
			shifted := c
			shifted.Move(r3.V(1024, -512, 64), 1)
			if t1, h1 := shifted.impact(0); t1 != at || h1 != hit {
				t.Fatalf("case %d: shifted, %v %v becomes %v %v", i, at, hit, t1, h1)
			}
		}
		variants := [3]pair{c, c, c}
		for k := range c.X0 {
			variants[0].X0[k], variants[0].X1[k] = turn.Rotate(c.X0[k]), turn.Rotate(c.X1[k])
		}
		variants[1].X0, variants[1].X1 = c.X1, c.X0
		order := [4]int{0, 2, 3, 1}
		if c.Edges {
			order = [4]int{2, 3, 1, 0}
		}
		for k, from := range order {
			variants[2].X0[k], variants[2].X1[k] = c.X0[from], c.X1[from]
		}
		for k, v := range variants {
			t1, h1 := v.impact(0)
			if h1 != hit {
				doubtful++
				if least := c.leastUntil(1); least > ImpactTolerance*c.Reach() {
					t.Fatalf("case %d: variant %d hits: %v, the pair: %v", i, k, h1, hit)
				}
			}
			if h1 && k != 1 && c.dist2(t1) > math.Pow(1.1*ImpactTolerance*c.Reach(), 2) {
				t.Fatalf("case %d: variant %d hits at %v, where the pair is apart", i, k, t1)
			}
		}
	}
	if doubtful > cases/20 {
		t.Errorf("%d of %d change their answer", doubtful, 3*cases)
	}
}

// The work is bounded: the hardest pairs need far fewer planes than allowed.
func TestImpactNeedsFewPlanes(t *testing.T) {
	cases := 130_000
	if testing.Short() {
		cases = 26_000
	}
	var most, sum int
	for i := range cases {
		c := movingPair(source(uint64(i)+9000), i/2%len(referee.PairKinds), i%2 == 1)
		h := c.sweep()
		_, _, steps := h.impact(0)
		most, sum = max(most, steps), sum+steps
	}
	t.Logf("%d pairs: %.2f planes on average, at most %d", cases, float64(sum)/float64(cases), most)
	if most > impactSteps/2 {
		t.Errorf("a pair took %d planes of %d", most, impactSteps)
	}
}

// Whatever two normals it turns between, a plane that is said to separate does so at all times between; a point
// that jumps through a triangle has normals of its own at both ends, and no plane turns from one to the other.
func TestTurningPlanesSeparate(t *testing.T) {
	up, down := r3.V(0, 0, 1), r3.V(0, 0, -1)
	through := sweep{count: 3, reach: r3.V(9, 9, 9)}
	for k, corner := range [4]r3.Vec{r3.V(-1, -1, 0), r3.V(2, -1, 0), r3.V(-1, 2, 0), r3.V(-1, 2, 0)} {
		through.e[k], through.f[k] = up.Sub(corner), down.Sub(corner)
	}
	if through.clearTurning(up, down, 0, 0, 1) {
		t.Error("a plane turns over while the point passes through it")
	}
	held := 0
	for i := range 40_000 {
		r := source(uint64(i) + 91)
		c := movingPair(r, i/2%3, i%2 == 1)
		h := c.sweep()
		h.impact(0) // measures the reach
		t0, t1 := r.Float64(), r.Float64()
		t0, t1 = min(t0, t1), max(t0, t1)
		if !h.clearTurning(h.look(t0).n, h.look(t1).n, 0, t0, t1) {
			continue
		}
		held++
		sub := c
		sub.X0, sub.X1 = c.At(t0), c.At(t1)
		if least := sub.leastUntil(1); least < 1e-9*c.Reach() {
			t.Fatalf("case %d: from %v to %v the features come within %g", i, t0, t1, least)
		}
	}
	if held < 4000 {
		t.Errorf("only %d planes held", held)
	}
}

func (c *pair) sweep() *sweep {
	h := &sweep{count: 3}
	from := [4][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 3}}
	if c.Edges {
		h.count, from = 4, [4][2]int{{0, 2}, {0, 3}, {1, 2}, {1, 3}}
	}
	for k, ij := range from {
		h.e[k], h.f[k] = c.X0[ij[0]].Sub(c.X0[ij[1]]), c.X1[ij[0]].Sub(c.X1[ij[1]])
	}
	return h
}

func FuzzImpact(f *testing.F) {
	for i := range 4 * len(referee.PairKinds) {
		c := movingPair(source(uint64(i)), i/2%len(referee.PairKinds), i%2 == 1)
		x, y := &c.X0, &c.X1
		f.Add(c.Edges,
			x[0].X, x[0].Y, x[0].Z, y[0].X, y[0].Y, y[0].Z, x[1].X, x[1].Y, x[1].Z, y[1].X, y[1].Y, y[1].Z,
			x[2].X, x[2].Y, x[2].Z, y[2].X, y[2].Y, y[2].Z, x[3].X, x[3].Y, x[3].Z, y[3].X, y[3].Y, y[3].Z)
	}
	f.Fuzz(func(t *testing.T, edges bool,
		ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz, ex, ey, ez, fx, fy, fz, gx, gy, gz, hx, hy, hz float64,
	) {
		c := pair{referee.Pair{
			Edges: edges,
			X0:    [4]r3.Vec{r3.V(ax, ay, az), r3.V(cx, cy, cz), r3.V(ex, ey, ez), r3.V(gx, gy, gz)},
			X1:    [4]r3.Vec{r3.V(bx, by, bz), r3.V(dx, dy, dz), r3.V(fx, fy, fz), r3.V(hx, hy, hz)},
		}}
		for k := range c.X0 {
			if !c.X0[k].Finite() || !c.X1[k].Finite() {
				if _, hit := c.impact(0); !hit {
					t.Fatal("missed what is not finite")
				}
				return
			}
		}
		at, hit := c.impact(0)
		if !(at >= 0 && at <= 1) {
			t.Fatalf("impact at %v", at)
		}
		if !hit && c.MeetsExactly(1, false) || hit && c.MeetsExactly(at, true) {
			t.Fatalf("missed or late, %v %v: %+v", at, hit, c)
		}
	})
}

func ExamplePointTriangleImpact() {
	a, b, c := r3.V(0, 0, 0), r3.V(1, 0, 0), r3.V(0, 1, 0)
	t, hit := PointTriangleImpact(r3.V(0.2, 0.2, 1), r3.V(0.2, 0.2, -1), a, a, b, b, c, c, 0)
	fmt.Printf("%.6f %v\n", t, hit)
	// Output: 0.500000 true
}

// BenchmarkImpact times pairs as a broad phase leaves them: features of size 1 that move by a fifth of it, with
// overlapping swept boxes.
func BenchmarkImpact(b *testing.B) {
	r := source(71)
	for _, edges := range []bool{false, true} {
		var miss, hits []pair
		for len(miss) < 1024 || len(hits) < 1024 {
			c := pair{referee.Pair{Edges: edges}}
			shift := randomPoint(r).Scale(0.5)
			for k := range c.X0 {
				c.X0[k] = randomPoint(r).Scale(0.5)
				if k == 0 || edges && k == 1 {
					c.X0[k] = c.X0[k].Add(shift)
				}
				c.X1[k] = c.X0[k].Add(randomPoint(r).Scale(0.2))
			}
			if !c.boxesOverlap() {
				continue
			}
			if _, hit := c.impact(1e-3); hit {
				hits = append(hits, c)
			} else {
				miss = append(miss, c)
			}
		}
		for _, set := range []struct {
			name  string
			pairs []pair
		}{{"miss", miss[:1024]}, {"hit", hits[:1024]}} {
			name := "PointTriangle/"
			if edges {
				name = "EdgeEdge/"
			}
			b.Run(name+set.name, func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					set.pairs[i&1023].impact(1e-3)
				}
			})
		}
	}
}

func (c *pair) boxesOverlap() bool {
	split := 1
	if c.Edges {
		split = 2
	}
	box := func(from, to int) (lo, hi r3.Vec) {
		lo, hi = c.X0[from], c.X0[from]
		for k := from; k < to; k++ {
			lo, hi = lo.Min(c.X0[k]).Min(c.X1[k]), hi.Max(c.X0[k]).Max(c.X1[k])
		}
		return lo, hi
	}
	lo, hi := box(0, split)
	from, to := box(split, 4)
	return lo.X <= to.X && lo.Y <= to.Y && lo.Z <= to.Z && from.X <= hi.X && from.Y <= hi.Y && from.Z <= hi.Z
}
