// Package root has the command toile, with all commands below it.
package root

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/cli/about"
	"github.com/toile-sim/toile/internal/cli/bench"
	"github.com/toile-sim/toile/internal/cli/check"
	"github.com/toile-sim/toile/internal/cli/diff"
	"github.com/toile-sim/toile/internal/cli/export"
	"github.com/toile-sim/toile/internal/cli/mannequin"
	"github.com/toile-sim/toile/internal/cli/render"
	"github.com/toile-sim/toile/internal/cli/report"
	"github.com/toile-sim/toile/internal/cli/run"
	"github.com/toile-sim/toile/internal/cli/selfcheck"
	"github.com/toile-sim/toile/internal/cli/sewn"
	"github.com/toile-sim/toile/internal/cli/solve"
	"github.com/toile-sim/toile/internal/cli/space"
	"github.com/toile-sim/toile/internal/cli/start"
	"github.com/toile-sim/toile/internal/cli/sweep"
	"github.com/toile-sim/toile/internal/cli/verify"
	"github.com/toile-sim/toile/internal/cli/view"
	"github.com/toile-sim/toile/internal/runfolder"
)

// Execute runs the command line and returns the exit code.
func Execute(args []string, stdout, stderr io.Writer) int {
	return cli.Execute(New, args, stdout, stderr)
}

// New returns the command toile with all commands below it.
func New(t *cli.Term) *cobra.Command {
	cobra.EnableCommandSorting = false // the order below is that of a day's work
	build := runfolder.ThisBuild()
	root := &cobra.Command{
		Use:   "toile",
		Short: "Simulate cloth, and say how right it is",
		Long: `Toile simulates cloth from a scene file into a folder of frames that other
programs open. The same scene gives the same bits on any number of cores.

See it at once:
  toile demo

Start with:
  toile new my-scene
  toile run my-scene/scene.yaml
  toile view my-scene/scene.run`,
		Version:       build.Words("toile"),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = false
	root.AddCommand(
		start.DemoCommand(t),
		start.NewCommand(t),
		check.Command(t),
		run.Command(t),
		sweep.Command(t),
		run.KeyCommand(t),
		view.Command(t),
		render.Command(t),
		report.Command(t),
		export.Command(t),
		mannequin.Command(t),
		sewn.Command(t),
		space.Command(t),
		diff.Command(t),
		selfcheck.Command(t),
		verify.Command(t),
		bench.Command(t),
		solve.Command(t),
		about.SchemaCommand(t),
		about.VersionCommand(t),
	)
	return root
}
