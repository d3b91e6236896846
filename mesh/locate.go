package mesh

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Places in the material.
//
// A point of the cloth keeps its material point whatever happens to the mesh, so that two meshes of one cloth can be
// compared, and values brought from one to the other, by looking material points up. Pieces of a pattern may lie on top
// of each other in material space; they are told apart by their charts, which are the triangles that hang together
// without crossing a seam. Splits, flips and collapses keep triangles in their charts.

// Charts returns the chart of each triangle, numbered from 0 in the order of their first triangles.
func (m *Mesh) Charts() []int32 {
	// no chart yet
	chart := make([]int32, len(m.Tri))
	for t := range chart {
		chart[t] = None
	}
	next := int32(0)
	var stack []int32
	// each triangle without a chart begins the next
	for t := range chart {
		if chart[t] != None {
			continue
		}
		chart[t] = next
		stack = append(stack[:0], int32(t))
		// neighbours on this side of seams, as far as they go
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for k := range int32(3) {
				n, _ := m.Neighbor(at, k)
				if n != None && chart[n] == None && !m.Seam(m.TriEdge[at][k]) {
					chart[n] = next
					stack = append(stack, n)
				}
			}
		}
		next++
	}
	return chart
}

// Locator finds the triangle that covers a material point.
type Locator struct {
	mesh   *Mesh
	charts []chartGrid
}

// chartGrid lists the triangles of a chart by cells of a grid around it.
type chartGrid struct {
	low   r3.Vec2
	cell  float64 // side of a cell [m]
	nx    int
	ny    int
	start []int32 // triangles of cell i are item[start[i]:start[i+1]]
	item  []int32
	all   []int32 // triangles of the chart
}

// NewLocator returns a locator of the mesh, whose triangles are in the given charts, as Charts numbers them.
func NewLocator(m *Mesh, chart []int32) *Locator {
	l := &Locator{mesh: m}
	count := int32(0)
	for _, c := range chart {
		count = max(count, c+1)
	}
	l.charts = make([]chartGrid, count)
	for t, c := range chart {
		l.charts[c].all = append(l.charts[c].all, int32(t))
	}
	for i := range l.charts {
		if len(l.charts[i].all) > 0 {
			l.charts[i].fill(m)
		}
	}
	return l
}

// fill sorts the triangles of the chart into cells, about one for each.
func (g *chartGrid) fill(m *Mesh) {
	// bounds of the chart in the material
	inf := math.Inf(1)
	low, high := r3.Vec2{X: inf, Y: inf}, r3.Vec2{X: -inf, Y: -inf}
	for _, t := range g.all {
		a, b, c := m.RestTriangle(t)
		low = r3.Vec2{X: min(low.X, a.X, b.X, c.X), Y: min(low.Y, a.Y, b.Y, c.Y)}
		high = r3.Vec2{X: max(high.X, a.X, b.X, c.X), Y: max(high.Y, a.Y, b.Y, c.Y)}
	}
	// cells, about one for each triangle
	width, height := high.X-low.X, high.Y-low.Y
	g.low = low
	g.cell = max(math.Sqrt(width*height/float64(len(g.all))), max(width, height)/float64(4*len(g.all)))
	g.nx, g.ny = int(width/g.cell)+1, int(height/g.cell)+1
	g.start = make([]int32, g.nx*g.ny+1)
	// all cells that the box of a triangle meets
	each := func(visit func(cell int, t int32)) {
		for _, t := range g.all {
			a, b, c := m.RestTriangle(t)
			x0, y0 := g.cellOf(r3.Vec2{X: min(a.X, b.X, c.X), Y: min(a.Y, b.Y, c.Y)})
			x1, y1 := g.cellOf(r3.Vec2{X: max(a.X, b.X, c.X), Y: max(a.Y, b.Y, c.Y)})
			for y := y0; y <= y1; y++ {
				for x := x0; x <= x1; x++ {
					visit(y*g.nx+x, t)
				}
			}
		}
	}
	// how many each cell has, and where they begin
	each(func(cell int, _ int32) { g.start[cell+1]++ })
	for i := range g.nx * g.ny {
		g.start[i+1] += g.start[i]
	}
	// triangles, sorted into their cells
	g.item = make([]int32, g.start[g.nx*g.ny])
	next := append([]int32(nil), g.start...)
	each(func(cell int, t int32) {
		g.item[next[cell]] = t
		next[cell]++
	})
}

