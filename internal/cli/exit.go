package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/toile-sim/toile/internal/scenefile"
)

// What the program returns to the shell.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitInput       = 2   // bad usage or bad input
	exitDoubted     = 3   // a run is complete, and is not what its scene says
	ExitInterrupted = 130 // after a checkpoint; 128 + SIGINT, as shells count
)

// ExitCodes is for the help of commands.
const ExitCodes = `Exit codes: 0 done, 1 failed, 2 bad usage or input, 130 interrupted.`

// RunExitCodes is for the help of commands that run scenes.
const RunExitCodes = `Exit codes: 0 done, 1 failed, 2 bad usage or input, 3 done, and not what the scene
says, 130 interrupted.`

// ErrSaid ends a command with exit code 1 after everything has been said on standard output.
var ErrSaid = errors.New("failed")

// inputError is a fault in what the user wrote: arguments, flags or files.
type inputError struct {
	error
	usage bool // in the command line itself, so that the help of the command helps
}

func (e *inputError) Unwrap() error { return e.error }

// BadUsage returns a fault in the command line.
func BadUsage(format string, args ...any) error {
	return &inputError{fmt.Errorf(format, args...), true}
}

// BadInput marks err as a fault in a file that the user named. A nil err stays nil.
func BadInput(err error) error {
	if err == nil {
		return nil
	}
	var path *fs.PathError
	if errors.As(err, &path) && errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s does not exist", path.Path)
	}
	return &inputError{err, false}
}

// BadOutput marks err as a fault in the name of a file to write, unless it is trouble with the disk.
func BadOutput(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return err
	}
	return BadInput(err)
}

// Interrupted marks err as the end of a run that can go on.
func Interrupted(err error) error { return &interruptedError{err} }

// interruptedError is a run that stopped because it was asked to and can go on.
type interruptedError struct{ error }

// Doubted marks err as the end of a run that is complete and not what its scene says.
func Doubted(err error) error { return &doubtedError{err} }

// doubtedError is a run that is complete and not what its scene says.
type doubtedError struct{ error }

// ExitCode returns what the program returns to the shell for how a command ended.
func ExitCode(err error) int {
	var (
		doubted     *doubtedError
		input       *inputError
		interrupted *interruptedError
		faults      scenefile.Faults
	)
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &interrupted):
		return ExitInterrupted
	case errors.As(err, &doubted):
		return exitDoubted
	case errors.As(err, &input), errors.As(err, &faults):
		return ExitInput
	}
	return ExitFailed
}
