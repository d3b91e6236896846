package contact

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// The loops of detection. Each writes to the chunk it runs in; chunks depend on lengths only and are gathered in index
// order, and the set is sorted in the end, so that workers cannot be told from the result.

// pairGrain is the number of pairs of triangles in a chunk.
const pairGrain = 1024

// Begin takes the surfaces of a step. Where their topology is that of the step before, it is cheap; a sheet whose
// topology has changed must come with another Mesh, an obstacle with another Tri. The obstacles' slices must not change
// until the step has ended.
func (f *Finder) Begin(sheets []Sheet, obstacles []Obstacle) {
	if f.fieldBody == nil {
		find, pass := f.findField, f.throughField
		f.fieldBody = func(lo, hi int) { f.overFields(lo, hi, find) }
		f.passBody = func(lo, hi int) { f.overFields(lo, hi, pass) }
		f.triangleBody, f.edgeBody = f.boxTriangles, f.boxEdges
		f.selfBody, f.meshBody, f.sharpBody, f.insideBody = f.findSelf, f.findMesh, f.findSharp, f.findInside
		f.crossBody = f.cross
		face, passing, inside := f.findFace, f.throughFace, f.insideFace
		f.faceBody = func(lo, hi int) { f.overFaces(lo, hi, face) }
		f.facePassBody = func(lo, hi int) { f.overFaces(lo, hi, passing) }
		f.faceInsideBody = func(lo, hi int) { f.overFaces(lo, hi, inside) }
	}
	f.paired, f.tangled, f.knots = f.paired[:0], f.tangled[:0], 0
	f.Team.Enter()
	defer f.Team.Leave()
	if !slices.Equal(f.sheets, sheets) || f.cloth.surface == nil {
		f.sheets = append(f.sheets[:0], sheets...)
		f.join()
	}
	f.findMost()
	f.obstacles = append(f.obstacles[:0], obstacles...)
	if f.thickness != f.Thickness || len(f.solids) > len(obstacles) {
		f.solids, f.thickness = f.solids[:0], f.Thickness
	}
	for i := range f.obstacles {
		o := &f.obstacles[i]
		if i == len(f.solids) {
			f.solids = append(f.solids, newTarget(o, int32(i), f.Thickness))
		} else if !f.solids[i].fits(o) {
			f.solids[i] = newTarget(o, int32(i), f.Thickness)
		}
		t := f.solids[i]
		t.tangled = t.tangled[:0]
		f.beginTarget(t)
		if t.closed && len(t.inside) != len(f.sheetOf) {
			t.inside, t.clearance = make([]bool, len(f.sheetOf)), make([]clearance, len(f.sheetOf))
		}
	}
}

// join makes one surface of all sheets.
func (f *Finder) join() {
	var tri [][3]int32
	f.origin, f.blocks = f.origin[:0], f.blocks[:0]
	count := int32(0)
	for _, s := range f.sheets {
		f.origin = append(f.origin, origin{surface: s.Surface, vertex: s.First, tri: int32(len(tri))})
		for _, v := range s.Mesh.Tri {
			tri = append(tri, [3]int32{v[0] + s.First, v[1] + s.First, v[2] + s.First})
		}
		for i := range int32(s.Mesh.Verts) {
			f.blocks = append(f.blocks, s.First+i)
		}
		count = max(count, s.First+int32(s.Mesh.Verts))
	}
	joined := connect(int(count), tri)
	f.cloth = side{surface: &joined}
	f.fans.Fill(int(count), func(put func(index, item int32)) {
		for t, v := range tri {
			for _, i := range v {
				put(i, int32(t))
			}
		}
	})
	f.sheetOf = make([]int32, count)
	for i, s := range f.sheets {
		for v := range int32(s.Mesh.Verts) {
			f.sheetOf[s.First+v] = int32(i)
		}
		f.origin[i].edge = math.MaxInt32
	}
	f.restLength, f.shortest = make([]float64, len(joined.edge)), math.Inf(1)
	for e, v := range joined.edge {
		sheet, home := f.sheetOf[v[0]], joined.home[e]
		o := &f.origin[sheet]
		o.edge = min(o.edge, int32(e))
		m := f.sheets[sheet].Mesh
		corner := m.Corner[home/3-o.tri]
		a, b := m.Material[corner[(home%3+1)%3]], m.Material[corner[(home%3+2)%3]]
		f.restLength[e] = b.Sub(a).Norm()
		f.shortest = min(f.shortest, f.restLength[e])
	}
	f.boxes, f.edgeBoxes, f.tree = slices.Grow(f.boxes[:0], len(tri))[:len(tri)], slices.Grow(f.edgeBoxes[:0], len(joined.edge))[:len(joined.edge)], nil
	for _, t := range f.solids {
		t.inside, t.clearance = nil, nil
	}
}

