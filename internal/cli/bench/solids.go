package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/scenes"
)

// solidsFlags are the flags of toile bench solids.
type solidsFlags struct {
	cases   []string
	paper   []string
	steps   int
	workers int
	longest time.Duration
}

func newSolidsCommand(t *cli.Term) *cobra.Command {
	var f solidsFlags
	cmd := &cobra.Command{
		Use:   "solids",
		Short: "Compare contact solvers on scenes of soft bodies",
		Long: `Play scenes of soft bodies with each contact solver: a block on a ramp of 10 degrees, where
it slides and where it stays, a belt drive, a trampoline, and a tank top on a body that
leans, where it slides off and where it is held. Print residuals, time, energy, how far a
body has come, and how far it is from where the nodal solver has it.

The case forward drags a pressed block by its top, with the staggered solver by mass at
three stiffnesses and three steps, and says what it helps to forward friction from step
to step.

With --paper it times scenes of [Larionov21] at its sizes and steps instead, in contact.`,
		Example: `  toile bench solids
  toile bench solids --cases slides,stays --workers 1
  toile bench solids --paper ball,stool --steps 30 --workers 1`,
		Args: cli.NeedArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return benchSolids(cmd.Context(), t, &f) },
	}
	// scenes to play, or those of the paper
	flags := cmd.Flags()
	flags.StringSliceVar(&f.cases, "cases", solidsNames(), "which `cases`, by name")
	flags.StringSliceVar(
		&f.paper, "paper", nil, "`scenes` to time at the sizes of the paper: "+strings.Join(paperNames(), ", "),
	)
	// how long they are played
	flags.IntVarP(&f.steps, "steps", "n", 20, "`steps` to time with --paper")
	flags.DurationVar(&f.longest, "longest", time.Minute, "a `time` of all cores after which a scene is not played on")
	cli.AddWorkers(cmd, &f.workers)
	cli.AddJSON(cmd, t)
	return cmd
}

// solidsCase is a scene of soft bodies.
type solidsCase struct {
	name string
	what string
	body string // the one whose way is measured, or the cloth
	part string // the vertices of the cloth whose way is measured, as a group of its mesh
	file string // of the bundled scenes; empty: softBlockScene
	sets []string

	dressed *dress.Dressed // where its garments are at the start with all solvers
}

// softBlockScene is a block of 320 tets and 1 kg on a plane.
const softBlockScene = `toile: 1
name: a soft block
time: {end: 0.5 s, fps: 20, step: 5 ms}
solids:
  - name: block
    shape: {block: {size: [10 cm, 10 cm, 10 cm], cells: [4, 4, 4]}}
    place: {translate: [0, 0, 5.1 cm]}
    material: {young: 100 kPa, density: 1000 kg/m3, damping: 5 ms}
obstacles:
  - {name: ground, shape: {plane: {}}}
`

// tenDegrees is gravity on a ramp of 10 degrees that is drawn level.
const tenDegrees = "gravity=[1.70349, 0, -9.66096]"

var solidsCases = []solidsCase{
	{name: "slides", what: "a block on a ramp, μ 0.15", body: "block", sets: []string{tenDegrees, "friction=0.15"}},
	{name: "stays", what: "a block on a ramp, μ 0.2", body: "block", sets: []string{tenDegrees, "friction=0.2"}},
	{
		name: "belt", what: "a belt drive until its wheel begins to turn, on triangles", body: "wheel",
		file: "belt-drive.yaml",
		sets: []string{"time.end=0.6 s", "solids.wheel.contact.surface=polygons"},
	},
	{
		name: "trampoline", what: "a ball lands on a trampoline, smooth", body: "ball", file: "trampoline.yaml",
		sets: []string{"time.end=1 s"},
	},
	{
		name: "straps", what: "a tank top without friction on a soft body that leans", body: "top",
		part: "seam.strap-left", file: "straps.yaml",
		sets: append(coarseTop, "friction=0"),
	},
	{
		name: "worn", what: "a tank top on a soft body that leans, μ 0.8", body: "top", part: "seam.strap-left",
		file: "straps.yaml",
		sets: coarseTop,
	},
}

