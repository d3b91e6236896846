package meshio

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// ringAndRod are a circle of radius 1 about z through n points and a straight line along x.
func ringAndRod(n int) *Curves {
	c := &Curves{Name: "yarn", Radius: 0.1, Counts: []int32{int32(n), 3}, Closed: []bool{true, false}}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		c.Points = append(c.Points, r3.V(cos, sin, 0))
	}
	c.Points = append(c.Points, r3.V(0, 0, 2), r3.V(1, 0, 2), r3.V(3, 0, 2))
	a := Attribute{Name: "_TENSION", Width: 1}
	for i := range c.Points {
		a.Data = append(a.Data, float32(i))
	}
	c.Attributes = []Attribute{a}
	return c
}

// A tube is closed, turned outwards, and has the volume of what it stands for.
func TestTubes(t *testing.T) {
	const n, pieces, sides = 32, 4, 24
	c := ringAndRod(n)
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	m := c.Tubes(pieces, sides)
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	if want := (n*pieces + 2*pieces + 1) * sides; len(m.Positions) != want || len(m.Normals) != want {
		t.Errorf("%d vertices, want %d", len(m.Positions), want)
	}
	edges := map[[2]int32]int{}
	volume := 0.0
	for _, tri := range m.Triangles {
		for k := range 3 {
			edges[[2]int32{tri[k], tri[(k+1)%3]}]++
		}
		volume += m.Positions[tri[0]].Dot(m.Positions[tri[1]].Cross(m.Positions[tri[2]])) / 6
	}
	for e, count := range edges {
		if e[0] == e[1] {
			t.Fatalf("a triangle has vertex %d twice", e[0])
		}
		if edges[[2]int32{e[1], e[0]}] != count {
			t.Fatalf("edge %v is open", e)
		}
	}
	// A prism of 24 sides has 1.1 % less than a cylinder, and the ends of the straight tube, where the spline is
	// slower, are straight all the same.
	polygon := sides / 2.0 * math.Sin(2*math.Pi/sides) * c.Radius * c.Radius
	if want := polygon * (2*math.Pi + 3); math.Abs(volume/want-1) > 2e-3 {
		t.Errorf("volume %g, want %g", volume, want)
	}
	for v, x := range m.Positions[:n*pieces*sides] {
		center := r3.V(x.X, x.Y, 0).Unit()
		if d := x.Sub(center).Norm(); math.Abs(d-c.Radius) > 1e-3 {
			t.Fatalf("vertex %d is %g from the circle", v, d)
		}
	}
	if a := m.Attributes[0]; a.Data[0] != 0 || a.Data[2*sides] != 0.5 || a.Data[len(a.Data)-1] != n+2 {
		t.Errorf("attribute begins with %v, is %v halfway to the next point and ends with %v", a.Data[0], a.Data[2*sides], a.Data[len(a.Data)-1])
	}
}

// Neighbouring rings of a closed curve in space do not turn against each other, the last and the first neither.
func TestTubesDoNotTwist(t *testing.T) {
	const n, sides = 20, 8
	c := &Curves{Radius: 0.05, Counts: []int32{n}, Closed: []bool{true}}
	for i := range n {
		s := 2 * math.Pi * float64(i) / n
		c.Points = append(c.Points, r3.V(math.Cos(s), math.Sin(s), 0.5*math.Sin(2*s+1)))
	}
	m := c.Tubes(4, sides)
	rings := len(m.Normals) / sides
	for r := range rings {
		if d := m.Normals[r*sides].Dot(m.Normals[(r+1)%rings*sides]); d < 0.98 {
			t.Errorf("ring %d: the next is turned by %g rad", r, math.Acos(d))
		}
	}
}

// Points that coincide give no direction, and no tube that is not finite.
func TestTubesOfCoincidingPoints(t *testing.T) {
	c := &Curves{Radius: 1, Points: make([]r3.Vec, 7), Counts: []int32{4, 3}, Closed: []bool{false, true}}
	if err := c.Tubes(2, 3).Validate(); err != nil {
		t.Error(err)
	}
}
