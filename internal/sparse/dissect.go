// Nested dissection of the block graph, [George73], by graph distances.
//
// A set of nodes is cut in two by a field made of distances from four poles: two far ends 1 and 2,
// the node 3 that is farthest from both, and the node 4 that is farthest from those three. The
// candidates are
//
//	d1,   d2,   d3,   d1 - d2 + d3 - d4,   d1 - d2 - d3 + d4,
//
// cut at the value nearest to the median; the nodes on one side that touch the other are the
// separator. The smallest separator is taken. On a rectangle the poles are the corners: the first
// three candidates are the level sets of [GeorgeLiu78], the others cut straight across. A set in
// several pieces needs no case of its own: a search goes on in the next piece, farther away.
//
// The result depends on the pattern only. Invariant: nodes of the two parts of a cut are never
// coupled.

package sparse

import "slices"

// dissection cuts the graph of a matrix; order is the permutation in the making.
type dissection struct {
	a     *BSR
	order []int32 // all nodes; a set is a range of it
	set   []int32 // which set a node is in at the moment
	sets  int32   // sets so far
	dist  [4][]int32
	field []int32
	side  []uint8
	best  []uint8
	queue []int32
	count []int32
}

const (
	near = iota
	far
	between
)

func newDissection(a *BSR) *dissection {
	d := &dissection{
		a: a, order: make([]int32, a.N), set: make([]int32, a.N), field: make([]int32, a.N),
		side: make([]uint8, a.N), best: make([]uint8, a.N), queue: make([]int32, 0, a.N),
	}
	for i := range d.dist {
		d.dist[i] = make([]int32, a.N)
	}
	for i := range d.order {
		d.order[i] = int32(i)
	}
	return d
}

// fields are the weights of the distances from the poles in the candidates for a cut.
var fields = [...][4]int32{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {1, -1, 1, -1}, {1, -1, -1, 1}}

// split reorders the range [lo, hi) of order into near part, far part and separator, which begin at
// lo, mid and sep. It returns false if the set has no useful cut.
func (d *dissection) split(lo, hi int) (mid, sep int, ok bool) {
	// mark the set
	nodes := d.order[lo:hi]
	d.sets++
	for _, v := range nodes {
		d.set[v] = d.sets
	}
	// distances from the four poles
	d.search(nodes, nodes[0], d.dist[0])
	d.search(nodes, d.queue[len(d.queue)-1], d.dist[0])
	d.search(nodes, d.queue[len(d.queue)-1], d.dist[1])
	d.search(nodes, d.farthest(nodes, 2), d.dist[2])
	d.search(nodes, d.farthest(nodes, 3), d.dist[3])
	// the candidate with the smallest separator
	best := len(nodes)
	for _, c := range fields {
		for _, v := range nodes {
			d.field[v] = c[0]*d.dist[0][v] + c[1]*d.dist[1][v] + c[2]*d.dist[2][v] + c[3]*d.dist[3][v]
		}
		if size := d.cut(nodes); size < best {
			best = size
			for _, v := range nodes {
				d.best[v] = d.side[v]
			}
		}
	}
	// no cut, or parts in their order
	if best == len(nodes) {
		return 0, 0, false
	}
	return d.partition(lo, nodes)
}

// search fills dist with the distances from start, and queue with the nodes in ascending distance.
func (d *dissection) search(nodes []int32, start int32, dist []int32) {
	// no node has been reached
	for _, v := range nodes {
		dist[v] = -1
	}
	d.queue = d.queue[:0]
	rest := nodes
	last := int32(-1)
	// breadth first; a further piece begins where the last ended
	for v := start; ; v = rest[0] {
		dist[v] = last + 1
		head := len(d.queue)
		d.queue = append(d.queue, v)
		for ; head < len(d.queue); head++ {
			u := d.queue[head]
			last = dist[u]
			for _, w := range d.a.Col[d.a.Start[u]:d.a.Start[u+1]] {
				if d.set[w] == d.sets && dist[w] < 0 {
					dist[w] = last + 1
					d.queue = append(d.queue, w)
				}
			}
		}
		// the next piece
		for len(rest) > 0 && dist[rest[0]] >= 0 {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return
		}
	}
}

// farthest returns the first node with the largest distance from the nearest of the first poles.
func (d *dissection) farthest(nodes []int32, poles int) int32 {
	best, far := nodes[0], int32(-1)
	for _, v := range nodes {
		m := d.dist[0][v]
		for _, dist := range d.dist[1:poles] {
			m = min(m, dist[v])
		}
		if m > far {
			best, far = v, m
		}
	}
	return best
}

