package body

import (
	"math"

	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// adaptive is what a cloth has whose mesh changes. It is replaced, never changed.
type adaptive struct {
	input    *ClothSpec  // as it was added
	charts   []int32     // of the input's triangles
	nextUID  int64       // of the next vertex
	uid      []int64     // of vertices
	triangle [][]float64 // what triangles inherit: their chart, after their density if that is painted
	size     []remesh.Tensor
	lookup   *lookup
	remesher *remesh.Remesher // scratch of all meshes of the cloth
}

// lookup finds places in the input mesh. It is made when it is first needed and shared by all meshes of a cloth.
type lookup struct{ locator *mesh.Locator }

func newAdaptive(c *ClothSpec) *adaptive {
	a := &adaptive{
		input: c, charts: c.Mesh.Charts(), nextUID: int64(c.Mesh.Verts), lookup: new(lookup),
		remesher: new(remesh.Remesher),
	}
	a.uid = make([]int64, c.Mesh.Verts)
	for v := range a.uid {
		a.uid[v] = int64(v)
	}
	if c.Maps.Density != nil {
		a.triangle = append(a.triangle, c.Maps.Density)
	}
	charts := make([]float64, len(a.charts))
	for t, chart := range a.charts {
		charts[t] = float64(chart)
	}
	a.triangle = append(a.triangle, charts)
	return a
}

// chart returns the chart of a triangle of the present mesh.
func (a *adaptive) chart(t int) int32 { return int32(a.triangle[len(a.triangle)-1][t]) }

// place returns where a material point is in the input mesh.
func (a *adaptive) place(chart int32, p r3.Vec2) (tri int32, weight [3]float64) {
	if a.lookup.locator == nil {
		a.lookup.locator = mesh.NewLocator(a.input.Mesh, a.charts)
	}
	return a.lookup.locator.Find(chart, p)
}

// repainted returns the cloth with what is painted, and where vertices started, looked up in the input mesh.
func (a *adaptive) repainted(c ClothSpec) ClothSpec {
	m, in := c.Mesh, a.input
	// where each vertex is in the input mesh: its triangle there and the weights of the corners
	tri, weight := make([]int32, m.Verts), make([][3]float64, m.Verts)
	for v := range tri {
		tri[v] = mech.Gone
	}
	for t, corners := range m.Tri {
		for k, v := range corners {
			if tri[v] == mech.Gone {
				tri[v], weight[v] = a.place(a.chart(t), m.Material[m.Corner[t][k]])
			}
		}
	}
	// start positions are interpolated; velocities are not kept
	c.Velocities = nil
	c.Positions = make([]r3.Vec, m.Verts)
	for v, w := range weight {
		corner := in.Mesh.Tri[tri[v]]
		for k := range 3 {
			c.Positions[v] = c.Positions[v].AddScaled(w[k], in.Positions[corner[k]])
		}
	}
	// maps by vertex are interpolated too
	atVertices := func(values []float64) []float64 {
		if values == nil {
			return nil
		}
		out := make([]float64, m.Verts)
		for v, w := range weight {
			corner := in.Mesh.Tri[tri[v]]
			out[v] = w[0]*values[corner[0]] + w[1]*values[corner[1]] + w[2]*values[corner[2]]
		}
		return out
	}
	// triangles inherit their density by themselves
	maps := in.Maps
	c.Maps = Maps{Friction: atVertices(maps.Friction), Thickness: atVertices(maps.Thickness)}
	if maps.Density != nil {
		c.Maps.Density = a.triangle[0]
	}
	// other maps by triangle: what the input has under the middle of each
	if maps.Stretch == nil && maps.Factor == nil && maps.Bend == nil && maps.Damping == nil {
		return c
	}
	under := make([]int32, len(m.Tri))
	for t := range under {
		p, q, r := m.RestTriangle(int32(t))
		under[t], _ = a.place(a.chart(t), p.Add(q).Add(r).Scale(1.0/3))
	}
	c.Maps.Stretch, c.Maps.Bend = pick(maps.Stretch, under), pick(maps.Bend, under)
	c.Maps.Factor, c.Maps.Damping = pick(maps.Factor, under), pick(maps.Damping, under)
	return c
}

// pick returns the values with the given indices, nil of nil.
func pick[T float64 | material.Stretch | material.Rigidity](values []T, at []int32) []T {
	if values == nil {
		return nil
	}
	out := make([]T, len(at))
	for i, k := range at {
		out[i] = values[k]
	}
	return out
}

// jump is how much painted values of neighbours may differ, relative to the greater, and still count as smooth.
const jump = 0.25

// jumps tells whether what is painted changes suddenly between two triangles. The density is looked after by package
// remesh.
func jumps(m *Maps, s, t int32) bool {
	far := func(a, b float64) bool { return math.Abs(a-b) > jump*max(math.Abs(a), math.Abs(b)) }
	if m.Factor != nil && far(m.Factor[s], m.Factor[t]) || m.Damping != nil && far(m.Damping[s], m.Damping[t]) {
		return true
	}
	if m.Stretch != nil {
		p, q := &m.Stretch[s], &m.Stretch[t]
		if far(p.Warp, q.Warp) || far(p.Weft, q.Weft) || far(p.Shear, q.Shear) {
			return true
		}
	}
	if m.Bend == nil {
		return false
	}
	p, q := &m.Bend[s], &m.Bend[t]
	return far(p.Warp, q.Warp) || far(p.Weft, q.Weft) || far(p.Bias, q.Bias)
}
