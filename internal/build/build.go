// Package build makes the worlds of scenes.
package build

import (
	"errors"
	"fmt"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// World makes the world of a scene. The same scene gives the same world, bit for bit. What can only be wrong with a
// mesh in place, such as a pin that holds nothing, is returned as Faults. Garments hang around their bodies in panels:
// package dress sews them. Close it after use.
func World(s *scenefile.Scene) (*Built, error) {
	if s.HasYarns() {
		return nil, fmt.Errorf("%s: a scene of yarns has no cloths and bodies to build a world of", s.File())
	}
	opt := s.Options()
	if s.Dresses() {
		opt.Start = s.SewingStart()
		if err := checkSelections(s); err != nil {
			return nil, err
		}
	}
	return Clothed(s, opt, Undressed(s))
}

// Clothed makes a world in which the cloths are as given. Before the clock starts nothing is pinned, pulled at or
// changed by keys: what has keys has its first value.
func Clothed(s *scenefile.Scene, opt engine.Options, cloths []Worn) (*Built, error) {
	// empty world
	w, err := engine.New(opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.File(), err)
	}
	b := &Built{World: w, Scene: s, dressing: opt.Start < 0}
	// cloths that are worn by now
	faults := &scenefile.Found{}
	for i := range s.Cloths {
		if !cloths[i].Absent {
			addCloth(s, b, &s.Cloths[i], &cloths[i], faults)
		}
	}
	// bodies, which join in when the clock starts
	if !b.dressing {
		for i := range s.Rigids {
			addRigid(s, b, &s.Rigids[i], faults)
		}
		for i := range s.Solids {
			addSolid(s, b, &s.Solids[i], faults)
		}
		tie(s, b, faults)
	}
	// obstacles, and flesh that stands still while garments are sewn
	for i := range s.Obstacles {
		addObstacle(s, b, &s.Obstacles[i], faults)
	}
	if b.dressing {
		addStillFlesh(s, b, faults)
	}
	// pins that follow obstacles
	for i := range b.Cloths {
		addFollowers(s, b, &b.Cloths[i], faults)
	}
	if err := faults.Err(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	// friction of pairs, factors of materials, and tracks
	applyFriction(s, b)
	err = multiply(s, b)
	if err == nil && !b.dressing {
		err = drive(s, b)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.File(), err), b.Close())
	}
	return b, nil
}

func addCloth(s *scenefile.Scene, b *Built, c *scenefile.Cloth, as *Worn, faults *scenefile.Found) {
	sh, err := sheetOf(c, as)
	if err != nil {
		faults.Add(c.Shape.Fault("", "%s", scenefile.OneLine(err)))
		return
	}
	fabric, err := c.Material.Fabric()
	if err != nil {
		faults.Add(c.Material.Fault("", "%s", scenefile.OneLine(err)))
		return
	}
	spec := body.DefaultCloth(c.Name, sh.Mesh, sh.X, fabric)
	// The word is one of the models: it was checked when the scene was read.
	spec.Membrane, _ = body.ParseMembrane(c.Membrane)
	spec.Bending, _ = body.ParseBending(c.Bending)
	spec.RestCurvature = restCurvatures[c.RestCurvature]
	spec.Tabulated = c.Material.Tabulated()
	spec.Drag = c.Drag.Start()
	spec.Layer = c.Layer
	if !b.dressing { // seams are sewn on the mesh of the pattern
		spec.Remesh = c.Remesh.Options(s.Contact.Thickness.Start())
	}
	if spec.Maps, err = mapsOf(c, sh, &fabric); err != nil {
		faults.Add(c.Material.Fault("", "%s", scenefile.OneLine(err)))
		return
	}
	if c.Velocity != (scenefile.Vec{}) {
		spec.Velocities = make([]r3.Vec, len(sh.X))
		for i := range spec.Velocities {
			spec.Velocities[i] = c.Velocity.R3()
		}
	}
	spec.Seams = seamsOf(s, c, as)
	if as.V != nil {
		spec.Velocities = as.V
	}
	var pins [][]int32
	if !b.dressing {
		pins = pickPins(c, sh, faults)
	}
	for i, vertices := range pins {
		spec.Clamps = append(spec.Clamps, clampsOf(&c.Pins[i], sh.Mesh, vertices, faults)...)
	}
	id, err := cloths.Add(b.World, spec)
	if err != nil {
		faults.Add(c.Fault("", "%s", scenefile.OneLine(err)))
		return
	}
	built := Cloth{ID: id, Name: c.Name, UV: sh.Mesh.Material, Groups: sh.Groups, spec: c}
	for i, vertices := range pins {
		if vertices == nil {
			continue
		}
		built.Pins = append(built.Pins, Pin{Vertices: vertices, spec: i, limit: limitOf(&c.Pins[i], sh, vertices)})
		if pin := &built.Pins[len(built.Pins)-1]; c.Pins[i].Follow == "" {
			addPin(s, b, &built, pin, nil, faults)
		}
	}
	if !b.dressing {
		applyForces(c, b.World, id, sh, faults)
		for i := range c.Attach {
			built.attached = append(built.attached, c.Attach[i].Select.Pick(sh, faults))
		}
	}
	b.Cloths = append(b.Cloths, built)
}

// pickPins selects the vertices of every pin; a vertex can be held once. The vertices of a pin with
// faults are nil.
func pickPins(c *scenefile.Cloth, sh *scenefile.Sheet, faults *scenefile.Found) [][]int32 {
	holder := make(map[int32]int)
	out := make([][]int32, len(c.Pins))
	for i := range c.Pins {
		p := &c.Pins[i]
		vertices := p.Select.Pick(sh, faults)
		for _, v := range vertices {
			if j, held := holder[v]; held {
				faults.Add(p.Select.Fault("", "select finds vertex %d, which pin %d of the cloth holds already", v, j))
				vertices = nil
				break
			}
			holder[v] = i
		}
		out[i] = vertices
	}
	return out
}

// clampsOf returns a clamp for every boundary edge that the pin holds at both ends.
func clampsOf(p *scenefile.Pin, m *mesh.Mesh, vertices []int32, faults *scenefile.Found) []body.Clamp {
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
		faults.Add(p.Fault("clamp", "clamp finds no boundary edge with both ends held by the pin"))
	}
	return out
}

func handleOf(s *scenefile.Scene, c *scenefile.Cloth, i int, id engine.ClothID, vertices []int32) engine.Handle {
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
func applyForces(c *scenefile.Cloth, w *engine.World, id engine.ClothID, sh *scenefile.Sheet, faults *scenefile.Found) {
	if len(c.Forces) == 0 {
		return
	}
	total := make([]r3.Vec, len(sh.X))
	for i := range c.Forces {
		f := &c.Forces[i]
		vertices := f.Select.Pick(sh, faults)
		if f.Force.Changes() && len(vertices) > 0 {
			if err := addLoad(f, w, id, vertices); err != nil {
				faults.Add(f.Fault("", "%s", scenefile.OneLine(err)))
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
