package yarn

import "fmt"

// Pace says how long steps may be.
type Pace struct {
	Base float64 // the step that is always tried [s]; 0 means 1/16200, that of [Kaldor10]
	Most float64 // the longest step [s], taken while yarns are far from passing through each other; 0 means Base
}

const (
	baseStep = 1.0 / 16200

	// Steps longer than the base are taken while touching yarns move against each other by less than easyShare of their
	// distance. Contact stiffens as it is pressed, as the inverse fourth power of the distance: where some is nearer
	// than easyDistance of the diameter, the longest step shrinks with the square of it, as that of an oscillator does.
	easyShare    = 0.25
	easyDistance = 0.5

	// Steps are halved while touching yarns move against each other by safeShare of their distance, but not below
	// leastStep of the base.
	safeShare = 0.5
	leastStep = 1.0 / 256

	stepGrowth = 1.25 // from one step to the next
)

// Advance advances time by duration [s] in steps as long as the pace and the yarns allow, and tells of each, unless
// tell is nil. A step in which yarns could pass through each other is taken back and halved; where that does not help,
// Stats.Slips tells if they did. It may stop after a step with an error.
func (w *World) Advance(duration float64, pace Pace, tell func(*Stats)) error {
	if pace.Base == 0 {
		pace.Base = baseStep
	}
	pace.Most = max(pace.Most, pace.Base)
	if !(duration >= 0 && pace.Base > 0) {
		return fmt.Errorf("advancing by %g s in steps of %g s", duration, pace.Base)
	}
	for end := w.time + duration; end-w.time > noStep*pace.Base; {
		if err := w.stride(&pace, end); err != nil {
			return err
		}
		if tell != nil {
			tell(&w.stats)
		}
	}
	return nil
}

// noStep is the share of the base that is no step: nothing would move in it, and velocities would be lost.
const noStep = 1e-9

// stride takes one step, to end at the farthest.
func (w *World) stride(pace *Pace, end float64) error {
	w.enter()
	defer w.team.Leave()
	left := end - w.time
	h := min(pace.Most, max(pace.Base, w.pace*stepGrowth))
	if h > left/2 { // two steps of the same length, not one with a short rest
		h = min(h, left)
		if h < left {
			h = left / 2
		}
	}
	w.addForces()
	if near := w.stats.Contact.Closest / easyDistance; near < 1 {
		h = min(h, max(pace.Base, pace.Most*near*near), left)
	}
	if left-h < noStep*pace.Base {
		h = left
	}
	w.lengths.remember(w.x)
	for retry := 0; ; retry++ {
		w.mend = min(1, h/pace.Most)
		to := w.time + h
		if h == left {
			to = end // and not what rounding makes of it
		}
		if err := w.try(h, to); err != nil {
			return err
		}
		w.stats.Retries = retry
		if w.guard == nil {
			break
		}
		share, apart := w.guard.pressed(w.near, 2*w.opt.Material.Radius)
		limit := safeShare
		if h > pace.Base {
			limit = easyShare
		}
		if share < limit && apart || h <= leastStep*pace.Base {
			w.stats.Slips = w.guard.slips(w.near, w.contacts.material, apart)
			break
		}
		h /= 2
	}
	w.pace = h
	return w.commit()
}
