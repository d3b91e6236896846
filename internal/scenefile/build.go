package scenefile

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Built is a scene made into a world.
type Built struct {
	World     *engine.World
	Cloths    []BuiltCloth    // in the order of the file
	Bodies    []BuiltBody     // rigid ones, then soft ones, each in the order of the file
	Obstacles []BuiltObstacle // in the order of the file
	Scene     *Scene

	dressing bool        // the clock has not started
	open     []io.Closer // files of sequences
}

// Close closes the files that obstacles are read from while the world advances. The world can be looked at afterwards,
// but not advanced.
func (b *Built) Close() error {
	var errs []error
	for _, f := range b.open {
		errs = append(errs, f.Close())
	}
	b.open = nil
	return errors.Join(errs...)
}

// BuiltCloth is a cloth of a scene in its world.
type BuiltCloth struct {
	ID     engine.ClothID
	Name   string
	UV     []r3.Vec2      // one for each material point of the mesh, in metres
	Pins   []BuiltPin     // in the order of the file
	Groups []meshio.Group // of the mesh file

	spec     *Cloth
	attached [][]int32 // vertices of each attachment
}

// BuiltPin is a pin of a scene in its world.
type BuiltPin struct {
	ID       engine.HandleID
	Name     string
	Vertices []int32 // ascending

	spec  int // its number in the file
	limit *engine.ForceLimit
}

// Options returns the settings of the scene's world. Workers is not a matter of scenes.
func (s *Scene) Options() engine.Options {
	o := engine.DefaultOptions()
	o.Gravity = s.Gravity.Start()
	o.Theta = s.Integrator.Theta
	o.Newton = engine.NewtonOptions{
		Iterations: s.Integrator.Newton.Iterations,
		Tolerance:  s.Integrator.Newton.Tolerance,
		Exact:      s.Integrator.Newton.Exact,
	}
	o.Linear = engine.LinearOptions{
		Tolerance:     s.Integrator.Linear.Tolerance,
		MaxIterations: s.Integrator.Linear.Iterations,
	}
	for _, m := range []engine.LinearMethod{engine.AutoLinear, engine.PCG, engine.Direct} {
		if linearNames[m] == s.Integrator.Linear.Method {
			o.Linear.Method = m
		}
	}
	o.Contact = engine.ContactOptions{
		Thickness:     s.Contact.Thickness.Start(),
		Friction:      s.Friction.Default.Start(),
		Self:          s.Contact.Self,
		Tolerance:     s.Contact.Tolerance,
		Solver:        s.Contact.Solver,
		Relaxation:    s.Contact.Relaxation.form(),
		Staggered:     s.Contact.Staggered.options(),
		MaxSweeps:     s.Contact.Sweeps,
		Prune:         o.Contact.Prune,
		Rounds:        s.Contact.Rounds,
		Rough:         o.Contact.Rough,
		Halvings:      s.Contact.Halvings,
		UntangleSpeed: o.Contact.UntangleSpeed,
		PushFraction:  s.Contact.Push.Fraction,
		PushSpeed:     s.Contact.Push.Speed,
	}
	o.MaxHalvings = s.Integrator.Halvings
	o.Air = engine.AirOptions{Density: s.Air.Density.Start(), Wind: s.Air.Wind.Start()}
	return o
}

// Build makes the world of a scene. The same scene gives the same world, bit for bit. What can only be wrong with a
// mesh in place, such as a pin that holds nothing, is returned as Faults. Garments hang around their bodies in panels:
// Dress sews them. Close it after use.
func (s *Scene) Build() (*Built, error) {
	if s.HasYarns() {
		return nil, fmt.Errorf("%s: a scene of yarns has no cloths and bodies to build a world of", s.at.src.name)
	}
	opt := s.Options()
	if s.Dresses() {
		opt.Start = s.sewingStart()
		if err := s.checkSelections(); err != nil {
			return nil, err
		}
	}
	return s.build(opt, s.undressed())
}

// build makes a world in which the cloths are as given. Before the clock starts nothing is pinned, pulled at or changed
// by keys: what has keys has its first value.
func (s *Scene) build(opt engine.Options, cloths []worn) (*Built, error) {
	w, err := engine.New(opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.at.src.name, err)
	}
	b := &Built{World: w, Scene: s, dressing: opt.Start < 0}
	d := &decoder{faults: &faultList{}}
	for i := range s.Cloths {
		if !cloths[i].absent {
			s.addCloth(b, &s.Cloths[i], &cloths[i], d)
		}
	}
	if !b.dressing {
		for i := range s.Rigids {
			s.addRigid(b, &s.Rigids[i], d)
		}
		for i := range s.Solids {
			s.addSolid(b, &s.Solids[i], d)
		}
		s.tie(b, d)
	}
	for i := range s.Obstacles {
		s.addObstacle(b, &s.Obstacles[i], d)
	}
	if b.dressing {
		s.addStillFlesh(b, d)
	}
	for i := range b.Cloths {
		s.addFollowers(b, &b.Cloths[i], d)
	}
	if err := d.faults.err(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	s.applyFriction(b)
	err = s.multiply(b)
	if err == nil && !b.dressing {
		err = s.drive(b)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.at.src.name, err), b.Close())
	}
	return b, nil
}

