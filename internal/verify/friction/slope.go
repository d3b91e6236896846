package friction

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
)

func slopeGain(mu float64) float64 {
	return 9.81 * (math.Sin(setup.SlopeAngle) - mu*math.Cos(setup.SlopeAngle))
}

// slopeSum returns how far the scheme goes in a number of steps of h.
func slopeSum(v0, mu, h float64, steps int) (sum float64) {
	for k := range steps {
		sum += h * max(0, v0+float64(k+1)*slopeGain(mu)*h)
	}
	return sum
}

// slopeGive returns how far the middle of a sheet may be from that of a rigid one. Friction acts on parts of the sheet
// that its normal forces, which are not unique, choose. It passes at most the friction of the whole sheet, μ ρ g L per
// width, over the length L, which gives by μ ρ g L²/E, once when sliding begins and once when it ends.
func slopeGive(mu float64) float64 {
	return 2 * mu * setup.SlopeWeight * setup.SlopeSize * setup.SlopeSize / setup.SlopeYoung
}

// slider is a sheet that lies on a slope, settled.
type slider struct {
	t     *verify.Trial
	w     *engine.World
	id    engine.ClothID
	down  r3.Vec
	h     float64
	start *engine.Snapshot
}

// slide lets the sheet go with v0 down the slope and friction mu for a number of steps, and returns how far it goes
// and how fast it is in the end.
func (s *slider) slide(mu, v0 float64, steps int) (travel, speed float64) {
	s.t.Must(s.w.Restore(s.start))
	setup.SetFriction(s.w, s.id, mu)
	setup.SetSpeed(s.w, s.id, 0, s.down.Scale(v0))
	before, _ := setup.Centroid(s.w, s.id)
	for range steps {
		s.t.Step(s.w, s.h)
	}
	after, v := setup.Centroid(s.w, s.id)
	return after.Sub(before).Dot(s.down), v.Norm()
}

// threshold returns the coefficient at which the sheet begins to slide. It counts as sliding when it has gone 0.1 mm
// in half a second, for which a threshold that is too high by 8.3e-5 is enough.
func (s *slider) threshold(rel float64) float64 {
	return setup.Bisect(0.17, 0.183, rel, func(mu float64) bool {
		travel, _ := s.slide(mu, 0, int(math.Round(0.5/s.h)))
		return travel > 1e-4
	})
}

// settled lets a sheet on a slope come to rest.
func settledSlider(t *verify.Trial, w *engine.World, id engine.ClothID, down r3.Vec, h float64) *slider {
	setup.SettleInContact(t, w, h)
	return &slider{t: t, w: w, id: id, down: down, h: h, start: w.Snapshot()}
}

// rows compares the slider with the closed forms.
func (s *slider) rows(name string) {
	const mu = 0.1
	steps := int(math.Round(0.6 / s.h))
	travel, _ := s.slide(mu, 0, steps)
	s.t.Row(verify.Row{
		Quantity: fmt.Sprintf("μ %g, slid in 0.6 s, %s", mu, name), Unit: "m",
		Expected: slopeSum(0, mu, s.h, steps), Measured: travel, Bar: verify.Absolute, Limit: slopeGive(mu),
		From: "what the sheet may give along the slope, see slopeGive; flat triangles leave rounding",
	})
	s.stopRows(name)
	rel := 2e-3
	if s.t.Options.Full {
		rel = 5e-4
	}
	// What the search leaves, the 8.3e-5 that count as sliding, and what gives in the half second, 2 x/(t² g cos α).
	limit := rel/2 + (8.3e-5+8*slopeGive(0.1763)/(9.81*math.Cos(setup.SlopeAngle)))/0.1763
	s.t.Row(verify.Row{
		Quantity: "critical μ, " + name, Expected: math.Tan(setup.SlopeAngle), Measured: s.threshold(rel),
		Bar: verify.Relative, Limit: limit,
	})
}

// stopRows lets it slide to rest.
func (s *slider) stopRows(name string) {
	const mu, v0 = 0.25, 0.6
	steps := int(math.Ceil(-v0/(slopeGain(mu)*s.h))) + int(math.Ceil(0.1/s.h))
	travel, speed := s.slide(mu, v0, steps)
	s.t.Row(verify.Row{
		Quantity: fmt.Sprintf("μ %g from %g m/s, stops after, %s", mu, v0, name), Unit: "m",
		Expected: slopeSum(v0, mu, s.h, steps), Measured: travel, Bar: verify.Absolute, Limit: slopeGive(mu),
		From: "what the sheet may give along the slope, see slopeGive; flat triangles leave rounding",
	})
	s.t.Row(verify.Row{
		Quantity: "and is as fast then, " + name, Unit: "m/s", Measured: speed, Bar: verify.AtMost, Limit: 1e-6,
		From: "a hundred times a step's tolerance",
	})
}

// nearRows compares it with the closed forms as near to the threshold as L2 does: 0.0031589 m/s² at μ 0.176, and a
// stop after v0²/(2 |a|) = 0.19225 m at 0.177.
func (s *slider) nearRows(name string) {
	const below, above, v0 = 0.176, 0.177, 0.05
	steps := int(math.Round(5 / s.h))
	travel, _ := s.slide(below, 0, steps)
	s.t.Row(verify.Row{
		Quantity: fmt.Sprintf("μ %g, slid in 5 s, %s", below, name), Unit: "m",
		Expected: slopeSum(0, below, s.h, steps), Measured: travel, Bar: verify.Relative, Limit: 0.05,
	})
	steps = int(math.Round(8.5 / s.h))
	travel, _ = s.slide(above, v0, steps)
	s.t.Row(verify.Row{
		Quantity: fmt.Sprintf("μ %g from %g m/s, stops after, %s", above, v0, name), Unit: "m",
		Expected: slopeSum(v0, above, s.h, steps), Measured: travel, Bar: verify.Relative, Limit: 0.02,
	})
}
