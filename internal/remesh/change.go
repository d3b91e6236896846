package remesh

// The operations on a sheet, with everything that lives on it.
//
// Mass: each triangle gives a third of its own, density times material area, to its corners. Splits, flips and
// collapses keep the material that is covered, so they keep the sum. Momentum: the velocity field is linear on
// triangles, and Σ m v is the integral of ρ v. A split does not change the field; a flip or a collapse does, and what
// the sum has lost is given back as one velocity to all vertices of the patch: the least change, in kinetic energy,
// that does so. Vertices that stay (Keep) do not take part, unless there are no others.
//
// Lines where the material ends, is cut, or changes its values are creases: they are not flipped, and a vertex on one
// is removed only along it, where it is straight in the material on both sides. So areas stay to the last bits.

import (
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

const (
	// straight is how far from straight a crease may be where a vertex on it is removed: the area that is lost,
	// relative to the square of the length.
	straight = 1e-12

	// thin is the least quality of a triangle that an operation may make, unless it takes away a thinner one: 4√3 area
	// over the sum of the squares of the sides, in the metric; 1 for an equilateral triangle.
	thin = 0.1

	// flat is the least quality in the material.
	flat = 1e-5

	// longMost is the size that no new edge of a collapse may exceed. Below 1, so that what is collapsed is not split
	// again.
	longMost = 0.9

	// sharpest is the cosine of the largest angle at an edge that is flipped. Across a sharper fold the surface would
	// move too far.
	sharpest = 0.5
)

// change is a sheet while it is changed.
type change struct {
	edit     mesh.Editor
	x, v     []r3.Vec
	mass     []float64
	uid      []int64
	nextUID  int64
	keep     []bool
	vertex   [][]float64
	triangle [][]float64
	size     []Tensor // by material point
	density  float64
	mapped   bool
	opt      *Options
	guard    guard
	sizer    *sizer // of the sheet as it was
	look     look
	counts   Counts

	star, star2, ring, olds []int32
	tris                    []int32 // triangles of the last operation
}

// refusal is why an operation is not done.
type refusal int

const (
	allowed refusal = iota
	keptAsIs
	badShape
	crossing
)

func (c *change) refuse(why refusal) {
	switch why {
	case keptAsIs:
		c.counts.Refused.Kept++
	case badShape:
		c.counts.Refused.Shape++
	case crossing:
		c.counts.Refused.Crossing++
	}
}

// crease reports whether a side is one: border, seam, or a line where a value at triangles changes.
func (c *change) crease(side int32) bool {
	twin := c.edit.Twin(side)
	if twin == mesh.None || c.edit.Seam(side) {
		return true
	}
	for _, f := range c.triangle {
		if f[side/3] != f[twin/3] {
			return true
		}
	}
	return false
}

// held reports whether both ends of a side stay, and the side with them.
func (c *change) held(side int32) bool {
	a, b := c.edit.Ends(side)
	return c.keep[a] && c.keep[b]
}

// size2 returns the square of the size of a side; of a seam's the larger of both.
func (c *change) size2(side int32) float64 {
	s := c.sizeFrom(side)
	if twin := c.edit.Twin(side); twin != mesh.None && c.edit.Seam(side) {
		s = max(s, c.sizeFrom(twin))
	}
	return s
}

func (c *change) sizeFrom(side int32) float64 {
	p, q := c.edit.EndPoints(side)
	return c.sizeBetween(p, q)
}

// sizeBetween returns the square of the size of an edge between two material points.
func (c *change) sizeBetween(p, q int32) float64 {
	d := c.edit.Material[q].Sub(c.edit.Material[p])
	return (c.size[p].Of(d) + c.size[q].Of(d)) / 2
}

// corner2 returns twice the signed material area of a triangle of material points.
func (c *change) area2(p, q, r int32) float64 {
	m := c.edit.Material
	return m[q].Sub(m[p]).Cross(m[r].Sub(m[p]))
}

// quality returns those of a triangle of material points in the metric and in the material.
func (c *change) quality(p, q, r int32) (metric, material float64) {
	m := c.edit.Material
	a, b, d := m[q].Sub(m[p]), m[r].Sub(m[q]), m[p].Sub(m[r])
	area2 := math.Abs(a.Cross(b))
	const equilateral = 2 * 1.7320508075688772
	mean := c.size[p].Add(c.size[q]).Add(c.size[r])
	metric = equilateral * area2 * math.Sqrt(max(mean.det(), 0)) / (mean.Of(a) + mean.Of(b) + mean.Of(d))
	return metric, equilateral * area2 / (a.Dot(a) + b.Dot(b) + d.Dot(d))
}

// massOf returns the mass that triangle t gives to each of its corners.
func (c *change) massOf(t int32) float64 {
	k := &c.edit.Corner[t]
	density := c.density
	if c.mapped {
		density = c.triangle[0][t]
	}
	return density * math.Abs(c.area2(k[0], k[1], k[2])) / 6
}

// carry adds the mass of triangle t, times sign, to its corners, and returns the momentum that it has with their
// velocities.
func (c *change) carry(t int32, sign float64) r3.Vec {
	m := sign * c.massOf(t)
	v := &c.edit.Tri[t]
	for _, i := range v {
		c.mass[i] += m
	}
	return c.v[v[0]].Add(c.v[v[1]]).Add(c.v[v[2]]).Scale(m)
}

// balance gives lost momentum back to the vertices of the triangles in tris.
func (c *change) balance(lost r3.Vec, tris []int32) {
	// vertices of the triangles, each once
	c.ring = c.ring[:0]
	for _, t := range tris {
		for _, i := range c.edit.Tri[t] {
			if !contains(c.ring, i) {
				c.ring = append(c.ring, i)
			}
		}
	}
	// those that need not stay or, if there are none, all
	for _, all := range [2]bool{false, true} {
		total := 0.0
		for _, i := range c.ring {
			if all || !c.keep[i] {
				total += c.mass[i]
			}
		}
		if total <= 0 {
			continue
		}
		// one change of velocity for all of them
		dv := lost.Scale(1 / total)
		for _, i := range c.ring {
			if all || !c.keep[i] {
				c.v[i] = c.v[i].Add(dv)
			}
		}
		return
	}
}

// split splits an edge in the middle.
func (c *change) split(side int32) refusal {
	if c.held(side) {
		return keptAsIs
	}
	// ends, and the middle
	e := &c.edit
	a, b := e.Ends(side)
	twin := e.Twin(side)
	v := int32(len(c.x))
	middle := c.x[a].Add(c.x[b]).Scale(0.5)
	c.olds, c.guard.news = c.olds[:0], c.guard.news[:0]
	// triangles on both sides, and the halves of each
	for _, s := range [2]int32{side, twin} {
		if s == mesh.None {
			continue
		}
		k := &e.Corner[s/3]
		if _, q := c.quality(k[0], k[1], k[2]); q < 4*flat {
			return badShape
		}
		o, p, q := e.Opposite(s), a, b
		if s == twin {
			p, q = b, a
		}
		c.olds = append(c.olds, s/3)
		c.guard.news = append(c.guard.news,
			patchFace{[3]int32{o, v, q}, [3]r3.Vec{c.x[o], middle, c.x[q]}},
			patchFace{[3]int32{o, p, v}, [3]r3.Vec{c.x[o], c.x[p], middle}})
	}
	// no halves may cross anything
	if !c.guard.allows(c.olds, nil) {
		return crossing
	}
	// mass of the triangles is taken from their corners
	for _, t := range c.olds {
		c.carry(t, -1)
	}
	// new vertex in the middle
	c.x = append(c.x, middle)
	c.v = append(c.v, c.v[a].Add(c.v[b]).Scale(0.5))
	c.mass = append(c.mass, 0)
	c.keep = append(c.keep, false)
	c.uid = append(c.uid, c.nextUID)
	c.nextUID++
	for i, f := range c.vertex {
		c.vertex[i] = append(f, (f[a]+f[b])/2)
	}
	// halves, with their mass
	c.cut(side, twin)
	for _, t := range c.tris {
		c.carry(t, 1)
		c.guard.changed(t)
	}
	c.counts.Splits++
	return allowed
}

// cut splits an edge in the mesh, and gives the new triangles and material points their values.
func (c *change) cut(side, twin int32) {
	e := &c.edit
	p, q := e.EndPoints(side)
	c.size = append(c.size, c.size[p].Add(c.size[q]).Scale(0.5))
	if twin != mesh.None && e.Seam(side) {
		p, q = e.EndPoints(twin)
		c.size = append(c.size, c.size[p].Add(c.size[q]).Scale(0.5))
	}
	n := len(e.Tri)
	e.Split(side)
	c.tris = append(c.tris[:0], c.olds...)
	for t := n; t < len(e.Tri); t++ {
		c.tris = append(c.tris, int32(t))
	}
	for i, f := range c.triangle {
		for j := range c.olds {
			f = append(f, f[c.olds[j]])
		}
		c.triangle[i] = f
	}
}
