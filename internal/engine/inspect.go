package engine

import (
	"slices"

	"github.com/toile-sim/toile/internal/element"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// Crossings counts the pairs of triangles that cross in the state as it is, and triangles with a point inside an
// analytic obstacle (of planes, vertices), and names the first. It knows of no contacts of a cloth with itself if the
// options do not.
func (w *World) Crossings() (count int, first Crossing) {
	if len(w.pos) == 0 {
		return 0, Crossing{}
	}
	w.build()
	if !w.scratch.tangible {
		return 0, Crossing{}
	}
	w.team.Enter()
	defer w.team.Leave()
	s := &w.scratch
	s.observe()
	skins := slices.Clone(s.skins[:w.skinOf(0)])
	for i := range w.obstacles {
		k := &w.obstacles[i]
		skins = append(skins, w.skin(k, k.pose, k.pose, k.x))
	}
	w.finder.Start, w.finder.Crossed = w.steps == 0, true
	w.finder.Begin(skins)
	found := w.finder.Crossings(s.points(s.x0))
	return found.Count, found.First
}

// Energy returns the energies of the state as it is [J]. It takes about as long as assembling a step.
func (w *World) Energy() Energy {
	if len(w.pos) == 0 {
		return Energy{}
	}
	w.build()
	w.team.Enter()
	defer w.team.Leave()
	s := &w.scratch
	w.place(now, s.target)
	w.turnClamps(func(k *holder) r3.Quat { return k.pose.R })
	s.observe()
	w.assembly.Update(w.pos, w.vel, element.EnergyOnly)
	e := s.energyAt(w.pos)
	copy(s.result.V, w.vel)
	e.Add(mech.KineticEnergy, w.team.Sum(len(w.vel), s.kineticFunc))
	return e
}

// Losses appends what the last step has taken by itself from each body that has elements to dst. Rigid bodies have
// none, and lose nothing.
func (w *World) Losses(dst []BodyLoss) []BodyLoss {
	w.build()
	return append(dst, w.scratch.loss.of...)
}
