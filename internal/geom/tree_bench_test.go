package geom

import (
	"fmt"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// sheetMesh returns a wavy square sheet of about n triangles with edges of 5 mm.
func sheetMesh(n int) (x []r3.Vec, tri [][3]int32) {
	cells := int(math.Round(math.Sqrt(float64(n) / 2)))
	for j := range cells + 1 {
		for i := range cells + 1 {
			u, v := 5e-3*float64(i), 5e-3*float64(j)
			x = append(x, r3.V(u, v, 0.02*math.Sin(40*u)*math.Cos(30*v)))
		}
	}
	for j := range cells {
		for i := range cells {
			a := int32(j*(cells+1) + i)
			b, c, d := a+1, a+int32(cells)+1, a+int32(cells)+2
			tri = append(tri, [3]int32{a, b, d}, [3]int32{a, d, c})
		}
	}
	return x, tri
}

// triangleBoxes returns the boxes of triangles, fattened by margin.
func triangleBoxes(x []r3.Vec, tri [][3]int32, margin float64) []r3.Box {
	boxes := make([]r3.Box, len(tri))
	for i, t := range tri {
		b := r3.BoxOf([]r3.Vec{x[t[0]], x[t[1]], x[t[2]]})
		m := r3.V(margin, margin, margin)
		boxes[i] = r3.Box{Min: b.Min.Sub(m), Max: b.Max.Add(m)}
	}
	return boxes
}

func perPrimitive(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/primitive")
}

func BenchmarkTreeBuild(b *testing.B) {
	for _, n := range []int{10_000, 300_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			boxes := sheetBoxes(n)
			t := NewTree(boxes)
			b.ReportAllocs()
			for b.Loop() {
				t.Rebuild(boxes)
			}
			perPrimitive(b, len(boxes))
		})
	}
}

func BenchmarkTreeRefit(b *testing.B) {
	treeBench(b, func(team *par.Team, t *Tree, boxes []r3.Box) { t.Refit(team, boxes) })
}

func BenchmarkTreeSelf(b *testing.B) {
	var f PairFinder
	var pairs [][2]int32
	treeBench(b, func(team *par.Team, t *Tree, _ []r3.Box) { pairs = f.Self(team, t, pairs, nil) })
}

func BenchmarkTreePointsTriangles(b *testing.B) {
	for _, n := range []int{10_000, 300_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, tri := sheetMesh(n)
			points := make([]r3.Box, len(x))
			for i, p := range x {
				points[i] = r3.Box{Min: p, Max: p}
			}
			tp, tt := NewTree(points), NewTree(triangleBoxes(x, tri, 1.5e-3))
			var f PairFinder
			pairs := f.Between(nil, tp, tt, nil, nil)
			b.ReportAllocs()
			for b.Loop() {
				pairs = f.Between(nil, tp, tt, pairs, nil)
			}
			perPrimitive(b, len(tri))
		})
	}
}

// sheetBoxes returns the boxes of the triangles of a sheet, fattened by 1.5 mm.
func sheetBoxes(n int) []r3.Box {
	x, tri := sheetMesh(n)
	return triangleBoxes(x, tri, 1.5e-3)
}

func treeBench(b *testing.B, run func(team *par.Team, t *Tree, boxes []r3.Box)) {
	for _, n := range []int{10_000, 300_000} {
		boxes := sheetBoxes(n)
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("n=%d/workers=%d", n, workers), func(b *testing.B) {
				t, team := NewTree(boxes), par.New(workers)
				team.Enter()
				defer team.Leave()
				run(team, t, boxes)
				b.ReportAllocs()
				for b.Loop() {
					run(team, t, boxes)
				}
				perPrimitive(b, len(boxes))
			})
		}
	}
}
