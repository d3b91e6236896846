package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/cli/sewn"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/scenes"
)

// estimatesFlags are the flags of toile bench estimates.
type estimatesFlags struct {
	sets     []string
	rehearse time.Duration
	workers  int
}

func newEstimatesCommand(t *cli.Term) *cobra.Command {
	var f estimatesFlags
	cmd := &cobra.Command{
		Use:   "estimates [SCENE...]",
		Short: "Compare what toile check promises of time and memory with what runs take",
		Long: `Have toile check estimate what scenes take, run them, and compare: CPU seconds of all
cores, with sewing and report, and the most memory that was resident. Without a scene,
ten bundled ones are taken, some of them shortened. An estimate of time should be within
a factor of two, and one of memory within 1.3.`,
		Example: `  toile bench estimates
  toile bench estimates scene.yaml --set time.end='1 s' --workers 1`,
		RunE: func(cmd *cobra.Command, args []string) error { return benchEstimates(cmd.Context(), t, args, &f) },

		ValidArgsFunction: cli.Complete(cobra.ShellCompDirectiveFilterFileExt, cli.SceneEndings...),
	}
	cmd.Flags().StringArrayVarP(
		&f.sets, "set", "s", nil, "replace a value of the scenes: `path=value`; may be repeated",
	)
	cli.AddRehearse(cmd, &f.rehearse)
	cli.AddWorkers(cmd, &f.workers)
	cli.AddJSON(cmd, t)
	return cmd
}

// estimateCase is a scene to compare on.
type estimateCase struct {
	path string
	sets []string
}

// bundledEstimates are scenes of all kinds: on obstacles, in wind, pinched, remeshed, of soft bodies, of yarns,
// dressed.
var bundledEstimates = []estimateCase{
	{"ramp.yaml", nil},
	{"release.yaml", nil},
	{"inclined-plane.yaml", nil},
	{"circular-drag.yaml", []string{"time.end=2 s"}},
	{"capstan.yaml", nil},
	{"pinch.yaml", nil},
	{"cape.yaml", nil},
	{"letters.yaml", nil},
	{"swatch.yaml", nil},
	{"tunic.yaml", []string{"time.end=0.3 s", "cloths.tunic.shape.garment.size=36 mm"}},
}

// estimateRow compares one scene.
type estimateRow struct {
	Event     string   `json:"event"`
	Scene     string   `json:"scene"`
	Estimated cli.Real `json:"estimated_cpu"`    // [s]
	Measured  cli.Real `json:"measured_cpu"`     // [s]
	Memory    int64    `json:"estimated_memory"` // [byte]
	Peak      int64    `json:"measured_memory"`  // [byte]
	Rehearsal cli.Real `json:"rehearsal"`        // what the estimate took [s], on the wall
	Whole     bool     `json:"whole"`
}

func benchEstimates(ctx context.Context, t *cli.Term, paths []string, f *estimatesFlags) error {
	if err := cli.CheckWorkers(f.workers); err != nil {
		return err
	}
	ctx, stop := cli.UntilInterrupt(ctx, func() {})
	defer stop()
	work, err := os.MkdirTemp("", "toile-estimates-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // the system will do it some day
	cases := make([]estimateCase, len(paths))
	for i, path := range paths {
		cases[i].path = path
	}
	if len(paths) == 0 {
		if err := os.CopyFS(work, scenes.Files()); err != nil {
			return err
		}
		for _, c := range bundledEstimates {
			cases = append(cases, estimateCase{filepath.Join(work, c.path), c.sets})
		}
	}
	rows := &cli.Table{Right: slices.Repeat([]bool{true}, 8)}
	rows.Add(
		"scene", "CPU estimated", "CPU measured", "ratio", "memory estimated", "memory measured", "ratio", "check took",
	)
	for i := range cases {
		c := &cases[i]
		c.sets = slices.Concat(c.sets, f.sets)
		if _, err := cli.LoadScene(c.path, c.sets); err != nil {
			return err
		}
		busy := cli.NewSpinner(t, filepath.Base(c.path))
		row, err := c.compare(ctx, filepath.Join(work, strconv.Itoa(i)+".run"), f)
		busy.Close()
		if ctx.Err() != nil {
			return cli.Interrupted(errors.New("stopped"))
		}
		if err != nil {
			return err
		}
		t.Emit(row)
		rows.Add(row.cells()...)
	}
	cli.SayTable(t, rows)
	return nil
}

func (r *estimateRow) cells() []string {
	return []string{
		r.Scene, words.Seconds(float64(r.Estimated)), words.Seconds(float64(r.Measured)),
		fmt.Sprintf("%.2f", r.Estimated/r.Measured),
		words.Bytes(float64(r.Memory)), words.Bytes(float64(r.Peak)),
		fmt.Sprintf("%.2f", float64(r.Memory)/float64(r.Peak)),
		words.Seconds(float64(r.Rehearsal)),
	}
}

// compare estimates and runs a scene, each in a process of its own. Nothing that was sewn before is used.
func (c *estimateCase) compare(ctx context.Context, folder string, f *estimatesFlags) (*estimateRow, error) {
	row := &estimateRow{Event: "estimate", Scene: filepath.Base(c.path)}
	begin := time.Now()
	said, err := c.toile(ctx, f, "check", "--json", "--rehearse", f.rehearse.String(), "--sewn", folder+".sewn")
	if err != nil {
		return nil, err
	}
	row.Rehearsal = cli.Real(time.Since(begin).Seconds())
	if err := row.read(said.out); err != nil {
		return nil, err
	}
	took, err := c.toile(ctx, f, "run", "--json", "--output", folder, "--sewn", sewn.None)
	if err != nil {
		return nil, err
	}
	row.Measured, row.Peak = cli.Real(took.cpu.Seconds()), took.memory
	return row, nil
}

// read takes the estimates from what toile check said.
func (r *estimateRow) read(said []byte) error {
	for line := range bytes.Lines(said) {
		var cost struct {
			Event  string  `json:"event"`
			CPU    float64 `json:"cpu_time"`
			Memory int64   `json:"memory"`
			Whole  bool    `json:"whole"`
		}
		if err := json.Unmarshal(line, &cost); err != nil {
			return fmt.Errorf("toile check of %s: %w", r.Scene, err)
		}
		if cost.Event == "cost" {
			r.Estimated, r.Memory, r.Whole = cli.Real(cost.CPU), cost.Memory, cost.Whole
		}
	}
	return nil
}

// processTook is what a process said and took.
type processTook struct {
	out    []byte
	cpu    time.Duration
	memory int64 // resident, at most [byte]; 0 if the system does not tell
}

// toile runs this program on the scene of the case.
func (c *estimateCase) toile(ctx context.Context, f *estimatesFlags, args ...string) (*processTook, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args = append(args, c.path, "--workers", strconv.Itoa(f.workers))
	for _, set := range c.sets {
		args = append(args, "--set", set)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("toile %s of %s: %w: %s", args[0], c.path, err, exit.Stderr)
	}
	if err != nil {
		return nil, err
	}
	s := cmd.ProcessState
	return &processTook{out, s.UserTime() + s.SystemTime(), bench.PeakMemory(s)}, nil
}
