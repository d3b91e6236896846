package toile

import (
	"fmt"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// SolidSpec is a soft body to be made.
type SolidSpec struct {
	Name     string
	Mesh     *mesh.Tets // its shape at rest, with the vertices of its skin first: see mesh.Tets.SkinFirst
	Material material.Isotropic
	Law      SolidLaw // zero: Corotational
	Density  float64  // [kg/m³]
	Damping  float64  // the time by which the stiffness is multiplied to give the viscosity [s]
	Smooth   bool     // others touch the smooth surface of its skin; else they touch the triangles

	Pose     r3.Pose // where the mesh starts; the zero pose stands for r3.Still
	Velocity r3.Vec  // of all of it [m/s]
	Spin     r3.Vec  // about its centre of volume [rad/s]
}

// SolidLaw is how a soft body resists deformation. All laws are linear elasticity where strains are small.
type SolidLaw int

// Corotational is linear in axes that turn along, for strains of some per cent. NeoHookean is that of rubber, and
// infinite for what is pressed flat; StableNeoHookean is much like it and finite there. Both want
// Options.Newton.Iterations of several.
const (
	Corotational     = SolidLaw(elastic.CorotationalLaw)
	NeoHookean       = SolidLaw(elastic.NeoHookeanLaw)
	StableNeoHookean = SolidLaw(elastic.StableLaw)
)

// DefaultSolid returns a soft body of a mesh where it is, of one of the materials that material.LookupSoft finds,
// without damping and with the Corotational law. The mesh must have the vertices of its skin first, as that of
// shape.TetBox has; mesh.Tets.SkinFirst puts those of others there.
func DefaultSolid(name string, m *mesh.Tets, of material.Soft) SolidSpec {
	return SolidSpec{Name: name, Mesh: m, Material: of.Isotropic, Density: of.Density, Pose: r3.Still()}
}

// Solid is a soft body in a world.
type Solid struct {
	w    *World
	name string
	id   engine.BodyID
	b    *body.Solid

	contacts []engine.VertexContact
}

// AddSolid adds a soft body.
func (w *World) AddSolid(spec SolidSpec) (*Solid, error) {
	// body of the options
	made := body.SolidSpec{
		Mesh: spec.Mesh, Material: spec.Material, Law: elastic.TetLaw(spec.Law), Density: spec.Density,
		Damping: spec.Damping,
	}
	if spec.Smooth {
		made.Smooth = &smooth.Options{}
	}
	b, err := body.NewSolid(made)
	if err != nil {
		return nil, fmt.Errorf("body %q: %w", spec.Name, err)
	}
	// vertices at their place, and their centre of mass
	pose := placed(spec.Pose)
	x, centre, mass := make([]r3.Vec, len(spec.Mesh.X)), r3.Vec{}, 0.0
	for i, p := range spec.Mesh.X {
		x[i] = pose.Apply(p)
		centre, mass = centre.AddScaled(b.Mass[i], x[i]), mass+b.Mass[i]
	}
	centre = centre.Scale(1 / mass)
	// velocities with the spin
	v := make([]r3.Vec, len(x))
	for i := range v {
		v[i] = spec.Velocity.Add(spec.Spin.Cross(x[i].Sub(centre)))
	}
	// into the world
	id, err := w.e.AddBody(spec.Name, b, x, v)
	if err != nil {
		return nil, err
	}
	s := &Solid{w: w, name: spec.Name, id: id, b: b}
	w.surfaces = append(w.surfaces, s)
	return s, nil
}

// Name returns the name that it was added with.
func (s *Solid) Name() string { return s.name }

func (s *Solid) world() *World                            { return s.w }
func (s *Solid) surfaceID() engine.SurfaceID              { return s.w.e.BodySurface(s.id) }
func (s *Solid) bodyID() engine.BodyID                    { return s.id }
func (s *Solid) bearer() (engine.ClothID, *engine.BodyID) { return 0, &s.id }

// Mesh returns its mesh at rest. It must not be changed.
func (s *Solid) Mesh() *mesh.Tets { return s.b.Spec.Mesh }

// Positions fills dst with where its vertices are [m], and returns it.
func (s *Solid) Positions(dst []r3.Vec) []r3.Vec { return fill(dst, s.w.e.BodyPositions(s.id)) }

// Velocities fills dst with the velocities of its vertices, in m/s.
func (s *Solid) Velocities(dst []r3.Vec) []r3.Vec { return fill(dst, s.w.e.BodyVelocities(s.id)) }

// SetVelocities gives its vertices new velocities, in m/s. Those that a handle holds keep the handle's.
func (s *Solid) SetVelocities(v []r3.Vec) error {
	if err := checkVelocities(s.name, v, len(s.b.Mass)); err != nil {
		return err
	}
	copy(s.w.e.BodyVelocities(s.id), v)
	return nil
}

// Masses fills dst with the masses of its vertices [kg].
func (s *Solid) Masses(dst []float64) []float64 { return fill(dst, s.b.Mass) }

// SetForce applies a force to a vertex until it is set again [N].
func (s *Solid) SetForce(vertex int, f r3.Vec) { s.w.e.SetBodyForce(s.id, vertex, f) }

// SetFriction gives it a coefficient of friction with whatever it touches, where World.SetFriction was not called for
// the pair; of two surfaces that have one the smaller holds.
func (s *Solid) SetFriction(mu float64) { s.w.e.SetBodyFriction(s.id, mu) }

// Contacts fills dst with what its vertices feel.
func (s *Solid) Contacts(dst []VertexContact) []VertexContact {
	s.contacts = s.w.e.BodyContacts(s.id, s.contacts)
	return vertexContacts(dst, s.contacts)
}
