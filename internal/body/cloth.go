package body

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// ClothSpec is a sheet to be made.
type ClothSpec struct {
	Name          string
	Mesh          *mesh.Mesh // connectivity and rest shape
	Positions     []r3.Vec   // where its vertices start [m]
	Velocities    []r3.Vec   // how fast they start [m/s]; nil is at rest
	Fabric        material.Fabric
	Tabulated     bool // use the measured table of the fabric instead of its constants at small strain
	Membrane      MembraneModel
	Bending       BendingModel
	RestCurvature RestCurvature
	Drag          float64 // coefficient of the air drag on its faces; 1 suits a flat plate
	Clamps        []Clamp
	Seams         *Seams          // nil: nothing is sewn
	Maps          Maps            // what differs from place to place
	Layer         int             // its place in the order that SeparateLayers brings about, 1 the innermost; 0: none
	Remesh        *remesh.Options // the sizes that its mesh is brought to in every step; nil: the mesh stays as it is
}

// DefaultCloth returns a sheet of the given mesh at the given place, with the defaults of the other fields.
func DefaultCloth(name string, m *mesh.Mesh, positions []r3.Vec, fabric material.Fabric) ClothSpec {
	return ClothSpec{Name: name, Mesh: m, Positions: positions, Fabric: fabric, Drag: 1}
}

// MembraneModel is a way to measure stretch.
type MembraneModel int

const (
	// Chord measures it along the straight edges of triangles. A stiff sheet bent by more than about 0.3 rad
	// from one triangle to the next then resists: too stiff by 10 to 20 % at 0.8 rad on a mesh with diagonals both ways
	// or along the bend, and by less than 2 % on a right grid along its sides.
	Chord MembraneModel = iota
	// Arc measures it along the curved surface through the vertices: within 2 % there on six meshes, for about
	// 1.6 times the time of a step. It needs plate bending.
	Arc
)

// BendingModel is a form of the bending energy.
type BendingModel int

const (
	// Plate is a Kirchhoff plate, the same on every mesh.
	Plate BendingModel = iota
	// Hinge bends at edges: cheaper, but its stiffness depends on the mesh.
	Hinge
	// Isometric is quadratic in positions: cheapest, for nearly inextensible sheets; no twist stiffness.
	Isometric
)

// RestCurvature is the shape in which a sheet has no bending energy.
type RestCurvature int

const (
	// FlatRest is a sheet that was cut from flat cloth.
	FlatRest RestCurvature = iota
	// InitialRest is a sheet that likes the shape it starts in.
	InitialRest
)

// Clamp makes the sheet leave a boundary edge in a given direction. It turns with the handle that holds the edge, or
// held it last; the edge itself it does not hold.
type Clamp struct {
	Edge [2]int32 // vertices of a boundary edge
	Dir  r3.Vec   // into the sheet, across the edge
}

// The words for models in scene files.
var (
	membraneNames = []string{Chord: "chord", Arc: "arc"}
	bendingNames  = []string{Plate: "plate", Hinge: "hinge", Isometric: "isometric"}
)

// String returns the word for the model.
func (m MembraneModel) String() string { return words.Name(membraneNames, "MembraneModel", int(m)) }

// String returns the word for the model.
func (b BendingModel) String() string { return words.Name(bendingNames, "BendingModel", int(b)) }

// ParseMembrane returns the model of that name: chord or arc.
func ParseMembrane(name string) (MembraneModel, error) {
	i, err := indexOf(membraneNames, "membrane", name)
	return MembraneModel(i), err
}

// ParseBending returns the model of that name: plate, hinge or isometric.
func ParseBending(name string) (BendingModel, error) {
	i, err := indexOf(bendingNames, "bending", name)
	return BendingModel(i), err
}

func indexOf(list []string, kind, name string) (int, error) {
	i := slices.Index(list, name)
	if i < 0 {
		return 0, fmt.Errorf("%s %q is not one of %s", kind, name, strings.Join(list, ", "))
	}
	return i, nil
}

// Validate says what is wrong with the sheet.
func (c *ClothSpec) Validate() error {
	// there is a mesh, with finite positions and velocities of its vertices
	if c.Mesh == nil || len(c.Mesh.Tri) == 0 {
		return errors.New("has no triangles")
	}
	if len(c.Positions) != c.Mesh.Verts {
		return fmt.Errorf("has %d vertices but %d positions", c.Mesh.Verts, len(c.Positions))
	}
	if c.Velocities != nil && len(c.Velocities) != c.Mesh.Verts {
		return fmt.Errorf("has %d vertices but %d velocities", c.Mesh.Verts, len(c.Velocities))
	}
	for i, x := range c.Positions {
		if !x.Finite() {
			return fmt.Errorf("position of vertex %d is not finite", i)
		}
	}
	for i, v := range c.Velocities {
		if !v.Finite() {
			return fmt.Errorf("velocity of vertex %d is not finite", i)
		}
	}
	// drag, remeshing and layer are in their ranges
	if !(c.Drag >= 0) || math.IsInf(c.Drag, 1) {
		return fmt.Errorf("drag %g is not zero or positive", c.Drag)
	}
	if c.Remesh != nil {
		if err := c.Remesh.Validate(); err != nil {
			return fmt.Errorf("remesh: %w", err)
		}
	}
	if c.Layer < 0 {
		return fmt.Errorf("layer %d is not 1 or more, or 0 for none", c.Layer)
	}
	// every vertex belongs to a triangle, which gives it mass
	used := make([]bool, c.Mesh.Verts)
	for _, t := range c.Mesh.Tri {
		for _, v := range t {
			used[v] = true
		}
	}
	for v, ok := range used {
		if !ok {
			return fmt.Errorf("vertex %d belongs to no triangle", v)
		}
	}
	// seams, fabric and maps have rules of their own
	if c.Seams != nil {
		if err := c.Seams.validate(c.Mesh.Verts); err != nil {
			return err
		}
	}
	if err := c.Fabric.Validate(); err != nil {
		return err
	}
	return c.Maps.validate(c)
}

