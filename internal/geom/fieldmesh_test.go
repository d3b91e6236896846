package geom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// surfaceMesh is a mesh with its corners.
type surfaceMesh struct {
	pos []r3.Vec
	tri [][3]int32
}

// wrapped returns a closed or open mesh of a map from the grid (u, v) in [0, 1]², with nu × nv cells;
// closedU and closedV join the opposite sides.
func wrapped(nu, nv int, closedU, closedV bool, at func(u, v float64) r3.Vec) surfaceMesh {
	columns, rows := nu+1, nv+1
	if closedU {
		columns = nu
	}
	if closedV {
		rows = nv
	}
	var m surfaceMesh
	for j := range rows {
		for i := range columns {
			m.pos = append(m.pos, at(float64(i)/float64(nu), float64(j)/float64(nv)))
		}
	}
	id := func(i, j int) int32 { return int32(j%rows*columns + i%columns) }
	for j := range nv {
		for i := range nu {
			a, b, c, d := id(i, j), id(i+1, j), id(i+1, j+1), id(i, j+1)
			m.tri = append(m.tri, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	return m
}

func torusMesh(nu, nv int) surfaceMesh {
	return wrapped(nu, nv, true, true, func(u, v float64) r3.Vec {
		su, cu := math.Sincos(2 * math.Pi * u)
		sv, cv := math.Sincos(2 * math.Pi * v)
		r := 0.7 + 0.3*cv
		return r3.V(r*cu, r*su, 0.3*sv)
	})
}

// tubeMesh is a cylinder without ends, open or closed by fans to two points.
func tubeMesh(n int, capped bool) surfaceMesh {
	m := wrapped(n, n, true, false, func(u, v float64) r3.Vec {
		s, c := math.Sincos(2 * math.Pi * u)
		return r3.V(0.5*c, 0.5*s, 1.4*v-0.7)
	})
	if capped {
		low, high := int32(len(m.pos)), int32(len(m.pos)+1)
		m.pos = append(m.pos, r3.V(0.1, 0, -1), r3.V(0, 0.1, 0.3)) // a point and a dent
		for i := range n {
			a, b := int32(i), int32((i+1)%n)
			m.tri = append(m.tri, [3]int32{b, a, low}, [3]int32{a + int32(n*n), b + int32(n*n), high})
		}
	}
	return m
}

func boxMesh(half r3.Vec) surfaceMesh {
	var m surfaceMesh
	for k := range 8 {
		m.pos = append(m.pos, r3.V(half.X*float64(k&1*2-1), half.Y*float64(k>>1&1*2-1), half.Z*float64(k>>2&1*2-1)))
	}
	for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.tri = append(m.tri, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

func (m surfaceMesh) with(o surfaceMesh, shift r3.Vec) surfaceMesh {
	n := int32(len(m.pos))
	for _, p := range o.pos {
		m.pos = append(m.pos, p.Add(shift))
	}
	for _, t := range o.tri {
		m.tri = append(m.tri, [3]int32{t[0] + n, t[1] + n, t[2] + n})
	}
	return m
}

func (m surfaceMesh) nearestByForce(x r3.Vec) (best int, d2 float64) {
	d2 = math.Inf(1)
	for i, t := range m.tri {
		if _, _, d := PointTriangle(x, m.pos[t[0]], m.pos[t[1]], m.pos[t[2]]); d < d2 {
			best, d2 = i, d
		}
	}
	return best, d2
}

func (m surfaceMesh) windingByForce(x r3.Vec) float64 {
	sum := 0.0
	for _, t := range m.tri {
		sum += solidAngle(m.pos[t[0]].Sub(x), m.pos[t[1]].Sub(x), m.pos[t[2]].Sub(x))
	}
	return sum / (4 * math.Pi)
}

// pointNear returns a point around the mesh, or on or very near to one of its features.
func (m surfaceMesh) pointNear(r *rand.Rand) r3.Vec {
	t := m.tri[r.IntN(len(m.tri))]
	a, b, c := m.pos[t[0]], m.pos[t[1]], m.pos[t[2]]
	away := randomDirection(r).Scale(math.Pow(10, -12*r.Float64()))
	switch r.IntN(5) {
	case 0:
		return a.Add(away)
	case 1:
		return a.Lerp(b, r.Float64()).Add(away)
	case 2:
		return a.Lerp(b, r.Float64()).Lerp(c, r.Float64()).Add(away)
	default:
		return around(r)
	}
}

func meshes() map[string]surfaceMesh {
	return map[string]surfaceMesh{
		"torus": torusMesh(24, 13), "capped tube": tubeMesh(9, true), "box": boxMesh(r3.V(0.5, 0.7, 0.3)),
		"open tube": tubeMesh(9, false), "crossed": torusMesh(24, 13).with(tubeMesh(9, true), r3.V(0.6, 0, 0)),
	}
}

func TestMeshNearestAgainstAllTriangles(t *testing.T) {
	for name, m := range meshes() {
		r := rand.New(rand.NewPCG(1, 1))
		f := NewMeshField(m.pos, m.tri)
		for range 3000 {
			x := m.pointNear(r)
			want, d2 := m.nearestByForce(x)
			got, ok := f.Nearest(x, math.Inf(1))
			if !ok || int(got.Triangle) != want || got.Distance != math.Sqrt(d2) {
				t.Fatalf("%s: nearest to %v is %+v, want triangle %d at %g", name, x, got, want, math.Sqrt(d2))
			}
			if e := math.Abs(got.Point.Sub(x).Norm() - got.Distance); e > 1e-15 {
				t.Fatalf("%s: the point named for %v is off by %g", name, x, e)
			}
			if _, ok := f.Nearest(x, got.Distance*0.999); ok && got.Distance > 0 {
				t.Fatalf("%s: found one nearer than the nearest", name)
			}
			if _, ok := f.Nearest(x, got.Distance*1.001); !ok {
				t.Fatalf("%s: the nearest is not found within its distance", name)
			}
		}
	}
}

// TestMeshSign: for closed meshes that do not cross themselves the pseudonormal must agree with the
// exact winding number, an integer, at every point not on the surface to rounding.
func TestMeshSign(t *testing.T) {
	for name, closed := range map[string]bool{"torus": true, "capped tube": true, "box": true, "open tube": false} {
		m := meshes()[name]
		r := rand.New(rand.NewPCG(2, 2))
		f := NewMeshField(m.pos, m.tri)
		if f.Closed() != closed || f.ByWinding == closed {
			t.Fatalf("%s: closed %v, by winding %v", name, f.Closed(), f.ByWinding)
		}
		if !closed {
			continue
		}
		inside := 0
		for range 3000 {
			x := m.pointNear(r)
			d, n := f.Distance(x)
			w := m.windingByForce(x)
			if math.Abs(d) > 1e-13 && (d < 0) != (w > 0.5) {
				t.Fatalf("%s: d %g but winding %g at %v", name, d, w, x)
			}
			if math.Abs(n.Norm()-1) > 1e-14 {
				t.Fatalf("%s: n %v at %v", name, n, x)
			}
			if d < 0 {
				inside++
			}
		}
		if inside < 300 {
			t.Errorf("%s: only %d points inside", name, inside)
		}
	}
}

// TestMeshGradient compares the normal with central differences where the nearest feature stays the same,
// so that the distance is smooth.
func TestMeshGradient(t *testing.T) {
	m := torusMesh(24, 13)
	f := NewMeshField(m.pos, m.tri)
	r := rand.New(rand.NewPCG(4, 4))
	feature := func(x r3.Vec) [2]int32 {
		p, _ := f.Nearest(x, math.Inf(1))
		if p.On == Inside {
			return [2]int32{p.Triangle, -1}
		}
		if p.On >= CornerA {
			return [2]int32{m.tri[p.Triangle][p.On-CornerA], -2}
		}
		return [2]int32{f.edge[3*p.Triangle+int32(p.On-EdgeAB)], -3}
	}
	compared := map[int32]int{}
	for range 1500 {
		x := around(r)
		d, n := f.Distance(x)
		here := feature(x)
		const far = 1e-3
		same := math.Abs(d) > 0.02
		for _, h := range []r3.Vec{r3.V(far, 0, 0), r3.V(0, far, 0), r3.V(0, 0, far)} {
			same = same && feature(x.Add(h)) == here && feature(x.Sub(h)) == here
		}
		if !same {
			continue
		}
		compared[here[1]]++
		for _, h := range []float64{far, far / 10} {
			g := r3.V(slope(f, x, r3.V(h, 0, 0)), slope(f, x, r3.V(0, h, 0)), slope(f, x, r3.V(0, 0, h)))
			// Third derivatives are below 3/d², so each component is within h²/2d², and rounding.
			if e := g.Sub(n).Norm(); e > h*h/(d*d)+1e-15/h {
				t.Fatalf("gradient %v, n %v at %v, feature %v", g, n, x, here)
			}
		}
	}
	if compared[-1] < 30 || compared[-2] < 30 || compared[-3] < 30 {
		t.Errorf("compared faces, vertices and edges: %v", compared)
	}
}

func TestWindingAgainstAllTriangles(t *testing.T) {
	worst := 0.0
	for name, m := range meshes() {
		r := rand.New(rand.NewPCG(5, 5))
		f := NewMeshField(m.pos, m.tri)
		for range 2000 {
			x := m.pointNear(r).Scale(1 + 2*r.Float64())
			got, want := f.Winding(x), m.windingByForce(x)
			if math.Abs(want-0.5) > 0.02 && !f.Closed() && f.Inside(x) != (want > 0.5) {
				t.Fatalf("%s: inside at %v, winding number %g", name, x, want)
			}
			worst = max(worst, math.Abs(got-want))
		}
	}
	t.Logf("worst error of a winding number: %.2g", worst)
	if worst > 0.02 {
		t.Errorf("winding number off by %g", worst)
	}
}

// TestInsideOfCrossedMesh: where two parts overlap the pseudonormal at the nearest sheet misleads and
// the winding number does not.
func TestInsideOfCrossedMesh(t *testing.T) {
	m := boxMesh(r3.V(1, 1, 1)).with(boxMesh(r3.V(1, 1, 1)), r3.V(1.5, 0, 0))
	f := NewMeshField(m.pos, m.tri)
	x := r3.V(0.45, 0, 0) // 0.05 before the second box begins, inside the first
	if d, _ := f.Distance(x); d < 0 {
		t.Fatalf("the pseudonormal was not misled: %g", d)
	}
	f.ByWinding = true
	if d, n := f.Distance(x); math.Abs(d+0.05) > 1e-15 || n != r3.V(1, 0, 0) {
		t.Errorf("d %g, n %v", d, n)
	}
	if w := f.Winding(r3.V(0.75, 0, 0)); math.Abs(w-2) > 0.02 {
		t.Errorf("winding number %g where two boxes overlap", w)
	}
	if f.Inside(r3.V(0, 0, 1.01)) || f.Inside(r3.V(5, 0, 0)) {
		t.Error("inside though outside")
	}
}

// TestMeshFieldSurvivesDegenerateTriangles: needles, points and repeated vertices give no NaN.
func TestMeshFieldSurvivesDegenerateTriangles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Map(rapid.IntRange(-2, 2), func(i int) float64 { return float64(i) / 2 })
		point := rapid.Custom(func(t *rapid.T) r3.Vec { return r3.V(c.Draw(t, "x"), c.Draw(t, "y"), c.Draw(t, "z")) })
		m := surfaceMesh{pos: rapid.SliceOfN(point, 1, 12).Draw(t, "pos")}
		v := rapid.Int32Range(0, int32(len(m.pos))-1)
		m.tri = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [3]int32 {
			return [3]int32{v.Draw(t, "a"), v.Draw(t, "b"), v.Draw(t, "c")}
		}), 1, 20).Draw(t, "tri")
		f := NewMeshField(m.pos, m.tri)
		for range 5 {
			x := point.Draw(t, "at")
			d, n := f.Distance(x)
			_, d2 := m.nearestByForce(x)
			if math.Abs(d) != math.Sqrt(d2) || !(math.Abs(n.Norm()-1) < 1e-14) || math.IsNaN(f.Winding(x)) {
				t.Fatalf("d %g (want %g), n %v, winding number %g", d, math.Sqrt(d2), n, f.Winding(x))
			}
		}
	})
}

