// Mutants puts faults into a copy of the project, one at a time, and tells whether its tests notice: every fault must
// be caught by a unit test, and every fault of physics by a quick verification too. A fault that nothing notices is a
// hole in the tests.
//
//	go run ./internal/mutants            all of them, some 40 minutes
//	go run ./internal/mutants -sample 5  five, evenly spread
//	go run ./internal/mutants -only shear,pyramid
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	sample := flag.Int("sample", 0, "try so `many`, evenly spread; 0: all")
	only := flag.String("only", "", "try those whose `names` are listed, or begin so")
	flag.Parse()
	if err := run(chosen(*sample, *only)); err != nil {
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

func run(list []fault) error {
	if len(list) == 0 {
		return errors.New("no fault has such a name")
	}
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a copy
	if err := copyProject(dir); err != nil {
		return fmt.Errorf("copying the project: %w", err)
	}
	if err := baseline(dir, list); err != nil {
		return err
	}
	survived, physics := 0, 0
	for i, f := range list {
		began := time.Now()
		unit, quick, err := try(dir, &f)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if f.verify != "" {
			physics++
		}
		verdict := "caught"
		if unit == "" || f.verify != "" && quick == "" {
			verdict = "SURVIVED"
			survived++
		}
		fmt.Printf(
			"%2d/%d %-8s %-28s by %-40s %-12s %4.0f s\n",
			i+1,
			len(list),
			verdict,
			f.name,
			orNone(unit),
			quick,
			time.Since(began).Seconds(),
		)
	}
	fmt.Printf(
		"%d of %d faults caught; %d of all are of physics and have to be caught twice\n",
		len(list)-survived,
		len(list),
		physics,
	)
	if survived > 0 {
		return fmt.Errorf("%d survived", survived)
	}
	return nil
}

func orNone(s string) string {
	if s == "" {
		return "no unit test"
	}
	return s
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

// try puts a fault in, asks its tests and verification, and takes it out again. It returns the first test, and the
// verification, that noticed.
func try(dir string, f *fault) (unit, quick string, err error) {
	path := filepath.Join(dir, f.file)
	good, err := os.ReadFile(path)
	if err != nil {
		return "", "", err
	}
	if n := bytes.Count(good, []byte(f.from)); n != 1 {
		return "", "", fmt.Errorf("%q is %d times in %s, not once", f.from, n, f.file)
	}
	bad := bytes.Replace(good, []byte(f.from), []byte(f.to), 1)
	if err := os.WriteFile(path, bad, 0o666); err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, os.WriteFile(path, good, 0o666)) }()
	if out, failed := command(dir, "go", "build", "./..."); failed {
		return "", "", fmt.Errorf("it does not build:\n%s", out)
	}
	for test := range strings.FieldsSeq(f.tests) {
		if out, failed := unitTest(dir, test); failed {
			unit = noticed(out)
			break
		}
	}
	for id := range strings.FieldsSeq(f.verify) {
		if _, failed := verification(dir, id); failed {
			quick = id
			break
		}
	}
	return unit, quick, nil
}

// baseline asks all that will be asked while there is no fault yet: what fails then would prove nothing.
func baseline(dir string, list []fault) error {
	asked := map[string]bool{}
	once := func(name string, ask func(dir, name string) (string, bool)) error {
		if asked[name] {
			return nil
		}
		asked[name] = true
		if out, failed := ask(dir, name); failed {
			return fmt.Errorf("%s fails without a fault:\n%s", name, out)
		}
		return nil
	}
	for _, f := range list {
		for test := range strings.FieldsSeq(f.tests) {
			if err := once(test, unitTest); err != nil {
				return err
			}
		}
		for id := range strings.FieldsSeq(f.verify) {
			if err := once(id, verification); err != nil {
				return err
			}
		}
	}
	return nil
}

// unitTest runs the tests of a package, of a pattern if there is one after a colon.
func unitTest(dir, test string) (string, bool) {
	where, pattern, _ := strings.Cut(test, ":")
	args := []string{"test", "-short", "-timeout", "5m", where}
	if pattern != "" {
		args = append(args, "-run", pattern)
	}
	return command(dir, "go", args...)
}

func verification(dir, id string) (string, bool) {
	return command(dir, "go", "run", "./cmd/toile", "verify", id)
}

var failing = regexp.MustCompile(`--- FAIL: (\w+)`)

// noticed returns the test that failed.
func noticed(out string) string {
	if m := failing.FindStringSubmatch(out); m != nil {
		return m[1]
	}
	return "a test that panicked or took too long"
}

// command runs a command in a folder, and returns what it says and whether it failed.
func command(dir, name string, args ...string) (string, bool) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err != nil
}
