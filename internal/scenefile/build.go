package scenefile

import (
	"errors"
	"fmt"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

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