func (s *Scene) addCloth(b *Built, c *Cloth, as *worn, d *decoder) {
	sh, err := c.piece(as)
	if err != nil {
		d.faults.add(c.Shape.at, "%s", oneLine(err))
		return
	}
	fabric, err := c.Material.Fabric()
	if err != nil {
		d.faults.add(c.Material.at, "%s", oneLine(err))
		return
	}
	spec := body.DefaultCloth(c.Name, sh.mesh, sh.x, fabric)
	// The word is one of the models: it was checked when the scene was read.
	spec.Membrane, _ = body.ParseMembrane(c.Membrane)
	spec.Bending, _ = body.ParseBending(c.Bending)
	spec.RestCurvature = restCurvatures[c.RestCurvature]
	spec.Tabulated = c.Material.tabulated()
	spec.Drag = c.Drag.Start()
	spec.Layer = c.Layer
	if !b.dressing { // seams are sewn on the mesh of the pattern
		spec.Remesh = c.Remesh.options(s.Contact.Thickness.Start())
	}
	if spec.Maps, err = c.maps(sh, &fabric); err != nil {
		d.faults.add(c.Material.at, "%s", oneLine(err))
		return
	}
	if c.Velocity != (Vec{}) {
		spec.Velocities = make([]r3.Vec, len(sh.x))
		for i := range spec.Velocities {
			spec.Velocities[i] = c.Velocity.R3()
		}
	}
	spec.Seams = s.seams(c, as)
	if as.v != nil {
		spec.Velocities = as.v
	}
	var pins [][]int32
	if !b.dressing {
		pins = c.pick(sh, d)
	}
	for i, vertices := range pins {
		spec.Clamps = append(spec.Clamps, c.Pins[i].clamps(sh.mesh, vertices, d)...)
	}
	id, err := cloths.Add(b.World, spec)
	if err != nil {
		d.faults.add(c.at, "%s", oneLine(err))
		return
	}
	built := BuiltCloth{ID: id, Name: c.Name, UV: sh.mesh.Material, Groups: sh.groups, spec: c}
	for i, vertices := range pins {
		if vertices == nil {
			continue
		}
		built.Pins = append(built.Pins, BuiltPin{Vertices: vertices, spec: i, limit: c.Pins[i].limit(sh, vertices)})
		if pin := &built.Pins[len(built.Pins)-1]; c.Pins[i].Follow == "" {
			s.addPin(b, &built, pin, nil, d)
		}
	}
	if !b.dressing {
		c.applyForces(b.World, id, sh, d)
		for i := range c.Attach {
			built.attached = append(built.attached, c.Attach[i].Select.pick(sh, d))
		}
	}
	b.Cloths = append(b.Cloths, built)
}

var restCurvatures = map[string]body.RestCurvature{"flat": body.FlatRest, "initial": body.InitialRest}

// piece makes the cloth's mesh and puts it in its place. Scaling changes the rest shape too.
func (c *Cloth) piece(as *worn) (*piece, error) {
	sh := &piece{}
	var err error
	switch g := c.Shape.garment; {
	case g != nil && as.apart != nil:
		return &piece{mesh: g.Flat, x: as.apart}, nil
	case g != nil:
		return c.Shape.sewnSheet(as.x), nil
	case c.Shape.Grid != nil:
		sh.mesh, sh.x = c.Shape.Grid.make(c.Place.Scale)
	default:
		sh.groups, sh.file = c.Shape.mesh.Groups, c.Shape.mesh.Mesh
		sh.mesh, sh.x, err = c.Shape.fileSheet(c.Place.Scale)
	}
	if err != nil {
		return nil, err
	}
	pose := c.Place.pose()
	for i := range sh.x {
		sh.x[i] = pose.Apply(sh.x[i])
	}
	return sh, nil
}

// pose returns the rigid part of the place, which follows on the scaling.
func (p *Place) pose() r3.Pose {
	pose := r3.Translation(p.Translate.R3())
	if r := p.Rotate; r != nil {
		pose.R = r3.Rotation(r.Axis.R3(), r.Angle)
	}
	return pose
}

// fileSheet makes the mesh of a file, with its rest shape.
func (s *Shape) fileSheet(scale float64) (*mesh.Mesh, []r3.Vec, error) {
	in := s.mesh
	x := make([]r3.Vec, len(in.Positions))
	for i, p := range in.Positions {
		x[i] = p.Scale(scale)
	}
	var m *mesh.Mesh
	var err error
	if s.Rest == "uv" {
		uv := make([]r3.Vec2, len(in.UV))
		for i, p := range in.UV {
			uv[i] = p.Scale(s.UVScale * scale)
		}
		corner := in.CornerUV
		if len(corner) == 0 {
			corner = nil
		}
		m, err = mesh.New(len(x), in.Triangles, uv, corner)
	} else {
		m, err = mesh.FromSurface(x, in.Triangles, s.Warp.R3())
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.File, err)
	}
	return m, x, nil
}

