package untangle

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// spaceReach finds ways along edges from some vertices, the nearest first [Dijkstra59]. Sources may be added later:
// then only what becomes nearer is visited.
type spaceReach struct {
	dist  []float64 // by vertex [m]; infinite where not reached
	mark  []int32   // vertices reached
	queue []reachStep
}

type reachStep struct {
	d float64
	v int32
}

func newSpaceReach(vertices int) *spaceReach {
	r := &spaceReach{dist: make([]float64, vertices)}
	for i := range r.dist {
		r.dist[i] = math.Inf(1)
	}
	return r
}

// forget makes all vertices unreached.
func (r *spaceReach) forget() {
	for _, v := range r.mark {
		r.dist[v] = math.Inf(1)
	}
	r.mark, r.queue = r.mark[:0], r.queue[:0]
}

// from makes v a source.
func (r *spaceReach) from(v int32) { r.offer(0, v) }

// offer takes a way of length d to v, if it is the shortest so far.
func (r *spaceReach) offer(d float64, v int32) {
	if d >= r.dist[v] {
		return
	}
	if math.IsInf(r.dist[v], 1) {
		r.mark = append(r.mark, v)
	}
	r.dist[v] = d
	q := append(r.queue, reachStep{d, v})
	for i := len(q) - 1; i > 0 && q[i].d < q[(i-1)/2].d; i = (i - 1) / 2 {
		q[i], q[(i-1)/2] = q[(i-1)/2], q[i]
	}
	r.queue = q
}

// next takes the nearest step from the queue.
func (r *spaceReach) next() reachStep {
	q := r.queue
	top := q[0]
	q[0] = q[len(q)-1]
	q = q[:len(q)-1]
	for i := 0; ; {
		k := 2*i + 1
		if k+1 < len(q) && q[k+1].d < q[k].d {
			k++
		}
		if k >= len(q) || q[i].d <= q[k].d {
			break
		}
		q[i], q[k] = q[k], q[i]
		i = k
	}
	r.queue = q
	return top
}

// spread follows the edges of a mesh whose vertices are at x, to all that is nearer than limit [m], and keeps what is
// beyond, so that more sources or a further limit go on from there. Distances do not depend on the order of steps;
// those of limit and more are not the shortest yet.
func (r *spaceReach) spread(m *spaceMesh, x []r3.Vec, limit float64) {
	for len(r.queue) > 0 && r.queue[0].d < limit {
		top := r.next()
		if top.d > r.dist[top.v] {
			continue
		}
		for _, j := range m.around.Of(top.v) {
			r.offer(top.d+x[j].Sub(x[top.v]).Norm(), j)
		}
	}
}
