package remesh

// Sizing fields.
//
// Each criterion gives every triangle a tensor M in material space, by which an edge e has the size s, s² = e·M e,
// [Li18] equation (13):
//
//	curvature     S²/α² and ∇nᵀ∇n/α²        [Narain12]: S the shape operator from the angles θ at the edges, S = 1/(2A) Σ θ l t tᵀ with
//	                                         t across the edge and l its length, and n the normals of vertices
//	velocity      ∇vᵀ∇v/v²                  [Narain12]
//	compression   [−G]₊/c²                  [Narain12]: G = (FᵀF − I)/2, its negative part; sheets buckle into waves that long
//	contact       see near.go
//
// with α, v, c the options Angle, Velocity, Compression. They are combined into the tensor with the least trace above
// all of them [Narain13], limited to the sizes and the aspect asked for, and averaged over the triangles of a material
// point by their areas. The size of an edge is by the mean of its ends.
//
// Departures: [Narain13] looks for the smallest tensor above all at once; we go through them one by one in a fixed
// order, which may end a little above. The stiffening of compressed sheets by curvature across [Narain12] is left out.
// A size that is no longer wanted fades: M is the combination of what is wanted now with a share of what was wanted
// last, so that sizes refine at once and do not flicker.

import (
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// frame is the inverse of a triangle's material edges: columns of the gradient of a function f on it are (f₁−f₀) a +
// (f₂−f₀) b.
type frame struct{ a, b r3.Vec2 }

func frameOf(p, q, r r3.Vec2) frame {
	u, v := q.Sub(p), r.Sub(p)
	det := u.Cross(v)
	return frame{r3.Vec2{X: v.Y / det, Y: -v.X / det}, r3.Vec2{X: -u.Y / det, Y: u.X / det}}
}

// gradient returns the columns, along X and along Y of the material, of the gradient of f.
func (f *frame) gradient(f0, f1, f2 r3.Vec) (x, y r3.Vec) {
	d1, d2 := f1.Sub(f0), f2.Sub(f0)
	return d1.Scale(f.a.X).AddScaled(f.b.X, d2), d1.Scale(f.a.Y).AddScaled(f.b.Y, d2)
}

// sizer computes the sizing field of one sheet.
type sizer struct {
	opt    *Options
	mesh   *mesh.Mesh
	x, v   []r3.Vec
	facing []r3.Vec  // of triangles
	normal []r3.Vec  // of vertices
	angle  []float64 // at edges, between the facings
	face   []Tensor
	near   finder
}

// prepare computes normals and angles.
func (z *sizer) prepare() {
	m := z.mesh
	z.facing, z.normal, z.angle = resize(z.facing, len(m.Tri)), resize(z.normal, m.Verts), resize(z.angle, len(m.Edges))
	clear(z.normal)
	for t, v := range m.Tri {
		n := z.x[v[1]].Sub(z.x[v[0]]).Cross(z.x[v[2]].Sub(z.x[v[0]]))
		for _, i := range v {
			z.normal[i] = z.normal[i].Add(n)
		}
		z.facing[t] = n.Unit()
	}
	for i := range z.normal {
		z.normal[i] = z.normal[i].Unit()
	}
	for i := range m.Edges {
		e := &m.Edges[i]
		z.angle[i] = 0
		if !e.Boundary() {
			k, v := e.Opp[0], &m.Tri[e.Tri[0]]
			along := z.x[v[(k+2)%3]].Sub(z.x[v[(k+1)%3]])
			z.angle[i] = bend(z.facing[e.Tri[0]], z.facing[e.Tri[1]], along)
		}
	}
}

// bend returns the angle between two facings about an edge, positive where the edge stands out.
func bend(n, o, along r3.Vec) float64 {
	return math.Atan2(n.Cross(o).Dot(along.Unit()), n.Dot(o))
}

// subject is a triangle to be sized: one of the sheet, or one that an operation would make.
type subject struct {
	slot   int32   // the triangle of the sheet that is there
	olds   []int32 // for one that is not made yet: the triangles it would take the place of
	vert   [3]int32
	rest   [3]r3.Vec2
	x, v   [3]r3.Vec
	normal [3]r3.Vec  // of the vertices
	angle  [3]float64 // at the sides opposite to the corners
}

// sizeFaces computes the tensors of triangles [lo, hi).
func (z *sizer) sizeFaces(lo, hi int) {
	look := z.near.look(lo)
	for i := lo; i < hi; i++ {
		t := int32(i)
		s := &look.scratch
		*s = subject{slot: t, vert: z.mesh.Tri[t]}
		s.rest[0], s.rest[1], s.rest[2] = z.mesh.RestTriangle(t)
		for k, v := range s.vert {
			s.x[k], s.v[k], s.normal[k], s.angle[k] = z.x[v], z.v[v], z.normal[v], z.angle[z.mesh.TriEdge[t][k]]
		}
		z.face[t] = z.measure(look, s)
	}
}

// measure returns the tensor of a triangle.
func (z *sizer) measure(l *look, s *subject) Tensor {
	o := z.opt
	coarse, fine := 1/(o.Max*o.Max), 1/(o.Min*o.Min)
	f := frameOf(s.rest[0], s.rest[1], s.rest[2])
	nx, ny := f.gradient(s.normal[0], s.normal[1], s.normal[2])
	vx, vy := f.gradient(s.v[0], s.v[1], s.v[2])
	sum := isotropic(coarse)
	for _, m := range [...]Tensor{
		shapeOf(&s.rest, s.angle, o.Angle), gram(1/(o.Angle*o.Angle), nx, ny), gram(1/(o.Velocity*o.Velocity), vx, vy), z.pressing(s, &f),
	} {
		sum = sum.Combine(m.within(0, fine))
	}
	if o.Contact != NoContact {
		sum = l.size(s, &f, sum)
	}
	return sum.within(coarse, fine).rounded(o.Aspect)
}

// shapeOf returns S²/α² for a triangle with the given angles at the sides opposite to its corners.
func shapeOf(p *[3]r3.Vec2, angle [3]float64, alpha float64) Tensor {
	area2 := math.Abs(p[1].Sub(p[0]).Cross(p[2].Sub(p[0])))
	var s Tensor
	for k := range 3 {
		e := p[(k+2)%3].Sub(p[(k+1)%3])
		across := r3.Vec2{X: -e.Y, Y: e.X} // as long as the edge
		s = s.Add(outer(angle[k]/(area2*e.Norm()), across))
	}
	w := 1 / (alpha * alpha)
	return Tensor{w * (s.XX*s.XX + s.XY*s.XY), w * s.XY * (s.XX + s.YY), w * (s.XY*s.XY + s.YY*s.YY)}
}

// pressing returns the tensor of compression.
func (z *sizer) pressing(s *subject, f *frame) Tensor {
	x, y := f.gradient(s.x[0], s.x[1], s.x[2])
	c := gram(1, x, y)
	large, small, axis := Tensor{(1 - c.XX) / 2, -c.XY / 2, (1 - c.YY) / 2}.Eigen()
	w := 1 / (z.opt.Compression * z.opt.Compression)
	return fromEigen(w*max(large, 0), w*max(small, 0), axis)
}

// sizes combines the means of the triangles around each material point with what is left of the last sizes, and writes
// them to dst.
func (z *sizer) sizes(dst, last []Tensor) []Tensor {
	m := z.mesh
	dst = resize(dst, len(m.Material))
	clear(dst)
	weight := make([]float64, len(m.Material))
	for t, c := range m.Corner {
		area := m.RestArea(int32(t))
		for _, p := range c {
			dst[p] = dst[p].Add(z.face[t].Scale(area))
			weight[p] += area
		}
	}
	coarse, fine := 1/(z.opt.Max*z.opt.Max), 1/(z.opt.Min*z.opt.Min)
	for p := range dst {
		if weight[p] == 0 {
			dst[p] = isotropic(coarse)
			continue
		}
		now := dst[p].Scale(1 / weight[p])
		if last != nil {
			now = now.Combine(last[p].Scale(z.opt.Fade))
		}
		dst[p] = now.within(coarse, fine).rounded(z.opt.Aspect)
	}
	return dst
}

// resize returns a slice of length n in the memory of s where that is enough. Its values are not cleared.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
