package referee

import (
	"math/rand/v2"

	"github.com/toile-sim/toile/r3"
)

// PairKinds names the families of moving pairs; all but the first two are degenerate.
var PairKinds = []string{
	"random", "near miss", "grid", "one plane", "parallel or flat", "touching at 0", "touching at 1",
	"grazing", "far away", "tiny", "no motion", "carried along", "needle",
}

// pointIn is uniform in the cube of half side 1.
func pointIn(r *rand.Rand) r3.Vec {
	return r3.V(2*r.Float64()-1, 2*r.Float64()-1, 2*r.Float64()-1)
}

// gridPoint is a small multiple of step on each axis: such points are often collinear or coplanar.
func gridPoint(r *rand.Rand, step float64) r3.Vec {
	return r3.V(float64(r.IntN(3)-1)*step, float64(r.IntN(3)-1)*step, float64(r.IntN(3)-1)*step)
}

// MovingPair returns a pair of the kind with the given number.
func MovingPair(r *rand.Rand, kind int, edges bool) Pair {
	c := Pair{Edges: edges}
	fill := func(point func() r3.Vec) {
		for k := range c.X0 {
			c.X0[k], c.X1[k] = point(), point()
		}
	}
	random := func() r3.Vec { return pointIn(r) }
	grid := func() r3.Vec { return gridPoint(r, 0.5) }
	switch PairKinds[kind] {
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
		c.touch(r, &c.X0)
	case "touching at 1":
		fill(random)
		c.touch(r, &c.X1)
	case "grazing":
		// The path of the first corner is cut by a line that the others only brush: half of the time
		// exactly, at t = 1/2.
		fill(grid)
		m := c.At(0.5)
		c.touch(r, &m)
		shift := m[0].Sub(c.At(0.5)[0])
		c.X0[0], c.X1[0] = c.X0[0].Add(shift), c.X1[0].Add(shift)
	case "far away":
		fill(grid)
		c.Move(r3.V(1e6, -1e6, 1e6+0.125), 1)
	case "tiny":
		fill(grid)
		c.Move(r3.Vec{}, 1e-9)
	case "no motion":
		fill(grid)
		c.X1 = c.X0
	case "carried along":
		fill(grid)
		c.X1 = c.X0
		by := pointIn(r).Scale(100)
		for k := range c.X1 {
			c.X1[k] = c.X1[k].Add(by)
			if r.IntN(2) == 0 {
				c.X1[k] = c.X1[k].Add(gridPoint(r, 0.125))
			}
		}
	case "needle":
		fill(random)
		thin := r3.V(1, 1e-6, 1e-12)
		for k := range c.X0 {
			c.X0[k] = r3.V(c.X0[k].X*thin.X, c.X0[k].Y*thin.Y, c.X0[k].Z*thin.Z)
			c.X1[k] = r3.V(c.X1[k].X*thin.X, c.X1[k].Y*thin.Y, c.X1[k].Z*thin.Z)
		}
	}
	return c
}

// At returns the corners at time t.
func (c *Pair) At(t float64) [4]r3.Vec {
	var x [4]r3.Vec
	for k := range x {
		x[k] = c.X0[k].Lerp(c.X1[k], t)
	}
	return x
}

// Move scales and then translates a pair.
func (c *Pair) Move(by r3.Vec, scale float64) {
	for k := range c.X0 {
		c.X0[k], c.X1[k] = c.X0[k].Scale(scale).Add(by), c.X1[k].Scale(scale).Add(by)
	}
}

// weights are dyadic and often on the border.
func dyadicWeight(r *rand.Rand) float64 { return float64(r.IntN(5)) / 4 }

// touch moves corner 0 of x so that the features touch, exactly when the coordinates are short numbers.
func (c *Pair) touch(r *rand.Rand, x *[4]r3.Vec) {
	if c.Edges {
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
func (c *Pair) steer(r *rand.Rand, weight, t, gap float64) {
	x := c.At(t)
	c.touchAt(&x, weight)
	by := x[0].Sub(c.At(t)[0]).Add(pointIn(r).Scale(gap))
	c.X0[0], c.X1[0] = c.X0[0].Add(by), c.X1[0].Add(by)
}

func (c *Pair) touchAt(x *[4]r3.Vec, weight float64) {
	if c.Edges {
		x[0] = x[2].AddScaled(weight, x[3].Sub(x[2]))
		return
	}
	x[0] = x[1].AddScaled(weight, x[2].Sub(x[1])).AddScaled((1-weight)/2, x[3].Sub(x[1]))
}

// flatten makes edges parallel, triangles flat to a line or a point, at the start or all the time.
func (c *Pair) flatten(r *rand.Rand) {
	along := func(x *[4]r3.Vec) {
		switch s := float64(r.IntN(5)-2) / 2; {
		case c.Edges:
			x[3] = x[2].AddScaled(s, x[1].Sub(x[0]))
		default:
			x[3] = x[1].AddScaled(s, x[2].Sub(x[1]))
		}
	}
	along(&c.X0)
	if r.IntN(2) == 0 {
		along(&c.X1)
	}
	if r.IntN(8) == 0 {
		c.X0[2], c.X1[2] = c.X0[1], c.X1[1]
		c.X0[3], c.X1[3] = c.X0[1], c.X1[1]
	}
}

// Reach is the greatest distance between corners of the two features, at the start or the end.
func (c *Pair) Reach() float64 {
	var most float64
	for _, x := range []*[4]r3.Vec{&c.X0, &c.X1} {
		if c.Edges {
			most = max(most, x[0].Sub(x[2]).Norm(), x[0].Sub(x[3]).Norm(), x[1].Sub(x[2]).Norm(), x[1].Sub(x[3]).Norm())
		} else {
			most = max(most, x[0].Sub(x[1]).Norm(), x[0].Sub(x[2]).Norm(), x[0].Sub(x[3]).Norm())
		}
	}
	return most
}
