package body

import "github.com/toile-sim/toile/r3"

var _ Spinning = (*Rigid)(nil)

// FreeSpin returns ω of the free motion in the step under way [rad/s].
func (b *Rigid) FreeSpin() r3.Vec { return b.spin }

// FreeTurn returns its orientation at the end of the free motion in the step under way.
func (b *Rigid) FreeTurn() r3.Quat { return byVector(b.spin.Scale(b.h)).Mul(b.turn) }

// TurnAt returns its orientation when its blocks are at x: at the start of the step under way, or where Arrive has
// brought them.
func (b *Rigid) TurnAt(x []r3.Vec) r3.Quat { return b.arrived(x) }

// Still takes its spin away.
func (b *Rigid) Still() { b.momentum = r3.Vec{} }
