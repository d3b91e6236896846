package remesh

// Sizes near what a triangle may touch.
//
// The proximity metric [Li18] section 5.1. For each vertex, each edge and the face of a triangle the nearest point p of
// what is around is looked for, within a reach. The planes of all faces at p (one if p is inside a face) have signed
// distances φ to the triangle, linear in material space, and each gives
//
//	M = ∇φ ∇φᵀ / max(φ₁², φ₂², φ₃²)          equation (15), φᵢ at the triangle's corners
//
// which wants edges across a plane shorter, and edges along it or on one side of it no shorter than they are. All are
// combined, equation (16). Places of the sheet itself count if they are nearer in space than Ratio times their distance
// in the material; across seams that is the way along edges.
//
// The obstacle metric of [Narain12], equation (14), for comparison: for each corner the plane through the nearest point
// of obstacles and bodies across the way there, M = ∇φ ∇φᵀ/φᵢ², and the mean of the three.
//
// Departures: φ counts as at least half a thickness, so that cloth that lies on a flat face with the unevenness of a
// contact solve is not refined. Of shapes without faces, such as spheres, the plane is that of the field at p; the tip
// of a cone has eight.

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// flank is one surface that triangles may be near to: the sheet itself or a mesh around.
type flank struct {
	x    []r3.Vec
	tri  [][3]int32
	tree *geom.Tree // boxes grown by half the reach
	own  bool       // the sheet itself
}

func (f *flank) corners(u int32) [3]r3.Vec {
	v := &f.tri[u]
	return [3]r3.Vec{f.x[v[0]], f.x[v[1]], f.x[v[2]]}
}

// finder finds what triangles of a sheet are near to.
type finder struct {
	opt    *Options
	sheet  *mesh.Mesh
	edit   *mesh.Editor
	pos    []r3.Vec
	chart  []int32   // by triangle: triangles of one piece of the material have the same
	seam   []float64 // by vertex: the way along edges to the nearest seam [m], infinite if that is farther than matters
	flanks []flank   // in the order of looking
	fields []geom.Field
	floor2 float64 // least φ² [m²]
	looks  []look  // by chunk of triangles

	pairs geom.PairFinder
	list  [][2]int32
	near  []lists.Lists // by flank: the triangles near each triangle of the sheet
	at    *flank        // whose pairs are looked for
	keep  func(t, u int32) bool
}

// findPairs fills near for the flank with number i: pairs within reach that have no vertex in common.
func (n *finder) findPairs(team *par.Team, i int, own *geom.Tree) {
	if n.keep == nil {
		n.keep = n.within
	}
	for len(n.near) <= i {
		n.near = append(n.near, lists.Lists{})
	}
	n.at = &n.flanks[i]
	if n.at.own {
		n.list = n.pairs.Self(team, own, n.list, n.keep)
	} else {
		n.list = n.pairs.Between(team, own, n.at.tree, n.list, n.keep)
	}
	n.near[i].Fill(len(n.sheet.Tri), func(put func(index, item int32)) {
		for _, p := range n.list {
			put(p[0], p[1])
			if n.at.own {
				put(p[1], p[0])
			}
		}
	})
}

// within reports whether triangle t of the sheet and u of the flank may be within reach.
func (n *finder) within(t, u int32) bool {
	v, w := n.sheet.Tri[t], n.at.tri[u]
	if n.at.own && sharesVertex(v, w) {
		return false
	}
	return !separated(
		&[3]r3.Vec{n.pos[v[0]], n.pos[v[1]], n.pos[v[2]]},
		&[3]r3.Vec{n.at.x[w[0]], n.at.x[w[1]], n.at.x[w[2]]},
		n.opt.Reach,
	)
}

// faceGrain is how many triangles are sized as one chunk.
const faceGrain = 64

func (n *finder) look(lo int) *look {
	l := &n.looks[lo/faceGrain]
	l.finder = n
	return l
}

// look is one chunk's search, with its scratch.
type look struct {
	*finder
	*subject
	box     r3.Box
	near    []int32 // triangles of the flank at hand within reach
	union   []int32
	best    [7]nearest // of the corners, the edges and the face
	planes  []plane
	scratch subject // the one that is sized, so that none has to be allocated
	reached
}

// nearest is a nearest point: where it lies on a triangle of a flank.
type nearest struct {
	dist2 float64
	u     int32
	on    geom.Feature
}

type plane struct{ at, normal r3.Vec }

