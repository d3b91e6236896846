package untangle

// The conditions that keep layers apart.
//
// Two triangles of different layers that face about the same way are seen along a common direction n, the mean of
// their smoothed normals. In that projection they are two height fields, piecewise linear over the overlay of the two
// triangles, so that the least difference of their heights is at a corner of the overlay: a corner of one over
// the face of the other, or two edges that cross. There
//
//	gap = n·(Σ w_o x_o − Σ w_i x_i) ≥ h
//
// is asked for, with o the outer, i the inner triangle and h the thickness; gaps below −Depth belong to parts that
// only happen to lie behind each other. If all gaps of a pair are positive the pair does not cross. Triangles that
// do not face the same way are layers folded over or other parts of the body, and have no order, unless they
// cross: then the outer one's normal decides.
//
// Triangles of one layer have no order either, but must not be driven through each other: those that do not face the
// same way, such as of a sleeve and of the side of the trunk, or are of different sheets, keep the sides that they are
// on. Around crossings of triangles that face each other, of any layers, both are brought before each other: the
// outsides of two parts have met there.
//
// A body is the innermost layer. Vertices inside a closed one are also held outside by their distance to it, which
// finds the way out from deeper: to the nearest point that faces as the sheet does, if there is one within Depth,
// so that cloth that is past the middle of an arm comes out on its own side.

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// row is one condition: n·Σ w x + constant = gap ≥ target.
type row struct {
	n           r3.Vec
	v           [4]int32
	w           [4]float64 // 0 for places that are not used
	gap, target float64    // [m]
}

const (
	// facing is the least cosine between smoothed normals of triangles that have an order.
	facing = 0.2
	// slack is how far above the target, in targets, gaps are watched, because what is moved elsewhere may close them.
	slack = 2
	// spare is what is asked for beyond the thickness, so that ending within a small error of it is ending above it.
	spare = 1.1

	pairGrain   = 256
	vertexGrain = 256
)

// rowFinder finds conditions.
type rowFinder struct {
	*scene
	depth  float64
	normal []r3.Vec // by vertex, smoothed, of unit length
	buffer []r3.Vec
	facing []r3.Vec // by triangle: mean of those of its corners
	fields []*geom.MeshField
	trees  []*geom.Tree // of the triangles of bodies
	swept  []r3.Box
	tree   *geom.Tree
	finder geom.PairFinder
	near   [][2]int32
	chunks [][]row
	rows   []row

	tangled        []bool // by triangle: around crossings of sheets that face each other
	marked, spread []bool // by vertex
}

func newRowFinder(s *scene, depth float64) *rowFinder {
	f := &rowFinder{
		scene: s, depth: depth, normal: make([]r3.Vec, len(s.x)), buffer: make([]r3.Vec, len(s.x)),
		facing: make([]r3.Vec, len(s.tri)), swept: make([]r3.Box, len(s.tri)),
	}
	for i := range s.bodies {
		b := &s.bodies[i]
		var field *geom.MeshField
		var tree *geom.Tree
		if b.Field == nil {
			if field = geom.NewMeshField(b.X, b.Tri); field.Closed() {
				first := s.firstTriangles()[len(s.sheets)+i]
				tree = geom.NewTree(s.boxes[first : int(first)+len(b.Tri)])
			} else {
				field = nil
			}
		}
		f.fields, f.trees = append(f.fields, field), append(f.trees, tree)
	}
	f.tree = geom.NewTree(s.boxes)
	return f
}

