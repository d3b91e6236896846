package shape

import (
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Tube returns an open tube of cloth around the Z axis, between -length/2 and length/2: a belt or a
// sleeve. It has around vertices in each ring, at radius [m] from the axis, and along cells from end to
// end, and it looks outwards. Vertex i of ring j, counted upwards, is j around + i.
//
// Its rest shape is a flat strip with a seam above +X, with X around the tube and Y along it. The strip
// is as wide as the polygon of a ring, not as the circle, so that the tube is bent but not stretched. It
// panics if a length is not positive or there are fewer than 3 vertices in a ring or no cell.
func Tube(radius, length float64, around, along int) (*mesh.Mesh, []r3.Vec) {
	// sizes
	checkSolid("tube", around, 3, radius, length)
	checkSolid("tube", along, 1)
	// rings, and rows of the strip, which has one column more for the seam
	width := 2 * radius * math.Sin(math.Pi/float64(around)) * float64(around)
	var material []r3.Vec2
	var pos []r3.Vec
	for j := range along + 1 {
		up := float64(j) / float64(along)
		for i := range around + 1 {
			material = append(material, r3.Vec2{X: width * (float64(i) / float64(around)), Y: length * up})
		}
		pos = append(pos, ring(radius, length*(up-0.5), around)...)
	}
	// cells of two triangles, in space and on the strip
	var tri, corner [][3]int32
	for j := range int32(along) {
		for i := range int32(around) {
			a, b := j*int32(around)+i, j*int32(around)+(i+1)%int32(around)
			c, d := b+int32(around), a+int32(around)
			tri = append(tri, [3]int32{a, b, c}, [3]int32{a, c, d})
			row := int32(around) + 1
			p := j*row + i
			corner = append(corner, [3]int32{p, p + 1, p + 1 + row}, [3]int32{p, p + 1 + row, p + row})
		}
	}
	// the mesh
	m, err := mesh.New(len(pos), tri, material, corner)
	if err != nil {
		panic("shape: tube with cells too long for their width: " + err.Error())
	}
	return m, pos
}

// Annulus returns a flat ring of cloth in the xy plane around the origin, between the radii inner and
// outer [m], that looks up. It has around vertices in each circle and rings cells from the inner to the
// outer one. Vertex i of circle j, counted outwards, is j around + i, and the first is on +X. Material
// points are the positions. It panics if outer is not beyond inner and that not beyond 0, or if there
// are fewer than 3 vertices in a circle or no cell.
func Annulus(inner, outer float64, around, rings int) (*mesh.Mesh, []r3.Vec) {
	checkSolid("annulus", around, 3, inner, outer, outer-inner)
	checkSolid("annulus", rings, 1)
	var pos []r3.Vec
	for j := range rings + 1 {
		s := float64(j) / float64(rings)
		pos = append(pos, ring(inner*(1-s)+outer*s, 0, around)...)
	}
	var tri [][3]int32
	for j := range int32(rings) {
		for i := range int32(around) {
			a, b := j*int32(around)+i, j*int32(around)+(i+1)%int32(around)
			c, d := b+int32(around), a+int32(around)
			tri = append(tri, [3]int32{a, d, c}, [3]int32{a, c, b})
		}
	}
	material := make([]r3.Vec2, len(pos))
	for i, p := range pos {
		material[i] = r3.Vec2{X: p.X, Y: p.Y}
	}
	m, err := mesh.New(len(pos), tri, material, nil)
	if err != nil {
		panic("shape: annulus with cells too long for their width: " + err.Error())
	}
	return m, pos
}

// ring returns n points at equal steps on a circle around the Z axis, the first above +X.
func ring(radius, z float64, n int) []r3.Vec {
	pos := make([]r3.Vec, n)
	for i := range pos {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		pos[i] = r3.V(radius*c, radius*s, z)
	}
	return pos
}
