package engine

import (
	"fmt"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// No point of a sheet of cells of 10 cm gets into what it falls onto, in any step: a ball, a rod and a cone that are
// smaller than its triangles and lie between its vertices, and some that are larger and would show through between
// them. The oracle searches all triangles for their lowest point, with no code of detection.
func TestNothingShowsThrough(t *testing.T) {
	for _, f := range []geom.Field{
		shape.Sphere{Radius: 0.03},
		shape.Capsule{Radius: 0.02, Half: 0.02},
		shape.Cylinder{Radius: 0.02, Half: 0.2},
		shape.Cone{Radius: 0.05, Height: 0.1},
		shape.Sphere{Radius: 0.25},
		shape.Cylinder{Radius: 0.2, Half: 0.1},
		shape.Box{Half: r3.V(0.05, 0.07, 0.04)},
	} {
		t.Run(fmt.Sprintf("%+v", f), func(t *testing.T) {
			w := must(New(DefaultOptions()))
			id := w.flat(0.4, 4, lifted(0.02), r3.Vec{})
			bounds := f.Bounds()
			place := r3.Translation(r3.V(0.04, 0.06, -bounds.Max.Z))
			if rod, ok := f.(shape.Cylinder); ok && rod.Radius < 0.1 {
				place = r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), math.Pi/2), T: r3.V(0.045, 0, -bounds.Max.X)}
			}
			must(w.AddObstacle(Obstacle{Name: "shape", Shape: f, Place: place}))
			h := w.opt.Contact.Thickness
			least, touched, unsolved := math.Inf(1), 0, 0
			for range 60 {
				must(0, w.Advance(4e-3, 4e-3, func(s Stats) {
					touched += min(1, s.Contacts)
					if !s.Converged {
						unsolved++
					}
					if s.Crossings > 0 || s.Depth > 0 {
						t.Errorf("step %d: %d crossings, %g m deep", s.Step, s.Crossings, s.Depth)
					}
				}))
				x := w.Positions(id)
				for _, v := range w.Cloth(id).Mesh.Tri {
					least = min(
						least,
						geom.LowestOnTriangle(
							shape.Placed{Shape: f, Pose: place},
							x[v[0]],
							x[v[1]],
							x[v[2]],
							math.Inf(1),
							1e-3*h,
						).D,
					)
				}
			}
			t.Logf("least distance %.3f thicknesses, contacts in %d steps, %d not solved", least/h, touched, unsolved)
			if touched < 20 || !(least >= 0) || unsolved > 0 {
				t.Errorf("least distance %g m, contacts in %d steps, %d not solved", least, touched, unsolved)
			}
		})
	}
}
