package body

import (
	"fmt"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Hold prescribes some of the six freedoms of a rigid body: velocities of its centre along three directions, and spins
// about them. What is not prescribed is free. A finger that a force closes along x is held along y and z and about all
// three.
type Hold struct {
	Axes     r3.Mat  // rows: three directions at right angles, in the world
	Move     [3]bool // along which the velocity of the centre is prescribed
	Turn     [3]bool // about which the spin is prescribed
	Velocity r3.Vec  // along these directions [m/s]
	Spin     r3.Vec  // about these directions [rad/s]
}

var (
	_ Bound = (*Rigid)(nil)
	_ Led   = (*Rigid)(nil)
)

// SetHold prescribes freedoms from the next step on. The zero Hold lets go of all.
func (b *Rigid) SetHold(h Hold) error {
	if h != (Hold{}) {
		transposed := h.Axes.T()
		gram := h.Axes.Mul(&transposed)
		gram.AddDiagonal(-1)
		if !(gram.MaxAbs() < 1e-9) || !(h.Axes.Det() > 0) {
			return fmt.Errorf("the directions of a hold are not at right angles: %v", h.Axes)
		}
	}
	if !h.Velocity.Finite() || !h.Spin.Finite() {
		return fmt.Errorf("a hold at %v m/s and %v rad/s is not finite", h.Velocity, h.Spin)
	}
	b.hold = h
	return nil
}

// SetLoad lets a force [N] act at the centre and a torque [N m], from the next step on.
func (b *Rigid) SetLoad(force, torque r3.Vec) error {
	if !force.Finite() || !torque.Finite() {
		return fmt.Errorf("a load of %v N and %v N m is not finite", force, torque)
	}
	b.force, b.torque = force, torque
	return nil
}

// IsLed reports whether all six freedoms are prescribed.
func (b *Rigid) IsLed() bool {
	return b.hold.Move == [3]bool{true, true, true} && b.hold.Turn == [3]bool{true, true, true}
}

// Bind ties what is prescribed.
func (b *Rigid) Bind(set *contact.Set, first int32, v0 []r3.Vec, _, theta float64) {
	b.tie(set, first, v0[0], b.hold.Move, b.hold.Velocity, theta)
	b.tie(set, first+1, v0[1], b.hold.Turn, b.hold.Spin.Scale(b.rho), theta)
}

// tie adds the row that gives a block the prescribed mean velocities of a step, along the directions of the hold.
func (b *Rigid) tie(set *contact.Set, block int32, v0 r3.Vec, held [3]bool, to r3.Vec, theta float64) {
	if held == [3]bool{} {
		return
	}
	axes, row := &b.hold.Axes, r3.Mat{}
	u := axes.MulVec(v0).Scale(1 - theta).Sub(to).Scale(1 / theta)
	if held[0] {
		row.XX, row.XY, row.XZ = axes.XX, axes.XY, axes.XZ
	}
	if held[1] {
		row.YX, row.YY, row.YZ = axes.YX, axes.YY, axes.YZ
	}
	if held[2] {
		row.ZX, row.ZY, row.ZZ = axes.ZX, axes.ZY, axes.ZZ
	}
	for k, x := range [3]*float64{&u.X, &u.Y, &u.Z} {
		if !held[k] {
			*x = 0
		}
	}
	set.AddRow(
		contact.Contact{Law: contact.Bilateral, A: block, B: contact.None, Frame: *axes, Uf: u},
		contact.Term{Block: block, W: 1, M: row},
	)
}
