package build

import (
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/r3"
)

// openUp opens up the mesh of an obstacle: once if it keeps its shape, and else at all times.
func openUp(s *scenefile.SpaceRules, o *engine.Obstacle) error {
	if o.Deform != nil {
		film, err := untangle.NewSpaceFilm(len(o.Positions), o.Tri, o.Deform.At, s.Margin, s.Every)
		if err != nil {
			return err
		}
		o.Deform = film
		return nil
	}
	space, err := untangle.NewSpace(len(o.Positions), o.Tri)
	if err != nil {
		return err
	}
	opt := untangle.DefaultSpaceOptions()
	opt.Margin, opt.UntilClear = s.Margin, true
	u := make([]r3.Vec, len(o.Positions))
	space.Open(o.Positions, u, opt)
	for i := range u {
		o.Positions[i] = o.Positions[i].Add(u[i])
	}
	return nil
}
