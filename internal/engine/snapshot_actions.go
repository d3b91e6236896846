package engine

import (
	"errors"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/mech"
)

// actionState is what programs have set on a body that is no cloth.
type actionState struct {
	mech.Actions
	mu float64 // its coefficient of friction; NaN: that of the world
}

// actionStates returns these of all such bodies.
func (w *World) actionStates() []actionState {
	out := make([]actionState, len(w.others))
	for i, at := range w.others {
		b := &w.bodies[at]
		out[i].mu = b.mu
		if b.acted != nil {
			out[i].Actions = b.acted.Actions()
		}
	}
	return out
}

// setActions sets what acts on a body.
func (w *World) setActions(m *placedBody, a *actionState) error {
	if m.acted != nil {
		if err := m.acted.SetActions(a.Actions); err != nil {
			return err
		}
	} else if a.Guided || len(a.Numbers) > 0 {
		return errors.New("snapshot is damaged: nothing can act on it")
	}
	if m.mu != a.mu && !(math.IsNaN(m.mu) && math.IsNaN(a.mu)) {
		m.mu = a.mu
		w.assembly = nil
	}
	return nil
}

// What a body has in the binary form.
const (
	hasFriction = 1 << iota
	isActedOn
	isGuided
)

func (s *Snapshot) appendActions(b []byte) []byte {
	b = appendInts(b, len(s.actions))
	for i := range s.actions {
		a := &s.actions[i]
		rubs, acted := !math.IsNaN(a.mu), len(a.Numbers) > 0
		b = appendInts(b, hasFriction*bit(rubs)+isActedOn*bit(acted)+isGuided*bit(a.Guided))
		if rubs {
			b = appendFloats(b, a.mu)
		}
		if acted {
			b = appendFloats(appendInts(b, len(a.Numbers)), a.Numbers...)
		}
	}
	return b
}

func (s *Snapshot) readActions(d *decoder) {
	for range d.count(len(d.data) / 8) {
		has := d.count(hasFriction | isActedOn | isGuided)
		a := actionState{mu: math.NaN()}
		a.Guided = has&isGuided != 0
		if has&hasFriction != 0 {
			a.mu = d.float()
			d.failed = d.failed || !(a.mu >= 0)
		}
		if has&isActedOn != 0 {
			for range d.count(len(d.data) / 8) {
				a.Numbers = append(a.Numbers, d.float())
			}
			d.failed = d.failed || len(a.Numbers) == 0
		}
		s.actions = append(s.actions, a)
	}
	s.actions = slices.Clip(s.actions)
}
