package detect

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/smooth"
)

// Loops run in chunks. Each chunk writes to results of its own; chunks depend on lengths only and are gathered in index
// order, so that workers cannot be told from the result.

const (
	// pairGrain is the number of pairs of primitives in a chunk,
	pairGrain = 1024
	// pointGrain that of points,
	pointGrain = 256
	// and nearGrain that of pairs of features.
	nearGrain = 256
)

// chunk is the result and the scratch of one chunk of a loop.
type chunk struct {
	found     []candidate
	near      []nearPair
	rest      restSearch
	crossings int
	crossing  [2]int32 // the first
	depth     float64  // of faces inside shapes [m]
	impacts   []contact.Impact
	smooth    int // crossings with smooth skins
	shares    []smooth.Share
	place     smooth.Place
}

// worker is the body of a loop, with its arguments. What it points to must not be allocated for each loop.
type worker interface {
	work(c *chunk, lo, hi int)
}

// loops runs loops, and keeps their chunks.
type loops struct {
	chunks []chunk
	worker worker
	grain  int
	body   func(lo, hi int) // made once
}

// run has a worker go over [0, n) and returns its chunks, in index order. They are valid until the next run.
func (l *loops) run(team *par.Team, n, grain int, w worker) []chunk {
	if l.body == nil {
		l.body = func(lo, hi int) { l.worker.work(&l.chunks[lo/l.grain], lo, hi) }
	}
	count := (n + grain - 1) / grain
	for len(l.chunks) < count {
		l.chunks = append(l.chunks, chunk{})
	}
	for i := range l.chunks[:count] {
		c := &l.chunks[i]
		c.found, c.near, c.impacts, c.crossings, c.depth = c.found[:0], c.near[:0], c.impacts[:0], 0, 0
		c.smooth, c.shares = 0, c.shares[:0]
	}
	l.worker, l.grain = w, grain
	team.For(n, grain, l.body)
	return l.chunks[:count]
}
