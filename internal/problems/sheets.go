// Package problems generates contact problems: sheets on planes, on balls and on each other, and nets of masses with
// contacts of all sorts. They come from seeds and are the same on every machine; tests, verifications and benchmarks
// share them.
package problems

import (
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Problem is a contact problem: find v, r with A v + b = Jᵀ r, u = J v + u_f, (r, u) ∈ C(μ).
type Problem struct {
	A     *sparse.BSR
	B     []r3.Vec  // [N s]
	Mass  []float64 // [kg]
	Fixed []bool
	Set   contact.Set
}

// cloth is a number of square sheets of n x n nodes, 1 m wide, over each other: springs along the edges of a
// triangulated grid, hinges across them, 0.15 kg/m².
type cloth struct {
	n, layers int
	stretch   float64 // [N/m]
	bend      float64 // [N m]
	h         float64 // time step [s]
	place     func(x, y float64, layer int) r3.Vec
	velocity  func(x, y float64, layer int) r3.Vec
	noise     float64 // of the velocity [m/s]
	rng       *rand.Rand
}

func (c *cloth) at(i, j, layer int) int32 { return int32((layer*c.n+j)*c.n + i) }

// grid is the nodes of all sheets, and what joins them.
type grid struct {
	rest, pos, vel []r3.Vec
	edges          [][2]int32
	hinges         [][4]int32
}

func (c *cloth) grid(dx float64) grid {
	// vertices of all layers
	n := c.n
	total := n * n * c.layers
	g := grid{rest: make([]r3.Vec, total), pos: make([]r3.Vec, total), vel: make([]r3.Vec, total)}
	for l := range c.layers {
		for j := range n {
			for i := range n {
				k := c.at(i, j, l)
				x, y := float64(i)*dx, float64(j)*dx
				g.rest[k], g.pos[k], g.vel[k] = r3.V(x, y, 0), c.place(x, y, l), c.velocity(x, y, l)
				// noise of velocities
				if c.noise > 0 {
					g.vel[k] = g.vel[k].Add(
						r3.V(c.rng.NormFloat64(), c.rng.NormFloat64(), c.rng.NormFloat64()).Scale(c.noise),
					)
				}
				// edges, and hinges across diagonals
				if i+1 < n {
					g.edges = append(g.edges, [2]int32{k, c.at(i+1, j, l)})
				}
				if j+1 < n {
					g.edges = append(g.edges, [2]int32{k, c.at(i, j+1, l)})
				}
				if i+1 < n && j+1 < n {
					g.edges = append(g.edges, [2]int32{k, c.at(i+1, j+1, l)})
					g.hinges = append(g.hinges, [4]int32{k, c.at(i+1, j+1, l), c.at(i+1, j, l), c.at(i, j+1, l)})
				}
				// hinges across sides of squares
				if i+1 < n && j > 0 && j+1 < n {
					g.hinges = append(g.hinges, [4]int32{k, c.at(i+1, j, l), c.at(i+1, j+1, l), c.at(i, j-1, l)})
				}
				if j+1 < n && i > 0 && i+1 < n {
					g.hinges = append(g.hinges, [4]int32{k, c.at(i, j+1, l), c.at(i+1, j+1, l), c.at(i-1, j, l)})
				}
			}
		}
	}
	return g
}

// build returns the step's equations without contacts, and the positions.
func (c *cloth) build() (*Problem, []r3.Vec) {
	const density = 0.15
	dx := 1 / float64(c.n-1)
	g := c.grid(dx)
	total := len(g.pos)
	pattern := sparse.NewPattern(total)
	for _, e := range g.edges {
		pattern.Add(e[:]...)
	}
	for _, e := range g.hinges {
		pattern.Add(e[:]...)
	}
	p := &Problem{
		A:     pattern.Build(),
		B:     make([]r3.Vec, total),
		Mass:  make([]float64, total),
		Fixed: make([]bool, total),
	}
	mass := density * dx * dx
	for i := range total {
		p.Mass[i] = mass
		p.A.Val[p.A.Diag[i]] = r3.Diagonal(mass)
		p.B[i] = g.vel[i].Add(r3.V(0, 0, -9.81*c.h)).Scale(-mass)
	}
	c.join(p, &g, dx)
	return p, g.pos
}

// join adds the springs and hinges.
func (c *cloth) join(p *Problem, g *grid, dx float64) {
	// springs: stiffness and force along an edge
	add := func(i, j int32, m *r3.Mat) { p.A.Val[p.A.Index(i, j)].Add(m) }
	for _, e := range g.edges {
		i, j := e[0], e[1]
		d := g.pos[j].Sub(g.pos[i])
		length, natural := d.Norm(), g.rest[j].Sub(g.rest[i]).Norm()
		d = d.Unit()
		k := c.stretch / 1.5
		tension := k * (length - natural) / natural * dx
		m := r3.Outer(d, d)
		m = m.Scale(k)
		m.AddDiagonal(max(0, tension) / length)
		plus, minus := m.Scale(c.h*c.h), m.Scale(-c.h*c.h)
		add(i, i, &plus)
		add(j, j, &plus)
		add(i, j, &minus)
		add(j, i, &minus)
		p.B[i] = p.B[i].AddScaled(-c.h*tension, d)
		p.B[j] = p.B[j].AddScaled(c.h*tension, d)
	}
	// hinges: ends of the edge against the vertices across
	weights := [4]float64{1, 1, -1, -1}
	for _, e := range g.hinges {
		for q, i := range e {
			for r, j := range e {
				m := r3.Diagonal(c.h * c.h * c.bend / (dx * dx) * 3 * weights[q] * weights[r])
				add(i, j, &m)
			}
		}
	}
}

// Thickness is that of the contacts [m].
const Thickness = 1e-3

// VertexOn is a contact of block i with an obstacle at a distance of gap [m] along its normal, for a step of h [s].
func VertexOn(i int32, normal r3.Vec, gap, mu, h float64) contact.Contact {
	return contact.Contact{
		ID: contact.ID{A: contact.Feature{ID: int64(i)}, B: contact.Feature{Surface: 99, Kind: contact.Whole}},
		A:  i, B: contact.None, Frame: contact.FrameOf(normal), Mu: mu, Uf: r3.V((gap-Thickness)/h, 0, 0), Gap: gap,
	}
}

func flat(x, y float64, layer int) r3.Vec { return r3.V(x, y, Thickness*float64(1+layer)) }

// OnPlane is a sheet on a floor; it slides with the given velocity and shakes.
func OnPlane(n int, stretch, mu float64, slip r3.Vec, noise float64) *Problem {
	c := cloth{
		n:        n,
		layers:   1,
		stretch:  stretch,
		bend:     1e-5,
		h:        2e-3,
		place:    flat,
		noise:    noise,
		rng:      rand.New(rand.NewPCG(1, uint64(n))),
		velocity: func(x, y float64, _ int) r3.Vec { return slip },
	}
	p, pos := c.build()
	for i := range pos {
		p.Set.Add(VertexOn(int32(i), r3.V(0, 0, 1), pos[i].Z, mu, c.h))
	}
	return p
}

// OnBall is a sheet over a ball of radius 0.25 m, stretched by its weight and the dent of the ball.
func OnBall(n int, stretch, mu float64) *Problem {
	const radius = 0.25
	c := cloth{
		n: n, layers: 1, stretch: stretch, bend: 1e-5, h: 2e-3, noise: 0.01, rng: rand.New(rand.NewPCG(2, uint64(n))),
		place: func(x, y float64, _ int) r3.Vec {
			x, y = x-0.5, y-0.5
			d := math.Hypot(x, y)
			angle := min(d/radius, 1.3)
			reach := radius * math.Sin(angle)
			z := radius*math.Cos(angle) - math.Sin(1.3)*max(0, d-1.3*radius)
			reach += math.Cos(1.3) * max(0, d-1.3*radius)
			if d > 0 {
				x, y = x/d*reach, y/d*reach
			}
			return r3.V(x, y, z).Scale(1 + Thickness/radius)
		},
		velocity: func(x, y float64, _ int) r3.Vec { return r3.V(0.3*(y-0.4), 0.1, -0.2) },
	}
	p, pos := c.build()
	for i := range pos {
		if gap := pos[i].Norm() - radius; gap < 1.5*Thickness {
			p.Set.Add(VertexOn(int32(i), pos[i].Unit(), gap, mu, c.h))
		}
	}
	return p
}

// InLayers are sheets over each other that slide, node over node, the lowest on a floor if there is one, else held at
// two corners.
func InLayers(n, layers int, stretch, mu float64, floor bool) *Problem {
	c := cloth{
		n:       n,
		layers:  layers,
		stretch: stretch,
		bend:    1e-5,
		h:       2e-3,
		place:   flat,
		noise:   0.01,
		rng:     rand.New(rand.NewPCG(3, uint64(n))),
		velocity: func(x, y float64, layer int) r3.Vec {
			return r3.V(0.2*float64(layer)*(y-0.3), 0.05*float64(layer), -0.02*float64(layer))
		},
	}
	p := c.stack(mu, floor)
	if !floor {
		p.Fixed[0], p.Fixed[n-1] = true, true
	}
	return p
}

// AtRest are sheets over each other on a floor, node over node, that do not move.
func AtRest(n, layers int, stretch, mu float64) *Problem {
	c := cloth{
		n: n, layers: layers, stretch: stretch, bend: 1e-5, h: 2e-3, place: flat,
		velocity: func(float64, float64, int) r3.Vec { return r3.Vec{} },
	}
	return c.stack(mu, true)
}

// stack puts the sheets on each other, and the lowest on a floor if there is one.
func (c *cloth) stack(mu float64, floor bool) *Problem {
	p, pos := c.build()
	for i := range pos {
		k := VertexOn(int32(i), r3.V(0, 0, 1), Thickness, mu, c.h)
		if below := int32(i - c.n*c.n); below >= 0 {
			k.B, k.ID.B = below, contact.Feature{ID: int64(below)}
		} else if !floor {
			continue
		}
		p.Set.Add(k)
	}
	return p
}

// IrregularPile are three sheets on a floor; each node lies on one or two of the nodes below at random, with uneven
// normals and gaps.
func IrregularPile(n int, stretch, mu float64) *Problem {
	rng := rand.New(rand.NewPCG(9, 9))
	c := cloth{
		n: n, layers: 3, stretch: stretch, bend: 1e-5, h: 2e-3, place: flat, noise: 0.02, rng: rng,
		velocity: func(x, y float64, layer int) r3.Vec {
			return r3.V(0.2*float64(layer)*(y-0.3), 0.05*float64(layer), -0.02*float64(layer))
		},
	}
	p, pos := c.build()
	near := func(k int) int { return min(n-1, max(0, k+rng.IntN(3)-1)) }
	for i := range pos {
		layer := i / (n * n)
		if layer == 0 {
			p.Set.Add(VertexOn(int32(i), r3.V(0, 0, 1), Thickness, mu, c.h))
			continue
		}
		for range 1 + rng.IntN(2) {
			normal := r3.V(0.2*rng.NormFloat64(), 0.2*rng.NormFloat64(), 1).Unit()
			k := VertexOn(int32(i), normal, Thickness+1e-5*rng.NormFloat64(), mu, c.h)
			k.B = c.at(near(i%n), near(i/n%n), layer-1)
			k.ID.B = contact.Feature{ID: int64(p.Set.Len())}
			p.Set.Add(k)
		}
	}
	return p
}
