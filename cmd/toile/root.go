package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/scene"
)

// What the program returns to the shell.
const (
	exitDone        = 0
	exitFailed      = 1
	exitInput       = 2   // bad usage or bad input
	exitDoubted     = 3   // a run is complete, and is not what its scene says
	exitInterrupted = 130 // after a checkpoint; 128 + SIGINT, as shells count
)

const exitCodes = `Exit codes: 0 done, 1 failed, 2 bad usage or input, 130 interrupted.`

const runExitCodes = `Exit codes: 0 done, 1 failed, 2 bad usage or input, 3 done, and not what the scene
says, 130 interrupted.`

// errSaid ends a command with exit code 1 after everything has been said on standard output.
var errSaid = errors.New("failed")

// inputError is a fault in what the user wrote: arguments, flags or files.
type inputError struct {
	error
	usage bool // in the command line itself, so that the help of the command helps
}

func (e *inputError) Unwrap() error { return e.error }

// badUsage returns a fault in the command line.
func badUsage(format string, args ...any) error {
	return &inputError{fmt.Errorf(format, args...), true}
}

// badInput marks err as a fault in a file that the user named. A nil err stays nil.
func badInput(err error) error {
	if err == nil {
		return nil
	}
	var path *fs.PathError
	if errors.As(err, &path) && errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s does not exist", path.Path)
	}
	return &inputError{err, false}
}

// interruptedError is a run that stopped because it was asked to and can go on.
type interruptedError struct{ error }

// doubtedError is a run that is complete and not what its scene says.
type doubtedError struct{ error }

func exitCode(err error) int {
	var (
		doubted     *doubtedError
		input       *inputError
		interrupted *interruptedError
		faults      scene.Faults
	)
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &interrupted):
		return exitInterrupted
	case errors.As(err, &doubted):
		return exitDoubted
	case errors.As(err, &input), errors.As(err, &faults):
		return exitInput
	}
	return exitFailed
}

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

// needArgs returns a check of the number of arguments that names what is missing.
func needArgs(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return fmt.Errorf("%s is missing", names[len(args)])
		case len(args) > len(names):
			return fmt.Errorf(
				"%q is one argument too many; there is only %s",
				args[len(names)],
				strings.Join(names, " "),
			)
		}
		return nil
	}
}

// addJSON gives a command the flag --json.
func addJSON(cmd *cobra.Command, t *term) {
	cmd.Flags().BoolVar(&t.json, "json", false, "one JSON object a line on standard output, for programs")
}

// addWorkers gives a command the flag --workers.
func addWorkers(cmd *cobra.Command, workers *int) {
	cmd.Flags().IntVarP(workers, "workers", "w", 0, "`cores` to use; 0 means all. Results do not depend on it")
}

func checkWorkers(n int) error {
	if n < 0 {
		return badUsage("--workers %d: write 0 for all cores, or how many", n)
	}
	return nil
}

// wroteEvent names a file that a command wrote.
type wroteEvent struct {
	Event string `json:"event"`
	File  string `json:"file"`
}

// sceneEndings and meshEndings are what the names of files end with.
var (
	sceneEndings = []string{"yaml", "yml", "json"}
	meshEndings  = []string{"obj", "ply", "glb"}
)

// complete returns what a shell completes arguments with: words or endings of file names, as the directive
// says.
func complete(directive cobra.ShellCompDirective, words ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return words, directive
	}
}

// completeFlag lets a shell complete a flag with the given words.
func completeFlag(cmd *cobra.Command, flag string, words ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete(cobra.ShellCompDirectiveNoFileComp, words...)); err != nil {
		panic(err) // there is no such flag
	}
}

// exists reports whether there is something at path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