// find collects the conditions at the present positions. The pairs that cross must be known.
func (f *rowFinder) find() {
	// smoothed normals, and triangles around crossings that face each other
	f.orient()
	f.findTangled()
	// boxes swept along the normals as far as gaps are looked at
	widest := 0.0
	for _, h := range f.thickness {
		widest = max(widest, h)
	}
	margin := spare * (1 + slack) * widest / 2
	f.team.For(len(f.tri), pairGrain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a, b, c := f.corners(int32(i))
			box := r3.Box{Min: a.Min(b).Min(c), Max: a.Max(b).Max(c)}
			sweep := f.facing[i].Scale(f.depth / 2)
			reach := r3.V(math.Abs(sweep.X)+margin, math.Abs(sweep.Y)+margin, math.Abs(sweep.Z)+margin)
			f.swept[i] = r3.Box{Min: box.Min.Sub(reach), Max: box.Max.Add(reach)}
		}
	})
	f.tree.Update(f.team, f.swept, treeDecay)
	// near pairs that have an order, or one that must be kept
	cloth := int32(f.cloth)
	f.near = f.finder.Self(f.team, f.tree, f.near, func(i, j int32) bool { return i < cloth && f.related(i, j) })
	// conditions of these pairs
	f.rows = f.rows[:0]
	f.collect(len(f.near), pairGrain, func(k int, out []row) []row {
		if i, j := f.near[k][0], f.near[k][1]; !f.ordered(f.surface[i], f.surface[j]) || f.opposed(i, j) {
			return f.keep(i, j, out)
		}
		return f.overlay(f.near[k], out)
	})
	// conditions of pairs that cross without facing the same way
	f.collect(len(f.pairs), pairGrain, func(k int, out []row) []row {
		i, j := f.pairs[k][0], f.pairs[k][1]
		if f.crossing[k] && f.ordered(f.surface[i], f.surface[j]) && !f.related(i, j) {
			return f.overlay(f.pairs[k], out)
		}
		return out
	})
	// vertices and faces against bodies
	f.collect(f.moving, vertexGrain, func(v int, out []row) []row { return f.outside(int32(v), out) })
	f.collect(f.cloth, pairGrain, func(t int, out []row) []row { return f.samples(int32(t), out) })
}

// opposed reports whether two triangles face different ways.
func (f *rowFinder) opposed(i, j int32) bool { return f.facing[i].Dot(f.facing[j]) < -facing }

// related reports whether two triangles have an order, or one that must be kept.
func (f *rowFinder) related(i, j int32) bool {
	a, b := f.surface[i], f.surface[j]
	la, lb := f.layer[a], f.layer[b]
	switch {
	case max(la, lb) <= 0:
		return false // neither moves
	case f.opposed(i, j):
		return la != 0 && lb != 0
	case f.ordered(a, b):
		return f.facing[i].Dot(f.facing[j]) > facing
	}
	return a != b
}

// keep appends the conditions that two triangles without an order stay on the sides of each other that they are on or,
// if they face each other around a crossing, come to be before each other.
func (f *rowFinder) keep(i, j int32, out []row) []row {
	u, v := f.facing[i], f.facing[j]
	o := overlayer{f: f, out: out, kept: true, target: spare * f.target(f.surface[i], f.surface[j])}
	if o.n = u.Add(v).Unit(); u.Dot(v) < 0 {
		o.n, o.kept = u.Sub(v).Unit(), !f.tangled[i] || !f.tangled[j]
	}
	o.pair(i, j)
	return o.out
}

// tangledRings is how many rings around a crossing of triangles that face each other may be beyond it.
const tangledRings = 3

// findTangled marks triangles around crossings of sheets that face each other.
func (f *rowFinder) findTangled() {
	f.tangled = slices.Grow(f.tangled[:0], len(f.tri))[:len(f.tri)]
	f.marked = slices.Grow(f.marked[:0], len(f.x))[:len(f.x)]
	clear(f.marked)
	for k, ij := range f.pairs {
		if f.crossing[k] && int(ij[1]) < f.cloth && f.opposed(ij[0], ij[1]) {
			for _, t := range ij {
				for _, v := range f.tri[t] {
					f.marked[v] = true
				}
			}
		}
	}
	for range tangledRings {
		f.marked, f.spread = f.dilate(f.marked, f.spread)
	}
	for t, v := range f.tri {
		f.tangled[t] = f.marked[v[0]] || f.marked[v[1]] || f.marked[v[2]]
	}
}

// collect appends the rows that each appends for 0 to n-1, in order.
func (f *rowFinder) collect(n, grain int, each func(k int, out []row) []row) {
	chunks := (n + grain - 1) / grain
	for len(f.chunks) < chunks {
		f.chunks = append(f.chunks, nil)
	}
	f.team.For(n, grain, func(lo, hi int) {
		out := f.chunks[lo/grain][:0]
		for k := lo; k < hi; k++ {
			out = each(k, out)
		}
		f.chunks[lo/grain] = out
	})
	for _, c := range f.chunks[:chunks] {
		f.rows = append(f.rows, c...)
	}
}

// smoothings is how often normals are averaged with those of their neighbours, so that a wave of a few
// triangles does not turn them.
const smoothings = 2

