package view

import (
	"container/list"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/r3"
)

const (
	// frameBudget is how many bytes of frames are kept: a page that changes its colours asks again for the frame that
	// it shows. Frames of 50,000 vertices have 4 MB.
	frameBudget = 24 << 20
	// readers is how many frames are read at once, which bounds the memory that a page that scrubs can ask for.
	readers = 2
)

// frameCache reads frames, once for all who ask at the same time, and keeps the latest. It also remembers what it has
// seen of the run: the space that the cloths take and the ranges of their quantities.
type frameCache struct {
	gate chan struct{} // one token for each reader

	mu      sync.Mutex
	used    int        // bytes kept
	order   *list.List // of *entry, the latest first
	entries map[frameKey]*list.Element
	loading map[frameKey]*load
	seen    seen
}

type frameKey struct {
	run   string
	frame int
}

type entry struct {
	key   frameKey
	frame *shownFrame
}

// load is a frame being read.
type load struct {
	done  chan struct{}
	frame *shownFrame
	err   error
}

// shownFrame is a frame with names for its parts that change seldom.
type shownFrame struct {
	*runfolder.RawFrame
	topology []string // of each body: equal for equal triangles
	geometry []string // of obstacles and rigid bodies: equal where they have not moved; empty for others
}

// seen is what the frames read so far tell about a run.
type seen struct {
	run    string
	newest *frameFacts
	box    r3.Box // of all cloths [m]
	ranges map[string]*tally
}

// frameFacts is what /api/run tells about a frame.
type frameFacts struct {
	number int
	time   float64
	step   int
	hash   string
	bodies []bodyFacts
	fields []string // of its cloths
}

type bodyFacts struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Vertices  int    `json:"vertices"`
	Triangles int    `json:"triangles"`
	Segments  int    `json:"segments,omitempty"` // of yarns
}

func newFrameCache() *frameCache {
	return &frameCache{
		gate: make(chan struct{}, readers), order: list.New(),
		entries: map[frameKey]*list.Element{}, loading: map[frameKey]*load{},
	}
}

// get returns a frame of a run.
func (c *frameCache) get(r *run, n int) (*shownFrame, error) {
	// a frame that is kept
	key := frameKey{r.id, n}
	c.mu.Lock()
	if e, ok := c.entries[key]; ok {
		c.order.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(*entry).frame, nil
	}
	// another request loads it: wait for that
	if l, ok := c.loading[key]; ok {
		c.mu.Unlock()
		<-l.done
		return l.frame, l.err
	}
	// this one loads it
	l := &load{done: make(chan struct{})}
	c.loading[key] = l
	c.mu.Unlock()

	// read it, only so many at a time
	c.gate <- struct{}{}
	raw, err := r.reader.Frame(n)
	if err == nil {
		l.frame = show(raw)
	}
	<-c.gate
	l.err = err

	// keep it, and wake those that wait
	c.mu.Lock()
	delete(c.loading, key)
	if err == nil {
		c.keep(key, l.frame)
		c.see(r.id, raw)
	}
	c.mu.Unlock()
	close(l.done)
	return l.frame, err
}

// keep remembers a frame and drops the oldest ones over the budget, but never the latest.
func (c *frameCache) keep(key frameKey, f *shownFrame) {
	c.entries[key] = c.order.PushFront(&entry{key, f})
	c.used += f.Size
	for c.used > frameBudget && c.order.Len() > 1 {
		last := c.order.Remove(c.order.Back()).(*entry)
		delete(c.entries, last.key)
		c.used -= last.frame.Size
	}
}

// see takes in what a frame tells without looking at its vertices. A frame of another run makes it begin again.
func (c *frameCache) see(id string, f *runfolder.RawFrame) {
	s := &c.seen
	if s.run != id {
		*s = seen{run: id, box: r3.EmptyBox(), ranges: map[string]*tally{}}
	}
	facts := &frameFacts{number: f.Number, time: f.Time, step: f.Step, hash: f.Hash}
	for i := range f.Bodies {
		b := &f.Bodies[i]
		facts.bodies = append(facts.bodies, bodyFacts{b.Name, kindOf(b), b.Vertices, b.Triangles(), b.Segments()})
		s.box = s.box.Union(b.Box)
		for _, name := range b.Fields {
			if !slices.Contains(facts.fields, name) {
				facts.fields = append(facts.fields, name)
			}
		}
	}
	if s.newest == nil || f.Number >= s.newest.number {
		s.newest = facts
	}
}

// measure widens the range of a quantity, as far as a run was seen, by that of a frame.
func (c *frameCache) measure(id, name string, f *shownFrame) {
	t := newTally()
	for i := range f.Bodies {
		count(name, f.Bodies[i].Field(name), t)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen.run != id || t.count == 0 {
		return
	}
	if old, ok := c.seen.ranges[name]; ok {
		t.merge(old)
	}
	c.seen.ranges[name] = t // never changed once it is here
}

// known returns what was seen of a run.
func (c *frameCache) known(id string) seen {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.seen
	if out.run != id {
		return seen{run: id, box: r3.EmptyBox()}
	}
	out.ranges = maps.Clone(c.seen.ranges)
	return out
}

// count takes in the values of a quantity. A gap without a contact is none, and neither is an impulse or a force.
func count(name string, data []byte, t *tally) {
	none := float32(math.MaxFloat32)
	if name == runfolder.AttrGap {
		none = runfolder.NoGap
	}
	for ; len(data) >= 4; data = data[4:] {
		x := math.Float32frombits(binary.LittleEndian.Uint32(data))
		if x < none && x >= -math.MaxFloat32 && (x > 0 || name != runfolder.AttrImpulse && name != runfolder.AttrForce) { // neither NaN nor infinity
			t.add(x)
		}
	}
}

// show names the parts of a frame.
func show(f *runfolder.RawFrame) *shownFrame {
	s := &shownFrame{f, make([]string, len(f.Bodies)), make([]string, len(f.Bodies))}
	for i := range f.Bodies {
		b := &f.Bodies[i]
		if b.Entries == 0 {
			continue
		}
		position, normal, index := b.Mesh()
		s.topology[i] = partID(index)
		if b.Kind.Obstacle() || b.Kind.Rigid() {
			pose := fmt.Appendf(nil, "%v", b.Pose)
			s.geometry[i] = partID(position, normal, pose)
		}
	}
	return s
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// partID names bytes: equal for equal ones, and for others different but for a chance of 1 in 2⁶⁴. Two checksums that
// processors compute themselves take a twentieth of the time of a SHA-256, and the file has been checked with one.
func partID(parts ...[]byte) string {
	var a, b uint32
	n := 0
	for _, p := range parts {
		a, b = crc32.Update(a, castagnoli, p), crc32.Update(b, crc32.IEEETable, p)
		n += len(p)
	}
	return fmt.Sprintf("%08x%08x%x", a, b, n)
}

// kindOf tells cloths, yarns, solids and rigid bodies from obstacles, of whatever shape.
func kindOf(b *runfolder.RawBody) string {
	if b.Kind.Obstacle() {
		return "obstacle"
	}
	return string(b.Kind)
}
