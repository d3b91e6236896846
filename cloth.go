package toile

import (
	"fmt"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// ClothSpec is a sheet to be made.
type ClothSpec struct {
	Name       string
	Mesh       *mesh.Mesh // connectivity and rest shape
	Positions  []r3.Vec   // where its vertices start [m]
	Velocities []r3.Vec   // how fast they start [m/s]; nil is at rest
	Fabric     material.Fabric
	Measured   bool // use the measured table of the fabric instead of its constants at small strain
	Membrane   MembraneModel
	Bending    BendingModel
	RestAsLaid bool    // it likes the shape it starts in; else it was cut from flat cloth
	Drag       float64 // coefficient of the air drag on its faces; 1 suits a flat plate, nothing acts in vacuum
	Clamps     []Clamp
	Seams      *Seams // nil: nothing is sewn
	Maps       Maps   // what differs from place to place
	Remesh     *Remesh
}

// MembraneModel is a way to measure stretch.
type MembraneModel int

// Stretch along the straight edges of triangles, or along the curved surface through the vertices: the first makes a
// stiff sheet that bends sharply from triangle to triangle up to 20 % too stiff, the second takes 1.6 times as long.
const (
	Chord = MembraneModel(body.Chord)
	Arc   = MembraneModel(body.Arc)
)

// BendingModel is a form of the bending energy.
type BendingModel int

// A Kirchhoff plate, the same on every mesh; hinges, cheaper, with a stiffness that depends on the mesh; and one that
// is quadratic in positions, cheapest, for nearly inextensible sheets.
const (
	Plate     = BendingModel(body.Plate)
	Hinge     = BendingModel(body.Hinge)
	Isometric = BendingModel(body.Isometric)
)

// Clamp makes the sheet leave a boundary edge in a given direction. It turns with the handle that holds the edge.
type Clamp struct {
	Edge [2]int32 // vertices of a boundary edge
	Dir  r3.Vec   // into the sheet, across the edge
}

// Seams are pairs of vertices of a cloth that threads draw together. The threads shorten evenly, from how far apart the
// vertices start to nothing.
type Seams struct {
	Pairs  [][2]int32
	Close  float64 // time that shortening takes, from when the cloth is added [s]
	Thread Thread
}

// Thread is what seams are sewn with: a spring for each pair.
type Thread struct {
	Stiffness float64 // of each stitch [N/m]
	Force     float64 // of each stitch, at most [N]
}

// Maps hold what differs from place to place of a sheet. A nil field leaves it to the fabric, or to the options of the
// world. What belongs to the material is given by triangle, what belongs to the surface by vertex.
type Maps struct {
	Density []float64           // by triangle [kg/m²]
	Stretch []material.Stretch  // by triangle; not with the measured table of a fabric
	Factor  []float64           // by triangle: multiplies the stiffness in the plane, also that of a measured table
	Bend    []material.Rigidity // by triangle
	Damping []float64           // by triangle [s]
	// Friction is the sheet's coefficient of friction at each vertex, where SetFriction was not called for the pair; of
	// two surfaces that have one the smaller holds.
	Friction  []float64
	Thickness []float64 // the distance that is kept from obstacles at each vertex [m]; two sheets keep the mean of both
}

// Remesh says to which sizes a cloth is remeshed in every step.
type Remesh struct {
	Min, Max    float64       // lengths of edges [m]
	Angle       float64       // by how much the normal may turn along an edge [rad]
	Velocity    float64       // by how much the velocity may change along an edge [m/s]
	Compression float64       // an edge that is compressed by a small share ε may be Compression/√ε long [m]
	Aspect      float64       // least ratio of the shorter and the longer size at a place, in (0, 1]
	Contact     RemeshContact // for triangles near what they may touch
	Reach       float64       // how near that is [m]
	Ratio       float64       // two places of one sheet touch below this multiple of their distance in the material
	Fade        float64       // share of a size that outlives a step once it is no longer wanted, in [0, 1)
}

// RemeshContact is how sizes follow what a cloth may touch.
type RemeshContact int

// By what is near, [Li18] equations (15) and (16); the older metric of equation (14), which sees obstacles only; and
// not.
const (
	RemeshProximity = RemeshContact(remesh.Proximity)
	RemeshObstacle  = RemeshContact(remesh.Obstacle)
	RemeshNoContact = RemeshContact(remesh.NoContact)
)

// DefaultRemesh returns sizes of 10 to 200 mm and the criteria of [Narain12], [Narain13] and [Li18].
func DefaultRemesh() Remesh {
	o := remesh.DefaultOptions()
	return Remesh{
		o.Min, o.Max, o.Angle, o.Velocity, o.Compression, o.Aspect, RemeshContact(o.Contact), o.Reach, o.Ratio, o.Fade,
	}
}

func (r *Remesh) options() *remesh.Options {
	if r == nil {
		return nil
	}
	return &remesh.Options{
		Min: r.Min, Max: r.Max, Angle: r.Angle, Velocity: r.Velocity, Compression: r.Compression, Aspect: r.Aspect,
		Contact: remesh.ContactMetric(r.Contact), Reach: r.Reach, Ratio: r.Ratio, Fade: r.Fade,
	}
}

// DefaultCloth returns a sheet of the given mesh at the given place, with the defaults of the other fields.
func DefaultCloth(name string, m *mesh.Mesh, positions []r3.Vec, fabric material.Fabric) ClothSpec {
	return ClothSpec{Name: name, Mesh: m, Positions: positions, Fabric: fabric, Drag: 1}
}

func (c *ClothSpec) body() body.ClothSpec {
	spec := body.ClothSpec{
		Name: c.Name, Mesh: c.Mesh, Positions: c.Positions, Velocities: c.Velocities, Fabric: c.Fabric,
		Tabulated: c.Measured, Membrane: body.MembraneModel(c.Membrane), Bending: body.BendingModel(c.Bending),
		Drag: c.Drag, Maps: body.Maps(c.Maps), Remesh: c.Remesh.options(),
	}
	if c.RestAsLaid {
		spec.RestCurvature = body.InitialRest
	}
	for _, k := range c.Clamps {
		spec.Clamps = append(spec.Clamps, body.Clamp(k))
	}
	if s := c.Seams; s != nil {
		spec.Seams = &body.Seams{Pairs: s.Pairs, Close: s.Close, Thread: body.Thread(s.Thread)}
	}
	return spec
}

// Cloth is a sheet in a world.
type Cloth struct {
	w    *World
	name string
	id   engine.ClothID

	contacts []engine.VertexContact
}

// AddCloth adds a sheet.
func (w *World) AddCloth(spec ClothSpec) (*Cloth, error) {
	id, err := cloths.Add(w.e, spec.body())
	if err != nil {
		return nil, err
	}
	c := &Cloth{w: w, name: spec.Name, id: id}
	w.surfaces = append(w.surfaces, c)
	return c, nil
}

// Name returns the name that it was added with.
func (c *Cloth) Name() string { return c.name }

func (c *Cloth) world() *World                            { return c.w }
func (c *Cloth) surfaceID() engine.SurfaceID              { return c.w.e.ClothSurface(c.id) }
func (c *Cloth) bearer() (engine.ClothID, *engine.BodyID) { return c.id, nil }

// Mesh returns its mesh as it is now: that of the specification, unless the cloth is remeshed. It must not be changed.
func (c *Cloth) Mesh() *mesh.Mesh { return cloths.Spec(c.w.e, c.id).Mesh }

// Positions fills dst with where its vertices are [m], and returns it.
func (c *Cloth) Positions(dst []r3.Vec) []r3.Vec { return fill(dst, c.w.e.Positions(c.id)) }

// InputPositions fills dst with where the vertices of the mesh that it was added with are now [m]: Positions, unless
// the cloth is remeshed.
func (c *Cloth) InputPositions(dst []r3.Vec) []r3.Vec { return cloths.InputPositions(c.w.e, c.id, dst) }

// Velocities fills dst with the velocities of its vertices, in m/s.
func (c *Cloth) Velocities(dst []r3.Vec) []r3.Vec { return fill(dst, c.w.e.Velocities(c.id)) }

// SetVelocities gives its vertices new velocities, in m/s. Those that a handle holds keep the handle's.
func (c *Cloth) SetVelocities(v []r3.Vec) error {
	if err := checkVelocities(c.name, v, len(c.w.e.Positions(c.id))); err != nil {
		return err
	}
	c.w.e.SetVelocities(c.id, v)
	return nil
}

// Masses fills dst with the masses of its vertices [kg].
func (c *Cloth) Masses(dst []float64) []float64 { return fill(dst, c.w.e.Masses(c.id)) }

// SetForce applies a force to a vertex until it is set again [N].
func (c *Cloth) SetForce(vertex int, f r3.Vec) { c.w.e.SetForce(c.id, vertex, f) }

// Stretch fills dst with the largest principal stretch around each vertex; 1 is unstretched.
func (c *Cloth) Stretch(dst []float64) []float64 { return c.w.e.Stretch(c.id, dst) }

// Contacts fills dst with what its vertices feel.
func (c *Cloth) Contacts(dst []VertexContact) []VertexContact {
	c.contacts = c.w.e.VertexContacts(c.id, c.contacts)
	return vertexContacts(dst, c.contacts)
}

func checkVelocities(name string, v []r3.Vec, vertices int) error {
	if len(v) != vertices {
		return fmt.Errorf("%d velocities for the %d vertices of %q", len(v), vertices, name)
	}
	for i := range v {
		if !v[i].Finite() {
			return fmt.Errorf("the velocity of vertex %d of %q is not finite", i, name)
		}
	}
	return nil
}
