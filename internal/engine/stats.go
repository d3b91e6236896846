package engine

import (
	"time"

	"github.com/toile-sim/toile/internal/contact/detect"
	"github.com/toile-sim/toile/internal/mech"
)

// Crossing names two things that cross.
type Crossing = detect.Crossing

// Stats tells how one step went.
type Stats struct {
	Step       int     // number of the step, from 1
	Time       float64 // at its end [s]
	H          float64 // its length [s]
	Vertices   int
	Triangles  int
	Remesh     RemeshCounts // what was done to meshes that change
	Contacts   int
	Sticking   int         // contacts that stick
	Sliding    int         // contacts that slide
	Infeasible int         // contacts that contradict others, which is proven and checked; their impulses were bounded
	Jammed     int         // other contacts whose impulses grew without bound and were bounded: what friction jams, or the solver did not solve
	WorstGap   float64     // smallest distance of a contact at the start of the step, but for faces against round shapes [m]; +Inf without such contacts
	PushWork   float64     // work done by pushing surfaces apart that were closer than the thickness [J]
	Crossings  int         // pairs of triangles that cross at the end of the step, and triangles with a point inside an analytic shape (below a plane, and inside a field that is not known to be convex, vertices)
	Crossed    Crossing    // the first of them
	Depth      float64     // of the deepest point of a cloth inside an analytic shape, to a thousandth of the thickness [m]; 0 if there is none
	Smooth     SmoothStats // what touches smooth surfaces, whose triangles Crossings leaves out
	// CrossingsBefore is what Crossings would be without the fail-safe and without untangling.
	CrossingsBefore int
	Untangling      Untangling // what was done about what crossed at the start
	Halvings        int        // how often the step was halved before it succeeded
	Failsafe        Failsafe   // what was done so that nothing new crosses

	Rounds        int     // times that the step was solved again, because contacts were met on the way or joints would have opened
	Newton        int     // linearizations
	Sweeps        int     // of the contact solver
	ContactNewton int     // Newton steps of the contact solver
	Linear        int     // iterations of the linear solver; 0 for the direct one
	Residual      float64 // of the last linear problem with its contacts, max over nodes and contacts [m/s]
	Floor         float64 // what rounding leaves of it [m/s]: where that is above the tolerance, no solver gets there
	// ResidualElsewhere is Residual without what is trapped: where contacts contradict each other, and two edges
	// around.
	ResidualElsewhere float64
	Nonlinear         float64 // of the nonlinear equations at the end of the step, max over nodes [m/s]
	Ahead             Ahead   // how far one more linearization would move the end, in the steps that are looked at
	Loss              Loss    // what the step has taken of angular momentum and energy by itself
	// Converged reports whether what was asked of the residuals was reached, no contacts contradict each other, and
	// joints hold to a tenth of the thickness.
	Converged bool
	// Contradicted reports whether contacts contradict each other, and what was asked of the residuals was reached
	// elsewhere: no motion obeys all contacts of the step (solve.CheckProof).
	Contradicted bool
	// Spent reports whether the step ended because its budget was spent (ContactOptions.Budget). It has not Converged.
	Spent bool

	// JointGap and JointAngle are how far what is joined and attached is apart at the end, at most [m], and how far it
	// is turned in ways that its joint does not allow [rad].
	JointGap, JointAngle float64

	MaxSpeed float64 // [m/s]
	Energy   Energy
	Laps     Laps
}

// squeezed reports whether contacts were bounded: shorter steps seldom help them.
func (s *Stats) squeezed() bool { return s.Infeasible+s.Jammed > 0 }

// SmoothStats tells of the smooth surfaces of bodies and obstacles, which points are kept from, and triangles are not.
type SmoothStats struct {
	detect.Smoothed
	Crossings int // pairs of triangles of a smooth surface and of another that cross at the end of the step
}

// Energy is what the world holds, by kind [J].
type Energy = mech.Energies

// Laps is the time that each phase of a step took. Clocks are never part of a hash.
type Laps struct {
	Remesh    time.Duration // bringing meshes that change to their sizes, and what depends on meshes along
	Pose      time.Duration // where handles and obstacles will be
	Detect    time.Duration // what touches
	Assemble  time.Duration // elements, force and matrix
	Solve     time.Duration // linear systems and contacts
	Integrate time.Duration // new positions
	Guard     time.Duration // whether something crosses, and bringing it apart
	Untangle  time.Duration // undoing what was crossed
	Check     time.Duration // energies, residual, finiteness
	Refused   time.Duration // attempts before this step that Advance had to halve
	Refine    time.Duration // of Detect and Solve, what came after the first contacts were added
}

// Total returns the sum of all phases. Refine is a part of others.
func (l Laps) Total() time.Duration {
	return l.Remesh + l.Pose + l.Detect + l.Assemble + l.Solve + l.Integrate + l.Guard + l.Untangle + l.Check + l.Refused
}

// Failsafe tells what was done to the end of a step so that nothing crosses.
type Failsafe struct {
	Rounds int // times that the end of the step was changed; 0: the fail-safe was not needed
	Zones  int // sets of blocks that impacts join
	Blocks int // blocks whose motion was changed
	Rigid  int // of these, blocks that moved as one with others or with what they touch
	Left   int // new crossings, and ways that meet, all the same: prescribed motions left no room
	// Taken is the momentum that was taken from a body, as a share of its weight on earth times the step: the largest
	// of all bodies without contacts that contradict each other. Its name is From.
	Taken float64
	From  SurfaceID
}

// Untangling tells what was done in a step about what was crossed at its start.
type Untangling struct {
	Blocks int     // vertices that were moved; 0: nothing was done
	Move   float64 // the furthest that one was [m]
}

// RemeshCounts are what remeshing has done in a step.
type RemeshCounts = mech.RemeshCounts

// Ahead is how far one more linearization of a step would move its end [m]: what the linearizations made have left.
type Ahead struct {
	Known       bool    // the step was looked at
	Mean, Worst float64 // by mass over all blocks, and of the block that would move furthest
}

const (
	// certain and clearing are the distances that features must keep on their ways, in thicknesses: for a step to be
	// accepted, and in the fail-safe.
	certain, clearing = 1e-3, 1e-2
	// projections and merges bound the rounds of the two parts of the fail-safe.
	projections, merges = 16, 64
	// astrayBy is how far an error of the velocities may lead in a step, in thicknesses, for the step not to be
	// refused. Elsewhere than where contacts were bounded, which shorter steps seldom change, it may lead further.
	astrayBy, squeezedBy = 1e-2, 1
	// openedBy is how much wider than asked for joints may end for the step not to be refused, in thicknesses.
	openedBy = 0.1
	// sharpest is the largest exponent p of the weights 1/d^p.
	sharpest = 4.0
)

// Loss is what a step has taken by itself of angular momentum and energy, which its equations say are kept.
type Loss struct {
	Known bool // something has elements, and the step ended as it was solved
	// Spin is the angular momentum about the centre of mass at the start, and SpinLost by how much less the step left
	// of it than forces from outside did [kg m²/s]. Of several bodies both are sums.
	Spin, SpinLost float64
	// EnergyLost is the energy that is neither there any more nor did work on anything outside nor went into damping,
	// and Damped what did [J].
	EnergyLost, Damped float64
}

// BodyLoss is the loss of one body.
type BodyLoss struct {
	Surface SurfaceID // of the body
	Loss
}
