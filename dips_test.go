package toile

import (
	"fmt"
	"math"
	"testing"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
)

// TestLargeTrianglesStayOutsideRoundShapes: a sheet of cells of 10 cm falls onto a ball, a rod and a cone that are smaller than its triangles and lie between its vertices. Faces may be two
// thicknesses lower than their corners, which are at least half of one away: no place of the sheet is deeper than 1.5 in a shape. Without contacts of faces, ball and rods go through.
func TestLargeTrianglesStayOutsideRoundShapes(t *testing.T) {
	for _, f := range []geom.Field{geom.Sphere{Radius: 0.03}, geom.Capsule{Radius: 0.02, Half: 0.02}, geom.Cylinder{Radius: 0.02, Half: 0.2}, geom.Cone{Radius: 0.05, Height: 0.1}} {
		t.Run(fmt.Sprintf("%T", f), func(t *testing.T) {
			w := must(New(DefaultOptions()))
			id := w.flat(0.4, 4, lifted(0.02), r3.Vec{})
			bounds := f.Bounds()
			place := r3.Translation(r3.V(0.04, 0.06, -bounds.Max.Z))
			if _, rod := f.(geom.Cylinder); rod {
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
				}))
				x := w.Positions(id)
				for _, v := range w.Cloth(id).Mesh.Tri {
					least = min(least, geom.LowestOnTriangle(geom.Placed{Shape: f, Pose: place}, x[v[0]], x[v[1]], x[v[2]], math.Inf(1), 1e-3*h).D)
				}
			}
			t.Logf("least distance %.3f thicknesses, contacts in %d steps, %d not solved", least/h, touched, unsolved)
			if touched < 20 || !(least > -1.5*h) || unsolved > 0 {
				t.Errorf("least distance %g m, contacts in %d steps, %d not solved", least, touched, unsolved)
			}
		})
	}
}
