package untangle

// What the body is made of: triangles around vertices, neighbours, holes and shells.
//
// A body may have several shells and holes, such as those at a neck. The inside test needs a closed surface, so every
// hole is closed by a fan of triangles around the middle of its rim. They count for the inside test alone: nothing is
// pushed away from them.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/r3"
)

// spaceMesh is the connectivity of a body. Vertices from real on are the middles of holes, triangles from faces on
// their lids.
type spaceMesh struct {
	tri    [][3]int32
	real   int // vertices of the body
	faces  int // triangles of the body
	rims   [][]int32
	at     lists.Lists // triangles around each vertex, lids among them
	around lists.Lists // neighbours of each vertex along edges of the body
	shell  []int32     // of each vertex of the body; those that no triangle has are shells too
	shells int         // shells that have triangles
}

// halfEdge is a side of a triangle.
type halfEdge struct{ from, to, tri int32 }

// newSpaceMesh connects the triangles, or says what keeps them from being a surface with two sides.
func newSpaceMesh(vertices int, tri [][3]int32) (*spaceMesh, error) {
	m := &spaceMesh{tri: slices.Clone(tri), real: vertices, faces: len(tri)}
	// half-edges of triangles with three different corners
	sides := make([]halfEdge, 0, 3*len(tri))
	for t, v := range tri {
		if min(v[0], v[1], v[2]) < 0 || int(max(v[0], v[1], v[2])) >= vertices {
			return nil, fmt.Errorf("triangle %d is %v, but there are %d vertices", t, v, vertices)
		}
		if v[0] == v[1] || v[1] == v[2] || v[2] == v[0] {
			return nil, fmt.Errorf("triangle %d has the corners %v: two are the same", t, v)
		}
		for k := range 3 {
			sides = append(sides, halfEdge{v[k], v[(k+1)%3], int32(t)})
		}
	}
	// no side may come twice in the same direction
	slices.SortFunc(sides, func(p, q halfEdge) int {
		return cmp.Or(cmp.Compare(p.from, q.from), cmp.Compare(p.to, q.to), cmp.Compare(p.tri, q.tri))
	})
	for i := 1; i < len(sides); i++ {
		if a, b := sides[i-1], sides[i]; a.from == b.from && a.to == b.to {
			return nil, fmt.Errorf(
				"triangles %d and %d have the same side from vertex %d to %d: they face opposite ways, or more than two meet at an edge; "+
					"toile check --fix turns them",
				a.tri,
				b.tri,
				a.from,
				a.to,
			)
		}
	}
	// lids on holes, then neighbours
	if err := m.close(sides); err != nil {
		return nil, err
	}
	m.connect()
	return m, nil
}

// close puts lids on holes.
func (m *spaceMesh) close(sides []halfEdge) error {
	next := make([]int32, m.real) // along the rims, against the direction of the body's own sides
	for i := range next {
		next[i] = None
	}
	var starts []int32
	for _, s := range sides {
		_, paired := slices.BinarySearchFunc(sides, halfEdge{from: s.to, to: s.from}, func(p, q halfEdge) int {
			return cmp.Or(cmp.Compare(p.from, q.from), cmp.Compare(p.to, q.to))
		})
		if paired {
			continue
		}
		if next[s.to] != None {
			return fmt.Errorf(
				"two holes meet at vertex %d, so that it cannot be told which is which; weld the vertices there or split them",
				s.to,
			)
		}
		next[s.to] = s.from
		starts = append(starts, s.to)
	}
	seen := make([]bool, m.real)
	for _, start := range starts {
		if seen[start] {
			continue
		}
		middle := int32(m.real + len(m.rims))
		var rim []int32
		for v := start; !seen[v]; v = next[v] {
			seen[v] = true
			rim = append(rim, v)
		}
		for i, v := range rim {
			m.tri = append(m.tri, [3]int32{v, rim[(i+1)%len(rim)], middle})
		}
		m.rims = append(m.rims, rim)
	}
	return nil
}

// connect lists triangles and neighbours of vertices, and numbers shells.
func (m *spaceMesh) connect() {
	// triangles around each vertex
	m.at.Fill(m.real+len(m.rims), func(put func(index, item int32)) {
		for t, v := range m.tri {
			for _, i := range v {
				put(i, int32(t))
			}
		}
	})
	// neighbours of each vertex, sorted
	m.around.Start = make([]int32, m.real+1)
	var beside []int32
	for i := range int32(m.real) {
		beside = beside[:0]
		for _, t := range m.at.Of(i) {
			for _, j := range m.tri[t] {
				if j != i && int(j) < m.real {
					beside = append(beside, j)
				}
			}
		}
		slices.Sort(beside)
		m.around.Items = append(m.around.Items, slices.Compact(beside)...)
		m.around.Start[i+1] = int32(len(m.around.Items))
	}
	// shells: none is known yet
	m.shell = make([]int32, m.real)
	for i := range m.shell {
		m.shell[i] = None
	}
	var stack []int32
	count := int32(0)
	// a shell is what can be reached along edges
	for i := range m.shell {
		if m.shell[i] != None {
			continue
		}
		if len(m.around.Of(int32(i))) > 0 {
			m.shells++
		}
		m.shell[i] = count
		stack = append(stack[:0], int32(i))
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, j := range m.around.Of(v) {
				if m.shell[j] == None {
					m.shell[j] = count
					stack = append(stack, j)
				}
			}
		}
		count++
	}
}

// turned returns how many shells enclose a negative volume: they are inside out, or hollows.
func (m *spaceMesh) turned(x []r3.Vec) int {
	volume := map[int32]float64{}
	for _, v := range m.tri {
		volume[m.shell[min(v[0], v[1], v[2])]] += x[v[0]].Dot(x[v[1]].Cross(x[v[2]]))
	}
	n := 0
	for _, six := range volume { // a count does not depend on the order
		if six < 0 {
			n++
		}
	}
	return n
}

// middles puts the middles of holes behind the vertices.
func (m *spaceMesh) middles(x []r3.Vec) {
	for k, rim := range m.rims {
		var sum r3.Vec
		for _, v := range rim {
			sum = sum.Add(x[v])
		}
		x[m.real+k] = sum.Scale(1 / float64(len(rim)))
	}
}
