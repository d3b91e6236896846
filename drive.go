// Numbers that change over time.
//
// Drive ties a number of the world to a Track. The value is a function of the time alone: a step sets all driven
// numbers before anything else, a failed step sets them back to those of the last good one, and a restored world sets
// them to those of the step its snapshot was taken after. So they are no state, but for where a handle takes hold of
// vertices that it let go.

package toile

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Quantity names a number of a world that a track can drive.
type Quantity struct {
	kind quantityKind
	a, b int // what it belongs to
}

type quantityKind int

const (
	gravityAlong quantityKind = iota
	windAlong
	airDensity
	frictionDefault
	frictionBetween
	contactThickness
	handleLimit
	handleStiffness
	handleHold
	pressForce
	loadAlong
	clothDamping
	clothDrag
	stretchFactor
	bendFactor
)

// quantityRules say how quantities are called and what values they may have.
var quantityRules = [...]struct {
	name  string
	least float64
	above bool // the least value itself is not allowed
}{
	gravityAlong:     {"gravity", math.Inf(-1), true},
	windAlong:        {"wind", math.Inf(-1), true},
	airDensity:       {"density of the air", 0, false},
	frictionDefault:  {"friction", 0, false},
	frictionBetween:  {"friction of a pair", 0, false},
	contactThickness: {"contact thickness", 0, true},
	handleLimit:      {"force of a handle", 0, false},
	handleStiffness:  {"stiffness of a handle", 0, true},
	handleHold:       {"hold of a handle", 0, false},
	pressForce:       {"force of a press", math.Inf(-1), true},
	loadAlong:        {"load", math.Inf(-1), true},
	clothDamping:     {"damping", 0, false},
	clothDrag:        {"drag", 0, false},
	stretchFactor:    {"factor of stretch stiffness", 0, true},
	bendFactor:       {"factor of bending stiffness", 0, true},
}

// GravityAlong is a component of the acceleration of free fall [m/s²]; axis 0, 1, 2 is X, Y, Z.
func GravityAlong(axis int) Quantity { return Quantity{gravityAlong, axis, 0} }

// WindAlong is a component of the velocity of the air [m/s].
func WindAlong(axis int) Quantity { return Quantity{windAlong, axis, 0} }

// AirDensity is the density of the air [kg/m³].
func AirDensity() Quantity { return Quantity{kind: airDensity} }

// DefaultFriction is the coefficient of friction of pairs that have none of their own.
func DefaultFriction() Quantity { return Quantity{kind: frictionDefault} }

// FrictionBetween is the coefficient of friction of two surfaces, or of one with itself.
func FrictionBetween(a, b SurfaceID) Quantity {
	return Quantity{frictionBetween, int(min(a, b)), int(max(a, b))}
}

// ContactThickness is the distance that surfaces keep from each other [m]. Where it grows, surfaces are brought apart
// as gently as those that start too near (ContactOptions.PushSpeed), and lag behind a faster growth.
func ContactThickness() Quantity { return Quantity{kind: contactThickness} }

// HandleLimit is the largest force of a weak handle [N].
func HandleLimit(id HandleID) Quantity { return Quantity{handleLimit, int(id), 0} }

// HandleStiffness is the spring of a weak handle [N/m].
func HandleStiffness(id HandleID) Quantity { return Quantity{handleStiffness, int(id), 0} }

// HandleHold is whether a handle holds its vertices: from 0.5 on it does, below it lets them go. When it takes hold
// again it takes the vertices where they are.
func HandleHold(id HandleID) Quantity { return Quantity{handleHold, int(id), 0} }

// PressForce is the force that drives a press [N].
func PressForce(id ObstacleID) Quantity { return Quantity{pressForce, int(id), 0} }

// LoadAlong is a component of the force of a load [N].
func LoadAlong(id LoadID, axis int) Quantity { return Quantity{loadAlong, int(id), axis} }

// ClothDamping is the damping of a cloth's fabric [s].
func ClothDamping(id ClothID) Quantity { return Quantity{clothDamping, int(id), 0} }

// ClothDrag is the coefficient of the air drag on a cloth's faces.
func ClothDrag(id ClothID) Quantity { return Quantity{clothDrag, int(id), 0} }

// StretchFactor multiplies the stiffness of a cloth in its plane; 1 is that of its fabric.
func StretchFactor(id ClothID) Quantity { return Quantity{stretchFactor, int(id), 0} }

// BendFactor multiplies the stiffness of a cloth against bending; 1 is that of its fabric.
func BendFactor(id ClothID) Quantity { return Quantity{bendFactor, int(id), 0} }

// drive is a number on a track.
type drive struct {
	Quantity
	track Track
}

// Drive puts a number on a track, for good. It takes the value of the track at once.
func (w *World) Drive(q Quantity, track Track) error {
	rule := quantityRules[q.kind]
	fail := func(err error) error { return fmt.Errorf("track of %s: %w", rule.name, err) }
	if err := track.Validate(); err != nil {
		return fail(err)
	}
	if err := w.canDrive(q); err != nil {
		return fail(err)
	}
	for i, k := range track.Keys {
		if k.Value < rule.least || rule.above && k.Value == rule.least {
			return fail(fmt.Errorf("key %d has the value %g, which is too small", i, k.Value))
		}
	}
	if slices.ContainsFunc(w.drives, func(d drive) bool { return d.Quantity == q }) {
		return fail(errors.New("it has one already"))
	}
	w.drives = append(w.drives, drive{q, Track{slices.Clone(track.Keys), track.Between}})
	w.print = nil
	switch q.kind {
	case airDensity:
		w.assembly = nil
	case stretchFactor, bendFactor:
		w.assembly = nil
	}
	w.setDriven(w.time, w.touch.h)
	return nil
}

