package meshio

import (
	"bytes"
	"io"
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// sheet returns an n x n grid with what a frame file holds: normals, UVs and six attributes.
func sheet(n int) *Mesh {
	m := &Mesh{Name: "sheet"}
	for j := range n {
		for i := range n {
			x, y := float64(i)/float64(n-1), float64(j)/float64(n-1)
			m.Positions = append(m.Positions, r3.V(x, y, 0.1*math.Sin(9*x)))
			m.UV = append(m.UV, r3.Vec2{X: x, Y: y})
			m.Normals = append(m.Normals, r3.V(0, 0, 1))
			if i > 0 && j > 0 {
				k := int32(j*n + i)
				w := int32(n)
				m.Triangles = append(m.Triangles, [3]int32{k - w - 1, k - w, k}, [3]int32{k - w - 1, k, k - 1})
			}
		}
	}
	for _, name := range []string{"_STRETCH", "_SPEED", "_STATE", "_GAP", "_IMPULSE", "_SIZE"} {
		m.Attributes = append(m.Attributes, Attribute{Name: name, Width: 1, Data: make([]float32, n*n)})
	}
	return m
}

// The 20,164 vertices of a frame must take less than 10 ms to write.
func BenchmarkWriteGLB20k(b *testing.B) { benchmarkWrite(b, GLB, sheet(142)) }

func BenchmarkWritePLY500k(b *testing.B) { benchmarkWrite(b, PLY, sheet(708)) }

func BenchmarkWriteOBJ500k(b *testing.B) { benchmarkWrite(b, OBJ, sheet(708)) }

// The 501,264 vertices of a large mesh must take less than 1.5 s to read.
func BenchmarkReadPLY500k(b *testing.B) { benchmarkRead(b, PLY, sheet(708)) }

func BenchmarkReadPLYASCII500k(b *testing.B) { benchmarkRead(b, PLYASCII, sheet(708)) }

func BenchmarkReadOBJ500k(b *testing.B) { benchmarkRead(b, OBJ, sheet(708)) }

func BenchmarkReadGLB500k(b *testing.B) { benchmarkRead(b, GLB, sheet(708)) }

func benchmarkWrite(b *testing.B, f Format, m *Mesh) {
	b.ReportAllocs()
	for b.Loop() {
		if err := Write(io.Discard, f, m, DefaultWriteOptions()); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkRead(b *testing.B, f Format, m *Mesh) {
	data := mustWrite(b, f, m, DefaultWriteOptions())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		got, err := Read(bytes.NewReader(data), f, DefaultReadOptions())
		if err != nil || len(got.Positions) != len(m.Positions) {
			b.Fatal(err)
		}
	}
}
