package toile

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/toile-sim/toile/body"
	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/elastic"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/remesh"
	"github.com/toile-sim/toile/solve"
)

// World owns the state of everything simulated and advances it. It belongs to one goroutine at a time.
type World struct {
	opt       Options
	team      *par.Team
	cloths    []cloth
	handles   []holder
	obstacles []obstacle
	surfaces  []string  // names
	friction  []float64 // by pair of surfaces, see pairOf; NaN: that of the options
	loads     []load
	drives    []drive

	// State. Every body owns a range of blocks.
	time  float64
	steps int
	pos   []r3.Vec
	vel   []r3.Vec
	force []r3.Vec // applied from outside [N]
	touch touch    // contacts of the last step

	crossed int // crossings of the state, or unknown

	// Derived from what was added.
	mass     []float64
	held     []bool
	fixed    []bool
	moveTime float64            // when handles moved by MoveHandle are to arrive; -Inf: at the end of the step
	still    bool               // time stands still: obstacles and handles stay where they are
	print    *[sha256.Size]byte // layout, once it is known
	assembly *body.Assembly
	solver   solve.Free
	contacts solve.Solver
	carrier  solve.Carrier
	finder   contact.Finder
	dump     io.Writer // where the next contact problem goes, or nil
	scratch  step
	fault    func(*step, phase) // of tests, see step.ended
	refused  time.Duration      // that steps took which Advance had to halve since the last good one

	// Cloths whose meshes change, see adapt.go.
	remesher remesh.Remesher
	before   *before // what the step under way replaced; nil: nothing yet
	remeshed remeshed
}

// ClothID names a cloth of a world.
type ClothID int

// HandleID names a handle of a world.
type HandleID int

// Cloth is a sheet to be added to a world.
type Cloth struct {
	Name          string
	Mesh          *mesh.Mesh // connectivity and rest shape
	Positions     []r3.Vec   // where its vertices start [m]
	Velocities    []r3.Vec   // how fast they start [m/s]; nil is at rest
	Fabric        elastic.Fabric
	Tabulated     bool // use the measured table of the fabric instead of its constants at small strain
	Membrane      MembraneModel
	Bending       BendingModel
	RestCurvature RestCurvature
	Drag          float64 // coefficient of the air drag on its faces; 1 suits a flat plate
	Clamps        []Clamp
	Seams         *Seams  // nil: nothing is sewn
	Maps          Maps    // what differs from place to place
	Layer         int     // its place in the order that SeparateLayers brings about, 1 the innermost; 0: none
	Remesh        *Remesh // the sizes that its mesh is brought to at the beginning of every step; nil: the mesh stays as it is
}

