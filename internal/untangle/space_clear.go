package untangle

// Going on until nothing crosses.
//
// The energy of [Minor18] is soft, and its rows hold vertices from triangles, so that after the usual iterations edges
// may still cross, the more so the smaller the margin is beside the edges. Each round more then looks where triangles
// cross, by the exact test, and asks the vertices there and their neighbours for a little more gap, and pushes them
// harder; vertices that are too near are pushed harder too. The state with the fewest crossings is kept.

import (
	"slices"

	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/r3"
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
	}
	r.settle()
	if r.left() > 0 {
		r.relent()
	}
}

// settle takes stock, and looks at everything once more.
func (r *spaceRun) settle() {
	r.place()
	r.look = r.watch
	r.find()
	r.finish()
}

// relent leaves zones as they were given in which more crosses than before. A zone is what hangs together by edges of
// vertices that moved, rows and crossings.
func (r *spaceRun) relent() {
	zones := lists.NewGroups(r.mesh.real)
	u := r.solver.u
	for v := range int32(r.mesh.real) {
		for _, j := range r.mesh.around.Of(v) {
			if u[v] != (r3.Vec{}) && u[j] != (r3.Vec{}) {
				zones.Join(v, j)
			}
		}
	}
	for k := range r.rows {
		zones.Join(r.rows[k].v[:]...)
	}
	balance := make([]int, r.mesh.real) // crossings now less those as given, by zone
	weigh := func(pairs [][2]int32, by int) {
		for _, pair := range pairs {
			a, b := r.mesh.tri[pair[0]], r.mesh.tri[pair[1]]
			zones.Join(a[0], a[1], a[2], b[0], b[1], b[2])
		}
		for _, pair := range pairs {
			balance[zones.Of(r.mesh.tri[pair[0]][0])] += by
		}
	}
	weigh(r.given, 0)
	weigh(r.pairs, 1)
	weigh(r.given, -1)
	worse := false
	for v := range int32(r.mesh.real) {
		if balance[v] > 0 && zones.Of(v) == v {
			r.stats.Relented++
			worse = true
		}
	}
	if !worse {
		return
	}
	for v := range u {
		if balance[zones.Of(int32(v))] > 0 {
			u[v] = r3.Vec{}
		}
	}
	r.settle()
}

// left returns how much is left to clear: what crosses or is inside, and then the share of vertices that are too near,
// as far as it is more than it may be.
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
