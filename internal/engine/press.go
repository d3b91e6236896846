// A press: a plate that is free along one axis and driven by a force.
//
// It is a body of one block, whose velocity is that of the plate along the axis, in the frame that the path of its
// obstacle moves; across the axis nothing is free. Its place is how far it has gone in the step, so that rounding does
// not grow with its travel, which is what it remembers. The obstacle rides on it.

package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// Press makes an obstacle a plate that is free along one axis, in the frame that its path moves, and driven by a force.
// Its mass resists changes of its speed in that frame; it feels neither gravity nor that the frame speeds up.
type Press struct {
	Axis  r3.Vec  // the way it pushes; any length but zero
	Force float64 // along the axis [N]
	Mass  float64 // [kg]
	Stop  float64 // how far it may go along the axis from where it starts [m]; +Inf: as far as it can
}

func (p *Press) validate() error {
	var faults []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	check(p.Axis.Finite() && p.Axis.Norm() > 0, "press axis %v has no direction", p.Axis)
	check(!math.IsInf(p.Force, 0) && !math.IsNaN(p.Force), "press force %g N is not finite", p.Force)
	check(p.Mass > 0 && !math.IsInf(p.Mass, 1), "press mass %g kg is not positive", p.Mass)
	check(p.Stop >= 0, "press stop %g m lies behind where it starts", p.Stop)
	return errors.Join(faults...)
}

// press is a Press at work.
type press struct {
	spec      Press
	axis      r3.Vec  // of unit length, in the frame
	travel    float64 // along it [m]
	now, next r3.Vec  // the axis in the world, at the start and at the end of the step under way
	at        r3.Vec  // where the frame's origin is at the start [m]
}

var (
	_ carrier        = (*press)(nil)
	_ mech.Guided    = (*press)(nil)
	_ mech.Bound     = (*press)(nil)
	_ mech.Potential = (*press)(nil)
)

func (p *Press) carrier() carrier { return &press{spec: *p, axis: p.Axis.Unit()} }

// Offset returns its travel in the frame.
func (p *press) Offset() r3.Vec { return p.axis.Scale(p.travel) }

// Frame tells it where the frame is.
func (p *press) Frame(from, to r3.Pose) {
	p.now, p.next = from.R.Rotate(p.axis), to.R.Rotate(p.axis)
	p.at = from.T
}

// SetForce changes the force that drives it.
func (p *press) SetForce(force float64) { p.spec.Force = force }

// Blocks returns 1.
func (p *press) Blocks() int { return 1 }

// Inertia is the mass of the plate.
func (p *press) Inertia(out []r3.Mat) { out[0] = r3.Diagonal(p.spec.Mass) }

// Parts returns none.
func (p *press) Parts() []mech.Part { return nil }

// Begin turns its velocity with the frame, and lets its force act in place of its weight.
func (p *press) Begin(s *mech.Start) {
	s.Force[0], s.Gravity[0] = p.next.Scale(p.spec.Force), r3.Vec{}
	if s.H == 0 {
		return
	}
	s.X[0] = r3.Vec{}
	s.V[0] = p.next.Scale(s.V[0].Dot(p.now))
}

// Arrive moves it along its velocity.
func (p *press) Arrive(x0, v []r3.Vec, h float64, x1 []r3.Vec) { mech.Drift(x0, v, h, x1) }

// Skin returns nil: its obstacle is what can be touched.
func (p *press) Skin() *contact.Skin { return nil }

// Commit adds how far it went to its travel.
func (p *press) Commit(x []r3.Vec) {
	p.travel += x[0].Dot(p.next)
	x[0] = r3.Vec{}
}

// State returns its travel.
func (p *press) State() []byte {
	return binary.LittleEndian.AppendUint64(nil, math.Float64bits(p.travel))
}

// SetState sets its travel.
func (p *press) SetState(state []byte) error {
	if len(state) != 8 {
		return fmt.Errorf("state of a press has %d bytes, not 8", len(state))
	}
	travel := math.Float64frombits(binary.LittleEndian.Uint64(state))
	if math.IsNaN(travel - travel) {
		return errors.New("travel of a press is not finite")
	}
	p.travel = travel
	return nil
}

// Guides lets it move along its axis alone.
func (p *press) Guides(dst []contact.Partial) []contact.Partial {
	return append(dst, contact.Along(0, p.next))
}

// Bind adds its stop, as a row that only pushes.
func (p *press) Bind(set *contact.Set, first int32, v0 []r3.Vec, h, theta float64) {
	if math.IsInf(p.spec.Stop, 1) {
		return
	}
	back := p.next.Neg()
	gap := p.spec.Stop - p.travel
	set.Add(contact.Contact{
		Law: contact.NormalOnly, A: first, B: contact.None, Frame: contact.FrameOf(back), Gap: gap,
		Uf: r3.V((gap/h+(1-theta)*back.Dot(v0[0]))/theta, 0, 0), Point: p.at,
	})
}

// Potential is minus the work of its force.
func (p *press) Potential(x []r3.Vec, out *mech.Energies) {
	out.Add(mech.PressEnergy, -p.spec.Force*(p.travel+x[0].Dot(p.next)))
}
