package detect

import (
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// sharp tests a pair of a feature and a sharp one of a shape.
func (r *rules) sharp(c *chunk, k pair, o *obstacle) { r.meetSharp(c, &k, o) }

// meetSharp tests a pair of a skin and a sharp feature of a shape: where they are near or meet, the shape's
// field is asked at the skin's point. Capsules ask the field where they are lowest (rule_faces.go), which knows of
// sharp features.
func (r *rules) meetSharp(c *chunk, k *pair, t *obstacle) {
	if r.bothRadii(k) > 0 {
		return
	}
	travel := k.travel()
	most := r.mostOf(k)
	separation := (1 + sagitta) * most
	if most < r.Thickness { // that the polygons of rims are made for
		separation = most + sagitta*r.Thickness
	}
	reach := max(r.Reach*most, separation)
	if k.apart >= reach+travel {
		return
	}
	now := k.look(0)
	if now.distance < reach && r.emitSharp(c, k, &now, t, false) {
		return
	}
	for _, part := range [2]float64{1, remnant} {
		if now.distance < part*separation {
			continue
		}
		when, hit := k.impact(part * separation)
		if !hit {
			return
		}
		then := k.look(when)
		if r.emitSharp(c, k, &then, t, part == remnant) {
			return
		}
	}
}

// emitSharp writes a candidate if the sharp feature is what the skin's point is nearest to, or if that point is
// inside, or always.
func (r *rules) emitSharp(c *chunk, k *pair, h *meeting, t *obstacle, always bool) bool {
	onEnd := k.edges && (h.s == 0 || h.s == 1) || !k.edges && h.on >= geom.CornerA
	if onEnd && !always {
		return false // the vertex itself is tested against the field
	}
	shape := &r.shapes[t.shape]
	movingPoint := func(time float64) r3.Vec {
		p, q := k.points(h, time)
		if k.edges {
			return p
		}
		return q
	}
	pose := shape.from.Lerp(shape.to, h.t)
	y := pose.Inverse().Apply(movingPoint(h.t).AddScaled(-h.t, shape.travel))
	d, g := shape.Field.Distance(y)
	if !always && (d >= r.Reach*r.mostOf(k) || d >= 0 && h.distance > d+(sagitta+degenerate)*r.Thickness) {
		return false
	}
	x0 := movingPoint(0)
	z := d + g.Dot(shape.back.Apply(x0).Sub(y))
	if h.t > 0 && r.bothRigid(k) {
		if start, _ := shape.Field.Distance(shape.back.Apply(x0)); sideways(start, z, d) {
			return false
		}
	}
	n := shape.from.R.Rotate(g)
	if d > 0 && r.bothRigid(k) && r.beside(k, h, n) {
		return false
	}
	if d < 0 && h.t == 0 && r.pierced(k, h) {
		z, n = -h.distance, k.outward(h)
	}
	id, _ := r.name(k)
	found := candidate{id: id, z: z, normal: n, point: x0.AddScaled(-z/2, n), moved: true}
	r.stand(&found, k, h, t, foot{})
	if !k.edges && int(k.i) < t.corners && found.terms == 0 {
		_, face := k.shares(h)
		found.weighAgainst(face)
		found.velocity = shape.velocityAt(x0, r.motion.H)
	}
	r.localizePair(&found, k, h)
	r.predict(&found)
	r.atPlace(&found, movingPoint(1).Sub(x0))
	r.add(c, &found)
	return true
}

// beside reports whether the point of a rigid skin is near a shape, with the normal n there, only beside it.
func (r *rules) beside(k *pair, h *meeting, n r3.Vec) bool {
	at := r.spotOn(k, h, h.t, k.edges)
	return at.beside(n)
}

// sideways reports whether a point of a skin came to where it meets a sharp feature from elsewhere than along the
// normal there: of the way that its distance fell, to nothing at the surface, less than half was along it. Then it has
// come in at another place, where it has its contact, or passes beside, and the normal would push it aside. It is asked
// of rigid bodies; what deforms may come around a corner.
func sideways(start, gap, distance float64) bool {
	met := max(distance, 0)
	return gap-met < (start-met)/2 && start > distance
}
