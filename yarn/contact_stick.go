package yarn

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// springsOfASet is how many stiction springs a contact set has ([Kaldor10], section 5.3).
const springsOfASet = 4

// grip is what holds two touching yarns against sliding: springs between points of both, together as stiff along the
// contact as the contact is across. Where [Kaldor10] breaks a spring at an energy, here its force is kept at its share
// of what Coulomb's law allows.
type grip struct {
	held      bool
	stiffness float64 // of one spring [N/m]
	springs   [springsOfASet]stick
}

// stick is a spring between point i of the first yarn and point j of the second, at rest when their offset along the
// contact is rest, in the frame of hold.
type stick struct {
	i, j int32
	rest r3.Vec2
}

// stiffnessRange is by how much the stiffness of a contact changes before its springs follow.
const stiffnessRange = 1.5

// hold adds the forces of the springs of a set. A spring lives in the plane normal to the net force between the yarns;
// its first axis is along the first yarn.
func (s *contactSets) hold(set *contactSet) {
	g := &set.grip
	wanted := s.stiffness(set) / springsOfASet
	if set.touched == (box{}) || wanted == 0 {
		g.held = false
		return
	}
	normal := set.push.Unit()
	if !g.held {
		g.held, g.stiffness = true, wanted
		for m := range g.springs {
			s.attach(set, m, normal, r3.Vec2{})
		}
	} else if wanted > stiffnessRange*g.stiffness || stiffnessRange*wanted < g.stiffness {
		s.stiffen(set, normal, wanted)
	}
	limit := s.c.opt.Friction * set.normal / springsOfASet / g.stiffness
	for m := range g.springs {
		s.pull(set, m, normal, limit)
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

// stiffen gives springs another stiffness and leaves their forces as they are.
func (s *contactSets) stiffen(set *contactSet, normal r3.Vec, wanted float64) {
	g := &set.grip
	for m := range g.springs {
		spring := &g.springs[m]
		along, across := s.frame(spring, normal)
		now := s.offset(spring, along, across)
		spring.rest = now.Sub(now.Sub(spring.rest).Scale(g.stiffness / wanted))
	}
	g.stiffness = wanted
}

// attach puts a spring of the given stretch at its place within the contact: at a quarter or three quarters of what
// touches of either yarn.
func (s *contactSets) attach(set *contactSet, m int, normal r3.Vec, stretch r3.Vec2) {
	t := &set.touched
	spring := &set.grip.springs[m]
	spring.i = quarter(t.iLo, t.iHi, m&1)
	spring.j = quarter(t.jLo, t.jHi, m>>1)
	along, across := s.frame(spring, normal)
	spring.rest = s.offset(spring, along, across).Sub(stretch)
}

func quarter(lo, hi int32, second int) int32 {
	if second == 0 {
		return lo + (hi-lo)/4
	}
	return hi - 1 - (hi-lo)/4
}

// frame returns the two axes along the contact that a spring is measured in.
func (s *contactSets) frame(spring *stick, normal r3.Vec) (along, across r3.Vec) {
	n := int32(s.c.b)
	first := spring.i / n * n
	at := s.c.spline.at
	tangent := at[min(spring.i+1, first+n-1)].Sub(at[max(spring.i-1, first)])
	along = tangent.AddScaled(-tangent.Dot(normal), normal).Unit()
	return along, normal.Cross(along)
}

func (s *contactSets) offset(spring *stick, along, across r3.Vec) r3.Vec2 {
	d := s.c.spline.at[spring.i].Sub(s.c.spline.at[spring.j])
	return r3.Vec2{X: d.Dot(along), Y: d.Dot(across)}
}

// pull adds the force of one spring, which slides when it is stretched beyond the limit, and moves it back when one of
// its points has left the contact.
func (s *contactSets) pull(set *contactSet, m int, normal r3.Vec, limit float64) {
	spring := &set.grip.springs[m]
	along, across := s.frame(spring, normal)
	now := s.offset(spring, along, across)
	stretch := now.Sub(spring.rest)
	if length := stretch.Norm(); length > limit {
		stretch = stretch.Scale(limit / length)
		spring.rest = now.Sub(stretch)
	}
	f := along.Scale(stretch.X).AddScaled(stretch.Y, across).Scale(-set.grip.stiffness)
	onA, onB := s.places(set)
	a0, _, b0, _ := s.segments(&set.box)
	s.spreadAt(onA, spring.i, a0, f)
	s.spreadAt(onB, spring.j, b0, f.Neg())
	if t := &set.touched; spring.i < t.iLo || spring.i >= t.iHi || spring.j < t.jLo || spring.j >= t.jHi {
		s.attach(set, m, normal, stretch)
	}
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

// across returns the sum of the sizes of forces on consecutive points from the given segment on, of each only the part
// normal to the yarn. It is what friction goes by, also where a yarn is bent round another and the net force is less.
func (s *contactSets) across(segment int, forces []r3.Vec) float64 {
	sum, n, at := 0.0, s.c.b, s.c.spline.at[segment*s.c.b:]
	for i, f := range forces {
		if f == (r3.Vec{}) {
			continue
		}
		first := i / n * n
		tangent := at[min(i+1, first+n-1)].Sub(at[max(i-1, first)])
		along := f.Dot(tangent)
		sum += math.Sqrt(max(0, f.Norm2()-along*along/tangent.Norm2()))
	}
	return sum
}
