package untangle

// Pulling layers apart.
//
// Rounds of detection (rows.go) and of a smooth displacement that meets what was found (smooth.go), until the exact
// test finds no crossing between layers or with bodies and no gap is below the thickness, or for as long as that
// gets better. All layers move together: an inner one is pushed in, an outer one out, and bodies stay.
//
// Invariants: fixed vertices do not move; the result has no more crossings than the start, neither between layers
// nor within them, and is the start itself if nothing better was found; the same bits for any number of workers.

import (
	"github.com/toile-sim/toile/r3"
)

// patience is the number of rounds without a better state after which the search ends.
const patience = 12

// Separate moves the vertices of sheets with a layer, as little as it finds to be enough, so that nothing crosses
// between different layers or with bodies, outer layers are outside inner ones, and all keep their thickness. Crossings
// within one layer are left as they are. What could not be reached is in the statistics.
func Separate(sheets []Sheet, bodies []Body, opt Options) Stats {
	if err := opt.Validate(); err != nil {
		panic("untangle: " + err.Error())
	}
	s := newScene(sheets, bodies, opt.Team)
	opt.Team.Enter()
	defer opt.Team.Leave()
	f, m := newRowFinder(s, opt.Depth), newSmoother(s)
	var stats Stats
	best := append([]r3.Vec(nil), s.x[:s.moving]...)
	var least state
	for stale := 0; ; stats.Iterations++ {
		now := f.assess()
		if stats.Iterations == 0 {
			stats.Before, stats.OtherBefore = now.ordered, now.other
			least = now
		} else if now.other <= stats.OtherBefore && now.better(least) {
			least, stale = now, 0
			copy(best, s.x)
		} else if stale++; stale == patience {
			break
		}
		if now.clean() || stats.Iterations == opt.Iterations {
			break
		}
		for v, d := range m.solve(f.rows) {
			s.x[v] = s.x[v].Add(d)
		}
	}
	stats.After, stats.OtherAfter, stats.Near = least.ordered, least.other, least.near
	for i := range sheets {
		to := sheets[i].X
		for v, x := range best[s.first[i]:][:len(to)] {
			stats.Move = max(stats.Move, x.Sub(to[v]).Norm())
			to[v] = x
		}
	}
	return stats
}

// state is how far apart layers are.
type state struct {
	ordered, other int
	near           int     // gaps below the thickness
	worst          float64 // the sum of what they lack [m]
}

func (a state) clean() bool { return a.ordered == 0 && a.near == 0 }

// better reports whether a has fewer crossings than b or, with as many, lacks clearly less.
func (a state) better(b state) bool {
	if a.ordered != b.ordered {
		return a.ordered < b.ordered
	}
	if a.near == 0 || b.near == 0 {
		return a.near < b.near
	}
	return a.worst < 0.95*b.worst
}

// assess finds what crosses, the conditions, and how far they are from being met.
func (f *rowFinder) assess() state {
	var s state
	s.ordered, s.other = f.tally()
	f.find()
	for i := range f.rows {
		if c := &f.rows[i]; c.gap < c.target/spare {
			s.near++
			s.worst += c.target - c.gap
		}
	}
	return s
}