// coarseTop is until the strap that slides off hangs on the arm.
var coarseTop = []string{"cloths.top.shape.garment.size=45 mm", "time.end=0.24 s"}

// forwardCase is the name of the other table.
const forwardCase = "forward"

func solidsNames() []string {
	var names []string
	for _, c := range solidsCases {
		names = append(names, c.name)
	}
	return append(names, forwardCase)
}

// solidsSolver is a solver, or a way to use one.
type solidsSolver struct{ name, set string }

var solidsSolvers = []solidsSolver{
	{"nodal", "contact={solver: nodal}"},
	{"relaxation", "contact={solver: relaxation}"},
	{"staggered", "contact={solver: staggered}"},
	byMass,
	afresh,
}

var (
	byMass = solidsSolver{"by mass", "contact={solver: staggered, staggered: {metric: mass}}"}
	afresh = solidsSolver{"not forwarded", "contact={solver: staggered, staggered: {metric: mass, forward: false}}"}
)

// solidsRun is how a scene went with a solver.
type solidsRun struct {
	Event     string   `json:"event"`
	Case      string   `json:"case"`
	Solver    string   `json:"solver"`
	Steps     int      `json:"steps"`
	Time      cli.Real `json:"time"`     // how far it was played [s]
	CPU       cli.Real `json:"cpu"`      // of a step, in the mean [s]
	Residual  cli.Real `json:"residual"` // median [m/s]
	Worst     cli.Real `json:"worst_residual"`
	Nonlinear cli.Real `json:"nonlinear"` // median [m/s]
	Farthest  cli.Real `json:"worst_nonlinear"`
	Converged cli.Real `json:"converged"` // share of steps
	Crossings int      `json:"crossings"` // the most in a step, those of smooth surfaces too
	Energy    cli.Real `json:"energy"`    // at the end [J]
	Way       cli.Real `json:"way"`       // how far its points have come, in the mean [m]
	Apart     cli.Real `json:"apart"`     // how far they are from where the nodal solver has them, in the mean [m]
	Failed    string   `json:"failed,omitempty"`

	end []r3.Vec
}

func benchSolids(ctx context.Context, t *cli.Term, f *solidsFlags) error {
	// what the user named wrongly
	if err := cli.CheckWorkers(f.workers); err != nil {
		return err
	}
	if f.longest <= 0 {
		return cli.BadUsage("--longest %v: write a time such as 2m", f.longest)
	}
	for _, name := range f.cases {
		if !slices.Contains(solidsNames(), name) {
			return cli.BadUsage("--cases: there is no %q; there are %v", name, solidsNames())
		}
	}
	for _, name := range f.paper {
		if !slices.Contains(paperNames(), name) {
			return cli.BadUsage("--paper: there is no %q; there are %v", name, paperNames())
		}
	}
	if f.steps < 1 {
		return cli.BadUsage("--steps %d: write a number from 1 on", f.steps)
	}
	ctx, stop := cli.UntilInterrupt(ctx, func() {})
	defer stop()
	// scenes of the paper, if asked
	if len(f.paper) > 0 {
		return timePaper(ctx, t, f)
	}
	// cases one after the other
	for i := range solidsCases {
		if c := &solidsCases[i]; slices.Contains(f.cases, c.name) {
			if err := c.compare(ctx, t, f); err != nil {
				return err
			}
		}
	}
	// friction forwarded from step to step, and not
	if slices.Contains(f.cases, forwardCase) {
		return compareForwarding(ctx, t, f)
	}
	return nil
}

