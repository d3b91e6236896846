package body

import (
	"errors"
	"fmt"

	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/element"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
)

// membrane is the in-plane elasticity of a sheet. The first three nodes of an element are its corners.
type membrane interface {
	elastic.Elements
	Vary(laws []material.Stretch)
	Stretch(e int) (major, minor float64)
}

// makeElements makes the elements of the sheet.
func (c *Cloth) makeElements() error {
	// linear stretch, or stiffness that depends on strain as measured
	f := &c.Spec.Fabric
	var law elastic.MembraneLaw = elastic.StVK(f.Membrane)
	if c.Spec.Tabulated {
		if f.Table == nil {
			return fmt.Errorf("fabric %q has no table of measured stiffness", f.Name)
		}
		law = elastic.NewWang(f.Table)
	}
	if _, linear := law.(elastic.StVK); !linear && c.Spec.Maps.Stretch != nil {
		return errors.New("only the linear law can be mapped, not a measured table or another law")
	}
	// membrane; that along arcs is made with the plate
	switch c.Spec.Membrane {
	case Chord:
		c.Membrane = elastic.NewMembrane(c.Spec.Mesh, law)
		c.varyStretch()
	case Arc:
		if c.Spec.Bending != Plate {
			return fmt.Errorf("stretch along arcs needs plate bending, not %v", c.Spec.Bending)
		}
	default:
		return fmt.Errorf("membrane model %d does not exist", c.Spec.Membrane)
	}
	// air drag on the faces
	c.air = NewAir(c.Spec.Mesh, c.Spec.Drag)
	// clamps and curved rest shapes need models of bending that know them
	if len(c.Spec.Clamps) > 0 && c.Spec.Bending != Plate {
		return fmt.Errorf("clamps need plate bending, not %v", c.Spec.Bending)
	}
	if c.Spec.RestCurvature == InitialRest && c.Spec.Bending == Isometric {
		return errors.New("isometric bending is flat at rest; use plate or hinge for a curved rest shape")
	}
	// bending
	switch c.Spec.Bending {
	case Plate:
		return c.makePlate(law)
	case Hinge:
		hinge, err := elastic.NewHinge(
			c.Spec.Mesh,
			func(t int32) elastic.HingeLaw { g := c.bendAt(t); return elastic.HingeLawOf(&g) },
		)
		if err != nil {
			return err
		}
		if c.Spec.RestCurvature == InitialRest {
			hinge.RestFrom(c.Spec.Positions)
		}
		c.Bending = hinge
		return nil
	case Isometric:
		bend, err := elastic.NewIsometric(c.Spec.Mesh, f.MeanRigidity())
		// painted rigidities: one number by triangle, then their mean around each vertex
		if err == nil && c.Spec.Maps.Bend != nil {
			byTriangle := make([]float64, len(c.Spec.Mesh.Tri))
			for t := range byTriangle {
				g := c.bendAt(int32(t))
				byTriangle[t] = g.MeanRigidity()
			}
			bend.Vary(atVertices(c.Spec.Mesh, byTriangle))
		}
		c.Bending = bend
		return err
	}
	return fmt.Errorf("bending model %d does not exist", c.Spec.Bending)
}

// varyStretch gives the membrane what the maps say of it.
func (c *Cloth) varyStretch() {
	switch m := c.Membrane.(type) {
	case *elastic.Membrane:
		m.Scale = c.Spec.Maps.Factor
	case *elastic.Curved:
		m.Scale = c.Spec.Maps.Factor
	}
	if laws := c.Spec.Maps.Stretch; laws != nil {
		c.Membrane.Vary(laws)
	}
}

