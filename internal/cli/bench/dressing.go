package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/pattern"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
)

// benchDressingFlags are the flags of toile bench dressing.
type benchDressingFlags struct {
	kinds   []string
	sizes   []string
	sets    []string
	rest    bool
	workers int
	profile string
}

func newBenchDressingCommand(t *cli.Term) *cobra.Command {
	var f benchDressingFlags
	cmd := &cobra.Command{
		Use:   "dressing",
		Short: "Time how long garments take until their first frame",
		Long: `Put each garment of the wardrobe on a standing mannequin of size M and tell the CPU
seconds of all cores from reading the scene to its first frame, as toile run --sewn none
needs them: of sewing, and of the way to the first pose.

With --rest, let each garment come to rest after that, in steps of 16 ms, and tell in how
many of them it does, and by how far a vertex still moves in the last one.`,
		Example: `  toile bench dressing
  toile bench dressing --kinds tunic,hood --sizes 36mm --workers 1
  toile bench dressing --sizes 36mm --rest`,
		Args: cli.NeedArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return benchDressing(cmd.Context(), t, &f) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.kinds, "kinds", pattern.Garments(), "`garments` to put on")
	flags.StringSliceVar(&f.sizes, "sizes", []string{"36mm", "20mm"}, "`sides` of their triangles")
	flags.StringArrayVarP(&f.sets, "set", "s", nil, "replace a value of the scenes: `path=value`; may be repeated")
	flags.BoolVar(&f.rest, "rest", false, "let garments come to rest")
	flags.StringVar(&f.profile, "cpuprofile", "", "a `file` for a CPU profile")
	cli.AddWorkers(cmd, &f.workers)
	cli.AddJSON(cmd, t)
	return cmd
}

// benchDressingScene is the scene of one garment.
const benchDressingScene = `toile: 1
name: %[1]s of %[2]s
time: {end: 1 s, step: 4 ms}
friction: 0.4
cloths:
  - name: garment
    shape: {garment: {kind: %[1]s, on: body, size: %[2]s}}
    material: {preset: cotton-interlock, damping: 2 ms}
obstacles:
  - {name: body, shape: {mannequin: {size: M, motion: stand, vertices: 5000}}}
`

// dressingTimes is what one garment took. Times are CPU seconds of all cores.
type dressingTimes struct {
	Event      string   `json:"event"`
	Kind       string   `json:"kind"`
	Size       string   `json:"size"`
	Vertices   int      `json:"vertices"`
	Sewing     cli.Real `json:"sewing"`       // [s]
	SewingStep int      `json:"sewing_steps"` // that were taken, halved ones each
	First      cli.Real `json:"first_pose"`   // [s]
	FirstStep  int      `json:"first_pose_steps"`
	CPU        cli.Real `json:"cpu"`      // all, from reading the scene to the first frame [s]
	Residual   cli.Real `json:"residual"` // largest [m/s]
	Gap        cli.Real `json:"gap"`      // widest stitch when joined [m]
	Crossings  int      `json:"crossings"`
	Rest       int      `json:"rest_steps,omitempty"`
	Move       cli.Real `json:"rest_move,omitempty"` // of a vertex in one more step at rest [m]
	Rests      bool     `json:"rests,omitempty"`
	Error      string   `json:"error,omitempty"`
}

