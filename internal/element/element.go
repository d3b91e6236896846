// Package element says what an assembly knows of elements: what they are made of and what they resist stays with those
// who make them.
//
// An element family (Elements) holds all elements of one kind over one body: their nodes, rest
// shape and stiffness, and after Update the state of each at given positions. Force and AddRow
// then read that state. They are split this way so that a caller can gather: every node sums over
// its own elements, in a fixed order and with no two workers writing to one place.
package element

import "github.com/toile-sim/toile/r3"

// Detail says how much Update computes.
type Detail int

// The levels of detail, each including the ones before.
const (
	EnergyOnly Detail = iota
	WithForce
	// WithRate adds what MaterialForce needs.
	WithRate
	// Projected adds a positive semi-definite approximation of the Hessian. Of sheets: the material part with
	// a positive semi-definite law, and the geometric part of stretched directions only. Of tets: see Corotational and
	// Hyperelastic.
	Projected
	// Exact adds the Hessian as it is, which may be indefinite.
	Exact
)

// Elements is a family of elements of one kind.
//
// Properties that tests hold every family to: the force is minus the gradient of the energy; the
// Exact Hessian is the derivative of the force; the Projected one has no negative eigenvalue; rigid
// motions of the rest shape have no energy and no force; forces of an element sum to zero, and so
// do their moments, but for elements that are tied to the world.
type Elements interface {
	// Len returns the number of elements.
	Len() int
	// Nodes returns the nodes of element e, in an order of its own. The slice must not be changed.
	Nodes(e int) []int32
	// Update computes the state of elements lo to hi at positions x [m], indexed by node. Calls for
	// ranges that do not overlap may run at the same time.
	Update(x []r3.Vec, detail Detail, lo, hi int)
	// Energy returns the energy of element e [J].
	Energy(e int) float64
	// Force returns the force of element e on its k-th node [N].
	Force(e, k int) r3.Vec
	// AddRow adds the blocks (k, l) of the Hessian of the energy of element e to val[at[l]], for
	// every l with at[l] >= 0: the material part times material plus the geometric part times
	// geometric [N/m]. The material part vanishes on rigid velocities, so damping uses it alone.
	AddRow(e, k int, at []int32, val []r3.Mat, material, geometric float64)
	// MaterialForce returns minus row k of the material part of the Hessian times the velocities v,
	// indexed by node [N/s]: the rate at which straining changes the force on the k-th node. It is that of the
	// Projected Hessian but after an Update of Exact.
	MaterialForce(e, k int, v []r3.Vec) r3.Vec
}

// Tense is a family whose geometric part can be that of all that stresses it. What resists straining is a stress too,
// and like any other it holds a sheet taut.
type Tense interface {
	Elements
	// Tauten makes the geometric part of the Hessians of elements lo to hi count the stress that resists straining at
	// velocities v, indexed by node: that of MaterialForce times the damping or, where the family is Viscous, of
	// ViscousForce times the damping over the time. With Exact it is as it is, with Projected it is made positive. It
	// follows an Update of Projected or more, and lasts until the next.
	Tauten(v []r3.Vec, damping Damping, detail Detail, lo, hi int)
}

// Viscous is a family that damps a step by how much its stress s changes in it,
//
//	s(x) - s(x₀)   in place of   h K_m(x) v,   x - x₀ = h v,
//
// which is the same to first order. It is the stress of an energy, so that its derivative is symmetric, and turning by
// any angle does not change it.
//
// What Tauten makes the geometric part of is not the stress s(x) itself but what the step of Newton's method to x took
// it for, s(y) + ds/dx (x - y), y the places of the Tauten before, or of the start [Magisano17]: the stress as an
// unknown of its own, which is eliminated. A step along tangents stretches what turns, by the square of the change, and
// s(x) has that error times a large stiffness; the linear stress has none of it. Force and the limit are the same.
type Viscous interface {
	Tense
	// Start keeps the stress of elements lo to hi at the last Update, of WithForce or more, as that of the start x₀.
	Start(lo, hi int)
	// ViscousForce returns the force on the k-th node of element e of the stress that came on since the start [N].
	ViscousForce(e, k int) r3.Vec
}

// Wrapper is a family that stands before another one of the same elements.
type Wrapper interface {
	Elements
	Unwrap() Elements
}

// Turner is a family whose elements turn their stresses along when they turn.
type Turner interface {
	Elements
	// Turn returns row k of the geometric part of the Hessian of element e, as AddRow has it, times the velocities
	// spin x r of a rotation [N/s]. Of Projected tets of large deformation it is that of the principal stresses that
	// pull. Summed over the nodes of an element it is zero. Elements that are tied to the world have none.
	Turn(e, k int, spin r3.Vec) r3.Vec
}

// Dissipative is a family that knows what its damping takes without the forces on each node.
type Dissipative interface {
	Elements
	// Dissipation returns the velocities v, indexed by node, times the material part of the Hessian of element e times
	// v [W/s]: -Σ v·MaterialForce.
	Dissipation(e int, v []r3.Vec) float64
}

// Dissipation returns -Σ v·MaterialForce of an element, as fast as its family can.
func Dissipation(f Elements, e int, v []r3.Vec) float64 {
	if d, ok := f.(Dissipative); ok {
		return d.Dissipation(e, v)
	}
	sum := 0.0
	for k, i := range f.Nodes(e) {
		sum -= v[i].Dot(f.MaterialForce(e, k, v))
	}
	return sum
}

// Damping is the time by which the material part of a Hessian is multiplied to give the viscosity [s].
type Damping struct {
	All float64
	By  []float64 // by element in place of All, or nil
	// Over is the time since the start, for Viscous families [s].
	Over float64
}

// Of returns the damping of element e.
func (d Damping) Of(e int) float64 {
	if d.By != nil {
		return d.By[e]
	}
	return d.All
}

// Share returns how many times the stress that came on since the start resists.
func (d Damping) Share(e int) float64 {
	of := d.Of(e)
	if of == 0 {
		return 0
	}
	return of / d.Over
}

// Barrier is a family of elements that deform so much that a step needs several linearizations, and that may have to be
// kept from being turned inside out on the way.
type Barrier interface {
	Elements
	// Reach returns how much of the change dx of positions x [m], indexed by node, may be made so that none of elements
	// lo to hi is inverted, in (0, 1]. Like Update it may run for several ranges at the same time.
	Reach(x, dx []r3.Vec, lo, hi int) float64
}
