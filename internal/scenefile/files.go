package scenefile

import (
	"io/fs"
	"slices"
)

// readFiles reads the mesh files that cloths and obstacles name, and looks for those of sequences.
func (s *Scene) readFiles(d *decoder, files fs.FS) {
	r := &fileReader{files, map[string][]byte{}, &s.inputs}
	// cloths: meshes, patterns and what is painted on them
	for i := range s.Cloths {
		shape := &s.Cloths[i].Shape
		if shape.File != "" && shape.Unit > 0 { // not a shape with faults
			shape.mesh = r.mesh(meshFile{shape.File, shape.Up, shape.Unit, shape.Weld}, shape.key("file"), d)
			if shape.mesh != nil && shape.Rest == "uv" {
				shape.checkUV(d)
			}
		}
		if p := shape.Pattern; p != nil && p.Size > 0 && p.File != "" {
			r.pattern(&s.Cloths[i], d)
		}
		s.Cloths[i].readMaps(r, d)
	}
	// bodies and yarns
	for i := range s.Rigids {
		shape := &s.Rigids[i].Shape
		if shape.File != "" && shape.Unit > 0 {
			shape.mesh = r.mesh(meshFile{shape.File, shape.Up, shape.Unit, shape.Weld}, shape.key("file"), d)
		}
	}
	s.fillSolids(r, d)
	for i := range s.Yarns {
		if p := &s.Yarns[i]; p.File != "" && p.Unit > 0 {
			r.yarns(p, d)
		}
	}
	// obstacles: meshes, maps and sequences
	for i := range s.Obstacles {
		shape := &s.Obstacles[i].Shape
		if shape.File != "" && shape.Unit > 0 {
			shape.mesh = r.mesh(meshFile{shape.File, shape.Up, shape.Unit, shape.Weld}, shape.key("file"), d)
		}
		s.Obstacles[i].readMaps(r, d)
		if q := shape.Sequence; q != nil && q.sound {
			r.sequence(q, d)
		}
	}
}

// maxTets is how many tets all solids of a scene may have.
const maxTets = 5_000_000

// fillSolids makes the tets of solids without faults.
func (s *Scene) fillSolids(r *fileReader, d *decoder) {
	total := 0.0
	for i := range s.Solids {
		shape := &s.Solids[i].Shape
		if !shape.sound {
			continue
		}
		if total += shape.tetCount(); total > maxTets {
			d.faults.add(shape.at, "all solids up to here have %.0f tetrahedra; at most %d are allowed", total, maxTets)
			return
		}
		shape.meshSolid(r, d)
		if shape.tets != nil && shape.tetCount() == 0 {
			total += float64(len(shape.tets.Tet))
		}
	}
}

// checkUV looks for corners without a pattern point.
func (s *Shape) checkUV(d *decoder) {
	m := s.mesh
	if len(m.UV) == 0 {
		d.faults.add(s.key("rest"), "rest: uv, but %s has no UVs; write rest: shape", s.File)
		return
	}
	for t, c := range m.CornerUV {
		if slices.Contains(c[:], -1) {
			d.faults.add(s.key("rest"), "rest: uv, but triangle %d of %s has no UVs", t, s.File)
			return
		}
	}
}

// scalars returns the numbers of a cloth that can be maps; some are nil.
func (c *Cloth) scalars() []*Scalar {
	all := append(c.Material.Stretches(), c.Material.Bends()...)
	if c.Material.Stretch != nil {
		all = append(all, c.Material.Stretch.Factor)
	}
	all = append(all, c.Material.Density, c.Material.Damping, c.Friction, c.Thickness)
	for i := range c.Pins {
		if s := c.Pins[i].Strength; s != nil {
			all = append(all, &s.Force, &s.Stiffness)
		}
	}
	return all
}

// readMaps reads the images of a cloth's maps, and looks for their attributes.
func (c *Cloth) readMaps(r *fileReader, d *decoder) {
	for _, s := range c.scalars() {
		if s.Mapped() {
			s.Over.source.resolve(r, c.Shape.painted(), s.Over.key("map"), d)
		}
	}
	resolve := func(s *Select) {
		if s.Map != "" {
			s.source.resolve(r, c.Shape.painted(), s.key("map"), d)
		}
	}
	for i := range c.Pins {
		resolve(&c.Pins[i].Select)
	}
	for i := range c.Forces {
		resolve(&c.Forces[i].Select)
	}
}

// painted returns what the maps of a cloth are laid over.
func (s *Shape) painted() canvas { return canvas{s.File, s.mesh} }

// readMaps reads the image of the map of an obstacle's friction, or looks for its attribute.
func (o *Obstacle) readMaps(r *fileReader, d *decoder) {
	if !o.Friction.Mapped() {
		return
	}
	if o.Shape.File == "" {
		d.faults.add(
			o.key("friction"),
			"friction of an obstacle can be a map if its shape is a file; of other shapes it is a number",
		)
		return
	}
	o.Friction.Over.source.resolve(r, canvas{o.Shape.File, o.Shape.mesh}, o.Friction.Over.key("map"), d)
}