// compare plays a case with all solvers.
func (c *solidsCase) compare(ctx context.Context, t *cli.Term, f *solidsFlags) error {
	// garments of the case, sewn
	if err := c.dress(ctx, t, f); err != nil {
		return err
	}
	// head of the table
	rows := &cli.Table{Right: append([]bool{false}, slices.Repeat([]bool{true}, 10)...)}
	rows.Add(
		"solver", "steps", "CPU a step", "residual", "worst", "nonlinear", "worst", "crossings", "energy", "way",
		"from nodal's",
	)
	var nodal *solidsRun
	var failed []string
	// the case with each solver; the first is nodal, which the others are compared with
	for _, s := range solidsSolvers {
		r, err := c.play(ctx, t, f, s)
		if err != nil {
			return err
		}
		if nodal == nil {
			nodal = r
		}
		r.from(nodal)
		t.Emit(r)
		e := func(x cli.Real) string { return fmt.Sprintf("%.1e", float64(x)) }
		rows.Add(s.name, fmt.Sprint(r.Steps), words.Seconds(float64(r.CPU)), e(r.Residual), e(r.Worst), e(r.Nonlinear),
			e(r.Farthest),
			fmt.Sprint(r.Crossings), fmt.Sprintf("%.4g J", float64(r.Energy)), millimetres(r.Way), millimetres(r.Apart))
		if r.Failed != "" {
			failed = append(failed, s.name+": "+r.Failed)
		}
	}
	// the table, and which solvers failed
	t.Say("%s; residuals in m/s, median and worst", t.Paint(cli.Bold, c.what))
	cli.SayTable(t, rows)
	for _, line := range failed {
		t.Say("  %s", line)
	}
	return nil
}

func millimetres(x cli.Real) string {
	if math.IsNaN(float64(x)) {
		return "unknown"
	}
	return fmt.Sprintf("%.3g mm", 1e3*float64(x))
}

// from notes how far a body is from where another run has it, if both have come to their ends.
func (r *solidsRun) from(other *solidsRun) {
	r.Apart = cli.Real(math.NaN())
	if r.Failed == "" && other.Failed == "" {
		r.Apart = cli.Real(meanDistance(r.end, other.end))
	}
}

func meanDistance(a, b []r3.Vec) (mean float64) {
	for i := range a {
		mean += a[i].Sub(b[i]).Norm() / float64(len(a))
	}
	return mean
}

// load reads the scene of the case.
func (c *solidsCase) load(sets ...string) (*scenefile.Scene, error) {
	text := []byte(softBlockScene)
	if c.file != "" {
		var err error
		if text, err = fs.ReadFile(scenes.Files(), c.file); err != nil {
			return nil, err
		}
	}
	return scenefile.Parse(c.name, text, scenes.Files(), slices.Concat(c.sets, sets))
}

// dress sews the garments of the case, if it has any.
func (c *solidsCase) dress(ctx context.Context, t *cli.Term, f *solidsFlags) error {
	s, err := c.load()
	if err != nil || !s.Dresses() {
		return err
	}
	busy := cli.NewSpinner(t, c.name+": dressing")
	defer busy.Close()
	c.dressed, err = dress.Scene(ctx, s, dress.Options{Workers: f.workers})
	if ctx.Err() != nil {
		return cli.Interrupted(errors.New("stopped"))
	}
	return err
}

// build makes the world of the case.
func (c *solidsCase) build(s *scenefile.Scene) (*build.Built, error) {
	if c.dressed != nil {
		return dress.World(s, c.dressed)
	}
	return build.World(s)
}

// points returns where the vertices are whose way is measured.
func (c *solidsCase) points(b *build.Built) []r3.Vec {
	if i := slices.IndexFunc(b.Bodies, func(o build.Body) bool { return o.Name == c.body }); i >= 0 {
		return slices.Clone(b.World.BodyPositions(b.Bodies[i].ID))
	}
	cloth := b.Cloths[slices.IndexFunc(b.Cloths, func(o build.Cloth) bool { return o.Name == c.body })]
	part := cloth.Groups[slices.IndexFunc(cloth.Groups, func(g meshio.Group) bool { return g.Name == c.part })]
	var x []r3.Vec
	for _, v := range part.Vertices {
		x = append(x, b.World.Positions(cloth.ID)[v])
	}
	return x
}

