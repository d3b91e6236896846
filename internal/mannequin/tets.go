package mannequin

// The half of the body with x ≥ 0 as triangles, by marching tetrahedra: every cube of a grid is cut into the six
// tetrahedra around its long diagonal (Freudenthal), the same way in all cubes, so that they fit; in each the surface
// is one or two triangles between edges that it crosses. The result is a manifold whatever the field, with its boundary
// exactly at x = 0. Triangles are ill-shaped; what follows mends that.

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

type tetGrid struct {
	f      *field
	h      float64
	origin r3.Vec
	n      [3]int // nodes along each axis
	value  []float64
	cut    []int32 // by node and direction: the vertex on that edge, plus one
	pos    []r3.Vec
	tri    [][3]int32
}

// paths are the ways from corner 0 to corner 7 of a cube along its edges; corners are bits x, y, z. Each is a
// tetrahedron.
var paths = [6][4]int{{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}

// halfSurface returns the surface of f for x ≥ 0 with grid cells of size h.
func halfSurface(f *field, h float64) ([]r3.Vec, [][3]int32) {
	box := r3.EmptyBox()
	for i := range f.parts {
		p := &f.parts[i]
		reach := r3.V(p.reach, p.reach, p.reach)
		box = box.With(p.middle.Add(reach)).With(p.middle.Sub(reach))
	}
	g := tetGrid{f: f, h: h}
	margin := 3*h + 4*trunkBlend
	g.origin = r3.V(0, box.Min.Y-margin, box.Min.Z-margin)
	size := box.Max.Sub(g.origin)
	for k, l := range []float64{size.X, size.Y, size.Z} {
		g.n[k] = int((l+margin)/h) + 2
	}
	total := g.n[0] * g.n[1] * g.n[2]
	g.value = make([]float64, total)
	for i := range g.value {
		g.value[i] = math.NaN()
	}
	g.cut = make([]int32, 7*total)
	g.march()
	return g.pos, g.tri
}

func (g *tetGrid) at(i, j, k int) r3.Vec {
	return r3.V(float64(i)*g.h, g.origin.Y+float64(j)*g.h, g.origin.Z+float64(k)*g.h)
}

func (g *tetGrid) index(i, j, k int) int { return (k*g.n[1]+j)*g.n[0] + i }

// node returns the field at a node, never quite zero, so that no two vertices are at the same place.
func (g *tetGrid) node(i, j, k int) float64 {
	v := &g.value[g.index(i, j, k)]
	if math.IsNaN(*v) {
		*v, _ = g.f.value(g.at(i, j, k))
		if least := 1e-3 * g.h; math.Abs(*v) < least {
			*v = math.Copysign(least, *v)
		}
	}
	return *v
}

// march goes over all blocks of cells that may hold a piece of the surface.
func (g *tetGrid) march() {
	const block = 4
	for k := 0; k < g.n[2]-1; k += block {
		for j := 0; j < g.n[1]-1; j += block {
			for i := 0; i < g.n[0]-1; i += block {
				middle := g.at(i, j, k).Add(r3.V(block/2, block/2, block/2).Scale(g.h))
				v, _ := g.f.value(middle)
				// Half the diagonal of a block, twice because the field of a flattened part is no distance far away.
				if math.Abs(v) > 2*math.Sqrt(3)*block/2*g.h {
					continue
				}
				for c := range block * block * block {
					x, y, z := i+c%block, j+c/block%block, k+c/block/block
					if x < g.n[0]-1 && y < g.n[1]-1 && z < g.n[2]-1 {
						g.cell(x, y, z)
					}
				}
			}
		}
	}
}

func (g *tetGrid) cell(i, j, k int) {
	var v [8]float64
	inside := 0
	for c := range v {
		v[c] = g.node(i+c&1, j+c>>1&1, k+c>>2)
		if v[c] < 0 {
			inside++
		}
	}
	if inside == 0 || inside == 8 {
		return
	}
	vertex := func(a, b int) int32 {
		if a > b {
			a, b = b, a
		}
		// Along a path corners only gain bits, so that b - a is the direction.
		ax, ay, az := i+a&1, j+a>>1&1, k+a>>2
		id := &g.cut[7*g.index(ax, ay, az)+(b^a)-1]
		if *id == 0 {
			p, q := g.at(ax, ay, az), g.at(i+b&1, j+b>>1&1, k+b>>2)
			g.pos = append(g.pos, p.Lerp(q, v[a]/(v[a]-v[b])))
			*id = int32(len(g.pos))
		}
		return *id - 1
	}
	for _, t := range paths {
		var in, out []int
		for _, c := range t {
			if v[c] < 0 {
				in = append(in, c)
			} else {
				out = append(out, c)
			}
		}
		var face []int32
		switch {
		case len(in) == 0 || len(out) == 0:
			continue
		case len(in) == 1:
			face = []int32{vertex(in[0], out[0]), vertex(in[0], out[1]), vertex(in[0], out[2])}
		case len(out) == 1:
			face = []int32{vertex(in[0], out[0]), vertex(in[1], out[0]), vertex(in[2], out[0])}
		default:
			face = []int32{vertex(in[0], out[0]), vertex(in[0], out[1]), vertex(in[1], out[1]), vertex(in[1], out[0])}
		}
		g.add(face, i, j, k, in[0], out[0])
	}
}

// add adds a triangle or two, turned so that they look from the inner corner to the outer one.
func (g *tetGrid) add(face []int32, i, j, k, in, out int) {
	a, b, c := g.pos[face[0]], g.pos[face[1]], g.pos[face[2]]
	n := b.Sub(a).Cross(c.Sub(a))
	p := g.at(i+in&1, j+in>>1&1, k+in>>2)
	q := g.at(i+out&1, j+out>>1&1, k+out>>2)
	if n.Dot(q.Sub(a)) < n.Dot(p.Sub(a)) {
		for l, r := 0, len(face)-1; l < r; l, r = l+1, r-1 {
			face[l], face[r] = face[r], face[l]
		}
	}
	g.tri = append(g.tri, [3]int32{face[0], face[1], face[2]})
	if len(face) == 4 {
		g.tri = append(g.tri, [3]int32{face[0], face[2], face[3]})
	}
}
