// Samebits builds toile for several processors and systems, plays the same short scenes with each, and writes which
// of them end with the same bits (decision 42).
//
//	go run ./internal/samebits -o docs/same-bits.md [-bin DIR] [-only NAME,...]
//
// Programs for other machines run in qemu-aarch64-static and wine, where those are installed; the rest is said to be
// not run. Programs that DIR holds under their names are not built again. It takes some ten minutes.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// unfused keeps the compiler from fusing a*b+c.
const unfused = "-gcflags=all=-d=fmahash=qn"

// build is a way to build toile and to run it here.
type build struct {
	name     string
	env      []string
	flags    []string
	launcher []string // any of these
}

// builds are what is compared with the first.
var builds = []build{
	{name: "amd64", env: []string{"GOARCH=amd64", "GOAMD64=v1"}},
	{name: "amd64-unfused", env: []string{"GOARCH=amd64", "GOAMD64=v1"}, flags: []string{unfused}},
	{name: "amd64-v3", env: []string{"GOARCH=amd64", "GOAMD64=v3"}},
	{name: "amd64-v3-unfused", env: []string{"GOARCH=amd64", "GOAMD64=v3"}, flags: []string{unfused}},
	{name: "arm64", env: []string{"GOARCH=arm64"}, launcher: []string{"qemu-aarch64-static"}},
	{
		name:     "arm64-unfused",
		env:      []string{"GOARCH=arm64"},
		flags:    []string{unfused},
		launcher: []string{"qemu-aarch64-static"},
	},
	{
		name:     "windows-amd64-unfused",
		env:      []string{"GOOS=windows", "GOARCH=amd64", "GOAMD64=v1"},
		flags:    []string{unfused},
		launcher: []string{"wine64", "/usr/lib/wine/wine64", "wine"},
	},
}

// scene is a bundled scene, cut short for emulators.
type scene struct {
	name string
	sets []string
}

var scenes = []scene{
	{"ball-drape", []string{"time.end=60 ms", "time.step=4 ms", "cloths.0.shape.grid.cells=[20, 20]"}},
	{"gripper", []string{"time.end=40 ms"}},
	{"spinning-ball", []string{"time.end=40 ms"}},
	{"swatch", []string{"time.end=40 ms"}},
	{"box-and-cone", []string{"time.end=60 ms", "cloths.0.remesh.size=[6 cm, 20 cm]"}},
}

func main() {
	out := flag.String("o", "", "write the table to `file`")
	bin := flag.String("bin", "", "`folder` of programs, which are built if they are not there")
	only := flag.String("only", "", "`names` of builds to try, with commas; the first is always tried")
	flag.Parse()
	if err := run(*out, *bin, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out, bin, only string) error {
	if out == "" {
		return fmt.Errorf("name the table with -o")
	}
	work, err := os.MkdirTemp("", "samebits-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if bin == "" {
		bin = work
	}
	// hashes of each build; the first is what others are compared with
	var rows []row
	for i, b := range builds {
		if i > 0 && only != "" && !slices.Contains(strings.Split(only, ","), b.name) {
			continue
		}
		hashes, err := b.play(bin, work)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", b.name, err)
		}
		rows = append(rows, row{b, hashes})
		fmt.Println(b.name, hashes)
	}
	commit, err := exec.Command("git", "rev-parse", "--short=8", "HEAD").Output()
	if err != nil {
		return err
	}
	text := page(rows, time.Now().UTC().Format(time.DateOnly), strings.TrimSpace(string(commit)))
	return os.WriteFile(out, []byte(text), 0o666)
}

// play builds the program if need be, and returns the hash of each scene: first those of self-check.
func (b *build) play(bin, work string) (map[string]string, error) {
	// how to run it
	var command []string
	for _, l := range b.launcher {
		if path, err := exec.LookPath(l); err == nil {
			command = []string{path}
			break
		}
	}
	if len(b.launcher) > 0 && command == nil {
		return nil, fmt.Errorf("none of %s is installed", strings.Join(b.launcher, ", "))
	}
	// build
	program := filepath.Join(bin, b.name+".exe")
	if _, err := os.Stat(program); err != nil {
		c := exec.Command("go", slices.Concat([]string{"build", "-o", program}, b.flags, []string{"./cmd/toile"})...)
		c.Env = append(append(os.Environ(), "CGO_ENABLED=0"), b.env...)
		if text, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, text)
		}
	}
	command = append(command, program)
	// self-check, which fails where bits are others
	hashes := map[string]string{}
	text, _ := exec.Command(command[0], append(command[1:], "self-check")...).Output()
	for _, found := range checked.FindAllStringSubmatch(string(text), -1) {
		hashes[found[1]] = found[2]
	}
	// scenes
	for _, s := range scenes {
		args := append(
			slices.Clone(command[1:]), "run", filepath.Join("scenes", s.name+".yaml"),
			"-o", filepath.Join(work, b.name+"-"+s.name), "--report=false", "--keep", "last",
		)
		for _, set := range s.sets {
			args = append(args, "--set", set)
		}
		text, err := exec.Command(command[0], args...).Output()
		found := state.FindSubmatch(text)
		if found == nil {
			return hashes, fmt.Errorf("%s says no state: %w", s.name, err)
		}
		hashes[s.name] = string(found[1])
	}
	return hashes, nil
}

// What programs print of hashes.
var (
	checked = regexp.MustCompile(`(?m)^(\w+) +([0-9a-f]{32})  `)
	state   = regexp.MustCompile(`(?m)^State +([0-9a-f]{32})`)
)
