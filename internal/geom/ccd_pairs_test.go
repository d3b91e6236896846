package geom

import (
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/r3"
)

// pair is a moving pair of the referee that the code under test can be asked about.
type pair struct{ referee.Pair }

func movingPair(r *rand.Rand, kind int, edges bool) pair {
	return pair{referee.MovingPair(r, kind, edges)}
}

// impact asks the code under test.
func (c *pair) impact(separation float64) (t float64, hit bool) {
	x, y := &c.X0, &c.X1
	if c.Edges {
		return EdgeEdgeImpact(x[0], y[0], x[1], y[1], x[2], y[2], x[3], y[3], separation)
	}
	return PointTriangleImpact(x[0], y[0], x[1], y[1], x[2], y[2], x[3], y[3], separation)
}

// dist2 is the squared distance at time t, from differences, so that it does not lose digits far away.
func (c *pair) dist2(t float64) float64 {
	diff := func(i, j int) r3.Vec {
		return c.X0[i].Sub(c.X0[j]).Lerp(c.X1[i].Sub(c.X1[j]), t)
	}
	var d2 float64
	if c.Edges {
		_, _, d2 = EdgeEdge(r3.Vec{}, diff(1, 0), diff(2, 0), diff(3, 0))
	} else {
		_, _, d2 = PointTriangle(r3.Vec{}, diff(1, 0), diff(2, 0), diff(3, 0))
	}
	return d2
}
