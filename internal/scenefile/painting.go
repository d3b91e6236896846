package scenefile

import (
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
func (m *mapSource) paint(sh *Sheet) *painting {
	if sh.File != nil {
		return m.paintMesh(sh.File)
	}
	return &painting{
		tri:    sh.Mesh.Tri,
		verts:  sh.Mesh.Verts,
		image:  m.image,
		uv:     unitSquare(sh.Mesh.Material),
		corner: sh.Mesh.Corner,
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

// ByTriangle returns the number at each triangle of a sheet.
func (s *Scalar) ByTriangle(sh *Sheet) []float64 {
	return s.Over.between(s.Over.source.paint(sh).triangles())
}

// ByVertex returns the number at each vertex of a sheet, the same everywhere if it is no map.
func (s *Scalar) ByVertex(sh *Sheet) []float64 {
	if s.Over != nil {
		return s.Over.between(s.Over.source.paint(sh).vertices())
	}
	out := make([]float64, sh.Mesh.Verts)
	for i := range out {
		out[i] = s.Start()
	}
	return out
}

// ByVertexOf returns the number at each vertex of the mesh of a file.
func (p *Painted) ByVertexOf(f *meshio.Mesh) []float64 {
	return p.between(p.source.paintMesh(f).vertices())
}
