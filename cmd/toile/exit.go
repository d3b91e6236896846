package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/toile-sim/toile/scene"
)

// badOutput marks err as a fault in the name of a file to write, unless it is trouble with the disk.
func badOutput(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return err
	}
	return badInput(err)
}

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

// interrupted marks err as the end of a run that can go on.
func interrupted(err error) error { return &interruptedError{err} }

// doubted marks err as the end of a run that is complete and not what its scene says.
func doubted(err error) error { return &doubtedError{err} }

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
