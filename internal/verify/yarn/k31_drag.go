package yarn

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// K31: two straight yarns of the diameter D cross at right angles at a distance d, and one slides along the other, or
// comes closer, at v. Each pair of lengths closer than D is damped by 2 k v, and such pairs fill a disk of the radius
// √(D² - d²):
//
//	F = -2 k v π (D² - d²)
//
// if both constants of damping are k. It is the difference in momentum, after a very short step, from yarns at rest.
// Each of p points of a segment of the length l stands for l/p: the edge of the disk is off by as much.
var yarnDrag = verify.Case{
	ID: "K31", Title: "damping of yarns that touch", Source: "integral over the pairs that touch",
	Body: func(t *verify.Trial) {
		const k, h, d, l, points = 1000, 1e-7, 1.8e-3, 1e-3, 64
		m := yarn.Kaldor()
		m.Bend, m.Twist, m.Plastic, m.DampRate, m.DampConstant = 0, 0, 0, 0, 0
		m.DampNormal, m.DampTangent = k, k
		gained := func(v r3.Vec) (sum r3.Vec) {
			w, err := t.Yarns(yarn.Options{
				Material: m, Mode: yarn.ContactPairs, Points: points, Strain: math.Inf(1), Workers: t.Options.Workers,
			})
			t.Must(err)
			const n = 12
			for i, way := range []r3.Vec{{X: 1}, {Y: 1}} {
				x := make([]r3.Vec, n)
				for j := range x {
					x[j] = way.Scale((float64(j) - 5.5) * l).Add(r3.V(0, 0, d*float64(i)))
				}
				_, err := w.AddYarn(yarn.Yarn{Name: fmt.Sprint("yarn ", i), Points: x})
				t.Must(err)
			}
			mass := m.Density * (n - 1) * l
			for i := range n {
				w.Velocities()[n+i] = v
			}
			_, err = w.Step(h)
			t.Must(err)
			for i := range n {
				weight := mass / (n - 1)
				if i == 0 || i == n-1 {
					weight /= 2
				}
				sum = sum.AddScaled(weight, w.Velocities()[n+i].Sub(v))
			}
			return sum.Scale(1 / h)
		}
		still, radius := gained(r3.Vec{}), 2*m.Radius
		area := math.Pi * (radius*radius - d*d)
		for _, v := range []r3.Vec{{X: 1}, {Z: -1}, {X: 1, Y: 2, Z: -1}} {
			want := v.Scale(-2 * k * area)
			got := gained(v).Sub(still)
			t.Row(verify.Row{
				Quantity: fmt.Sprintf("damping force at %v m/s, off by, relative", v),
				Measured: got.Sub(want).Norm() / want.Norm(),
				Bar:      verify.AtMost, Limit: 2 * l / points / math.Sqrt(radius*radius-d*d),
				From: "points at the edge of the disk, if all were off to one side",
			})
		}
	},
}
