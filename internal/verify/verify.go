// Package verify holds the analytic verifications: scenes whose answer is known in closed form or follows
// from a conservation law. Each has an id, which tests, reports and commit messages use; the equation
// stands beside the code, and the tolerance comes from the step and the order of the scheme.
//
// Tests and the command line run the same cases.
package verify

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/toile-sim/toile/internal/engine"
)

// Case is one verification.
type Case struct {
	ID     string // such as C1
	Title  string
	Source string // where the expected numbers come from
	run    func(*trial)
}

// Options say how thoroughly cases are run.
type Options struct {
	Full    bool // all resolutions, patterns and steps; otherwise one of each, in seconds
	Workers int  // cores to use; 0 means all
	// Full cases take minutes to hours. Unless they are nil, Each hears of every row as it comes, and Tell once a
	// minute how far the case is.
	Each func(Row)
	Tell func(far string)

	// Seeds are the first and the last of the random scenes of the case storm; 0 and 0: those that it has by itself.
	Seeds [2]int
	// Journal is a file in which the case storm keeps finished seeds; empty: nowhere. Resume begins with what it holds.
	Journal string
	Resume  bool
	// Spoil, unless it is nil, falsifies what cases get, so that rows are seen to fail.
	Spoil *Spoil
	// Program is the toile that the case storm plays each seed with, in a process of its own, so that one that dies is
	// counted and takes nothing with it; empty: in this process.
	Program string
}

// Result is what a case measured.
type Result struct {
	ID      string
	Title   string
	Full    bool
	Rows    []Row
	Plots   []Figure
	Notes   []string // figures without a bar, and what a reader should know
	Seconds float64
	CPU     float64 // seconds of all cores together; 0 if they are not known
	Commit  string  // of the program that ran it; empty if it does not know
	Seeds   [2]int  // of the case storm, if they were asked for
	Err     string  // why the case could not be finished
}

// Row compares one quantity with what it must be.
type Row struct {
	Quantity string
	Unit     string
	Expected float64
	Measured float64
	Bar      Bar
	Limit    float64 // of the bar, in the unit of the quantity or relative
	From     string  // where the bar comes from; not empty if it is more than Wide times what is measured
	Asked    string  // the bar that was asked for, where this one is lower, in the words of Allowed; else empty
	Why      string  // and why it is, in one sentence
}

// rounding is the spacing of numbers near 1.
const rounding = 0x1p-52

// Wide is the ratio of a bar to what is measured from which on a row says where its bar comes from.
const Wide = 20

// Room returns how many times the bar is what is measured. It is 1 where there is nothing in between: a bar of zero, or
// one from below for what may be zero.
func (r Row) Room() float64 {
	bar, off := r.Limit, r.Measured
	switch r.Bar {
	case Relative:
		bar, off = r.Limit*math.Abs(r.Expected), math.Abs(r.Measured-r.Expected)
	case Absolute:
		off = math.Abs(r.Measured - r.Expected)
	case AtLeast:
		bar, off = r.Measured, r.Limit
		if off <= 0 {
			return 1
		}
	}
	switch {
	case bar == 0:
		return 1
	case off <= 0:
		return math.Inf(1)
	}
	return bar / off
}

// Bar is a way to compare.
type Bar int

const (
	// Relative asks for |measured - expected| <= limit |expected|.
	Relative Bar = iota
	// Absolute asks for |measured - expected| <= limit.
	Absolute
	// AtMost asks for measured <= limit.
	AtMost
	// AtLeast asks for measured >= limit.
	AtLeast
)

// Pass reports whether the quantity is within its bar. Nothing that is not a number passes.
func (r Row) Pass() bool {
	switch r.Bar {
	case Relative:
		return math.Abs(r.Measured-r.Expected) <= r.Limit*math.Abs(r.Expected)
	case Absolute:
		return math.Abs(r.Measured-r.Expected) <= r.Limit
	case AtMost:
		return r.Measured <= r.Limit
	case AtLeast:
		return r.Measured >= r.Limit
	}
	return false
}

// Allowed describes the bar in words.
func (r Row) Allowed() string {
	switch r.Bar {
	case Relative:
		return fmt.Sprintf("±%.3g %%", 100*r.Limit)
	case Absolute:
		return fmt.Sprintf("±%.3g", r.Limit)
	case AtMost:
		return fmt.Sprintf("at most %.4g", r.Limit)
	case AtLeast:
		return fmt.Sprintf("at least %.4g", r.Limit)
	}
	return "?"
}

// Pass reports whether the case was finished and all its rows pass.
func (r *Result) Pass() bool {
	return r.Err == "" && len(r.Rows) > 0 && !slices.ContainsFunc(r.Rows, func(row Row) bool { return !row.Pass() })
}

