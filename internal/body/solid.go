package body

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// SolidSpec is a soft body to be made.
type SolidSpec struct {
	Mesh     *mesh.Tets // its shape at rest, with the vertices of its skin first: see mesh.Tets.SkinFirst
	Material material.Isotropic
	// Law is for how much deformation. Laws other than the co-rotational one want several linearizations a step.
	Law     elastic.TetLaw
	Density float64 // [kg/m³]
	Damping float64 // the time by which the stiffness is multiplied to give the viscosity [s]
	// Skin is what of it can be touched; nil: the faces that only one tet has. With one, vertices may come in any
	// order.
	Skin *CarriedSkin
	// Smooth has others touch the smooth surface of its skin; nil: they touch the triangles.
	Smooth *smooth.Options
}

// Validate lists what is wrong with the body.
func (s *SolidSpec) Validate() error {
	var faults []error
	if s.Mesh == nil {
		faults = append(faults, errors.New("has no mesh"))
	} else if err := s.Mesh.Validate(); err != nil {
		faults = append(faults, err)
	} else if s.Skin != nil {
		if err := s.Skin.validate(len(s.Mesh.Tet)); err != nil {
			faults = append(faults, err)
		}
	}
	if !(s.Density > 0) || math.IsInf(s.Density, 1) {
		faults = append(faults, fmt.Errorf("density is %g kg/m³: write a positive number", s.Density))
	}
	if !(s.Damping >= 0) || math.IsInf(s.Damping, 1) {
		faults = append(faults, fmt.Errorf("damping is %g s: write zero or a positive number", s.Damping))
	}
	return errors.Join(append(faults, s.Material.Validate())...)
}

// Solid is a soft body at work. Its blocks are the vertices of its mesh.
type Solid struct {
	Spec SolidSpec
	Tets elastic.Tets
	Mass []float64 // of its vertices [kg]

	skin  contact.Skin
	parts [1]Part
}

var _ Carrying = (*Solid)(nil)

// NewSolid makes a soft body.
func NewSolid(spec SolidSpec) (*Solid, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	elems, err := elastic.NewTets(spec.Mesh, spec.Law, spec.Material)
	if err != nil {
		return nil, err
	}
	s := &Solid{
		Spec: spec, Tets: elems, Mass: tetMass(spec.Mesh, spec.Density),
		parts: [1]Part{{Elements: elems, Kind: mech.SolidEnergy, Damping: spec.Damping}},
	}
	if spec.Skin != nil {
		s.skin = spec.Skin.skin(spec.Mesh)
		return s, s.smoothen()
	}
	tri := spec.Mesh.Skin()
	points, err := countSkinFirst(tri, len(spec.Mesh.X))
	if err != nil {
		return nil, err
	}
	s.skin = contact.Skin{Points: points, Tri: tri, Made: spec.Mesh.X[:points], Rest: &solidRest{spec.Mesh.X, tri}}
	return s, s.smoothen()
}

// smoothen makes the skin smooth if that was asked for, and says why it cannot be.
func (s *Solid) smoothen() error {
	if s.Spec.Smooth == nil {
		return nil
	}
	points := make([]r3.Vec, max(s.skin.Points, len(s.Mass)))
	s.Carry(s.Spec.Mesh.X, points)
	if err := smooth.Fits(s.skin.Tri, points, *s.Spec.Smooth); err != nil {
		return fmt.Errorf("its skin: %w", err)
	}
	s.skin.Smooth = s.Spec.Smooth
	return nil
}

// countSkinFirst returns how many vertices a skin has, which must come before all others.
func countSkinFirst(tri [][3]int32, vertices int) (int, error) {
	on, last := make([]bool, vertices), int32(-1)
	for _, t := range tri {
		for _, v := range t {
			on[v], last = true, max(last, v)
		}
	}
	for v := range last {
		if !on[v] {
			return 0, fmt.Errorf(
				"vertex %d is inside and vertex %d on the skin: put the skin first, with mesh.Tets.SkinFirst", v, last)
		}
	}
	return int(last) + 1, nil
}

// tetMass returns a quarter of the mass of every tet at each of its corners [kg], for a density [kg/m³].
func tetMass(m *mesh.Tets, density float64) []float64 {
	mass := make([]float64, len(m.X))
	for t, v := range m.Tet {
		quarter := density * m.TetVolume(int32(t)) / 4
		for _, i := range v {
			mass[i] += quarter
		}
	}
	return mass
}

