package shape

// Solids cut into tets.
//
// A block has five tets in a cell, one in the middle and one at every second corner; neighbouring cells are mirror
// images, so that faces match and no direction is preferred. A ball is an icosahedron whose 20 pyramids are cut into n³
// tets each: small tets upright, octahedra, which are cut into four around their shortest diagonal, and small tets
// upside down; every layer is then blown up to a sphere. What has layers (shells, extrusions) is made of prisms with
// three tets each.

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// cellTets are the tets of cells of even and odd place; corners are bits x, y, z.
var cellTets = [2][5][4]int32{
	{{0, 3, 6, 5}, {0, 1, 3, 5}, {0, 3, 2, 6}, {0, 6, 4, 5}, {3, 6, 5, 7}},
	{{1, 2, 4, 7}, {0, 1, 2, 4}, {1, 3, 2, 7}, {1, 4, 5, 7}, {2, 4, 7, 6}},
}

// Block returns a box around the origin with sides of twice half [m] along the axes, in nx by ny by nz cells of five
// tets. Vertices are numbered along x first and z last, so that those of the skin do not come first: see
// mesh.Tets.SkinFirst. It panics if a length or a number of cells is not positive.
func Block(half r3.Vec, nx, ny, nz int) *mesh.Tets {
	checkSolid("block", min(nx, ny, nz), 1, half.X, half.Y, half.Z)
	s := &mesh.Tets{}
	place := func(half float64, i, n int) float64 { return half * (float64(2*i)/float64(n) - 1) }
	for k := range nz + 1 {
		for j := range ny + 1 {
			for i := range nx + 1 {
				s.X = append(s.X, r3.V(place(half.X, i, nx), place(half.Y, j, ny), place(half.Z, k, nz)))
			}
		}
	}
	row, plane := int32(nx+1), int32((nx+1)*(ny+1))
	for k := range int32(nz) {
		for j := range int32(ny) {
			for i := range int32(nx) {
				first := k*plane + j*row + i
				for _, t := range cellTets[(i+j+k)&1] {
					for c, b := range t {
						t[c] = first + b&1 + b>>1&1*row + b>>2*plane
					}
					s.Tet = append(s.Tet, t)
				}
			}
		}
	}
	return s
}

// Boxes returns the union of boxes in cells of five tets with sides of cell [m]: all cells with their middles in one of
// them, counted from the lowest corner of all. It returns nil if there is none, and panics if cell is not positive.
func Boxes(boxes []r3.Box, cell float64) *mesh.Tets {
	// the lattice around all boxes
	checkSolid("boxes", 1, 1, cell)
	all := r3.EmptyBox()
	for _, b := range boxes {
		all = all.Union(b)
	}
	count := func(length float64) int { return int(math.Round(length / cell)) }
	size := all.Size()
	nx, ny, nz := count(size.X), count(size.Y), count(size.Z)
	at := func(i, j, k float64) r3.Vec { return all.Min.AddScaled(cell, r3.V(i, j, k)) }
	// cells in one of them, their vertices numbered as they come
	s := &mesh.Tets{}
	vertex := map[[3]int]int32{}
	for k := range nz {
		for j := range ny {
			for i := range nx {
				middle := at(float64(i)+0.5, float64(j)+0.5, float64(k)+0.5)
				if !slices.ContainsFunc(boxes, func(b r3.Box) bool { return b.Contains(middle) }) {
					continue
				}
				// five tets, cut the other way in every second cell
				for _, t := range cellTets[(i+j+k)&1] {
					for c, b := range t {
						key := [3]int{i + int(b&1), j + int(b>>1&1), k + int(b>>2)}
						v, known := vertex[key]
						if !known {
							v = int32(len(s.X))
							vertex[key] = v
							s.X = append(s.X, at(float64(key[0]), float64(key[1]), float64(key[2])))
						}
						t[c] = v
					}
					s.Tet = append(s.Tet, t)
				}
			}
		}
	}
	// no cell at all
	if len(s.Tet) == 0 {
		return nil
	}
	return s
}

// Ball returns a ball of the given radius [m] around the origin in n layers and 20 n³ tets. Its skin has 20 n²
// triangles with corners on the sphere. It panics if the radius or n is not positive.
func Ball(radius float64, n int) *mesh.Tets {
	checkSolid("ball", n, 1, radius)
	return roundGrid(radius, n, icosahedron[:], icosahedronFaces[:])
}

// Shell returns a hollow ball between the radii inner and outer [m] around the origin. Both spheres have 20 n²
// triangles, and there are as many layers of prisms between them. It panics if outer is not beyond inner and that not
// beyond 0, or if n or layers is not positive.
func Shell(inner, outer float64, n, layers int) *mesh.Tets {
	checkSolid("shell", min(n, layers), 1, inner, outer, outer-inner)
	// The skin of the ball comes with vertices of the inside, which are left out.
	ball, _, onSkin := Ball(1, n).SkinFirst()
	s := &mesh.Tets{}
	for l := range layers + 1 {
		t := float64(l) / float64(layers)
		for _, x := range ball.X[:onSkin] {
			s.X = append(s.X, x.Scale(inner*(1-t)+outer*t))
		}
	}
	s.Tet = prisms(ball.Skin(), onSkin, layers)
	return s
}

// icosahedronFaces look outwards; vertices are those of icosahedron.
var icosahedronFaces = [20][3]int32{
	{0, 1, 8},
	{0, 8, 4},
	{0, 4, 5},
	{0, 5, 10},
	{0, 10, 1},
	{1, 6, 8},
	{8, 6, 9},
	{8, 9, 4},
	{4, 9, 2},
	{4, 2, 5},
	{5, 2, 11},
	{5, 11, 10},
	{10, 11, 7},
	{10, 7, 1},
	{1, 7, 6},
	{3, 9, 6},
	{3, 2, 9},
	{3, 11, 2},
	{3, 7, 11},
	{3, 6, 7},
}