// Cloth is a sheet at work. Its blocks are its vertices. What does not fit another mesh is replaced with it, never
// changed: see WithMesh.
type Cloth struct {
	Spec     ClothSpec
	Membrane membrane
	Bending  elastic.Elements
	Mass     []float64 // of its vertices [kg]
	Damping  float64   // of its fabric [s]

	air           *Air
	inAir         bool              // there is air, or will be
	stitches      *elastic.Stitches // nil without seams
	sewnFrom      float64           // when its seams began to close [s]
	stretch, bend *scaled           // the elements with a factor on their stiffness, or nil
	parts         []Part
	adaptive      *adaptive // nil: its mesh does not change
}

var _ Body = (*Cloth)(nil)

// NewCloth makes a sheet at the given time.
func NewCloth(spec ClothSpec, now float64) (*Cloth, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	c := &Cloth{Spec: spec, Damping: spec.Fabric.Damping}
	if spec.Remesh != nil {
		c.adaptive = newAdaptive(&spec)
		c.Spec = c.adaptive.repainted(spec)
	}
	if err := c.makeElements(); err != nil {
		return nil, err
	}
	c.makeStitches(now)
	c.Mass = c.masses()
	return c, nil
}

// WithMesh returns the cloth with the mesh of another specification, what belongs to its vertices and triangles, and
// the masses of its vertices [kg].
func (c *Cloth) WithMesh(spec ClothSpec, mass []float64) (*Cloth, error) {
	next := *c
	next.Spec, next.Mass, next.parts = spec, mass, nil
	if err := next.makeElements(); err != nil {
		return nil, err
	}
	next.makeStitches(c.sewnFrom)
	if c.stretch != nil {
		next.stretch = &scaled{Elements: next.Membrane, factor: c.stretch.factor}
	}
	if c.bend != nil {
		next.bend = &scaled{Elements: next.Bending, factor: c.bend.factor}
	}
	return &next, nil
}

// Blocks returns the number of vertices.
func (c *Cloth) Blocks() int { return c.Spec.Mesh.Verts }

// Inertia writes the masses of the vertices [kg].
func (c *Cloth) Inertia(out []r3.Mat) {
	for i, m := range c.Mass {
		out[i] = r3.Diagonal(m)
	}
}

// Parts returns stretch, bending, air and seams, as far as there are any.
func (c *Cloth) Parts() []Part {
	if c.parts == nil {
		c.parts = append(
			c.parts,
			Part{Elements: c.stretchElements(), Kind: mech.MembraneEnergy, DampingBy: c.dampingOf(c.Membrane)},
			Part{Elements: c.bendElements(), Kind: mech.BendingEnergy, DampingBy: c.dampingOf(c.Bending)},
		)
		if c.inAir {
			c.parts = append(c.parts, Part{Elements: c.air, OfVelocity: true})
		}
		if c.stitches != nil {
			c.parts = append(c.parts, Part{Elements: c.stitches, Kind: mech.SeamEnergy})
		}
	}
	if !c.Varied() {
		c.parts[0].Damping, c.parts[1].Damping = c.Damping, c.Damping
	}
	return c.parts
}

// Begin shortens the threads of seams, and fixes the drag of the air for the step.
func (c *Cloth) Begin(s *Start) {
	c.shorten(s.End)
	if c.inAir {
		c.air.Begin(s.Team, s.X, s.V, s.AirDensity, s.Wind)
	}
}

// Arrive moves vertices along their velocities.
func (c *Cloth) Arrive(x0, v []r3.Vec, h float64, x1 []r3.Vec) { Drift(x0, v, h, x1) }

// Skin returns the sheet.
func (c *Cloth) Skin() *contact.Skin {
	skin := contact.ClothSkin(0, 0, c.Spec.Mesh)
	skin.Made = c.Spec.Positions
	return &skin
}

// Commit does nothing: a sheet is where its vertices are.
func (c *Cloth) Commit([]r3.Vec) {}

// State returns nil: all that changes is in its vertices and, if it is remeshed, in its mesh, which the world keeps.
func (c *Cloth) State() []byte { return nil }

// SetState does nothing.
func (c *Cloth) SetState([]byte) error { return nil }

// SetInAir says whether there is air, or will be. If that changes, the matrix has to be laid out anew.
func (c *Cloth) SetInAir(air bool) {
	if air != c.inAir {
		c.inAir, c.parts = air, nil
	}
}

// SetDrag changes the coefficient of the air drag on its faces.
func (c *Cloth) SetDrag(drag float64) { c.air.SetDrag(drag) }
