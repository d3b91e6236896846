package shape

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/r3"
)

// finest is the least deviation that Surface aims at, relative to the radius. A sphere then has 120,000
// vertices; without a bound a careless tolerance would fill the memory.
const finest = 4e-5

// Surface returns triangles for the surface of a shape: a plane, sphere, capsule, box,
// cylinder or cone, placed or not. Vertices lie on the surface, and nothing of the surface is farther
// from the triangles than tolerance [m], or than 4e-5 of the radius if that is more. A plane becomes
// a square of 2 extent [m] around its point, which is all of it that is shown; other shapes become
// closed surfaces that look outwards. It panics if tolerance is not positive, and for other types of
// field, a mesh field among them: its caller has the mesh.
func Surface(f Field, tolerance, extent float64) (pos []r3.Vec, tri [][3]int32) {
	if !(tolerance > 0) {
		panic(fmt.Sprintf("shape: a field drawn to a tolerance of %g m", tolerance))
	}
	switch f := f.(type) {
	case Plane:
		pos, tri = Square(extent)
		return moved(r3.Pose{R: Along(r3.Vec{}, f.Normal).R, T: f.Point}, pos), tri
	case Sphere:
		return f.Mesh(bands(f.Radius, tolerance))
	case Capsule:
		return f.Mesh((bands(f.Radius, tolerance) + 1) / 2)
	case Box:
		return f.Mesh()
	case Cylinder:
		return f.Mesh(sides(f.Radius, tolerance))
	case Cone:
		return f.Mesh(sides(f.Radius, tolerance))
	case Placed:
		pos, tri = Surface(f.Shape, tolerance, extent)
		return moved(f.Pose, pos), tri
	}
	panic(fmt.Sprintf("shape: no triangles are known for a field of type %T", f))
}

// sides returns the number n ≥ 8 of sides with R (1 − cos π/n) ≤ tolerance.
func sides(radius, tolerance float64) int {
	// 1 − cos b = 2 sin² b/2, which keeps its accuracy for small b.
	b := 2 * math.Asin(math.Sqrt(relative(radius, tolerance)/2))
	return max(8, int(math.Ceil(math.Pi/b)))
}

// bands returns the number n ≥ 6 of bands of latitude with R (1 − cos² π/2n) ≤ tolerance.
func bands(radius, tolerance float64) int {
	a := math.Asin(math.Sqrt(relative(radius, tolerance)))
	return max(6, int(math.Ceil(math.Pi/(2*a))))
}

func relative(radius, tolerance float64) float64 {
	return min(max(tolerance/radius, finest), 1)
}

// moved moves points in place.
func moved(p r3.Pose, pos []r3.Vec) []r3.Vec {
	for i, x := range pos {
		pos[i] = p.Apply(x)
	}
	return pos
}
