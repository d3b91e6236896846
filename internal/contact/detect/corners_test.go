package detect

import (
	"math/rand/v2"
	"testing"
)

// The hull of points that coincide but for rounding, or nearly, is found, and none of them is outside of it.
func TestCornersThatNearlyCoincide(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		c := &cornerer{}
		noise := [...]float64{0, 1e-16, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5}[random.IntN(7)]
		across := 0.02 * float64(random.IntN(3)) / 2
		for i := range 3 + random.IntN(30) {
			c.group = append(c.group, facePoint{
				index: int32(i),
				u:     0.005*float64(random.IntN(3)) + noise*random.NormFloat64(),
				v:     across*float64(random.IntN(3)) + noise*random.NormFloat64(),
			})
		}
		if !c.findCorners() {
			continue
		}
		for i, from := range c.corner {
			to := c.corner[(i+1)%len(c.corner)]
			length, _ := place(from, to, to)
			allowed := 4 * c.on * (1 + c.on/beside/length) // the line of a short side is known less well far away
			for _, p := range c.group {
				if _, out := place(from, to, p); out > allowed {
					t.Fatalf("noise %g: %v is %g m outside of the side from %v to %v", noise, p, out, from, to)
				}
			}
		}
	}
}