// orient finds smoothed normals.
func (f *rowFinder) orient() {
	// normals of vertices, weighted by area
	clear(f.normal)
	for i := range f.tri {
		a, b, c := f.corners(int32(i))
		n := b.Sub(a).Cross(c.Sub(a))
		for _, v := range f.tri[i] {
			f.normal[v] = f.normal[v].Add(n)
		}
	}
	for v := range f.normal {
		f.normal[v] = f.normal[v].Unit()
	}
	// smoothing: means over the neighbours
	for range smoothings {
		f.team.For(len(f.normal), 512, func(lo, hi int) {
			for v := lo; v < hi; v++ {
				n := f.normal[v]
				for _, u := range f.around.Of(int32(v)) {
					n = n.Add(f.normal[u])
				}
				f.buffer[v] = n.Unit()
			}
		})
		f.normal, f.buffer = f.buffer, f.normal
	}
	// triangles: means over the corners
	for i, v := range f.tri {
		f.facing[i] = f.normal[v[0]].Add(f.normal[v[1]]).Add(f.normal[v[2]]).Unit()
	}
}

// overlay appends the conditions of a pair of triangles.
func (f *rowFinder) overlay(pair [2]int32, out []row) []row {
	in, ex := pair[0], pair[1]
	if f.layer[f.surface[in]] > f.layer[f.surface[ex]] {
		in, ex = ex, in
	}
	n := f.facing[in].Add(f.facing[ex]).Unit()
	if !(f.facing[in].Dot(f.facing[ex]) > facing) {
		if n = f.facing[ex]; f.layer[f.surface[in]] == 0 {
			n = f.facing[in]
		}
	}
	o := overlayer{f: f, n: n, out: out, target: spare * f.target(f.surface[in], f.surface[ex])}
	o.pair(in, ex)
	return o.out
}

// pair adds the conditions of the inner triangle in and the outer one ex.
func (o *overlayer) pair(in, ex int32) {
	f := o.f
	a, b := &f.tri[in], &f.tri[ex]
	for k := range 3 {
		if f.own[in]&(1<<k) != 0 {
			o.corner(a[k], b, 1)
		}
		if f.own[ex]&(1<<k) != 0 {
			o.corner(b[k], a, -1)
		}
		if f.own[in]&(8<<k) == 0 {
			continue
		}
		for l := range 3 {
			if f.own[ex]&(8<<l) != 0 {
				o.edges(a[(k+1)%3], a[(k+2)%3], b[(l+1)%3], b[(l+2)%3])
			}
		}
	}
}

// overlayer collects the conditions of one pair of triangles seen along n.
type overlayer struct {
	f      *rowFinder
	n      r3.Vec
	target float64
	kept   bool // the order is the one that is
	out    []row
}

// corner adds the condition of vertex p under (sign 1) or over (sign -1) the triangle t, if it is.
func (o *overlayer) corner(p int32, t *[3]int32, sign float64) {
	x := o.f.x
	a, b, c := x[t[0]].Sub(x[p]), x[t[1]].Sub(x[p]), x[t[2]].Sub(x[p])
	wa, wb, wc := o.n.Dot(b.Cross(c)), o.n.Dot(c.Cross(a)), o.n.Dot(a.Cross(b))
	sum := wa + wb + wc
	if !(wa*sum >= 0 && wb*sum >= 0 && wc*sum >= 0) || !(math.Abs(sum) > edgeOn*(a.Norm2()+b.Norm2()+c.Norm2())) {
		return
	}
	wa, wb, wc = wa/sum, wb/sum, wc/sum
	height := wa*o.n.Dot(a) + wb*o.n.Dot(b) + wc*o.n.Dot(c)
	o.add(sign*height, [4]int32{t[0], t[1], t[2], p}, [4]float64{sign * wa, sign * wb, sign * wc, -sign})
}

// edgeOn is the sine below which triangles are seen from their edges, and edges lie along each other: others tell more.
const edgeOn = 1e-6

// edges adds the condition of the inner edge ab and the outer edge cd, if they cross.
func (o *overlayer) edges(a, b, c, d int32) {
	x := o.f.x
	u, v, w := x[b].Sub(x[a]), x[d].Sub(x[c]), x[c].Sub(x[a])
	turn := o.n.Dot(u.Cross(v))
	if !(math.Abs(turn) > edgeOn*math.Sqrt(u.Norm2()*v.Norm2())) {
		return
	}
	s, t := o.n.Dot(w.Cross(v))/turn, o.n.Dot(w.Cross(u))/turn
	if !(s >= 0 && s <= 1 && t >= 0 && t <= 1) {
		return
	}
	gap := o.n.Dot(w.AddScaled(t, v).AddScaled(-s, u))
	o.add(gap, [4]int32{a, b, c, d}, [4]float64{s - 1, -s, 1 - t, t})
}

