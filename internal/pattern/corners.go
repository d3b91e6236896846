package pattern

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// DefaultCorner is the least turn of an outline that is a corner: curves that a drawing program has divided into
// straight lines turn less [rad].
const DefaultCorner = 25 * math.Pi / 180

// EdgeName gives an edge its name. Number counts edges from 1, counter-clockwise from the corner nearest to the lower
// left of the panel; else From is near the corner at which the edge starts, or Near is near the edge.
type EdgeName struct {
	Name       string
	Number     int
	From, Near *r3.Vec2
}

// find returns the index of the edge that is meant, or -1.
func (n *EdgeName) find(edges []Edge) int {
	switch {
	case n.From != nil:
		best := 0
		for i := range edges {
			if edges[i].From.Sub(*n.From).Norm() < edges[best].From.Sub(*n.From).Norm() {
				best = i
			}
		}
		return best
	case n.Near != nil:
		best, least := 0, math.Inf(1)
		for i := range edges {
			c := edgeCurve(&edges[i], edges[(i+1)%len(edges)].From)
			if _, _, d := c.nearest(*n.Near); d < least {
				best, least = i, d
			}
		}
		return best
	case n.Number >= 1 && n.Number <= len(edges):
		return n.Number - 1
	}
	return -1
}

// cornered divides an outline at its corners. The first edge starts at the corner nearest to the lower left, which is
// at the origin; without corners, at the start of the arc nearest to it.
func cornered(arcs []Arc, turns []r3.Vec2, corner float64) []Edge {
	if corner == 0 {
		corner = DefaultCorner
	}
	n := len(arcs)
	var at []int // arcs that start at a corner
	for i := range arcs {
		if isCorner(arcs, i, turns, corner) {
			at = append(at, i)
		}
	}
	first := 0
	if len(at) == 0 {
		for i := range arcs {
			if arcs[i].From.Norm() < arcs[first].From.Norm() {
				first = i
			}
		}
		at, first = []int{first}, 0
	}
	for k, i := range at {
		if arcs[i].From.Norm() < arcs[at[first]].From.Norm() {
			first = k
		}
	}
	var edges []Edge
	for k := range at {
		from, to := at[(first+k)%len(at)], at[(first+k+1)%len(at)]
		e := Edge{From: arcs[from].From, Via: arcs[from].Via}
		for i := (from + 1) % n; i != to; i = (i + 1) % n {
			e.Then = append(e.Then, arcs[i])
		}
		edges = append(edges, e)
	}
	return edges
}

// isCorner reports whether the outline turns sharply where arc i starts, or is marked there.
func isCorner(arcs []Arc, i int, turns []r3.Vec2, corner float64) bool {
	const marked = 1e-5 // [m]
	for _, q := range turns {
		if q.Sub(arcs[i].From).Norm() < marked {
			return true
		}
	}
	n := len(arcs)
	before := &arcs[(i+n-1)%n]
	u := tangent(append(append([]r3.Vec2{arcs[i].From}, reversedPoints(before.Via)...), before.From)).Scale(-1)
	v := tangent(append(append([]r3.Vec2{arcs[i].From}, arcs[i].Via...), arcs[(i+1)%n].From))
	return math.Abs(math.Atan2(u.Cross(v), u.Dot(v))) > corner
}

// tangent returns the direction in which a Bézier curve leaves its first point.
func tangent(p []r3.Vec2) r3.Vec2 {
	for _, q := range p[1:] {
		if d := q.Sub(p[0]); d.Norm() > 0 {
			return d
		}
	}
	return r3.Vec2{}
}
