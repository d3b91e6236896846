// Package start has the commands that one begins with: toile demo shows a scene that comes with it, toile new writes
// one.
package start

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/cli/run"
	viewcmd "github.com/toile-sim/toile/internal/cli/view"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/view"
	"github.com/toile-sim/toile/scenes"
)

// demoScene is a scene that comes with the program, with changes that make it quick.
type demoScene struct {
	name, shows string
	file        string
	sets        []string
}

// inAir has cloth fall as it does in a room; many scenes are in vacuum, for which theory is exact.
const inAir = "air.density=1.2"

// demos are the bundled scenes. The first is run without a name.
var demos = []demoScene{
	{
		"ball",
		"a square metre of cloth falls onto a ball and drapes it",
		"ball-drape.yaml",
		[]string{"cloths.sheet.shape.grid.cells=[60, 60]", "time.step=4 ms", inAir},
	},
	{
		"flag", "a silk flag in a wind of 6 m/s", "flag.yaml", nil,
	},
	{
		"towel", "a knitted towel on a bar that is swung and turned", "swing.yaml", nil,
	},
	{
		"capstan", "a strip of cloth slips off a cylinder: friction 0.13, and 0.15 would hold it", "capstan.yaml",
		[]string{"friction=0.13", "time.end=2.6 s", "time.fps=30"},
	},
	{
		"tunic", "a tunic is sewn around a mannequin, which goes for a walk", "tunic.yaml",
		[]string{"cloths.tunic.shape.garment.size=50 mm", "obstacles.body.shape.mannequin.vertices=3000", inAir},
	},
	{
		"gripper", "two fingers close on a soft block and lift it by friction alone", "gripper.yaml", nil,
	},
	{
		"bag", "things fall onto a cloth, whose corners are gathered and lifted", "bag.yaml",
		[]string{"cloths.bag.shape.grid.cells=[24, 24]", inAir},
	},
	{
		"scarf", "a knitted scarf falls on the floor, simulated loop by loop", "scarf.yaml",
		[]string{"yarns.scarf.size=[8, 24]", "time.fps=120"},
	},
	{
		"pinch", "a cloth hangs between two plates by friction alone, and does not creep", "pinch.yaml", nil,
	},
}

// demoFlags are the flags of toile demo.
type demoFlags struct {
	view    viewcmd.Flags
	dir     string
	list    bool
	noView  bool
	workers int
}

// DemoCommand returns toile demo.
func DemoCommand(t *cli.Term) *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:   "demo [NAME]",
		Short: "Run a bundled scene and open it in the browser",
		Long: `Run a scene that comes with Toile and watch it in the browser while it is computed. It
stays there until Ctrl-C. Without -o the run is in a temporary folder and goes with it.

` + demoTable() + `

` + cli.RunExitCodes,
		Example: `  toile demo
  toile demo flag
  toile demo pinch -o pinch.run
  toile demo --list`,
		Args: func(_ *cobra.Command, args []string) error {
			// one scene at most
			if len(args) > 1 {
				return fmt.Errorf("%q is one argument too many; there is only NAME", args[1])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			// list, or play
			if f.list {
				return listDemos(t)
			}
			return runDemo(cmd.Context(), t, args, &f)
		},

		ValidArgsFunction: cli.Complete(cobra.ShellCompDirectiveNoFileComp, demoNames()...),
	}
	// where the run goes, and whether it is shown
	cmd.Flags().StringVarP(&f.dir, "output", "o", "", "run `folder` to keep (default: a temporary one)")
	cmd.Flags().BoolVarP(&f.list, "list", "l", false, "list the scenes")
	cmd.Flags().BoolVar(&f.noView, "no-view", false, "run it and do not open a viewer")
	f.view.Add(cmd)
	cli.AddWorkers(cmd, &f.workers)
	cli.AddJSON(cmd, t)
	return cmd
}

func demoNames() []string {
	names := make([]string, len(demos))
	for i := range demos {
		names[i] = demos[i].name
	}
	return names
}