func (o *overlayer) add(gap float64, v [4]int32, w [4]float64) {
	if o.kept {
		n := o.n
		if gap < 0 {
			gap, n = -gap, n.Neg()
		}
		if gap < o.f.depth {
			o.out = append(o.out, row{n, v, w, gap, min(gap, o.target)})
		}
		return
	}
	if gap > -o.f.depth && gap < (1+slack)*o.target {
		o.out = append(o.out, row{o.n, v, w, gap, o.target})
	}
}

// outside appends the conditions of a vertex of a sheet against closed bodies.
func (f *rowFinder) outside(v int32, out []row) []row {
	surface := int32(f.sheetOf(v))
	if f.layer[surface] == unordered {
		return out
	}
	for i, field := range f.fields {
		target := spare * f.target(surface, int32(len(f.sheets)+i))
		var gap float64
		var n r3.Vec
		switch {
		case field == nil && f.bodies[i].Field == nil:
			continue
		case field == nil:
			gap, n = f.bodies[i].Field.Distance(f.x[v])
		default:
			if p, ok := field.Nearest(f.x[v], f.depth); !ok || f.x[v].Sub(p.Point).Dot(field.Pseudonormal(p)) >= 0 {
				continue // its faces take care of what is outside
			}
			gap, n = f.wayOut(v, i)
		}
		if gap > -f.depth && gap < (1+slack)*target {
			out = append(out, row{n: n, v: [4]int32{v}, w: [4]float64{1}, gap: gap, target: target})
		}
	}
	return out
}

// wayOut returns the signed distance of a vertex inside a body, and the direction out of it.
func (f *rowFinder) wayOut(v int32, body int) (float64, r3.Vec) {
	x, first := f.x[v], f.firstTriangles()[len(f.sheets)+body]
	t, d2 := f.trees[body].Nearest(x, f.depth, func(i int32) float64 {
		if !(f.facing[first+i].Dot(f.normal[v]) > facing) {
			return math.NaN()
		}
		a, b, c := f.corners(first + i)
		_, _, d2 := geom.PointTriangle(x, a, b, c)
		return d2
	})
	if t >= 0 {
		a, b, c := f.corners(first + t)
		if n := b.Sub(a).Cross(c.Sub(a)).Unit(); x.Sub(a).Dot(n) < 0 {
			w, _, _ := geom.PointTriangle(x, a, b, c)
			if away := blend(w, a, b, c).Sub(x); away.Dot(n) > 0.5*math.Sqrt(d2) {
				return -away.Dot(n), n
			}
		}
	}
	return f.fields[body].Distance(x)
}

func blend(w, a, b, c r3.Vec) r3.Vec { return a.Scale(w.X).AddScaled(w.Y, b).AddScaled(w.Z, c) }

// samples appends the conditions of a few points of a triangle of a sheet against bodies that are shapes: of the
// middles of its own edges, and its own.
func (f *rowFinder) samples(t int32, out []row) []row {
	// sheets without a layer have no conditions
	surface := f.surface[t]
	if f.layer[surface] == unordered {
		return out
	}
	v := f.tri[t]
	for i := range f.bodies {
		field := f.bodies[i].Field
		if field == nil {
			continue
		}
		target := spare * f.target(surface, int32(len(f.sheets)+i))
		// condition of one point, if it is near enough
		add := func(w [4]float64) {
			p := f.x[v[0]].Scale(w[0]).AddScaled(w[1], f.x[v[1]]).AddScaled(w[2], f.x[v[2]])
			if gap, n := field.Distance(p); gap > -f.depth && gap < (1+slack)*target {
				out = append(out, row{n: n, v: [4]int32{v[0], v[1], v[2]}, w: w, gap: gap, target: target})
			}
		}
		// middle of the triangle, and of its own edges
		add([4]float64{1. / 3, 1. / 3, 1. / 3})
		for k := range 3 {
			if f.own[t]&(8<<k) != 0 {
				w := [4]float64{0.5, 0.5, 0.5}
				w[k] = 0
				add(w)
			}
		}
	}
	return out
}
