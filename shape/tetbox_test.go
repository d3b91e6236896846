package shape

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

func TestTetBox(t *testing.T) {
	for _, n := range [][3]int{{1, 1, 1}, {2, 3, 4}, {5, 2, 3}} {
		m := TetBox(r3.V(1, 2, 0.5), n[0], n[1], n[2])
		if err := m.Validate(); err != nil {
			t.Errorf("%v: %v", n, err)
		}
		if v := m.Volume(); math.Abs(v-1) > 1e-14 {
			t.Errorf("%v: volume %v, want 1", n, v)
		}
		if want := 4 * (n[0]*n[1] + n[1]*n[2] + n[2]*n[0]); len(m.Skin()) != want {
			t.Errorf("%v: %d triangles on the skin, want %d", n, len(m.Skin()), want)
		}
		_, from, _ := m.SkinFirst()
		for i, v := range from {
			if int32(i) != v {
				t.Fatalf("%v: the skin is not first", n)
			}
		}
	}
}
