package toile

import (
	"errors"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
)

// Path is a motion given by keys, as a map of space: x ↦ C + R(x - C) + T. It is held before the first key and after
// the last.
type Path struct {
	Center r3.Vec // C, the point that rotations turn about
	Keys   []Key  // by time, ascending
	Smooth bool   // start and stop softly at every key instead of moving evenly in between
}

// Key is where a path is at one moment.
type Key struct {
	At        float64 // [s]
	Translate r3.Vec  // T [m]
	Axis      r3.Vec  // of R; any length but zero when Angle is not zero
	Angle     float64 // of R [rad]; may be more than a turn
}

// Pose returns where it is at time t [s].
func (p *Path) Pose(t float64) r3.Pose { return p.engine().At(t) }

// Validate lists everything that is wrong with the path.
func (p *Path) Validate() error { return p.engine().Validate() }

func (p *Path) engine() *engine.Path {
	if p == nil {
		return nil
	}
	e := &engine.Path{Center: p.Center, Smooth: p.Smooth}
	for _, k := range p.Keys {
		e.Keys = append(e.Keys, engine.Key(k))
	}
	return e
}

// Track is a number that changes over time, given by keys. It keeps its first value before the first key and its last
// value after the last. A step takes the value at its end for all of its length.
type Track struct {
	Keys    []TrackKey // by time, ascending; two keys at the same time are a jump
	Between Interpolation
}

// TrackKey is the value of a track at one moment.
type TrackKey struct {
	At    float64 // [s]
	Value float64
}

// Interpolation is a way to go from key to key.
type Interpolation int

// Evenly from value to value; keeping each value until the next key; or starting and stopping softly at every key.
const (
	Linear = Interpolation(engine.Linear)
	Steps  = Interpolation(engine.Hold)
	Smooth = Interpolation(engine.Smooth)
)

func (t *Track) engine() engine.Track {
	e := engine.Track{Between: engine.Interpolation(t.Between)}
	for _, k := range t.Keys {
		e.Keys = append(e.Keys, engine.TrackKey(k))
	}
	return e
}

// Quantity is a number of a world that a track can drive.
type Quantity struct {
	q  engine.Quantity
	of *World // whose it is; nil: of any
}

// Drive puts a number on a track, for good. It takes the value of the track at once.
func (w *World) Drive(q Quantity, track Track) error {
	if q.of != nil && q.of != w {
		return errors.New("what the track drives is of another world")
	}
	return w.e.Drive(q.q, track.engine())
}

// Axis is one of the axes of the world.
type Axis int

// The axes.
const (
	X Axis = iota
	Y
	Z
)

// GravityAlong is a component of the acceleration of free fall [m/s²].
func GravityAlong(axis Axis) Quantity { return Quantity{q: engine.GravityAlong(int(axis))} }

// WindAlong is a component of the velocity of the air, in m/s.
func WindAlong(axis Axis) Quantity { return Quantity{q: engine.WindAlong(int(axis))} }

// AirDensity is the density of the air [kg/m³].
func AirDensity() Quantity { return Quantity{q: engine.AirDensity()} }

// DefaultFriction is the coefficient of friction of pairs that have none of their own.
func DefaultFriction() Quantity { return Quantity{q: engine.DefaultFriction()} }

// FrictionBetween is the coefficient of friction of two surfaces of a world, or of one with itself. It panics if they
// are of two worlds.
func FrictionBetween(a, b Surface) Quantity {
	a.world().mustOwn(a, b)
	return Quantity{engine.FrictionBetween(a.surfaceID(), b.surfaceID()), a.world()}
}

// ContactThickness is the distance that surfaces keep from each other [m].
func ContactThickness() Quantity { return Quantity{q: engine.ContactThickness()} }

// Limit is the largest force of a weak handle [N].
func (h *Handle) Limit() Quantity { return Quantity{engine.HandleLimit(h.id), h.w} }

// Stiffness is the spring of a weak handle, in N/m.
func (h *Handle) Stiffness() Quantity { return Quantity{engine.HandleStiffness(h.id), h.w} }

// Holds is whether a handle holds its vertices: from 0.5 on it does, below it lets them go. When it takes hold again it
// takes the vertices where they are. After Release it cannot be driven.
func (h *Handle) Holds() Quantity { return Quantity{engine.HandleHold(h.id), h.w} }

// Along is a component of the force of a load [N].
func (l *Load) Along(axis Axis) Quantity { return Quantity{engine.LoadAlong(l.id, int(axis)), l.w} }

// PressForce is the force that drives a press [N].
func (o *Obstacle) PressForce() Quantity { return Quantity{engine.PressForce(o.id), o.w} }

// Damping is the damping of a cloth's fabric [s].
func (c *Cloth) Damping() Quantity { return Quantity{engine.ClothDamping(c.id), c.w} }

// Drag is the coefficient of the air drag on a cloth's faces. It has no effect while the density of the air is 0.
func (c *Cloth) Drag() Quantity { return Quantity{engine.ClothDrag(c.id), c.w} }

// StretchFactor multiplies the stiffness of a cloth in its plane; 1 is that of its fabric.
func (c *Cloth) StretchFactor() Quantity { return Quantity{engine.StretchFactor(c.id), c.w} }

// BendFactor multiplies the stiffness of a cloth against bending; 1 is that of its fabric.
func (c *Cloth) BendFactor() Quantity { return Quantity{engine.BendFactor(c.id), c.w} }
