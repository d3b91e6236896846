package mech

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// What a body may offer besides what every body has. A world asks for it once, when the body is added, and again when
// remeshing has put another body in its place.
type (
	// Guided is a body with blocks that are prescribed in part. It is asked after Begin. Such blocks must have no
	// elements.
	Guided interface {
		// Guides appends these blocks, by their place in the body, with what is free of each.
		Guides(dst []contact.Partial) []contact.Partial
	}
	// Led is a body that may be prescribed as a whole by rows of its own, in spite of contacts.
	Led interface {
		// IsLed reports whether it is now.
		IsLed() bool
	}
	// Bound is a body with rows of its own in the contact problem, such as a stop. It is asked when contacts have been
	// found.
	Bound interface {
		// Bind adds rows, without ids: the world names them by their order. Block 0 of the body is block first of the
		// problem, and v0 are the velocities of its blocks at the start of a step of h seconds with the given θ. The
		// fail-safe does not know of them.
		Bind(set *contact.Set, first int32, v0 []r3.Vec, h, theta float64)
	}
	// Turning is a body whose inertia may change from step to step.
	Turning interface {
		// VariesInertia reports whether it does, and is to be asked for after every Begin.
		VariesInertia() bool
	}
	// Carrying is a body whose skin has points that are no blocks, but carried by them.
	Carrying interface {
		// Carry writes where the points of its skin are when its blocks are at x: at the start of the step under way,
		// or where Arrive has brought them.
		Carry(x, points []r3.Vec)
	}
	// Spinning is a body that remembers a motion besides the velocities of its blocks.
	Spinning interface {
		// StopMotion takes it away.
		StopMotion()
	}
	// Potential is a body with an energy that is not one of elements.
	Potential interface {
		// Potential adds its energy at x [J].
		Potential(x []r3.Vec, out *Energies)
	}
	// Pacer is a body that limits steps.
	Pacer interface {
		// MaxStep returns how long the next step may be at most [s]; +Inf: as long as it likes. Advance takes steps
		// that are no longer.
		MaxStep() float64
	}
	// Guard is a body that looks itself at how it has moved in a step, for what contacts and the fail-safe do not see.
	Guard interface {
		// Accept returns why the way of its blocks from x0 to x1 must not be; nil: it may. A step that is refused
		// fails, and Advance halves it as it does others that fail. It must not change the body.
		Accept(x0, x1 []r3.Vec) error
	}
	// Rigid is a body of two blocks: its centre, and its spin times a length.
	Rigid interface {
		Length() float64 // that length [m]
		Turn() r3.Quat   // how it is turned
		// TurnAt returns how it is turned when its blocks are at x.
		TurnAt(x []r3.Vec) r3.Quat
		// ExpectedTurn and ExpectedSpin are what rows that tie it are made for in the step under way, which Expect
		// sets.
		ExpectedTurn() r3.Quat
		ExpectedSpin() r3.Vec
		Expect(spin r3.Vec)
		SpinEnergy() float64 // [J]
		Slow(factor float64) // multiplies its spin
	}
	// Soft is a body of tets whose corners are its blocks, and which others can be fixed to.
	Soft interface {
		Corners() [][4]int32
		// Outside returns the triangles of tets that are on no two of them.
		Outside() [][3]int32
	}
	// Sheet is a body that is a surface with two sides and no inside. Its points are its blocks.
	Sheet interface {
		Triangles() [][3]int32
		// Layer is its place in the order that layers are brought to, 1 the innermost; 0: none.
		Layer() int
		// Layout names what does not change of it, for snapshots to fit by.
		Layout(put func(...int64))
	}
	// Mapped is a body whose surface differs from place to place.
	Mapped interface {
		// Map returns values by block; nil: it is the same everywhere.
		Map(MapKind) []float64
	}
	// Stretcher is a body that can show how far it is stretched.
	Stretcher interface {
		// Stretch writes the largest principal stretch around each block, when these are at x; 1 is unstretched.
		Stretch(x []r3.Vec, out []float64)
	}
	// Clamped is a body with parts that turn with the handles that hold them.
	Clamped interface {
		// Clamps appends, for each clamp, the block whose handle turns it.
		Clamps(dst []int32) []int32
		// TurnClamp turns a clamp from how it was made.
		TurnClamp(clamp int, turn r3.Quat)
	}
	// Airy is a body that air can act on.
	Airy interface {
		// SetInAir says whether there is air, or will be. Its parts may then be others.
		SetInAir(air bool)
	}
	// Tunable is a body with numbers that may change over time.
	Tunable interface {
		// CanTune returns why a number cannot be changed; nil: it can.
		CanTune(Property) error
		Tune(p Property, value float64)
	}
	// Acted is a body on which programs act besides its state: they push, hold or lead it, until they do otherwise.
	Acted interface {
		Actions() Actions
		// SetActions fails, changing nothing, if these are no actions on such a body, or if a guide is missing.
		SetActions(Actions) error
	}
)

// Actions are what programs have set on a body. The zero Actions are none.
type Actions struct {
	Numbers []float64 // what the body writes and reads; none: nothing acts
	Guided  bool      // it is led, by
	Guide   func(t float64) r3.Pose
	// A Guide that is nil was read from bytes, which leave the body the guide that it has.
}

// MapKind is what differs from place to place.
type MapKind int

// The kinds of maps.
const (
	Thickness MapKind = iota // [m]
	Friction
)

// Property is a number of a body that may change over time.
type Property int

// The properties.
const (
	MaterialDamping Property = iota // [s]
	AirDrag
	StretchStiffness // as a factor
	BendStiffness    // as a factor
)
