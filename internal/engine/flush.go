package engine

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Cloths that start flush on something that moves.

// flushGap is the gap, in thicknesses, up to which a cloth at the start lies flush on something.
const flushGap = 1e-6

// layOff moves cloths that lie flush on bodies, or on cloths that were added before, by a thickness off them, as the
// push-out of contacts would little by little. A cloth moves as a whole, so that it stays as it was laid out; one that
// is held or attached, lies flush on things on different sides, or has no room, stays. It reports whether something has
// moved: what lies on that may then be flush again. Contacts are those of the start.
func (s *step) layOff() (moved bool) {
	w := s.w
	shift := make([]r3.Vec, len(w.surfaces))
	for _, i := range slices.Backward(w.sheets) { // what lies on others makes room for them
		c := &w.bodies[i]
		if slices.Contains(w.held[c.first:c.first+c.count], true) || w.hasAttached(c) {
			continue
		}
		n, ok := s.off(c.surface)
		by := n.Scale(w.opt.Contact.Thickness)
		if !ok || !s.hasRoom(c.surface, by, shift) {
			continue
		}
		for v := c.first; v < c.first+c.count; v++ {
			s.x0[v] = s.x0[v].Add(by)
		}
		shift[c.surface], moved = by, true
	}
	return moved
}

// hasAttached reports whether vertices of a cloth are attached to something.
func (w *World) hasAttached(c *placedBody) (some bool) {
	w.eachFixture(func(_ *fixture, node int32) {
		some = some || c.has(int(node))
	})
	return some
}

// hasRoom reports whether a cloth may move without coming nearer than a thickness to something. Some surfaces have
// moved already.
func (s *step) hasRoom(sheet SurfaceID, by r3.Vec, shift []r3.Vec) bool {
	thickness := s.w.opt.Contact.Thickness
	for i := range s.found.set.Contacts {
		k := &s.found.set.Contacts[i]
		a, b := SurfaceID(k.ID.A.Surface), SurfaceID(k.ID.B.Surface)
		if isBound(k) || a == b || a != sheet && b != sheet {
			continue
		}
		nearer := k.Normal().Dot(shift[b].Sub(by))
		if b == sheet {
			nearer = k.Normal().Dot(by.Sub(shift[a]))
		}
		if nearer > flushGap*thickness && k.Gap-nearer < thickness {
			return false
		}
	}
	return true
}

// off returns the direction in which a cloth leaves what it lies flush on, if there is one.
func (s *step) off(sheet SurfaceID) (n r3.Vec, ok bool) {
	for i := range s.found.set.Contacts {
		k := &s.found.set.Contacts[i]
		a, b := SurfaceID(k.ID.A.Surface), SurfaceID(k.ID.B.Surface)
		if isBound(k) || a == b || math.Abs(k.Gap) > flushGap*s.w.opt.Contact.Thickness {
			continue
		}
		var out r3.Vec
		switch {
		case a == sheet && s.stays(b, sheet, k):
			out = k.Normal()
		case b == sheet && s.stays(a, sheet, k):
			out = k.Normal().Neg()
		default:
			continue
		}
		if ok && out.Dot(n) < math.Cos(oneSide) {
			return n, false
		}
		if !ok {
			n, ok = out, true
		}
	}
	return n, ok
}

// oneSide is the angle between normals up to which they point to the same side.
const oneSide = math.Pi / 180

// stays reports whether a surface stays where it is when a cloth that lies on it is laid off: it is no obstacle, and no
// cloth that was added later.
func (s *step) stays(surface, sheet SurfaceID, k *contact.Contact) bool {
	if k.B == contact.None {
		return false
	}
	isCloth := slices.ContainsFunc(s.w.bodies, func(c placedBody) bool {
		return c.sheet != nil && c.surface == surface
	})
	return !isCloth || surface < sheet
}