// slack is how much boxes are inflated beyond what is needed, in thicknesses, so that the pairs of triangles found
// for one end of the step serve for others that are not farther from it: those that Extend sees, when contacts
// have changed the motion a little.
const slack = 0.25

// detect fills found, in an order that does not depend on workers. With again, the start is that of the motion before.
func (f *Finder) detect(m Motion, past []Past, again bool) {
	f.check(&m)
	f.motion, f.past = m, past
	f.reach = f.Reach * f.most
	f.found = f.found[:0]
	f.cloth.x0, f.cloth.x1 = m.X0, m.X1
	for i := range f.obstacles {
		if o := &f.obstacles[i]; o.Block != None {
			f.solids[i].start = m.X0[o.Block]
		}
	}
	f.Team.Enter()
	defer f.Team.Leave()
	f.prepareFields()
	f.collect(len(f.blocks), vertexGrain, f.fieldBody)
	if len(f.cloth.tri) == 0 {
		return
	}
	if !again || !f.nearby() {
		f.findPairs()
	}
	if f.Crossed && !again {
		f.Tangled()
	}
	f.collect(len(f.cloth.tri), pairGrain, f.faceBody)
	if f.Self {
		f.pairs = f.selfPairs
		f.collect(len(f.pairs), pairGrain, f.selfBody)
	}
	for _, t := range f.solids {
		if !t.bare() {
			f.detectSolid(t)
		}
	}
}

// nearby reports whether the pairs of triangles that are known contain those of the motion at hand: a slack of the
// thickness covers what the ends of both sides differ by.
func (f *Finder) nearby() bool {
	if len(f.paired) != len(f.motion.X1) || f.pairedReach != f.margin() {
		return false
	}
	// Of obstacles only those with a block move differently; their blocks are among the others.
	for i, x := range f.motion.X1 {
		if !(x.Sub(f.paired[i]).MaxAbs() <= slack*f.Thickness) {
			return false
		}
	}
	return true
}

// findPairs lists the pairs of triangles that may meet.
func (f *Finder) findPairs() {
	f.pairedReach = f.margin()
	f.paired = append(f.paired[:0], f.motion.X1...)
	f.Team.For(len(f.boxes), pairGrain, f.triangleBody)
	f.Team.For(len(f.edgeBoxes), pairGrain, f.edgeBody)
	if f.tree == nil {
		f.tree = geom.NewTree(f.boxes)
	} else {
		f.tree.Update(f.Team, f.boxes, treeDecay)
	}
	if f.Self {
		f.selfPairs = f.finder.Self(f.Team, f.tree, f.selfPairs, nil)
	}
	for _, t := range f.solids {
		if !t.bare() {
			f.moveTarget(t)
			f.fitTarget(t)
			t.pairs = f.finder.Between(f.Team, f.tree, t.tree, t.pairs, nil)
		}
	}
}

// detectSolid tests the sheets against one obstacle with corners.
func (f *Finder) detectSolid(t *target) {
	f.solid = t
	f.moveTarget(t)
	if t.closed {
		f.collect(len(f.blocks), insideGrain, f.insideBody)
	}
	f.pairs = t.pairs
	if t.mesh == nil {
		f.collect(len(f.pairs), pairGrain, f.sharpBody)
	} else {
		f.collect(len(f.pairs), pairGrain, f.meshBody)
	}
}

// collect runs body over [0, n) and appends what its chunks have found, in index order.
func (f *Finder) collect(n, grain int, body func(lo, hi int)) {
	count := f.grow(n, grain)
	for i := range f.chunks[:count] {
		f.chunks[i].found = f.chunks[i].found[:0]
	}
	f.Team.For(n, grain, body)
	for i := range f.chunks[:count] {
		f.found = append(f.found, f.chunks[i].found...)
	}
}

// grow makes room for the chunks of a loop and returns their number.
func (f *Finder) grow(n, grain int) int {
	count := (n + grain - 1) / grain
	for len(f.chunks) < count {
		f.chunks = append(f.chunks, chunk{})
	}
	return count
}

func (f *Finder) boxTriangles(lo, hi int) {
	margin := f.margin() + slack*f.Thickness
	for i := lo; i < hi; i++ {
		f.boxes[i] = sweptTriangle(f.cloth.x0, f.cloth.x1, f.cloth.tri[i], margin)
	}
}

