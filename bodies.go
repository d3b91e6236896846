package toile

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/body"
	"github.com/toile-sim/toile/r3"
)

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
	if skin := b.Skin(); skin != nil && len(skin.Carriers.By) > 0 {
		return 0, fmt.Errorf("body %q has points that are no blocks, which worlds do not know yet", name)
	}
	k := w.addMember(b, w.newSurface(name))
	copy(w.others[k].of(w.pos), x)
	copy(w.others[k].of(w.vel), v)
	return BodyID(k), nil
}

// addMember gives a body that is no cloth its blocks and returns its place among the others.
func (w *World) addMember(b body.Body, surface SurfaceID) int {
	w.others = append(w.others, member{b, len(w.pos), b.Blocks(), surface})
	w.addBlocks(b.Blocks())
	w.assembly, w.print = nil, nil
	return len(w.others) - 1
}

// BodyPositions returns where the blocks of a body are [m], as a view.
func (w *World) BodyPositions(id BodyID) []r3.Vec { return w.others[id].of(w.pos) }

// BodyVelocities returns the velocities of the blocks of a body [m/s], as a view.
func (w *World) BodyVelocities(id BodyID) []r3.Vec { return w.others[id].of(w.vel) }

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

func (w *World) newSurface(name string) SurfaceID {
	w.surfaces = append(w.surfaces, name)
	for range w.surfaces { // with itself and with all before
		w.friction = append(w.friction, math.NaN())
	}
	return SurfaceID(len(w.surfaces) - 1)
}
