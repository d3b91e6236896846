package toile

import (
	"time"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mech"
)

// Stats says how a step went.
type Stats struct {
	Step       int     // number of the step, from 1
	Time       float64 // at its end [s]
	H          float64 // its length [s]
	Vertices   int
	Triangles  int
	Contacts   int
	Sticking   int     // contacts that stick
	Sliding    int     // contacts that slide
	Infeasible int     // contacts that contradict others, which is proven; their impulses were bounded
	Jammed     int     // other contacts whose impulses grew without bound and were bounded
	WorstGap   float64 // smallest distance of a contact at the start of the step [m]; +Inf without contacts
	PushWork   float64 // work done by pushing apart surfaces that were closer than the thickness [J]
	Crossings  int     // what crosses at the end of the step
	Untangled  int     // vertices that were moved because something crossed at the start
	Halvings   int     // how often the step was halved before it succeeded
	Failsafe   int     // times that the end of the step was changed so that nothing new crosses; 0: not needed
	Rounds     int     // times that the step was solved again, because contacts were met on the way
	Newton     int     // linearizations
	Residual   float64 // of the last linear problem with its contacts, max over nodes and contacts [m/s]
	Floor      float64 // what rounding leaves of it [m/s]
	Nonlinear  float64 // residual of the nonlinear equations, max over nodes [m/s]
	Ahead      Ahead   // how far one more linearization would move the end, in the steps that are looked at
	Loss       Loss    // what the step has taken of angular momentum and energy by itself
	// Converged reports whether what was asked of the residuals was reached, no contacts contradict each other, and
	// joints hold to a tenth of the thickness.
	Converged bool
	// Contradicted reports whether contacts contradict each other, and what was asked was reached elsewhere.
	Contradicted bool
	Spent        bool // the step ended because its budget was spent, and has not Converged
	// JointGap and JointAngle are how far what is joined and attached is apart at most [m], and turned in ways that its
	// joint does not allow [rad].
	JointGap, JointAngle float64
	MaxSpeed             float64 // [m/s]
	Energy               Energy
	Duration             time.Duration // that the step took, with attempts that were refused
}

// Ahead is how far one more linearization of a step would move its end [m]: what the linearizations made have left.
type Ahead struct {
	Known       bool    // the step was looked at
	Mean, Worst float64 // by mass over all vertices, and of the one that would move furthest
}

// Loss is what a step has taken by itself of angular momentum and energy, which its equations say are kept.
type Loss struct {
	Known bool // something has elements, and the step ended as it was solved
	// Spin is the angular momentum about the centre of mass at the start, and SpinLost by how much less the step left
	// of it than external forces did [kg m²/s]. Of several bodies both are sums.
	Spin, SpinLost float64
	// EnergyLost is the energy that is neither there any more nor did work on anything outside nor went into damping,
	// and Damped what did [J].
	EnergyLost, Damped float64
}

// BodyLoss is the loss of one body.
type BodyLoss struct {
	Of Surface
	Loss
}

// Energy is what a world holds, by kind [J].
type Energy struct {
	Kinetic, Membrane, Bending float64
	Gravity                    float64 // relative to the origin
	Handles                    float64 // in the springs of handles with a force limit
	Seams                      float64 // in the threads of seams
	Presses                    float64 // of the forces that drive presses, relative to where these started
	Solids                     float64 // in the tets of soft bodies
	other                      float64 // of bodies with an energy of their own
}

// Total returns the sum, with energies that have no name here.
func (e Energy) Total() float64 {
	return e.Kinetic + e.Membrane + e.Bending + e.Gravity + e.Handles + e.Seams + e.Presses + e.Solids + e.other
}

func energyOf(e engine.Energy) Energy {
	return Energy{
		Kinetic: e.Of(mech.KineticEnergy), Membrane: e.Of(mech.MembraneEnergy), Bending: e.Of(mech.BendingEnergy),
		Gravity: e.Of(mech.GravityEnergy), Handles: e.Of(mech.HandleEnergy), Seams: e.Of(mech.SeamEnergy),
		Presses: e.Of(mech.PressEnergy), Solids: e.Of(mech.SolidEnergy), other: e[len(mech.Kinds)],
	}
}

func (w *World) statsOf(s *engine.Stats) Stats {
	return Stats{
		Step: s.Step, Time: s.Time, H: s.H, Vertices: s.Vertices, Triangles: s.Triangles, Contacts: s.Contacts,
		Sticking: s.Sticking, Sliding: s.Sliding, Infeasible: s.Infeasible, Jammed: s.Jammed, WorstGap: s.WorstGap,
		PushWork: s.PushWork, Crossings: s.Crossings, Untangled: s.Untangling.Blocks, Halvings: s.Halvings,
		Failsafe: s.Failsafe.Rounds, Rounds: s.Rounds, Newton: s.Newton, Residual: s.Residual, Floor: s.Floor,
		Nonlinear: s.Nonlinear, Ahead: Ahead(s.Ahead), Loss: Loss(s.Loss), Converged: s.Converged,
		Contradicted: s.Contradicted, Spent: s.Spent, JointGap: s.JointGap, JointAngle: s.JointAngle,
		MaxSpeed: s.MaxSpeed,
		Energy:   energyOf(s.Energy), Duration: s.Laps.Total(),
	}
}
