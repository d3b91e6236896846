package untangle

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// The forces of contours are minus the derivative of their length, by central differences at two step sizes.
func TestContourForceIsTheGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(size float64) r3.Vec {
		return r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Scale(size)
	}
	patch := func(pose func(u, v float64) r3.Vec) Surface {
		const n = 4
		s := Surface{Thickness: 1e-3}
		for i := range n + 1 {
			for j := range n + 1 {
				s.X = append(s.X, pose(float64(i)/n, float64(j)/n).Add(random(0.03)))
			}
		}
		for i := range int32(n) {
			for j := range int32(n) {
				a := i*(n+1) + j
				s.Tri = append(s.Tri, [3]int32{a, a + n + 1, a + n + 2}, [3]int32{a, a + n + 2, a + 1})
			}
		}
		return s
	}
	worst := 0.0
	for range 20 {
		shift := random(0.3)
		sheets := []Surface{
			patch(func(u, v float64) r3.Vec { return r3.V(u, v, 0) }),
			patch(func(u, v float64) r3.Vec { return r3.V(0.5+0.3*u, 0.1+0.6*v, u-0.5).Add(shift) }),
		}
		for i := range sheets {
			sheets[i].Layer = 1
		}
		c := newContours(newScene(sheets, nil, nil))
		if c.trace(); c.count == 0 {
			continue
		}
		c.pull()
		force := append([]r3.Vec(nil), c.force...)
		d := make([]r3.Vec, len(force))
		want := 0.0
		for v := range d {
			d[v] = random(1)
			want -= force[v].Dot(d[v])
		}
		slope := func(h float64) float64 {
			at := func(h float64) float64 {
				start := append([]r3.Vec(nil), c.x...)
				defer copy(c.x, start)
				for v := range d {
					c.x[v] = c.x[v].AddScaled(h, d[v])
				}
				c.trace()
				return c.length
			}
			return (at(h) - at(-h)) / (2 * h)
		}
		coarse, fine := math.Abs(slope(1e-5)-want), math.Abs(slope(1e-6)-want)
		worst = max(worst, min(coarse, fine)/(1+math.Abs(want)))
	}
	// A contour may lose or win a corner within a step, where its length has a kink: of two steps the better one
	// counts.
	if worst > 1e-4 {
		t.Errorf("the derivative of the length differs by %.3g of itself", worst)
	}
}
