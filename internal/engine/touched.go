package engine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// ObstacleSurface returns the surface of an obstacle.
func (w *World) ObstacleSurface(id ObstacleID) SurfaceID { return w.obstacles[id].surface }

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

// vertexOf returns the vertex, in its sheet, that a block belongs to, or -1 if it is none.
func (w *World) vertexOf(block int32) int32 {
	after := sort.Search(len(w.bodies), func(i int) bool { return w.bodies[i].first > int(block) })
	if after == 0 {
		return -1
	}
	if b := &w.bodies[after-1]; b.sheet != nil && b.has(int(block)) {
		return block - int32(b.first)
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

// meetingPlace returns where contact c acts on its side A: at the vertices that feel it, by their weights. Where it is
// not vertices that touch, but what they carry, it is where the surfaces meet.
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

// VertexContact sums up the contacts of one vertex in the last step.
type VertexContact struct {
	State   ContactState // Slide if one of its contacts slides, else Stick if one sticks, else TakeOff
	Gap     float64      // the smallest distance at the start of the step [m]; +Inf without a contact
	Impulse r3.Vec       // sum of its impulses, friction included, in the whole step [N s]
}

// blockContacts writes what count blocks from the first one on feel.
func (w *World) blockContacts(first, count int, out []VertexContact) []VertexContact {
	// room for the result, in which nothing touches yet
	if len(out) < count {
		out = make([]VertexContact, count)
	}
	out = out[:count]
	for i := range out {
		out[i] = VertexContact{State: TakeOff, Gap: math.Inf(1)}
	}
	// contacts of the last step, without rows of bodies' own and of ties
	for i := range w.last.set.Contacts {
		k, state := &w.last.set.Contacts[i], w.last.answer.State[i]
		if isBound(k) {
			continue
		}
		push := k.Frame.MulVecT(w.last.answer.R[i])
		// each block of a row has a share of the impulse; sliding counts more than sticking
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
