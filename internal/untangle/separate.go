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
	"cmp"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// patience is the number of rounds without a better state after which the search ends.
const patience = 12

// Separate moves the vertices of sheets with a layer, as little as it finds to be enough, so that nothing crosses
// between different layers or with bodies, outer layers are outside inner ones, and all keep their thickness. Crossings
// within one layer are left as they are. What could not be reached is in the statistics.
func Separate(sheets []Surface, bodies []Body, opt Options) Stats {
	if err := opt.Validate(); err != nil {
		panic("untangle: " + err.Error())
	}
	// all surfaces as one mesh
	s := newScene(sheets, bodies, opt.Team)
	opt.Team.Enter()
	defer opt.Team.Leave()
	f, m := newRowFinder(s, opt.Depth), newSmoother(s)
	stepper := &stepper{scene: s}
	// best state so far, and where vertices were then
	var stats Stats
	var least state
	best := slices.Clone(s.x[:s.moving])
	stepper.tally()
	for stale := 0; ; stats.Iterations++ {
		// present state, and whether it is the best so far
		now := f.assess(stepper.crossed)
		if stats.Iterations == 0 {
			stats.Before, stats.OtherBefore = now.ordered, now.other
			stepper.allowed = now.other
			least = now
		} else if now.better(least) {
			least, stale = now, 0
			copy(best, s.x)
		} else if stale++; stale == patience {
			break
		}
		// clean, out of iterations, stopped, or no step to take
		if now.clean() || stats.Iterations == opt.Iterations || opt.Team.Stopped() || !stepper.step(m.solve(f.rows)) {
			break
		}
	}
	// vertices go to where they were in the best state
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

// stepper moves vertices and takes back what drives a layer through itself.
type stepper struct {
	*scene
	crossed
	allowed int // crossings without an order
	from    []r3.Vec
	known   [][2]int32 // crossings without an order before the step
	back    []bool     // by vertex: the move is taken back
	spread  []bool
}

// vetoes is how often a move is taken back around new crossings, each time further around, before all of it is.
const vetoes = 8

// step moves vertices by d, except around crossings without an order that would be new and too many. It
// reports whether something is left of the move.
func (p *stepper) step(d []r3.Vec) bool {
	p.from = append(p.from[:0], p.x[:p.moving]...)
	p.known = append(p.known[:0], p.others...)
	p.back = slices.Grow(p.back[:0], p.moving)[:p.moving]
	clear(p.back)
	for v := range d {
		p.x[v] = p.x[v].Add(d[v])
	}
	for range vetoes {
		if p.tally(); p.other <= p.allowed {
			return true
		}
		p.takeBack()
	}
	copy(p.x, p.from)
	p.tally()
	return false
}

// takeBack moves the vertices of new crossings, and their neighbours, back to where they were.
func (p *stepper) takeBack() {
	for _, pair := range p.others {
		if _, known := slices.BinarySearchFunc(p.known, pair, comparePairs); known {
			continue
		}
		for _, t := range pair {
			for _, v := range p.tri[t] {
				if int(v) < p.moving {
					p.back[v] = true
				}
			}
		}
	}
	p.back, p.spread = p.dilate(p.back, p.spread)
	for v, back := range p.back {
		if back {
			p.x[v] = p.from[v]
		}
	}
}

func comparePairs(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }

// tally counts what crosses.
func (p *stepper) tally() { p.crossed = p.scene.tally(p.others[:0]) }

// state is how far apart layers are.
type state struct {
	ordered, other int     // crossings
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

// assess finds the conditions, and how far they are from being met.
func (f *rowFinder) assess(now crossed) state {
	s := state{ordered: now.ordered, other: now.other}
	f.find()
	for i := range f.rows {
		if c := &f.rows[i]; c.gap < c.target/spare {
			s.near++
			s.worst += c.target - c.gap
		}
	}
	return s
}
