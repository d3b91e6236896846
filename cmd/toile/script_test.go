package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"image/gif"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/cli/root"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"toile": main})
}

// TestScripts plays the archives in testdata/script: whole command lines against real processes.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"events": events,
			"cut":    cut,
			"png":    pngSize,
			"browse": browse,
			"gif":    gifFrames,
			"damage": damage,

			"without": without,
		},
		Condition: func(cond string) (bool, error) { return false, errors.New("unknown condition " + cond) },
	})
}

// exits runs a command and checks its exit code: exits CODE COMMAND ARGS...
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// events checks that standard output is JSON objects only, one a line, and that the named events occur in
// that order: events start frame done
func events(ts *testscript.TestScript, _ bool, want []string) {
	var got []string
	for _, line := range strings.Split(strings.TrimSuffix(ts.ReadFile("stdout"), "\n"), "\n") {
		var event struct{ Event string }
		if err := json.Unmarshal([]byte(line), &event); err != nil || event.Event == "" {
			ts.Fatalf("not an event: %q (%v)", line, err)
		}
		got = append(got, event.Event)
	}
	rest := got
	for _, w := range want {
		i := slices.Index(rest, w)
		if i < 0 {
			ts.Fatalf("events %v, want %v in this order", got, want)
		}
		rest = rest[i+1:]
	}
}

// cut starts a command, waits until a file exists, sends a signal and checks the exit code; a process
// that was killed has -1. Its output is in cut.out and cut.err. cut SIGNAL FILE CODE COMMAND ARGS...
func cut(ts *testscript.TestScript, _ bool, args []string) {
	signals := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": os.Kill}
	want, err := strconv.Atoi(args[2])
	ts.Check(err)
	path, err := exec.LookPath(filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], args[3]))
	ts.Check(err)
	var out, log bytes.Buffer
	cmd := exec.Command(path, args[4:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), &out, &log
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	ts.Check(cmd.Start())
	for deadline := time.Now().Add(30 * time.Second); !cli.Exists(ts.MkAbs(args[1])); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			ts.Fatalf("%s did not appear: %s", args[1], log.String())
		}
	}
	ts.Check(cmd.Process.Signal(signals[args[0]]))
	_ = cmd.Wait() // the exit code tells
	ts.Check(os.WriteFile(ts.MkAbs("cut.out"), out.Bytes(), 0o666))
	ts.Check(os.WriteFile(ts.MkAbs("cut.err"), log.Bytes(), 0o666))
	if got := cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("exit code %d, want %d; %s", got, want, log.String())
	}
}

// pngSize checks that a file is a picture that is not all one colour, and its size: png FILE WIDTH HEIGHT
func pngSize(ts *testscript.TestScript, _ bool, args []string) {
	img, err := png.Decode(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	b := img.Bounds()
	if w, h := strconv.Itoa(b.Dx()), strconv.Itoa(b.Dy()); len(args) == 3 && (w != args[1] || h != args[2]) {
		ts.Fatalf("%s is %s x %s", args[0], w, h)
	}
	colors := map[[3]uint32]bool{}
	for y := b.Min.Y; y < b.Max.Y; y += 3 {
		for x := b.Min.X; x < b.Max.X; x += 3 {
			r, g, bl, _ := img.At(x, y).RGBA()
			colors[[3]uint32{r, g, bl}] = true
		}
	}
	if len(colors) < 32 {
		ts.Fatalf("%s has only %d colours", args[0], len(colors))
	}
}

// gifFrames checks a film: its size, the number of its pictures and its length [1/100 s], and that it moves: gif FILE
// WIDTH HEIGHT PICTURES LENGTH
func gifFrames(ts *testscript.TestScript, _ bool, args []string) {
	film, err := gif.DecodeAll(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	length, largest := 0, 0
	for i, d := range film.Delay {
		length += d
		if i > 0 {
			largest = max(largest, film.Image[i].Bounds().Dx())
		}
		if d < 2 {
			ts.Fatalf("%s: picture %d is shown for %d ticks; programs slow that down", args[0], i, d)
		}
	}
	got := []string{
		strconv.Itoa(film.Config.Width),
		strconv.Itoa(film.Config.Height),
		strconv.Itoa(len(film.Image)),
		strconv.Itoa(length),
	}
	if !slices.Equal(got, args[1:]) {
		ts.Fatalf("%s has %v, want %v", args[0], got, args[1:])
	}
	if largest < 2 || film.LoopCount != 0 {
		ts.Fatalf("%s does not move, or does not repeat", args[0])
	}
}

// damage turns a bit in the middle of a file over; twice mends it: damage FILE
func damage(ts *testscript.TestScript, _ bool, args []string) {
	data := []byte(ts.ReadFile(args[0]))
	data[len(data)/2] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}

// without runs toile where a program cannot be found and wants exit code 2: without PROGRAM toile ARGS...
func without(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.Getenv("PATH")
	defer ts.Setenv("PATH", path)
	toile, err := exec.LookPath(filepath.Join(filepath.SplitList(path)[0], args[1]))
	ts.Check(err)
	ts.Setenv("PATH", filepath.Dir(toile))
	exits(ts, false, append([]string{"2"}, args[1:]...))
}

// TestEveryCommandHelps asks every command for its help and looks for an example.
func TestEveryCommandHelps(t *testing.T) {
	for _, c := range root.New(cli.NewTerm(new(bytes.Buffer), new(bytes.Buffer))).Commands() {
		var out, log bytes.Buffer
		if code := root.Execute([]string{c.Name(), "--help"}, &out, &log); code != 0 || log.Len() > 0 {
			t.Errorf("toile %s --help: exit code %d, %s", c.Name(), code, log.String())
		}
		for _, want := range []string{"Usage:\n  toile " + c.Name(), "Examples:\n  toile "} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("toile %s --help has no %q:\n%s", c.Name(), want, out.String())
			}
		}
		for _, line := range strings.Split(c.Long, "\n") {
			if n := len([]rune(line)); n > 90 {
				t.Errorf("toile %s --help has a line of %d characters: %s", c.Name(), n, line)
			}
		}
	}
}

// Example shows how a mesh is checked.
func Example() {
	root.Execute([]string{"check", "testdata/flipped.obj"}, os.Stdout, io.Discard)
	// Output:
	// testdata/flipped.obj: 4 vertices, 2 triangles
	//   1 piece, 1 boundary loop; UVs: none
	//   1 m x 1 m x 0 m (x, y, z), z from 0 m to 0 m, area 1 m²
	//   edges from 1 m to 1.41 m, mean 1.08 m
	// fault: edges where neighbours face opposite ways: 1 (triangle 1)
	//   --fix turns them
}

// TestColor looks for escape sequences where there is no terminal.
func TestColor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the null device is not a terminal either way")
	}
	var out, log bytes.Buffer
	root.Execute([]string{"check", "testdata/flipped.obj"}, &out, &log)
	if strings.Contains(out.String()+log.String(), "\x1b") {
		t.Errorf("escape sequences in a buffer: %q %q", out.String(), log.String())
	}
}
