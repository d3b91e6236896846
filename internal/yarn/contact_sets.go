package yarn

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

const (
	padding      = 3   // points around those that touch (alpha of [Kaldor10])
	maxPadding   = 6   // when there are more, the set shrinks
	separation   = 2.1 // a set is dropped when its least distance exceeds this, over the radius
	maxPoints    = 64  // of a segment, because a row of pairs is a word
	largeSet     = 36  // pairs of segments
	exploreGrain = 64
	setGrain     = 32
	noSet        = -1
)

// box is a rectangle in the plane of quadrature points: the points from iLo up to iHi of one yarn against those from
// jLo up to jHi.
type box struct{ iLo, iHi, jLo, jHi int32 }

func (a *box) overlaps(b *box) bool {
	return a.iLo < b.iHi && b.iLo < a.iHi && a.jLo < b.jHi && b.jLo < a.jHi
}

func (a *box) union(b *box) box {
	return box{min(a.iLo, b.iLo), max(a.iHi, b.iHi), min(a.jLo, b.jLo), max(a.jHi, b.jHi)}
}

func (a *box) contains(b *box) bool { return a.union(b) == *a }

// contactSet is one place where two yarns touch or nearly do.
type contactSet struct {
	box     box
	touched box // the points that touched when last looked at
	place   int // its first place in the gatherer
	state   setState
	least   float64                // square of the least distance when last looked at
	normal  float64                // sum of forces across the yarn [N]
	shares  [springsOfASet]float64 // of these, by quarters of what touches of the first yarn
	push    r3.Vec                 // net force on the first yarn [N]
	grip    grip
	model   model
}

type setState uint8

const (
	setSettled setState = iota
	setChanged          // its box is new
	setDead             // to be taken away
)

// contactSets keeps the pairs of points that touch in disjoint boxes ([Kaldor10], section 5).
type contactSets struct {
	c       *contacts
	list    []contactSet
	first   []int32 // of a segment: its first node, a set whose first range meets the segment
	nodes   []setNode
	scratch [][]r3.Vec // of a chunk of sets
	finds   []find

	renewed  bool // boxes have changed
	unplaced bool // and places in the gatherer have not

	exploreLoop, forceLoop func(lo, hi int)
}

type setNode struct{ set, next int32 }

// find is what was found in a due pair of segments: a box around the points that touch and belong to no set.
type find struct {
	box      box
	touching bool
}

func newContactSets(c *contacts) *contactSets {
	s := &contactSets{c: c, first: make([]int32, len(c.spline.control))}
	s.exploreLoop, s.forceLoop = s.exploreRange, s.forceRange
	s.reindex()
	return s
}

// padded returns a box with a margin all around, within its two yarns.
func (s *contactSets) padded(b box) box {
	iLo, iHi := s.c.extent(b.iLo)
	jLo, jHi := s.c.extent(b.jLo)
	return box{
		max(b.iLo-padding, iLo), min(b.iHi+padding, iHi), max(b.jLo-padding, jLo), min(b.jHi+padding, jHi),
	}
}

// extent returns the range of quadrature points of the yarn that one of them is on.
func (c *contacts) extent(point int32) (lo, hi int32) {
	span := &c.lay.spans[c.lay.yarn[point/int32(c.b)]]
	return int32(span.first * c.b), int32((span.first + span.segments()) * c.b)
}

// segments returns the segments of both sides of a box, ends included.
func (s *contactSets) segments(b *box) (a0, a1, b0, b1 int) {
	n := int32(s.c.b)
	return int(b.iLo / n), int((b.iHi - 1) / n), int(b.jLo / n), int((b.jHi - 1) / n)
}

// explore looks at all due pairs of segments for points that touch and belong to no set.
func (s *contactSets) explore(team *par.Team) {
	due := s.c.schedule.due
	if cap(s.finds) < len(due) {
		s.finds = make([]find, len(due)+len(due)/4)
	}
	s.finds = s.finds[:len(due)]
	team.For(len(due), exploreGrain, s.exploreLoop)
}

func (s *contactSets) exploreRange(lo, hi int) {
	due := s.c.schedule.due
	for i := lo; i < hi; i++ {
		var least float64
		least, s.finds[i] = s.uncovered(int(due[i].a), int(due[i].b))
		due[i].slack = least - s.c.diameter
	}
}

