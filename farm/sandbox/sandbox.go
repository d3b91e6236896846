// Package sandbox runs a program that may be fed by strangers: with limits on memory, processor time, files and their
// size, with the file system closed but for its own folder and what it reads (Landlock), and without network or ways to
// reach other processes (seccomp). The program that uses this package starts itself again, closes itself in, and
// becomes the other program; so main must begin with
//
//	if sandbox.Entering() { sandbox.Enter() }
package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// Limits of one process. Zero is no limit.
type Limits struct {
	Memory int64         // that it may use [bytes]
	File   int64         // size of one file [bytes]
	Files  int           // open at a time
	CPU    time.Duration // processor time
}

// Fence is what a process may do.
type Fence struct {
	Limits
	Read   []string // files and folders that it may read
	Write  string   // the folder that it may change
	Strict bool     // refuse to run where Landlock or seccomp is missing
}

const word = "fenced" // the argument that tells a program to close itself in

// Refused is the exit code of a process that could not be closed in, or could not become the other program.
const Refused = 125

// Entering reports whether this process was started to close itself in.
func Entering() bool { return len(os.Args) > 3 && os.Args[1] == word }

// Command returns the command that runs program inside the fence. Its environment holds nothing of ours: no keys.
func Command(f Fence, program string, args ...string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if program, err = filepath.Abs(program); err != nil {
		return nil, err
	}
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, append([]string{word, string(text), program}, args...)...)
	cmd.Dir = f.Write
	cmd.Env = []string{"HOME=" + f.Write, "TMPDIR=" + f.Write}
	if f.Memory > 0 {
		// The collector works harder before the limit ends the program.
		cmd.Env = append(cmd.Env, "GOMEMLIMIT="+strconv.FormatInt(f.Memory*3/4, 10))
	}
	return cmd, nil
}

// Enter closes the process in and becomes the program of the command line. It does not return.
func Enter() {
	var f Fence
	err := json.Unmarshal([]byte(os.Args[2]), &f)
	if err == nil {
		err = enter(&f, os.Args[3], os.Args[3:])
	}
	fmt.Fprintln(os.Stderr, "the sandbox could not be closed:", err)
	os.Exit(Refused)
}

// probe is the program name that stands for trying the fence out.
const probe = "probe"

// Missing tries the fence in a child, and says what this machine lacks: nothing if it holds.
func Missing() error {
	dir, err := os.MkdirTemp("", "toile-fence-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	cmd, err := Command(Fence{Write: dir, Strict: true, Limits: Limits{Files: 64}}, probe)
	if err != nil {
		return err
	}
	cmd.Args[3] = probe
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s(%w)", out, err)
	}
	return nil
}
