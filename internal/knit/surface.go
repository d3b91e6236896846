package knit

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Surface says where the middle of a fabric lies: of the distances x along the courses from the left edge and y along
// the wales from the middle of the first course [m], the point in space [m] and the unit normal to the front. It should
// keep lengths: where it shrinks them, yarns are laid closer together.
type Surface func(x, y float64) (point, normal r3.Vec)

// Plane is the plane of x and y, its front upwards.
func Plane(x, y float64) (point, normal r3.Vec) { return r3.V(x, y, 0), r3.V(0, 0, 1) }

// Cylinder returns the surface around the z axis with the given radius [m], its front outside, wales along the axis.
func Cylinder(radius float64) Surface {
	return func(x, y float64) (point, normal r3.Vec) {
		sin, cos := math.Sincos(x / radius)
		return r3.V(radius*cos, radius*sin, y), r3.V(cos, sin, 0)
	}
}

// Sphere returns the surface around the origin with the given radius [m], its front outside, wales along meridians from
// the equator. Wales come closer together towards the poles.
func Sphere(radius float64) Surface {
	return func(x, y float64) (point, normal r3.Vec) {
		sin, cos := math.Sincos(x / radius)
		up, out := math.Sincos(y / radius)
		normal = r3.V(out*cos, out*sin, up)
		return normal.Scale(radius), normal
	}
}