// uncovered returns the least distance of points of two segments that belong to no set, and those of them that touch.
func (s *contactSets) uncovered(a, b int) (least float64, f find) {
	c := s.c
	near := c.material.near(a, b)
	pa, pb := c.spline.at[a*c.b:(a+1)*c.b], c.spline.at[b*c.b:(b+1)*c.b]
	covered := s.covers(a, b)
	least = math.Inf(1)
	bar := least // pairs at least this far apart tell nothing new
	for i := range pa {
		lo, hi := 0, len(pb)
		if near {
			lo, hi = c.material.window(a, i, b)
		}
		taken := uint64(0)
		if covered {
			taken = s.covering(a, i, b)
		}
		p := pa[i]
		for j := lo; j < hi; j++ {
			q := &pb[j]
			x, y, z := p.X-q.X, p.Y-q.Y, p.Z-q.Z
			d2 := x*x + y*y + z*z
			if d2 >= bar || taken>>j&1 != 0 {
				continue
			}
			if d2 < least {
				least, bar = d2, larger(d2, c.diameter2)
			}
			if d2 < c.diameter2 {
				at := box{int32(a*c.b + i), int32(a*c.b + i + 1), int32(b*c.b + j), int32(b*c.b + j + 1)}
				if f.touching {
					at = f.box.union(&at)
				}
				f = find{at, true}
			}
		}
	}
	return math.Sqrt(least), f
}

// covers reports whether some set has points of both segments.
func (s *contactSets) covers(a, b int) bool {
	lo, hi := int32(b*s.c.b), int32((b+1)*s.c.b)
	for at := s.first[a]; at != noSet; at = s.nodes[at].next {
		if set := &s.list[s.nodes[at].set].box; set.jLo < hi && lo < set.jHi {
			return true
		}
	}
	return false
}

// covering returns which points of segment b belong to a set together with point i of segment a, as bits.
func (s *contactSets) covering(a, i, b int) uint64 {
	point, first := int32(a*s.c.b+i), int32(b*s.c.b)
	taken := uint64(0)
	for at := s.first[a]; at != noSet; at = s.nodes[at].next {
		set := &s.list[s.nodes[at].set].box
		if point < set.iLo || point >= set.iHi {
			continue
		}
		lo, hi := max(0, set.jLo-first), min(int32(s.c.b), set.jHi-first)
		if lo < hi {
			taken |= (^uint64(0) >> (maxPoints - (hi - lo))) << lo
		}
	}
	return taken
}

// coalesce makes sets of what was found, and gives all sets their places.
func (s *contactSets) coalesce() {
	for i := range s.finds {
		if !s.finds[i].touching {
			continue
		}
		s.list = append(s.list, contactSet{box: s.padded(s.finds[i].box), state: setChanged})
		// What is left of the pair is looked at when the set is there.
		s.c.schedule.due[i].slack = -1
		s.renewed = true
	}
	s.tidy()
	if s.unplaced {
		s.assign()
		s.unplaced = false
	}
}

// tidy merges sets that overlap and takes away those that have ended.
func (s *contactSets) tidy() {
	if !s.renewed {
		return
	}
	s.reindex()
	for i := range s.list {
		if s.list[i].state == setChanged {
			s.merge(int32(i))
		}
	}
	s.compact()
	s.reindex()
	s.renewed, s.unplaced = false, true
}

// reindex finds anew which sets meet a segment.
func (s *contactSets) reindex() {
	for i := range s.first {
		s.first[i] = noSet
	}
	s.nodes = s.nodes[:0]
	for i := range s.list {
		s.enter(int32(i))
	}
}

func (s *contactSets) enter(set int32) {
	a0, a1, _, _ := s.segments(&s.list[set].box)
	for a := a0; a <= a1; a++ {
		s.nodes = append(s.nodes, setNode{set, s.first[a]})
		s.first[a] = int32(len(s.nodes) - 1)
	}
}

// merge joins a set with all others that overlap it, until none does. The older one goes on.
func (s *contactSets) merge(i int32) {
	for {
		other := s.overlapping(i)
		if other == noSet {
			return
		}
		keep, drop := &s.list[min(i, other)], &s.list[max(i, other)]
		keep.box = keep.box.union(&drop.box)
		if drop.touched != (box{}) { // which guards have yet to hear of
			if keep.touched == (box{}) {
				keep.touched, keep.least = drop.touched, drop.least
			} else {
				keep.touched, keep.least = keep.touched.union(&drop.touched), min(keep.least, drop.least)
			}
		}
		keep.state, drop.state = setChanged, setDead
		i = min(i, other)
		s.enter(i)
	}
}