// solidRest is the skin of a solid at rest.
type solidRest struct {
	x   []r3.Vec
	tri [][3]int32
}

// RestLength returns the length of the side opposite to a corner of triangle i [m].
func (r *solidRest) RestLength(i, corner int) float64 {
	t := &r.tri[i]
	return r.x[t[(corner+2)%3]].Sub(r.x[t[(corner+1)%3]]).Norm()
}

// Corners returns the vertices of its tets.
func (b *Solid) Corners() [][4]int32 { return b.Spec.Mesh.Tet }

// Outside returns the triangles that only one tet has.
func (b *Solid) Outside() [][3]int32 { return b.Spec.Mesh.Skin() }

// Blocks returns the number of vertices.
func (s *Solid) Blocks() int { return len(s.Mass) }

// Inertia writes the masses of the vertices [kg].
func (s *Solid) Inertia(out []r3.Mat) {
	for i, m := range s.Mass {
		out[i] = r3.Diagonal(m)
	}
}

// Parts returns its tets.
func (s *Solid) Parts() []Part { return s.parts[:] }

// Begin does nothing.
func (s *Solid) Begin(*Start) {}

// Arrive moves vertices along their velocities.
func (s *Solid) Arrive(x0, v []r3.Vec, h float64, x1 []r3.Vec) { Drift(x0, v, h, x1) }

// Skin returns the skin that it was given, or the faces that only one tet has.
func (s *Solid) Skin() *contact.Skin {
	skin := s.skin
	return &skin
}

// Strain is how a soft body is deformed around a vertex. But for the stretch these are means of the tets there, by
// their volumes at rest.
type Strain struct {
	Stretch float64 // largest principal stretch of a tet; 1 at rest
	Stress  float64 // von Mises stress, as a force on what is deformed times its volume over that at rest [Pa]
	Energy  float64 // a unit of volume at rest [J/m³]
	Volume  float64 // over that at rest
}

// Strains writes how the body is deformed around each vertex, when vertices are at x, to out, which is made if it is
// too short, and returns it.
func (s *Solid) Strains(x []r3.Vec, out []Strain) []Strain {
	if len(out) < len(x) {
		out = make([]Strain, len(x))
	}
	out = out[:len(x)]
	clear(out)
	s.Tets.Update(x, elastic.WithForce, 0, s.Tets.Len())
	around := make([]float64, len(x)) // volumes at rest [m³]
	for e := range s.Tets.Len() {
		volume := s.Spec.Mesh.TetVolume(int32(e))
		stretch, stress := s.Tets.Stretch(e), s.vonMises(e, x) // times the volume
		for _, v := range s.Tets.Nodes(e) {
			o := &out[v]
			o.Stretch = max(o.Stretch, stretch)
			o.Stress, o.Energy, o.Volume = o.Stress+stress, o.Energy+s.Tets.Energy(e), o.Volume+volume*s.Tets.Bulk(e)
			around[v] += volume
		}
	}
	for v := range out {
		o, share := &out[v], 1/around[v]
		o.Stress, o.Energy, o.Volume = share*o.Stress, share*o.Energy, share*o.Volume
	}
	return out
}

// vonMises returns the von Mises stress of tet e times its volume at rest [J], from the virial of its forces, which is
// V P Fᵀ.
func (s *Solid) vonMises(e int, x []r3.Vec) float64 {
	var virial r3.Mat
	for k, v := range s.Tets.Nodes(e) {
		virial.AddOuter(-1, s.Tets.Force(e, k), x[v])
	}
	virial.AddDiagonal(-virial.Trace() / 3)
	return math.Sqrt(1.5 * virial.Norm2())
}

// Carry writes where the points of its skin are.
func (s *Solid) Carry(x, points []r3.Vec) {
	if s.Spec.Skin == nil {
		copy(points, x)
		return
	}
	s.Spec.Skin.positions(s.Spec.Mesh, x, points)
}

// Commit does nothing: a solid is where its vertices are.
func (s *Solid) Commit([]r3.Vec) {}

// State returns nil: all that changes is in its vertices.
func (s *Solid) State() []byte { return nil }

// SetState does nothing.
func (s *Solid) SetState([]byte) error { return nil }
