package shape

import (
	"math"

	"github.com/toile-sim/toile/internal/portable"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// HalfBall returns the lower half of a ball of the given radius [m] around the origin, cut finely at its lowest point:
// up to the distance fine [m] from there edges are about fine/n long, and beyond they grow with the distance.
//
// It is made below a plane, where it is half a ball of twice the radius around the point: n layers of tets up to fine,
// and then layers of prisms, each thicker than the last by the same factor, e^(3/n) or less. An inversion, which keeps
// angles, then brings the plane to the sphere and the outermost layer to the flat top. It panics if fine is not between
// 0 and the radius or n is not positive.
func HalfBall(radius, fine float64, n int) *mesh.Tets {
	checkSolid("half ball", n, 1, radius, fine, radius-fine)
	s := lowerHalf(fine, n)
	points, tri := outermost(s, fine)
	layers := int(math.Ceil(float64(n) / 3 * math.Log(2*radius/fine)))
	inner := int32(len(s.X))
	for l := 1; l <= layers; l++ {
		grown := portable.Pow(2*radius/fine, float64(l)/float64(layers))
		for _, p := range points {
			s.X = append(s.X, s.X[p].Scale(grown))
		}
	}
	count := int32(len(points))
	for _, tet := range prisms(tri, len(points), layers) {
		for k, v := range tet {
			if v < count {
				tet[k] = points[v]
			} else {
				tet[k] = inner + v - count
			}
		}
		s.Tet = append(s.Tet, tet)
	}
	for i, x := range s.X {
		from := r3.V(-x.X, x.Y, x.Z-2*radius) // mirrored, since inversions mirror too
		s.X[i] = from.Scale(4 * radius * radius / from.Norm2()).Add(r3.V(0, 0, radius))
	}
	return s
}

// lowerHalf returns half a ball below the plane z = 0 in n layers and 6 n³ tets.
func lowerHalf(radius float64, n int) *mesh.Tets {
	corners, faces := []r3.Vec{{Z: -1}}, [][3]int32{}
	for k := range int32(6) {
		sin, cos := math.Sincos(math.Pi / 3 * float64(k))
		corners = append(corners, r3.V(cos, sin, 0))
		faces = append(faces, [3]int32{0, 1 + (k+1)%6, 1 + k})
	}
	return roundGrid(radius, n, corners, faces)
}

// outermost returns the vertices at the radius, and the triangles of the skin between them by their places there.
func outermost(s *mesh.Tets, radius float64) (points []int32, tri [][3]int32) {
	place := make([]int32, len(s.X))
	for i, x := range s.X {
		place[i] = -1
		if x.Norm() > (1-1e-9)*radius {
			place[i] = int32(len(points))
			points = append(points, int32(i))
		}
	}
	for _, v := range s.Skin() {
		if t := [3]int32{place[v[0]], place[v[1]], place[v[2]]}; min(t[0], t[1], t[2]) >= 0 {
			tri = append(tri, t)
		}
	}
	return points, tri
}
