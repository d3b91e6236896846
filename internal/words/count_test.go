package words

import "testing"

func TestCount(t *testing.T) {
	for want, got := range map[string]string{
		"0 vertices": Count(0, "vertex"), "1 vertex": Count(1, "vertex"), "3 tetrahedra": Count(3, "tetrahedron"),
		"1 rigid body": Count(1, "rigid body"), "2 rigid bodies": Count(2, "rigid body"), "1,000 steps": Count(1000, "step"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
