package scenefile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Maps: values from 0 to 1 that differ from place to place of a cloth, from an image over its UVs or from an attribute
// of the vertices of its file.
//
// UVs are those of the file; of a cloth that is no file they are its material coordinates, scaled so that the cloth's
// bounding box is the unit square. What belongs to triangles takes the mean of the map at four points inside each: the
// middle, and the middles of the three outer of the four triangles that it is cut into at the middles of its sides.
// What belongs to vertices takes the value there, and where UVs are cut the mean over the corners at the vertex.

// Painted is a number that differs from place to place of a cloth: from where a map is 0 to where it is 1. The tags of
// the number are those of the field it is the value of.
type Painted struct {
	Map     string  `json:"map" need:"yes" doc:"an image (.png, .jpg) over the UVs of the cloth, or an attribute of the vertices of its file"`
	From    float64 `json:"from" need:"yes" of:"scalar" doc:"its value where the map is 0 (black)"`
	To      float64 `json:"to" need:"yes" of:"scalar" doc:"its value where the map is 1 (white)"`
	Channel string  `json:"channel,omitempty" one:"luminance red green blue alpha" doc:"which part of a colour is taken; luminance by default"`

	placed
	source mapSource
}

// mapSource is where the values of a map come from.
type mapSource struct {
	name, part string   // part is the channel
	image      *picture // nil for an attribute
}

func sourceOf(name, channel string) mapSource {
	if channel == "" {
		channel = "luminance"
	}
	return mapSource{name: name, part: channel}
}

// canvas is what maps are laid over: the mesh of a file, which is nil if it has faults, or, without a file, a cloth
// that is made.
type canvas struct {
	File string
	mesh *fileMesh
}

// resolve reads the image of a map, or looks for its attribute. at is the place of its name.
func (m *mapSource) resolve(r *fileReader, s canvas, at place, d *decoder) {
	if m.name == "" {
		return // it has faults of its own
	}
	if isImage(m.name) {
		data, err := r.read(m.name)
		if err == nil {
			m.image, err = readPicture(m.name, data, m.part)
		}
		if err != nil {
			d.faults.add(at, "%v", err)
			return
		}
		if s.File != "" && s.mesh != nil {
			s.checkImage(m.name, at, d)
		}
		return
	}
	if s.File == "" {
		d.faults.add(
			at,
			"map %s is not the name of an image (.png, .jpg), and only meshes from files have attributes",
			shown(m.name),
		)
		return
	}
	if s.mesh == nil {
		return // it has faults of its own
	}
	a := findAttribute(s.mesh.Attributes, m.name)
	if a == nil {
		d.faults.add(at, "unknown map %s%s", shown(m.name), attributeHint(s, m.name))
		return
	}
	if _, err := attributeValues(a, m.part); err != nil {
		d.faults.add(at, "%v", err)
	}
}

// checkImage looks for corners that an image cannot be laid over.
func (s canvas) checkImage(name string, at place, d *decoder) {
	if len(s.mesh.UV) == 0 {
		d.faults.add(at, "map: %s is an image, but %s has no UVs to lay it over", name, s.File)
		return
	}
	for t, c := range s.mesh.CornerUV {
		if slices.Contains(c[:], -1) {
			d.faults.add(at, "map: %s is an image, but triangle %d of %s has no UVs", name, t, s.File)
			return
		}
	}
}

func attributeHint(s canvas, name string) string {
	var names []string
	for _, a := range s.mesh.Attributes {
		names = append(names, a.Name)
	}
	if len(names) == 0 {
		return fmt.Sprintf("; %s has no attributes, write the name of an image (.png, .jpg)", s.File)
	}
	return suggestionOnly(name, names) + fmt.Sprintf("; the attributes of %s are %s", s.File, strings.Join(names, ", "))
}

// findAttribute finds an attribute by its name, which may lack the underscore that glTF asks for and be in small
// letters.
func findAttribute(all []meshio.Attribute, name string) *meshio.Attribute {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, want := range []string{name, "_" + name} {
			if i := slices.IndexFunc(all, func(a meshio.Attribute) bool { return same(a.Name, want) }); i >= 0 {
				return &all[i]
			}
		}
	}
	return nil
}

// attributeValues returns one number for each vertex: the attribute itself, or a channel of a colour.
func attributeValues(a *meshio.Attribute, channel string) ([]float64, error) {
	n := len(a.Data) / a.Width
	out := make([]float64, n)
	component := slices.Index([]string{"red", "green", "blue", "alpha"}, channel)
	switch {
	case component >= a.Width:
		return nil, fmt.Errorf("attribute %s has %d numbers for each vertex and no %s", a.Name, a.Width, channel)
	case component < 0 && a.Width == 2:
		return nil, fmt.Errorf(
			"attribute %s has 2 numbers for each vertex; write channel: red or channel: green for one of them",
			a.Name,
		)
	}
	for v := range out {
		c := a.Data[v*a.Width : (v+1)*a.Width]
		switch {
		case component >= 0:
			out[v] = float64(c[component])
		case a.Width == 1:
			out[v] = float64(c[0])
		default:
			out[v] = grey(float64(c[0]), float64(c[1]), float64(c[2]))
		}
	}
	return out, nil
}

