package toile

import (
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
)

// Surface is what can touch: a *Cloth, a *Rigid, a *Solid or an *Obstacle.
type Surface interface {
	Name() string
	world() *World
	surfaceID() engine.SurfaceID
}

// Body is what joints and attachments hold on to: a *Rigid or a *Solid.
type Body interface {
	Surface
	bodyID() engine.BodyID
}

// Deformable is what has vertices to hold, load and attach: a *Cloth or a *Solid.
type Deformable interface {
	Surface
	// bearer returns the cloth, or the body if it is not nil.
	bearer() (engine.ClothID, *engine.BodyID)
}

// Find returns the cloth, body or obstacle of that name, the first of several; nil if there is none. Names are for Find
// and for people: several things may share one, and need have none.
func (w *World) Find(name string) Surface {
	for _, s := range w.surfaces {
		if s.Name() == name {
			return s
		}
	}
	return nil
}

// SetFriction sets the coefficient of friction between two surfaces, or of one with itself, from the next step on. It
// panics if the coefficient is negative or not finite, or on a track, or if a surface is of another world.
func (w *World) SetFriction(a, b Surface, mu float64) {
	w.mustOwn(a, b)
	w.e.SetFriction(a.surfaceID(), b.surfaceID(), mu)
}

// Friction returns the coefficient of friction between two surfaces. It panics if one is of another world.
func (w *World) Friction(a, b Surface) float64 {
	w.mustOwn(a, b)
	return w.e.Friction(a.surfaceID(), b.surfaceID())
}

// mustOwn panics if one of two surfaces is of another world.
func (w *World) mustOwn(a, b Surface) {
	for _, s := range [2]Surface{a, b} {
		if err := w.owned("friction", s); err != nil {
			panic("toile: " + err.Error())
		}
	}
}

// ContactState says what a contact does.
type ContactState int

// The states of a contact: it separates and has no impulse, it sticks, or it slides.
const (
	TakeOff = ContactState(engine.TakeOff)
	Stick   = ContactState(engine.Stick)
	Slide   = ContactState(engine.Slide)
)

// Contact is a contact of the last step.
type Contact struct {
	A, B          Surface // what met
	Vertex, Other int32   // the vertices of A and B nearest to it; -1 where that is no cloth
	Point         r3.Vec  // where they met, at the start of the step [m]
	Normal        r3.Vec  // from B to A, of unit length
	Impulse       r3.Vec  // on A, in the whole step [N s]
	Slip          r3.Vec  // velocity of A relative to B along the surfaces, mean over the step [m/s]
	Gap           float64 // distance at the start of the step [m]
	Mu            float64 // coefficient of friction
	State         ContactState
	Infeasible    bool // it contradicts others, such as two plates that close; its impulse was bounded
}

// Contacts fills dst with the contacts of the last step and returns it.
func (w *World) Contacts(dst []Contact) []Contact {
	w.points = w.e.Contacts(w.points[:0])
	dst = dst[:0]
	for i := range w.points {
		p := &w.points[i]
		dst = append(dst, Contact{
			A: w.surfaces[p.A], B: w.surfaces[p.B], Vertex: p.Vertex, Other: p.Other, Point: p.Point, Normal: p.Normal,
			Impulse: p.Impulse, Slip: p.Slip, Gap: p.Gap, Mu: p.Mu, State: ContactState(p.State),
			Infeasible: p.Infeasible,
		})
	}
	return dst
}

// PairForce is what two surfaces do to each other. Of a surface with itself, force and torque are those on one side of
// each contact; on the whole surface they cancel.
type PairForce struct {
	A, B     Surface
	Contacts int
	Force    r3.Vec // on A, mean over the last step [N]; on B it is the opposite
	Torque   r3.Vec // on A about the origin [N m]
}

// PairForces fills dst with the net force and torque of each pair of surfaces that touched in the last step.
func (w *World) PairForces(dst []PairForce) []PairForce {
	w.pairs = w.e.PairForces(w.pairs[:0])
	dst = dst[:0]
	for _, p := range w.pairs {
		dst = append(dst, PairForce{w.surfaces[p.A], w.surfaces[p.B], p.Contacts, p.Force, p.Torque})
	}
	return dst
}

// ForceBetween returns the force that b exerted on a in the last step [N]; none if they did not touch.
func (w *World) ForceBetween(a, b Surface) r3.Vec {
	w.pairs = w.e.PairForces(w.pairs[:0])
	for _, p := range w.pairs {
		switch {
		case w.surfaces[p.A] == a && w.surfaces[p.B] == b:
			return p.Force
		case w.surfaces[p.A] == b && w.surfaces[p.B] == a:
			return p.Force.Neg()
		}
	}
	return r3.Vec{}
}

// VertexContact is what a vertex feels.
type VertexContact struct {
	State   ContactState // Slide if one of its contacts slides, else Stick if one sticks, else TakeOff
	Gap     float64      // the smallest distance at the start of the step [m]; +Inf without a contact
	Impulse r3.Vec       // sum of its impulses, friction included, in the whole step [N s]
}

func vertexContacts(dst []VertexContact, of []engine.VertexContact) []VertexContact {
	dst = dst[:0]
	for _, c := range of {
		dst = append(dst, VertexContact{ContactState(c.State), c.Gap, c.Impulse})
	}
	return dst
}