// cellOf returns the cell of a point, or the nearest one.
func (g *chartGrid) cellOf(p r3.Vec2) (x, y int) {
	x, y = int((p.X-g.low.X)/g.cell), int((p.Y-g.low.Y)/g.cell)
	return min(max(x, 0), g.nx-1), min(max(y, 0), g.ny-1)
}

// outside is how far below zero the least weight of a point may be that counts as covered: what rounding makes of a
// point on a side.
const outside = 1e-9

// Find returns the triangle of a chart that covers a material point and the weights of its corners there, which add up
// to 1. A point that no triangle covers, if only by rounding, is moved to the nearest one. Of several that cover it, it
// is the one with the greatest least weight, and then the first.
func (l *Locator) Find(chart int32, p r3.Vec2) (tri int32, weight [3]float64) {
	g := &l.charts[chart]
	x, y := g.cellOf(p)
	cell := y*g.nx + x
	tri, best := None, math.Inf(-1)
	for _, t := range g.item[g.start[cell]:g.start[cell+1]] {
		w := l.mesh.Weights(t, p)
		if least := min(w[0], w[1], w[2]); least > best {
			tri, best, weight = t, least, w
		}
	}
	if best >= -outside {
		return tri, clamped(weight)
	}
	nearest := math.Inf(1)
	for _, t := range g.all {
		w := l.mesh.nearestWeights(t, p)
		a, b, c := l.mesh.RestTriangle(t)
		q := a.Scale(w[0]).Add(b.Scale(w[1])).Add(c.Scale(w[2]))
		if d := q.Sub(p).Norm(); d < nearest {
			nearest, tri, weight = d, t, w
		}
	}
	return tri, weight
}

// clamped makes weights that rounding has put below zero zero.
func clamped(w [3]float64) [3]float64 {
	sum := 0.0
	for k := range w {
		w[k] = max(w[k], 0)
		sum += w[k]
	}
	for k := range w {
		w[k] /= sum
	}
	return w
}

// Weights returns the weights of the corners of triangle t with which they make a material point. They add up to 1;
// outside of the triangle some are below zero.
func (m *Mesh) Weights(t int32, p r3.Vec2) [3]float64 {
	a, b, c := m.RestTriangle(t)
	area := b.Sub(a).Cross(c.Sub(a))
	w1 := p.Sub(a).Cross(c.Sub(a)) / area
	w2 := b.Sub(a).Cross(p.Sub(a)) / area
	return [3]float64{1 - w1 - w2, w1, w2}
}

// nearestWeights returns the weights of the point of triangle t nearest to a material point.
func (m *Mesh) nearestWeights(t int32, p r3.Vec2) [3]float64 {
	if w := m.Weights(t, p); min(w[0], w[1], w[2]) >= 0 {
		return w
	}
	a, b, c := m.RestTriangle(t)
	corner := [3]r3.Vec2{a, b, c}
	var best [3]float64
	nearest := math.Inf(1)
	for k := range 3 {
		from, to := corner[k], corner[(k+1)%3]
		along := to.Sub(from)
		s := min(max(p.Sub(from).Dot(along)/along.Dot(along), 0), 1)
		if d := from.Add(along.Scale(s)).Sub(p).Norm(); d < nearest {
			nearest = d
			best = [3]float64{}
			best[k], best[(k+1)%3] = 1-s, s
		}
	}
	return best
}
