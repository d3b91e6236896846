package bench

import (
	"sync"
	"time"

	"github.com/toile-sim/toile/internal/par"
)

// triadLength is that of the arrays of Bandwidth: 256 MB each, more than caches hold.
const triadLength = 32 << 20

// Bandwidth returns how many bytes a second so many goroutines move between memory and cores in a triad,
// a[i] = b[i] + 3 c[i], for each of the given numbers: the best of three. Bytes are counted as the program sees them,
// two read and one written.
func Bandwidth(workers []int) []float64 {
	a, b, c := make([]float64, triadLength), make([]float64, triadLength), make([]float64, triadLength)
	for i := range b {
		a[i], b[i], c[i] = 0, 1, 2
	}
	out := make([]float64, len(workers))
	for k, n := range workers {
		for range 3 {
			begin := time.Now()
			var all sync.WaitGroup
			for part := range n {
				lo, hi := triadLength*part/n, triadLength*(part+1)/n
				all.Go(func() { triad(a[lo:hi], b[lo:hi], c[lo:hi]) })
			}
			all.Wait()
			out[k] = max(out[k], 3*8*triadLength/time.Since(begin).Seconds())
		}
	}
	return out
}

func triad(a, b, c []float64) {
	b, c = b[:len(a)], c[:len(a)]
	for i := range a {
		a[i] = b[i] + 3*c[i]
	}
}

// smallTriad is a triad over arrays that take so many bytes together, by a team.
type smallTriad struct {
	a, b, c []float64
	rows    func(lo, hi int)
}

// smallGrain is the number of elements in a chunk: as many bytes as a product takes for one of its chunks.
const smallGrain = 4096

func newSmallTriad(bytes int) *smallTriad {
	n := max(1, bytes/(3*8))
	t := &smallTriad{a: make([]float64, n), b: make([]float64, n), c: make([]float64, n)}
	for i := range t.a {
		t.a[i], t.b[i], t.c[i] = 0, 1, 2
	}
	t.rows = func(lo, hi int) { triad(t.a[lo:hi], t.b[lo:hi], t.c[lo:hi]) }
	return t
}

func (t *smallTriad) bytes() float64 { return float64(3 * 8 * len(t.a)) }

func (t *smallTriad) run(team *par.Team) { team.For(len(t.a), smallGrain, t.rows) }
