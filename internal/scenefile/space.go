package scenefile

import (
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/r3"
)

// SpaceRules open up a body that goes through itself.
type SpaceRules struct {
	Margin float64 `json:"margin" dim:"length" range:"[0,1]" doc:"gap to make between surfaces of the body that overlap or are nearer"`
	Every  float64 `json:"every" dim:"time" range:"[1e-3,10]" doc:"time between the corrections of a body that deforms; in between they are blended"`

	placed
}

func (s *SpaceRules) setDefaults() { s.Margin, s.Every = untangle.DefaultSpaceOptions().Margin, 0.02 }

// open opens up the mesh of an obstacle: once if it keeps its shape, and else at all times.
func (s *SpaceRules) open(o *engine.Obstacle) error {
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