// icosahedron has its corners on the unit sphere, in three golden rectangles.
var icosahedron = func() (x [12]r3.Vec) {
	long := math.Sqrt((5 + math.Sqrt(5)) / 10)
	short := math.Sqrt((5 - math.Sqrt(5)) / 10)
	for i := range 4 {
		s := short * float64(1-2*(i&1))
		l := long * float64(1-i&2)
		x[i] = r3.V(s, l, 0)
		x[4+i] = r3.V(l, 0, s)
		x[8+i] = r3.V(0, s, l)
	}
	return x
}()

type ballGrid struct {
	radius float64
	n      int
	corner []r3.Vec
	s      *mesh.Tets
	vertex map[[6]int32]int32 // by corners, ascending, and steps to each of them; never ranged over
}

// roundGrid cuts what is between the origin and triangles with corners on the unit sphere into n layers, each blown up
// to a sphere.
func roundGrid(radius float64, n int, corner []r3.Vec, faces [][3]int32) *mesh.Tets {
	b := ballGrid{radius: radius, n: n, corner: corner, s: &mesh.Tets{}, vertex: map[[6]int32]int32{}}
	for _, face := range faces {
		b.pyramid(face)
	}
	return b.s
}

// at returns the vertex that is w steps from the centre towards each corner of a face.
func (b *ballGrid) at(face, w [3]int32) int32 {
	key := [6]int32{-1, -1, -1}
	n := 0
	order := [3]int{0, 1, 2}
	slices.SortFunc(order[:], func(i, j int) int { return int(face[i] - face[j]) })
	var sum r3.Vec
	for _, i := range order {
		if w[i] > 0 {
			key[n], key[3+n] = face[i], w[i]
			sum = sum.AddScaled(float64(w[i]), b.corner[face[i]])
			n++
		}
	}
	v, ok := b.vertex[key]
	if !ok {
		v = int32(len(b.s.X))
		b.vertex[key] = v
		layer := float64(w[0]+w[1]+w[2]) / float64(b.n)
		b.s.X = append(b.s.X, sum.Unit().Scale(b.radius*layer))
	}
	return v
}

// pyramid cuts what is between the centre and a face into n³ tets.
func (b *ballGrid) pyramid(face [3]int32) {
	n := int32(b.n)
	for i := range n {
		for j := range n - i {
			for k := range n - i - j {
				at := func(di, dj, dk int32) int32 { return b.at(face, [3]int32{i + di, j + dj, k + dk}) }
				b.add(at(0, 0, 0), at(1, 0, 0), at(0, 1, 0), at(0, 0, 1))
				if left := n - i - j - k; left >= 2 {
					b.octahedron(
						[2]int32{at(1, 0, 0), at(0, 1, 1)},
						[2]int32{at(0, 1, 0), at(1, 0, 1)},
						[2]int32{at(0, 0, 1), at(1, 1, 0)},
					)
					if left >= 3 {
						b.add(at(1, 1, 0), at(0, 1, 1), at(1, 0, 1), at(1, 1, 1))
					}
				}
			}
		}
	}
}

// octahedron cuts one with the given diagonals into four tets around its shortest diagonal.
func (b *ballGrid) octahedron(d ...[2]int32) {
	x := b.s.X
	length := func(d [2]int32) float64 { return x[d[0]].Sub(x[d[1]]).Norm() }
	best := 0
	for i := range d {
		if length(d[i]) < (1-1e-9)*length(d[best]) { // by more than rounding
			best = i
		}
	}
	axis, p, q := d[best], d[(best+1)%3], d[(best+2)%3]
	around := [4]int32{p[0], q[0], p[1], q[1]}
	for i, v := range around {
		b.add(axis[0], axis[1], v, around[(i+1)%4])
	}
}

// add adds a tet, turned so that its volume is positive.
func (b *ballGrid) add(v0, v1, v2, v3 int32) {
	b.s.Tet = append(b.s.Tet, [4]int32{v0, v1, v2, v3})
	if t := len(b.s.Tet) - 1; b.s.TetVolume(int32(t)) < 0 {
		b.s.Tet[t] = [4]int32{v0, v1, v3, v2}
	}
}

// prisms returns the tets of a triangle mesh of so many points that is repeated in layers, one above the other on the
// side from which triangles are counter-clockwise. Vertex i of layer l is l points + i.
//
// The diagonal over an edge goes up from the end that comes first in some order, and in every second layer from the
// other one: such diagonals never go round a prism, which could not be cut then. The order is scattered, so that
// diagonals have no direction in common.
func prisms(tri [][3]int32, points, layers int) [][4]int32 {
	tets := make([][4]int32, 0, 3*len(tri)*layers)
	for l := range layers {
		low, high := int32(l*points), int32((l+1)*points)
		for _, v := range tri {
			odd := false
			for _, i := range [3]int{0, 1, 0} {
				if before := scattered(v[i]) < scattered(v[i+1]); before != (l&1 == 0) {
					v[i], v[i+1] = v[i+1], v[i]
					odd = !odd
				}
			}
			a, b, c := low+v[0], low+v[1], low+v[2]
			d, e, f := high+v[0], high+v[1], high+v[2]
			three := [3][4]int32{{a, b, c, f}, {a, b, f, e}, {a, d, e, f}}
			for _, t := range three {
				if odd {
					t[0], t[1] = t[1], t[0]
				}
				tets = append(tets, t)
			}
		}
	}
	return tets
}

// scattered gives every number another one (multiplication by an odd number is one to one) without visible order.
func scattered(i int32) uint32 { return uint32(i) * 2654435761 }
