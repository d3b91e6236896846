package untangle

import (
	"math"
	"sync"

	"github.com/toile-sim/toile/r3"
)

// SpaceFilm is a body that deforms, opened up at all times. The correction at multiples of a time is found from nothing
// but the body at that time, so that it is the same whatever was asked before, as resumed runs need; in between it is
// blended. It may be used by several goroutines if what it was made of may.
type SpaceFilm struct {
	given    func(t float64, out []r3.Vec) error
	space    *Space
	opt      SpaceOptions
	every    float64
	vertices int

	mu   sync.Mutex
	keys [2]correction // the two that were asked for last, by the parity of their numbers
}

// correction is that of time number key.
type correction struct {
	key   float64
	known bool
	u     []r3.Vec
}

// NewSpaceFilm returns the film of a body of so many vertices that is where given says at time t [s], with a correction
// every so often [s]. It fails if the triangles do not form a surface with two sides. Its corrections settle in 12
// iterations, and go on only where something crosses: so they are smooth in time.
func NewSpaceFilm(
	vertices int,
	tri [][3]int32,
	given func(t float64, out []r3.Vec) error,
	margin, every float64,
) (*SpaceFilm, error) {
	if !(every > 0) {
		panic("untangle: the time between corrections must be positive")
	}
	space, err := NewSpace(vertices, tri)
	if err != nil {
		return nil, err
	}
	opt := DefaultSpaceOptions()
	opt.Margin, opt.Iterations, opt.UntilClear, opt.Gap = margin, 12, true, 0
	return &SpaceFilm{given: given, space: space, opt: opt, every: every, vertices: vertices}, nil
}

// At writes where the vertices are at time t [s] to out.
func (f *SpaceFilm) At(t float64, out []r3.Vec) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := math.Floor(t / f.every)
	share := t/f.every - key
	first, err := f.at(key)
	if err != nil {
		return err
	}
	second := first
	if share > 0 {
		if second, err = f.at(key + 1); err != nil {
			return err
		}
	}
	if err := f.given(t, out); err != nil {
		return err
	}
	for i := range out {
		out[i] = out[i].Add(first[i].Lerp(second[i], share))
	}
	return nil
}

// at returns the correction of time number key.
func (f *SpaceFilm) at(key float64) ([]r3.Vec, error) {
	c := &f.keys[int(math.Abs(math.Mod(key, 2)))]
	if c.known && c.key == key {
		return c.u, nil
	}
	if c.u == nil {
		c.u = make([]r3.Vec, f.vertices)
	}
	c.known = false
	x := make([]r3.Vec, f.vertices)
	if err := f.given(key*f.every, x); err != nil {
		return nil, err
	}
	clear(c.u)
	f.space.Open(x, c.u, f.opt)
	c.key, c.known = key, true
	return c.u, nil
}
