package body

import "github.com/toile-sim/toile/r3"

// SetGuide leads the freedoms that the hold prescribes to where at says that the axes of the body are at the end of each
// step, from the next one on; nil lets the hold prescribe velocities. It is not part of the state.
func (b *Rigid) SetGuide(at func(t float64) r3.Pose) { b.guide = at }

// follow prescribes the velocities of a step that lead from where the body is to where its guide is at the end.
func (b *Rigid) follow(s *Start) {
	if b.guide == nil || s.H == 0 {
		return
	}
	to := b.guide(s.End)
	b.hold.Velocity = b.hold.Axes.MulVec(to.T.Sub(s.X[0])).Scale(1 / s.H)
	b.hold.Spin = b.hold.Axes.MulVec(to.R.Mul(b.turn.Conj()).Vector()).Scale(1 / s.H)
}