// play runs a scene with a solver, to its end, until a step fails or until it took too long.
func (c *solidsCase) play(ctx context.Context, t *cli.Term, f *solidsFlags, solver solidsSolver) (*solidsRun, error) {
	s, err := c.load(solver.set)
	if err != nil {
		return nil, err
	}
	b, err := c.build(s)
	if err != nil {
		return nil, err
	}
	defer func() { _ = b.Close() }() // it was only read from
	busy := cli.NewSpinner(t, c.name+": "+solver.name)
	defer busy.Close()
	w := b.World
	w.SetWorkers(f.workers)
	start := c.points(b)
	r := &solidsRun{Event: "solids", Case: c.name, Solver: solver.name}
	var residuals, nonlinear []float64
	worked := bench.CPUTime()
	for w.Time() < s.Time.End-s.Time.Step/2 && r.Failed == "" {
		if ctx.Err() != nil {
			return nil, cli.Interrupted(errors.New("stopped"))
		}
		if bench.CPUTime()-worked > f.longest {
			r.Failed = fmt.Sprintf("took longer than %v, and came to %.3g s", f.longest, w.Time())
			break
		}
		err := w.Advance(s.Time.Step, s.Time.Step, func(k engine.Stats) {
			residuals, nonlinear = append(residuals, k.Residual), append(nonlinear, k.Nonlinear)
			r.Crossings = max(r.Crossings, k.Crossings+k.Smooth.Crossings)
			r.Energy = cli.Real(k.Energy.Total())
			if k.Converged {
				r.Converged++
			}
		})
		if err != nil {
			r.Failed = err.Error()
		}
	}
	r.Steps, r.Time = len(residuals), cli.Real(w.Time())
	r.end = c.points(b)
	r.Way = cli.Real(meanDistance(r.end, start))
	if r.Steps == 0 {
		return r, nil
	}
	r.CPU = cli.Real((bench.CPUTime() - worked).Seconds() / float64(r.Steps))
	r.Converged /= cli.Real(r.Steps)
	r.Residual, r.Worst = cli.Real(bench.Median(residuals)), cli.Real(slices.Max(residuals))
	r.Nonlinear, r.Farthest = cli.Real(bench.Median(nonlinear)), cli.Real(slices.Max(nonlinear))
	return r, nil
}

// compareForwarding drags a block that is pressed by 3 % at 0.2 m/s, at three stiffnesses and three steps.
func compareForwarding(ctx context.Context, t *cli.Term, f *solidsFlags) error {
	// head of the table
	rows := &cli.Table{Right: slices.Repeat([]bool{true}, 7)}
	rows.Add("Young", "step", "way", "forwarded, off by", "not, off by", "residual", "residual, not")
	// each stiffness with each step
	for _, young := range []string{"10 kPa", "100 kPa", "1 MPa"} {
		for _, step := range []string{"2.5 ms", "5 ms", "10 ms"} {
			// a block that is pressed down and dragged by its top
			c := solidsCase{name: fmt.Sprintf("%s %s, %s", forwardCase, young, step), body: "block", sets: []string{
				"friction=0.5", "time.end=0.4 s", "solids.block.material.young=" + young, "time.step=" + step,
				"solids.block.pins=[{select: {box: {min: [-1, -1, 0.1], max: [1, 1, 1]}}, motion: drag}]",
				"motions={drag: [{at: 0}, {at: 40 ms, translate: [0, 0, -3 mm]}, {at: 0.4 s, translate: " +
					"[-7.2 cm, 0, -3 mm]}]}",
			}}
			// the reference, then the solver by mass with friction forwarded and afresh
			var runs [3]*solidsRun
			for k, s := range []solidsSolver{solidsSolvers[0], byMass, afresh} {
				var err error
				if runs[k], err = c.play(ctx, t, f, s); err != nil {
					return err
				}
				runs[k].from(runs[0])
				t.Emit(runs[k])
			}
			rows.Add(young, step, millimetres(runs[0].Way), millimetres(runs[1].Apart), millimetres(runs[2].Apart),
				fmt.Sprintf("%.1e", float64(runs[1].Residual)), fmt.Sprintf("%.1e", float64(runs[2].Residual)))
		}
	}
	t.Say(
		"%s; medians of residuals in m/s",
		t.Paint(cli.Bold, "friction forwarded to the next step, and not: a block that is dragged"),
	)
	cli.SayTable(t, rows)
	return nil
}
