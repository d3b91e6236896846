package pattern

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// unfolded returns a piece that was cut on the fold: the outline without its straight edge near a point, and its mirror
// image about that edge. It reports false if the edge is not straight.
func unfolded(arcs []Arc, turns []r3.Vec2, near r3.Vec2, corner float64) ([]Arc, []r3.Vec2, bool) {
	edges := cornered(arcs, turns, corner)
	at := EdgeName{Near: &near}
	i := at.find(edges)
	a, b := edges[i].From, edges[(i+1)%len(edges)].From
	along := b.Sub(a)
	if along.Norm() == 0 {
		return nil, nil, false
	}
	along = along.Scale(1 / along.Norm())
	for _, arc := range edges[i].arcs() {
		for _, q := range append([]r3.Vec2{arc.From}, arc.Via...) {
			if math.Abs(along.Cross(q.Sub(a))) > tiny {
				return nil, nil, false
			}
		}
	}
	image := func(q r3.Vec2) r3.Vec2 {
		d := q.Sub(a)
		return a.Add(along.Scale(2 * d.Dot(along))).Sub(d)
	}
	// From the end of the fold round to its start, and back along the mirror image.
	var half []Arc
	for k := 1; k < len(edges); k++ {
		half = append(half, edges[(i+k)%len(edges)].arcs()...)
	}
	out := append([]Arc{}, half...)
	for k := len(half) - 1; k >= 0; k-- {
		from := a
		if k+1 < len(half) {
			from = image(half[k+1].From)
		}
		arc := Arc{From: from}
		for _, q := range reversedPoints(half[k].Via) {
			arc.Via = append(arc.Via, image(q))
		}
		out = append(out, arc)
	}
	all := append([]r3.Vec2{}, turns...)
	for _, q := range turns {
		all = append(all, image(q))
	}
	return out, all, true
}
