package build

import (
	"fmt"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/material"
)

// frictionOf returns the coefficients of an obstacle with so many vertices, or of an analytic shape; nil if it has none
// of its own.
func frictionOf(o *scenefile.Obstacle, vertices int) []float64 {
	switch {
	case o.Friction == nil:
		return nil
	case o.Friction.Mapped():
		return o.Friction.Over.ByVertexOf(o.Shape.Read())
	}
	out := make([]float64, max(1, vertices))
	for i := range out {
		out[i] = o.Friction.Start()
	}
	return out
}

// mapsOf returns what differs from place to place of a cloth, whose fabric has the means of its maps.
func mapsOf(c *scenefile.Cloth, sh *scenefile.Sheet, mean *material.Fabric) (body.Maps, error) {
	// friction and thickness, by vertex
	m, out := &c.Material, body.Maps{}
	if c.Friction != nil {
		out.Friction = c.Friction.ByVertex(sh)
	}
	if c.Thickness != nil {
		out.Thickness = c.Thickness.ByVertex(sh)
	}
	// other numbers, by triangle
	at := map[*scenefile.Scalar][]float64{} // never ranged over
	lay := func(all ...*scenefile.Scalar) bool {
		found := false
		for _, s := range all {
			if s.Mapped() {
				at[s], found = s.ByTriangle(sh), true
			}
		}
		return found
	}
	n := len(sh.Mesh.Tri)
	// numbers that are taken as they are
	if lay(m.Density) {
		out.Density = at[m.Density]
	}
	if lay(m.Damping) {
		out.Damping = at[m.Damping]
	}
	if m.Stretch != nil && lay(m.Stretch.Factor) {
		out.Factor = at[m.Stretch.Factor]
	}
	// stiffness, if any number of it is painted
	if lay(m.Stretches()...) {
		out.Stretch = make([]material.Stretch, n)
	}
	if lay(m.Bends()...) {
		out.Bend = make([]material.Rigidity, n)
	}
	if out.Stretch == nil && out.Bend == nil {
		return out, nil
	}
	// fabric at each triangle, checked like any other
	for t := range n {
		f := *mean
		of := func(s *scenefile.Scalar) float64 {
			if values, ok := at[s]; ok {
				return values[t]
			}
			return s.Start()
		}
		m.Replace(&f, of)
		if err := f.Validate(); err != nil {
			return out, fmt.Errorf("at triangle %d: %w", t, err)
		}
		if out.Stretch != nil {
			out.Stretch[t] = f.Membrane
		}
		// bending rigidity with its factor
		if out.Bend != nil {
			r := material.Rigidity{Warp: f.BendWarp, Weft: f.BendWeft, Bias: f.BendBias, Poisson: f.BendPoisson}
			if k := factorOf(m.Bend); k.Mapped() {
				r.Warp, r.Weft, r.Bias = of(k)*r.Warp, of(k)*r.Weft, of(k)*r.Bias
			}
			out.Bend[t] = r
		}
	}
	return out, nil
}

func factorOf(b *scenefile.Bend) *scenefile.Scalar {
	if b == nil {
		return nil
	}
	return b.Factor
}

// Thickest returns the greatest distance that the cloth keeps from itself [m].
func Thickest(s *scenefile.Scene, c *scenefile.Cloth) float64 {
	switch {
	case c.Thickness.Mapped():
		return max(c.Thickness.Over.From, c.Thickness.Over.To)
	case c.Thickness != nil:
		return c.Thickness.Start()
	}
	return s.Contact.Thickness.Start()
}

// limitOf returns how strong a pin is that holds the given vertices, nil if it is exact.
func limitOf(p *scenefile.Pin, sh *scenefile.Sheet, vertices []int32) *engine.ForceLimit {
	if p.Strength == nil {
		return nil
	}
	of := func(s *scenefile.Scalar) []float64 {
		if !s.Mapped() {
			return nil
		}
		all := s.ByVertex(sh)
		out := make([]float64, len(vertices))
		for i, v := range vertices {
			out[i] = all[v]
		}
		return out
	}
	force, stiffness := &p.Strength.Force, &p.Strength.Stiffness
	return &engine.ForceLimit{
		Force:       force.Start(),
		Stiffness:   stiffness.Start(),
		ForceAt:     of(force),
		StiffnessAt: of(stiffness),
	}
}