// All returns every case, in the order of the table of verifications.
func All() []Case {
	return []Case{
		// Li 2018.
		incline,
		houseOfCards,
		cards,
		belt,
		drag,
		isotropic,
		boxAndCone,
		remeshedAnswers,
		adaptiveAgainstUniform,
		pruning,
		metrics,
		sphereBound,
		rules,
		copies,
		solverAlone,
		twoNodes,
		dualAgainstNodal,
		// Larionov 2021.
		ramp,
		rampLayers,
		rampMesh,
		capstanThreshold,
		capstanOffset,
		capstanCoarse,
		capstanResolutions,
		blockOnRamp,
		fineBlockOnRamp,
		uniaxialBar,
		smoothField,
		smoothTogether,
		smoothMomentum,
		smoothCapstan,
		smoothGroove,
		spinningBall,
		stoolOnRamp,
		beltDrive,
		trampoline,
		straps,
		solidCantilever,
		longitudinal,
		bentSolid,
		plateOnColumn,
		freeSpin,
		cubeOnSlope,
		blockTopples,
		stacks,
		binOfCubes,
		rollingBalls,
		slidingRod,
		arches,
		grasped,
		glassPinch,
		mixedStack,
		carriedSkin,
		jointedPendulum,
		weldedHalves,
		attachedWeight,
		tumblingHinge,
		forwarding,
		staggeredScenes,
		staggeredProblems,
		byMass,
		polarDisks,
		// Closed forms.
		dampedYarn,
		hangingYarn,
		yarnDrag,
		blockDamping,
		plasticBends,
		yarnBalls,
		rodStatics,
		hangingCurl,
		yarnCapstan,
		knotTension,
		knotFriction,
		slipThrough,
		guardedSteps,
		badlyTreated,
		exactModels,
		rigidModels,
		scheduled,
		contactDerivatives,
		modelAges,
		modelMomentum,
		frameForces,
		crossingYarns,
		modelErrors,
		generator,
		swatchesAtRest,
		curlingEdges,
		stretchedKnits,
		swatchLinear,
		fallenScarf,
		table2Scarf, table2Sack, table2Afghan, table2Sweater,
		michell,
		cantilever,
		peirce,
		lateral,
		stickSlip,
		buckling,
		rolled,
		catenary,
		freeFall,
		fallOfFabrics,
		pendulum,
		conservation,
		keptSpin,
		collision,
		stopping,
		decay,
		patch,
		solidPatch,
		tetLaws,
		contactPatch,
		hertz,
		mindlin,
		pulled,
		orders,
		fallInAir,
		held,
		uniformForces,
		uniformShapes,
		remeshedSums,
		pendulumsOfShapes,
		guidedTurns,
		eccentricHit,
		obliqueHit,
		solidDecay,
		residuals,
		oneContact,
		library,
		impactTimes,
		cusick,
		inelastic,
		metamorphic,
		nothingThrough,
		randomScenes,
		// Otaduy 2009, and what garments do.
		refinement,
		anticipated,
		resolutions,
		innerPasses,
		fallingCloth,
		flamenco,
		letterHeap,
		globalResponse,
		frictionless,
		divergence,
		ending,
		frictionRound,
		relaxedAgainstOthers,
		omegaHalved,
		pinch,
		twist,
		hooded,
		shawl,
		fitting,
		caughtTunic,
		// Minor 2018.
		knee,
		spaceCost,
		spaceStill,
		spaceEnergy,
		spaceInside,
		spaceWorn,
	}
}

// Find returns the cases with the given ids, which may be in lower case; all of them for no ids.
func Find(ids ...string) ([]Case, error) {
	if len(ids) == 0 {
		return All(), nil
	}
	var found []Case
	for _, id := range ids {
		i := slices.IndexFunc(All(), func(c Case) bool { return strings.EqualFold(c.ID, id) })
		if i < 0 {
			var known []string
			for _, c := range All() {
				known = append(known, c.ID)
			}
			return nil, fmt.Errorf("there is no verification %q; there are %s", id, strings.Join(known, ", "))
		}
		found = append(found, All()[i])
	}
	return found, nil
}

// Run runs the case. It stops early, with an error in the result, when the context ends.
func (c Case) Run(ctx context.Context, opt Options) (out Result) {
	begin := time.Now()
	t := &trial{ctx: ctx, Options: opt, told: begin}
	t.ID, t.Title, t.Result.Full = c.ID, c.Title, opt.Full
	defer func() {
		if p := recover(); p != nil {
			stop, ok := p.(stopped)
			if !ok {
				panic(p)
			}
			t.Err = stop.err.Error()
		}
		t.Seconds = time.Since(begin).Seconds()
		out = t.Result
	}()
	c.run(t)
	return out
}

// trial is a case being run.
type trial struct {
	Options
	Result
	ctx   context.Context
	steps stepTally // of worlds with contacts
	words sync.Map  // by world: *float64, what the referee finds in its last step [m/s]
	told  time.Time // when Tell heard something last
	// solver is the contact solver of worlds; empty: that of their options.
	solver string
}

type stopped struct{ err error }

// must ends the case if err is not nil or the context has ended.
func (t *trial) must(err error) {
	if err == nil {
		err = t.ctx.Err()
	}
	if err != nil {
		panic(stopped{err})
	}
}

// world returns an empty world that ends with the context.
func (t *trial) world(opt engine.Options) *engine.World {
	if t.solver != "" {
		opt.Contact.Solver = t.solver
	}
	if t.Spoil != nil && t.Spoil.World != nil {
		t.Spoil.World(&opt)
	}
	w, err := engine.New(opt)
	t.must(err)
	w.Heed(t.ctx)
	t.watch(w)
	return w
}

func (t *trial) row(r Row) {
	t.Rows = append(t.Rows, r)
	if t.Each != nil {
		t.Each(r)
	}
}

// shortened returns a row with what a full run was asked for where it does less.
func (t *trial) shortened(r Row, asked string) Row {
	if t.Options.Full {
		r.Asked, r.Why = asked, "Full runs of all cases together are to end within four hours of processor time."
	}
	return r
}

// at says how far a part of the case is that ends at the given time [s], and ends the case if the context has ended.
func (t *trial) at(part string, now, end float64) {
	t.must(nil)
	if t.Tell != nil && time.Since(t.told) > time.Minute {
		t.told = time.Now()
		t.Tell(fmt.Sprintf("%s, %.3f of %g s", part, now, end))
	}
}

func (t *trial) note(format string, args ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
}

// parallel calls body for 0 to n-1 on all cores that the options allow. It must not end the case.
func (t *trial) parallel(n int, body func(i int)) {
	workers := t.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(workers, n) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				body(i)
			}
		})
	}
	wait.Wait()
}
