// A rigid body: two blocks, the velocity of its centre v and ρ ω, its spin times a length that makes it a velocity,
//
//	ρ = √(tr I/(2m)),   inertia m 1 and I/ρ²,   a point at the lever p moves by v - [p]× (ρ ω)/ρ.
//
// What it remembers of its spin is the angular momentum L in world axes, which nothing but torque changes, and not ω:
// with the equation I ω = L + h τ there is no gyroscopic force to integrate, and energy, which then depends on the
// orientation alone, stays within bounds. I is taken at the middle orientation of the step, which makes the rotation
// second order; it is found on the free motion, before contacts are known. With I of the start of the step energy
// grows.
//
// Its place is the centre and the rotation that it made in the step, times ρ.

package body

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// RigidSpec is a rigid body in its own axes, whose origin is its centre of mass.
type RigidSpec struct {
	Mass    float64 // [kg]
	Inertia r3.Mat  // about the centre [kg m²]
	Points  []r3.Vec
	Tri     [][3]int32 // its skin; each of its points is one of Points
	Edges   [][2]int32 // free edges
	Dots    []int32    // free points
	// Radius makes edges capsules and dots balls [m]; such a body has no triangles.
	Radius float64
}

// Rigid is a rigid body.
type Rigid struct {
	spec RigidSpec
	rho  float64 // ρ [m]
	skin contact.Skin

	turn     r3.Quat // its orientation at the start of the step
	momentum r3.Vec  // L, about the centre [kg m²/s]

	hold          Hold
	guide         func(t float64) r3.Pose
	force, torque r3.Vec // from outside [N], [N m]

	// Of the step under way.
	h, theta float64
	spin     r3.Vec // ω at the start [rad/s]
	expected r3.Vec // see Expect
	inertia  r3.Mat // I at the middle, in world axes
}

var _ Carrying = (*Rigid)(nil)

// NewRigid makes a rigid body that has the given orientation and spin ω [rad/s].
func NewRigid(spec RigidSpec, turn r3.Quat, spin r3.Vec) (*Rigid, error) {
	if err := spec.validate(); err != nil {
		return nil, err
	}
	if !spin.Finite() || !(math.Abs(turn.Dot(turn)-1) < 1e-9) {
		return nil, fmt.Errorf("orientation %v is not a rotation, or spin %v is not finite", turn, spin)
	}
	b := &Rigid{spec: spec, rho: math.Sqrt(spec.Inertia.Trace() / (2 * spec.Mass)), turn: turn.Unit()}
	b.skin = contact.Skin{
		Points: len(spec.Points), Made: spec.Points, Tri: spec.Tri, Edges: spec.Edges, Dots: spec.Dots, Rigid: true,
		Radius: spec.Radius,
	}
	for i := range spec.Points {
		b.skin.Carriers.Start = append(b.skin.Carriers.Start, int32(2*i))
		b.skin.Carriers.By = append(b.skin.Carriers.By,
			contact.Carrier{Block: 0, M: r3.Identity()}, contact.Carrier{Block: 1, PerLength: 1 / b.rho})
	}
	b.skin.Carriers.Start = append(b.skin.Carriers.Start, int32(2*len(spec.Points)))
	b.inertia = b.turned(b.turn)
	b.momentum = b.inertia.MulVec(spin)
	b.lever()
	return b, nil
}

func (s *RigidSpec) validate() error {
	transposed := s.Inertia.T()
	moments := [3]float64{s.Inertia.XX, s.Inertia.YY, s.Inertia.ZZ}
	largest := max(moments[0], moments[1], moments[2])
	switch {
	case !(s.Mass > 0) || math.IsInf(s.Mass, 1):
		return fmt.Errorf("mass of %g kg is not positive", s.Mass)
	case !s.Inertia.Finite() || s.Inertia != transposed || !(s.Inertia.LeastEigenvalue() > 0):
		return fmt.Errorf("inertia %v is not a symmetric positive matrix", s.Inertia)
	case 2*largest > s.Inertia.Trace()*(1+1e-9):
		return fmt.Errorf("moments of inertia %g, %g and %g: none can be larger than the sum of the others",
			moments[0], moments[1], moments[2])
	case len(s.Points) == 0:
		return errors.New("it has no points")
	case !(s.Radius >= 0) || math.IsInf(s.Radius, 1):
		return fmt.Errorf("radius of %g m is negative or not finite", s.Radius)
	case s.Radius > 0 && (len(s.Tri) > 0 || len(s.Edges)+len(s.Dots) == 0):
		return errors.New("a radius is for bodies that are free points and free edges, without triangles")
	}
	for i, p := range s.Points {
		if !p.Finite() {
			return fmt.Errorf("point %d is not finite", i)
		}
	}
	return nil
}

// turned returns the inertia in world axes at an orientation.
func (b *Rigid) turned(q r3.Quat) r3.Mat {
	m := q.Mat()
	back := m.T()
	m = m.Mul(&b.spec.Inertia)
	m = m.Mul(&back)
	transposed := m.T()
	m.Add(&transposed)
	return m.Scale(0.5)
}

// lever tells the skin how points move with the blocks, as they are oriented at the start of the step.
func (b *Rigid) lever() {
	for i, p := range b.spec.Points {
		p = b.turn.Rotate(p)
		cross := r3.Cross(p.Neg())
		b.skin.Carriers.By[2*i+1].M = cross.Scale(1 / b.rho)
	}
}

// Mass returns its mass [kg].
func (b *Rigid) Mass() float64 { return b.spec.Mass }

