package shape

// Tets inside any closed surface, by isosurface stuffing [Labelle07], in its uniform form.
//
// The lattice is body-centred cubic: corners and centres of cubes of side h. Two centres of cubes that share a face,
// and an edge of that face, are a tet; it has two long edges, of h, opposite to each other, and four short ones, of
// √3/2 h.
//
//	cut point: where the surface crosses an edge between a vertex inside and one outside
//	violated:  a vertex with a cut point nearer than 0.2851 of a long or 0.3986 of a short edge
//
// Violated vertices move onto the surface, one after the other, and the cut points of all their edges are gone. Of each
// tet the part inside is kept: nothing, all, a tet, a pyramid or a prism. Quadrangles on faces that two tets share must
// be cut the same way on both sides. Their two cut points are on a long and a short edge or on two short ones:
//
//	long and short: the diagonal ends at the cut point of the long edge
//	two short:      at the lattice vertex, of the two inside, whose cube has even coordinates in sum (the parity rule)
//
// Neither lets the diagonals go round a prism. Angles between faces are then from 10.7 to 164.8 degrees wherever cut
// points are, which the test tries with random ones. Vertices on the skin are on the surface; sharp edges are rounded
// off by about a cell, unless they are on lattice planes.
//
// Departures: the quadrangle of four cut points, which no other tet has, is cut where that makes better angles; and
// where the solid is thinner than the lattice, tets may hang on by an edge or a corner only. They are left out until
// the skin is a manifold.

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

const (
	// nearLong and nearShort are relative to the edges that they are for. Of all pairs, tried with random cut points,
	// these have the largest smallest angle, and reach the bounds of the paper; 0.265 and 0.37 make angles from 8.9 to
	// 158.9 degrees.
	nearLong  = 0.2851
	nearShort = 0.3986
	// maxCells bounds the cubes of the lattice; with all of them inside there are twelve tets in each.
	maxCells = 1 << 22
)

// FillSurface returns tets inside a closed surface, which may cross itself: inside is where it winds around more than
// half. See Fill.
func FillSurface(pos []r3.Vec, tri [][3]int32, size float64) (*mesh.Tets, error) {
	if len(tri) == 0 {
		return nil, errors.New("a surface without triangles")
	}
	for i, t := range tri {
		for _, v := range t {
			if v < 0 || int(v) >= len(pos) {
				return nil, fmt.Errorf("triangle %d: vertices %v, but there are %d", i, t, len(pos))
			}
			if !pos[v].Finite() {
				return nil, fmt.Errorf("triangle %d: vertex %d is at %v, which is not finite", i, v, pos[v])
			}
		}
	}
	f := geom.NewMeshField(pos, tri)
	if !f.Closed() {
		_, err := mesh.SolidOf(pos, tri, 1) // which says where
		return nil, fmt.Errorf("the surface is not closed: %w", err)
	}
	f.ByWinding = true
	return Fill(f, size)
}

// Fill returns tets inside a shape, with the sides of their lattice 0.87 and 1 times size [m] long. Angles between
// faces are between 10.7 and 164.8 degrees. The shape should be some sizes thick everywhere: what is thinner comes out
// ragged or is left out. It is an error if nothing is left, or if the shape has more than some million cells of size.
func Fill(f Field, size float64) (*mesh.Tets, error) {
	if !(size > 0) || math.IsInf(size, 1) {
		return nil, fmt.Errorf("tets of %g m; their size must be positive", size)
	}
	box := f.Bounds()
	if box.Empty() || !box.Min.Finite() || !box.Max.Finite() {
		return nil, fmt.Errorf("a shape between %v and %v cannot be filled", box.Min, box.Max)
	}
	// A cell more on every side, the lattice in the middle.
	extent := box.Size()
	cells := [3]float64{extent.X, extent.Y, extent.Z}
	for i := range cells {
		cells[i] = math.Ceil(cells[i]/size-1e-9) + 2
	}
	if total := cells[0] * cells[1] * cells[2]; !(total <= maxCells) {
		return nil, fmt.Errorf(
			"tets of %g m in a box of %.3g x %.3g x %.3g m: %.3g cells, more than %d; choose a larger size",
			size, extent.X, extent.Y, extent.Z, total, maxCells,
		)
	}
	corner := box.Center().Sub(r3.V(cells[0], cells[1], cells[2]).Scale(size / 2))
	l := newLattice([3]int{int(cells[0]), int(cells[1]), int(cells[2])}, corner, size)
	l.evaluate(f)
	l.root = func(a, b r3.Vec, fa, fb float64) r3.Vec { return rootBetween(f, a, b, fa, fb, size) }
	l.warp()
	s := l.stuffed()
	s.DropPinched()
	if len(s.Tet) == 0 {
		return nil, fmt.Errorf("nothing of the shape is inside tets of %g m: it is thinner than that, or inside out", size)
	}
	return s, nil
}