// canDrive says why the world does not have the quantity.
func (w *World) canDrive(q Quantity) error {
	within := func(n int, what string) error {
		if q.a < 0 || q.a >= n {
			return fmt.Errorf("there is no %s %d", what, q.a)
		}
		return nil
	}
	switch q.kind {
	case gravityAlong, windAlong:
		return within(3, "axis")
	case frictionBetween:
		if q.a < 0 || q.b >= len(w.surfaces) {
			return fmt.Errorf("there are no surfaces %d and %d", q.a, q.b)
		}
	case handleLimit, handleStiffness, handleHold:
		if err := within(len(w.handles), "handle"); err != nil {
			return err
		}
		if q.kind != handleHold && w.handles[q.a].spec.Limit == nil {
			return fmt.Errorf("handle %q is exact and has none; give it a limit", w.handles[q.a].spec.Name)
		}
		if l := w.handles[q.a].spec.Limit; q.kind == handleLimit && l.ForceAt != nil ||
			q.kind == handleStiffness && l.StiffnessAt != nil {
			return fmt.Errorf("that of handle %q differs from vertex to vertex", w.handles[q.a].spec.Name)
		}
	case pressForce:
		if err := within(len(w.obstacles), "obstacle"); err != nil {
			return err
		}
		if w.obstacles[q.a].spec.Press == nil {
			return fmt.Errorf("obstacle %q is no press", w.obstacles[q.a].spec.Name)
		}
	case loadAlong:
		if q.b < 0 || q.b > 2 {
			return fmt.Errorf("there is no axis %d", q.b)
		}
		return within(len(w.loads), "load")
	case clothDamping, clothDrag, stretchFactor, bendFactor:
		if err := within(len(w.cloths), "cloth"); err != nil {
			return err
		}
		if c := &w.cloths[q.a]; q.kind == clothDamping && c.Varied() {
			return fmt.Errorf("that of cloth %q differs from place to place", c.Spec.Name)
		}
	}
	return nil
}

// driven tells whether a quantity is on a track.
func (w *World) driven(q Quantity) bool {
	return slices.ContainsFunc(w.drives, func(d drive) bool { return d.Quantity == q })
}

// setDriven gives driven numbers their values in a step of h seconds that ends at the given time.
func (w *World) setDriven(end, h float64) {
	regrip := false
	for i := range w.drives {
		d := &w.drives[i]
		v := d.track.At(end, h)
		switch d.kind {
		case gravityAlong:
			*component(&w.opt.Gravity, d.a) = v
		case windAlong:
			*component(&w.opt.Air.Wind, d.a) = v
		case airDensity:
			w.opt.Air.Density = v
		case frictionDefault:
			w.opt.Contact.Friction = v
		case frictionBetween:
			w.friction[pairOf(SurfaceID(d.a), SurfaceID(d.b))] = v
		case contactThickness:
			w.opt.Contact.Thickness, w.finder.Thickness = v, v
			w.spreadThickness()
		case handleLimit:
			w.handles[d.a].spec.Limit.Force = v
		case handleStiffness:
			w.handles[d.a].spec.Limit.Stiffness = v
		case handleHold:
			k := &w.handles[d.a]
			regrip = regrip || k.idle != (v < 0.5)
			k.idle = v < 0.5
		case pressForce:
			w.press(ObstacleID(d.a)).spec.Force = v
		case loadAlong:
			*component(&w.loads[d.a].force, d.b) = v
		case clothDamping:
			w.cloths[d.a].Damping = v
		case clothDrag:
			w.cloths[d.a].SetDrag(v)
		case stretchFactor:
			w.cloths[d.a].ScaleStretch(v)
		case bendFactor:
			w.cloths[d.a].ScaleBend(v)
		}
	}
	if regrip {
		w.hold()
	}
}

func component(v *r3.Vec, axis int) *float64 {
	return [...]*float64{&v.X, &v.Y, &v.Z}[axis]
}

// drive sets driven numbers for the step under way. Handles that take hold take their vertices where they are.
func (s *step) drive() {
	w := s.w
	if len(w.drives) == 0 {
		return
	}
	for i := range w.handles {
		w.handles[i].wasIdle = w.handles[i].idle
	}
	w.setDriven(s.end, s.h)
	for i := range w.handles {
		if k := &w.handles[i]; k.wasIdle && !k.free() {
			k.rest, k.restBefore = k.restBefore, k.rest
			k.anchors, k.anchorsBefore = k.anchorsBefore, k.anchors
			w.grip(k)
			k.gripped = true
		}
	}
}

// undrive sets driven numbers back to those of the last step, after one that failed.
func (s *step) undrive() {
	w := s.w
	if len(w.drives) == 0 {
		return
	}
	for i := range w.handles {
		if k := &w.handles[i]; k.gripped {
			k.rest, k.restBefore = k.restBefore, k.rest
			k.anchors, k.anchorsBefore = k.anchorsBefore, k.anchors
			k.gripped = false
		}
	}
	w.setDriven(w.time, w.touch.h)
}

// putDrives adds the tracks to the fingerprint of a world.
func (w *World) putDrives(put func(...int64)) {
	if len(w.drives) > 0 {
		put(int64(len(w.drives)))
	}
	for i := range w.drives {
		d := &w.drives[i]
		put(int64(d.kind), int64(d.a), int64(d.b), int64(d.track.Between), int64(len(d.track.Keys)))
		for _, k := range d.track.Keys {
			put(int64(math.Float64bits(k.At)), int64(math.Float64bits(k.Value)))
		}
	}
}
