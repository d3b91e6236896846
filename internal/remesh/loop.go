package remesh

import (
	"cmp"
	"slices"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/mesh"
)

// The loop of [Narain12]: flip what misses the Delaunay condition in the metric; split what is longer than 1, the
// longest first, and collapse what can be without an edge becoming longer than longMost, both with flips around each.
//
// Departure: we refuse flips that make an edge longer than 1 of one that is not, and collapses after which a size would
// be measured that asks for a split, so that a sheet at rest comes to rest in its mesh too.
//
// Scans run on several workers and write one flag for each side or vertex; operations are done one after another, in an
// order that follows from sizes and numbers alone.

const (
	scanGrain = 256
	rounds    = 24 // of splits or collapses in one call at most; sizes halve in each
)

// loop runs the operations on a change.
type loop struct {
	*change
	team    *par.Team
	flag    []float64 // by side or vertex: what a scan has found
	from    []int32   // by vertex: the side that it would be collapsed along
	queue   []int32   // sides to look at for flips
	touched []bool    // by vertex: an operation has changed something around it since the last scan for collapses
	order   []wanted
	stars   []scan // by chunk

	flipBody, splitBody, collapseBody func(lo, hi int)
}

type scan struct{ star []int32 }

// wanted is an operation to do: the more urgent has the smaller key.
type wanted struct {
	key float64
	at  int32 // side or vertex
	v   [2]int32
}

func (l *loop) prepare() {
	if l.flipBody == nil {
		l.flipBody, l.splitBody, l.collapseBody = l.scanFlips, l.scanSplits, l.scanCollapses
	}
}

func (l *loop) run() {
	l.prepare()
	l.touched = l.touched[:0]
	l.flipAll()
	for range rounds {
		if !l.splitAll() {
			break
		}
	}
	l.touched = resize(l.touched, l.edit.Verts())
	for i := range l.touched {
		l.touched[i] = true
	}
	for range rounds {
		if !l.collapseAll() {
			break
		}
	}
}

// first reports whether a side stands for its edge: the first of the two, of a triangle that is there.
func (l *loop) first(side int32) bool {
	return l.edit.Tri[side/3][0] != mesh.None && l.edit.Twin(side) < side
}

func (l *loop) scanFlips(lo, hi int) {
	for s := lo; s < hi; s++ {
		l.flag[s] = 0
		if side := int32(s); l.first(side) && l.wantsFlip(side, turnedAll) {
			l.flag[s] = 1
		}
	}
}

func (l *loop) flipAll() {
	n := 3 * len(l.edit.Tri)
	l.flag = resize(l.flag, n)
	l.team.For(n, scanGrain, l.flipBody)
	l.queue = l.queue[:0]
	for s := n - 1; s >= 0; s-- { // taken from the end
		if l.flag[s] != 0 {
			l.queue = append(l.queue, int32(s))
		}
	}
	l.flipQueue()
}

// flipQueue flips the sides of the queue and those around that want it then.
func (l *loop) flipQueue() {
	// Each flip of a Delaunay algorithm in one metric makes progress; with a metric that varies it may not, so there is
	// an end.
	for left := 16*len(l.queue) + 64; len(l.queue) > 0 && left > 0; left-- {
		side := l.queue[len(l.queue)-1]
		l.queue = l.queue[:len(l.queue)-1]
		if l.edit.Tri[side/3][0] == mesh.None || !l.wantsFlip(side, turnedNear) {
			continue
		}
		if why := l.flip(side); why != allowed {
			l.refuse(why)
			continue
		}
		l.lookAround()
	}
	l.queue = l.queue[:0]
}

// lookAround puts the sides of the triangles of the last operation in the queue.
func (l *loop) lookAround() {
	for _, t := range l.tris {
		for k := range int32(3) {
			l.queue = append(l.queue, 3*t+k)
			if v := l.edit.Tri[t][k]; int(v) < len(l.touched) {
				l.touched[v] = true
			}
		}
	}
}

