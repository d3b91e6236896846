package yarn

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// guard tells whether yarns may have passed through each other in a step.
//
// Points of a spline move by the same weights that they lie at. So with the hull of the displacements of a segment as a
// ball of centre c and radius ρ, no two points of segments a and b move against each other by more than
//
//	s = |c_a - c_b| + ρ_a + ρ_b.
//
// Segments that were d apart at the start cannot have met if s < d. This is checked for every pair that touched, with
// its distance, and for all others with the diameter, from which they were at least as far. Where it fails, the pieces
// of the two splines, as polylines, are followed through the step: if these met, the yarns have slipped through.
//
// Pieces of one yarn that are too near along it to touch may pass through each other untold, as they do without force.
type guard struct {
	lay     *layout
	spline  *spline
	centre  []r3.Vec  // of a segment
	radius  []float64 // of a segment
	boxes   []r3.Box  // of a segment: where it is during the step; only when all pairs have to be looked at
	tree    *geom.Tree
	suspect []pair
	within  float64 // polylines that come so near count as met [m]

	from, to []r3.Vec
	loop     func(lo, hi int)
}

// Slip is a pair of segments, by the control points they begin at, that passed through each other.
type Slip struct{ A, B int }

// beside reports whether two slips may be one: yarns that pass through each other where segments join meet in those on
// both sides.
func (s Slip) beside(o Slip) bool {
	near := func(a, b int) bool { return max(a, b)-min(a, b) <= 1 }
	return near(s.A, o.A) && near(s.B, o.B)
}

// NewSlips appends those of a step to what earlier ones told of, without those that these may have told of already:
// yarns that pass through each other slowly meet in several steps.
func NewSlips(told, slips []Slip) []Slip {
	for _, s := range slips {
		if !slices.ContainsFunc(told, s.beside) {
			told = append(told, s)
		}
	}
	return told
}

func newGuard(lay *layout, s *spline, diameter float64) *guard {
	n := len(lay.yarn)
	g := &guard{lay: lay, spline: s, within: slipWithin * diameter, centre: make([]r3.Vec, n), radius: make([]float64, n)}
	g.loop = g.bound
	return g
}

// measure bounds how far segments move from one place to another.
func (g *guard) measure(team *par.Team, from, to []r3.Vec) {
	g.from, g.to = from, to
	team.For(len(from), 512, g.loop)
}

func (g *guard) bound(lo, hi int) {
	for i := lo; i < hi; i++ {
		if !g.spline.exists[i] {
			continue
		}
		var p [4]r3.Vec
		for k, c := range g.spline.control[i] {
			p[k] = g.to[c].Sub(g.from[c])
		}
		box := hull(&p)
		g.centre[i], g.radius[i] = box.Center(), box.Size().Norm()/2
	}
}

// passing returns the most that points of two segments move against each other [m].
func (g *guard) passing(p pair) float64 {
	return g.centre[p.a].Sub(g.centre[p.b]).Norm() + g.radius[p.a] + g.radius[p.b]
}

// spread returns the most that points of any two segments move against each other [m], or more.
func (g *guard) spread() float64 {
	var sum r3.Vec
	n := 0
	for i, exists := range g.spline.exists {
		if exists {
			sum, n = sum.Add(g.centre[i]), n+1
		}
	}
	mean := sum.Scale(1 / float64(max(n, 1)))
	most := 0.0
	for i, exists := range g.spline.exists {
		if exists {
			most = max(most, g.centre[i].Sub(mean).Norm()+g.radius[i])
		}
	}
	return 2 * most
}

// leastShare is the distance, over the diameter, that counts for yarns that are nearer: these are as good as in each
// other, and no step is short enough to tell.
const leastShare = 0.05

// pressed returns the largest share of their distance that two touching segments move against each other, and whether
// those that do not touch are safe.
func (g *guard) pressed(near []nearPair, diameter float64) (share float64, apart bool) {
	for i := range near {
		share = max(share, g.passing(near[i].pair)/max(near[i].distance, leastShare*diameter))
	}
	return share, g.spread() < diameter
}

// nearPair is a pair of segments that touch, with the distance of their quadrature points [m], and a bound from below
// on that of all their points.
type nearPair struct {
	pair
	distance, bound float64
}

// sampling bounds the distance along a segment to the next quadrature point, as a share of its rest length times their
// number: half the way between two of them, and a fifth more where the spline runs faster than its chord.
const sampling = 0.6