// DefaultCloth returns a sheet of the given mesh at the given place, with the defaults of the other fields.
func DefaultCloth(name string, m *mesh.Mesh, positions []r3.Vec, fabric elastic.Fabric) Cloth {
	return Cloth{Name: name, Mesh: m, Positions: positions, Fabric: fabric, Drag: 1}
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

// cloth is a sheet at work.
type cloth struct {
	spec         Cloth
	surface      SurfaceID
	first, count int
	membrane     membrane
	bending      elastic.Elements
	air          *body.Air
	stitches     *elastic.Stitches // nil without seams
	sewnFrom     float64           // when its seams began to close [s]
	clampHolder  []int             // handle that each clamp turns with, or -1
	damping      float64
	stretch      *scaled   // the membrane with a factor on a track, or nil
	bend         *scaled   // likewise
	adaptive     *adaptive // nil: its mesh does not change

	// Parts of the assembly.
	membranePart, bendingPart, airPart, seamPart int
}

// membrane is the in-plane elasticity of a sheet. The first three nodes of an element are its corners.
type membrane interface {
	elastic.Elements
	Vary(laws []elastic.StVK)
	Stretch(e int) (major, minor float64)
}

// noPart stands for elements that are not in the assembly.
const noPart = -1

// New returns an empty world.
func New(opt Options) (*World, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	w := &World{opt: opt, time: opt.Start, moveTime: math.Inf(-1)}
	w.SetWorkers(opt.Workers)
	return w, nil
}

// SetWorkers changes the number of cores that are used; 0 means all. It does not change results.
func (w *World) SetWorkers(n int) {
	w.opt.Workers = n
	w.team = par.New(n)
	w.assembly = nil
}

// Options returns the settings of the world. Those on a track have their value in the last step.
func (w *World) Options() Options { return w.opt }

// AddCloth adds a sheet.
func (w *World) AddCloth(c Cloth) (ClothID, error) {
	if err := c.validate(); err != nil {
		return 0, fmt.Errorf("cloth %q: %w", c.Name, err)
	}
	n := c.Mesh.Verts
	k := cloth{spec: c, first: len(w.pos), count: n, damping: c.Fabric.Damping}
	if c.Remesh != nil {
		k.adaptive = newAdaptive(&c)
		k.repaint()
	}
	if err := k.makeElements(); err != nil {
		return 0, fmt.Errorf("cloth %q: %w", c.Name, err)
	}
	k.makeStitches(w.time)
	k.surface = w.newSurface(c.Name)
	w.addBlocks(n)
	copy(w.pos[k.first:], c.Positions)
	copy(w.vel[k.first:], c.Velocities)
	copy(w.mass[k.first:], k.masses())
	w.cloths = append(w.cloths, k)
	w.assembly, w.print = nil, nil
	return ClothID(len(w.cloths) - 1), nil
}

// masses returns the masses of the sheet's vertices [kg].
func (c *cloth) masses() []float64 {
	if c.spec.Maps.Density != nil {
		return body.MappedMass(c.spec.Mesh, c.spec.Maps.Density)
	}
	return body.LumpedMass(c.spec.Mesh, c.spec.Fabric.Density)
}

// addBlocks adds n unknowns.
func (w *World) addBlocks(n int) {
	w.pos = append(w.pos, make([]r3.Vec, n)...)
	w.vel = append(w.vel, make([]r3.Vec, n)...)
	w.force = append(w.force, make([]r3.Vec, n)...)
	w.mass = append(w.mass, make([]float64, n)...)
	w.held = append(w.held, make([]bool, n)...)
	w.fixed = append(w.fixed, make([]bool, n)...)
}

func (c *Cloth) validate() error {
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

// Time returns the simulated time [s].
func (w *World) Time() float64 { return w.time }

// Steps returns the number of steps taken.
func (w *World) Steps() int { return w.steps }

// Cloths returns the number of cloths.
func (w *World) Cloths() int { return len(w.cloths) }

// Cloth returns a cloth as it was added. If it is remeshed, its mesh and everything that belongs to vertices and
// triangles is as it is now, and what is returned holds until the next step; Input then returns it as it was added.
func (w *World) Cloth(id ClothID) *Cloth { return &w.cloths[id].spec }

// Positions returns the positions of a cloth's vertices [m]. They are a view: they change with every step and must not
// be written to. In a world with a cloth that is remeshed they hold until the next step, and so do other views.
func (w *World) Positions(id ClothID) []r3.Vec {
	c := &w.cloths[id]
	return w.pos[c.first : c.first+c.count]
}

// Velocities returns the velocities of a cloth's vertices [m/s], as a view.
func (w *World) Velocities(id ClothID) []r3.Vec {
	c := &w.cloths[id]
	return w.vel[c.first : c.first+c.count]
}

// SetVelocities gives the vertices of a cloth new velocities [m/s]. Vertices that a handle holds keep the handle's.
func (w *World) SetVelocities(id ClothID, v []r3.Vec) {
	c := &w.cloths[id]
	if len(v) != c.count {
		panic(fmt.Sprintf("toile: %d velocities for the %d vertices of cloth %q", len(v), c.count, c.spec.Name))
	}
	copy(w.vel[c.first:], v)
}

// Masses returns the masses of a cloth's vertices [kg], as a view.
func (w *World) Masses(id ClothID) []float64 {
	c := &w.cloths[id]
	return w.mass[c.first : c.first+c.count]
}

// SetForce applies a force to a vertex until it is set again [N].
func (w *World) SetForce(id ClothID, vertex int, f r3.Vec) {
	c := &w.cloths[id]
	if vertex < 0 || vertex >= c.count {
		panic(fmt.Sprintf("toile: cloth %q has no vertex %d", c.spec.Name, vertex))
	}
	w.force[c.first+vertex] = f
}

// Stretch writes the largest principal stretch around each vertex of a cloth (1 is unstretched) to out,
// which is made if it is too short, and returns it.
func (w *World) Stretch(id ClothID, out []float64) []float64 {
	c := &w.cloths[id]
	if len(out) < c.count {
		out = make([]float64, c.count)
	}
	out = out[:c.count]
	clear(out)
	w.turnClamps(func(k *holder) r3.Quat { return k.pose.R })
	c.membrane.Update(w.Positions(id), elastic.WithForce, 0, c.membrane.Len())
	for e := range c.membrane.Len() {
		major, _ := c.membrane.Stretch(e)
		for _, v := range c.membrane.Nodes(e)[:3] {
			out[v] = max(out[v], major)
		}
	}
	return out
}

// build lays out the matrix after cloths were added.
func (w *World) build() {
	if w.assembly != nil {
		return
	}
	w.buildContacts()
	w.layMatrix()
}

// layMatrix lays out the matrix, and what else knows of blocks.
func (w *World) layMatrix() {
	var parts []body.Part
	add := func(c *cloth, e elastic.Elements, damping []float64) int {
		parts = append(parts, body.Part{Elements: e, First: c.first, Nodes: c.count, Damping: damping})
		return len(parts) - 1
	}
	for i := range w.cloths {
		c := &w.cloths[i]
		c.membranePart, c.bendingPart, c.airPart, c.seamPart = add(
			c,
			c.stretchElements(),
			c.dampingOf(c.membrane),
		), add(
			c,
			c.bendElements(),
			c.dampingOf(c.bending),
		), noPart, noPart
		if w.opt.Air.Density > 0 || w.driven(AirDensity()) {
			c.airPart = add(c, c.air, nil)
		}
		if c.stitches != nil {
			c.seamPart = add(c, c.stitches, nil)
		}
	}
	w.assembly = body.NewAssembly(w.team, len(w.pos), parts)
	w.solver = solve.Free{Team: w.team, Linear: solve.Linear(w.opt.Linear), Newton: w.opt.Newton.solver()}
	w.scratch.resize(w)
	w.laySurfaces()
}

func (o NewtonOptions) solver() solve.Newton {
	return solve.Newton{Iterations: o.Iterations, Tolerance: o.Tolerance}
}
