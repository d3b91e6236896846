package toile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/r3"
)

// ClothSurface returns the surface of a cloth.
func (w *World) ClothSurface(id ClothID) SurfaceID { return w.cloths[id].surface }

// ObstacleSurface returns the surface of an obstacle.
func (w *World) ObstacleSurface(id ObstacleID) SurfaceID { return w.obstacles[id].surface }

// BodySurface returns the surface of a body.
func (w *World) BodySurface(id BodyID) SurfaceID { return w.others[id].surface }

// SurfaceName returns the name of the cloth, body or obstacle that a surface belongs to.
func (w *World) SurfaceName(id SurfaceID) string { return w.surfaces[id] }

// SetFriction sets the coefficient of friction between two surfaces, or of one with itself. It holds from the next step
// on. One that Drive put on a track cannot be set.
func (w *World) SetFriction(a, b SurfaceID, mu float64) {
	if !(mu >= 0) || math.IsInf(mu, 1) {
		panic("toile: a coefficient of friction must be finite and not negative")
	}
	if min(a, b) < 0 || int(max(a, b)) >= len(w.surfaces) {
		panic(fmt.Sprintf("toile: there are no surfaces %d and %d", a, b))
	}
	if w.driven(FrictionBetween(a, b)) {
		panic(fmt.Sprintf("toile: the friction of surfaces %d and %d is on a track", a, b))
	}
	w.friction[pairOf(a, b)] = mu
}

// Friction returns the coefficient of friction between two surfaces.
func (w *World) Friction(a, b SurfaceID) float64 {
	if mu := w.friction[pairOf(a, b)]; !math.IsNaN(mu) {
		return mu
	}
	return w.opt.Contact.Friction
}

// ContactPoint is a contact of the last step.
type ContactPoint struct {
	A, B          SurfaceID // the surfaces that met
	Vertex, Other int32     // the vertices of A and B nearest to it; Other is -1 where B is an obstacle
	Point         r3.Vec    // where they met, at the start of the step [m]
	Normal        r3.Vec    // from B to A, of unit length
	Impulse       r3.Vec    // on A, in the whole step [N s]
	Slip          r3.Vec    // velocity of A relative to B along the surfaces, mean over the step [m/s]
	Gap           float64   // distance at the start of the step [m]
	Mu            float64   // coefficient of friction
	State         ContactState
	Infeasible    bool // it contradicts others, such as two plates that close; its impulse was bounded
}

// Contacts appends the contacts of the last step to dst and returns it.
func (w *World) Contacts(dst []ContactPoint) []ContactPoint {
	for c := range w.last.set.Contacts {
		k := &w.last.set.Contacts[c]
		if isBound(k) {
			continue
		}
		p := ContactPoint{
			A: SurfaceID(k.ID.A.Surface), B: SurfaceID(k.ID.B.Surface), Other: -1,
			Point: k.Point, Normal: k.Normal(), Impulse: k.Frame.MulVecT(w.last.answer.R[c]),
			Slip: w.slip(c), Gap: k.Gap, Mu: k.Mu,
			State: w.last.answer.State[c], Infeasible: w.last.answer.Infeasible[c],
		}
		p.Vertex = w.vertexOf(k.A)
		if k.B != contact.None {
			p.Other = w.vertexOf(k.B)
		}
		dst = append(dst, p)
	}
	return dst
}

// slip returns the tangential velocity of contact c. The solver's u is the mean over the step divided by θ, and its
// normal component contains the gap.
func (w *World) slip(c int) r3.Vec {
	u := w.last.answer.U[c]
	return w.last.set.Contacts[c].Frame.MulVecT(r3.V(0, u.Y, u.Z).Scale(w.opt.Theta))
}

// vertexOf returns the vertex, in its cloth, that a block belongs to, or -1 if it is none.
func (w *World) vertexOf(block int32) int32 {
	after := sort.Search(len(w.cloths), func(i int) bool { return w.cloths[i].first > int(block) })
	if after == 0 {
		return -1
	}
	if c := &w.cloths[after-1]; int(block) < c.first+c.count {
		return block - int32(c.first)
	}
	return -1
}

// PairForce is what two surfaces do to each other. Of a surface with itself, force and torque are those on one side of
// each contact; on the whole surface they cancel.
type PairForce struct {
	A, B     SurfaceID
	Contacts int
	Force    r3.Vec // on A, mean over the last step [N]; on B it is the opposite
	Torque   r3.Vec // on A about the origin [N m]
}

