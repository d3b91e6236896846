package model

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Tubes returns surfaces of the curves' radius around the Catmull-Rom splines through their points, for pictures and
// for formats that have no curves: so many pieces between two points, at least 1, and so many sides, at least 3. The
// ends of open curves are closed by discs. Attributes are interpolated between the points. The curves must be valid.
func (c *Curves) Tubes(pieces, sides int) *Mesh {
	pieces, sides = max(pieces, 1), max(sides, 3)
	b := &tubeBuilder{c: c, pieces: pieces, sides: sides, m: &Mesh{Name: c.Name}}
	for _, a := range c.Attributes {
		b.m.Attributes = append(b.m.Attributes, Attribute{Name: a.Name, Width: a.Width})
	}
	c.Each(b.curve)
	return b.m
}

// tubeBuilder collects the tubes of curves.
type tubeBuilder struct {
	c             *Curves
	pieces, sides int
	m             *Mesh
	rings         []ring
}

// ring is a place along a spline.
type ring struct {
	at, axis, across r3.Vec // the last two are unit vectors, across one another
	from, to         int    // points of the curve
	share            float64
}

// curve adds the tube around one curve.
func (b *tubeBuilder) curve(first, end int, closed bool) {
	// rings along the curve
	b.sample(first, end, closed)
	b.orient(closed)
	start := int32(len(b.m.Positions))
	for i := range b.rings {
		b.around(&b.rings[i])
	}
	// strips from ring to ring, around to the first if it is closed
	count, sides := int32(len(b.rings)), int32(b.sides)
	joined := count - 1
	if closed {
		joined = count
	}
	for r := range joined {
		here, next := start+r*sides, start+(r+1)%count*sides
		for k := range sides {
			l := (k + 1) % sides
			b.m.Triangles = append(b.m.Triangles,
				[3]int32{here + k, here + l, next + l}, [3]int32{here + k, next + l, next + k})
		}
	}
	if closed {
		return
	}
	// caps on both ends
	last := start + (count-1)*sides
	for k := int32(1); k+1 < sides; k++ {
		b.m.Triangles = append(b.m.Triangles,
			[3]int32{start, start + k + 1, start + k}, [3]int32{last, last + k, last + k + 1})
	}
}

// sample finds the places and directions along a spline. Beyond the ends of an open curve its end points stand in for
// those that are missing.
func (b *tubeBuilder) sample(first, end int, closed bool) {
	// points on both sides, around or held at the ends
	n := end - first
	point := func(i int) int {
		if closed {
			return first + (i+n)%n
		}
		return first + max(0, min(i, n-1))
	}
	b.rings = b.rings[:0]
	segments := n
	if !closed {
		segments--
	}
	// ring at a share of a segment
	axis := r3.V(0, 0, 1)
	add := func(i int, t float64) {
		p := [4]r3.Vec{}
		for k := range p {
			p[k] = b.c.Points[point(i+k-1)]
		}
		x, slope := catmullRom(&p, t)
		// direction stays where the curve stops
		if u := slope.Unit(); u != (r3.Vec{}) {
			axis = u
		}
		b.rings = append(b.rings, ring{at: x, axis: axis, from: point(i), to: point(i + 1), share: t})
	}
	// pieces of each segment, and the last end
	for i := range segments {
		for k := range b.pieces {
			add(i, float64(k)/float64(b.pieces))
		}
	}
	if !closed {
		add(segments-1, 1)
	}
}

// catmullRom returns the point of the spline between the inner two of four points, and its derivative.
func catmullRom(p *[4]r3.Vec, t float64) (x, slope r3.Vec) {
	one := p[2].Sub(p[0]).Scale(0.5)
	two := p[0].AddScaled(-2.5, p[1]).AddScaled(2, p[2]).AddScaled(-0.5, p[3])
	three := p[1].Sub(p[2]).Scale(1.5).AddScaled(0.5, p[3].Sub(p[0]))
	x = p[1].AddScaled(t, one).AddScaled(t*t, two).AddScaled(t*t*t, three)
	return x, one.AddScaled(2*t, two).AddScaled(3*t*t, three)
}

// orient carries a direction across from ring to ring without turning about the spline. Around a closed one, the angle
// that is left over is spread evenly.
func (b *tubeBuilder) orient(closed bool) {
	last := anyAcross(b.rings[0].axis)
	for i := range b.rings {
		last = carried(last, b.rings[i].axis)
		b.rings[i].across = last
	}
	if !closed {
		return
	}
	r := &b.rings[0]
	last = carried(last, r.axis)
	angle := math.Atan2(last.Cross(r.across).Dot(r.axis), last.Dot(r.across))
	for i := range b.rings {
		r := &b.rings[i]
		sin, cos := math.Sincos(angle * float64(i) / float64(len(b.rings)))
		r.across = r.across.Scale(cos).AddScaled(sin, r.axis.Cross(r.across))
	}
}

func anyAcross(axis r3.Vec) r3.Vec {
	if math.Abs(axis.X) < 0.6 {
		return axis.Cross(r3.V(1, 0, 0)).Unit()
	}
	return axis.Cross(r3.V(0, 1, 0)).Unit()
}

// carried returns the unit vector across the axis that is nearest to v.
func carried(v, axis r3.Vec) r3.Vec {
	if u := v.AddScaled(-v.Dot(axis), axis); u.Norm() > 1e-6 {
		return u.Unit()
	}
	return anyAcross(axis)
}

// around adds the vertices of a ring.
func (b *tubeBuilder) around(r *ring) {
	other := r.axis.Cross(r.across)
	for k := range b.sides {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(b.sides))
		n := r.across.Scale(cos).AddScaled(sin, other)
		b.m.Positions = append(b.m.Positions, r.at.AddScaled(b.c.Radius, n))
		b.m.Normals = append(b.m.Normals, n)
		for i := range b.m.Attributes {
			from, to := &b.c.Attributes[i], &b.m.Attributes[i]
			for w := range to.Width {
				x, y := from.Data[r.from*to.Width+w], from.Data[r.to*to.Width+w]
				to.Data = append(to.Data, x+float32(r.share)*(y-x))
			}
		}
	}
}
