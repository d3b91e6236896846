package body

import "github.com/toile-sim/toile/r3"

var _ Spinning = (*Rigid)(nil)

// Expect says with which mean spin [rad/s] it turns in the step under way, as far as that is known before the step is
// solved. Begin expects the free one.
func (b *Rigid) Expect(spin r3.Vec) { b.expected = spin }

// ExpectedSpin returns that spin [rad/s].
func (b *Rigid) ExpectedSpin() r3.Vec { return b.expected }

// ExpectedTurn returns the orientation at the end of the step under way with that spin.
func (b *Rigid) ExpectedTurn() r3.Quat { return byVector(b.expected.Scale(b.h)).Mul(b.turn) }

// TurnAt returns its orientation when its blocks are at x: at the start of the step under way, or where Arrive has
// brought them.
func (b *Rigid) TurnAt(x []r3.Vec) r3.Quat { return b.arrived(x) }

// SpinEnergy returns the kinetic energy of its spin at its orientation [J].
func (b *Rigid) SpinEnergy() float64 { return 0.5 * b.momentum.Dot(b.Spin()) }

// Slow makes its angular momentum smaller by a factor.
func (b *Rigid) Slow(factor float64) { b.momentum = b.momentum.Scale(factor) }

// StopMotion takes its spin away.
func (b *Rigid) StopMotion() { b.momentum = r3.Vec{} }