// demoTable lists the bundled scenes for people.
func demoTable() string {
	var rows cli.Table
	for i := range demos {
		rows.Add("  "+demos[i].name, demos[i].shows)
	}
	return strings.Join(rows.Lines(), "\n")
}

func listDemos(t *cli.Term) error {
	for i := range demos {
		t.Emit(struct {
			Event string `json:"event"`
			Name  string `json:"name"`
			Shows string `json:"shows"`
			File  string `json:"file"`
		}{"demo", demos[i].name, demos[i].shows, demos[i].file})
	}
	t.Say("%s", demoTable())
	return nil
}

// load reads the bundled scene.
func (d *demoScene) load() (*scenefile.Scene, error) {
	data, err := fs.ReadFile(scenes.Files(), d.file)
	if err != nil {
		return nil, err
	}
	return scenefile.Parse(d.file, data, scenes.Files(), d.sets)
}

func runDemo(ctx context.Context, t *cli.Term, args []string, f *demoFlags) error {
	if err := cli.CheckWorkers(f.workers); err != nil {
		return err
	}
	d := &demos[0]
	if len(args) > 0 {
		i := slices.Index(demoNames(), args[0])
		if i < 0 {
			return cli.BadUsage("there is no demo %q; write %s", args[0], strings.Join(demoNames(), ", "))
		}
		d = &demos[i]
	}
	s, err := d.load()
	if err != nil {
		return err
	}
	flags := run.Flags{Dir: f.dir, Workers: f.workers, Checkpoint: 30 * time.Second, Report: true, Shown: !f.noView}
	if f.dir == "" {
		if flags.Dir, err = os.MkdirTemp("", "toile-"+d.name+"-*.run"); err != nil {
			return err
		}
		if !f.noView {
			defer func() { _ = os.RemoveAll(flags.Dir) }() // what cannot be removed is temporary all the same
		}
	}
	ctx, stop := cli.UntilInterrupt(ctx, func() { t.Note("stopping; Ctrl-C again stops at once") })
	defer stop()
	if f.noView {
		return run.Play(ctx, t, s, d.file, &flags)
	}
	return f.show(ctx, t, s, d, &flags)
}

// show runs the scene in front of a viewer, which stays until ctx ends.
func (f *demoFlags) show(ctx context.Context, t *cli.Term, s *scenefile.Scene, d *demoScene, flags *run.Flags) error {
	l, names, err := f.view.Open(t)
	if err != nil {
		return err
	}
	running := status{now: view.Status{State: view.Running}}
	serving, stop := context.WithCancel(ctx)
	defer stop()
	served := make(chan error, 1)
	go func() {
		served <- view.New(flags.Dir, view.Options{Names: names, Status: running.get}).Serve(serving, l)
	}()
	url := f.view.Announce(t, l, flags.Dir)
	played := run.Play(ctx, t, s, d.file, flags)
	running.ended(played)
	switch cli.ExitCode(played) {
	case cli.ExitInterrupted:
		if f.dir == "" {
			played = cli.Interrupted(
				fmt.Errorf(
					"stopped before the end. The frames were in a temporary folder; to keep them, write: "+
						"toile demo %s -o DIR",
					d.name,
				),
			)
		}
		stop()
	case cli.ExitInput: // nothing was run
		stop()
	case cli.ExitFailed:
		t.Note("the run failed: %v", played)
		fallthrough
	default:
		t.Say("It stays at %s until Ctrl-C.", url)
	}
	return errors.Join(played, <-served)
}

// status is how a run of this process is doing.
type status struct {
	mu  sync.Mutex
	now view.Status
}

func (s *status) get() view.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// ended says how the run ended.
func (s *status) ended(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		s.now = view.Status{State: view.Finished}
	case cli.ExitCode(err) == cli.ExitInterrupted:
		s.now = view.Status{State: view.Stopped, Message: "Stopped before the end."}
	default:
		s.now = view.Status{State: view.Failed, Message: err.Error()}
	}
}
