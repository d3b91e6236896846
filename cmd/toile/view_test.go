package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// address is that of a viewer.
var address = regexp.MustCompile(`http://[^/ ]+:[0-9]+/`)

// lockedBuffer is what a process writes while somebody reads it.
type lockedBuffer struct {
	mu   sync.Mutex
	data bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.String()
}

// browse starts a command that opens a viewer, asks it for the page and the facts of the run, which go to the files
// page and facts, sends an interrupt and checks the exit code. A demo is interrupted once it has a frame, or if it is
// to end well once it is done. browse CODE COMMAND ARGS...
func browse(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	path, err := exec.LookPath(filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], args[1]))
	ts.Check(err)
	out, log := &lockedBuffer{}, &lockedBuffer{}
	cmd := exec.Command(path, args[2:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), out, log
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "TMPDIR="+ts.Getenv("TMPDIR"))
	ts.Check(cmd.Start())
	defer func() { _ = cmd.Process.Kill() }()
	url, deadline := "", time.Now().Add(30*time.Second)
	for url == "" && time.Now().Before(deadline) {
		url = address.FindString(out.String())
		time.Sleep(5 * time.Millisecond)
	}
	if url == "" {
		ts.Fatalf("no address in %q, %q", out.String(), log.String())
	}
	read := func(from string) []byte {
		r, err := http.Get(from)
		ts.Check(err)
		defer func() { _ = r.Body.Close() }()
		body, err := io.ReadAll(r.Body)
		ts.Check(err)
		return body
	}
	page, facts := read(url), read(url+"api/run")
	for args[2] == "demo" && !playing(facts, out.String(), want) && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
		facts = read(url + "api/run")
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait() // the exit code tells
	ts.Check(os.WriteFile(ts.MkAbs("page"), page, 0o666))
	ts.Check(os.WriteFile(ts.MkAbs("facts"), facts, 0o666))
	_, _ = io.WriteString(ts.Stdout(), out.String())
	_, _ = io.WriteString(ts.Stderr(), log.String())
	if got := cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("exit code %d, want %d; %s", got, want, log.String())
	}
}

// playing reports whether a demo is as far as it is to be interrupted.
func playing(facts []byte, said string, code int) bool {
	if code == 0 {
		return strings.Contains(said, "until Ctrl-C")
	}
	return bytes.Contains(facts, []byte(`"bounds":{`))
}
