package cli

import (
	"time"

	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/words"
)

// dressingTeller says how the sewing of garments before the first frame goes: a line at the start of each, and every
// few seconds.
type dressingTeller struct {
	t     *Term
	stage string // the garment being sewn
	any   bool
	said  time.Time
	began time.Time // when this session began with the stage
	from  float64   // how much of it was done then
}

// dressingEvent says how far a garment is sewn; without a cloth, how far its body is on the way to its first pose.
type dressingEvent struct {
	Event string `json:"event"`
	Cloth string `json:"cloth,omitempty"`
	Done  Real   `json:"done"`
	Gap   Real   `json:"gap"` // widest stitch [m]
}

// TellDressing returns what tells of dressing.
func TellDressing(t *Term) func(dress.Dressing) { return (&dressingTeller{t: t}).tell }

func (d *dressingTeller) tell(at dress.Dressing) {
	if d.any && at.Cloth == d.stage && time.Since(d.said) < LineEvery {
		return
	}
	fresh := !d.any || at.Cloth != d.stage
	d.any, d.stage, d.said = true, at.Cloth, time.Now()
	if fresh {
		d.began, d.from = d.said, at.Done
	}
	d.t.Emit(dressingEvent{"dressing", at.Cloth, Real(at.Done), Real(at.Gap)})
	switch {
	case fresh && at.Cloth != "":
		d.t.Say("Sewing %s before the first frame.", at.Cloth)
	case fresh:
		d.t.Say("Going to the first pose.")
	case at.Cloth != "":
		d.t.Say("Sewing %s: threads %s drawn in, widest stitch %s%s.",
			at.Cloth, words.Share(at.Done, 0), words.Length(at.Gap), d.left(at.Done))
	default:
		d.t.Say("Going to the first pose: %s%s.", words.Share(at.Done, 0), d.left(at.Done))
	}
}

// left says how long the stage may still take at the pace of this session; nothing while that cannot be told.
func (d *dressingTeller) left(done float64) string {
	if done >= 1 || done <= d.from {
		return ""
	}
	pace := time.Since(d.began).Seconds() / (done - d.from)
	return ", about " + words.TimeLeft(time.Duration(pace*(1-done)*float64(time.Second))) + " left"
}
