package build

import (
	"errors"
	"slices"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
)

// addPin makes a pin of a cloth a handle, one that follows an obstacle if that is given.
func addPin(s *scenefile.Scene, b *Built, c *Cloth, pin *Pin, follow *engine.Follow, faults *scenefile.Found) {
	h := handleOf(s, c.spec, pin.spec, c.ID, pin.Vertices)
	h.Limit = pin.limit
	h.Follow = follow
	id, err := b.World.AddHandle(h)
	if err != nil {
		faults.Add(c.spec.Pins[pin.spec].Fault("", "%s", scenefile.OneLine(err)))
		return
	}
	pin.ID, pin.Name = id, h.Name
}

// addFollowers adds the pins of a cloth that follow obstacles, which are there now.
func addFollowers(s *scenefile.Scene, b *Built, c *Cloth, faults *scenefile.Found) {
	for i := range c.Pins {
		pin := &c.Pins[i]
		p := &c.spec.Pins[pin.spec]
		if p.Follow == "" {
			continue
		}
		at := slices.IndexFunc(b.Obstacles, func(o Obstacle) bool { return o.Name == p.Follow })
		if at < 0 {
			continue // it is faulty itself
		}
		id := b.Obstacles[at].ID
		if p.Clamp != nil && b.World.Obstacle(id).Deform != nil {
			faults.Add(p.Fault(
				"clamp", "clamp needs a pin that turns as a whole, but %q deforms; leave out clamp", p.Follow,
			))
			continue
		}
		addPin(s, b, c, pin, &engine.Follow{Obstacle: id, Gap: p.Gap}, faults)
	}
}

// drive puts what changes over time on tracks.
func drive(s *scenefile.Scene, b *Built) error {
	// only what changes needs a track
	w := b.World
	var errs []error
	put := func(q engine.Quantity, v *scenefile.Scalar) {
		if v != nil && v.Changes() {
			errs = append(errs, w.Drive(q, v.Track()))
		}
	}
	// gravity, air and contact
	for axis := range 3 {
		put(engine.GravityAlong(axis), &s.Gravity[axis])
		put(engine.WindAlong(axis), &s.Air.Wind[axis])
	}
	put(engine.AirDensity(), &s.Air.Density)
	put(engine.ContactThickness(), &s.Contact.Thickness)
	put(engine.DefaultFriction(), &s.Friction.Default)
	// friction of pairs
	surface := b.surfaces()
	for i := range s.Friction.Pairs {
		p := &s.Friction.Pairs[i]
		put(engine.FrictionBetween(surface[p.Between[0]], surface[p.Between[1]]), &p.Mu)
	}
	// forces of presses
	for i, o := range b.Obstacles {
		if p := s.Obstacles[i].Press; p != nil {
			put(engine.PressForce(o.ID), &p.Force)
		}
	}
	// damping and drag of cloths, strength and times of their pins
	for i := range b.Cloths {
		c := &b.Cloths[i]
		m := &c.spec.Material
		put(engine.ClothDamping(c.ID), m.Damping)
		put(engine.ClothDrag(c.ID), &c.spec.Drag)
		for _, pin := range c.Pins {
			p := &c.spec.Pins[pin.spec]
			if p.Strength != nil {
				put(engine.HandleLimit(pin.ID), &p.Strength.Force)
				put(engine.HandleStiffness(pin.ID), &p.Strength.Stiffness)
			}
			if hold := holdOf(p); hold != nil {
				errs = append(errs, w.Drive(engine.HandleHold(pin.ID), *hold))
			}
		}
	}
	return errors.Join(errs...)
}

// multiply gives the materials their factors: with their keys or, while dressing, their first values.
func multiply(s *scenefile.Scene, b *Built) error {
	var errs []error
	put := func(q engine.Quantity, factor *scenefile.Scalar) {
		if !factor.Plain() {
			return
		}
		track := factor.Track()
		if b.dressing {
			track = engine.Constant(factor.Start())
		}
		errs = append(errs, b.World.Drive(q, track))
	}
	for i := range b.Cloths {
		c := &b.Cloths[i]
		if m := c.spec.Material.Stretch; m != nil {
			put(engine.StretchFactor(c.ID), m.Factor)
		}
		if m := c.spec.Material.Bend; m != nil {
			put(engine.BendFactor(c.ID), m.Factor)
		}
	}
	return errors.Join(errs...)
}

// holdOf returns when a pin holds its vertices, nil if it always does.
func holdOf(p *scenefile.Pin) *engine.Track {
	if p.From == nil && p.Until == nil {
		return nil
	}
	t := &engine.Track{Between: engine.Hold}
	if p.From != nil {
		t.Keys = append(t.Keys, engine.TrackKey{At: *p.From, Value: 0}, engine.TrackKey{At: *p.From, Value: 1})
	} else {
		t.Keys = append(t.Keys, engine.TrackKey{At: *p.Until, Value: 1})
	}
	if p.Until != nil {
		t.Keys = append(t.Keys, engine.TrackKey{At: *p.Until, Value: 0})
	}
	return t
}

// addLoad adds a force that changes over time.
func addLoad(f *scenefile.Force, w *engine.World, cloth engine.ClothID, vertices []int32) error {
	id, err := w.AddLoad(engine.Load{Cloth: cloth, Vertices: vertices, Force: f.Force.Start()})
	errs := []error{err}
	for axis := range f.Force {
		if c := &f.Force[axis]; err == nil && c.Changes() {
			errs = append(errs, w.Drive(engine.LoadAlong(id, axis), c.Track()))
		}
	}
	return errors.Join(errs...)
}
