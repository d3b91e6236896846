package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// validateBody says what is wrong with a body.
func validateBody(b mech.Body) error {
	// inertia of each block: symmetric and positive definite
	n := b.Blocks()
	inertia := make([]r3.Mat, n)
	b.Inertia(inertia)
	for i := range inertia {
		if m := &inertia[i]; !m.Finite() || *m != m.T() || !(m.LeastEigenvalue() > 0) {
			return fmt.Errorf("inertia of block %d is not a positive matrix: %v", i, *m)
		}
	}
	// elements have nodes that exist
	for k, p := range b.Parts() {
		for e := range p.Elements.Len() {
			for _, node := range p.Elements.Nodes(e) {
				if node < 0 || int(node) >= n {
					return fmt.Errorf("element %d of part %d has a node %d, which does not exist", e, k, node)
				}
			}
		}
	}
	// whose points the skin has: those of blocks, or points that blocks carry
	skin := b.Skin()
	switch {
	case skin == nil:
		return nil
	case len(skin.Carriers.By) > 0:
		if _, ok := b.(mech.Carrying); !ok {
			return errors.New("its skin has points that are no blocks, and it does not say where these are")
		}
		if err := validateCarriers(skin, n); err != nil {
			return err
		}
	case skin.Prescribed():
		return errors.New("its skin has a motion of its own; that is an obstacle's")
	case len(skin.Carriers.By) == 0 && skin.Points > n:
		return fmt.Errorf("its skin has %d points, and it has %d blocks", skin.Points, n)
	case skin.Rest == nil && !skin.Rigid && !skin.NoSelfContact:
		return errors.New("its skin needs rest lengths, or not to touch itself")
	}
	// radii are for points and edges without faces
	if skin.Radius != 0 && !((skin.Rigid || skin.NoSelfContact) && len(skin.Tri) == 0 && skin.Radius > 0 && !math.IsInf(skin.Radius, 1)) {
		return fmt.Errorf("its skin has a radius of %g m, which is for points and edges alone, of skins that do not touch themselves", skin.Radius)
	}
	return validateFeatures(skin)
}

// validateCarriers says which point of a skin is not carried by some of n blocks.
func validateCarriers(skin *contact.Skin, n int) error {
	c := &skin.Carriers
	if len(c.Start) != skin.Points+1 || c.Start[0] != 0 || int(c.Start[skin.Points]) != len(c.By) {
		return fmt.Errorf("its skin has %d points, and carriers of %d", skin.Points, len(c.Start)-1)
	}
	for i := range skin.Points {
		if c.Start[i] >= c.Start[i+1] {
			return fmt.Errorf("nothing carries point %d of its skin", i)
		}
	}
	for _, by := range c.By {
		if by.Block < 0 || int(by.Block) >= n || !by.M.Finite() {
			return fmt.Errorf("a point of its skin is carried by block %d, of %d", by.Block, n)
		}
	}
	return nil
}

// validateFeatures says which feature of a skin has a point that it has not.
func validateFeatures(skin *contact.Skin) error {
	bad := func(points ...int32) bool {
		return slices.ContainsFunc(points, func(p int32) bool { return p < 0 || int(p) >= skin.Points })
	}
	for i, t := range skin.Tri {
		if bad(t[:]...) {
			return fmt.Errorf("triangle %d of its skin has points %v, of %d", i, t, skin.Points)
		}
	}
	for i, e := range skin.Edges {
		if bad(e[:]...) {
			return fmt.Errorf("edge %d of its skin has points %v, of %d", i, e, skin.Points)
		}
	}
	for i, p := range skin.Dots {
		if bad(p) {
			return fmt.Errorf("free point %d of its skin is point %d, of %d", i, p, skin.Points)
		}
	}
	return nil
}

// addMember gives a body its blocks and returns its place among all.
func (w *World) addMember(b mech.Body, surface SurfaceID) int {
	k := len(w.bodies)
	w.bodies = append(w.bodies, placedBody{first: len(w.pos), count: b.Blocks(), surface: surface, mu: math.NaN()})
	w.bodies[k].put(b)
	if w.bodies[k].sheet != nil {
		w.sheets = append(w.sheets, k)
	} else {
		w.others = append(w.others, k)
	}
	w.addBlocks(b.Blocks())
	w.assembly, w.print = nil, nil
	return k
}

// beginBodies tells bodies of the step, in still air if there is none.
func (s *step) beginBodies(h float64, air AirOptions) {
	for i := range s.fall {
		s.fall[i] = s.w.opt.Gravity
	}
	for i := range s.w.bodies {
		b := &s.w.bodies[i]
		s.start = mech.Start{
			Team: s.w.team, End: s.end, H: h, X: b.of(s.x0), V: b.of(s.v0), Force: b.of(s.force), Gravity: b.of(s.fall),
			AirDensity: air.Density, Wind: air.Wind, Theta: s.w.opt.Theta,
		}
		b.Begin(&s.start)
		if b.turning != nil && b.turning.VariesInertia() {
			inertia := s.w.inertia[b.first : b.first+b.count]
			b.Inertia(inertia)
			for k := range inertia {
				s.w.mass[b.first+k] = inertia[k].LeastEigenvalue()
			}
		}
	}
	s.carryStart()
}

// observe tells bodies of the state as it is, without a step and without air.
func (s *step) observe() {
	copy(s.x0, s.w.pos)
	copy(s.v0, s.w.vel)
	s.w.applied(s.force)
	s.end = s.w.time
	s.beginBodies(0, AirOptions{})
}

func (w *World) newSurface(name string) SurfaceID {
	w.surfaces = append(w.surfaces, name)
	for range w.surfaces { // with itself and with all before
		w.friction = append(w.friction, math.NaN())
	}
	return SurfaceID(len(w.surfaces) - 1)
}

// verticesOf returns whose vertices a cloth or, if it is not nil, a soft body has, and how many there are.
func (w *World) verticesOf(cloth ClothID, soft *BodyID) (owner, int, error) {
	if soft == nil {
		if cloth < 0 || int(cloth) >= len(w.sheets) {
			return 0, 0, fmt.Errorf("there is no cloth %d", cloth)
		}
		return owner(w.sheets[cloth]), w.clothAt(cloth).count, nil
	}
	if *soft < 0 || int(*soft) >= len(w.others) {
		return 0, 0, fmt.Errorf("there is no body %d", *soft)
	}
	m := w.bodyAt(*soft)
	if m.soft == nil {
		return 0, 0, fmt.Errorf("%q is not a soft body: it has no vertices", w.surfaces[m.surface])
	}
	return owner(w.others[*soft]), m.count, nil
}

// bodyAt returns a body that is no cloth.
func (w *World) bodyAt(id BodyID) *placedBody { return &w.bodies[w.others[id]] }

// clothAt returns the body that a cloth is, and cloth the cloth itself.
func (w *World) clothAt(id ClothID) *placedBody { return &w.bodies[w.sheets[id]] }
