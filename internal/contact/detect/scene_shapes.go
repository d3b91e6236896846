package detect

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// prepareShapes puts shapes on their ways.
func (s *scene) prepareShapes() {
	s.shapes = s.shapes[:0]
	s.mostSagging = 0
	if slices.ContainsFunc(s.obstacles, func(o *obstacle) bool { return o.Field != nil && hasFaces(o.Field) }) {
		s.mostSagging = s.mostSag()
	}
	for _, o := range s.obstacles {
		if o.Field == nil {
			continue
		}
		t := newPassage(o, s.travel(o))
		t.passed = s.inflated(t.swept(), s.mostSagging)
		o.shape = int32(len(s.shapes))
		s.shapes = append(s.shapes, t)
	}
	if len(s.off) != len(s.shapes)*s.moving.extended {
		s.forgetOff()
	}
}

// inflated returns a box grown by the reach, the greatest radius, what faces may sag, and a little more, so that
// roundings do not matter.
func (s *scene) inflated(b r3.Box, sag float64) r3.Box {
	const room = 1.01
	by := r3.V(1, 1, 1).Scale(room * (max(s.reach, s.most) + s.roundest + sag))
	return r3.Box{Min: b.Min.Sub(by), Max: b.Max.Add(by)}
}

// mostSag bounds what sag returns [m]: s ≤ ρ²/2r, and ρ ≤ r/4.
func (s *scene) mostSag() float64 {
	longest := 0.0
	for _, e := range s.moving.edge {
		longest = max(longest, s.motion.X0[e[0]].Sub(s.motion.X0[e[1]]).Norm2())
	}
	return largeFaces/2*math.Sqrt(longest/3) + s.most
}

// faceOf returns a face of the skins on its way.
func (s *scene) faceOf(t *passage, index int32) face {
	d := face{t: t, index: index, pose: t.to, turn: t.turn, radius: s.radius(s.moving.prim[index][0])}
	for k, block := range s.moving.prim[index] {
		d.from[k], d.to[k] = s.motion.X0[block], s.motion.X1[block].Sub(t.travel)
		d.thick = max(d.thick, s.thicknessAt(block))
	}
	d.close = faceClose * d.thick
	d.hasten()
	return d
}

// staysOff tells of most faces that do not come within reach of a shape in the step that they do not: tangents bound
// their distance at the start, which the motions of a step have in common, and the speed of their corners by how much
// it falls.
func (s *scene) staysOff(t *passage, face int32) bool {
	off := &s.off[int(t.shape)*s.moving.extended+int(face)]
	v, x, y := &s.moving.prim[face], s.motion.X0, s.motion.X1
	if math.IsNaN(*off) {
		*off = geom.BelowTriangle(t.Field, t.back.Apply(x[v[0]]), t.back.Apply(x[v[1]]), t.back.Apply(x[v[2]]))
	}
	reach := s.reach + s.radius(v[0])
	if !(*off > reach) {
		return false
	}
	for _, p := range v {
		if !(*off > reach+t.speed(x[p], y[p].Sub(t.travel))) {
			return false
		}
	}
	return true
}

// forgetOff makes room for the distances of all faces to all shapes at a new start.
func (s *scene) forgetOff() {
	n := len(s.shapes) * s.moving.extended
	s.off = slices.Grow(s.off[:0], n)[:n]
	for i := range s.off {
		s.off[i] = math.NaN()
	}
}

// deepest returns the least distance of a face to a shape, if it is inside of it; pose leads to the axes of the shape.
func (s *scene) deepest(
	field geom.Field,
	pose *r3.Pose,
	travel r3.Vec,
	at []r3.Vec,
	index int32,
) (d float64, inside bool) {
	var x [3]r3.Vec
	for k, block := range s.moving.prim[index] {
		x[k] = pose.Apply(at[block].Sub(travel))
	}
	radius := s.radius(s.moving.prim[index][0])
	low := geom.LowestOnTriangle(field, x[0], x[1], x[2], radius, faceClose*s.Thickness)
	return low.D, low.D < 0
}

// alone returns the points that are asked about the inside of a shape on their own: all, or, where faces and free edges
// are asked, free ones.
func (s *scene) alone(field geom.Field) []int32 {
	if hasFaces(field) {
		return s.dots
	}
	return s.points
}
