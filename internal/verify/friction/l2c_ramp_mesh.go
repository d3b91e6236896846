package friction

import (
	"fmt"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// L2c: the ramp as a mesh of triangles of many sizes and directions. It is as flat as the plane of L2, so that all of
// L2's numbers hold.
var rampMesh = verify.Case{
	ID: "L2c", Title: "cloth on a ramp of irregular triangles", Source: "closed form",
	Body: func(t *verify.Trial) {
		if !t.Options.Full {
			onTriangles(t, 8, 5e-3, 0.11, 1).rows("triangles of 0.11 m")
			onTriangles(t, 8, 5e-3, 0.03, 2).stopRows("triangles of 0.03 m")
		} else {
			seed := uint64(0)
			for _, n := range []int{8, 16} {
				for _, h := range []float64{5e-3, 2.5e-3} {
					for _, size := range []float64{0.03, 0.11, 0.4} {
						seed++
						name := fmt.Sprintf("triangles of %g m, %d² cells, h = %g ms", size, n, 1e3*h)
						onTriangles(t, n, h, size, seed).rows(name)
					}
				}
			}
			onTriangles(t, 8, 5e-3, 0.11, 1).nearRows("triangles of 0.11 m")
		}
		t.StepsRow()
	},
}

// onTriangles lays a sheet of n by n cells on a slope of triangles with sides of about the given size.
func onTriangles(t *verify.Trial, n int, h, size float64, seed uint64) *slider {
	const wide = 1.2
	w, id, down := aboveSlope(t, n, setup.SlopeSize, setup.SlopeAngle, 1e-9, 0)
	flat, places := shape.Strip(shape.Random, wide, wide, size, 0, seed)
	at := make([]r3.Vec, len(places))
	for i, p := range places {
		at[i] = down.Scale(p.X - 0.3).Add(r3.V(0, p.Y-wide/2+setup.SlopeSize/2, 0))
	}
	_, err := w.AddObstacle(engine.Obstacle{Name: "ramp", Tri: flat.Tri, Positions: at, Place: r3.Still()})
	t.Must(err)
	return settledSlider(t, w, id, down, h)
}
