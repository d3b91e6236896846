package geom_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// TestMeshOfBoxAgainstBox compares a mesh with the analytic shape it is the surface of.
func TestMeshOfBoxAgainstBox(t *testing.T) {
	half := r3.V(0.5, 0.7, 0.3)
	want := shape.Box{Half: half}
	pos, tri := want.Mesh()
	f, byWinding := geom.NewMeshField(pos, tri), geom.NewMeshField(pos, tri)
	byWinding.ByWinding = true
	r := rand.New(rand.NewPCG(3, 3))
	for range 5000 {
		x := r3.V(r.Float64()*3-1.5, r.Float64()*3-1.5, r.Float64()*3-1.5)
		d0, n0 := want.Distance(x)
		for _, f := range []geom.Field{f, byWinding} {
			d, n := f.Distance(x)
			if math.Abs(d-d0) > 1e-15 || n.Sub(n0).Norm() > 1e-14 {
				t.Fatalf("d %g, n %v at %v, want %g, %v", d, n, x, d0, n0)
			}
		}
	}
	// On the surface the pseudonormal is returned: at a corner the mean of three faces, however cut.
	for _, corner := range pos {
		d, n := f.Distance(corner)
		if d != 0 || n.Sub(r3.V(math.Copysign(1, corner.X), math.Copysign(1, corner.Y), math.Copysign(1, corner.Z)).Unit()).Norm() > 1e-15 {
			t.Errorf("corner %v: d %g, n %v", corner, d, n)
		}
	}
}
