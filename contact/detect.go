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

// Begin takes the skins of a step. Where their features are those of the step before, it is cheap; a skin whose features
// have changed must come with other slices. Skins must not change until the step has ended.
func (f *Finder) Begin(skins []Skin) {
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
	known := f.cloth.surface != nil && slices.EqualFunc(f.skins, skins, alike)
	f.skins = append(f.skins[:0], skins...)
	if !known {
		f.join()
	}
	f.findMost()
	if f.thickness != f.Thickness {
		f.targets, f.thickness = f.targets[:0], f.Thickness
	}
	f.targets = slices.Grow(f.targets, len(skins))[:len(skins)]
	f.solids = f.solids[:0]
	for i := range f.skins {
		s, t := &f.skins[i], f.targets[i]
		if !s.Prescribed() {
			f.targets[i] = nil
			continue
		}
		if t == nil || !t.fits(s) {
			t = newTarget(s, int32(i), f.Thickness)
			f.targets[i] = t
		}
		f.solids = append(f.solids, t)
		t.tangled = t.tangled[:0]
		f.beginTarget(t)
		if t.closed && len(t.inside) != len(f.skinOf) {
			t.inside, t.clearance = make([]bool, len(f.skinOf)), make([]clearance, len(f.skinOf))
		}
	}
}

// join makes one surface of all moving skins.
func (f *Finder) join() {
	var all features
	f.origin = f.origin[:0]
	count := int32(0)
	f.carried, f.keepPair = false, nil
	for i := range f.skins {
		s := &f.skins[i]
		f.origin = append(f.origin, origin{
			surface: s.Surface, vertex: s.First, tri: int32(len(all.tri)), free: int32(len(all.edges)), edge: math.MaxInt32,
		})
		if s.Prescribed() {
			continue
		}
		all.add(s)
		count = max(count, s.First+int32(s.Points))
		f.carried = f.carried || len(s.Carriers.By) > 0
		if s.Rigid {
			f.keepPair = f.notOfOneRigid
		}
	}
	joined := connect(int(count), all)
	f.cloth = side{surface: &joined}
	f.dots = all.dots
	f.fans.Fill(int(count), func(put func(index, item int32)) {
		for i, v := range joined.prim[:joined.extended] {
			for _, v := range v[:joined.sides(i)] {
				put(v, int32(i))
			}
		}
	})
	f.listPoints(int(count))
	f.measureRest()
	f.boxes, f.edgeBoxes = make([]r3.Box, len(joined.prim)), make([]r3.Box, len(joined.edge))
	f.tree = nil
	for _, t := range f.solids {
		t.inside, t.clearance = nil, nil
	}
}

// add appends the features of a skin.
func (f *features) add(s *Skin) {
	for _, v := range s.Tri {
		f.tri = append(f.tri, [3]int32{v[0] + s.First, v[1] + s.First, v[2] + s.First})
	}
	for _, v := range s.Edges {
		f.edges = append(f.edges, [2]int32{v[0] + s.First, v[1] + s.First})
	}
	for _, v := range s.Dots {
		f.dots = append(f.dots, v+s.First)
	}
}

// listPoints finds the points that features have, and whose they are.
func (f *Finder) listPoints(count int) {
	f.skinOf, f.points = make([]int32, count), f.points[:0]
	for p := range f.skinOf {
		f.skinOf[p] = None
	}
	used := make([]bool, count)
	for _, v := range f.cloth.prim {
		used[v[0]], used[v[1]], used[v[2]] = true, true, true
	}
	for i := range f.skins {
		s := &f.skins[i]
		if s.Prescribed() {
			continue
		}
		for p := s.First; p < s.First+int32(s.Points); p++ {
			f.skinOf[p] = int32(i)
			if used[p] {
				f.points = append(f.points, p)
			}
		}
	}
}

