package geom

import (
	"math/rand/v2"

	"github.com/toile-sim/toile/r3"
)

// caseKinds names the families of moving pairs; all but the first two are degenerate.
var caseKinds = []string{
	"random", "near miss", "grid", "one plane", "parallel or flat", "touching at 0", "touching at 1",
	"grazing", "far away", "tiny", "no motion", "carried along", "needle",
}

// movingPair returns a pair of the given kind.
func movingPair(r *rand.Rand, kind int, edges bool) pair {
	c := pair{edges: edges}
	fill := func(point func() r3.Vec) {
		for k := range c.x0 {
			c.x0[k], c.x1[k] = point(), point()
		}
	}
	random := func() r3.Vec { return randomPoint(r) }
	grid := func() r3.Vec { return gridPoint(r, 0.5) }
	switch caseKinds[kind] {
	case "random":
		fill(random)
	case "near miss":
		fill(random)
		c.steer(r, 0.8*r.Float64(), r.Float64(), 1e-3*(r.Float64()-0.5))
	case "grid":
		fill(grid)
	case "one plane":
		fill(func() r3.Vec { p := grid(); p.Z = p.X - 2*p.Y; return p })
	case "parallel or flat":
		fill(grid)
		c.flatten(r)
	case "touching at 0":
		fill(grid)
		c.touch(r, &c.x0)
	case "touching at 1":
		fill(random)
		c.touch(r, &c.x1)
	case "grazing":
		// The path of the first corner is cut by a line that the others only brush: half of the time
		// exactly, at t = 1/2.
		fill(grid)
		m := c.at(0.5)
		c.touch(r, &m)
		shift := m[0].Sub(c.at(0.5)[0])
		c.x0[0], c.x1[0] = c.x0[0].Add(shift), c.x1[0].Add(shift)
	case "far away":
		fill(grid)
		c.move(r3.V(1e6, -1e6, 1e6+0.125), 1)
	case "tiny":
		fill(grid)
		c.move(r3.Vec{}, 1e-9)
	case "no motion":
		fill(grid)
		c.x1 = c.x0
	case "carried along":
		fill(grid)
		c.x1 = c.x0
		by := randomPoint(r).Scale(100)
		for k := range c.x1 {
			c.x1[k] = c.x1[k].Add(by)
			if r.IntN(2) == 0 {
				c.x1[k] = c.x1[k].Add(gridPoint(r, 0.125))
			}
		}
	case "needle":
		fill(random)
		thin := r3.V(1, 1e-6, 1e-12)
		for k := range c.x0 {
			c.x0[k] = r3.V(c.x0[k].X*thin.X, c.x0[k].Y*thin.Y, c.x0[k].Z*thin.Z)
			c.x1[k] = r3.V(c.x1[k].X*thin.X, c.x1[k].Y*thin.Y, c.x1[k].Z*thin.Z)
		}
	}
	return c
}

// at returns the corners at time t.
func (c *pair) at(t float64) [4]r3.Vec {
	var x [4]r3.Vec
	for k := range x {
		x[k] = c.x0[k].Lerp(c.x1[k], t)
	}
	return x
}

// move scales and then translates a pair.
func (c *pair) move(by r3.Vec, scale float64) {
	for k := range c.x0 {
		c.x0[k], c.x1[k] = c.x0[k].Scale(scale).Add(by), c.x1[k].Scale(scale).Add(by)
	}
}

// weights are dyadic and often on the border.
func dyadicWeight(r *rand.Rand) float64 { return float64(r.IntN(5)) / 4 }

// touch moves corner 0 of x so that the features touch, exactly when the coordinates are short numbers.
func (c *pair) touch(r *rand.Rand, x *[4]r3.Vec) {
	if c.edges {
		// a + s(b-a) = c + t(d-c) with s of 0 or 1/2: a = 2m - b or m.
		m := x[2].AddScaled(dyadicWeight(r), x[3].Sub(x[2]))
		if r.IntN(2) == 0 {
			x[0] = m
		} else {
			x[0] = m.Scale(2).Sub(x[1])
		}
		return
	}
	v := dyadicWeight(r)
	w := dyadicWeight(r) * (1 - v)
	x[0] = x[1].AddScaled(v, x[2].Sub(x[1])).AddScaled(w, x[3].Sub(x[1]))
}

// steer makes the features pass at time t near each other, the gap off along a random direction.
func (c *pair) steer(r *rand.Rand, weight, t, gap float64) {
	x := c.at(t)
	c.touchAt(&x, weight)
	by := x[0].Sub(c.at(t)[0]).Add(randomPoint(r).Scale(gap))
	c.x0[0], c.x1[0] = c.x0[0].Add(by), c.x1[0].Add(by)
}

func (c *pair) touchAt(x *[4]r3.Vec, weight float64) {
	if c.edges {
		x[0] = x[2].AddScaled(weight, x[3].Sub(x[2]))
		return
	}
	x[0] = x[1].AddScaled(weight, x[2].Sub(x[1])).AddScaled((1-weight)/2, x[3].Sub(x[1]))
}

// flatten makes edges parallel, triangles flat to a line or a point, at the start or all the time.
func (c *pair) flatten(r *rand.Rand) {
	along := func(x *[4]r3.Vec) {
		switch s := float64(r.IntN(5)-2) / 2; {
		case c.edges:
			x[3] = x[2].AddScaled(s, x[1].Sub(x[0]))
		default:
			x[3] = x[1].AddScaled(s, x[2].Sub(x[1]))
		}
	}
	along(&c.x0)
	if r.IntN(2) == 0 {
		along(&c.x1)
	}
	if r.IntN(8) == 0 {
		c.x0[2], c.x1[2] = c.x0[1], c.x1[1]
		c.x0[3], c.x1[3] = c.x0[1], c.x1[1]
	}
}

// impact asks the code under test.
func (c *pair) impact(separation float64) (t float64, hit bool) {
	x, y := &c.x0, &c.x1
	if c.edges {
		return EdgeEdgeImpact(x[0], y[0], x[1], y[1], x[2], y[2], x[3], y[3], separation)
	}
	return PointTriangleImpact(x[0], y[0], x[1], y[1], x[2], y[2], x[3], y[3], separation)
}

// reach is the greatest distance between corners of the two features, at the start or the end.
func (c *pair) reach() float64 {
	var most float64
	for _, x := range []*[4]r3.Vec{&c.x0, &c.x1} {
		if c.edges {
			most = max(most, x[0].Sub(x[2]).Norm(), x[0].Sub(x[3]).Norm(), x[1].Sub(x[2]).Norm(), x[1].Sub(x[3]).Norm())
		} else {
			most = max(most, x[0].Sub(x[1]).Norm(), x[0].Sub(x[2]).Norm(), x[0].Sub(x[3]).Norm())
		}
	}
	return most
}

// dist2 is the squared distance at time t, from differences, so that it does not lose digits far away.
func (c *pair) dist2(t float64) float64 {
	diff := func(i, j int) r3.Vec {
		return c.x0[i].Sub(c.x0[j]).Lerp(c.x1[i].Sub(c.x1[j]), t)
	}
	var d2 float64
	if c.edges {
		_, _, d2 = EdgeEdge(r3.Vec{}, diff(1, 0), diff(2, 0), diff(3, 0))
	} else {
		_, _, d2 = PointTriangle(r3.Vec{}, diff(1, 0), diff(2, 0), diff(3, 0))
	}
	return d2
}