// Length returns ρ [m].
func (b *Rigid) Length() float64 { return b.rho }

// Turn returns its orientation.
func (b *Rigid) Turn() r3.Quat { return b.turn }

// Pose returns where its axes are when its blocks are at x.
func (b *Rigid) Pose(x []r3.Vec) r3.Pose { return r3.Pose{R: b.arrived(x), T: x[0]} }

// Spec returns what it was made of, which must not be changed.
func (b *Rigid) Spec() RigidSpec { return b.spec }

// Momentum returns its angular momentum about the centre [kg m²/s].
func (b *Rigid) Momentum() r3.Vec { return b.momentum }

// Spin returns ω at its orientation [rad/s].
func (b *Rigid) Spin() r3.Vec {
	now := b.turned(b.turn)
	inverse, _ := now.Inverse()
	return inverse.MulVec(b.momentum)
}

// SetSpin gives it a new spin ω [rad/s]. Its second block must get the velocity ρ ω as well.
func (b *Rigid) SetSpin(spin r3.Vec) {
	now := b.turned(b.turn)
	b.momentum = now.MulVec(spin)
}

// Blocks returns 2.
func (b *Rigid) Blocks() int { return 2 }

// Inertia is that at the middle of the step under way.
func (b *Rigid) Inertia(out []r3.Mat) {
	out[0], out[1] = r3.Diagonal(b.spec.Mass), b.inertia.Scale(1/(b.rho*b.rho))
}

// VariesInertia reports whether its inertia changes as it turns.
func (b *Rigid) VariesInertia() bool { return true }

// Parts returns none.
func (b *Rigid) Parts() []Part { return nil }

// midpoint bounds the iteration for the middle orientation. Each makes the error smaller by about half the angle that
// the body turns by in a step.
const (
	midpointRounds = 100
	midpointError  = 1e-14
)

// Begin finds the free spin of the step and the inertia at its middle.
func (b *Rigid) Begin(s *Start) {
	s.Gravity[1] = r3.Vec{}
	s.Force[0], s.Force[1] = s.Force[0].Add(b.force), s.Force[1].AddScaled(1/b.rho, b.torque)
	b.h, b.theta = s.H, s.Theta
	b.inertia = b.turned(b.turn)
	b.spin = r3.Vec{} // that of the step before is not state
	if s.H > 0 {
		s.X[1] = r3.Vec{}
	}
	for range midpointRounds {
		inverse, _ := b.inertia.Inverse()
		before := b.spin
		b.spin = inverse.MulVec(b.momentum)
		if s.H == 0 || b.spin.Sub(before).Norm() <= midpointError*b.spin.Norm() {
			break
		}
		b.inertia = b.turned(byVector(b.spin.Scale(s.H / 2)).Mul(b.turn))
	}
	b.expected = b.spin
	s.V[1] = b.spin.Scale(b.rho)
	b.follow(s)
	b.lever()
}

// byVector returns the rotation about a vector by its length.
func byVector(v r3.Vec) r3.Quat { return r3.Rotation(v, v.Norm()) }

// Arrive moves both blocks along their velocities.
func (b *Rigid) Arrive(x0, v []r3.Vec, h float64, x1 []r3.Vec) { Drift(x0, v, h, x1) }

// Skin returns its skin, whose points its two blocks carry.
func (b *Rigid) Skin() *contact.Skin { return &b.skin }

// Carry writes where its points are when its blocks are at x.
func (b *Rigid) Carry(x, points []r3.Vec) {
	turn := b.arrived(x)
	for i, p := range b.spec.Points {
		points[i] = x[0].Add(turn.Rotate(p))
	}
}

// arrived returns its orientation when its blocks are at x.
func (b *Rigid) arrived(x []r3.Vec) r3.Quat {
	return byVector(x[1].Scale(1 / b.rho)).Mul(b.turn).Unit()
}

// Commit turns it, and takes over what torque did to its momentum.
func (b *Rigid) Commit(x []r3.Vec) {
	mean := x[1].Scale(1 / (b.rho * b.h)) // θ ω + (1-θ) ω₀
	end := mean.AddScaled(b.theta-1, b.spin).Scale(1 / b.theta)
	b.momentum = b.momentum.Add(b.inertia.MulVec(end.Sub(b.spin)))
	b.turn = b.arrived(x)
	x[1] = r3.Vec{}
}

// rigidState is how many numbers a rigid body remembers.
const rigidState = 7

// State returns its orientation and its angular momentum.
func (b *Rigid) State() []byte {
	var out []byte
	for _, x := range [rigidState]float64{
		b.turn.W, b.turn.X, b.turn.Y, b.turn.Z, b.momentum.X, b.momentum.Y, b.momentum.Z,
	} {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
	}
	return out
}

// SetState sets them.
func (b *Rigid) SetState(state []byte) error {
	if len(state) != 8*rigidState {
		return fmt.Errorf("the state of a rigid body has %d bytes, not %d", 8*rigidState, len(state))
	}
	var x [rigidState]float64
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(state[8*i:]))
	}
	turn, momentum := r3.Quat{W: x[0], X: x[1], Y: x[2], Z: x[3]}, r3.V(x[4], x[5], x[6])
	if !(math.Abs(turn.Dot(turn)-1) < 1e-9) || !momentum.Finite() {
		return errors.New("the state of a rigid body is no orientation and momentum")
	}
	b.turn, b.momentum = turn, momentum
	b.inertia = b.turned(turn)
	b.lever()
	return nil
}