// pick selects the vertices of every pin; a vertex can be held once. The vertices of a pin with
// faults are nil.
func (c *Cloth) pick(sh *piece, d *decoder) [][]int32 {
	holder := make(map[int32]int)
	out := make([][]int32, len(c.Pins))
	for i := range c.Pins {
		p := &c.Pins[i]
		vertices := p.Select.pick(sh, d)
		for _, v := range vertices {
			if j, held := holder[v]; held {
				d.faults.add(p.Select.at, "select finds vertex %d, which pin %d of the cloth holds already", v, j)
				vertices = nil
				break
			}
			holder[v] = i
		}
		out[i] = vertices
	}
	return out
}

// clamps returns a clamp for every boundary edge that the pin holds at both ends.
func (p *Pin) clamps(m *mesh.Mesh, vertices []int32, d *decoder) []body.Clamp {
	if p.Clamp == nil || vertices == nil {
		return nil
	}
	held := make([]bool, m.Verts)
	for _, v := range vertices {
		held[v] = true
	}
	var out []body.Clamp
	for i := range m.Edges {
		if e := &m.Edges[i]; e.Boundary() && held[e.V[0]] && held[e.V[1]] {
			out = append(out, body.Clamp{Edge: e.V, Dir: p.Clamp.R3()})
		}
	}
	if len(out) == 0 {
		d.faults.add(p.key("clamp"), "clamp finds no boundary edge with both ends held by the pin")
	}
	return out
}

func (s *Scene) handle(c *Cloth, i int, id engine.ClothID, vertices []int32) engine.Handle {
	p := &c.Pins[i]
	h := engine.Handle{Name: p.Name, Cloth: id, Vertices: vertices}
	if h.Name == "" {
		h.Name = fmt.Sprintf("%s.pins.%d", c.Name, i)
	}
	if m, ok := s.Motions[p.Motion]; ok {
		h.Path = m.Path()
	}
	return h
}

// Path returns the motion as a path of a handle or an obstacle.
func (m *Motion) Path() *engine.Path {
	path := &engine.Path{Center: m.About.R3(), Smooth: m.Smooth}
	for _, k := range m.Keys {
		key := engine.Key{At: k.At, Translate: k.Translate.R3()}
		if k.Rotate != nil {
			key.Axis, key.Angle = k.Rotate.Axis.R3(), k.Rotate.Angle
		}
		path.Keys = append(path.Keys, key)
	}
	return path
}

// applyForces adds up the forces on each vertex and sets them.
func (c *Cloth) applyForces(w *engine.World, id engine.ClothID, sh *piece, d *decoder) {
	if len(c.Forces) == 0 {
		return
	}
	total := make([]r3.Vec, len(sh.x))
	for i := range c.Forces {
		f := &c.Forces[i]
		vertices := f.Select.pick(sh, d)
		if f.Force.changes() && len(vertices) > 0 {
			if err := f.load(w, id, vertices); err != nil {
				d.faults.add(f.at, "%s", oneLine(err))
			}
			continue
		}
		share := f.Force.Start().Scale(1 / float64(max(len(vertices), 1)))
		for _, v := range vertices {
			total[v] = total[v].Add(share)
		}
	}
	for v, f := range total {
		if f != (r3.Vec{}) {
			w.SetForce(id, v, f)
		}
	}
}

// make makes the grid, scaled.
func (g *Grid) make(scale float64) (*mesh.Mesh, []r3.Vec) {
	return shape.GridOf(patterns[g.Pattern], g.Size[0]*scale, g.Size[1]*scale, g.Cells[0], g.Cells[1], uint64(g.Seed))
}

var patterns = map[string]shape.Pattern{
	"right": shape.Right, "crossed": shape.Crossed, "equilateral": shape.Equilateral, "random": shape.Random,
}

// vertices returns how many vertices the grid has; for patterns without cells, about.
func (g *Grid) vertices() float64 {
	nx, ny := float64(g.Cells[0]), float64(g.Cells[1])
	switch g.Pattern {
	case "right":
		return (nx + 1) * (ny + 1)
	case "crossed":
		return (nx+1)*(ny+1) + nx*ny
	}
	return math.Round(1.15*nx*ny + nx + ny + 4)
}

// triangles returns how many triangles the shape has.
func (s *Shape) triangles() int {
	if s.Grid != nil {
		// By Euler's formula, with 2 (nx + ny) vertices on the boundary.
		return 2*int(s.Grid.vertices()) - 2*(s.Grid.Cells[0]+s.Grid.Cells[1]) - 2
	}
	if s.garment != nil {
		return len(s.garment.Sewn.Tri)
	}
	return len(s.mesh.Triangles)
}

// oneLine brings several joined errors onto one line of a message.
func oneLine(err error) string {
	lines := strings.Split(err.Error(), "\n")
	const most = 5
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("and %d more faults", len(lines)-most))
	}
	return strings.Join(lines, "; ")
}

func showVec(v r3.Vec) string { return fmt.Sprintf("[%.4g, %.4g, %.4g]", v.X, v.Y, v.Z) }
