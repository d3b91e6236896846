// Package par runs loops on several cores so that the result cannot tell how many there were.
//
// A Team is a set of workers for the length of one busy section, such as a time step: Enter
// starts them, Leave lets them go, and in between every For hands out chunks of an index range.
// Between two loops of a section the helpers spin for a few microseconds, because the loops of a step are
// often shorter than the tens of microseconds that a sleeping goroutine takes to wake; a helper that finds
// nothing to do for longer sleeps, so that it takes no time from others. The caller never waits for a helper to
// wake: it takes chunks itself, and waits at the end only for those that a helper has begun.
//
// Why the order cannot matter: chunk boundaries depend on the length of the range and the grain
// only, never on the number of workers; a chunk writes only what belongs to its own indices; and
// Sum and Max combine one partial result a chunk in index order. Which worker ran a chunk, and
// when, is therefore invisible.
package par

import (
	"runtime"
	"sync/atomic"
)

// Team runs loops on a fixed number of workers. The zero Team and the nil Team run everything on
// the caller. A Team belongs to one goroutine at a time.
type Team struct {
	workers int
	depth   int           // nested Enter calls
	helpers []func()      // one prepared goroutine body for each helper, so that Enter does not allocate
	running atomic.Int32  // helpers that have not left yet
	leave   atomic.Bool   // tells helpers to return
	stop    *atomic.Bool  // set: nobody waits for results any more; nil: never
	ticket  atomic.Uint64 // number of chunks << 32 | next chunk; no chunk is left when next >= number
	active  atomic.Int32  // helpers that may be reading the job
	asleep  atomic.Int32  // helpers that wait for wake, or are about to
	wake    chan struct{}
	panicky atomic.Pointer[any]

	// The job, written by the caller while no helper is active, published by ticket.
	n, grain int
	body     func(lo, hi int)

	// Reductions: the value of a chunk goes to its own place in partial.
	value     func(lo, hi int) float64
	partial   []float64
	storeFunc func(lo, hi int)
}

// New returns a team of the given number of workers, the caller included. Less than one means one
// for each core.
func New(workers int) *Team {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	t := &Team{workers: workers}
	t.storeFunc = t.store
	t.wake = make(chan struct{}, workers)
	for range workers - 1 {
		t.helpers = append(t.helpers, t.help)
	}
	return t
}

// Workers returns the number of workers, the caller included.
func (t *Team) Workers() int {
	if t == nil {
		return 1
	}
	return max(1, t.workers)
}

// Heed has Stopped tell what stop holds, which may be set from any goroutine; nil: false.
func (t *Team) Heed(stop *atomic.Bool) { t.stop = stop }

// Stopped tells whether nobody waits for results any more. Loops that may take long ask for it and leave whatever they
// have; it has no effect on loops of the team itself.
func (t *Team) Stopped() bool { return t != nil && t.stop != nil && t.stop.Load() }

// Enter starts the helpers. Calls nest; each needs its Leave.
func (t *Team) Enter() {
	if t == nil || len(t.helpers) == 0 {
		return
	}
	t.depth++
	if t.depth > 1 {
		return
	}
	t.leave.Store(false)
	t.running.Store(int32(len(t.helpers)))
	for _, help := range t.helpers {
		go help()
	}
}

// Leave ends the section begun by Enter and returns when the helpers are gone.
func (t *Team) Leave() {
	if t == nil || len(t.helpers) == 0 {
		return
	}
	t.depth--
	if t.depth > 0 {
		return
	}
	t.leave.Store(true)
	for t.running.Load() != 0 {
		t.rouse(len(t.helpers))
		runtime.Gosched()
	}
}

// rouse wakes up to n sleeping helpers. A token that nobody was waiting for wakes a helper in vain later, once.
func (t *Team) rouse(n int) {
	for range min(n, int(t.asleep.Load())) {
		select {
		case t.wake <- struct{}{}:
		default:
			return
		}
	}
}

// spins is how often a helper looks for work before it sleeps, and the caller for a helper's end before it lets others
// run: about ten microseconds.
const spins = 5000