// cut divides the nodes into sides by the field, and returns the size of the separator; it is
// len(nodes) if there is no cut.
func (d *dissection) cut(nodes []int32) int {
	lowest, highest := d.field[nodes[0]], d.field[nodes[0]]
	for _, v := range nodes {
		lowest, highest = min(lowest, d.field[v]), max(highest, d.field[v])
	}
	if lowest == highest {
		return len(nodes)
	}
	// The threshold is the value at which the near side comes closest to half of the nodes.
	d.count = slices.Grow(d.count[:0], int(highest-lowest)+1)[:highest-lowest+1]
	clear(d.count)
	for _, v := range nodes {
		d.count[d.field[v]-lowest]++
	}
	threshold, sum, miss := lowest, 0, len(nodes)
	for i, c := range d.count[:len(d.count)-1] {
		sum += int(c)
		if m := max(2*sum-len(nodes), len(nodes)-2*sum); m < miss {
			threshold, miss = lowest+int32(i), m
		}
	}
	parts := [3]int{}
	for _, v := range nodes {
		d.side[v] = far
		if d.field[v] <= threshold {
			d.side[v] = near
		}
	}
	// Both layers along the cut would do; take the smaller.
	layer := [2]int{}
	for _, v := range nodes {
		if d.touches(v, 1-d.side[v]) {
			layer[d.side[v]]++
		}
	}
	from := uint8(near)
	if layer[far] < layer[near] {
		from = far
	}
	for _, v := range nodes {
		if d.side[v] == from && d.touches(v, 1-from) {
			d.side[v] = between
		}
	}
	for _, v := range nodes {
		parts[d.side[v]]++
	}
	if parts[near] == 0 || parts[far] == 0 {
		return len(nodes)
	}
	return parts[between]
}

// touches reports whether v is coupled with a node of its set on the given side.
func (d *dissection) touches(v int32, side uint8) bool {
	for _, w := range d.a.Col[d.a.Start[v]:d.a.Start[v+1]] {
		if d.set[w] == d.sets && d.side[w] == side {
			return true
		}
	}
	return false
}

// partition writes the nodes back to order by their best sides, in the order of the last search.
func (d *dissection) partition(lo int, nodes []int32) (mid, sep int, ok bool) {
	at := lo
	starts := [3]int{}
	for which := range uint8(3) {
		starts[which] = at
		for _, v := range d.queue[:len(nodes)] {
			if d.best[v] == which {
				d.order[at] = v
				at++
			}
		}
	}
	return starts[far], starts[between], true
}

// nestedDissection returns a fill-reducing order: order[k] is the node that comes k-th. Sets of at
// most leaf nodes are not cut further.
func nestedDissection(a *BSR, leaf int) []int32 {
	d := newDissection(a)
	type span struct{ lo, hi int }
	todo := []span{{0, a.N}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.hi-s.lo <= leaf {
			continue
		}
		if mid, sep, ok := d.split(s.lo, s.hi); ok {
			todo = append(todo, span{s.lo, mid}, span{mid, sep})
		}
	}
	return d.order
}

// domains is an order of the unknowns for parallel elimination: domain d is the range
// [start[d], start[d+1]) of order; domains are not coupled with each other. What is left from
// start[len-1] on are the separators, to be eliminated one after the other.
type domains struct {
	order []int32
	start []int32
}

// newDomains cuts the graph depth times, into at most 2^depth domains. Inside a domain, and among
// the separators of one depth, the nodes keep their order; deeper separators come first.
func newDomains(a *BSR, depth int) domains {
	d := newDissection(a)
	type span struct{ lo, hi int }
	leaves := []span{{0, a.N}}
	var separators []span // shallow first
	for range depth {
		var next []span
		for _, s := range leaves {
			mid, sep, ok := 0, 0, false
			if s.hi > s.lo {
				mid, sep, ok = d.split(s.lo, s.hi)
			}
			if !ok {
				next = append(next, s)
				continue
			}
			next = append(next, span{s.lo, mid}, span{mid, sep})
			separators = append(separators, span{sep, s.hi})
		}
		leaves = next
	}
	out := domains{order: make([]int32, 0, a.N), start: []int32{0}}
	for _, s := range leaves {
		at := len(out.order)
		out.order = append(out.order, d.order[s.lo:s.hi]...)
		slices.Sort(out.order[at:])
		out.start = append(out.start, int32(len(out.order)))
	}
	for i := len(separators) - 1; i >= 0; i-- {
		at := len(out.order)
		out.order = append(out.order, d.order[separators[i].lo:separators[i].hi]...)
		slices.Sort(out.order[at:])
	}
	return out
}

// cut returns the domains with one node of each pair that joins two of them among the separators, before the others.
func (d *domains) cut(pairs [][2]int32) domains {
	if len(pairs) == 0 || len(d.start) <= 2 {
		return *d
	}
	of := make([]int32, len(d.order)) // by node: its domain plus one, 0 for separators
	for k := range len(d.start) - 1 {
		for _, v := range d.order[d.start[k]:d.start[k+1]] {
			of[v] = int32(k) + 1
		}
	}
	var moved []int32
	for _, p := range pairs {
		if a, b := of[p[0]], of[p[1]]; a > 0 && b > 0 && a != b {
			of[p[1]] = 0
			moved = append(moved, p[1])
		}
	}
	if len(moved) == 0 {
		return *d
	}
	slices.Sort(moved)
	out := domains{order: make([]int32, 0, len(d.order)), start: []int32{0}}
	for k := range len(d.start) - 1 {
		for _, v := range d.order[d.start[k]:d.start[k+1]] {
			if of[v] > 0 {
				out.order = append(out.order, v)
			}
		}
		out.start = append(out.start, int32(len(out.order)))
	}
	out.order = append(out.order, moved...)
	out.order = append(out.order, d.order[d.separators():]...)
	return out
}
