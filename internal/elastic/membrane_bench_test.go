package elastic

import (
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
)

func TestMembraneAllocatesNothing(t *testing.T) {
	for lawName, law := range testLaws() {
		mm := crookedGrid(t, 4, rand.New(rand.NewPCG(23, 24)))
		m := NewMembrane(mm, law)
		x := flatPlace(mm)
		val := make([]r3.Mat, 3)
		at := []int32{0, 1, 2}
		if n := testing.AllocsPerRun(10, func() {
			m.Update(x, Projected, 0, m.Len())
			m.AddRow(0, 0, at, val, 1, 1)
		}); n != 0 {
			t.Errorf("%s: %g allocations", lawName, n)
		}
	}
}

func benchmarkMembrane(b *testing.B, law MembraneLaw, n int) {
	rng := rand.New(rand.NewPCG(25, 26))
	mm := crookedGrid(b, n, rng)
	m := NewMembrane(mm, law)
	x := flatPlace(mm)
	for i := range x {
		x[i] = x[i].Scale(1.05).AddScaled(0.05/float64(n), randomVec(rng))
	}
	val := make([]r3.Mat, 9)
	at := [3][]int32{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}
	b.ReportAllocs()
	for b.Loop() {
		m.Update(x, Projected, 0, m.Len())
		for e := range m.Len() {
			for k := range 3 {
				m.AddRow(e, k, at[k], val, 1, 1)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.Len()), "ns/triangle")
}

func BenchmarkMembrane(b *testing.B) {
	benchmarkMembrane(b, StVK(material.NewStretch(300, 120, 40, 0.3)), 70)
}

func BenchmarkMembraneLarge(b *testing.B) {
	benchmarkMembrane(b, StVK(material.NewStretch(300, 120, 40, 0.3)), 500)
}
func BenchmarkMembraneTable(b *testing.B) { benchmarkMembrane(b, interlockTable(), 70) }

func BenchmarkMembraneUpdate(b *testing.B) {
	mm := crookedGrid(b, 70, rand.New(rand.NewPCG(27, 28)))
	m := NewMembrane(mm, StVK(material.NewStretch(300, 120, 40, 0.3)))
	x := flatPlace(mm)
	for b.Loop() {
		m.Update(x, Projected, 0, m.Len())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.Len()), "ns/triangle")
}

func BenchmarkMembraneForce(b *testing.B) {
	mm := crookedGrid(b, 70, rand.New(rand.NewPCG(27, 28)))
	m := NewMembrane(mm, StVK(material.NewStretch(300, 120, 40, 0.3)))
	x := flatPlace(mm)
	f := make([]r3.Vec, len(x))
	for b.Loop() {
		m.Update(x, WithForce, 0, m.Len())
		for e := range m.Len() {
			for k, v := range m.Nodes(e) {
				f[v] = f[v].Add(m.Force(e, k))
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.Len()), "ns/triangle")
}
