package body

import "github.com/toile-sim/toile/r3"

// SetGuide leads the freedoms that the hold prescribes to where at says that the axes of the body are at the end of
// each step, from the next one on; nil lets the hold prescribe velocities.
func (b *Rigid) SetGuide(at func(t float64) r3.Pose) { b.guide = at }

// follow prescribes the velocities of a step that lead from where the body is to where its guide is at the end.
func (b *Rigid) follow(s *Start) {
	if b.guide == nil || s.H == 0 {
		return
	}
	to := b.guide(s.End)
	b.hold.Velocity = b.hold.Axes.MulVec(to.T.Sub(s.X[0])).Scale(1 / s.H)
	turn := to.R.Mul(b.turn.Conj())
	if axis, ok := b.hold.axle(); ok {
		// What it has turned about its axle does not count. Left in, it would turn the way back aside by half of it.
		about := axis.Scale(r3.V(turn.X, turn.Y, turn.Z).Dot(axis))
		twist := r3.Quat{W: turn.W, X: about.X, Y: about.Y, Z: about.Z}
		turn = twist.Unit().Conj().Mul(turn)
	}
	b.hold.Spin = b.hold.Axes.MulVec(turn.Vector()).Scale(1 / s.H)
}

// axle returns the one direction about which a body may turn, and whether there is just one.
func (h *Hold) axle() (axis r3.Vec, ok bool) {
	for k, unit := range [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		others := [3]bool{true, true, true}
		others[k] = false
		if h.Turn == others {
			return h.Axes.MulVecT(unit), true
		}
	}
	return r3.Vec{}, false
}