// meetingPlace returns where contact c acts on its side A: at the vertices that feel it, by their weights. Where it is not
// vertices that touch, but what they carry, it is where the surfaces meet.
func (w *World) meetingPlace(c int) r3.Vec {
	set := &w.last.set
	if !set.Weighted(c) {
		return set.Contacts[c].Point
	}
	place, share := r3.Vec{}, 0.0
	for _, t := range set.Row(c) {
		if t.W > 0 {
			place, share = place.AddScaled(t.W, w.pos[t.Block]), share+t.W
		}
	}
	const rounding = 1e-9
	if math.Abs(share-1) > rounding { // weights of both signs on one side
		return set.Contacts[c].Point
	}
	return place
}

// PairForces appends the net force and torque of each pair of surfaces with contacts in the last step to dst and
// returns it, sorted by A and then B. Forces act at the vertices that feel them, and on what blocks carry where it
// touches.
func (w *World) PairForces(dst []PairForce) []PairForce {
	first := len(dst)
	where := map[[2]SurfaceID]int{}
	for c := range w.last.set.Contacts {
		k := &w.last.set.Contacts[c]
		if isBound(k) {
			continue
		}
		a, b := SurfaceID(k.ID.A.Surface), SurfaceID(k.ID.B.Surface)
		at, known := where[[2]SurfaceID{a, b}]
		if !known {
			at = len(dst)
			where[[2]SurfaceID{a, b}] = at
			dst = append(dst, PairForce{A: a, B: b})
		}
		p := &dst[at]
		force := k.Frame.MulVecT(w.last.answer.R[c]).Scale(1 / w.last.h)
		p.Contacts++
		p.Force = p.Force.Add(force)
		p.Torque = p.Torque.Add(w.meetingPlace(c).Cross(force))
	}
	slices.SortFunc(
		dst[first:],
		func(p, q PairForce) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) },
	)
	return dst
}

// BodyImpulses writes what the contacts of the last step did to the blocks of a body [N s] to out, which is made if it is
// too short, and returns it. Of a rigid body these are the impulse, and the angular impulse about its centre over the
// length of its spin (body.Rigid.Length).
func (w *World) BodyImpulses(id BodyID, out []r3.Vec) []r3.Vec {
	b := &w.others[id]
	if len(out) < b.count {
		out = make([]r3.Vec, b.count)
	}
	out = out[:b.count]
	clear(out)
	for c := range w.last.set.Contacts {
		if isBound(&w.last.set.Contacts[c]) {
			continue
		}
		for _, t := range w.last.set.Row(c) {
			if i := int(t.Block) - b.first; i >= 0 && i < b.count {
				out[i] = out[i].Add(t.M.MulVecT(w.last.answer.R[c]))
			}
		}
	}
	return out
}

// VertexContact sums up the contacts of one vertex in the last step.
type VertexContact struct {
	State   ContactState // Slide if one of its contacts slides, else Stick if one sticks, else TakeOff
	Gap     float64      // the smallest distance at the start of the step [m]; +Inf without a contact
	Impulse r3.Vec       // sum of its impulses, friction included, in the whole step [N s]
}

// VertexContacts writes what the vertices of a cloth feel to out, which is made if it is too short, and returns it.
func (w *World) VertexContacts(id ClothID, out []VertexContact) []VertexContact {
	c := &w.cloths[id]
	return w.blockContacts(c.first, c.count, out)
}

// BodyContacts writes what the blocks of a body feel to out, which is made if it is too short, and returns it. Of a
// rigid body, whose blocks are no vertices, it tells the state and the gap alone.
func (w *World) BodyContacts(id BodyID, out []VertexContact) []VertexContact {
	b := &w.others[id]
	return w.blockContacts(b.first, b.count, out)
}

// blockContacts writes what count blocks from the first one on feel.
func (w *World) blockContacts(first, count int, out []VertexContact) []VertexContact {
	if len(out) < count {
		out = make([]VertexContact, count)
	}
	out = out[:count]
	for i := range out {
		out[i] = VertexContact{State: TakeOff, Gap: math.Inf(1)}
	}
	for i := range w.last.set.Contacts {
		k, state := &w.last.set.Contacts[i], w.last.answer.State[i]
		if isBound(k) {
			continue
		}
		push := k.Frame.MulVecT(w.last.answer.R[i])
		for _, t := range w.last.set.Row(i) {
			v := int(t.Block) - first
			if v < 0 || v >= count {
				continue
			}
			o := &out[v]
			o.Gap = min(o.Gap, k.Gap)
			if state == Slide || state == Stick && o.State != Slide {
				o.State = state
			}
			o.Impulse = o.Impulse.AddScaled(t.W, push)
		}
	}
	return out
}
