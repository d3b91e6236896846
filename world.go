package toile

import (
	"crypto/sha256"
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

	others []member // bodies that are no cloths

	// State. Every body owns a range of blocks.
	time  float64
	steps int
	pos   []r3.Vec
	vel   []r3.Vec
	force []r3.Vec // applied from outside [N]
	touch touch    // contacts of the last step

	crossed int // crossings of the state, or unknown

	// Derived from what was added.
	bodies   []member  // all, in the order of their blocks
	inertia  []r3.Mat  // by block [kg]
	mass     []float64 // by block, the least that the inertia is in any direction [kg]
	held     []bool
	fixed    []bool
	moveTime float64            // when handles moved by MoveHandle are to arrive; -Inf: at the end of the step
	still    bool               // time stands still: obstacles and handles stay where they are
	print    *[sha256.Size]byte // layout, once it is known
	assembly *body.Assembly
	solver   solve.Free
	nodal    solve.Nodal
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

// The parts of a Cloth.
type (
	// Cloth is a sheet to be added to a world.
	Cloth = body.ClothSpec
	// MembraneModel is a way to measure stretch.
	MembraneModel = body.MembraneModel
	// BendingModel is a form of the bending energy.
	BendingModel = body.BendingModel
	// RestCurvature is the shape in which a sheet has no bending energy.
	RestCurvature = body.RestCurvature
	// Clamp makes the sheet leave a boundary edge in a given direction.
	Clamp = body.Clamp
	// Maps hold what differs from place to place of a sheet.
	Maps = body.Maps
	// Seams are pairs of vertices of a cloth that threads draw together.
	Seams = body.Seams
	// Thread is what seams are sewn with.
	Thread = body.Thread
)

// The models of a cloth; see package body.
const (
	Chord       = body.Chord
	Arc         = body.Arc
	Plate       = body.Plate
	Hinge       = body.Hinge
	Isometric   = body.Isometric
	FlatRest    = body.FlatRest
	InitialRest = body.InitialRest
)

// DefaultCloth returns a sheet of the given mesh at the given place, with the defaults of the other fields.
func DefaultCloth(name string, m *mesh.Mesh, positions []r3.Vec, fabric elastic.Fabric) Cloth {
	return body.DefaultCloth(name, m, positions, fabric)
}

// ParseMembrane returns the model of that name: chord or arc.
func ParseMembrane(name string) (MembraneModel, error) { return body.ParseMembrane(name) }

// ParseBending returns the model of that name: plate, hinge or isometric.
func ParseBending(name string) (BendingModel, error) { return body.ParseBending(name) }

// cloth is a sheet of the world.
type cloth struct {
	*body.Cloth
	surface      SurfaceID
	first, count int
	clampHolder  []int     // handle that each clamp turns with, or -1
	adaptive     *adaptive // nil: its mesh does not change
}

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
	if err := c.Validate(); err != nil {
		return 0, fmt.Errorf("cloth %q: %w", c.Name, err)
	}
	n := c.Mesh.Verts
	k := cloth{first: len(w.pos), count: n}
	if c.Remesh != nil {
		k.adaptive = newAdaptive(&c)
		c = k.adaptive.repainted(c)
	}
	var err error
	if k.Cloth, err = body.NewCloth(c, w.time); err != nil {
		return 0, fmt.Errorf("cloth %q: %w", c.Name, err)
	}
	k.surface = w.newSurface(c.Name)
	w.addBlocks(n)
	copy(w.pos[k.first:], c.Positions)
	copy(w.vel[k.first:], c.Velocities)
	copy(w.mass[k.first:], k.Mass)
	w.cloths = append(w.cloths, k)
	w.assembly, w.print = nil, nil
	return ClothID(len(w.cloths) - 1), nil
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

// Time returns the simulated time [s].
func (w *World) Time() float64 { return w.time }

// Steps returns the number of steps taken.
func (w *World) Steps() int { return w.steps }

// Cloths returns the number of cloths.
func (w *World) Cloths() int { return len(w.cloths) }

// Cloth returns a cloth as it was added. If it is remeshed, its mesh and everything that belongs to vertices and
// triangles is as it is now, and what is returned holds until the next step; Input then returns it as it was added.
func (w *World) Cloth(id ClothID) *Cloth { return &w.cloths[id].Spec }

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
		panic(fmt.Sprintf("toile: %d velocities for the %d vertices of cloth %q", len(v), c.count, c.Spec.Name))
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
		panic(fmt.Sprintf("toile: cloth %q has no vertex %d", c.Spec.Name, vertex))
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
	c.Membrane.Update(w.Positions(id), elastic.WithForce, 0, c.Membrane.Len())
	for e := range c.Membrane.Len() {
		major, _ := c.Membrane.Stretch(e)
		for _, v := range c.Membrane.Nodes(e)[:3] {
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
	w.listBodies()
	w.inertia = append(w.inertia[:0], make([]r3.Mat, len(w.pos))...)
	var parts []body.Placed
	for _, b := range w.bodies {
		b.Inertia(w.inertia[b.first : b.first+b.count])
		for _, p := range b.Parts() {
			parts = append(parts, body.Placed{Part: p, First: b.first, Nodes: b.count})
		}
	}
	for i := range w.mass {
		w.mass[i] = w.inertia[i].LeastEigenvalue()
	}
	w.assembly = body.NewAssembly(w.team, len(w.pos), parts)
	w.solver = solve.Free{Team: w.team, Linear: solve.Linear(w.opt.Linear), Newton: w.opt.Newton.solver()}
	w.scratch.resize(w)
	w.laySurfaces()
}

func (o NewtonOptions) solver() solve.Newton {
	return solve.Newton{Iterations: o.Iterations, Tolerance: o.Tolerance}
}
