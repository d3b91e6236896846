package body

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
)

// Maps hold what differs from place to place of a sheet. A nil field leaves it to the fabric, or to the options of the
// world. What belongs to the material is given by triangle, what belongs to the surface by vertex and is linear in
// between.
type Maps struct {
	Density []float64           // by triangle [kg/m²]
	Stretch []material.Stretch  // by triangle; not with the measured table of a fabric
	Factor  []float64           // by triangle: multiplies the stiffness in the plane, also that of a measured table
	Bend    []material.Rigidity // by triangle
	Damping []float64           // by triangle [s]; hinges and isometric bending take means of what is around

	// Friction is the sheet's coefficient of friction at each vertex. It takes the place of the default; a pair of
	// surfaces that has a coefficient of its own (SetFriction) keeps it. Where two surfaces meet that both have one,
	// the smaller holds.
	Friction []float64
	// Thickness is the distance that is kept from obstacles at each vertex [m]. Two sheets keep the mean of both; one
	// that has none counts with that of the options.
	Thickness []float64
}

// validate lists what is wrong with the maps of a sheet.
func (m *Maps) validate(c *ClothSpec) error {
	var faults []error
	triangles, vertices := len(c.Mesh.Tri), c.Mesh.Verts
	// what checks share: lengths of maps, and values that must be positive or may be zero
	length := func(name string, n, want int) bool {
		if n != want {
			faults = append(faults, fmt.Errorf("%s map has %d values; it needs %d", name, n, want))
		}
		return n == want
	}
	numbers := func(name string, values []float64, want int, zero bool) {
		if values == nil || !length(name, len(values), want) {
			return
		}
		for i, v := range values {
			if !(v > 0 || zero && v == 0) || math.IsInf(v, 1) {
				faults = append(faults, fmt.Errorf("%s map has %g as its value %d", name, v, i))
				return
			}
		}
	}
	// maps of plain numbers
	numbers("density", m.Density, triangles, false)
	numbers("factor", m.Factor, triangles, false)
	numbers("damping", m.Damping, triangles, true)
	numbers("friction", m.Friction, vertices, true)
	numbers("thickness", m.Thickness, vertices, false)
	// stiffness by triangle
	if m.Stretch != nil && length("stretch", len(m.Stretch), triangles) {
		for t := range m.Stretch {
			if err := m.Stretch[t].Validate(); err != nil {
				faults = append(faults, fmt.Errorf("stretch map at triangle %d: %w", t, err))
				break
			}
		}
	}
	// the fabric must stay valid with each painted rigidity
	if m.Bend != nil && length("bend", len(m.Bend), triangles) {
		for t, r := range m.Bend {
			f := c.Fabric.WithBend(r)
			if err := f.Validate(); err != nil {
				faults = append(faults, fmt.Errorf("bend map at triangle %d: %w", t, err))
				break
			}
		}
	}
	return errors.Join(faults...)
}

// bendAt returns the fabric with the rigidities of a triangle.
func (c *Cloth) bendAt(t int32) material.Fabric {
	f := c.Spec.Fabric
	if c.Spec.Maps.Bend != nil {
		f = f.WithBend(c.Spec.Maps.Bend[t])
	}
	return f
}

// Varied tells whether the damping of the sheet differs from place to place.
func (c *Cloth) Varied() bool { return c.Spec.Maps.Damping != nil }

// dampingOf returns the damping of each of some elements of the sheet [s], or nil if it is the same everywhere.
// Elements that are not triangles take the mean over their nodes of what is around those.
func (c *Cloth) dampingOf(e elastic.Elements) []float64 {
	if !c.Varied() {
		return nil
	}
	if e.Len() == len(c.Spec.Mesh.Tri) {
		return c.Spec.Maps.Damping
	}
	around := atVertices(c.Spec.Mesh, c.Spec.Maps.Damping)
	out := make([]float64, e.Len())
	for i := range out {
		nodes := e.Nodes(i)
		for _, v := range nodes {
			out[i] += around[v] / float64(len(nodes))
		}
	}
	return out
}

// atVertices returns the mean by area of what the triangles around each vertex have.
func atVertices(m *mesh.Mesh, values []float64) []float64 {
	out, area := make([]float64, m.Verts), make([]float64, m.Verts)
	for t, v := range m.Tri {
		a := m.RestArea(int32(t))
		for _, i := range v {
			out[i] += a * values[t]
			area[i] += a
		}
	}
	for i := range out {
		out[i] /= area[i]
	}
	return out
}