// rootBetween finds where a field is 0 on the segment from a to b, at whose ends it has opposite signs, by the Illinois
// form of false position, to a millionth of size.
func rootBetween(f Field, a, b r3.Vec, fa, fb, size float64) r3.Vec {
	lo, hi, flo, fhi := 0.0, 1.0, fa, fb
	t, last := 0.0, 0
	for range 40 {
		t = (lo*fhi - hi*flo) / (fhi - flo)
		v, _ := f.Distance(a.Lerp(b, t))
		if math.Abs(v) <= 1e-6*size || hi-lo < 1e-6 {
			break
		}
		if (v < 0) == (flo < 0) {
			lo, flo = t, v
			if last < 0 { // the same end twice in a row
				fhi /= 2
			}
			last = -1
		} else {
			hi, fhi = t, v
			if last > 0 {
				flo /= 2
			}
			last = 1
		}
	}
	return a.Lerp(b, t)
}

// lattice is a body-centred cubic lattice. A place in it has three coordinates in half cells, all even at corners of
// cells and all odd at centres.
type lattice struct {
	cells   [3]int
	corner  r3.Vec
	size    float64
	corners int       // number of corners, which come before the centres
	value   []float64 // by vertex: the distance, negative inside; 0 once on the surface
	moved   map[int32]r3.Vec
	cut     map[[2]int32]r3.Vec // by edge, the smaller vertex first
	root    func(a, b r3.Vec, fa, fb float64) r3.Vec
}

type place [3]int

func newLattice(cells [3]int, corner r3.Vec, size float64) *lattice {
	corners := (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1)
	return &lattice{
		cells: cells, corner: corner, size: size, corners: corners,
		value: make([]float64, corners+cells[0]*cells[1]*cells[2]),
		moved: map[int32]r3.Vec{}, cut: map[[2]int32]r3.Vec{},
	}
}

// vertex returns the number of a place.
func (l *lattice) vertex(p place) int32 {
	if p[0]&1 == 0 {
		return int32((p[2]/2*(l.cells[1]+1)+p[1]/2)*(l.cells[0]+1) + p[0]/2)
	}
	return int32(l.corners + (p[2]/2*l.cells[1]+p[1]/2)*l.cells[0] + p[0]/2)
}

// place undoes vertex.
func (l *lattice) place(v int32) place {
	i, n, odd := int(v), [2]int{l.cells[0] + 1, l.cells[1] + 1}, 0
	if i >= l.corners {
		i, n, odd = i-l.corners, [2]int{l.cells[0], l.cells[1]}, 1
	}
	return place{2*(i%n[0]) + odd, 2*(i/n[0]%n[1]) + odd, 2*(i/n[0]/n[1]) + odd}
}

func (l *lattice) has(p place) bool {
	for i, c := range p {
		if c < 0 || c > 2*l.cells[i] {
			return false
		}
	}
	return true
}

// at returns where a vertex is now.
func (l *lattice) at(v int32) r3.Vec {
	if x, ok := l.moved[v]; ok {
		return x
	}
	p := l.place(v)
	return l.corner.Add(r3.V(float64(p[0]), float64(p[1]), float64(p[2])).Scale(l.size / 2))
}

// evaluate finds the values of all vertices: the distance where the surface is near, and for blocks that are far from
// it only on which side they are.
func (l *lattice) evaluate(f Field) {
	const block = 2 // cells
	reach := (block*math.Sqrt(3)/2 + 1.01) * l.size
	for k := 0; k <= l.cells[2]; k += block {
		for j := 0; j <= l.cells[1]; j += block {
			for i := 0; i <= l.cells[0]; i += block {
				middle := r3.V(float64(i), float64(j), float64(k)).Add(r3.V(block/2, block/2, block/2))
				all, _ := f.Distance(l.corner.AddScaled(l.size, middle))
				for c := range 2 * block * block * block {
					cell := c / 2
					p := place{2 * (i + cell%block), 2 * (j + cell/block%block), 2 * (k + cell/block/block)}
					if c&1 == 1 {
						p = place{p[0] + 1, p[1] + 1, p[2] + 1}
					}
					if !l.has(p) {
						continue
					}
					v := l.vertex(p)
					if l.value[v] = all; math.Abs(all) <= reach {
						l.value[v], _ = f.Distance(l.at(v))
					}
				}
			}
		}
	}
}

