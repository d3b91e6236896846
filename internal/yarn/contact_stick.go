package yarn

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// springsOfASet is how many stiction springs a contact set has ([Kaldor10], section 5.3).
const springsOfASet = 4

// grip is what holds two touching yarns against sliding: springs between them, together as stiff along the contact as
// the contact is across. Where [Kaldor10] breaks a spring at an energy, here its force is kept at its share of what
// Coulomb's law allows.
//
// Springs are at four places along what touches of the first yarn, each towards the nearest point of the second, and
// have the share of stiffness and force that contact has there. With
// d the offset of the two points, ω how the yarns have turned in the last step, in the mean of both, and n the part of
// d that is normal to both yarns, as a unit vector, the surfaces have slid against each other by
//
//	Δs = (1 - n nᵀ) (Δd - ω x d),
//
// which is nothing when both move as one rigid body: d is that in the middle of the step, and ω has the length of
// 2 tan(θ/2), θ the angle. The stretch of a spring is the sum of this, turned along. It is no
// distance between points: where one yarn winds around another, points slide past each other on a circle.
type grip struct {
	held      bool
	stiffness float64               // of all springs together [N/m]
	stretch   [springsOfASet]r3.Vec // [m]
}

// stiffnessRange is by how much the stiffness of a contact changes before its springs follow.
const stiffnessRange = 1.5

// hold adds the forces of the springs of a set.
func (s *contactSets) hold(set *contactSet) {
	g := &set.grip
	wanted := s.stiffness(set)
	if set.touched == (box{}) || wanted == 0 {
		*g = grip{}
		return
	}
	switch {
	case !g.held:
		*g = grip{held: true, stiffness: wanted}
	case wanted > stiffnessRange*g.stiffness || stiffnessRange*wanted < g.stiffness:
		for m := range g.stretch { // their forces stay
			g.stretch[m] = g.stretch[m].Scale(g.stiffness / wanted)
		}
		g.stiffness = wanted
	}
	onA, onB := s.places(set)
	a0, _, b0, _ := s.segments(&set.box)
	for m := range g.stretch {
		i := set.touched.iLo + (2*int32(m)+1)*(set.touched.iHi-set.touched.iLo)/(2*springsOfASet)
		j := s.nearest(i, set.touched.jLo, set.touched.jHi)
		f := s.pull(&g.stretch[m], i, j, g.stiffness*set.shares[m], s.c.opt.Friction*set.normal*set.shares[m])
		s.spreadAt(onA, i, a0, f)
		s.spreadAt(onB, j, b0, f.Neg())
	}
}

// stiffness returns that of a set against approach. Of two straight yarns, whose force is 2 pi k d f(d) / sin(angle),
// it follows from force and distance alone.
func (s *contactSets) stiffness(set *contactSet) float64 {
	ratio := max(set.least/s.c.diameter2, leastRatio)
	f, slope, _ := penalty(ratio)
	if f == 0 {
		return 0
	}
	return set.normal * math.Abs(f+2*ratio*slope) / (math.Sqrt(ratio) * s.c.diameter * f)
}

// nearest returns the quadrature point of a range that is nearest to point i.
func (s *contactSets) nearest(i, lo, hi int32) int32 {
	at := s.c.spline.at
	best, least := lo, math.Inf(1)
	for j := lo; j < hi; j++ {
		if d2 := at[i].Sub(at[j]).Norm2(); d2 < least {
			best, least = j, d2
		}
	}
	return best
}

// pull lets a spring follow the last step and returns its force on the first yarn. It is damped, at half the critical
// damping of the mass of a segment on it, so that yarns that stick come to rest.
func (s *contactSets) pull(spring *r3.Vec, i, j int32, stiffness, limit float64) r3.Vec {
	c := s.c
	a, b := i/int32(c.b), j/int32(c.b)
	offset := c.spline.at[i].Sub(c.spline.at[j])
	n := c.normalAt(i, j, offset)
	moved := c.velocityAt(i).Sub(c.velocityAt(j)).Scale(c.lastStep)
	turn := c.turnOf(a).Add(c.turnOf(b)).Scale(0.5)
	slid := moved.Sub(turn.Cross(offset.AddScaled(-0.5, moved)))
	slid = slid.AddScaled(-slid.Dot(n), n)
	stretch := turnedBy(turn, *spring)
	stretch = stretch.AddScaled(-stretch.Dot(n), n).Add(slid)
	if length := stretch.Norm(); length*stiffness > limit {
		stretch = stretch.Scale(limit / (length * stiffness))
	}
	*spring = stretch
	f := stretch.Scale(-stiffness)
	if c.lastStep > 0 {
		mass := c.opt.Density * (c.lay.rest[a] + c.lay.rest[b]) / 2
		f = f.AddScaled(-math.Sqrt(stiffness*mass)/c.lastStep, slid)
	}
	if size := f.Norm(); size > limit {
		f = f.Scale(limit / size)
	}
	return f
}