// overlapping returns the first set that overlaps another.
func (s *contactSets) overlapping(i int32) int32 {
	set, found := &s.list[i].box, int32(noSet)
	a0, a1, _, _ := s.segments(set)
	for a := a0; a <= a1; a++ {
		for at := s.first[a]; at != noSet; at = s.nodes[at].next {
			o := s.nodes[at].set
			if o != i && s.list[o].state != setDead && s.list[o].box.overlaps(set) && (found == noSet || o < found) {
				found = o
			}
		}
	}
	return found
}

// compact takes the dead sets out and frees what they hold.
func (s *contactSets) compact() {
	alive := 0
	for i := range s.list {
		set := &s.list[i]
		if set.state == setDead {
			s.c.models.release(&set.model)
			continue
		}
		if set.state == setChanged {
			s.c.models.release(&set.model)
			set.state = setSettled
		}
		if alive != i {
			s.list[alive] = *set
		}
		alive++
	}
	clear(s.list[alive:])
	s.list = s.list[:alive]
}

// assign gives every set its places in the gatherer: one for each control point of each side, along the yarn.
func (s *contactSets) assign() {
	g := s.c.gather
	g.begin()
	for i := range s.list {
		set := &s.list[i]
		set.place = len(g.point)
		a0, a1, b0, b1 := s.segments(&set.box)
		g.point = s.appendControl(g.point, a0, a1)
		g.point = s.appendControl(g.point, b0, b1)
		s.c.models.reserve(set, len(g.point)-set.place)
	}
	g.index()
	for len(s.scratch)*setGrain < len(s.list) {
		s.scratch = append(s.scratch, nil)
	}
}

func (s *contactSets) appendControl(points []int32, from, to int) []int32 {
	for a := from; a < to; a++ {
		points = append(points, s.c.spline.control[a][0])
	}
	return append(points, s.c.spline.control[to][:]...)
}

// places returns the places of both sides of a set.
func (s *contactSets) places(set *contactSet) (a, b []r3.Vec) {
	a0, a1, b0, b1 := s.segments(&set.box)
	first := s.c.gather.forces[set.place:]
	return first[:a1-a0+4], first[a1-a0+4 : a1-a0+b1-b0+8]
}

func (s *contactSets) forceRange(lo, hi int) {
	for i := lo; i < hi; i++ {
		set := &s.list[i]
		if s.c.opt.Mode == ContactLinear {
			s.c.models.force(set, lo/setGrain)
		} else {
			s.exact(set, lo/setGrain)
		}
		if s.c.opt.Friction > 0 {
			s.hold(set)
		}
	}
}

// exact computes the exact force of a set, which is in the given chunk of sets.
func (s *contactSets) exact(set *contactSet, chunk int) {
	a0, a1, b0, b1 := s.segments(&set.box)
	p := patch{box: set.box, a: a0, b: b0, least: math.Inf(1)}
	p.onA, p.onB = s.places(set)
	clear(p.onA)
	clear(p.onB)
	if s.c.opt.Friction > 0 {
		p.rowsA, p.rowsB = s.rows(set, chunk)
	}
	if s.whole(a0, a1, b0, b1) {
		s.c.force(&p)
	} else {
		s.exactParts(&p, a1, b1)
	}
	set.least, set.touched, set.push, set.normal = p.least, p.touched, p.push, 0
	if p.rowsA != nil {
		set.normal = max(s.divide(set, p.rowsA), s.across(b0, p.rowsB))
	}
}

// whole reports whether a set between these segments is done in one piece: if it is small and no points are too near
// along their yarn to touch.
func (s *contactSets) whole(a0, a1, b0, b1 int) bool {
	if (a1-a0+1)*(b1-b0+1) > largeSet || a1 >= b0 {
		return false
	}
	for a := a0; a <= a1; a++ {
		if s.c.material.near(a, b0) || s.c.material.near(a, b1) {
			return false
		}
	}
	return true
}

