// Package mech is what a step knows of what moves: bodies and what they may offer, their elements and energies, and the
// assembly of all of them into one matrix and one force.
//
// A Body is a number of unknown velocities, blocks of three numbers in m/s each, with what acts on them. The world
// gives every body a range of blocks and asks no more of it than is written here: a cloth, a press, and whatever comes
// next are all the same to a step.
package mech

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/element"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Body is something that is simulated.
type Body interface {
	// Blocks returns how many blocks it has.
	Blocks() int
	// Inertia writes the mass matrix of every block [kg]. A block that is a spin times a length ρ has its inertia
	// over ρ². It is asked for when the matrix is laid out.
	Inertia(out []r3.Mat)
	// Parts returns its elements, whose nodes are blocks of the body. They are asked for when the matrix is laid out,
	// and at the beginning of every step for their damping.
	Parts() []Part
	// Begin prepares a step. It may change the state in it.
	Begin(*Start)
	// Arrive writes where the mean velocities v of a step of h seconds lead from x0.
	Arrive(x0, v []r3.Vec, h float64, x1 []r3.Vec)
	// Skin returns what of it can be touched, by its own points and blocks; nil: nothing. It is asked for when the
	// matrix is laid out. The world gives it its surface and its place.
	Skin() *contact.Skin
	// Commit ends a step that was good: x is where the body is, and may be changed to what the next step starts from.
	Commit(x []r3.Vec)
	// State returns what it has to remember besides places and velocities of blocks, and SetState brings it back; nil:
	// nothing.
	State() []byte
	SetState([]byte) error
}

// Part is a family of elements of a body.
type Part struct {
	Elements   element.Elements
	Kind       Kind      // of energy
	OfVelocity bool      // its elements take velocities for positions, and have a force and no energy
	Damping    float64   // [s]: straining is resisted by so much times the material stiffness
	DampingBy  []float64 // the same by element, where it differs from one to the next; nil: Damping
}

// Start is the beginning of a step, as a body sees it: its blocks, and what is around.
type Start struct {
	Team *par.Team
	End  float64 // time at the end of the step [s]
	H    float64 // its length [s]; 0: there is none, the body is only looked at
	// Theta is the weight of the velocity at the end in the mean velocity of the step.
	Theta float64

	X, V    []r3.Vec // state at the start
	Force   []r3.Vec // from outside [N]; to be added to
	Gravity []r3.Vec // acceleration by gravity [m/s²]; to be set to zero where there is none

	AirDensity float64 // [kg/m³]
	Wind       r3.Vec  // [m/s]
}

// Kind is the word for a kind of energy. A part says of which its elements are; any word will do.
type Kind string

// The kinds of energy that the engine has.
const (
	KineticEnergy  Kind = "kinetic"
	MembraneEnergy Kind = "membrane"
	BendingEnergy  Kind = "bending"
	GravityEnergy  Kind = "gravity" // relative to the origin
	HandleEnergy   Kind = "handles" // in the springs of handles with a force limit
	SeamEnergy     Kind = "seams"   // in the threads of seams
	PressEnergy    Kind = "presses" // of the forces that drive presses, relative to where these started
	SolidEnergy    Kind = "solids"  // in the tets of soft bodies
)

// Kinds are those that are told apart, in the order in which they are listed: each is a column of the statistics.
var Kinds = [...]Kind{
	KineticEnergy, MembraneEnergy, BendingEnergy, GravityEnergy, HandleEnergy, SeamEnergy, PressEnergy, SolidEnergy,
}

// Energies are energies by kind [J], in the order of Kinds, and last the sum of those of any other kind.
type Energies [len(Kinds) + 1]float64

// Add adds x [J] to the energy of a kind.
func (e *Energies) Add(kind Kind, x float64) { e[placeOf(kind)] += x }

// Of returns the energy of a kind [J].
func (e Energies) Of(kind Kind) float64 { return e[placeOf(kind)] }

func placeOf(kind Kind) int {
	for i, k := range Kinds {
		if k == kind {
			return i
		}
	}
	return len(Kinds)
}

// Total returns the sum [J].
func (e Energies) Total() float64 {
	sum := 0.0
	for _, x := range e {
		sum += x
	}
	return sum
}

// Drift is Arrive of blocks that are points: x1 = x0 + h v.
func Drift(x0, v []r3.Vec, h float64, x1 []r3.Vec) {
	for i := range x1 {
		x1[i] = x0[i].AddScaled(h, v[i])
	}
}
