package body

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/r3"
)

// Seams are pairs of vertices of a cloth that threads draw together. The threads shorten evenly, from how far apart the
// vertices start to nothing.
type Seams struct {
	Pairs  [][2]int32
	Close  float64 // time that shortening takes, from when the cloth is added [s]
	Thread Thread
}

// Thread is what seams are sewn with: a spring for each pair that pulls with at most so much force.
type Thread = elastic.Thread

func (s *Seams) validate(vertices int) error {
	if !(s.Close > 0) || math.IsInf(s.Close, 1) {
		return fmt.Errorf("seams that close in %g s: must be positive", s.Close)
	}
	if !(s.Thread.Stiffness > 0 && s.Thread.Force > 0) || math.IsInf(s.Thread.Stiffness+s.Thread.Force, 1) {
		return fmt.Errorf(
			"seams with a thread of %g N/m and %g N: both must be positive",
			s.Thread.Stiffness,
			s.Thread.Force,
		)
	}
	if len(s.Pairs) == 0 {
		return errors.New("seams without a pair of vertices")
	}
	for i, p := range s.Pairs {
		for _, v := range p {
			if v < 0 || int(v) >= vertices {
				return fmt.Errorf("stitch %d: there is no vertex %d", i, v)
			}
		}
		if p[0] == p[1] {
			return fmt.Errorf("stitch %d sews vertex %d to itself", i, p[0])
		}
	}
	return nil
}

// makeStitches makes the stitches of a cloth that is added now.
func (c *Cloth) makeStitches(now float64) {
	seams := c.Spec.Seams
	if seams == nil {
		return
	}
	c.stitches, c.sewnFrom = elastic.NewStitches(seams.Pairs, seams.Thread), now
	c.shorten(now)
}

// shorten gives threads the length that they have at time t.
func (c *Cloth) shorten(t float64) {
	if c.stitches == nil {
		return
	}
	left := max(0, 1-(t-c.sewnFrom)/c.Spec.Seams.Close)
	for i, p := range c.Spec.Seams.Pairs {
		c.stitches.SetLength(i, left*c.Spec.Positions[p[0]].Sub(c.Spec.Positions[p[1]]).Norm())
	}
}

// WidestStitch returns the largest distance between two vertices that seams join, when vertices are at x [m], and which
// pair that is; zero and -1 without seams.
func (c *Cloth) WidestStitch(x []r3.Vec) (gap float64, pair int) {
	pair = -1
	if c.Spec.Seams == nil {
		return 0, pair
	}
	for i, p := range c.Spec.Seams.Pairs {
		if d := x[p[0]].Sub(x[p[1]]).Norm(); pair < 0 || d > gap {
			gap, pair = d, i
		}
	}
	return gap, pair
}
