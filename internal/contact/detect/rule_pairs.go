package detect

import "github.com/toile-sim/toile/internal/contact"

// Pairs of features: a vertex and a face, or two edges, of skins or of a skin and an obstacle mesh.
//
// Proximity. A pair nearer than the reach is a contact if it is a local minimum of the distance of the two
// surfaces. A vertex that hovers over one triangle of a flat mesh is also near its neighbours, but only at their
// borders and aslant; constraints along those directions would catch it at every inner edge that it slides over.
// So, where the nearest point lies on the border of the face, the direction between the two must lean over none of
// the faces at either end; and two edges must be nearest at inner points, with the direction between them leaning
// over none of their faces. Nothing is lost: where it leans over a face, there is a nearer pair, which is within
// reach itself. Only where two rigid faces lie on each other, up to an angle, are all corners of what they have in
// common contacts, though one of them is nearest: the next moment it may be another. And a pair that pushed in the last
// step, so much that it would now be an impact if it did not, stays without being a minimum: the motion that is
// expected at the start knows nothing of what only its impulse kept apart. Pairs of one skin also need SelfRatio times
// their rest distance to exceed the distance.
//
// Impact. All other pairs are contacts if their distance reaches the separation σ in the step:
//
//   - σ = h_c in general, so that normals are well defined;
//   - of one skin, if the rest distance is not above h_c/SelfRatio: σ = min(h_c, SelfRatio d₀), d₀ the distance at
//     the start, as neighbours may be nearer than h_c;
//   - σ = min(h_c, d₀)/10 for pairs that are near but were refused;
//   - σ/10 as a second try, when the pair is not a local minimum at the time of the first.
//
// An impact of the smallest σ is a contact if its direction lies in the normal cones of both features (cone.go), and
// between skins that deform always. As a motion through each other passes all of them, none of these is missed.
//
// Normals come from the face where the nearest point is inside of one, else from the difference of the nearest
// points. A difference below a thousandth of h_c is no direction. Then the normal is one that lies in both cones, if
// one of the surfaces has an inside. Between sheets it is, in this order: that of the same contact in the last step;
// the normal of the face, or the cross product of the edges, to the side at the start of the step; for parallel edges,
// the normal of a face at the first.

// remnant is the part of the separation that is left to pairs that were refused.
const remnant = 0.1

// leftOver returns the separation of a pair that was refused, or is asked about again: a part of the gap of round
// surfaces or, if these overlap, of the distance of their cores.
func leftOver(thickness, radius, distance float64) float64 {
	if distance > radius {
		return radius + remnant*min(thickness, distance-radius)
	}
	return remnant * distance
}

// pair tests a pair.
func (r *rules) pair(c *chunk, k pair) { r.meet(c, &k) }

// meet tests a pair.
func (r *rules) meet(c *chunk, k *pair) {
	if r.smoothPair(k) {
		return
	}
	o := r.obstacle(k)
	closed := o != nil && o.closed
	if closed && !k.edges && k.q.led != contact.None && o.inside[k.i] {
		return
	}
	if r.Crossed && !closed && r.tangledPair(k) {
		return // which side is the right one cannot be told
	}
	travel := k.travel()
	thickness := r.mostOf(k)
	radius := r.bothRadii(k)
	reach := r.Reach*thickness + radius
	if k.apart >= reach+travel {
		return
	}
	rigid := radius == 0 && r.bothRigid(k)
	now := k.look(0)
	near := now.distance < reach
	if near {
		if radius == 0 && now.distance <= degenerate*r.Thickness && !r.touches(k, &now) {
			return
		}
		if closed && r.fromInside(c, k, &now) {
			return
		}
		if (k.minimum(&now, rigid) || !rigid && r.presses(k, &now)) && (!k.same || r.layers(c, k, &now, now.distance)) {
			r.emit(c, k, &now, false)
			if o == nil && !now.settled {
				r.meetAgain(c, k, &now, travel)
			}
			return
		}
		if now.settled {
			return // what touches at its border, others hold
		}
	}
	separation := thickness + radius
	switch {
	case near:
		separation = leftOver(thickness, radius, now.distance)
	case k.same && !r.layers(c, k, &now, thickness):
		separation = min(thickness, r.SelfRatio*now.distance)
	}
	if now.distance > separation+travel {
		return
	}
	t, hit := k.impact(separation)
	if !hit {
		return
	}
	then := k.look(t)
	if !near && !k.minimum(&then, rigid) {
		if t, hit = k.impact(radius + remnant*(separation-radius)); !hit {
			return
		}
		then = k.look(t)
	}
	if closed && k.behind(&then) || radius == 0 && !r.faces(k, &then) {
		return
	}
	r.emit(c, k, &then, false)
}

// meetAgain tests whether a pair of skins that is near and slides or turns far in the step also meets on the way,
// elsewhere: a second contact, which the first knows nothing of.
func (r *rules) meetAgain(c *chunk, k *pair, now *meeting, travel float64) {
	separation := leftOver(r.mostOf(k), r.bothRadii(k), now.distance)
	if now.distance > separation+travel {
		return
	}
	if t, hit := k.impact(separation); hit {
		if then := k.look(t); r.bothRadii(k) > 0 || r.faces(k, &then) {
			r.emit(c, k, &then, true)
		}
	}
}

// presses tells whether a pair that is near was a contact in the last step, and without its impulse would come as near
// as an impact.
func (r *rules) presses(k *pair, now *meeting) bool {
	id, _ := r.name(k)
	return now.distance-r.past.kept(id) < leftOver(r.mostOf(k), r.bothRadii(k), now.distance)
}

// layers reports whether a pair of one skin, at the given distance, is two layers and not neighbours.
func (r *rules) layers(c *chunk, k *pair, h *meeting, distance float64) bool {
	radius := distance / r.SelfRatio
	if radius < r.rest.shortest {
		return true
	}
	if k.edges {
		p, q := r.rest.onEdge(k.i, h.s), r.rest.onEdge(k.j, h.w.X)
		return r.rest.beyond(&c.rest, &p, &q, radius)
	}
	p, q := atVertex(k.i), r.rest.onFace(k.j, [3]float64{h.w.X, h.w.Y, h.w.Z})
	return r.rest.beyond(&c.rest, &p, &q, radius)
}