// makePlate makes the plate and, for stretch along arcs, the membrane.
func (c *Cloth) makePlate(law elastic.MembraneLaw) error {
	// clamps are given by vertices; their directions must leave the edge
	var clamps []elastic.Clamp
	var faults []error
	for i, k := range c.Spec.Clamps {
		e, ok := c.Spec.Mesh.FindEdge(k.Edge[0], k.Edge[1])
		if !ok {
			faults = append(faults, fmt.Errorf("clamp %d: there is no edge %d-%d", i, k.Edge[0], k.Edge[1]))
			continue
		}
		along := c.Spec.Positions[k.Edge[1]].Sub(c.Spec.Positions[k.Edge[0]]).Unit()
		if !(k.Dir.Cross(along).Norm() > 0.1*k.Dir.Norm()) {
			faults = append(faults, fmt.Errorf("clamp %d: its direction %v runs along its edge", i, k.Dir))
		}
		clamps = append(clamps, elastic.Clamp{Edge: e, Dir: k.Dir})
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	// the plate, flat at rest so far
	plate, err := elastic.NewPlate(
		c.Spec.Mesh,
		func(t int32) elastic.PlateLaw { g := c.bendAt(t); return elastic.PlateLawOf(&g) },
		nil,
		clamps,
	)
	if err != nil {
		return err
	}
	// stretch along the arcs of the plate
	if c.Spec.Membrane == Arc {
		curved := elastic.NewCurved(c.Spec.Mesh, law, plate)
		if c.Spec.RestCurvature == InitialRest {
			curved.RestFrom(c.Spec.Positions)
		}
		c.Membrane = curved
		c.varyStretch()
	}
	// a sheet that likes the shape it starts in
	if c.Spec.RestCurvature == InitialRest {
		plate.RestFrom(c.Spec.Positions)
	}
	c.Bending = plate
	return nil
}

// masses returns the masses of the sheet's vertices [kg].
func (c *Cloth) masses() []float64 {
	if c.Spec.Maps.Density != nil {
		return MappedMass(c.Spec.Mesh, c.Spec.Maps.Density)
	}
	return LumpedMass(c.Spec.Mesh, c.Spec.Fabric.Density)
}

// scaled are elements with a factor on their energy.
type scaled struct {
	elastic.Elements
	factor float64
}

// Unwrap returns the elements without the factor.
func (s *scaled) Unwrap() elastic.Elements { return s.Elements }

// Energy returns the energy of element e times the factor [J].
func (s *scaled) Energy(e int) float64 { return s.factor * s.Elements.Energy(e) }

// Force returns the force of element e on its k-th node times the factor [N].
func (s *scaled) Force(e, k int) r3.Vec { return s.Elements.Force(e, k).Scale(s.factor) }

// AddRow adds row k of the Hessian of element e times the factor.
func (s *scaled) AddRow(e, k int, at []int32, val []r3.Mat, material, geometric float64) {
	s.Elements.AddRow(e, k, at, val, s.factor*material, s.factor*geometric)
}

// MaterialForce returns the rate at which straining changes the force on the k-th node times the factor [N/s].
func (s *scaled) MaterialForce(e, k int, v []r3.Vec) r3.Vec {
	return s.Elements.MaterialForce(e, k, v).Scale(s.factor)
}

// Dissipation implements elastic.Dissipative.
func (s *scaled) Dissipation(e int, v []r3.Vec) float64 {
	return s.factor * element.Dissipation(s.Elements, e, v)
}

// Turn implements elastic.Turner, as far as the elements do.
func (s *scaled) Turn(e, k int, spin r3.Vec) r3.Vec {
	if turner, ok := s.Elements.(elastic.Turner); ok {
		return turner.Turn(e, k, spin).Scale(s.factor)
	}
	return r3.Vec{}
}

// Tauten implements elastic.Tense, as far as the elements do.
func (s *scaled) Tauten(v []r3.Vec, damping elastic.Damping, detail elastic.Detail, lo, hi int) {
	if tense, ok := s.Elements.(elastic.Tense); ok {
		tense.Tauten(v, damping, detail, lo, hi)
	}
}

// Start implements elastic.Viscous, as far as the elements do.
func (s *scaled) Start(lo, hi int) {
	if viscous, ok := s.Elements.(elastic.Viscous); ok {
		viscous.Start(lo, hi)
	}
}

// ViscousForce implements elastic.Viscous, as far as the elements do.
func (s *scaled) ViscousForce(e, k int) r3.Vec {
	return s.Elements.(elastic.Viscous).ViscousForce(e, k).Scale(s.factor)
}

// ScaleStretch and ScaleBend put factors on the stiffness in the plane and against bending; 1 is that of the fabric.
// The first call of each changes the parts, so that the matrix has to be laid out anew.
func (c *Cloth) ScaleStretch(factor float64) {
	if c.stretch == nil {
		c.stretch, c.parts = &scaled{Elements: c.Membrane}, nil
	}
	c.stretch.factor = factor
}

// ScaleBend is ScaleStretch for bending.
func (c *Cloth) ScaleBend(factor float64) {
	if c.bend == nil {
		c.bend, c.parts = &scaled{Elements: c.Bending}, nil
	}
	c.bend.factor = factor
}

// stretchElements and bendElements return what of a sheet goes into the assembly.
func (c *Cloth) stretchElements() elastic.Elements {
	if c.stretch != nil {
		return c.stretch
	}
	return c.Membrane
}

func (c *Cloth) bendElements() elastic.Elements {
	if c.bend != nil {
		return c.bend
	}
	return c.Bending
}