func benchDressing(ctx context.Context, t *cli.Term, f *benchDressingFlags) (err error) {
	// what the user named wrongly
	if err := cli.CheckWorkers(f.workers); err != nil {
		return err
	}
	for _, kind := range f.kinds {
		if !slices.Contains(pattern.Garments(), kind) {
			return cli.BadUsage("--kinds: %q is none of %s", kind, strings.Join(pattern.Garments(), ", "))
		}
	}
	// Ctrl-C stops it; a profile is written at the end
	ctx, stop := cli.UntilInterrupt(ctx, func() {})
	defer stop()
	profiled, err := bench.Profile(f.profile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, profiled()) }()
	// head of the table
	t.Say("CPU seconds of %s from reading a scene to its first frame", words.Count(cli.WorkersUsed(f.workers), "core"))
	rows := &cli.Table{Right: slices.Repeat([]bool{true}, 12)}
	head := []string{
		"garment", "size", "vertices", "CPU", "sewing", "steps", "first pose", "steps", "residual", "stitch",
		"crossings",
	}
	if f.rest {
		head = append(head, "rest")
	}
	rows.Add(head...)
	// each garment in each size
	for _, size := range f.sizes {
		for _, kind := range f.kinds {
			busy := cli.NewSpinner(t, kind+" of "+size)
			d, err := timeDressing(ctx, kind, size, f)
			busy.Close()
			if ctx.Err() != nil {
				return cli.Interrupted(errors.New("stopped"))
			}
			// without a mesh the scene is wrong; other faults go with the row
			if err != nil && d.Vertices == 0 {
				return cli.BadInput(err)
			}
			if err != nil {
				d.Error = err.Error()
			}
			t.Emit(d)
			rows.Add(d.cells(f.rest)...)
		}
	}
	cli.SayTable(t, rows)
	return nil
}

func (d *dressingTimes) cells(rest bool) []string {
	cells := []string{
		d.Kind, d.Size, words.Thousands(d.Vertices), fmt.Sprintf("%.1f s", d.CPU),
		fmt.Sprintf("%.1f s", d.Sewing), fmt.Sprint(d.SewingStep), fmt.Sprintf("%.1f s", d.First),
		fmt.Sprint(d.FirstStep),
		fmt.Sprintf("%.1e", float64(d.Residual)), words.Length(float64(d.Gap)), fmt.Sprint(d.Crossings),
	}
	switch {
	case d.Error != "":
		cells[len(cells)-1] = d.Error
	case rest && d.Rests:
		cells = append(cells, words.Count(d.Rest, "step"))
	case rest:
		cells = append(cells, fmt.Sprintf("not in %s: %s", words.Count(d.Rest, "step"), words.Length(float64(d.Move))))
	}
	return cells
}

// timeDressing puts one garment on.
func timeDressing(ctx context.Context, kind, size string, f *benchDressingFlags) (*dressingTimes, error) {
	d := &dressingTimes{Event: "dressing", Kind: kind, Size: size}
	begin := bench.CPUTime()
	last := begin
	s, err := scenefile.Parse("dressing.yaml", fmt.Appendf(nil, benchDressingScene, kind, size), nil, f.sets)
	if err != nil {
		return d, err
	}
	lap := func() cli.Real {
		before := last
		last = bench.CPUTime()
		return cli.Real((last - before).Seconds())
	}
	dressed, err := dress.Scene(ctx, s, dress.Options{Workers: f.workers, Tell: func(at dress.Dressing) {
		for _, step := range at.Stats {
			d.Vertices = step.Vertices
			d.Residual = max(d.Residual, cli.Real(step.Residual))
			d.Crossings += step.Crossings
		}
		if at.Cloth != "" {
			d.Sewing, d.SewingStep = d.Sewing+lap(), d.SewingStep+len(at.Stats)
		} else {
			d.First, d.FirstStep = d.First+lap(), d.FirstStep+len(at.Stats)
		}
	}})
	if err != nil {
		d.CPU = cli.Real((bench.CPUTime() - begin).Seconds())
		return d, err
	}
	b, err := dress.World(s, dressed)
	if err != nil {
		return d, err
	}
	defer func() { _ = b.Close() }() // read only
	d.CPU = cli.Real((bench.CPUTime() - begin).Seconds())
	for _, k := range dressed.Sewn {
		d.Gap = max(d.Gap, cli.Real(k.Gap))
	}
	crossings, _ := b.World.Crossings()
	d.Crossings += crossings
	if !f.rest {
		return d, nil
	}
	b.World.SetWorkers(f.workers)
	b.World.SetContext(ctx)
	opt := engine.DefaultSettleOptions()
	opt.Tolerance, opt.MaxIterations, opt.Step = 1e-4, 400, 16*time.Millisecond.Seconds()
	settled, err := b.World.Settle(opt)
	d.Rest, d.Move, d.Rests = settled.Iterations, cli.Real(settled.Move), settled.Converged
	d.Crossings += settled.Crossings
	return d, err
}
