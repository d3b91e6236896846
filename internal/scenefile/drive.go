package scenefile

import (
	"errors"
	"slices"

	"github.com/toile-sim/toile/internal/engine"
)

// addPin makes a pin of a cloth a handle, one that follows an obstacle if that is given.
func (s *Scene) addPin(b *Built, c *BuiltCloth, pin *BuiltPin, follow *engine.Follow, d *decoder) {
	h := s.handle(c.spec, pin.spec, c.ID, pin.Vertices)
	h.Limit = pin.limit
	h.Follow = follow
	id, err := b.World.AddHandle(h)
	if err != nil {
		d.faults.add(c.spec.Pins[pin.spec].at, "%s", oneLine(err))
		return
	}
	pin.ID, pin.Name = id, h.Name
}

// addFollowers adds the pins of a cloth that follow obstacles, which are there now.
func (s *Scene) addFollowers(b *Built, c *BuiltCloth, d *decoder) {
	for i := range c.Pins {
		pin := &c.Pins[i]
		p := &c.spec.Pins[pin.spec]
		if p.Follow == "" {
			continue
		}
		at := slices.IndexFunc(b.Obstacles, func(o BuiltObstacle) bool { return o.Name == p.Follow })
		if at < 0 {
			continue // it is faulty itself
		}
		id := b.Obstacles[at].ID
		if p.Clamp != nil && b.World.Obstacle(id).Deform != nil {
			d.faults.add(
				p.key("clamp"),
				"clamp needs a pin that turns as a whole, but %q deforms; leave out clamp",
				p.Follow,
			)
			continue
		}
		s.addPin(b, c, pin, &engine.Follow{Obstacle: id, Gap: p.Gap}, d)
	}
}

// drive puts what changes over time on tracks.
func (s *Scene) drive(b *Built) error {
	w := b.World
	var errs []error
	put := func(q engine.Quantity, v *Scalar) {
		if v != nil && v.Changes() {
			errs = append(errs, w.Drive(q, v.Track()))
		}
	}
	for axis := range 3 {
		put(engine.GravityAlong(axis), &s.Gravity[axis])
		put(engine.WindAlong(axis), &s.Air.Wind[axis])
	}
	put(engine.AirDensity(), &s.Air.Density)
	put(engine.ContactThickness(), &s.Contact.Thickness)
	put(engine.DefaultFriction(), &s.Friction.Default)
	surface := b.surfaces()
	for i := range s.Friction.Pairs {
		p := &s.Friction.Pairs[i]
		put(engine.FrictionBetween(surface[p.Between[0]], surface[p.Between[1]]), &p.Mu)
	}
	for i, o := range b.Obstacles {
		if p := s.Obstacles[i].Press; p != nil {
			put(engine.PressForce(o.ID), &p.Force)
		}
	}
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
			if hold := p.hold(); hold != nil {
				errs = append(errs, w.Drive(engine.HandleHold(pin.ID), *hold))
			}
		}
	}
	return errors.Join(errs...)
}

// multiply gives the materials their factors: with their keys or, while dressing, their first values.
func (s *Scene) multiply(b *Built) error {
	var errs []error
	put := func(q engine.Quantity, factor *Scalar) {
		if !factor.plain() {
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

// hold returns when a pin holds its vertices, nil if it always does.
func (p *Pin) hold() *engine.Track {
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

// load adds a force that changes over time.
func (f *Force) load(w *engine.World, cloth engine.ClothID, vertices []int32) error {
	id, err := w.AddLoad(engine.Load{Cloth: cloth, Vertices: vertices, Force: f.Force.Start()})
	errs := []error{err}
	for axis := range f.Force {
		if c := &f.Force[axis]; err == nil && c.Changes() {
			errs = append(errs, w.Drive(engine.LoadAlong(id, axis), c.Track()))
		}
	}
	return errors.Join(errs...)
}
