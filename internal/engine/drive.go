// Numbers that change over time.
//
// Drive ties a number of the world to a Track. The value is a function of the time alone: a step sets all driven
// numbers before anything else, a failed step sets them back to those of the last good one, and a restored world sets
// them to those of the step its snapshot was taken after. So they are no state, but for where a handle takes hold of
// vertices that it let go.

package engine

import (
	"errors"
	"fmt"
	"slices"

	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// Drive puts a number on a track, for good. It takes the value of the track at once.
func (w *World) Drive(q Quantity, track Track) error {
	// the track is right, and the world has such a number
	rule := quantityRules[q.kind]
	fail := func(err error) error { return fmt.Errorf("track of %s: %w", rule.name, err) }
	if err := track.Validate(); err != nil {
		return fail(err)
	}
	if err := w.canDrive(q); err != nil {
		return fail(err)
	}
	// every key is in the range of the quantity
	for i, k := range track.Keys {
		if k.Value < rule.least || rule.above && k.Value == rule.least {
			return fail(fmt.Errorf("key %d has the value %g, which is too small", i, k.Value))
		}
	}
	// a number has one track at most
	if slices.ContainsFunc(w.drives, func(d drive) bool { return d.Quantity == q }) {
		return fail(errors.New("it has one already"))
	}
	// the track is part of the layout of the world
	w.drives = append(w.drives, drive{q, Track{slices.Clone(track.Keys), track.Between}})
	w.print = nil
	// air and factors change what elements there are, so that the matrix is laid out anew
	switch q.kind {
	case airDensity:
		w.assembly = nil
	case stretchFactor, bendFactor:
		w.assembly = nil
	}
	// the value of now
	w.setDriven(w.time, w.last.h)
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
	// directions and surfaces
	case gravityAlong, windAlong:
		return within(3, "axis")
	case frictionBetween:
		if q.a < 0 || q.b >= len(w.surfaces) {
			return fmt.Errorf("there are no surfaces %d and %d", q.a, q.b)
		}
	// handles, of which soft ones alone have limits
	case handleLimit, handleStiffness, handleHold:
		if err := within(len(w.handles), "handle"); err != nil {
			return err
		}
		if w.handles[q.a].released {
			return fmt.Errorf("handle %q was released for good", w.handles[q.a].spec.Name)
		}
		if q.kind != handleHold && w.handles[q.a].spec.Limit == nil {
			return fmt.Errorf("handle %q is exact and has none; give it a limit", w.handles[q.a].spec.Name)
		}
		if l := w.handles[q.a].spec.Limit; q.kind == handleLimit && l.ForceAt != nil ||
			q.kind == handleStiffness && l.StiffnessAt != nil {
			return fmt.Errorf("that of handle %q differs from vertex to vertex", w.handles[q.a].spec.Name)
		}
	// presses
	case pressForce:
		if err := within(len(w.obstacles), "obstacle"); err != nil {
			return err
		}
		if w.obstacles[q.a].on == nil {
			return fmt.Errorf("obstacle %q is no press", w.obstacles[q.a].spec.Name)
		}
	// loads
	case loadAlong:
		if q.b < 0 || q.b > 2 {
			return fmt.Errorf("there is no axis %d", q.b)
		}
		return within(len(w.loads), "load")
	// properties that the cloth itself lets change
	case clothDamping, clothDrag, stretchFactor, bendFactor:
		if err := within(len(w.sheets), "cloth"); err != nil {
			return err
		}
		b := &w.bodies[w.sheets[q.a]]
		if b.tunable == nil {
			return fmt.Errorf("%q has none that could change", w.surfaces[b.surface])
		}
		return b.tunable.CanTune(properties[q.kind])
	}
	return nil
}

// properties are the numbers of bodies that tracks can drive.
var properties = map[quantityKind]mech.Property{
	clothDamping:  mech.MaterialDamping,
	clothDrag:     mech.AirDrag,
	stretchFactor: mech.StretchStiffness,
	bendFactor:    mech.BendStiffness,
}

// setDriven gives driven numbers their values in a step of h seconds that ends at the given time.
func (w *World) setDriven(end, h float64) {
	regrip := false
	for i := range w.drives {
		d := &w.drives[i]
		v := d.track.At(end, h)
		switch d.kind {
		// gravity, air and wind
		case gravityAlong:
			*component(&w.opt.Gravity, d.a) = v
		case windAlong:
			*component(&w.opt.Air.Wind, d.a) = v
		case airDensity:
			w.opt.Air.Density = v
		// friction and thickness of contacts
		case frictionDefault:
			w.opt.Contact.Friction = v
		case frictionBetween:
			w.friction[pairOf(SurfaceID(d.a), SurfaceID(d.b))] = v
		case contactThickness:
			w.opt.Contact.Thickness, w.finder.Thickness = v, v
			w.spreadThickness()
		// limits of handles, and whether they hold
		case handleLimit:
			w.handles[d.a].spec.Limit.Force = v
		case handleStiffness:
			w.handles[d.a].spec.Limit.Stiffness = v
		case handleHold:
			k := &w.handles[d.a]
			regrip = regrip || k.idle != (v < 0.5)
			k.idle = v < 0.5
		// forces, and properties of cloths
		case pressForce:
			w.obstacles[d.a].on.SetForce(v)
		case loadAlong:
			*component(&w.loads[d.a].force, d.b) = v
		case clothDamping, clothDrag, stretchFactor, bendFactor:
			w.bodies[w.sheets[d.a]].tunable.Tune(properties[d.kind], v)
		}
	}
	// handles took hold or let go
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
	w.setDriven(w.time, w.last.h)
}