func (t *Team) help() {
	defer t.running.Add(-1)
	idle := 0
	for !t.leave.Load() {
		if open(t.ticket.Load()) {
			// From here until active drops, the caller does not change the job. A job that was
			// seen open may have been finished by others meanwhile; work notices.
			t.active.Add(1)
			t.work()
			t.active.Add(-1)
			idle = 0
			continue
		}
		if idle++; idle < spins {
			continue
		}
		// Whoever opens a job or ends the section looks at asleep afterwards; so, having said that it sleeps, the
		// helper must look once more before it does.
		t.asleep.Add(1)
		if !open(t.ticket.Load()) && !t.leave.Load() {
			<-t.wake
		}
		t.asleep.Add(-1)
		idle = 0
	}
}

func open(ticket uint64) bool { return uint32(ticket) < uint32(ticket>>32) }

func (t *Team) work() {
	defer func() {
		if r := recover(); r != nil {
			first := r // a copy, so that only a panic allocates
			t.panicky.CompareAndSwap(nil, &first)
		}
	}()
	for {
		if !open(t.ticket.Load()) {
			return
		}
		ticket := t.ticket.Add(1) - 1
		if !open(ticket) {
			return
		}
		lo := int(uint32(ticket)) * t.grain
		t.body(lo, min(lo+t.grain, t.n))
	}
}

// For calls body on consecutive chunks of at most grain indices that together cover [0, n). Chunks
// run in any order and at the same time, so a chunk may only write what belongs to its indices. A
// closure made for the call is allocated; a steady step keeps its loop bodies prepared.
func (t *Team) For(n, grain int, body func(lo, hi int)) {
	if n <= 0 {
		return
	}
	grain = max(1, grain)
	if t == nil || t.depth == 0 || n <= grain {
		for lo := 0; lo < n; lo += grain {
			body(lo, min(lo+grain, n))
		}
		return
	}
	chunks := (n + grain - 1) / grain
	t.n, t.grain, t.body = n, grain, body
	t.ticket.Store(uint64(chunks) << 32)
	t.rouse(chunks - 1)
	t.work()
	t.ticket.Store(0)
	for spin := 0; t.active.Load() != 0; spin++ {
		if spin > spins {
			runtime.Gosched()
		}
	}
	t.body = nil
	if p := t.panicky.Swap(nil); p != nil {
		panic(*p)
	}
}

// sumGrain is the block length of reductions. It is part of the result: changing it changes the
// last bits of every sum.
const sumGrain = 1024

// Sum returns the sum of body over chunks of [0, n), added pairwise in index order.
func (t *Team) Sum(n int, body func(lo, hi int) float64) float64 {
	partial := t.reduce(n, body)
	for len(partial) > 1 {
		half := (len(partial) + 1) / 2
		for i := range len(partial) / 2 {
			partial[i] = partial[2*i] + partial[2*i+1]
		}
		if len(partial)%2 == 1 {
			partial[half-1] = partial[len(partial)-1]
		}
		partial = partial[:half]
	}
	if len(partial) == 0 {
		return 0
	}
	return partial[0]
}

// Max returns the largest of 0 and the values of body over chunks of [0, n); it is NaN if one of them is.
func (t *Team) Max(n int, body func(lo, hi int) float64) float64 {
	m := 0.0
	for _, p := range t.reduce(n, body) {
		m = max(m, p)
	}
	return m
}

func (t *Team) reduce(n int, value func(lo, hi int) float64) []float64 {
	chunks := (n + sumGrain - 1) / sumGrain
	if t == nil || t.storeFunc == nil {
		partial := make([]float64, 0, chunks)
		for lo := 0; lo < n; lo += sumGrain {
			partial = append(partial, value(lo, min(lo+sumGrain, n)))
		}
		return partial
	}
	if cap(t.partial) < chunks {
		t.partial = make([]float64, chunks)
	}
	t.partial = t.partial[:chunks]
	t.value = value
	t.For(n, sumGrain, t.storeFunc)
	t.value = nil
	return t.partial
}

func (t *Team) store(lo, hi int) { t.partial[lo/sumGrain] = t.value(lo, hi) }
