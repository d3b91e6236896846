package detect

import (
	"fmt"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// grid returns n by n cells of the given size [m] in the xy plane.
func grid(t testing.TB, n int, size float64) (*mesh.Mesh, []r3.Vec) {
	row := n + 1
	var material []r3.Vec2
	var x []r3.Vec
	for j := range row {
		for i := range row {
			material = append(material, r3.Vec2{X: size * float64(i), Y: size * float64(j)})
			x = append(x, r3.V(size*float64(i), size*float64(j), 0))
		}
	}
	var tri [][3]int32
	for j := range n {
		for i := range n {
			a := int32(j*row + i)
			b, c, d := a+1, a+1+int32(row), a+int32(row)
			if (i+j)%2 == 0 {
				tri = append(tri, [3]int32{a, b, c}, [3]int32{a, c, d})
			} else {
				tri = append(tri, [3]int32{a, b, d}, [3]int32{b, c, d})
			}
		}
	}
	m, err := mesh.New(len(x), tri, material, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, x
}

// draped lays a cloth of 1 m over a ball of radius 0.25 m at a thickness; what does not lie on it hangs down in folds.
func draped(t testing.TB, n int, thickness float64) (*mesh.Mesh, []r3.Vec) {
	m, x := grid(t, n, 1/float64(n))
	const radius = 0.25
	for i, p := range x {
		dx, dy := p.X-0.5, p.Y-0.5
		s, angle := math.Hypot(dx, dy), math.Atan2(dy, dx)
		r := radius + thickness
		if lat := s / r; lat < math.Pi/2 {
			x[i] = r3.V(r*math.Sin(lat)*math.Cos(angle), r*math.Sin(lat)*math.Sin(angle), r*math.Cos(lat))
			continue
		}
		down := s - r*math.Pi/2
		wide := r + 0.3*down*(1+math.Cos(8*angle))
		x[i] = r3.V(wide*math.Cos(angle), wide*math.Sin(angle), -down)
	}
	return m, x
}

// folded lays a cloth of 1 m in two layers a gap apart.
func folded(t testing.TB, n int, gap float64) (*mesh.Mesh, []r3.Vec) {
	m, x := grid(t, n, 1/float64(n))
	for i, p := range x {
		if p.X > 0.5 {
			x[i] = r3.V(1-p.X, p.Y+0.3/float64(n), gap)
		}
	}
	return m, x
}

func falling(x []r3.Vec, h float64) contact.Motion {
	m := contact.Motion{H: h, Theta: 1, X0: x, V0: make([]r3.Vec, len(x))}
	for i, p := range x {
		m.X1 = append(m.X1, p.Add(r3.V(0.1*h*math.Sin(float64(i)), 0, -9.81*h*h)))
	}
	return m
}

func ball(radius float64) contact.Skin {
	return contact.Skin{
		Surface: 1, Block: contact.None, Field: shape.Sphere{Radius: radius}, From: r3.Still(), To: r3.Still(),
	}
}

// ballMesh is a ball of rings by 2 rings patches.
func ballMesh(radius float64, rings int) contact.Skin {
	o := contact.Skin{Surface: 1, Block: contact.None, From: r3.Still(), To: r3.Still()}
	row := 2 * rings
	at := func(i, j int) int32 {
		switch i {
		case 0:
			return 0
		case rings:
			return 1
		}
		return int32(2 + (i-1)*row + j%row)
	}
	o.X0 = append(o.X0, r3.V(0, 0, radius), r3.V(0, 0, -radius))
	for i := 1; i < rings; i++ {
		sinA, cosA := math.Sincos(math.Pi * float64(i) / float64(rings))
		for j := range row {
			sinB, cosB := math.Sincos(2 * math.Pi * float64(j) / float64(row))
			o.X0 = append(o.X0, r3.V(radius*sinA*cosB, radius*sinA*sinB, radius*cosA))
		}
	}
	for i := range rings {
		for j := range row {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			if i > 0 {
				o.Tri = append(o.Tri, [3]int32{a, b, d})
			}
			if i < rings-1 {
				o.Tri = append(o.Tri, [3]int32{b, c, d})
			}
		}
	}
	o.X1 = o.X0
	return o
}

func BenchmarkFind(b *testing.B) {
	const thickness = 1e-3
	for _, bench := range []struct {
		name     string
		build    func() (*mesh.Mesh, []r3.Vec)
		obstacle contact.Skin
	}{
		{"drape/6561", func() (*mesh.Mesh, []r3.Vec) { return draped(b, 80, thickness) }, ball(0.25)},
		{"mesh/6561", func() (*mesh.Mesh, []r3.Vec) { return draped(b, 80, thickness) }, ballMesh(0.25, 40)},
		{"folded/6561", func() (*mesh.Mesh, []r3.Vec) { return folded(b, 80, 1.2*thickness) }, ball(0.01)},
		{"drape/40401", func() (*mesh.Mesh, []r3.Vec) { return draped(b, 200, thickness) }, ball(0.25)},
	} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%d", bench.name, workers), func(b *testing.B) {
				m, x := bench.build()
				f := DefaultFinder()
				f.Team = par.New(workers)
				motion := falling(x, 2e-3)
				var set contact.Set
				skins := []contact.Skin{contact.ClothSkin(0, 0, m), bench.obstacle}
				f.Begin(skins)
				f.Find(motion, nil, &set)
				f.Find(motion, nil, &set)
				b.ReportAllocs()
				for b.Loop() {
					f.Begin(skins)
					f.Find(motion, nil, &set)
				}
				b.ReportMetric(float64(set.Len()), "contacts")
				b.ReportMetric(float64(len(f.rules.found)), "candidates")
			})
		}
	}
}

func BenchmarkExtend(b *testing.B) {
	m, x := draped(b, 80, 1e-3)
	f := DefaultFinder()
	motion := falling(x, 2e-3)
	var set contact.Set
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m), ball(0.25)})
	f.Find(motion, nil, &set)
	b.ReportAllocs()
	for b.Loop() {
		f.Extend(motion, nil, &set)
	}
}

func BenchmarkCrossings(b *testing.B) {
	m, x := draped(b, 80, 1e-3)
	f := DefaultFinder()
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m), ball(0.25)})
	f.Crossings(x)
	b.ReportAllocs()
	for b.Loop() {
		f.Crossings(x)
	}
}
