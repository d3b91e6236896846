package solve

import (
	"math"
	"sync/atomic"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// oneBlock returns a refuter with two rows on one block that moves along x: x >= 1, and 0.6 >= x with rows of ten times
// the length, from x = 0.
func oneBlock(stopped bool) *refuter {
	s := &refuter{system: newSystem(), slack: refuteSlack}
	stop := new(atomic.Bool)
	stop.Store(stopped)
	s.measure.Team = par.New(1)
	s.measure.Team.Heed(stop)
	s.blocks, s.parts = []int32{0}, 1
	s.terms = []normalTerm{{0, r3.V(1, 0, 0)}, {0, r3.V(-10, 0, 0)}}
	s.rows = []normalRow{{to: 1, offset: -1}, {contact: 1, from: 1, to: 2, offset: 6}}
	pattern := sparse.NewPattern(1)
	pattern.Add(0)
	s.matrix = pattern.Build()
	for _, p := range []*[]r3.Vec{&s.v, &s.at, &s.centre, &s.slope, &s.sum} {
		*p = make([]r3.Vec, 1)
	}
	s.sizes, s.w = make([]float64, 1), make([]float64, 2)
	return s
}

// A step of which a half is taken does not end at the minimum, though the same row stays violated.
func TestDescentEndsAtTheMinimum(t *testing.T) {
	s := oneBlock(false)
	s.descend()
	if want := 61.0 / 101; math.Abs(s.v[0].X-want) > 1e-6 {
		t.Errorf("it ends at %g, not at %g", s.v[0].X, want)
	}
}

// Nothing is looked for when nobody waits for it.
func TestRefutingStops(t *testing.T) {
	s := oneBlock(true)
	s.descend()
	if s.v[0] != (r3.Vec{}) {
		t.Errorf("it went to %v", s.v[0])
	}
}
