package engine

import (
	"crypto/sha256"
	"io"
	"math"
	"slices"
	"time"

	"github.com/toile-sim/toile/internal/contact/detect"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/r3"
)

// World owns the state of everything simulated and advances it. It belongs to one goroutine at a time.
type World struct {
	opt       Options
	team      *par.Team
	handles   []holder
	obstacles []obstacle
	surfaces  []string  // names
	friction  []float64 // by pair of surfaces, see pairOf; NaN: that of the options
	loads     []load
	drives    []drive

	bodies []placedBody // in the order of their blocks
	sheets []int        // which of them are sheets
	others []int        // and which are not

	joints      []joint
	attachments []attachment
	tieBalance  float64 // what both have taken of the energy, up to a limit; part of the state (tie_work.go) [J]

	// State. Every body owns a range of blocks.
	time  float64
	steps int
	pos   []r3.Vec
	vel   []r3.Vec
	force []r3.Vec       // applied from outside [N]
	last  solvedContacts // contacts of the last step

	crossed int // crossings of the state, or unknown

	// Derived from what was added.
	inertia    []r3.Mat  // by block [kg]
	mass       []float64 // by block, the least that the inertia is in any direction [kg]
	held       []bool
	fixed      []bool
	moveTime   float64            // when handles moved by MoveHandle are to arrive; -Inf: at the end of the step
	timeFrozen bool               // time stands still: obstacles and handles stay where they are
	print      *[sha256.Size]byte // layout, once it is known
	assembly   *mech.Assembly
	solver     solve.Free
	contacts   solve.Solver
	carrier    solve.Carrier
	finder     detect.Finder
	dump       io.Writer // where the next contact problem goes, or nil
	watch      func(p *solve.ContactProblem, void []bool)
	blind      bool // finds no contacts and refuses no crossings
	scratch    step
	fault      func(*step, phase) // of tests, see step.ended
	budget     budget             // of the step
	refused    time.Duration      // that steps took which Advance had to halve since the last good one
	canceler   canceler

	// Bodies whose meshes change, see adapt.go.
	replaced *replaced // what the step under way replaced; nil: nothing yet
	remeshed remeshed
}

// New returns an empty world.
func New(opt Options) (*World, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	w := &World{opt: opt, time: opt.Start, moveTime: math.Inf(-1)}
	w.SetWorkers(opt.Workers)
	return w, nil
}

// Options returns the settings of the world. Those on a track have their value in the last step.
func (w *World) Options() Options { return w.opt }

// addBlocks adds n unknowns.
func (w *World) addBlocks(n int) {
	w.pos = append(w.pos, make([]r3.Vec, n)...)
	w.vel = append(w.vel, make([]r3.Vec, n)...)
	w.force = append(w.force, make([]r3.Vec, n)...)
	w.mass = append(w.mass, make([]float64, n)...)
	w.held = append(w.held, make([]bool, n)...)
	w.fixed = append(w.fixed, make([]bool, n)...)
}

// Time returns the simulated time [s].
func (w *World) Time() float64 { return w.time }

// Steps returns the number of steps taken.
func (w *World) Steps() int { return w.steps }

// driven tells whether a quantity is on a track.
func (w *World) driven(q Quantity) bool {
	return slices.ContainsFunc(w.drives, func(d drive) bool { return d.Quantity == q })
}

// adapts reports whether the mesh of some body changes.
func (w *World) adapts() bool {
	return slices.ContainsFunc(w.bodies, func(b placedBody) bool { return b.remesher != nil })
}

// SetWorkers changes the number of cores that are used; 0 means all. It does not change results.
func (w *World) SetWorkers(n int) {
	w.opt.Workers = n
	w.team = par.New(n)
	w.team.Heed(w.canceler.stop)
	w.assembly = nil
}
