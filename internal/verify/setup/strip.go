package setup

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Column is a way to hold the ends of a strip.
type Column struct {
	Name   string
	Clamps int     // how many ends are clamped, from the first on
	Euler  float64 // P L²/EI
}

var Columns = []Column{
	{"clamped and pinned", 1, 20.1907},
	{"pinned", 0, math.Pi * math.Pi},
	{"clamped", 2, 4 * math.Pi * math.Pi},
}

// Strip is a rectangle of cloth clamped at its end x = 0.
type Strip struct {
	Pattern       string
	Length, Width float64 // [m]
	Elements      int     // along the length
}

func (s Strip) String() string { return fmt.Sprintf("%s, %d elements", s.Pattern, s.Elements) }

// The patterns that strips are cut from: those of package shape, and a right grid cut at 45°, whose
// diagonals then run along or across the strip.
var (
	StripPatterns = []string{"right", "crossed", "equilateral", "random"}
	BiasPatterns  = []string{"bias along", "bias across"}
)

// Mesh returns the mesh of the strip and where its vertices lie, x along the length and y across.
func (s Strip) Mesh(t *verify.Trial) (*mesh.Mesh, []r3.Vec2) {
	size := s.Length / float64(s.Elements)
	for _, p := range shape.Patterns() {
		if p.String() == s.Pattern {
			return shape.Strip(p, s.Length, s.Width, size, 0, 1)
		}
	}
	// Diagonals along the strip are its elements; of diagonals across it, two halves.
	across := s.Pattern == "bias across"
	if across {
		size *= math.Sqrt2
	} else {
		size /= math.Sqrt2
	}
	m, at, err := biasStrip(s.Length, s.Width, size, across)
	t.Must(err)
	return m, at
}

// biasStrip returns a strip cut at 45° from a right grid with sides of size, whose diagonals, of size √2,
// run along it or across it. It is made of rows of points along the diagonals, every other one shifted
// by half a diagonal.
func biasStrip(length, width, size float64, across bool) (*mesh.Mesh, []r3.Vec2, error) {
	if across {
		length, width = width, length
	}
	along, rows := max(1, int(math.Round(length/size/math.Sqrt2))), max(1, int(math.Round(width*math.Sqrt2/size)))
	var at []r3.Vec2
	row := func(j int) (points []int32) {
		shift := 0.5 * float64(j%2)
		for i := 0; i <= along+j%2; i++ {
			x := min(max(float64(i)-shift, 0), float64(along))
			points = append(points, int32(len(at)))
			at = append(at, r3.Vec2{X: x * length / float64(along), Y: float64(j) * width / float64(rows)})
		}
		return points
	}
	var tri [][3]int32
	below := row(0)
	for j := 1; j <= rows; j++ {
		above := row(j)
		for i, k := 0, 0; i < len(below)-1 || k < len(above)-1; {
			// Advance on the side that is behind.
			if k == len(above)-1 || i < len(below)-1 && at[below[i+1]].X <= at[above[k+1]].X {
				tri = append(tri, [3]int32{below[i], below[i+1], above[k]})
				i++
			} else {
				tri = append(tri, [3]int32{below[i], above[k+1], above[k]})
				k++
			}
		}
		below = above
	}
	if across {
		for i, p := range at {
			at[i] = r3.Vec2{X: p.Y, Y: p.X}
		}
		for i, v := range tri {
			tri[i] = [3]int32{v[0], v[2], v[1]}
		}
	}
	m, err := mesh.New(len(at), tri, at, nil)
	return m, at, err
}

// Ends returns the vertices and the boundary edges at x = where.
func Ends(m *mesh.Mesh, at []r3.Vec2, where float64) (vertices []int32, edges [][2]int32) {
	for v, p := range at {
		if math.Abs(p.X-where) < 1e-9 {
			vertices = append(vertices, int32(v))
		}
	}
	for i := range m.Edges {
		e := &m.Edges[i]
		if e.Boundary() && math.Abs(at[e.V[0]].X-where) < 1e-9 && math.Abs(at[e.V[1]].X-where) < 1e-9 {
			edges = append(edges, e.V)
		}
	}
	return vertices, edges
}

// Clamped returns a world with a strip that leaves its root along +x and starts at positions x, and the
// vertices at its tip.
func (s Strip) Clamped(
	t *verify.Trial,
	m *mesh.Mesh,
	at []r3.Vec2,
	x []r3.Vec,
	f SheetFabric,
) (*engine.World, engine.ClothID, []int32) {
	root, edges := Ends(m, at, 0)
	tip, _ := Ends(m, at, s.Length)
	var clamps []body.Clamp
	for _, e := range edges {
		clamps = append(clamps, body.Clamp{Edge: e, Dir: r3.V(1, 0, 0)})
	}
	w, id := ClampedSheet(t, engine.DefaultOptions(), m, x, f, clamps)
	_, err := w.AddHandle(engine.Handle{Name: "wall", Cloth: id, Vertices: root})
	t.Must(err)
	return w, id, tip
}

// HeavyElastica are the tip drop over run of the heavy elastica at ten Γ = w L³/EI [Romero21].
var HeavyElastica = []struct{ Gamma, Ratio float64 }{
	{1, 0.12456},
	{5, 0.58572},
	{8, 0.88433},
	{10, 1.06680},
	{20, 1.86393},
	{50, 3.70556},
	{100, 5.88810},
	{200, 8.90677},
	{500, 14.7688},
	{1000, 21.3354},
}