// TestMeshUpdate: moving a mesh gives what a mesh built there gives, at any number of workers.
func TestMeshUpdate(t *testing.T) {
	m := torusMesh(60, 40)
	moved := make([]r3.Vec, len(m.pos))
	pose := r3.Pose{R: r3.Rotation(r3.V(1, 2, 3).Unit(), 0.5), T: r3.V(0.1, 0.2, 0.3)}
	for i, p := range m.pos {
		p.Z += 0.1 * math.Sin(3*p.X)
		moved[i] = pose.Apply(p)
	}
	there := NewMeshField(moved, m.tri)
	r := rand.New(rand.NewPCG(6, 6))
	points := make([]r3.Vec, 300)
	for i := range points {
		points[i] = around(r)
	}
	var first []float64
	for _, workers := range []int{1, 2, 8} {
		team := par.New(workers)
		team.Enter()
		f := NewMeshField(m.pos, m.tri)
		f.Update(team, moved)
		var bits []float64
		for _, x := range points {
			d, n := f.Distance(x)
			if d0, n0 := there.Distance(x); d != d0 || n != n0 {
				t.Fatalf("%d workers: %g, %v at %v, want %g, %v", workers, d, n, x, d0, n0)
			}
			bits = append(bits, f.Winding(x))
		}
		if first == nil {
			first = bits
		} else if fmt.Sprint(first) != fmt.Sprint(bits) {
			t.Errorf("winding numbers differ at %d workers", workers)
		}
		f.Rebuild(moved)
		if f.Winding(points[0]) != there.Winding(points[0]) {
			t.Error("a rebuilt field differs from a new one")
		}
		if n := testing.AllocsPerRun(5, func() {
			f.Update(team, m.pos)
			f.Distance(points[0])
			f.Winding(points[0])
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
		team.Leave()
	}
}

func BenchmarkMesh(b *testing.B) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, n := range []int{70, 387} { // 10 k and 300 k triangles
		m := torusMesh(n, n)
		f := NewMeshField(m.pos, m.tri)
		near, far := make([]r3.Vec, 1024), make([]r3.Vec, 1024)
		for i := range near {
			near[i], far[i] = m.pos[r.IntN(len(m.pos))].AddScaled(2e-3, randomDirection(r)), around(r)
		}
		run := func(name string, points []r3.Vec, do func(x r3.Vec)) {
			b.Run(fmt.Sprintf("%s/n=%d", name, len(m.tri)), func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					do(points[i&1023])
					i++
				}
			})
		}
		run("distance at 2 mm", near, func(x r3.Vec) { f.Distance(x) })
		run("within 1.5 mm", near, func(x r3.Vec) { f.Nearest(x, 1.5e-3) })
		run("distance", far, func(x r3.Vec) { f.Distance(x) })
		run("winding", far, func(x r3.Vec) { f.Winding(x) })
		run("winding at 2 mm", near, func(x r3.Vec) { f.Winding(x) })
		b.Run(fmt.Sprintf("update/n=%d", len(m.tri)), func(b *testing.B) {
			for b.Loop() {
				f.Update(nil, m.pos)
			}
			perPrimitive(b, len(m.tri))
		})
	}
}
