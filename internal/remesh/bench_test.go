package remesh

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// benchmarkStep times calls on a sheet of about 4,000 vertices that sways a little, so that there are a few operations
// in each.
func benchmarkStep(b *testing.B, around *Surroundings) {
	m, x := draped(0.7, 0.5, 1e-3, 50)
	s := still(m, x)
	opt := DefaultOptions()
	opt.Angle, opt.Max = 0.3, 0.018
	var r Remesher
	for range 12 {
		r.Remesh(nil, s, around, &opt)
	}
	total, step := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		step++
		for i := range s.V {
			s.V[i] = r3.V(0, 0, 3*math.Sin(20*s.X[i].X+0.02*float64(step)))
		}
		total += r.Remesh(nil, s, around, &opt).Operations()
	}
	b.ReportMetric(float64(s.Mesh.Verts), "vertices")
	b.ReportMetric(float64(total)/float64(step), "operations/call")
}

// Over a ball, half of the sheet in contact.
func BenchmarkBall(b *testing.B) {
	benchmarkStep(b, &Surroundings{Thickness: 1e-3, Fields: []geom.Field{shape.Sphere{Radius: 0.5}}})
}

// The same over a mesh of the ball.
func BenchmarkMesh(b *testing.B) {
	pos, tri := shape.Surface(shape.Sphere{Radius: 0.5}, 5e-4, 1)
	benchmarkStep(b, &Surroundings{Thickness: 1e-3, Surfaces: []Surface{{X: pos, Tri: tri}}})
}

// Flips, splits and collapses with their guards: a flat sheet is refined from 72 vertices to about 4,000 and coarsened
// again.
func BenchmarkOperations(b *testing.B) {
	total := 0
	b.ReportAllocs()
	for b.Loop() {
		m, x := shape.GridOf(shape.Random, 1, 1, 8, 8, 1)
		s := still(m, x)
		opt := DefaultOptions()
		opt.Fade = 0
		var r Remesher
		for _, size := range []float64{0.025, 0.2} {
			opt.Max = size
			total += r.Remesh(nil, s, &Surroundings{Thickness: 1e-3}, &opt).Operations()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(total), "ns/operation")
}