// measureRest asks skins for the lengths of their edges at rest. Nothing is reached along those of rigid skins.
func (f *Finder) measureRest() {
	f.restLength, f.shortest = make([]float64, len(f.cloth.edge)), math.Inf(1)
	for i, v := range f.cloth.prim[:f.cloth.extended] {
		skin := f.skinOf[v[0]]
		s, o := &f.skins[skin], &f.origin[skin]
		index := i - int(o.tri)
		if i >= f.cloth.faces {
			index = len(s.Tri) + i - f.cloth.faces - int(o.free)
		}
		for k := range 3 {
			if f.cloth.own[i]>>(3+k)&1 == 0 {
				continue
			}
			e := f.cloth.primEdge[i][k]
			o.edge = min(o.edge, e)
			f.restLength[e] = math.Inf(1)
			if !s.Rigid {
				f.restLength[e] = s.Rest.RestLength(index, k)
			}
			f.shortest = min(f.shortest, f.restLength[e])
		}
	}
}

// notOfOneRigid tells whether two primitives are not of one rigid skin, which does not touch itself.
func (f *Finder) notOfOneRigid(i, j int32) bool {
	a, b := f.skinOf[f.cloth.prim[i][0]], f.skinOf[f.cloth.prim[j][0]]
	return a != b || !f.skins[a].Rigid
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
	for _, t := range f.solids {
		if block := f.skins[t.obstacle].Block; block != None {
			t.start = m.X0[block]
		}
	}
	f.Team.Enter()
	defer f.Team.Leave()
	f.prepareFields()
	f.collect(len(f.points), vertexGrain, f.fieldBody)
	if len(f.cloth.prim) == 0 {
		return
	}
	if !again || !f.nearby() {
		f.findPairs()
	}
	if f.Crossed && !again {
		f.Tangled()
	}
	f.collect(f.cloth.extended, pairGrain, f.faceBody)
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
		f.selfPairs = f.finder.Self(f.Team, f.tree, f.selfPairs, f.keepPair)
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
		f.collect(len(f.points), insideGrain, f.insideBody)
	}
	f.pairs = t.pairs
	if t.shape != nil {
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
		f.boxes[i] = sweptTriangle(f.cloth.x0, f.cloth.x1, f.cloth.prim[i], margin)
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

// triangles tests the features that primitive i of moving skins and primitive j of q own; boxes and edgeBoxes are those
// of q.
func (f *Finder) triangles(c *chunk, p *side, i int32, q *side, j int32, boxes, edgeBoxes []r3.Box) {
	margin := f.margin()
	u, v := &p.prim[i], &q.prim[j]
	ownP, ownQ := p.own[i], q.own[j]
	faceP, faceQ := int(i) < p.faces, int(j) < q.faces
	cloth := q.target == nil
	same := cloth && f.skinOf[u[0]] == f.skinOf[v[0]]
	for k := range 3 {
		if faceQ && ownP>>k&1 != 0 && (!cloth || !holds(v, u[k])) && p.passes(u[k], &boxes[j], margin) {
			f.test(c, &pair{p: p, q: q, i: u[k], j: j, same: same})
		}
		if faceP && ownQ>>k&1 != 0 && (!cloth || !holds(u, v[k])) && q.passes(v[k], &f.boxes[i], margin) {
			f.test(c, &pair{p: q, q: p, i: v[k], j: i, same: same})
		}
	}
	for k := range 3 {
		if ownP>>(3+k)&1 == 0 {
			continue
		}
		e := p.primEdge[i][k]
		for l := range 3 {
			if ownQ>>(3+l)&1 == 0 {
				continue
			}
			g := q.primEdge[j][l]
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

// findSharp tests pairs of a primitive of moving skins and a segment or a point of f.solid.
func (f *Finder) findSharp(lo, hi int) {
	c, t := &f.chunks[lo/pairGrain], f.solid
	segments := int32(len(t.surface.edge))
	for _, ij := range f.pairs[lo:hi] {
		i, j := ij[0], ij[1]
		if j >= segments {
			if int(i) >= f.cloth.faces {
				continue
			}
			f.testSharp(c, &pair{p: &t.side, q: &f.cloth, i: j - segments, j: i}, t)
			continue
		}
		for k := range 3 {
			e := f.cloth.primEdge[i][k]
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
