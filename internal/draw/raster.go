// Which triangle a sample sees, without clipping.
//
// A triangle with vertices v₀ v₁ v₂ in lens coordinates (z forward) and a ray d = (x, y, 1) from the
// eye meet where d ∝ Σ bᵢ vᵢ, and Cramer's rule gives [Olano97]
//
//	bᵢ ∝ d·nᵢ,   n₀ = v₁ x v₂, n₁ = v₂ x v₀, n₂ = v₀ x v₁,   1/z = d·(n₀ + n₁ + n₂) / det(v₀, v₁, v₂).
//
// The ray hits inside if all d·nᵢ have the sign of det and 1/z > 0. All of it is linear in x and y,
// holds for vertices behind the eye, and gives perspective-correct weights, so nothing is clipped.
// Parallel light uses the same with vᵢ = (xᵢ, yᵢ, 1) and the depth interpolated: the z-buffer holds
// q, linear on the screen and larger for the nearer, 1/z for the eye and far - z for parallel light.
//
// Departures: no fill rule. A sample exactly on a shared edge belongs to both triangles and the one
// with the lower index keeps it, because a later one must be strictly nearer. Since a x b = -(b x a)
// in floating point too, no sample falls between two triangles that share an edge.
//
// Why the order cannot matter: a strip of rows belongs to one chunk, which draws the triangles that
// touch it in index order.

package draw

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// facet is a triangle made ready for one lens.
type facet struct {
	n              [3]r3.Vec // d·n[i] >= 0 inside, scaled so that they sum to 1/z, or to 1 for parallel light
	depth          r3.Vec    // q = d·depth
	front          bool      // the lens sees the front
	i0, i1, j0, j1 int32     // samples that may be covered: i0 <= i < i1, j0 <= j < j1
}

// raster is what each sample of a lens sees.
type raster struct {
	lens   lens
	facets []facet
	q      []float32 // 0 where nothing is seen
	id     []int32   // index into facets, valid where q > 0
}

// stripRows is the number of sample rows that one chunk draws: few enough to share the work of a
// picture between workers, many enough that a triangle is in one or two strips.
const stripRows = 32

// rasterize finds what every sample of the lens sees.
func rasterize(l lens, meshes []mesh, team *par.Team) *raster {
	// room for the facets of all meshes
	total := 0
	for i := range meshes {
		total += len(meshes[i].Triangles)
	}
	r := &raster{
		lens: l, facets: make([]facet, total),
		q: make([]float32, l.width*l.height), id: make([]int32, l.width*l.height),
	}
	// vertices as the camera sees them, and facets
	for i := range meshes {
		m := &meshes[i]
		local := make([]r3.Vec, len(m.Positions))
		team.For(len(local), 1024, func(lo, hi int) {
			for v := lo; v < hi; v++ {
				local[v] = l.local(m.Positions[v])
			}
		})
		team.For(len(m.Triangles), 1024, func(lo, hi int) {
			for t := lo; t < hi; t++ {
				if m.usable(t) {
					tri := m.Triangles[t]
					r.facets[m.first+t] = l.facet(local[tri[0]], local[tri[1]], local[tri[2]])
				}
			}
		})
	}
	// each strip of rows draws its facets by itself
	start, list := r.strips()
	team.For(len(start)-1, 1, func(lo, hi int) {
		for strip := lo; strip < hi; strip++ {
			j0 := int32(strip * stripRows)
			for _, id := range list[start[strip]:start[strip+1]] {
				r.draw(id, j0, j0+stripRows)
			}
		}
	})
	return r
}

