package toile

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/toile-sim/toile/body"
	"github.com/toile-sim/toile/r3"
)

// BodyID names a body that was added by AddBody.
type BodyID int

// member is a body and its blocks.
type member struct {
	body.Body
	first, count int
}

// of returns what of an array by block belongs to the body.
func (m *member) of(x []r3.Vec) []r3.Vec { return x[m.first : m.first+m.count] }

// AddBody adds a body of a kind of its own, whose blocks start at positions x and velocities v.
func (w *World) AddBody(name string, b body.Body, x, v []r3.Vec) (BodyID, error) {
	n := b.Blocks()
	if len(x) != n || len(v) != n {
		return 0, fmt.Errorf("body %q has %d blocks, %d positions and %d velocities", name, n, len(x), len(v))
	}
	for i := range x {
		if !x[i].Finite() || !v[i].Finite() {
			return 0, fmt.Errorf("body %q: position or velocity of block %d is not finite", name, i)
		}
	}
	k := w.addMember(b)
	copy(w.others[k].of(w.pos), x)
	copy(w.others[k].of(w.vel), v)
	return BodyID(k), nil
}

// addMember gives a body that is no cloth its blocks and returns its place among the others.
func (w *World) addMember(b body.Body) int {
	w.others = append(w.others, member{b, len(w.pos), b.Blocks()})
	w.addBlocks(b.Blocks())
	w.assembly, w.print = nil, nil
	return len(w.others) - 1
}

// BodyPositions returns where the blocks of a body are [m], as a view.
func (w *World) BodyPositions(id BodyID) []r3.Vec { return w.others[id].of(w.pos) }

// BodyVelocities returns the velocities of the blocks of a body [m/s], as a view.
func (w *World) BodyVelocities(id BodyID) []r3.Vec { return w.others[id].of(w.vel) }

// listBodies lists all bodies in the order of their blocks.
func (w *World) listBodies() {
	w.bodies = append(w.bodies[:0], w.others...)
	for i := range w.cloths {
		c := &w.cloths[i]
		c.InAir = w.opt.Air.Density > 0 || w.driven(AirDensity())
		w.bodies = append(w.bodies, member{c.Cloth, c.first, c.count})
	}
	slices.SortFunc(w.bodies, func(a, b member) int { return cmp.Compare(a.first, b.first) })
}

// beginBodies tells bodies of the step, in still air if there is none.
func (s *step) beginBodies(h float64, air AirOptions) {
	for i := range s.fall {
		s.fall[i] = s.w.opt.Gravity
	}
	for i := range s.w.bodies {
		b := &s.w.bodies[i]
		s.start = body.Start{
			Team: s.w.team, End: s.end, H: h, X: b.of(s.x0), V: b.of(s.v0), Force: b.of(s.force), Fall: b.of(s.fall),
			AirDensity: air.Density, Wind: air.Wind,
		}
		b.Begin(&s.start)
	}
}

// look tells bodies of the state as it is, without a step and without air.
func (s *step) look() {
	copy(s.x0, s.w.pos)
	copy(s.v0, s.w.vel)
	s.w.applied(s.force)
	s.beginBodies(0, AirOptions{})
}