// turnedBy returns v turned about w by the angle θ with |w| = 2 tan(θ/2).
func turnedBy(w, v r3.Vec) r3.Vec {
	c := w.Cross(v)
	return v.AddScaled(1/(1+w.Norm2()/4), c.AddScaled(0.5, w.Cross(c)))
}

// normalAt returns the direction of an offset between two quadrature points without what it has along their yarns.
func (c *contacts) normalAt(i, j int32, offset r3.Vec) r3.Vec {
	const parallel, aligned = 0.2, 0.1 // sines below which one direction along counts, or none
	along := c.tangentAt(i)
	n := offset.AddScaled(-offset.Dot(along), along)
	other := c.tangentAt(j)
	other = other.AddScaled(-other.Dot(along), along)
	if size := other.Norm(); size > parallel {
		other = other.Scale(1 / size)
		n = n.AddScaled(-n.Dot(other), other)
	}
	if n.Norm() < aligned*offset.Norm() {
		return offset.Unit()
	}
	return n.Unit()
}

// tangentAt returns the direction of a yarn at a quadrature point.
func (c *contacts) tangentAt(i int32) r3.Vec {
	n := int32(c.b)
	first := i / n * n
	return c.spline.at[min(i+1, first+n-1)].Sub(c.spline.at[max(i-1, first)]).Unit()
}

// velocityAt returns the velocity of a quadrature point.
func (c *contacts) velocityAt(point int32) r3.Vec {
	control, w := &c.spline.control[point/int32(c.b)], &c.spline.basis[point%int32(c.b)]
	var v r3.Vec
	for k := range w {
		v = v.AddScaled(w[k], c.models.vel[control[k]])
	}
	return v
}

// turnOf returns how a segment has turned in the last step, as turnedBy takes it.
func (c *contacts) turnOf(segment int32) r3.Vec {
	if c.turned == nil {
		return r3.Vec{}
	}
	return c.turned[segment]
}

func (s *contactSets) spreadAt(on []r3.Vec, point int32, first int, f r3.Vec) {
	segment, k := int(point)/s.c.b, int(point)%s.c.b
	w := &s.c.spline.basis[k]
	for m := range w {
		on[segment-first+m] = on[segment-first+m].AddScaled(w[m], f)
	}
}

// rows returns room for a force on every segment point of the two sides of a set, for the chunk of sets it is in.
func (s *contactSets) rows(set *contactSet, chunk int) (a, b []r3.Vec) {
	a0, a1, b0, b1 := s.segments(&set.box)
	n, m := (a1-a0+1)*s.c.b, (b1-b0+1)*s.c.b
	if len(s.scratch[chunk]) < n+m {
		s.scratch[chunk] = make([]r3.Vec, n+m)
	}
	clear(s.scratch[chunk][:n+m])
	return s.scratch[chunk][:n], s.scratch[chunk][n : n+m]
}

// divide finds how the forces on the points of the first yarn of a set are divided among its springs, and returns their
// sum, as across does.
func (s *contactSets) divide(set *contactSet, forces []r3.Vec) float64 {
	a0, _, _, _ := s.segments(&set.box)
	lo, n := int(set.touched.iLo)-a0*s.c.b, int(set.touched.iHi-set.touched.iLo)
	sum := 0.0
	for m := range set.shares {
		set.shares[m] = s.acrossRange(a0, forces, lo+m*n/springsOfASet, lo+(m+1)*n/springsOfASet)
		sum += set.shares[m]
	}
	if sum > 0 {
		for m := range set.shares {
			set.shares[m] /= sum
		}
	}
	return sum
}

// across returns the sum of the sizes of forces on consecutive points from the given segment on, of each only the part
// normal to the yarn. It is what friction goes by, also where a yarn is bent round another and the net force is less.
func (s *contactSets) across(segment int, forces []r3.Vec) float64 {
	return s.acrossRange(segment, forces, 0, len(forces))
}

func (s *contactSets) acrossRange(segment int, forces []r3.Vec, lo, hi int) float64 {
	sum := 0.0
	for i := lo; i < hi; i++ {
		if f := forces[i]; f != (r3.Vec{}) {
			along := f.Dot(s.c.tangentAt(int32(segment*s.c.b + i)))
			sum += math.Sqrt(max(0, f.Norm2()-along*along))
		}
	}
	return sum
}
