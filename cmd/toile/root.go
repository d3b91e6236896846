package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"
)

// execute runs the command line and returns the exit code.
func execute(args []string, stdout, stderr io.Writer) int {
	t := newTerm(stdout, stderr)
	root := newRoot(t)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(context.Background())
	if err == nil {
		err = t.lost
	}
	if err == nil {
		return exitDone
	}
	if !t.started { // cobra found the fault while it read the command line
		err = &inputError{err, true}
	}
	code := exitCode(err)
	if !errors.Is(err, errSaid) {
		t.fail(err, cmd.CommandPath(), code)
	}
	return code
}

func newRoot(t *term) *cobra.Command {
	cobra.EnableCommandSorting = false // the order below is that of a day's work
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
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRun: func(*cobra.Command, []string) {
			t.started = true
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	root.AddCommand(
		newDemoCommand(t),
		newNewCommand(t),
		newCheckCommand(t),
		newRunCommand(t),
		newSweepCommand(t),
		newKeyCommand(t),
		newViewCommand(t),
		newRenderCommand(t),
		newReportCommand(t),
		newExportCommand(t),
		newMannequinCommand(t),
		newSewnCommand(t),
		newSpaceCommand(t),
		newDiffCommand(t),
		newVerifyCommand(t),
		newBenchCommand(t),
		newSolveCommand(t),
		newSchemaCommand(t),
		newVersionCommand(t),
	)
	return root
}
