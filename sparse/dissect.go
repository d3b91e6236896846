// Nested dissection of the block graph by level sets, after [George73] and [GeorgeLiu78].
//
// A set of nodes is cut by a breadth-first search from a far end: of the levels near the middle the
// smallest becomes the separator, less its nodes that touch only the near side. Levels touch only
// their neighbours, so what lies before and behind the separator is not coupled. A set that falls
// into pieces needs no case of its own: the search goes on in the next piece with the next level.
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
	level []int32
	queue []int32
}

func newDissection(a *BSR) *dissection {
	d := &dissection{
		a: a, order: make([]int32, a.N), set: make([]int32, a.N),
		level: make([]int32, a.N), queue: make([]int32, 0, a.N),
	}
	for i := range d.order {
		d.order[i] = int32(i)
	}
	return d
}

// split reorders the range [lo, hi) of order into near part, far part and separator, which begin at
// lo, mid and sep. It returns false if the set has no useful cut.
func (d *dissection) split(lo, hi int) (mid, sep int, ok bool) {
	nodes := d.order[lo:hi]
	d.sets++
	for _, v := range nodes {
		d.set[v] = d.sets
	}
	start := nodes[0]
	for range 2 {
		d.search(nodes, start)
		start = d.queue[len(d.queue)-1]
	}
	levels := d.search(nodes, start)
	cut, ok := d.chooseLevel(levels, len(nodes))
	if !ok {
		return 0, 0, false
	}
	return d.partition(lo, hi, cut)
}

// search fills queue with the nodes in the order of a breadth-first search and level with their
// levels; it returns the number of levels.
func (d *dissection) search(nodes []int32, start int32) int32 {
	for _, v := range nodes {
		d.level[v] = -1
	}
	d.queue = d.queue[:0]
	last := int32(-1)
	rest := nodes
	for v := start; ; {
		last++
		d.level[v] = last
		head := len(d.queue)
		d.queue = append(d.queue, v)
		for ; head < len(d.queue); head++ {
			u := d.queue[head]
			last = d.level[u]
			for _, w := range d.a.Col[d.a.Start[u]:d.a.Start[u+1]] {
				if d.set[w] == d.sets && d.level[w] < 0 {
					d.level[w] = last + 1
					d.queue = append(d.queue, w)
				}
			}
		}
		for len(rest) > 0 && d.level[rest[0]] >= 0 {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return last + 1
		}
		v = rest[0]
	}
}

// chooseLevel returns the smallest level that leaves at least a third of the nodes on either side,
// or the middle one if no level does.
func (d *dissection) chooseLevel(levels int32, n int) (int32, bool) {
	if levels < 3 {
		return 0, false
	}
	best, bestSize := int32(-1), n
	middle := d.level[d.queue[n/2]]
	for at := 0; at < n; {
		l := d.level[d.queue[at]]
		end := at
		for end < n && d.level[d.queue[end]] == l {
			end++
		}
		if at >= n/3 && n-end >= n/3 && end-at < bestSize {
			best, bestSize = l, end-at
		}
		at = end
	}
	if best < 0 {
		best = min(max(middle, 1), levels-2)
	}
	return best, true
}

func (d *dissection) partition(lo, hi int, cut int32) (mid, sep int, ok bool) {
	const near, far, between = 0, 1, 2
	side := func(v int32) int {
		switch l := d.level[v]; {
		case l < cut:
			return near
		case l > cut:
			return far
		}
		for _, w := range d.a.Col[d.a.Start[v]:d.a.Start[v+1]] {
			if d.set[w] == d.sets && d.level[w] == cut+1 {
				return between
			}
		}
		return near
	}
	at := lo
	for which := near; which <= between; which++ {
		for _, v := range d.queue {
			if side(v) == which {
				d.order[at] = v
				at++
			}
		}
		switch which {
		case near:
			mid = at
		case far:
			sep = at
		}
	}
	return mid, sep, mid > lo && sep > mid
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
