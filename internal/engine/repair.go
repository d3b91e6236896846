package engine

import (
	"slices"

	"github.com/toile-sim/toile/internal/untangle"
)

// RepairStats tells how Repair went.
type RepairStats struct {
	Before, After int     // what crosses, as CrossingPairs counts it
	Move          float64 // the furthest that a vertex has moved [m]
}

// repairs bounds how often Repair goes over a start.
const repairs = 3

// Repair moves vertices so that what is crossed comes apart, for a start that is. Cloths are brought out of obstacles
// that have an outside, as SeparateLayers does with all in one layer; then contours in which cloths cross are drawn
// together as in steps, all at once. Vertices that handles hold stay, velocities too; contacts are forgotten. What
// could not be undone is in the statistics and is no error; there is never more of it than before.
func (w *World) Repair() RepairStats {
	// what crosses now
	sheets, bodies := w.outlines()
	before := slices.Clone(w.pos)
	count := func() (n int) {
		for _, t := range untangle.Count(sheets, bodies, w.team) {
			n += t.Count
		}
		return n
	}
	stats := RepairStats{Before: count()}
	stats.After = stats.Before
	// rounds, of which only those are kept that leave less crossed
	for range repairs {
		if stats.After == 0 {
			break
		}
		w.repair(sheets, bodies)
		n := count()
		if n >= stats.After {
			break
		}
		stats.After = n
		for i, at := range w.sheets {
			copy(w.bodies[at].of(w.pos), sheets[i].X)
		}
	}
	// nothing became better: nothing was moved
	if stats.After == stats.Before {
		return stats
	}
	// how far vertices went
	for i, x := range w.pos {
		stats.Move = max(stats.Move, x.Sub(before[i]).Norm())
	}
	// contacts and crossings are to be found anew
	w.last = solvedContacts{}
	w.crossed = unknown
	return stats
}

// repair moves sheets out of bodies, and then apart.
func (w *World) repair(sheets []untangle.Surface, bodies []untangle.Body) {
	alike := slices.Clone(sheets)
	for i := range alike {
		alike[i].Layer = 1
	}
	out := untangle.DefaultOptions()
	out.Team = w.team
	if len(bodies) > 0 {
		untangle.Separate(alike, bodies, out)
	}
	meshes := slices.DeleteFunc(slices.Clone(bodies), func(b untangle.Body) bool { return b.Field != nil })
	apart := untangle.DefaultContourOptions()
	apart.Team = w.team
	untangle.Contours(sheets, meshes, apart)
}
