package scene

import (
	"math"
	"sync"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/untangle"
)

// SpaceRules open up a body that goes through itself.
type SpaceRules struct {
	Margin float64 `json:"margin" dim:"length" range:"[0,1]" doc:"gap to make between surfaces of the body that overlap or are nearer"`
	Every  float64 `json:"every" dim:"time" range:"[1e-3,10]" doc:"time between the corrections of a body that deforms; in between they are blended"`

	placed
}

func (s *SpaceRules) setDefaults() { s.Margin, s.Every = untangle.DefaultSpaceOptions().Margin, 0.02 }

// open opens up the mesh of an obstacle: once if it keeps its shape, and else at all times.
func (s *SpaceRules) open(o *toile.Obstacle) error {
	space, err := untangle.NewSpace(len(o.Positions), o.Tri)
	if err != nil {
		return err
	}
	opt := untangle.DefaultSpaceOptions()
	opt.Margin, opt.UntilClear = s.Margin, true
	if o.Deform != nil { // smooth in time: as many iterations as it takes to settle, and more only where something crosses
		opt.Iterations, opt.Gap = 12, 0
	}
	if o.Deform == nil {
		u := make([]r3.Vec, len(o.Positions))
		space.Open(o.Positions, u, opt)
		for i := range u {
			o.Positions[i] = o.Positions[i].Add(u[i])
		}
		return nil
	}
	o.Deform = &openedBody{Deformation: o.Deform, space: space, opt: opt, every: s.Every, vertices: len(o.Positions)}
	return nil
}

// openedBody is a body that deforms, opened up. The correction at multiples of a time is found from nothing but the body at that time, so that it is the same
// whatever was asked before, as resumed runs need; in between it is blended. It may be used by several goroutines.
type openedBody struct {
	toile.Deformation
	space    *untangle.Space
	opt      untangle.SpaceOptions
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

// At implements toile.Deformation.
func (b *openedBody) At(t float64, out []r3.Vec) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := math.Floor(t / b.every)
	share := t/b.every - key
	first, err := b.at(key)
	if err != nil {
		return err
	}
	second := first
	if share > 0 {
		if second, err = b.at(key + 1); err != nil {
			return err
		}
	}
	if err := b.Deformation.At(t, out); err != nil {
		return err
	}
	for i := range out {
		out[i] = out[i].Add(first[i].Lerp(second[i], share))
	}
	return nil
}

// at returns the correction of time number key.
func (b *openedBody) at(key float64) ([]r3.Vec, error) {
	c := &b.keys[int(math.Abs(math.Mod(key, 2)))]
	if c.known && c.key == key {
		return c.u, nil
	}
	if c.u == nil {
		c.u = make([]r3.Vec, b.vertices)
	}
	c.known = false
	x := make([]r3.Vec, b.vertices)
	if err := b.Deformation.At(key*b.every, x); err != nil {
		return nil, err
	}
	clear(c.u)
	b.space.Open(x, c.u, b.opt)
	c.key, c.known = key, true
	return c.u, nil
}