func (f *Finder) boxEdges(lo, hi int) {
	margin := f.margin() + slack*f.Thickness
	for e := lo; e < hi; e++ {
		f.edgeBoxes[e] = sweptEdge(f.cloth.x0, f.cloth.x1, f.cloth.edge[e], margin)
	}
}

func (f *Finder) findSelf(lo, hi int) {
	c := &f.chunks[lo/pairGrain]
	for _, ij := range f.pairs[lo:hi] {
		f.triangles(c, &f.cloth, ij[0], &f.cloth, ij[1], f.boxes, f.edgeBoxes)
	}
}

func (f *Finder) findMesh(lo, hi int) {
	c, t := &f.chunks[lo/pairGrain], f.solid
	for _, ij := range f.pairs[lo:hi] {
		f.triangles(c, &f.cloth, ij[0], &t.side, ij[1], t.boxes, t.edgeBoxes)
	}
}

// triangles tests the features that triangle i of the sheets and triangle j of q own; boxes and edgeBoxes are
// those of q.
func (f *Finder) triangles(c *chunk, p *side, i int32, q *side, j int32, boxes, edgeBoxes []r3.Box) {
	margin := f.margin()
	u, v := &p.tri[i], &q.tri[j]
	ownP, ownQ := p.own[i], q.own[j]
	cloth := q.target == nil
	same := cloth && f.sheetOf[u[0]] == f.sheetOf[v[0]]
	for k := range 3 {
		if ownP>>k&1 != 0 && (!cloth || !holds(v, u[k])) && p.passes(u[k], &boxes[j], margin) {
			f.test(c, &pair{p: p, q: q, i: u[k], j: j, same: same})
		}
		if ownQ>>k&1 != 0 && (!cloth || !holds(u, v[k])) && q.passes(v[k], &f.boxes[i], margin) {
			f.test(c, &pair{p: q, q: p, i: v[k], j: i, same: same})
		}
	}
	for k := range 3 {
		if ownP>>(3+k)&1 == 0 {
			continue
		}
		e := p.triEdge[i][k]
		for l := range 3 {
			if ownQ>>(3+l)&1 == 0 {
				continue
			}
			g := q.triEdge[j][l]
			if cloth {
				if a, b := &p.edge[e], &q.edge[g]; a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1] {
					continue
				}
			}
			if !f.edgeBoxes[e].Overlaps(&edgeBoxes[g]) {
				continue
			}
			if cloth {
				f.test(c, &pair{p: p, q: q, i: min(e, g), j: max(e, g), edges: true, same: same})
			} else {
				f.test(c, &pair{p: p, q: q, i: e, j: g, edges: true})
			}
		}
	}
}

// findSharp tests pairs of a triangle of the sheets and a segment or a point of f.solid.
func (f *Finder) findSharp(lo, hi int) {
	c, t := &f.chunks[lo/pairGrain], f.solid
	segments := int32(len(t.surface.edge))
	for _, ij := range f.pairs[lo:hi] {
		i, j := ij[0], ij[1]
		if j >= segments {
			f.testSharp(c, &pair{p: &t.side, q: &f.cloth, i: j - segments, j: i}, t)
			continue
		}
		for k := range 3 {
			e := f.cloth.triEdge[i][k]
			if f.cloth.own[i]>>(3+k)&1 != 0 && f.edgeBoxes[e].Overlaps(&t.edgeBoxes[j]) {
				f.testSharp(c, &pair{p: &f.cloth, q: &t.side, i: e, j: j, edges: true}, t)
			}
		}
	}
}

// test asks the question that the loop under way is about.
func (f *Finder) test(c *chunk, k *pair) {
	if f.passing {
		f.through(c, k)
	} else {
		f.meet(c, k)
	}
}

func (f *Finder) testSharp(c *chunk, k *pair, t *target) {
	if f.passing {
		f.through(c, k)
	} else {
		f.meetSharp(c, k, t)
	}
}

func holds(v *[3]int32, i int32) bool { return v[0] == i || v[1] == i || v[2] == i }

// passes reports whether the way of vertex v, inflated by margin, meets a box.
func (s *side) passes(v int32, b *r3.Box, margin float64) bool {
	x, y := &s.x0[v], &s.x1[v]
	return min(x.X, y.X)-margin <= b.Max.X && max(x.X, y.X)+margin >= b.Min.X &&
		min(x.Y, y.Y)-margin <= b.Max.Y && max(x.Y, y.Y)+margin >= b.Min.Y &&
		min(x.Z, y.Z)-margin <= b.Max.Z && max(x.Z, y.Z)+margin >= b.Min.Z
}