// size combines sum with the tensors of what a triangle is near to.
func (l *look) size(s *subject, f *frame, sum Tensor) Tensor {
	l.subject, l.explored = s, false
	l.box = grown(boxOf(&l.x), l.opt.Reach)
	if l.opt.Contact == Obstacle {
		return sum.Combine(l.obstacle(f).within(0, 1/(l.opt.Min*l.opt.Min)))
	}
	l.planes = l.planes[:0]
	for i := range l.flanks {
		if l.gather(i); len(l.near) > 0 {
			l.flank(&l.flanks[i])
		}
	}
	for _, shape := range l.fields {
		l.field(shape)
	}
	fine := 1 / (l.opt.Min * l.opt.Min)
	for i := range l.planes {
		p := &l.planes[i]
		d0, d1, d2 := l.x[0].Sub(p.at).Dot(p.normal), l.x[1].Sub(p.at).Dot(p.normal), l.x[2].Sub(p.at).Dot(p.normal)
		g := f.slope(d0, d1, d2)
		sum = sum.Combine(outer(1/max(d0*d0, d1*d1, d2*d2, l.floor2), g).within(0, fine))
	}
	return sum
}

// gather fills near with what the triangle may be near to on a flank. For one that is not made yet that is what those
// it replaces are near to.
func (l *look) gather(flank int) {
	lists := &l.finder.near[flank]
	if l.olds == nil {
		l.near = lists.Of(l.slot)
		return
	}
	s := &l.flanks[flank]
	l.union = l.union[:0]
	for _, t := range l.olds {
		if int(t) >= len(l.sheet.Tri) {
			continue
		}
		for _, u := range lists.Of(t) {
			joined := s.own && (sharesVertex(l.vert, s.tri[u]) || contains(l.olds, u))
			if !joined && !contains(l.union, u) {
				l.union = append(l.union, u)
			}
		}
	}
	l.near = l.union
}

// slope returns the gradient of a number in material space.
func (f *frame) slope(f0, f1, f2 float64) r3.Vec2 {
	return f.a.Scale(f1 - f0).Add(f.b.Scale(f2 - f0))
}

// flank adds the planes of the nearest points of one surface.
func (l *look) flank(s *flank) {
	reach2 := l.opt.Reach * l.opt.Reach
	for i := range l.best {
		l.best[i] = nearest{dist2: reach2, u: -1}
	}
	for _, u := range l.near {
		y := s.corners(u)
		l.meet(s, u, &y)
	}
	// A nearest point of a corner is one of its edges and of the face too.
	for e := range 3 {
		for _, c := range [2]int{(e + 1) % 3, (e + 2) % 3} {
			if l.best[c].dist2 < l.best[3+e].dist2 {
				l.best[3+e] = l.best[c]
			}
		}
		if l.best[3+e].dist2 < l.best[6].dist2 {
			l.best[6] = l.best[3+e]
		}
	}
	for i := range l.best {
		if b := &l.best[i]; b.u >= 0 {
			l.addPlanes(s, b)
		}
	}
}

func sharesVertex(a, b [3]int32) bool {
	for _, v := range a {
		if v == b[0] || v == b[1] || v == b[2] {
			return true
		}
	}
	return false
}

var corners = [3]geom.Feature{geom.CornerA, geom.CornerB, geom.CornerC}

// sides are the edges of a triangle by the corner opposite to them.
var sides = [3]geom.Feature{geom.EdgeBC, geom.EdgeCA, geom.EdgeAB}

// meet compares the triangle with triangle u of a flank, at y. Pairs of edges matter only if they are nearest inside
// both: ends are corners, which are compared with triangles.
func (l *look) meet(s *flank, u int32, y *[3]r3.Vec) {
	around := grown(boxOf(y), l.opt.Reach)
	// corners of the triangle against the other
	for i := range 3 {
		if around.Contains(l.x[i]) {
			w, on, d2 := geom.PointTriangle(l.x[i], y[0], y[1], y[2])
			if d2 < l.best[i].dist2 && l.apart(unit(i), s, u, w, d2) {
				l.best[i] = nearest{d2, u, on}
			}
		}
		// corners of the other against the triangle
		if l.box.Contains(y[i]) {
			w, on, d2 := geom.PointTriangle(y[i], l.x[0], l.x[1], l.x[2])
			at := 6
			if k := slices.Index(sides[:], on); k >= 0 {
				at = 3 + k
			}
			if d2 < l.best[at].dist2 && l.apart(w, s, u, unit(i), d2) {
				l.best[at] = nearest{d2, u, corners[i]}
			}
		}
	}
	// edges of both
	for j := range 3 {
		if !meets(&l.box, &[3]r3.Vec{y[(j+1)%3], y[(j+2)%3], y[(j+1)%3]}) {
			continue
		}
		for i := range 3 {
			a, b, d2, ok := insideEdges(l.x[(i+1)%3], l.x[(i+2)%3], y[(j+1)%3], y[(j+2)%3])
			if ok && d2 < l.best[3+i].dist2 && l.apart(along(i, a), s, u, along(j, b), d2) {
				l.best[3+i] = nearest{d2, u, sides[j]}
			}
		}
	}
}