// painting is a map laid over triangles.
type painting struct {
	tri    [][3]int32
	verts  int
	image  *picture
	uv     []r3.Vec2
	corner [][3]int32 // UVs of the corners of each triangle
	values []float64  // of vertices, instead of an image
}

// paint lays the map over a sheet. It was resolved without faults.
func (m *mapSource) paint(sh *piece) *painting {
	if sh.file != nil {
		return m.paintMesh(sh.file)
	}
	return &painting{
		tri:    sh.mesh.Tri,
		verts:  sh.mesh.Verts,
		image:  m.image,
		uv:     unitSquare(sh.mesh.Material),
		corner: sh.mesh.Corner,
	}
}

// paintMesh lays the map over the mesh of a file.
func (m *mapSource) paintMesh(f *meshio.Mesh) *painting {
	p := &painting{tri: f.Triangles, verts: len(f.Positions), image: m.image}
	if m.image == nil {
		p.values, _ = attributeValues(findAttribute(f.Attributes, m.name), m.part)
		return p
	}
	p.uv, p.corner = f.UV, f.CornerUV
	if len(p.corner) == 0 {
		p.corner = f.Triangles
	}
	return p
}

// unitSquare scales points to the unit square.
func unitSquare(points []r3.Vec2) []r3.Vec2 {
	lo, hi := points[0], points[0]
	for _, p := range points {
		lo = r3.Vec2{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}
		hi = r3.Vec2{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
	}
	out := make([]r3.Vec2, len(points))
	for i, p := range points {
		out[i] = r3.Vec2{X: (p.X - lo.X) / (hi.X - lo.X), Y: (p.Y - lo.Y) / (hi.Y - lo.Y)}
	}
	return out
}

// at returns the value at the point of triangle t with the given weights, in 0..1.
func (p *painting) at(t int, w [3]float64) float64 {
	if p.image == nil {
		sum := 0.0
		for k, v := range p.tri[t] {
			sum += w[k] * clamp01(p.values[v])
		}
		return sum
	}
	var uv r3.Vec2
	for k, c := range p.corner[t] {
		uv = uv.Add(p.uv[c].Scale(w[k]))
	}
	return p.image.at(uv)
}

func clamp01(v float64) float64 { return min(max(v, 0), 1) }

// inside are points whose mean stands for a triangle.
var inside = [4][3]float64{
	{1. / 3, 1. / 3, 1. / 3},
	{2. / 3, 1. / 6, 1. / 6},
	{1. / 6, 2. / 3, 1. / 6},
	{1. / 6, 1. / 6, 2. / 3},
}

// triangles returns the value of each triangle.
func (p *painting) triangles() []float64 {
	out := make([]float64, len(p.tri))
	for t := range out {
		for _, w := range inside {
			out[t] += p.at(t, w) / float64(len(inside))
		}
	}
	return out
}

// vertices returns the value of each vertex.
func (p *painting) vertices() []float64 {
	out, count := make([]float64, p.verts), make([]float64, p.verts)
	for t, v := range p.tri {
		for k, i := range v {
			var w [3]float64
			w[k] = 1
			out[i] += p.at(t, w)
			count[i]++
		}
	}
	for i := range out {
		out[i] = clamp01(
			out[i] / max(1, count[i]),
		) // rounding may lead out; a vertex of an obstacle may be in no triangle
	}
	return out
}

// between returns the numbers that values of a map stand for.
func (p *Painted) between(values []float64) []float64 {
	for i, v := range values {
		values[i] = (1-v)*p.From + v*p.To
	}
	return values
}

// byTriangle returns the number at each triangle of a sheet.
func (s *Scalar) byTriangle(sh *piece) []float64 {
	return s.Over.between(s.Over.source.paint(sh).triangles())
}

// byVertex returns the number at each vertex of a sheet, the same everywhere if it is no map.
func (s *Scalar) byVertex(sh *piece) []float64 {
	if s.Over != nil {
		return s.Over.between(s.Over.source.paint(sh).vertices())
	}
	out := make([]float64, sh.mesh.Verts)
	for i := range out {
		out[i] = s.Start()
	}
	return out
}

// painted decodes a number that is a map.
func (d *decoder) painted(n *node, s *Scalar, f *field, what string) {
	if !f.maps {
		d.faults.add(n.at, "%s cannot be a map%s", what, insteadOfMap[what])
		return
	}
	*s = Scalar{Over: &Painted{}}
	outer := d.number
	d.number = f
	d.mapping(n, valueOf(s.Over), what)
	d.number = outer
}

// insteadOfMap says where maps of what cannot be one belong.
var insteadOfMap = map[string]string{
	"mu":        "; write it as the friction of the cloth: friction: {map: grip.png, from: 0.1, to: 0.8}",
	"default":   "; write it as the friction of the cloth: friction: {map: grip.png, from: 0.1, to: 0.8}",
	"friction":  "; write it as the friction of the cloth: friction: {map: grip.png, from: 0.1, to: 0.8}",
	"thickness": "; write it as the thickness of the cloth",
}

func (p *Painted) check(*decoder) { p.source = sourceOf(p.Map, p.Channel) }

// painted returns the schema of a number that may be a map.
func (b *schemaBuilder) painted(f *field) *jsonschema.Schema {
	outer := b.number
	b.number = f
	defer func() { b.number = outer }()
	return b.structure(valueOf(&Painted{}))
}
