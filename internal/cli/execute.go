package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"
)

// Execute runs a command line with the root command that newRoot makes, and returns the exit code.
func Execute(newRoot func(*Term) *cobra.Command, args []string, stdout, stderr io.Writer) int {
	t := NewTerm(stdout, stderr)
	root := newRoot(t)
	understood := false
	root.PersistentPreRun = func(*cobra.Command, []string) { understood = true }
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(context.Background())
	if err == nil {
		err = t.lost
	}
	if err == nil {
		return ExitDone
	}
	if !understood {
		err = &inputError{err, true} // cobra found the fault while it read the command line
	}
	code := ExitCode(err)
	if !errors.Is(err, ErrSaid) {
		t.fail(err, cmd.CommandPath(), code)
	}
	return code
}
