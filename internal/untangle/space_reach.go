package untangle

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// spaceReach finds ways along edges from some vertices, roughly the nearest first. Sources may be added later: then
// only what becomes nearer is visited.
//
// Steps wait in buckets by their length, as in [Dial69], and a vertex to which a shorter way turns up within its bucket
// is visited again. The distance of a vertex is the least sum over all ways to it, added up from the source on; sums do
// not fall as ways get longer, even rounded, so that it does not depend on the order of visits, not by a bit.
type spaceReach struct {
	dist      []float64 // by vertex [m]; infinite where not reached
	mark      []int32   // vertices reached
	buckets   [][]reachStep
	first     int     // buckets before are empty
	perBucket float64 // buckets by length [1/m]
}

// reachStep is a vertex and the length of a way to it.
type reachStep struct {
	d float64
	v int32
}

// reachBuckets is how many buckets there may be; the last has all that is longer.
const reachBuckets = 4096

func newSpaceReach(vertices int) *spaceReach {
	r := &spaceReach{dist: make([]float64, vertices), buckets: make([][]reachStep, 1)}
	for i := range r.dist {
		r.dist[i] = math.Inf(1)
	}
	return r
}

// forget makes all vertices unreached, of a mesh with edges of about the given length [m].
func (r *spaceReach) forget(edge float64) {
	for _, v := range r.mark {
		r.dist[v] = math.Inf(1)
	}
	r.mark = r.mark[:0]
	for k := r.first; k < len(r.buckets); k++ {
		r.buckets[k] = r.buckets[k][:0]
	}
	r.first = 0
	r.perBucket = 1 / edge
	if math.IsInf(r.perBucket, 1) {
		r.perBucket = 0 // no edge has a length to tell ways by
	}
}

// from makes v a source.
func (r *spaceReach) from(v int32) {
	r.first = 0
	r.offer(0, v)
}

// offer takes a way of length d to v, if it is the shortest so far.
func (r *spaceReach) offer(d float64, v int32) {
	if d >= r.dist[v] {
		return
	}
	if math.IsInf(r.dist[v], 1) {
		r.mark = append(r.mark, v)
	}
	r.dist[v] = d
	k := int(min(d*r.perBucket, reachBuckets-1))
	for k >= len(r.buckets) {
		r.buckets = append(r.buckets, nil)
	}
	r.buckets[k] = append(r.buckets[k], reachStep{d, v})
}

// spread follows the edges of a mesh whose vertices are at x, to all that is nearer than limit [m], and keeps what is
// beyond, so that more sources or a further limit go on from there. Distances of limit and more are not the shortest
// yet. Where there is an aim, ways that miss it are left out.
func (r *spaceReach) spread(m *spaceMesh, x []r3.Vec, limit float64, aim *spaceAim) {
	for ; r.first < len(r.buckets); r.first++ {
		beyond := 0
		for k := 0; k < len(r.buckets[r.first]); k++ { // it may grow meanwhile
			step := r.buckets[r.first][k]
			switch {
			case step.d > r.dist[step.v]:
				continue // there is a shorter way
			case step.d >= limit:
				r.buckets[r.first][beyond] = step
				beyond++
				continue
			}
			for _, j := range m.around.Of(step.v) {
				if r.dist[j] <= step.d {
					continue // as near already
				}
				d := step.d + x[j].Sub(x[step.v]).Norm()
				if d < r.dist[j] && (aim == nil || !aim.missed(d, x[j])) {
					r.offer(d, j)
				}
			}
		}
		r.buckets[r.first] = r.buckets[r.first][:beyond]
		if beyond > 0 {
			return
		}
	}
}

// spaceAim is a ball that ways shorter than a limit are to lead to.
type spaceAim struct {
	at     r3.Vec
	radius float64 // [m]
	limit  float64 // [m]
}

// aimSlack is by how much rounded lengths may be longer than they are, generously.
const aimSlack = 1e-9

// missed reports whether a way of length d to x cannot go on to a vertex of the ball within the limit: edges are not
// shorter than the straight line.
func (a *spaceAim) missed(d float64, x r3.Vec) bool {
	return d+x.Sub(a.at).Norm()-a.radius >= a.limit*(1+aimSlack) || d >= a.limit
}
