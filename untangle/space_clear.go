package untangle

// Going on until nothing crosses.
//
// The energy of [Minor18] is soft, and its rows hold vertices from triangles, so that after the usual iterations edges may still cross, the more so the
// smaller the margin is beside the edges. Each round more then looks where triangles cross, by the exact test, and asks the vertices there and their
// neighbours for a little more gap, and pushes them harder; vertices that are too near are pushed harder too. The state with the fewest crossings is kept.

import (
	"slices"
)

const (
	spaceHarder   = 1.5  // times by which rows at a crossing become stiffer in a round
	spaceStiff    = 100  // and the most
	spaceWider    = 0.03 // by how much the gap asked for grows in a round, in mean edges
	spaceWidest   = 0.5  // and the most
	spacePatience = 12   // rounds without a better state after which to give up
)

// clear makes rounds until nothing crosses.
func (r *spaceRun) clear() {
	best, kept, since := r.left(), slices.Clone(r.solver.u), 0
	for r.stats.Rounds < r.Rounds && r.left() > 0 && since < spacePatience {
		r.urge()
		if !r.iterate() {
			break
		}
		r.stats.Rounds++
		r.finish()
		since++
		if now := r.left(); now < best {
			best, since = now, 0
			copy(kept, r.solver.u)
		}
	}
	if r.left() > best {
		copy(r.solver.u, kept)
		r.place()
		r.find()
		r.finish()
	}
}

// left returns how much is left to clear: what crosses or is inside, and then the share of vertices that are too near, as far as it is more than it may be.
func (r *spaceRun) left() float64 {
	near := float64(r.stats.NearAfter) / float64(max(1, r.stats.Touched))
	return float64(r.stats.CrossingsAfter+r.stats.InsideAfter) + max(0, near-(1-r.Gap))
}

// urge asks for more where triangles cross.
func (r *spaceRun) urge() {
	at := map[int32]bool{}
	add := func(v int32) {
		at[v] = true
		for _, j := range r.mesh.around.Of(v) {
			at[j] = true
		}
	}
	for _, pair := range r.pairs {
		for _, t := range pair {
			for _, v := range r.mesh.tri[t] {
				add(v)
			}
		}
	}
	for k := range r.rows {
		row := &r.rows[k]
		if v := row.v[0]; row.gap(r.finder.x) < 0.8*(row.target-r.extra[v]) {
			r.force[v] = min(spaceHarder*r.force[v], spaceStiff)
		}
	}
	for v := range at { // each by itself, in any order
		r.force[v] = min(spaceHarder*r.force[v], spaceStiff)
		r.extra[v] = min(r.extra[v]+spaceWider*r.edge, spaceWidest*r.edge)
	}
}