// cutPoint returns where the surface crosses the edge between two vertices with values of opposite signs.
func (l *lattice) cutPoint(a, b int32) r3.Vec {
	if a > b {
		a, b = b, a
	}
	x, ok := l.cut[[2]int32{a, b}]
	if !ok {
		x = l.root(l.at(a), l.at(b), l.value[a], l.value[b])
		l.cut[[2]int32{a, b}] = x
	}
	return x
}

// ways are the steps to the neighbours of a place: six over long edges and eight over short ones.
var ways = [14]place{
	{2, 0, 0},
	{-2, 0, 0},
	{0, 2, 0},
	{0, -2, 0},
	{0, 0, 2},
	{0, 0, -2},
	{1, 1, 1},
	{-1, 1, 1},
	{1, -1, 1},
	{-1, -1, 1},
	{1, 1, -1},
	{-1, 1, -1},
	{1, -1, -1},
	{-1, -1, -1},
}

// warp moves violated vertices onto the surface, each to the cut point that violates it most.
func (l *lattice) warp() {
	for i := range l.value {
		v := int32(i)
		// vertices near the surface, and not on it yet
		if l.value[v] == 0 || math.Abs(l.value[v]) > 1.01*l.size {
			continue
		}
		p, at := l.place(v), l.at(v)
		// neighbours on the other side, whose cut is too close to this vertex
		worst, to := 1.0, r3.Vec{}
		for k, way := range ways {
			q := place{p[0] + way[0], p[1] + way[1], p[2] + way[2]}
			if !l.has(q) {
				continue
			}
			u := l.vertex(q)
			if l.value[v]*l.value[u] >= 0 {
				continue
			}
			// how close it may be: edges are of two lengths
			near := nearLong * l.size
			if k >= 6 {
				near = nearShort * math.Sqrt(3) / 2 * l.size
			}
			x := l.cutPoint(v, u)
			if share := x.Sub(at).Norm() / near; share < worst {
				worst, to = share, x
			}
		}
		// onto the worst, where it is on the surface
		if worst < 1 {
			l.moved[v] = to
			l.value[v] = 0
		}
	}
}

// stuffer collects the tets.
type stuffer struct {
	l      *lattice
	s      *mesh.Tets
	vertex []int32            // by lattice vertex, plus one
	cut    map[[2]int32]int32 // by edge
}

// stuffed returns the part of all lattice tets that is inside.
func (l *lattice) stuffed() *mesh.Tets {
	b := stuffer{l: l, s: &mesh.Tets{}, vertex: make([]int32, len(l.value)), cut: map[[2]int32]int32{}}
	for v := l.corners; v < len(l.value); v++ {
		c := l.place(int32(v))
		for axis := range 3 {
			next := c
			next[axis] += 2
			if !l.has(next) {
				continue
			}
			// The corners of the face between the two centres, around it.
			x, y := (axis+1)%3, (axis+2)%3
			var face [4]int32
			for i, side := range [4][2]int{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				p := c
				p[axis]++
				p[x] += side[0]
				p[y] += side[1]
				face[i] = l.vertex(p)
			}
			for i := range face {
				b.tet([4]int32{int32(v), l.vertex(next), face[i], face[(i+1)%4]})
			}
		}
	}
	return b.s
}

// tet adds the part inside of a lattice tet.
func (b *stuffer) tet(v [4]int32) {
	// corners inside, on the surface and outside
	var in, on, out [4]int32
	var ins, ons, outs int
	for _, k := range v {
		switch f := b.l.value[k]; {
		case f < 0:
			in[ins] = k
			ins++
		case f == 0:
			on[ons] = k
			ons++
		default:
			out[outs] = k
			outs++
		}
	}
	// what is inside, cut off where it leaves the surface
	p, q, r := in[0], in[1], in[2]
	switch {
	case ins == 0:
	case outs == 0:
		b.add([4]int32{b.at(v[0]), b.at(v[1]), b.at(v[2]), b.at(v[3])})
	case ins == 1:
		t := [4]int32{b.at(p)}
		for i, k := range on[:ons] {
			t[1+i] = b.at(k)
		}
		for i, k := range out[:outs] {
			t[1+ons+i] = b.cutAt(p, k)
		}
		b.add(t)
	case ins == 2 && ons == 1:
		apex, n := b.at(on[0]), out[0]
		if !b.fromFirst(p, q, n) {
			p, q = q, p
		}
		b.add([4]int32{apex, b.at(p), b.at(q), b.cutAt(q, n)})
		b.add([4]int32{apex, b.at(p), b.cutAt(q, n), b.cutAt(p, n)})
	case ins == 2:
		n, m := out[0], out[1]
		b.betterPrism(
			[3]int32{b.at(p), b.cutAt(p, n), b.cutAt(p, m)},
			[3]int32{b.at(q), b.cutAt(q, n), b.cutAt(q, m)},
			b.fromFirst(p, q, n), b.fromFirst(p, q, m),
		)
	default:
		n := out[0]
		tets, _ := prismTets(
			[3]int32{b.at(p), b.at(q), b.at(r)},
			[3]int32{b.cutAt(p, n), b.cutAt(q, n), b.cutAt(r, n)},
			b.fromFirst(p, q, n), b.fromFirst(p, r, n), b.fromFirst(q, r, n),
		)
		for _, t := range tets {
			b.add(t)
		}
	}
}

