package yarn

import (
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

const (
	topLevel     = 8      // a pair is looked at after at most two to the power of this many steps
	cellWidth    = 4.8    // of the grid, over the radius
	cellMargin   = 0.25   // how far a segment moves before its cells change, over the radius
	firstFreedom = 0.0048 // freedom to begin with, over the radius (omega of [Kaldor10])
	leastFreedom = 1e-5   // and at least
	adjustLevel  = 5      // in whose turns the freedom is adjusted
	manyWakers   = 0.06   // of all segments in a step: there must be more freedom at once
	someWakers   = 0.005  // when it is time to
	fewWakers    = 0.001  // there may be less
	boundGrain   = 256    // segments of a chunk
	roundingSlop = 1e-9   // over the diameter: above what rounding can do to a distance
	splineGain   = 1.25   // the most that the sizes of the weights of control points sum up to
)

// schedule knows every pair of segments that share a cell of a grid, and looks at each only when its two segments could
// have come nearer than the diameter since the last time ([Kaldor10], section 5.2).
//
// An entry of level n is looked at in steps whose number is a multiple of two to the n. Its bound then loses what the
// two segments can have moved against each other since the last such step, whose positions are kept: so the bound
// holds whatever happens. Movement and its change tell up to which level that is sure to be in time; a segment whose
// change of movement leaves the range foreseen wakes all its entries at once. Both are those of a step of the longest
// length foreseen, so that steps may become shorter and, within that, longer.
type schedule struct {
	spline   *spline
	diameter float64
	grid     grid
	step     uint64
	reach    int     // the highest level whose turn it is in this step
	all      bool    // in this step every entry is looked at
	freedom  float64 // how much the change of movement may differ from what was foreseen [m]
	wakings  int     // since it was last adjusted
	pace     float64 // the longest step that is foreseen [s]
	scale    float64 // of this over the last step: at least one
	repaced  bool    // it has changed in this step
	drift    r3.Vec  // of the middle of the yarns in the last step

	cells    []cells                // of a segment: where the grid has it
	entries  [][]entry              // of a segment: its pairs with segments of higher number
	moved    [topLevel + 1][]r3.Box // of a level and a segment: movement since the last turn of the level
	foreseen []r3.Box               // of a segment: change of movement in a step
	soonest  []uint32               // of a segment: the least level of its entries
	room     []r3.Box               // of a segment: the space of its cells less the radius, about the grid's origin
	woken    []bool                 // segments whose entries are all to be looked at
	roamed   []bool                 // segments that change their cells in this step
	to       []cells                // the cells they change to

	kept     [topLevel + 2][]r3.Vec // positions of past steps
	keptAt   [topLevel + 1]int      // of a level: which of them
	movement []r3.Vec               // of a control point: how it would move in the longest step, less the drift
	expected []r3.Vec               // of a control point: change of its movement in a step
	strayed  []bool                 // control points whose change of movement has left that

	roamers, wakers []int32
	found           [][]pair    // of a chunk of roamers: pairs they make
	foundChunks     int         // how many chunks there are
	dueOf           [][]duePair // of a chunk of segments
	examined        []int       // of a chunk: entries looked at,
	tracked         []int       // and all
	due             []duePair   // of all chunks

	pos                               []r3.Vec
	pointLoop, boundLoop, meetLoop    func(lo, hi int)
	wakeLoop, examineLoop, settleLoop func(lo, hi int)
	trackedCount, examinedCount       int
}

// entry is a pair of segments, kept by the one of lower number.
type entry struct {
	slack float64 // bound on their distance, less the diameter [m]
	other int32
	level uint8
	state uint8
}

const (
	entryWaiting = iota
	entryWoken   // to be looked at now
	entryUnknown // the distance is to be computed now
)

type pair struct{ a, b int32 }

func comparePairs(p, q pair) int {
	if p.a != q.a {
		return int(p.a - q.a)
	}
	return int(p.b - q.b)
}

// duePair is an entry whose distance must be computed in this step.
type duePair struct {
	pair
	at    int32   // entry of segment a
	slack float64 // to be filled in: the distance less the diameter
}

func newSchedule(s *spline, radius float64) *schedule {
	n := len(s.control)
	c := &schedule{spline: s, diameter: 2 * radius}
	c.grid = grid{width: cellWidth * radius, slot: map[cell]int32{}}
	c.cells, c.to = make([]cells, n), make([]cells, n)
	c.entries = make([][]entry, n)
	c.foreseen = make([]r3.Box, n)
	c.woken, c.roamed = make([]bool, n), make([]bool, n)
	c.movement, c.expected, c.strayed = make([]r3.Vec, n), make([]r3.Vec, n), make([]bool, n)
	c.soonest, c.room = make([]uint32, n), make([]r3.Box, n)
	for l := range c.moved {
		c.moved[l] = make([]r3.Box, n)
	}
	for l := range c.kept {
		c.kept[l] = make([]r3.Vec, n)
	}
	chunks := (n + boundGrain - 1) / boundGrain
	c.found, c.dueOf = make([][]pair, chunks), make([][]duePair, chunks)
	c.examined, c.tracked = make([]int, chunks), make([]int, chunks)
	c.pointLoop, c.boundLoop, c.meetLoop = c.trackPoints, c.boundSegments, c.meet
	c.wakeLoop, c.examineLoop, c.settleLoop = c.wake, c.examine, c.settleRange
	c.forget()
	return c
}

// forget empties the schedule: the next step begins anew.
func (s *schedule) forget() {
	clear(s.grid.slot)
	s.grid.held, s.grid.free = s.grid.held[:0], s.grid.free[:0]
	for i := range s.entries {
		s.cells[i], s.to[i] = noCells, noCells
		s.room[i] = r3.EmptyBox()
		s.entries[i] = s.entries[i][:0]
	}
	s.step, s.wakings, s.pace = 0, 0, 0
	s.freedom = firstFreedom * s.diameter / 2
}

// advance takes the positions that a step of length h led to, and leaves in due, sorted, the pairs whose distance must
// be computed. The caller fills in their slack and calls settle.
func (s *schedule) advance(pos []r3.Vec, h float64, team *par.Team) {
	s.pos = pos
	s.begin()
	s.foresee(h)
	team.For(len(pos), 2048, s.pointLoop)
	team.For(len(pos), boundGrain, s.boundLoop)
	s.collect()
	team.For(len(s.roamers), boundGrain, s.meetLoop)
	s.enlist()
	if !s.all {
		team.For(len(s.wakers), 16, s.wakeLoop)
	}
	team.For(len(pos), boundGrain, s.examineLoop)
	s.due = s.due[:0]
	s.trackedCount, s.examinedCount = 0, 0
	for i, d := range s.dueOf {
		s.due = append(s.due, d...)
		s.trackedCount += s.tracked[i]
		s.examinedCount += s.examined[i]
	}
}

// begin finds which levels have their turn, and puts the grid on the middle of the yarns.
func (s *schedule) begin() {
	if s.step == 0 {
		for l := range s.keptAt {
			s.keptAt[l] = 0
		}
		copy(s.kept[0], s.pos)
		clear(s.movement)
		clear(s.foreseen)
		clear(s.expected)
	}
	s.reach = min(topLevel, bits.TrailingZeros64(s.step))
	const stride = 16
	var sum r3.Vec
	for i := 0; i < len(s.pos); i += stride {
		sum = sum.Add(s.pos[i])
	}
	origin := sum.Scale(1 / float64((len(s.pos)+stride-1)/stride))
	s.drift = origin.Sub(s.grid.origin)
	if s.step == 0 {
		s.drift = r3.Vec{}
	}
	s.grid.origin = origin
}

// foresee finds the longest step that is foreseen, when a step of length h has been made. All entries must be looked at
// when it changes.
func (s *schedule) foresee(h float64) {
	const spare, tooMuch = 1.25, 4
	s.repaced = h > s.pace || h > 0 && h*tooMuch < s.pace
	if s.repaced {
		s.pace = spare * h
	}
	s.scale = 1
	if h > 0 {
		s.scale = s.pace / h
	}
}

// trackPoints finds how points move, and which ones in another way than expected. How a point of a spline differs from
// what is foreseen is at most splineGain times the worst of its control points.
func (s *schedule) trackPoints(lo, hi int) {
	last := s.kept[s.keptAt[0]]
	limit := s.freedom / (2 * splineGain)
	for i := lo; i < hi; i++ {
		m := s.pos[i].Sub(last[i]).Sub(s.drift).Scale(s.scale)
		change := m.Sub(s.movement[i])
		if s.repaced { // they are of different lengths of step
			change = r3.Vec{}
		}
		s.movement[i] = m
		s.strayed[i] = s.repaced || change.Sub(s.expected[i]).MaxAbs() > limit
		if s.strayed[i] {
			s.expected[i] = change
		}
	}
}

// boundSegments finds cells and movement of segments, and which ones wake.
func (s *schedule) boundSegments(lo, hi int) {
	for i := lo; i < hi; i++ {
		if !s.spline.exists[i] {
			continue
		}
		control := &s.spline.control[i]
		p := gatherControl(control, s.pos)
		box := hull(&p)
		if !within(&box, &s.room[i], &s.grid.origin) {
			s.roamed[i] = true
			s.to[i] = s.grid.over(&box, s.diameter/2*(1+cellMargin))
			s.room[i] = s.grid.space(&s.to[i], s.diameter/2*(1+roundingSlop))
		}
		for l := 0; l <= s.reach; l++ {
			s.moved[l][i] = s.displacement(control, &p, l)
		}
		if s.strayed[control[0]] || s.strayed[control[1]] || s.strayed[control[2]] || s.strayed[control[3]] {
			s.woken[i] = true
			p = gatherControl(control, s.expected)
			s.foreseen[i] = hull(&p)
		}
	}
}

// within reports whether one box is in another one about an origin.
func within(a, b *r3.Box, origin *r3.Vec) bool {
	return a.Min.X-origin.X >= b.Min.X && a.Max.X-origin.X <= b.Max.X &&
		a.Min.Y-origin.Y >= b.Min.Y && a.Max.Y-origin.Y <= b.Max.Y &&
		a.Min.Z-origin.Z >= b.Min.Z && a.Max.Z-origin.Z <= b.Max.Z
}

// displacement returns a box around how the points of a segment moved since the last turn of a level.
func (s *schedule) displacement(control *[4]int32, p *[4]r3.Vec, level int) r3.Box {
	then := s.kept[s.keptAt[level]]
	d := [4]r3.Vec{
		p[0].Sub(then[control[0]]), p[1].Sub(then[control[1]]), p[2].Sub(then[control[2]]), p[3].Sub(then[control[3]]),
	}
	return hull(&d)
}

// collect lists the segments that change cells or woke, and moves them in the grid.
func (s *schedule) collect() {
	s.roamers, s.wakers = s.roamers[:0], s.wakers[:0]
	for i := range s.roamed {
		if s.roamed[i] {
			s.roamers = append(s.roamers, int32(i))
			s.grid.move(int32(i), &s.cells[i], &s.to[i])
		}
		if s.woken[i] {
			s.wakers = append(s.wakers, int32(i))
		}
	}
	s.foundChunks = (len(s.roamers) + boundGrain - 1) / boundGrain
	s.adjust()
}

// adjust finds how much freedom is best: with more, entries are looked at sooner, with less, segments wake more often.
// More of it makes all levels wrong that were found with less, so that every entry must be looked at.
func (s *schedule) adjust() {
	if s.repaced {
		s.all, s.wakings = true, 0
		return
	}
	n := float64(len(s.woken))
	s.wakings += len(s.wakers)
	often := float64(s.wakings) / n / (1 << adjustLevel)
	s.all = float64(len(s.wakers)) > manyWakers*n || s.reach >= adjustLevel && often > someWakers
	switch {
	case s.all:
		s.freedom *= 1.5
		s.wakings = 0
	case s.reach >= adjustLevel && s.step > 0:
		if often < fewWakers {
			s.freedom = max(s.freedom/1.5, leastFreedom*s.diameter/2)
		}
		s.wakings = 0
	}
}

// meet finds the pairs that roamers make with segments they shared no cell with before. A pair is found in the first
// cell of both, if that is new to the roamer; if it is new to both, by the one of lower number.
func (s *schedule) meet(lo, hi int) {
	found := s.found[lo/boundGrain][:0]
	for _, a := range s.roamers[lo:hi] {
		from, to := &s.cells[a], &s.to[a]
		for x := to.min.x; x <= to.max.x; x++ {
			for y := to.min.y; y <= to.max.y; y++ {
				for z := to.min.z; z <= to.max.z; z++ {
					if c := (cell{x, y, z}); !from.has(c) {
						found = s.meetIn(a, c, found)
					}
				}
			}
		}
	}
	s.found[lo/boundGrain] = found
}

func (s *schedule) meetIn(a int32, c cell, found []pair) []pair {
	for _, b := range s.grid.in(c) {
		if a == b || s.cells[a].intersects(&s.cells[b]) || firstCommon(&s.to[a], &s.to[b]) != c {
			continue
		}
		if b < a && s.roamed[b] && !s.cells[b].has(c) {
			continue
		}
		found = append(found, pair{min(a, b), max(a, b)})
	}
	return found
}

// enlist makes entries of the pairs found.
func (s *schedule) enlist() {
	for _, found := range s.found[:s.foundChunks] {
		for _, p := range found {
			s.soonest[p.a] = 0
			if e := s.find(p.a, p.b); e != nil {
				e.state = entryUnknown
				continue
			}
			s.entries[p.a] = append(s.entries[p.a], entry{other: p.b, state: entryUnknown})
		}
	}
	for _, i := range s.roamers {
		s.cells[i] = s.to[i]
		s.roamed[i] = false
	}
}

func (s *schedule) find(a, b int32) *entry {
	list := s.entries[a]
	for i := range list {
		if list[i].other == b {
			return &list[i]
		}
	}
	return nil
}

// doubt has the distance of a pair computed in the next step.
func (s *schedule) doubt(a, b int32) {
	if e := s.find(a, b); e != nil {
		e.state, s.soonest[a] = entryUnknown, 0
	}
}

// wake marks the entries that woken segments have with segments of lower number.
func (s *schedule) wake(lo, hi int) {
	for _, b := range s.wakers[lo:hi] {
		at := &s.cells[b]
		for x := at.min.x; x <= at.max.x; x++ {
			for y := at.min.y; y <= at.max.y; y++ {
				for z := at.min.z; z <= at.max.z; z++ {
					c := cell{x, y, z}
					for _, a := range s.grid.in(c) {
						if a >= b || firstCommon(&s.cells[a], at) != c {
							continue
						}
						if e := s.find(a, b); e != nil && e.state == entryWaiting {
							e.state = entryWoken
							atomic.StoreUint32(&s.soonest[a], 0)
						}
					}
				}
			}
		}
	}
}

// examine renews the bounds of the entries whose turn it is, drops those that share no cell any more and lists those
// that may touch.
func (s *schedule) examine(lo, hi int) {
	chunk := lo / boundGrain
	due, examined, tracked := s.dueOf[chunk][:0], 0, 0
	for a := int32(lo); a < int32(hi); a++ {
		list := s.entries[a]
		tracked += len(list)
		awake := s.all || s.woken[a]
		if int(s.soonest[a]) > s.reach && !awake {
			continue
		}
		first, soonest := len(due), uint8(topLevel)
		for i := 0; i < len(list); i++ {
			e := &list[i]
			if int(e.level) > s.reach && e.state == entryWaiting && !awake {
				soonest = min(soonest, e.level)
				continue
			}
			examined++
			if !s.cells[a].intersects(&s.cells[e.other]) {
				list[i] = list[len(list)-1]
				list = list[:len(list)-1]
				i--
				continue
			}
			if e.state != entryUnknown {
				e.slack -= s.relative(a, e)
				if e.slack > roundingSlop*s.diameter {
					e.state, e.level = entryWaiting, s.levelFor(a, e)
					soonest = min(soonest, e.level)
					continue
				}
			}
			soonest = 0
			due = append(due, duePair{pair: pair{a, e.other}, at: int32(i)})
		}
		s.entries[a], s.soonest[a] = list, uint32(soonest)
		slices.SortFunc(due[first:], func(p, q duePair) int { return int(p.b - q.b) })
	}
	s.dueOf[chunk], s.examined[chunk], s.tracked[chunk] = due, examined, tracked
}

// relative bounds how far the two segments of an entry have moved against each other since its last turn.
func (s *schedule) relative(a int32, e *entry) float64 {
	level := int(e.level)
	if level <= s.reach {
		return apart(&s.moved[level][a], &s.moved[level][e.other], 0)
	}
	p := gatherControl(&s.spline.control[a], s.pos)
	q := gatherControl(&s.spline.control[e.other], s.pos)
	boxA := s.displacement(&s.spline.control[a], &p, level)
	boxB := s.displacement(&s.spline.control[e.other], &q, level)
	return apart(&boxA, &boxB, 0)
}

// apart bounds the difference of two vectors in boxes, the difference being uncertain by extra along every axis.
func apart(a, b *r3.Box, extra float64) float64 {
	x := extra + larger(a.Max.X-b.Min.X, b.Max.X-a.Min.X)
	y := extra + larger(a.Max.Y-b.Min.Y, b.Max.Y-a.Min.Y)
	z := extra + larger(a.Max.Z-b.Min.Z, b.Max.Z-a.Min.Z)
	return math.Sqrt(x*x + y*y + z*z)
}

// larger is max for numbers, and faster.
func larger(a, b float64) float64 {
	if a > b {
		return a
	}
	return b
}

// levelFor returns the highest level whose turn it is at which an entry is sure to be looked at in time.
func (s *schedule) levelFor(a int32, e *entry) uint8 {
	if s.reach == 0 {
		return 0
	}
	move := s.scale * apart(&s.moved[0][a], &s.moved[0][e.other], 0)
	change := apart(&s.foreseen[a], &s.foreseen[e.other], s.freedom)
	for level := s.reach; level > 0; level-- {
		n := float64(int(1) << level)
		if n*move+n*(n+1)/2*change < e.slack {
			return uint8(level)
		}
	}
	return 0
}

// settle takes the distances of the due pairs and ends the step.
func (s *schedule) settle(team *par.Team) {
	team.For(len(s.due), 1024, s.settleLoop)
	for _, i := range s.wakers {
		s.woken[i] = false
	}
	s.keep()
	s.step++
	s.pos = nil
}

func (s *schedule) settleRange(lo, hi int) {
	for i := lo; i < hi; i++ {
		d := &s.due[i]
		e := &s.entries[d.a][d.at]
		e.slack, e.state = d.slack, entryWaiting
		e.level = s.levelFor(d.a, e)
	}
}

// keep stores the positions for all levels whose turn it was, in a place that no other level uses.
func (s *schedule) keep() {
	var used [topLevel + 2]bool
	for l := s.reach + 1; l <= topLevel; l++ {
		used[s.keptAt[l]] = true
	}
	place := 0
	for used[place] {
		place++
	}
	copy(s.kept[place], s.pos)
	for l := 0; l <= s.reach; l++ {
		s.keptAt[l] = place
	}
}
