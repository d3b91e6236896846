package elastic

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// flatStrip lays a strip into the plane z = 0 and clamps it at x = 0.
type flatStrip struct {
	mesh   *mesh.Mesh
	at     []r3.Vec2
	x      []r3.Vec
	root   []bool
	tip    []int32
	clamps []Clamp
	weight []float64 // area of each vertex
}

func newFlatStrip(p shape.Pattern, length, width, size, grain float64) *flatStrip {
	s := &flatStrip{}
	s.mesh, s.at = shape.Strip(p, length, width, size, grain, 11)
	s.prepare(length)
	return s
}

func (s *flatStrip) prepare(length float64) {
	s.root, s.weight = make([]bool, len(s.at)), make([]float64, len(s.at))
	for i, q := range s.at {
		s.x = append(s.x, r3.V(q.X, q.Y, 0))
		s.root[i] = q.X == 0
		if q.X == length {
			s.tip = append(s.tip, int32(i))
		}
	}
	for e := range s.mesh.Edges {
		if d := &s.mesh.Edges[e]; d.Boundary() && s.root[d.V[0]] && s.root[d.V[1]] {
			s.clamps = append(s.clamps, Clamp{Edge: int32(e), Dir: r3.V(1, 0, 0)})
		}
	}
	for t, v := range s.mesh.Tri {
		for _, i := range v {
			s.weight[i] += s.mesh.RestArea(int32(t)) / 3
		}
	}
}

func mustPlate(t testing.TB, m *mesh.Mesh, l PlateLaw, clamps []Clamp) *Plate {
	t.Helper()
	p, err := NewPlate(m, Everywhere(l), nil, clamps)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// smallDroop returns the tip deflection of the strip under unit load for unit rigidity, relative to
// that of a beam, L⁴/8.
func smallDroop(t testing.TB, s *flatStrip, l PlateLaw, length float64) float64 {
	t.Helper()
	p := mustPlate(t, s.mesh, l, s.clamps)
	sys := newSystem(s.at, s.root, p)
	f := sys.forces(s.x, Exact)
	for i := range f {
		f[i] = f[i].Add(r3.V(0, 0, s.weight[i]))
	}
	h := sys.hessian()
	if !h.factor() {
		t.Fatal("a clamped strip is not stable")
	}
	d := sys.step(h, f)
	sum := 0.0
	for _, i := range s.tip {
		sum += d[i].Z
	}
	return sum / float64(len(s.tip)) / (math.Pow(length, 4) / 8)
}

// TestC1Linear: the heavy cantilever for small deflection, w = q L⁴/(8 B). The error at 10, 20 and 40
// elements along the length must be of second order on every pattern and grain.
func TestC1Linear(t *testing.T) {
	for _, p := range shape.Patterns() {
		for _, grain := range []float64{0, math.Pi / 4} {
			var err [3]float64
			for i, n := range []int{10, 20, 40} {
				s := newFlatStrip(p, 1, 0.1, 1/float64(n), grain)
				err[i] = smallDroop(t, s, IsotropicPlate(1, 0), 1) - 1
			}
			order := math.Log2(math.Abs(err[0]/err[2])) / 2
			t.Logf(
				"%-12v %2.0f°: %+.3f %% %+.3f %% %+.3f %%, order %.2f",
				p,
				grain*180/math.Pi,
				100*err[0],
				100*err[1],
				100*err[2],
				order,
			)
			if math.Abs(err[2]) > 0.002 || order < 1.7 {
				t.Errorf("%v: error %g at 40 elements, order %g", p, err[2], order)
			}
		}
	}
}

// Triangles may be long, as remeshing makes them: the same with strips that were three times as wide
// or a third as wide when they were divided.
func TestC1LongTriangles(t *testing.T) {
	for _, p := range shape.Patterns() {
		for _, squeeze := range []float64{3, 1.0 / 3} {
			s := &flatStrip{}
			m, at := shape.Strip(p, 1, 0.1*squeeze, 0.03, 0, 11)
			for i := range at {
				at[i].Y /= squeeze
			}
			var err error
			if s.mesh, err = mesh.New(len(at), m.Tri, at, nil); err != nil {
				t.Fatal(err)
			}
			s.at = at
			s.prepare(1)
			e := smallDroop(t, s, IsotropicPlate(1, 0), 1) - 1
			t.Logf("%-12v %.2f: %+.3f %%", p, squeeze, 100*e)
			if math.Abs(e) > 0.01 {
				t.Errorf("%v: error %g with triangles of aspect 3", p, e)
			}
		}
	}
}