// near lists the pairs that touched when forces were added last. Distances were measured between quadrature points; of
// a set with a linear model that was when the model was built.
func (c *contacts) near(list []nearPair) []nearPair {
	spacing := sampling / float64(c.b)
	put := func(a, b int, distance float64) {
		list = append(list, nearPair{pair{int32(a), int32(b)}, distance, distance - spacing*(c.lay.rest[a]+c.lay.rest[b])})
	}
	for i := range c.pairs.results {
		if t := &c.pairs.results[i]; t.touching {
			put(t.a, t.b, math.Sqrt(t.least))
		}
	}
	for i := range c.sets.list {
		set := &c.sets.list[i]
		if set.touched == (box{}) {
			continue
		}
		distance := math.Sqrt(set.least)
		if c.opt.Mode == ContactLinear {
			distance -= modelDrift * c.diameter
		}
		a0, a1, b0, b1 := c.sets.segments(&set.box)
		for a := a0; a <= a1; a++ {
			for b := max(b0, a+1); b <= b1; b++ {
				put(a, b, distance)
			}
		}
	}
	return list
}

// modelDrift is how much nearer the yarns of a linear model may have come since it was built, over the diameter. Models
// are renewed long before.
const modelDrift = 0.2

// slips lists the pairs that passed through each other, in order, of those that are beside each other the first. Of
// pairs that do not touch it looks at all whose ways may meet, unless apart says that there are none.
func (g *guard) slips(near []nearPair, m *material, apart bool) []Slip {
	g.suspect = g.suspect[:0]
	for i := range near {
		if !(g.passing(near[i].pair) < near[i].bound) {
			g.suspect = append(g.suspect, near[i].pair)
		}
	}
	if !apart {
		g.suspectAll(m)
	}
	slices.SortFunc(g.suspect, comparePairs)
	g.suspect = slices.Compact(g.suspect)
	var slips []Slip
	for _, p := range g.suspect {
		slip := Slip{int(p.a), int(p.b)}
		if !slices.ContainsFunc(slips, slip.beside) && g.met(p) {
			slips = append(slips, slip)
		}
	}
	return slips
}

// suspectAll adds every pair whose ways through the step overlap and that is not too near along its yarn to touch.
func (g *guard) suspectAll(m *material) {
	g.boxes = g.boxes[:0]
	for i, exists := range g.spline.exists {
		if !exists {
			i = 0 // a box that is there twice; never a pair of its own
		}
		p, q := gatherControl(&g.spline.control[i], g.from), gatherControl(&g.spline.control[i], g.to)
		g.boxes = append(g.boxes, hull(&p).Union(hull(&q)))
	}
	if g.tree == nil {
		g.tree = geom.NewTree(g.boxes)
	} else {
		g.tree.Rebuild(g.boxes)
	}
	var found []int32
	for i, exists := range g.spline.exists {
		if !exists {
			continue
		}
		found = g.tree.Overlapping(g.boxes[i], found[:0])
		for _, j := range found {
			if int(j) > i && g.spline.exists[j] && !m.near(i, int(j)) {
				g.suspect = append(g.suspect, pair{int32(i), j})
			}
		}
	}
}

// pieces of a segment that a slip is looked for with. A segment that turns by half a turn within its length l is off
// the chords of these by at most 0.01 l; polylines that come within slipWithin of the diameter count as met.
const (
	pieces     = 8
	slipWithin = 0.02
)

// met reports whether the polylines of two segments met during the step.
func (g *guard) met(p pair) bool {
	var from, to [2][pieces + 1]r3.Vec
	var boxes [2][pieces]r3.Box
	for side, s := range [2]int32{p.a, p.b} {
		a, b := gatherControl(&g.spline.control[s], g.from), gatherControl(&g.spline.control[s], g.to)
		for k := range pieces + 1 {
			w := catmullRom(float64(k) / pieces)
			for c := range 4 {
				from[side][k] = from[side][k].AddScaled(w[c], a[c])
				to[side][k] = to[side][k].AddScaled(w[c], b[c])
			}
		}
		for k := range pieces {
			boxes[side][k] = g.reached(from[side][k], from[side][k+1], to[side][k], to[side][k+1])
		}
	}
	for i := range pieces {
		for j := range pieces {
			if !boxes[0][i].Overlaps(&boxes[1][j]) {
				continue
			}
			if _, hit := geom.EdgeEdgeImpact(
				from[0][i], to[0][i], from[0][i+1], to[0][i+1], from[1][j], to[1][j], from[1][j+1], to[1][j+1], g.within,
			); hit {
				return true
			}
		}
	}
	return false
}

// reached returns a box around points and all that is so near to them that it counts as met.
func (g *guard) reached(a, b, c, d r3.Vec) r3.Box {
	margin := r3.V(g.within, g.within, g.within)
	return r3.Box{Min: a.Min(b).Min(c.Min(d)).Sub(margin), Max: a.Max(b).Max(c.Max(d)).Add(margin)}
}
