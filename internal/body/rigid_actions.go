package body

import (
	"errors"
	"fmt"

	"github.com/toile-sim/toile/r3"
)

var _ Acted = (*Rigid)(nil)

// actionNumbers are those of force, torque, and a hold: axes, what moves and turns, velocity and spin.
const actionNumbers = 2*3 + 9 + 4*3

// Actions returns its load, its hold and its guide.
func (b *Rigid) Actions() Actions {
	a := Actions{Guided: b.guide != nil, Guide: b.guide}
	if b.force == (r3.Vec{}) && b.torque == (r3.Vec{}) && b.hold == (Hold{}) {
		return a
	}
	for _, v := range [2]r3.Vec{b.force, b.torque} {
		a.Numbers = append(a.Numbers, v.X, v.Y, v.Z)
	}
	h := &b.hold
	m := &h.Axes
	a.Numbers = append(a.Numbers, m.XX, m.XY, m.XZ, m.YX, m.YY, m.YZ, m.ZX, m.ZY, m.ZZ)
	for _, held := range [2][3]bool{h.Move, h.Turn} {
		for _, is := range held {
			x := 0.0
			if is {
				x = 1
			}
			a.Numbers = append(a.Numbers, x)
		}
	}
	for _, v := range [2]r3.Vec{h.Velocity, h.Spin} {
		a.Numbers = append(a.Numbers, v.X, v.Y, v.Z)
	}
	return a
}

// SetActions sets them.
func (b *Rigid) SetActions(a Actions) error {
	// load and hold in numbers; without any the body is free
	var force, torque r3.Vec
	var h Hold
	if x := a.Numbers; len(x) > 0 {
		if len(x) != actionNumbers {
			return fmt.Errorf("what acts on a rigid body is %d numbers, not %d", actionNumbers, len(x))
		}
		vec := func(at int) r3.Vec { return r3.V(x[at], x[at+1], x[at+2]) }
		flags := func(at int) [3]bool { return [3]bool{x[at] != 0, x[at+1] != 0, x[at+2] != 0} }
		force, torque = vec(0), vec(3)
		axes := r3.Rows(vec(6), vec(9), vec(12))
		h = Hold{Axes: axes, Move: flags(15), Turn: flags(18), Velocity: vec(21), Spin: vec(24)}
	}
	// a guide is a program, which numbers cannot bring back
	if a.Guided && a.Guide == nil && b.guide == nil {
		return errors.New("it is led by a guide, which bytes do not hold: guide it before")
	}
	// all or nothing: a wrong hold leaves the load as it was
	beforeForce, beforeTorque := b.force, b.torque
	if err := b.SetLoad(force, torque); err != nil {
		return err
	}
	if err := b.SetHold(h); err != nil {
		b.force, b.torque = beforeForce, beforeTorque
		return err
	}
	if a.Guide != nil || !a.Guided {
		b.guide = a.Guide
	}
	return nil
}