func (l *loop) scanSplits(lo, hi int) {
	for s := lo; s < hi; s++ {
		l.flag[s] = 0
		if side := int32(s); l.first(side) {
			if size := l.size2(side); size > 1 {
				l.flag[s] = size
			}
		}
	}
}

// splitAll splits the edges that are too long, and reports whether there were any.
func (l *loop) splitAll() bool {
	n := 3 * len(l.edit.Tri)
	l.flag = resize(l.flag, n)
	l.team.For(n, scanGrain, l.splitBody)
	l.order = l.order[:0]
	for s, size := range l.flag {
		if size > 0 {
			a, b := l.edit.Ends(int32(s))
			l.order = append(l.order, wanted{-size, int32(s), [2]int32{a, b}})
		}
	}
	l.sort()
	before := l.counts.Splits
	for i := range l.order {
		w := &l.order[i]
		// An operation before may have taken the edge away; it is looked for again in the next round.
		if l.edit.Tri[w.at/3][0] == mesh.None {
			continue
		}
		if a, b := l.edit.Ends(w.at); a != w.v[0] || b != w.v[1] || l.size2(w.at) <= 1 {
			continue
		}
		if why := l.split(w.at); why != allowed {
			l.refuse(why)
			continue
		}
		l.queue = l.queue[:0]
		l.lookAround()
		l.flipQueue()
	}
	return l.counts.Splits > before
}

func (l *loop) sort() {
	slices.SortFunc(
		l.order,
		func(a, b wanted) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at)) },
	)
}

// scanCollapses finds the shortest side at each vertex along which it could be collapsed, as far as sizes and creases
// tell.
func (l *loop) scanCollapses(lo, hi int) {
	k := &l.stars[lo/scanGrain]
	for i := lo; i < hi; i++ {
		v := int32(i)
		l.flag[i], l.from[i] = 0, mesh.None
		if !l.touched[v] || !l.edit.Has(v) || l.keep[v] || l.edit.Pinched(v) {
			continue
		}
		k.star = l.edit.Star(v, k.star)
		l.from[i], l.flag[i] = l.shortest(v, k.star)
	}
}

// shortest returns the shortest side at v that could be collapsed, and its size squared.
func (l *loop) shortest(v int32, star []int32) (side int32, size2 float64) {
	side, size2 = mesh.None, longMost*longMost
	try := func(s int32) {
		if size := l.size2(s); size < size2 {
			f := l.plan(v, s)
			if l.short(&f, star) && l.straightThrough(&f, star) && l.shapely(&f, star) {
				side, size2 = s, size
			}
		}
	}
	for _, c := range star {
		try(3*(c/3) + (c%3+2)%3)
	}
	if last := star[len(star)-1]; l.edit.Twin(3*(last/3)+(last%3+1)%3) == mesh.None {
		try(3*(last/3) + (last%3+1)%3)
	}
	return side, size2
}

// collapseAll collapses what can be, and reports whether there was anything.
func (l *loop) collapseAll() bool {
	n := l.edit.Verts()
	// scan of all vertices, in chunks
	l.flag, l.from = resize(l.flag, n), resize(l.from, n)
	for len(l.stars)*scanGrain < n {
		l.stars = append(l.stars, scan{})
	}
	l.team.For(n, scanGrain, l.collapseBody)
	// collapses that are wanted, in order
	clear(l.touched)
	l.order = l.order[:0]
	for v, side := range l.from {
		if side != mesh.None {
			l.order = append(l.order, wanted{key: l.flag[v], at: int32(v)})
		}
	}
	l.sort()
	before := l.counts.Collapses
	// each, if it is still wanted after those before
	for i := range l.order {
		v := l.order[i].at
		if !l.edit.Has(v) {
			continue
		}
		l.star = l.edit.Star(v, l.star)
		side, _ := l.shortest(v, l.star)
		if side == mesh.None {
			continue
		}
		if why := l.collapse(v, side, true); why != allowed {
			l.refuse(why)
			continue
		}
		// flips around it
		l.queue = l.queue[:0]
		l.lookAround()
		l.flipQueue()
	}
	return l.counts.Collapses > before
}
