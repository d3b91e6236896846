package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/toile-sim/toile/internal/runfolder"
)

// Tether is the flag of toile run that makes a child stop, with a checkpoint, when its standard input ends: when it is
// closed, or when the process that holds the other end is gone, however it ended.
const Tether = "--tethered"

// What toile returns to the shell.
const (
	exitInput       = 2
	exitDoubted     = 3 // the run is complete
	exitInterrupted = 130
)

// Errors of a child that did not play its run to the end.
var (
	// ErrInterrupted says that the child stopped because it was asked to, and that the run can go on.
	ErrInterrupted = errors.New("interrupted")
	// ErrKilled says that the child died without a word, as when the system runs out of memory. The run can go on.
	ErrKilled = errors.New("the process was killed")
	// ErrBusy says that another process is writing the folder.
	ErrBusy = errors.New("another process plays this run")
	// ErrInput says that the run can never be played as it is.
	ErrInput = errors.New("bad input")
)

// grace is how long a child may take to write its checkpoint before it is killed.
const grace = time.Minute

// keptOutput is how much of what a child says at the end is kept [byte].
const keptOutput = 8 << 10

// Play plays a run into a folder in a process of its own, with arguments beyond Args. It wraps one of the errors above,
// or tells what the child said. When ctx ends, the child writes a checkpoint, within a minute.
func (s *Sweep) Play(ctx context.Context, program string, r Run, folder string, more ...string) error {
	args := append(append(s.Args(r, folder), Tether), more...)
	cmd := exec.CommandContext(ctx, program, args...)
	said := &tail{}
	cmd.Stderr = said
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	if entry := runfolder.ProgramEnv(); entry != "" {
		cmd.Env = append(cmd.Env, entry)
	}
	alone(cmd)
	tether, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	cmd.Cancel, cmd.WaitDelay = tether.Close, grace
	if err := cmd.Start(); err != nil {
		return err
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &exit):
		return err
	case exit.ExitCode() == exitDoubted:
		return nil // statistics and frames tell
	case exit.ExitCode() == exitInterrupted, ctx.Err() != nil:
		return ErrInterrupted
	case exit.ExitCode() < 0:
		return fmt.Errorf("%w (%v)", ErrKilled, exit.ProcessState)
	case strings.Contains(said.String(), runfolder.ErrLocked.Error()):
		return ErrBusy
	case exit.ExitCode() == exitInput:
		return fmt.Errorf("%w: %s", ErrInput, said.message())
	}
	return errors.New(said.message())
}

// tail keeps the end of what is written to it.
type tail struct{ data []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.data = append(t.data, p...)
	if n := len(t.data) - keptOutput; n > 0 {
		t.data = bytes.Clone(t.data[n:])
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.data) }

// message returns what a child said of its failure: what follows the name of the program, without lines of progress.
func (t *tail) message() string {
	text := t.String()
	if at := strings.LastIndex(text, "toile: "); at >= 0 {
		text = text[at+len("toile: "):]
	}
	if text = strings.TrimSpace(text); text == "" {
		return "it failed without a word"
	}
	return text
}
