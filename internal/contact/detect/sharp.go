package detect

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Sharp features of shapes. The vertices of a skin keep out of a shape, but its corners and edges can still come
// through between them. So they are tested, as points against faces and as segments against edges of skins; a rim
// becomes a polygon. Where such a pair meets, the field is asked at the point of the skin (rule_pairs.go), so that the
// polygon's distance to the rim is not felt. Smooth parts can come through between vertices, too (rule_faces.go).
//
// Contacts of corners, such as the tip of a cone, keep the weights of their place on the face and do not move to a
// node. Around a tip the faces of a skin stand up like a tent, and on one node six to eight contacts with normals all
// around would ask for more than its velocity can obey.

// sagitta is how far a polygon may be from its rim, in thicknesses.
const sagitta = 0.1

// rimMost bounds the sides of a polygon.
const rimMost = 4096

// pieces is how many parts the edge of a box is cut into, so that the box around one that lies askew is not as
// large as the shape's.
const pieces = 8

// sharpFeatures returns the points and the edges, as pairs of points, of a shape. The first of the points are its
// corners; others divide edges and rims.
func sharpFeatures(field geom.Field, thickness float64) (points []r3.Vec, edges [][2]int32, corners int) {
	switch s := field.(type) {
	case shape.Placed:
		// from the axes of the shape to those around it
		points, edges, corners = sharpFeatures(s.Shape, thickness)
		for i, p := range points {
			points[i] = s.Pose.Apply(p)
		}
	case shape.Box:
		// corners, one by each choice of signs
		for i := range 8 {
			sign := func(bit int) float64 { return float64(2*(i>>bit&1) - 1) }
			points = append(points, r3.V(sign(0)*s.Half.X, sign(1)*s.Half.Y, sign(2)*s.Half.Z))
		}
		corners = len(points)
		// edges between corners that differ in one sign
		for i := range 8 {
			for bit := range 3 {
				if i>>bit&1 == 0 {
					points, edges = addPieces(points, edges, int32(i), int32(i|1<<bit))
				}
			}
		}
	case shape.Cylinder:
		// rims of both ends
		points, edges = addRim(points, edges, s.Radius, -s.Half, thickness)
		points, edges = addRim(points, edges, s.Radius, s.Half, thickness)
	case shape.Cone:
		// tip and rim
		points, edges = addRim([]r3.Vec{{Z: s.Height}}, edges, s.Radius, 0, thickness)
		corners = 1
	}
	return points, edges, corners
}

// addPieces appends the parts of the edge between two points.
func addPieces(points []r3.Vec, edges [][2]int32, from, to int32) ([]r3.Vec, [][2]int32) {
	last := from
	for k := 1; k < pieces; k++ {
		next := int32(len(points))
		points = append(points, points[from].Lerp(points[to], float64(k)/pieces))
		edges = append(edges, [2]int32{last, next})
		last = next
	}
	return points, append(edges, [2]int32{last, to})
}

// addRim appends a regular polygon in the circle around the Z axis at height z.
func addRim(points []r3.Vec, edges [][2]int32, radius, z, thickness float64) ([]r3.Vec, [][2]int32) {
	// The sagitta of a side is radius (1 − cos(π/n)).
	n := 8
	if c := 1 - sagitta*thickness/radius; c > 0 {
		n = min(max(n, int(math.Ceil(math.Pi/math.Acos(c)))), rimMost)
	}
	first := int32(len(points))
	for k := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		points = append(points, r3.V(radius*cos, radius*sin, z))
		edges = append(edges, [2]int32{first + int32(k), first + int32((k+1)%n)})
	}
	return points, edges
}

// sharpSurface makes a surface of them.
func sharpSurface(points []r3.Vec, edges [][2]int32) surface {
	s := surface{edge: slices.Clone(edges), home: make([]int32, len(edges)), corner: make([]int32, len(points))}
	for e := range s.edge {
		s.edge[e] = [2]int32{min(s.edge[e][0], s.edge[e][1]), max(s.edge[e][0], s.edge[e][1])}
		s.home[e] = -1
	}
	for v := range s.corner {
		s.corner[v] = -1
	}
	s.across.Start = make([]int32, len(edges)+1)
	s.listAround(len(points))
	return s
}