// fromFirst reports whether the quadrangle of p and q, inside, and the cut points on their edges to n is cut from p to
// the cut point of q instead of the other way.
func (b *stuffer) fromFirst(p, q, n int32) bool {
	if pLong, qLong := b.long(p, n), b.long(q, n); pLong || qLong {
		return qLong
	}
	at := b.l.place(p)
	return (at[0]/2+at[1]/2+at[2]/2)&1 == 0
}

// long reports whether the edge between two neighbours is a long one: from corner to corner or from centre to centre.
func (b *stuffer) long(p, q int32) bool { return (int(p) < b.l.corners) == (int(q) < b.l.corners) }

// betterPrism adds a prism whose last quadrangle may be cut either way.
func (b *stuffer) betterPrism(low, high [3]int32, from01, from02 bool) {
	best, better := [3][4]int32{}, -1.0
	for _, from12 := range [2]bool{true, false} {
		tets, ok := prismTets(low, high, from01, from02, from12)
		if !ok {
			continue
		}
		three := mesh.Tets{X: b.s.X, Tet: tets[:]}
		least, most := three.Dihedral()
		if margin := min(least, math.Pi-most); margin > better+1e-9 { // by more than rounding
			best, better = tets, margin
		}
	}
	for _, t := range best {
		b.add(t)
	}
}

// prismTets cuts a prism with the triangles low and high; fromij says that the diagonal of the quadrangle between
// corners i and j goes from low i to high j, not from low j to high i. It reports false if the diagonals go round.
func prismTets(low, high [3]int32, from01, from02, from12 bool) (tets [3][4]int32, ok bool) {
	// how many diagonals end at each corner of the high triangle
	rank := [3]int{}
	for _, pair := range [3]struct {
		i, j int
		from bool
	}{{0, 1, from01}, {0, 2, from02}, {1, 2, from12}} {
		if pair.from {
			rank[pair.j]++
		} else {
			rank[pair.i]++
		}
	}
	// diagonals that go round
	if rank == [3]int{1, 1, 1} {
		return tets, false
	}
	// corners in order
	var first, second, third int
	for i, r := range rank {
		switch r {
		case 0:
			first = i
		case 1:
			second = i
		default:
			third = i
		}
	}
	// three tets along the diagonals
	return [3][4]int32{
		{low[first], low[second], low[third], high[third]},
		{low[first], low[second], high[second], high[third]},
		{low[first], high[first], high[second], high[third]},
	}, true
}

// at returns the vertex of the solid at a lattice vertex.
func (b *stuffer) at(v int32) int32 {
	if b.vertex[v] == 0 {
		b.s.X = append(b.s.X, b.l.at(v))
		b.vertex[v] = int32(len(b.s.X))
	}
	return b.vertex[v] - 1
}

// cutAt returns the vertex of the solid at a cut point.
func (b *stuffer) cutAt(p, n int32) int32 {
	edge := [2]int32{min(p, n), max(p, n)}
	v, ok := b.cut[edge]
	if !ok {
		v = int32(len(b.s.X))
		b.s.X = append(b.s.X, b.l.cutPoint(p, n))
		b.cut[edge] = v
	}
	return v
}

// add adds a tet, turned so that its volume is positive.
func (b *stuffer) add(t [4]int32) {
	b.s.Tet = append(b.s.Tet, t)
	if i := len(b.s.Tet) - 1; b.s.TetVolume(int32(i)) < 0 {
		b.s.Tet[i][2], b.s.Tet[i][3] = t[3], t[2]
	}
}
