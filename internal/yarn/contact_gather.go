package yarn

import (
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// gatherer sums forces that many contacts have on control points. Every contact has places of its own to write to; an
// index from points to places lets each point sum its own, always in the order of places.
type gatherer struct {
	forces []r3.Vec // of a place
	point  []int32  // of a place
	first  []int32  // of a point: where its places begin in places; one more at the end
	places []int32

	into []r3.Vec
	loop func(lo, hi int)
}

func newGatherer(points int) *gatherer {
	g := &gatherer{first: make([]int32, points+2)}
	g.loop = g.sum
	return g
}

// begin empties the index.
func (g *gatherer) begin() { g.point = g.point[:0] }

// index sorts places by their points. It must be called when the places are all there.
func (g *gatherer) index() {
	if cap(g.forces) < len(g.point) {
		g.forces = make([]r3.Vec, len(g.point)+len(g.point)/4)
		g.places = make([]int32, cap(g.forces))
	}
	g.forces, g.places = g.forces[:len(g.point)], g.places[:len(g.point)]
	clear(g.first)
	for _, p := range g.point {
		g.first[p+2]++
	}
	for i := 2; i < len(g.first); i++ {
		g.first[i] += g.first[i-1]
	}
	for place, p := range g.point {
		g.places[g.first[p+1]] = int32(place)
		g.first[p+1]++
	}
}

// addTo adds to every point the forces at its places.
func (g *gatherer) addTo(force []r3.Vec, team *par.Team) {
	g.into = force
	team.For(len(force), 1024, g.loop)
	g.into = nil
}

func (g *gatherer) sum(lo, hi int) {
	for i := lo; i < hi; i++ {
		var f r3.Vec
		for _, place := range g.places[g.first[i]:g.first[i+1]] {
			f = f.Add(g.forces[place])
		}
		g.into[i] = g.into[i].Add(f)
	}
}
