package scenefile

import (
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// TestPaintVertices: black on the left, white on the right, and nothing without UVs.
func TestPaintVertices(t *testing.T) {
	m := &meshio.Mesh{
		Positions: make([]r3.Vec, 3), Triangles: [][3]int32{{0, 1, 2}},
		UV: []r3.Vec2{{X: 0.25, Y: 0.5}, {X: 0.75, Y: 0.5}, {X: 0.5, Y: 0.5}}, CornerUV: [][3]int32{{0, 1, 2}},
	}
	paint := pngOf(2, 1, func(x, _ int) uint8 { return uint8(255 * x) })
	got, err := PaintVertices("hold.png", paint, m)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 1, 0.5} {
		if math.Abs(got[i]-want) > 1e-6 {
			t.Errorf("vertex %d has %g, not %g", i, got[i], want)
		}
	}
	m.CornerUV[0][1] = -1
	if _, err := PaintVertices(
		"hold.png",
		paint,
		m,
	); err == nil ||
		!strings.Contains(err.Error(), "triangle 0 of the mesh has no UVs") {
		t.Error(err)
	}
	m.UV, m.CornerUV = nil, nil
	if _, err := PaintVertices("hold.png", paint, m); err == nil || !strings.Contains(err.Error(), "no UVs") {
		t.Error(err)
	}
	if !IsImage("a.PNG") || IsImage("hold") {
		t.Error("images are told by their endings")
	}
}
