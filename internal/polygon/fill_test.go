package polygon

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// ring is a regular polygon around c.
func ring(c r3.Vec2, radius float64, n int) []r3.Vec2 {
	out := make([]r3.Vec2, n)
	for i := range out {
		s, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		out[i] = r3.Vec2{X: c.X + radius*cos, Y: c.Y + radius*s}
	}
	return out
}

func area(loop []r3.Vec2) float64 {
	sum := 0.0
	for i, p := range loop {
		sum += p.Cross(loop[(i+1)%len(loop)]) / 2
	}
	return sum
}

func TestFillLeavesHolesOut(t *testing.T) {
	loops := [][]r3.Vec2{
		ring(r3.Vec2{X: 1, Y: 2}, 1, 60),
		ring(r3.Vec2{X: 1.4, Y: 2}, 0.2, 12),
		ring(r3.Vec2{X: 0.6, Y: 2.1}, 0.3, 20),
	}
	at, tri, ok := Fill(loops, 0.1)
	if !ok {
		t.Fatal("not filled")
	}
	want := area(loops[0]) - area(loops[1]) - area(loops[2])
	sum, least := 0.0, math.Inf(1)
	for _, v := range tri {
		sum += at[v[1]].Sub(at[v[0]]).Cross(at[v[2]].Sub(at[v[0]])) / 2
		least = min(least, quality(at[v[0]], at[v[1]], at[v[2]]))
	}
	if math.Abs(sum-want) > 1e-13 {
		t.Errorf("filled %v, want %v", sum, want)
	}
	if least < 0.5 {
		t.Errorf("a triangle has the quality %v, where 1 is equilateral", least)
	}
	n := 0
	for _, loop := range loops {
		for _, p := range loop {
			if at[n] != p {
				t.Fatalf("point %d is %v, not %v of the loops", n, at[n], p)
			}
			n++
		}
	}
}

func TestFillRefuses(t *testing.T) {
	outer := ring(r3.Vec2{}, 1, 30)
	for name, loops := range map[string][][]r3.Vec2{
		"a hole outside":           {outer, ring(r3.Vec2{X: 3}, 0.3, 8)},
		"a hole across the border": {outer, ring(r3.Vec2{X: 1}, 0.3, 8)},
		"holes that cross":         {outer, ring(r3.Vec2{}, 0.3, 8), ring(r3.Vec2{X: 0.3}, 0.3, 9)},
		"a hole in a hole":         {outer, ring(r3.Vec2{}, 0.6, 8), ring(r3.Vec2{}, 0.2, 9)},
		"a bow":                    {{{X: 0, Y: 0}, {X: 1, Y: 1}, {X: 1, Y: 0}, {X: 0, Y: 1}}},
	} {
		if _, _, ok := Fill(loops, 0.1); ok {
			t.Errorf("%s was filled", name)
		}
	}
}
