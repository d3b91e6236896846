package yarn

import (
	"fmt"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// Two straight yarns that pass through each other once are told of once, wherever along their segments and in however
// many steps they do.
func TestOneSlipIsToldOnce(t *testing.T) {
	const spacing = 4 * testRadius
	for _, steps := range []int{1, 7, 400} {
		for _, at := range [][2]float64{{0.5, 0.5}, {0, 0.5}, {0, 0}, {0.999, 0.001}, {1e-9, 1 - 1e-9}} {
			t.Run(fmt.Sprint(steps, at), func(t *testing.T) {
				lay := &layout{}
				var x []r3.Vec
				for _, along := range []r3.Vec{r3.V(1, 0, 0), r3.V(0, 1, 0)} {
					var line []r3.Vec
					shift := at[len(x)/9]
					for k := range 9 {
						line = append(line, along.Scale((float64(k)-4-shift)*spacing))
					}
					lay.add(line, false)
					x = append(x, line...)
				}
				c := newContacts(lay, ContactOptions{Radius: testRadius, Stiffness: 1})
				g := newGuard(lay, c.spline, 2*testRadius)
				place := func(part float64) []r3.Vec {
					out := append([]r3.Vec(nil), x...)
					for i := 9; i < 18; i++ { // the second yarn comes down
						out[i].Z = (0.5 - part) * 3 * testRadius
					}
					return out
				}
				var told []Slip
				for k := range steps {
					g.from, g.to = place(float64(k)/float64(steps)), place(float64(k+1)/float64(steps))
					g.bound(0, len(x))
					now := g.slips(nil, c.material, false)
					if len(now) > 1 {
						t.Errorf("step %d tells of %v", k, now)
					}
					told = NewSlips(told, now)
				}
				if len(told) != 1 {
					t.Errorf("told of %v", told)
				}
			})
		}
	}
}
