// Equilibrium where things touch.
//
// Friction has no potential whose minimum could be looked for, so the equilibrium is found by moving there: steps of
// the world, contacts and all, while time stands still, with kinetic damping [Barnes99]: whenever the kinetic energy
// has passed a peak, which is where a swing goes through its equilibrium, all velocities are set to zero. Contacts with
// obstacles act where they are (ContactOptions.PointContacts): an edge that touches in its middle, and is held off at
// one end, turns about that end and never rests.

package engine

import (
	"fmt"

	"github.com/toile-sim/toile/internal/mech"
)

// relax lets the cloth come to rest by steps.
func (w *World) relax(opt SettleOptions) (SettleStats, error) {
	w.timeFrozen = true
	defer func() { w.timeFrozen = false }()
	defer w.setPointContacts(w.opt.Contact.PointContacts)
	w.setPointContacts(true)
	w.canceler.remember(w)
	w.stop()
	stats := SettleStats{Unstable: -1}
	kinetic, resting := 0.0, true // resting: the step starts without velocities
	for stats.Iterations < opt.MaxIterations {
		solved := true
		err := w.stepHalving(opt.Step, 0, 0, func(s Stats) {
			stats.Iterations++
			solved = solved && (s.Converged || s.Residual*s.H <= opt.Tolerance)
			stats.Move = s.MaxSpeed * s.H
			stats.Energy, stats.Crossings = s.Energy, s.Crossings
		})
		if err != nil {
			w.revert()
			w.stop()
			return stats, w.canceler.undo(w, fmt.Errorf("settle: %w", err))
		}
		if resting && solved && stats.Move <= opt.Tolerance {
			stats.Converged = true
			break
		}
		resting = stats.Move <= opt.Tolerance || stats.Energy.Of(mech.KineticEnergy) < kinetic
		kinetic = stats.Energy.Of(mech.KineticEnergy)
		if resting {
			w.stop()
			kinetic = 0
		}
	}
	w.stop()
	w.canceler.begin = nil
	return stats, nil
}

func (w *World) setPointContacts(on bool) {
	w.opt.Contact.PointContacts, w.finder.PointContacts = on, on
}

// stop takes all velocities away, and what bodies remember of theirs.
func (w *World) stop() {
	clear(w.vel)
	for i := range w.bodies {
		if b := w.bodies[i].spinning; b != nil {
			b.StopMotion()
		}
	}
}
