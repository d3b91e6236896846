package toile

import "time"

// Stats tells how one step went.
type Stats struct {
	Step      int     // number of the step, from 1
	Time      float64 // at its end [s]
	H         float64 // its length [s]
	Vertices  int
	Triangles int
	Contacts  int
	Crossings int // pairs of triangles that cross at the end of the step
	Halvings  int // how often the step was halved before it succeeded

	Newton    int     // linearizations
	Linear    int     // iterations of the linear solver; 0 for the direct one
	Residual  float64 // of the last linear problem, max over nodes [m/s]
	Nonlinear float64 // of the nonlinear equations at the end of the step, max over nodes [m/s]
	Converged bool    // whether what was asked of the residuals was reached

	MaxSpeed float64 // [m/s]
	Energy   Energy
	Laps     Laps
}

// Energy is what the world holds [J].
type Energy struct {
	Kinetic  float64
	Membrane float64
	Bending  float64
	Gravity  float64 // relative to the origin
	Handles  float64 // in the springs of handles with a force limit
}

// Total returns the sum of all parts [J].
func (e Energy) Total() float64 { return e.Kinetic + e.Membrane + e.Bending + e.Gravity + e.Handles }

// Laps is the time that each phase of a step took. Clocks are never part of a hash.
type Laps struct {
	Pose      time.Duration // where handles will be
	Assemble  time.Duration // elements, force and matrix
	Solve     time.Duration // linear systems
	Integrate time.Duration // new positions
	Check     time.Duration // energies, residual, finiteness
}

// Total returns the sum of all phases.
func (l Laps) Total() time.Duration { return l.Pose + l.Assemble + l.Solve + l.Integrate + l.Check }