// facet returns the triangle with corners a, b, c in lens coordinates; it covers nothing if the
// triangle has no area on the screen, is behind the eye or outside the raster.
func (l *lens) facet(a, b, c r3.Vec) facet {
	// in a parallel view all rays have the same direction
	za, zb, zc := a.Z, b.Z, c.Z
	if l.parallel {
		a.Z, b.Z, c.Z = 1, 1, 1
	}
	// weights of the corners are linear on the picture
	n := [3]r3.Vec{b.Cross(c), c.Cross(a), a.Cross(b)}
	det := a.Dot(n[0])
	f := facet{front: det > 0}
	inverse := 1 / det
	if det == 0 || inverse-inverse != 0 {
		return facet{}
	}
	for i := range n {
		f.n[i] = n[i].Scale(inverse)
	}
	// what tells which facet is nearer
	f.depth = f.n[0].Add(f.n[1]).Add(f.n[2])
	if l.parallel {
		f.depth = f.n[0].Scale(l.far-za).AddScaled(l.far-zb, f.n[1]).AddScaled(l.far-zc, f.n[2])
	}
	// behind the camera, or partly
	if max(za, zb, zc) <= l.near {
		return facet{}
	}
	if min(za, zb, zc) <= l.near {
		f.i1, f.j1 = int32(l.width), int32(l.height)
		return f
	}
	// samples that it may cover
	ia, ja := l.sample(a)
	ib, jb := l.sample(b)
	ic, jc := l.sample(c)
	f.i0, f.i1 = span(min(ia, ib, ic), max(ia, ib, ic), l.width)
	f.j0, f.j1 = span(min(ja, jb, jc), max(ja, jb, jc), l.height)
	return f
}

// span returns the half-open range of whole numbers in [lo, hi] and in [0, n).
func span(lo, hi float64, n int) (first, end int32) {
	lo, hi = math.Ceil(max(lo, 0)), math.Floor(min(hi, float64(n-1)))
	if !(lo <= hi) {
		return 0, 0
	}
	return int32(lo), int32(hi) + 1
}

// strips returns for each strip of rows the facets that touch it, in index order: those of strip s
// are list[start[s]:start[s+1]].
func (r *raster) strips() (start, list []int32) {
	count := (r.lens.height + stripRows - 1) / stripRows
	start = make([]int32, count+1)
	each := func(visit func(strip, id int32)) {
		for id := range r.facets {
			f := &r.facets[id]
			if f.i0 >= f.i1 || f.j0 >= f.j1 {
				continue
			}
			for s := f.j0 / stripRows; s <= (f.j1-1)/stripRows; s++ {
				visit(s, int32(id))
			}
		}
	}
	each(func(s, _ int32) { start[s+1]++ })
	for s := range count {
		start[s+1] += start[s]
	}
	list = make([]int32, start[count])
	next := append([]int32(nil), start...)
	each(func(s, id int32) {
		list[next[s]] = id
		next[s]++
	})
	return start, list
}

// draw draws the part of a facet in the rows j0 <= j < j1.
func (r *raster) draw(id, j0, j1 int32) {
	f, l := &r.facets[id], &r.lens
	nearest := math.Inf(1)
	if !l.parallel {
		nearest = 1 / l.near
	}
	a, b, c, g := &f.n[0], &f.n[1], &f.n[2], &f.depth
	for j := max(j0, f.j0); j < min(j1, f.j1); j++ {
		y := l.y0 - float64(j)/l.perUnit
		ay, by, cy, gy := a.Y*y+a.Z, b.Y*y+b.Z, c.Y*y+c.Z, g.Y*y+g.Z
		row := int(j) * l.width
		inside := false
		for i := f.i0; i < f.i1; i++ {
			x := l.x0 + float64(i)/l.perUnit
			if a.X*x+ay < 0 || b.X*x+by < 0 || c.X*x+cy < 0 {
				if inside {
					break // a triangle is convex: the rest of the row is outside
				}
				continue
			}
			inside = true
			q := g.X*x + gy
			if !(q > 0 && q < nearest) {
				continue
			}
			if at := row + int(i); float32(q) > r.q[at] {
				r.q[at], r.id[at] = float32(q), id
			}
		}
	}
}