// insideEdges returns the parameters of the nearest points of two edges and their squared distance, if both are inside.
func insideEdges(a, b, c, d r3.Vec) (s, t, dist2 float64, ok bool) {
	u, v, w := b.Sub(a), d.Sub(c), c.Sub(a)
	n := u.Cross(v)
	n2 := n.Norm2()
	s, t = w.Cross(v).Dot(n), w.Cross(u).Dot(n)
	if !(s > 0 && s < n2 && t > 0 && t < n2) {
		return 0, 0, 0, false
	}
	gap := w.Dot(n)
	return s / n2, t / n2, gap * gap / n2, true
}

// unit returns the weights of corner i.
func unit(i int) r3.Vec { return along((i+2)%3, 0) }

// along returns the weights of the point at parameter s of the side opposite to corner k.
func along(k int, s float64) r3.Vec {
	var w [3]float64
	w[(k+1)%3], w[(k+2)%3] = 1-s, s
	return r3.V(w[0], w[1], w[2])
}

// apart reports whether two places count as touching when they are near: always, but on one sheet only if they are far
// in the material.
func (l *look) apart(w r3.Vec, s *flank, u int32, wu r3.Vec, d2 float64) bool {
	if !s.own {
		return true
	}
	limit := math.Sqrt(d2) / l.opt.Ratio
	if l.chart[l.slot] == l.chart[u] {
		a, b, c := l.sheet.RestTriangle(u)
		if weighted(l.rest, w).Sub(weighted([3]r3.Vec2{a, b, c}, wu)).Norm() <= limit {
			return false
		}
	}
	return l.seamWay(l.slot)+l.seamWay(u) > limit || l.way(u) > limit
}

func weighted(p [3]r3.Vec2, w r3.Vec) r3.Vec2 {
	return p[0].Scale(w.X).Add(p[1].Scale(w.Y)).Add(p[2].Scale(w.Z))
}

// addPlanes adds the planes of the faces at a nearest point. All of them are within reach.
func (l *look) addPlanes(s *flank, b *nearest) {
	v := s.tri[b.u]
	var has []int32
	var ends [2]int32
	switch b.on {
	case geom.Inside:
		l.addPlane(s, b.u)
		return
	case geom.CornerA, geom.CornerB, geom.CornerC:
		ends[0] = v[b.on-geom.CornerA]
		has = ends[:1]
	default:
		k := b.on - geom.EdgeAB // AB, BC, CA begin at corner 0, 1, 2
		ends = [2]int32{v[k], v[(k+1)%3]}
		has = ends[:]
	}
	for _, u := range l.near {
		all := true
		for _, i := range has {
			w := &s.tri[u]
			all = all && (w[0] == i || w[1] == i || w[2] == i)
		}
		if all {
			l.addPlane(s, u)
		}
	}
}

func (l *look) addPlane(s *flank, u int32) {
	y := s.corners(u)
	l.add(y[0], y[1].Sub(y[0]).Cross(y[2].Sub(y[0])).Unit())
}

// add adds a plane unless it is there already.
func (l *look) add(at, normal r3.Vec) {
	for i := range l.planes {
		p := &l.planes[i]
		if p.normal.Dot(normal) > 1-1e-12 && math.Abs(at.Sub(p.at).Dot(normal)) < 1e-9 {
			return
		}
	}
	l.planes = append(l.planes, plane{at, normal})
}

// obstacle returns the tensor of [Narain12].
func (l *look) obstacle(f *frame) Tensor {
	var sum Tensor
	for _, x := range l.x {
		// nearest place of surfaces and of shapes
		best, at := math.Inf(1), r3.Vec{}
		for i := range l.flanks {
			s := &l.flanks[i]
			u, d2 := s.tree.Nearest(x, best, func(u int32) float64 {
				y := s.corners(u)
				_, _, d2 := geom.PointTriangle(x, y[0], y[1], y[2])
				return d2
			})
			if u >= 0 && d2 < best*best {
				y := s.corners(u)
				w, _, _ := geom.PointTriangle(x, y[0], y[1], y[2])
				best, at = math.Sqrt(d2), y[0].Scale(w.X).AddScaled(w.Y, y[1]).AddScaled(w.Z, y[2])
			}
		}
		for _, shape := range l.fields {
			if d, n := shape.Distance(x); math.Abs(d) < best {
				best, at = math.Abs(d), x.AddScaled(-d, n)
			}
		}
		// at the obstacle itself, or without one
		if best == 0 || math.IsInf(best, 1) {
			continue
		}
		// gradient of the distance in the material
		n := x.Sub(at).Scale(1 / best)
		g := f.slope(l.x[0].Dot(n), l.x[1].Dot(n), l.x[2].Dot(n))
		sum = sum.Add(outer(1/(3*best*best), g))
	}
	return sum
}
