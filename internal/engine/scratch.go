package engine

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/contact/detect"
	"github.com/toile-sim/toile/internal/element"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/r3"
)

// phase is a part of a step.
type phase int

const (
	beginning phase = iota
	posing
	detecting
	solving
	integrating
	guarding
	untangling
	measuring
	phases // how many
)

// step is the scratch of one step. It is kept between steps so that a steady one allocates nothing,
// and it is the solve.Problem of its step.
type step struct {
	w      *World
	h      float64
	end    float64 // time at the end of the step [s]
	refuse bool    // what would cross, or is far from solved, in place of bringing it apart
	stats  Stats
	lap    time.Time

	x0, v0 []r3.Vec
	force  []r3.Vec // from outside [N]
	fall   []r3.Vec // acceleration by gravity [m/s²]
	target []r3.Vec // where held blocks are wanted at the end of the step
	aim    []r3.Vec // and where forces are taken, at x_θ
	xTheta []r3.Vec
	vTheta []r3.Vec
	b      []r3.Vec
	shift  []r3.Vec // a change of positions that elements are asked about
	x1     []r3.Vec
	result solve.Result
	turn   []r3.Vec // impulses that keep spin, where turning
	detail element.Detail
	// turning reports whether something turns and is under stress, and spun whether that was found out.
	turning, spun bool
	// refined tells that linearizations inside the step are to be exact.
	refined bool
	// linearized tells that A and b are those of the start of the step.
	linearized bool
	// prepared tells that the contact solver was given this A in this step.
	prepared bool
	// begun reports that the equations were solved once in this step, and the guess is what that gave.
	begun  bool
	damped bool // some elements are
	barred bool // some elements must be kept from being inverted

	start      mech.Start // argument of Body.Begin
	energy     Energy     // of energyAt
	assembling time.Duration

	// Contact.
	tangible   bool           // there is something to touch
	skins      []contact.Skin // of bodies, then of obstacles
	bodySkins  int
	carried    int               // points that are no blocks
	carrying   []carrying        // bodies that have such
	heldPoints []bool            // by point: it does not give way
	partly     []contact.Partial // blocks that are prescribed in part
	past       []contact.Past
	found      solvedContacts // what was found and solved
	earlier    solvedContacts // the same one round ago, as far as the next round needs it
	hopeless   []bool         // by contact found: its impulse was bounded one round ago
	proof      []r3.Vec       // by contact found: the multiplier that it had one round ago in a proof of a contradiction
	problem    solve.ContactProblem
	rough      bool // it need not be solved to the tolerance yet
	contacts   solve.InContact
	readyFunc  func(*solve.ContactProblem)
	spentFunc  func() bool
	rounding   solve.Rounding
	ahead      solve.Ahead
	push       []r3.Vec // Jᵀ r by block
	dumpError  error
	safe       safe
	tied       ties
	work       tieWork
	loss       losses

	speedFunc, kineticFunc, gravityFunc func(lo, hi int) float64
	thetaFunc, balanceFunc              func(lo, hi int)
	at, out                             []r3.Vec // arguments of the loops under way
	xGravity                            []r3.Vec // argument of energyAt under way
}

// took returns the time since the last lap and starts the next.
func (s *step) took() time.Duration {
	now := time.Now()
	d := now.Sub(s.lap)
	s.lap = now
	return d
}

// ended lets a test put a fault in after a phase.
func (s *step) ended(p phase) {
	if s.w.fault != nil {
		s.w.fault(s, p)
	}
}

// chord returns the mean velocity that brings block i to its target [m/s].
func (s *step) chord(i int) r3.Vec { return s.target[i].Sub(s.x0[i]).Scale(1 / s.h) }

// nodeGrain is the chunk of loops over blocks.
const nodeGrain = 1024

// safe is the scratch of the fail-safe.
type safe struct {
	zones   untangle.Zones
	mass    []float64        // by point
	held    []bool           // by point: it does not give way
	impacts []contact.Impact // of the motion at hand
	all     []contact.Impact // of all motions tried
	fresh   []detect.Knot    // that its end has and its start had not
	aim     []r3.Vec         // where the motion that was solved for leads
	best    []r3.Vec         // the end with which the least meets
	rigid   []bool           // by block: its zone moves as one
	touches [][2]int32       // blocks and obstacles that meet
	fields  []*geom.MeshField
}

// carrying is where a body that carries points is among bodies, and its skin among skins.
type carrying struct{ body, skin int }

// canceler is the context that ends what takes long; the zero value is none.
type canceler struct {
	ctx    context.Context
	stop   *atomic.Bool // set when ctx is done: loops ask often, and this is quick to look at
	forget func() bool
	begin  *Snapshot // of what is under way and has changed the world already; nil: nothing
}

// err returns why to stop; nil: no reason. It asks the context itself: stop is set by a goroutine that may not have had
// its turn yet.
func (h *canceler) err() error {
	if h.stop == nil || h.ctx.Err() == nil {
		return nil
	}
	h.stop.Store(true)
	return fmt.Errorf("stopped: %w", context.Cause(h.ctx))
}

// ties is what a step knows of its joints and attachments.
type ties struct {
	bound  bool    // their rows are in the set
	rounds int     // times that these were made anew
	left   float64 // the widest gap that they leave [m]

	least float64 // the narrowest that gaps were with other spins [m]
	far   float64 // how far from those spins to the ones found the next are
	best  bool    // rows are those of the best spins

	open    bool // gaps end wider than they should
	calming calming
	work    float64 // that they do [J]
	part    float64 // σ of what they ask for (tie_work.go)
}

// calming is how far a step has come with rows that do too much work.
type calming int

const (
	asBound calming = iota // rows ask for all
	atZero                 // for σ = 0
	inPart                 // for the largest σ that should be within the credit
	calmed                 // for σ = 0, whatever comes of it
)

// tieWork is the scratch of what follows.
type tieWork struct {
	expected, spins []r3.Vec // of rigid bodies, with the narrowest gaps [rad/s]

	gain []float64 // of spins of rigid bodies, as they turn in the step [J]

	rows  []int32 // of ties, in the set
	tied  []bool  // by block: it has some
	whole motionOfTies
	none  motionOfTies
	mixed motionOfTies
}

// motionOfTies is a solution, as far as ties go.
type motionOfTies struct{ u, r []r3.Vec } // by row: J v₁ [m/s], impulse [N s]

// losses is the scratch of what steps take by themselves; see loss.go.
type losses struct {
	of      []BodyLoss
	member  []int // of each of them, in World.bodies,
	part    []int // and its first part
	partial []bodySum
	lever   []r3.Vec // by block, from the first block of its body [m]
	mean    []r3.Vec // ½ (v₀ + v₁)

	first int // block of the body under way
	sum   func(lo, hi int)
}

// bodySum is a sum over blocks of a body. Levers are from its first block.
type bodySum struct {
	mass     float64
	place    r3.Vec    // Σ m ℓ
	moving   mech.Push // of momenta at the start
	internal mech.Push // of impulses J
}
