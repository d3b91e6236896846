package detect

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Knot is what crosses at the end of a step: the points of two primitives of moving skins, or of one and an obstacle;
// one point inside a shape whose faces are not asked about.
type Knot struct {
	Points   [6]int32
	Count    int   // of points
	Obstacle int32 // index of the prescribed skin, or None
}

// tie adds the corners of a primitive.
func (k *Knot) tie(s *side, prim int32) {
	k.Count += copy(k.Points[k.Count:], s.prim[prim][:s.sides(int(prim))])
}

// fresh appends to out what crosses at the end of the motion to x and is not marked.
func (g *guard) fresh(x []r3.Vec, out []Knot) []Knot {
	g.moveTo(x)
	// pairs of moving skins, and of these and meshes
	if g.Self {
		out = g.freshPairs(x, nil, out)
	}
	for _, o := range g.obstacles {
		if o.Field == nil && len(g.moving.prim) > 0 {
			o.move(g.travel(o))
			out = g.freshPairs(x, o, out)
		}
	}
	// what got into shapes
	for _, o := range g.obstacles {
		if o.Field == nil {
			continue
		}
		travel, to, from := g.travel(o), o.To.Inverse(), o.From.Inverse()
		// faces that are inside at the end only
		if hasFaces(o.Field) {
			out = g.freshInside(o, &from, &to, travel, out)
		}
		// points that are inside at the end only
		for _, p := range g.alone(o.Field) {
			if d, _ := o.Field.Distance(to.Apply(x[p].Sub(travel))); d < 0 {
				if d, _ := o.Field.Distance(from.Apply(g.motion.X0[p])); d >= 0 {
					out = append(out, Knot{[6]int32{p}, 1, o.skin})
				}
			}
		}
	}
	return out
}

// freshInside appends the faces that are inside a shape at the end and were not at the start.
func (s *scene) freshInside(o *obstacle, from, to *r3.Pose, travel r3.Vec, out []Knot) []Knot {
	passed := r3.Box{}
	for i := range s.shapes {
		if s.shapes[i].obstacle == o {
			passed = s.shapes[i].passed
		}
	}
	for i := range s.moving.extended {
		if !s.boxes[i].Overlaps(&passed) {
			continue
		}
		if _, inside := s.deepest(o.Field, to, travel, s.motion.X1, int32(i)); !inside {
			continue
		}
		if _, was := s.deepest(o.Field, from, r3.Vec{}, s.motion.X0, int32(i)); !was {
			k := Knot{Obstacle: o.skin}
			k.tie(&s.moving, int32(i))
			out = append(out, k)
		}
	}
	return out
}

// freshPairs appends the pairs of moving skins, or of these and an obstacle if it is not nil, that cross at the end.
func (s *scene) freshPairs(x []r3.Vec, o *obstacle, out []Knot) []Knot {
	marks, pairs, y := s.tangled, s.selfPairs, x
	if o != nil {
		marks, pairs, y = o.tangled, o.pairs, o.x1
	}
	for _, ij := range pairs {
		if !s.crossAt(x, ij, o, y) {
			continue
		}
		k := Knot{Obstacle: contact.None}
		k.tie(&s.moving, ij[0])
		known := len(marks) > 0 && anyMarked(marks, s.moving.prim[ij[0]])
		if o != nil {
			k.Obstacle = o.skin
		} else {
			k.tie(&s.moving, ij[1])
			known = known && anyMarked(marks, s.moving.prim[ij[1]])
		}
		if !known {
			out = append(out, k)
		}
	}
	return out
}
