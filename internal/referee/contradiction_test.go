package referee

import (
	"testing"

	"github.com/toile-sim/toile/r3"
)

// TestContradict: two walls close on a node at 1 m/s together. Equal multipliers prove that one of them is violated by
// 0.5 m/s; unequal ones are felt, one that pulls is wrong, and walls that part are not contradicted.
func TestContradict(t *testing.T) {
	up, down := r3.Identity(), r3.Diagonal(-1) // the first row is the normal
	p := &Problem{
		Mass: []float64{1}, B: make([]r3.Vec, 1), Held: make([]bool, 1),
		Contacts: []Contact{
			{Row: []Term{{M: up}}, Offset: r3.V(-0.3, 9, 0)},
			{Row: []Term{{M: down}}, Offset: r3.V(-0.7, 0, 9)},
		},
	}
	v := make([]r3.Vec, 1)
	push := func(a, b float64) []r3.Vec { return []r3.Vec{{X: a}, {X: b}} }
	if c := Contradict(p, v, push(2, 2)); c.Wrong != 0 || c.Felt != 0 || c.Speed != 0.5 {
		t.Errorf("walls that close: %+v", c)
	}
	if c := Contradict(p, v, push(2, 1)); c.Felt < 0.3 {
		t.Errorf("unequal multipliers: %+v", c)
	}
	if c := Contradict(p, v, push(-2, -2)); c.Wrong != 2 {
		t.Errorf("walls that pull: %+v", c)
	}
	p.Contacts[1].Offset.X = 0.7
	if c := Contradict(p, v, push(1, 1)); c.Speed >= 0 {
		t.Errorf("walls that part: %+v", c)
	}
	p.Held[0], v[0] = true, r3.V(0.1, 0, 0)
	if c := Contradict(p, v, push(1, 0)); c.Felt != 0 || !(c.Speed > 0.199 && c.Speed < 0.201) {
		t.Errorf("a held node that approaches: %+v", c)
	}
}
