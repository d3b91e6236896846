// Mutants puts faults into a copy of the project and reports whether its tests notice: every fault must be caught by a
// unit test, and every fault of physics by a quick verification too. A fault that nothing notices is a hole in the
// tests.
//
//	go run ./internal/mutants            all of them
//	go run ./internal/mutants -sample 5  five, evenly spread
//	go run ./internal/mutants -only shear,pyramid
//	go run ./internal/mutants -write -missing
//
// With -write what caught a fault goes into the table of docs/formulas.md as soon as it is known, and -missing leaves
// out what the table shows as caught: a run that is cut goes on.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// patience is how long one test or verification may take. What loops forever has been noticed.
const patience = 5 * time.Minute

// errUnsound is a test or verification that proves nothing of a fault.
var errUnsound = errors.New("fails without a fault")

func main() {
	sample := flag.Int("sample", 0, "try so `many`, evenly spread; 0: all")
	only := flag.String("only", "", "try those whose `names` are listed, or begin so")
	write := flag.Bool("write", false, "write what caught a fault into the table of "+page)
	left := flag.Bool("missing", false, "leave out those that the table shows as caught")
	flag.Parse()
	if err := run(chosen(*sample, *only), *write, *left); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// chosen returns the faults to try.
func chosen(sample int, only string) []fault {
	var out []fault
	for i, f := range faults {
		switch {
		case only != "":
			for name := range strings.SplitSeq(only, ",") {
				if strings.HasPrefix(f.name, name) {
					out = append(out, f)
					break
				}
			}
		case sample <= 0 || i*sample/len(faults) != (i-1)*sample/len(faults) || i == 0:
			out = append(out, f)
		}
	}
	return out
}

func run(list []fault, write, left bool) (err error) {
	if left {
		if list, err = missing(page, list); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		return errors.New("no fault is left, or has such a name")
	}
	commit, err := commitNow()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a copy
	if err := copyProject(dir); err != nil {
		return fmt.Errorf("copying the project: %w", err)
	}
	if err := plant(dir); err != nil {
		return err
	}
	b := bench{dir: dir, built: map[string]string{}, sound: map[string]bool{}}
	physics, survived := 0, 0
	for i, f := range list {
		began := time.Now()
		unit, quick, err := b.try(&f)
		switch {
		case errors.Is(err, errUnsound):
			fmt.Printf("%2d/%d not tried %s: %v\n", i+1, len(list), f.name, err)
			survived++
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", f.name, err)
		}
		r := record{unit: unit, quick: quick}
		verdict := "caught"
		if !r.complete(&f) {
			verdict = "SURVIVED"
			survived++
		}
		if f.verify != "" {
			physics++
		}
		fmt.Printf("%2d/%d %-8s %-28s by %-40s %-12s %4.0f s\n",
			i+1, len(list), verdict, f.name, orNone(unit), quick, time.Since(began).Seconds())
		if write {
			if err := keep(page, &f, unit, quick, commit); err != nil {
				return err
			}
		}
	}
	fmt.Printf("%d of %d faults caught; %d of all are of physics and have to be caught twice\n",
		len(list)-survived, len(list), physics)
	if survived > 0 {
		return fmt.Errorf("%d survived, or were not tried", survived)
	}
	return nil
}

// copyProject copies the files that git knows.
func copyProject(dir string) error {
	list, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, and not yet committed
		}
		if err != nil {
			return err
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// bench is where faults are tried: a copy of the project with all of them.
type bench struct {
	dir   string
	built map[string]string // programs by what they are built of
	sound map[string]bool   // what passed without a fault
}

// try turns a fault on and runs its tests and verifications. It returns the first test, and the first verification,
// that noticed.
func (b *bench) try(f *fault) (unit, quick string, err error) {
	n := f.number()
	for test := range strings.FieldsSeq(f.tests) {
		out, failed, err := b.noticed(n, test, b.unitTest)
		if err != nil {
			return "", "", err
		}
		if failed {
			unit = testIn(out)
			break
		}
	}
	for id := range strings.FieldsSeq(f.verify) {
		_, failed, err := b.noticed(n, id, b.verification)
		if err != nil {
			return "", "", err
		}
		if failed {
			quick = id
			break
		}
	}
	return unit, quick, nil
}

// noticed reports whether a test or verification fails with fault n. It must pass without: what fails then proves
// nothing.
func (b *bench) noticed(n int, name string, ask func(n int, name string) (string, bool, error)) (string, bool, error) {
	if !b.sound[name] {
		out, failed, err := ask(0, name)
		if err != nil {
			return "", false, err
		}
		if failed {
			return "", false, fmt.Errorf("%s %w:\n%s", name, errUnsound, out)
		}
		b.sound[name] = true
	}
	return ask(n, name)
}

// unitTest runs the tests of a package, of a pattern if there is one after a colon.
func (b *bench) unitTest(n int, test string) (string, bool, error) {
	where, pattern, _ := strings.Cut(test, ":")
	program, err := b.build(where, "go", "test", "-c", "-vet=off")
	if err != nil {
		return "", false, err
	}
	args := []string{"-test.short", "-test.failfast", "-test.v=test2json"}
	if pattern != "" {
		args = append(args, "-test.run", pattern)
	}
	out, failed := command(filepath.Join(b.dir, where), n, program, args...)
	if n == 0 && !failed && !strings.Contains(out, "--- PASS") {
		return "", false, fmt.Errorf("%s runs no test", test)
	}
	return out, failed, nil
}

// verification runs a quick one.
func (b *bench) verification(n int, id string) (string, bool, error) {
	program, err := b.build("./"+runner, "go", "build")
	if err != nil {
		return "", false, err
	}
	out, failed := command(b.dir, n, program, id)
	return out, failed, nil
}

// build builds a package by a command, once, and returns the program.
func (b *bench) build(where string, args ...string) (string, error) {
	key := where + " " + strings.Join(args, " ")
	if program := b.built[key]; program != "" {
		return program, nil
	}
	program := filepath.Join(b.dir, "program"+strconv.Itoa(len(b.built)))
	cmd := exec.Command(args[0], append(args[1:], "-trimpath", "-o", program, where)...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s does not build with its faults: %w\n%s", where, err, out)
	}
	b.built[key] = program
	return program, nil
}

var failing = regexp.MustCompile(`--- FAIL: (\w+)`)

// testIn returns the test that failed.
func testIn(out string) string {
	if m := failing.FindStringSubmatch(out); m != nil {
		return m[1]
	}
	return "a test that panicked or took too long"
}

// command runs a program in a folder, with fault n, and returns what it says and whether it failed.
func command(dir string, n int, name string, args ...string) (string, bool) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), variable+"="+strconv.Itoa(n))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err != nil
}
