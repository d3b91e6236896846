package check

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// The connectivity of any triangle soup. Unlike package mesh, which refuses what is not a surface,
// this one only describes it.

// halfSide is a triangle at an edge.
type halfSide struct {
	tri     int32
	forward bool // the triangle runs from the edge's smaller vertex to the larger one
}

type softEdge struct {
	a, b  int32 // a < b
	sides []halfSide
}

type topology struct {
	verts     int
	triangles [][3]int32
	skip      []bool     // triangles that are left out
	edges     []softEdge // sorted by vertex pair
}

// newTopology finds the edges of all triangles with three different vertices, but for those to skip; a
// nil skip skips none.
func newTopology(m *meshio.Mesh, skip []bool) *topology {
	if skip == nil {
		skip = make([]bool, len(m.Triangles))
	}

	type side struct {
		a, b int32
		halfSide
	}
	// sides of all triangles, their ends in order
	sides := make([]side, 0, 3*len(m.Triangles))
	for t, v := range m.Triangles {
		if skip[t] || v[0] == v[1] || v[1] == v[2] || v[2] == v[0] {
			continue
		}
		for k := range 3 {
			a, b := v[k], v[(k+1)%3]
			sides = append(sides, side{min(a, b), max(a, b), halfSide{int32(t), a < b}})
		}
	}
	// equal ones beside each other
	slices.SortFunc(sides, func(p, q side) int {
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b), cmp.Compare(p.tri, q.tri))
	})
	// an edge has all triangles that meet there
	tp := &topology{verts: len(m.Positions), triangles: m.Triangles, skip: skip}
	all := make([]halfSide, len(sides))
	for i := 0; i < len(sides); {
		j := i
		for ; j < len(sides) && sides[j].a == sides[i].a && sides[j].b == sides[i].b; j++ {
			all[j] = sides[j].halfSide
		}
		tp.edges = append(tp.edges, softEdge{sides[i].a, sides[i].b, all[i:j:j]})
		i = j
	}
	return tp
}

// components returns the number of pieces that hang together by edges or vertices.
func (tp *topology) components() int {
	f := lists.NewGroups(tp.verts)
	used := make([]bool, tp.verts)
	for i, t := range tp.triangles {
		if tp.skip[i] {
			continue
		}
		f.Join(t[0], t[1])
		f.Join(t[1], t[2])
		used[t[0]] = true
	}
	n := 0
	seen := make([]bool, tp.verts)
	for v := range used {
		if r := f.Of(int32(v)); used[v] && !seen[r] {
			seen[r] = true
			n++
		}
	}
	return n
}

// loops returns the number of closed lines that the boundary is made of.
func (tp *topology) loops() int {
	f := lists.NewGroups(tp.verts)
	on := make([]bool, tp.verts)
	for _, e := range tp.edges {
		if len(e.sides) == 1 {
			f.Join(e.a, e.b)
			on[e.a], on[e.b] = true, true
		}
	}
	n := 0
	for v := range on {
		if on[v] && f[v] == int32(v) {
			n++
		}
	}
	return n
}

// pinched returns the vertices whose triangles do not all hang together by edges at that vertex.
func (tp *topology) pinched() []int32 {
	f := lists.NewGroups(3 * len(tp.triangles)) // a corner of a triangle is a node
	corner := func(t, v int32) int32 {
		return 3*t + int32(slices.Index(tp.triangles[t][:], v))
	}
	for _, e := range tp.edges {
		for _, s := range e.sides[1:] {
			f.Join(corner(e.sides[0].tri, e.a), corner(s.tri, e.a))
			f.Join(corner(e.sides[0].tri, e.b), corner(s.tri, e.b))
		}
	}
	fan := make([]int32, tp.verts) // root of the first fan at each vertex, plus one
	marked := make([]bool, tp.verts)
	var out []int32
	for t, v := range tp.triangles {
		if tp.skip[t] {
			continue
		}
		for k, u := range v {
			r := f.Of(int32(3*t+k)) + 1
			if fan[u] == 0 {
				fan[u] = r
			} else if fan[u] != r && !marked[u] {
				marked[u] = true
				out = append(out, u)
			}
		}
	}
	slices.Sort(out)
	return out
}

// sidedness says for every triangle whether it must be turned so that neighbours across edges of two
// triangles face the same way, and whether that can be done at all. In every piece the side that the
// larger number of triangles has is kept.
func (tp *topology) sidedness() (turn []bool, ok bool) {
	type link struct {
		tri   int32
		agree bool
	}
	links := make([][]link, len(tp.triangles))
	for _, e := range tp.edges {
		if len(e.sides) != 2 {
			continue
		}
		p, q := e.sides[0], e.sides[1]
		agree := p.forward != q.forward
		links[p.tri] = append(links[p.tri], link{q.tri, agree})
		links[q.tri] = append(links[q.tri], link{p.tri, agree})
	}
	turn, ok = make([]bool, len(tp.triangles)), true
	seen := make([]bool, len(tp.triangles))
	var piece []int32
	for start := range tp.triangles {
		if seen[start] {
			continue
		}
		piece = append(piece[:0], int32(start))
		seen[start] = true
		turned := 0
		for i := 0; i < len(piece); i++ {
			t := piece[i]
			if turn[t] {
				turned++
			}
			for _, l := range links[t] {
				want := turn[t] // turned like t if they agree, unlike it if not
				if !l.agree {
					want = !want
				}
				switch {
				case !seen[l.tri]:
					seen[l.tri], turn[l.tri] = true, want
					piece = append(piece, l.tri)
				case turn[l.tri] != want:
					ok = false
				}
			}
		}
		if 2*turned > len(piece) {
			for _, t := range piece {
				turn[t] = !turn[t]
			}
		}
	}
	return turn, ok
}

// orientable reports whether all neighbours can be made to face the same way.
func (tp *topology) orientable() bool {
	_, ok := tp.sidedness()
	return ok
}

// coincident returns for every point an earlier point within distance tol of it, or itself. The result
// of a result is itself, so that it can be used to merge points. Points that are not finite stay alone.
func coincident(x []r3.Vec, tol float64) []int32 {
	onto := make([]int32, len(x))
	cells := make(map[[3]int64][]int32, len(x))
	for i, p := range x {
		onto[i] = int32(i)
		if !p.Finite() {
			continue
		}
		// Cells are as large as the tolerance, so that what is near is in a cell next to it.
		at := [3]int64{cellOf(p.X, tol), cellOf(p.Y, tol), cellOf(p.Z, tol)}
		if j, ok := nearOne(x, cells, p, at, tol); ok {
			onto[i] = j
			continue
		}
		cells[at] = append(cells[at], int32(i))
	}
	return onto
}

func cellOf(x, size float64) int64 {
	return int64(math.Floor(min(max(x/size, -1e18), 1e18)))
}

// nearOne returns the smallest of the points in cells that is within tol of p.
func nearOne(x []r3.Vec, cells map[[3]int64][]int32, p r3.Vec, at [3]int64, tol float64) (int32, bool) {
	best := int32(math.MaxInt32)
	for i := range int64(27) {
		key := [3]int64{at[0] + i%3 - 1, at[1] + i/3%3 - 1, at[2] + i/9 - 1}
		for _, j := range cells[key] {
			if j < best && x[j].Sub(p).Norm() <= tol {
				best = j
			}
		}
	}
	return best, best < math.MaxInt32
}
