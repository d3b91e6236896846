package mesh

import (
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Patch is a piece of a mesh laid flat around one triangle. Each triangle that is added is unfolded
// about the edge by which it was reached: it keeps its shape, and the edge keeps its direction and
// midpoint. Seams therefore disappear, and where the two sides of a seam differ in length the
// difference is shared between both ends.
//
// A patch of a sheet cut from flat cloth does not depend on the order of additions. Around the tip
// of a dart it does; a vertex then stays where it was put first. A Patch may be used again and again
// and then allocates nothing.
type Patch struct {
	Tri  []int32   // triangles, in order of addition
	Vert []int32   // vertices, in order of first appearance
	At   []r3.Vec2 // where they lie, in material coordinates of the first triangle [m]
	mesh *Mesh
	flat [][3]r3.Vec2 // corners of each triangle as unfolded
}

// Start empties the patch and puts triangle t of m into it, where its material points are.
func (p *Patch) Start(m *Mesh, t int32) {
	p.mesh, p.Tri, p.Vert, p.At, p.flat = m, p.Tri[:0], p.Vert[:0], p.At[:0], p.flat[:0]
	a, b, c := m.RestTriangle(t)
	p.put(t, [3]r3.Vec2{a, b, c})
}

// Cross adds the triangle beyond the edge opposite to corner k of the i-th triangle of the patch. It
// reports whether there is one that was not in the patch.
func (p *Patch) Cross(i int, k int32) bool {
	// triangle that is new
	u, apex := p.mesh.Neighbor(p.Tri[i], k)
	if u == None || slices.Contains(p.Tri, u) {
		return false
	}
	// edge in the plane of the patch, and the way out
	c := &p.flat[i]
	// The neighbour runs along the edge from its corner apex+1 to apex+2, the other way round.
	from, to := c[(k+2)%3], c[(k+1)%3]
	along := to.Sub(from)
	along = along.Scale(1 / along.Norm())
	away := r3.Vec2{X: -along.Y, Y: along.X}
	if away.Dot(c[k].Sub(from)) > 0 {
		away = away.Scale(-1)
	}
	// its shape at rest, measured from that edge
	var q [3]r3.Vec2
	q[0], q[1], q[2] = p.mesh.RestTriangle(u)
	side := q[(apex+2)%3].Sub(q[(apex+1)%3])
	length := side.Norm()
	side = side.Scale(1 / length)
	arm := q[apex].Sub(q[(apex+1)%3])
	height := side.Cross(arm)
	if height < 0 {
		height = -height
	}
	// laid out beyond the edge
	mid := from.Add(to).Scale(0.5)
	q[(apex+1)%3] = mid.Add(along.Scale(-length / 2))
	q[(apex+2)%3] = mid.Add(along.Scale(length / 2))
	q[apex] = mid.Add(along.Scale(side.Dot(arm) - length/2)).Add(away.Scale(height))
	p.put(u, q)
	return true
}

// Grow adds every triangle that has an edge in common with one in the patch, and reports whether
// there was any.
func (p *Patch) Grow() bool {
	n := len(p.Tri)
	for i := range n {
		for k := range int32(3) {
			p.Cross(i, k)
		}
	}
	return len(p.Tri) > n
}

func (p *Patch) put(t int32, at [3]r3.Vec2) {
	p.Tri = append(p.Tri, t)
	p.flat = append(p.flat, at)
	for k, v := range p.mesh.Tri[t] {
		if !slices.Contains(p.Vert, v) {
			p.Vert = append(p.Vert, v)
			p.At = append(p.At, at[k])
		}
	}
}
