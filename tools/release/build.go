package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// compileFlags are what a program of a release is compiled with: nothing in it tells the folder or the machine that it
// was built on. Where the compiler would fuse a*b+c it is told not to, so that all systems give the same bits
// (docs/decisions/0042-same-bits.md); for amd64 v1 it never does.
func compileFlags(s system) []string {
	flags := []string{"-trimpath", "-buildvcs=true"}
	if s.arch != "amd64" {
		flags = append(flags, "-gcflags=all=-d=fmahash=qn")
	}
	return flags
}

// linkFlags leave out symbols, debugging information and the id of the build.
const linkFlags = "-s -w -buildid="

// versionVariable is where a program finds the version of its release.
const versionVariable = "github.com/toile-sim/toile/internal/runfolder.release"

// system is an operating system and a processor, as Go calls them.
type system struct{ os, arch string }

func (s system) String() string { return s.os + "/" + s.arch }

var systems = []system{
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

// parseSystems reads a list of systems; none are all.
func parseSystems(list string) ([]system, error) {
	if list == "" {
		return systems, nil
	}
	var out []system
	for _, name := range strings.Split(list, ",") {
		i := slices.IndexFunc(systems, func(s system) bool { return s.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("%s is none of %v", name, systems)
		}
		out = append(out, systems[i])
	}
	return out, nil
}

// program is one of the programs of a release.
type program struct {
	name   string
	module string // its folder, from the root of the repository
	file   string // with its ending
	data   []byte
	info   *buildinfo.BuildInfo
	list   []byte // what it is made of, as CycloneDX
}

// programs returns what is made for a system. The farm closes programs in and holds them by means of Linux (Landlock,
// seccomp, death signals, flock), and is not built for others.
func (o *order) programs(s system) []*program {
	out := []*program{{name: "toile", module: "."}}
	if o.farm && s.os == "linux" {
		out = append(out, &program{name: "toile-farm", module: "farm"})
	}
	for _, p := range out {
		p.file = p.name
		if s.os == "windows" {
			p.file += ".exe"
		}
	}
	return out
}

// goCommand returns a call of the go command in a module of the repository. What the environment says about builds is
// left out: it would be in the bytes.
func (o *order) goCommand(ctx context.Context, module string, s system, args ...string) *osexec.Cmd {
	cmd := exec(ctx, filepath.Join(o.root, module), "go", args...)
	cmd.Env = append(
		os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0", "GOWORK=off",
		"GOOS="+s.os, "GOARCH="+s.arch,
	)
	return cmd
}

// build compiles a program and reads it.
func (o *order) build(ctx context.Context, p *program, s system, stage string) error {
	file := filepath.Join(stage, s.os+"-"+s.arch+"-"+p.file)
	link := linkFlags
	if o.commit.tag != "" {
		link += " -X " + versionVariable + "=" + o.commit.tag
	}
	args := append([]string{"build"}, compileFlags(s)...)
	cmd := o.goCommand(ctx, p.module, s, append(args, "-ldflags="+link, "-o", file, "./cmd/"+p.name)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", p.name, err, bytes.TrimSpace(out))
	}
	var err error
	if p.data, err = os.ReadFile(file); err != nil {
		return err
	}
	p.info, err = buildinfo.ReadFile(file)
	return err
}

// kit is what is made for one system: programs, and the files beside them.
type kit struct {
	system   system
	programs []*program
	notices  *notices
	texts    []file // LICENSE, README.md, CHANGELOG.md and NOTICES.txt
	manual   *manual
}

// kit builds the programs for a system and collects what goes with them.
func (o *order) kit(ctx context.Context, stage string, s system, m *manual) (*kit, error) {
	k := &kit{system: s, programs: o.programs(s), notices: newNotices(), manual: m}
	for _, p := range k.programs {
		if err := o.build(ctx, p, s, stage); err != nil {
			return nil, err
		}
		if err := o.collect(ctx, k.notices, p, s); err != nil {
			return nil, err
		}
	}

	// every module of each program has its notice, and is in its list
	var err error
	for _, p := range k.programs {
		if err := k.notices.cover(p.info); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		if p.list, err = o.bill(p, k.notices); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		text, err := os.ReadFile(filepath.Join(o.root, name))
		if err != nil {
			return nil, err
		}
		if name == "CHANGELOG.md" && o.commit.tag != "" && !bytes.Contains(text, []byte("\n## "+o.commit.version+",")) {
			return nil, fmt.Errorf("%s does not have %s: bash tools/release/changelog %[2]s", name, o.commit.version)
		}
		k.texts = append(k.texts, file{name, 0o644, text})
	}
	k.texts = append(k.texts, file{"NOTICES.txt", 0o644, k.notices.text()})
	return k, nil
}
