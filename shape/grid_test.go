package shape

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

func ExampleGrid() {
	m, x := Grid(2, 1, 4, 2)
	fmt.Println(m.Verts, "vertices,", len(m.Tri), "triangles")
	fmt.Println("upper right:", x[len(x)-1])
	fmt.Println("corners:", Corners(m))
	// Output:
	// 15 vertices, 16 triangles
	// upper right: {2 1 0}
	// corners: [0 4 10 14]
}

func TestGridIsWhole(t *testing.T) {
	for _, c := range []struct {
		x, y   float64
		nx, ny int
	}{{1, 1, 1, 1}, {0.3, 0.7, 7, 3}, {1e-3, 10, 2, 50}} {
		m, x := Grid(c.x, c.y, c.nx, c.ny)
		if err := m.Validate(); err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		area := 0.0
		for i, v := range m.Tri {
			n := x[v[1]].Sub(x[v[0]]).Cross(x[v[2]].Sub(x[v[0]]))
			if n.Z <= 0 {
				t.Fatalf("%v: triangle %d looks down", c, i)
			}
			area += m.RestArea(int32(i))
		}
		// One rounding for each triangle at most.
		if want := c.x * c.y; math.Abs(area-want) > float64(len(m.Tri))*0x1p-52*want {
			t.Errorf("%v: area %g", c, area)
		}
		if last := x[len(x)-1]; last != r3.V(c.x, c.y, 0) {
			t.Errorf("%v: last vertex at %v", c, last)
		}
		if got, want := len(Boundary(m)), 2*(c.nx+c.ny); got != want {
			t.Errorf("%v: %d boundary vertices, want %d", c, got, want)
		}
		row := int32(c.nx)
		top := int32(c.ny) * (row + 1)
		if got, want := Corners(m), []int32{0, row, top, top + row}; !slices.Equal(got, want) {
			t.Errorf("%v: corners %v, want %v", c, got, want)
		}
	}
}

func TestGridOfPatterns(t *testing.T) {
	for _, p := range Patterns() {
		for _, cells := range [][2]int{{1, 1}, {1, 7}, {12, 5}} {
			m, x := GridOf(p, 0.3, 0.7, cells[0], cells[1], 7)
			if err := m.Validate(); err != nil {
				t.Fatalf("%v %v: %v", p, cells, err)
			}
			area := 0.0
			for i := range m.Tri {
				area += m.RestArea(int32(i))
			}
			if want := 0.3 * 0.7; math.Abs(area-want) > float64(len(m.Tri))*0x1p-52*want {
				t.Errorf("%v %v: area %g, want %g", p, cells, area, want)
			}
			corners := Corners(m)
			if len(corners) != 4 {
				t.Errorf("%v %v: %d corners", p, cells, len(corners))
			}
			for _, v := range corners {
				if (x[v].X != 0 && x[v].X != 0.3) || (x[v].Y != 0 && x[v].Y != 0.7) {
					t.Errorf("%v %v: corner at %v", p, cells, x[v])
				}
			}
		}
	}
}

func TestCornersOfNotch(t *testing.T) {
	// An L of three unit squares: five corners point outwards, one inwards.
	p := []r3.Vec2{
		{X: 0, Y: 0},
		{X: 1, Y: 0},
		{X: 2, Y: 0},
		{X: 0, Y: 1},
		{X: 1, Y: 1},
		{X: 2, Y: 1},
		{X: 0, Y: 2},
		{X: 1, Y: 2},
	}
	m, err := mesh.New(len(p), [][3]int32{{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}, {3, 4, 7}, {3, 7, 6}}, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Corners(m), []int32{0, 2, 5, 6, 7}; !slices.Equal(got, want) {
		t.Errorf("corners %v, want %v", got, want)
	}
}

func TestGridRefusesNonsense(t *testing.T) {
	for _, c := range []struct {
		x, y   float64
		nx, ny int
	}{{0, 1, 1, 1}, {1, -1, 1, 1}, {math.NaN(), 1, 1, 1}, {math.Inf(1), 1, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, -1}, {1e4, 1e-6, 1, 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v: no panic", c)
				}
			}()
			Grid(c.x, c.y, c.nx, c.ny)
		}()
	}
}