// exactParts is exact for one pair of segments after another. In large sets, where yarns run along each other, it
// passes over most of them; their distance is beyond separation then.
func (s *contactSets) exactParts(p *patch, a1, b1 int) {
	large := (a1-p.a+1)*(b1-p.b+1) > largeSet
	far := separation * s.c.opt.Radius
	for a := p.a; a <= a1; a++ {
		middleA, radiusA := s.c.sphere(a)
		for b := max(p.b, a+1); b <= b1; b++ {
			if large {
				middleB, radiusB := s.c.sphere(b)
				if middleA.Sub(middleB).Norm() > radiusA+radiusB+far {
					continue
				}
			}
			part := *p
			part.box = s.cut(&p.box, a, b)
			part.near, part.a, part.b = s.c.material.near(a, b), a, b
			part.onA, part.onB = p.onA[a-p.a:], p.onB[b-p.b:]
			if p.rowsA != nil {
				part.rowsA, part.rowsB = p.rowsA[(a-p.a)*s.c.b:], p.rowsB[(b-p.b)*s.c.b:]
			}
			s.c.force(&part)
			p.least, p.touched, p.push = part.least, part.touched, part.push
		}
	}
}

// sphere returns middle and radius of a sphere around the quadrature points of a segment.
func (c *contacts) sphere(segment int) (middle r3.Vec, radius float64) {
	points := c.spline.at[segment*c.b : (segment+1)*c.b]
	middle = points[c.b/2]
	for _, p := range points {
		radius = larger(radius, p.Sub(middle).Norm2())
	}
	return middle, math.Sqrt(radius)
}

// cut returns the part of a box that is in two segments.
func (s *contactSets) cut(whole *box, a, b int) box {
	n := int32(s.c.b)
	return box{
		max(whole.iLo, int32(a)*n), min(whole.iHi, int32(a+1)*n),
		max(whole.jLo, int32(b)*n), min(whole.jHi, int32(b+1)*n),
	}
}

// adapt gives sets new boxes where contact has come to their edge or left much of them, and ends those that have come
// apart. Pairs of segments that lose their cover are looked at in the next step.
func (s *contactSets) adapt() {
	far := separation * s.c.opt.Radius
	for i := range s.list {
		set := &s.list[i]
		switch {
		case set.touched != box{}:
			want := s.fitted(set)
			if want == set.box {
				continue
			}
			if !want.contains(&set.box) {
				s.uncover(set)
			}
			set.box, set.state = want, setChanged
		case set.least > far*far:
			s.uncover(set)
			set.state = setDead
		default:
			continue
		}
		s.renewed = true
	}
	s.tidy()
}

// fitted returns the box that a set should have for what touches now. A side changes only when contact has reached
// it or is far from it, so that contacts that move do not change all the time.
func (s *contactSets) fitted(set *contactSet) box {
	if set.touched == (box{}) {
		return set.box
	}
	want, now, touched := s.padded(set.touched), set.box, &set.touched
	keep := func(margin int32) bool { return margin > 0 && margin <= maxPadding }
	if keep(touched.iLo - now.iLo) {
		want.iLo = now.iLo
	}
	if keep(now.iHi - touched.iHi) {
		want.iHi = now.iHi
	}
	if keep(touched.jLo - now.jLo) {
		want.jLo = now.jLo
	}
	if keep(now.jHi - touched.jHi) {
		want.jHi = now.jHi
	}
	return want
}

func (s *contactSets) uncover(set *contactSet) {
	a0, a1, b0, b1 := s.segments(&set.box)
	for a := a0; a <= a1; a++ {
		for b := max(b0, a+1); b <= b1; b++ {
			s.c.schedule.doubt(int32(a), int32(b))
		}
	}
}

// count adds up what the sets did in a step.
func (s *contactSets) count(stats *ContactStats) {
	stats.Sets = len(s.list)
	least := s.c.diameter2
	for i := range s.list {
		set := &s.list[i]
		least = min(least, set.least)
		stats.Force += set.push.Norm()
		if set.model.built {
			stats.Updates++
		}
	}
	stats.Closest = math.Sqrt(least) / s.c.diameter
}

// clear takes all sets away.
func (s *contactSets) clear() {
	for i := range s.list {
		s.list[i].state = setDead
	}
	s.compact()
	s.reindex()
	s.renewed, s.unplaced = false, true
}
