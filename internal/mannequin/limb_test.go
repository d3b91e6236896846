package mannequin

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// TestLimb: straight it is a capsule, closed and of the capsule's volume; bent by 130 degrees it goes through itself.
func TestLimb(t *testing.T) {
	l := Limb{Radius: 0.05, Bone: 0.2, Around: 32, Along: 20, Blend: 0.05}
	pos, tri := l.Bent(0)
	if !geom.NewMeshField(pos, tri).Closed() {
		t.Fatal("it is not closed")
	}
	volume := 0.0
	for _, v := range tri {
		volume += pos[v[0]].Dot(pos[v[1]].Cross(pos[v[2]])) / 6
	}
	exact := math.Pi*l.Radius*l.Radius*2*l.Bone + 4./3*math.Pi*math.Pow(l.Radius, 3)
	// A polygon of n sides in a circle has the area of the circle times 1 - 2π²/3n², and the round ends lose as much
	// again along their arcs.
	if lost := 1 - volume/exact; lost < 0 || lost > 2*2*math.Pi*math.Pi/3/32/32 {
		t.Errorf("volume %g, that of a capsule is %g", volume, exact)
	}
	capsule := shape.Capsule{Radius: l.Radius, Half: l.Bone}
	for _, x := range pos {
		if d, _ := capsule.Distance(x); math.Abs(d) > 1e-12 {
			t.Fatalf("%v is %g from the capsule", x, d)
		}
	}
	crossings := func(x []r3.Vec) (n int) {
		for i, a := range tri {
			for _, b := range tri[:i] {
				if geom.MeshTriangles(x, a, b) {
					n++
				}
			}
		}
		return n
	}
	small := Limb{Radius: 0.05, Bone: 0.2, Around: 16, Along: 10, Blend: 0.05}
	for angle, crosses := range map[float64]bool{30: false, 130: true} {
		pos, tri = small.Bent(angle * math.Pi / 180)
		if n := crossings(pos); n > 0 != crosses {
			t.Errorf("bent by %g degrees %d pairs of triangles cross", angle, n)
		}
	}
}
