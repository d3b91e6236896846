package runfolder

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// Build identifies a program as far as its results depend on it. Go fuses a*b+c on some
// architectures and levels but not on others, and its compiler may change from version to version,
// so that the same source may give other bits.
type Build struct {
	Version  string `json:"version"`            // of Toile
	Revision string `json:"revision,omitempty"` // of its source, if known
	Modified bool   `json:"modified,omitempty"` // the source was changed after that revision
	Go       string `json:"go"`                 // version of the compiler
	Arch     string `json:"arch"`               // GOARCH
	Level    string `json:"level,omitempty"`    // GOAMD64 and the like
}

// modulePath is how Toile's module calls itself in the build information of a program; modules of programs beside it,
// such as the farm, are below.
const modulePath = "github.com/toile-sim/toile"

// release is the version that tools/release makes, which the linker sets. Without one the go command knows: from the
// tag of the commit, or from the module that it fetched.
var release string

// ThisBuild returns the stamp of the running program.
func ThisBuild() Build {
	b := Build{Version: "(unknown)", Go: runtime.Version(), Arch: runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.read(info)
	}
	if release != "" {
		b.Version = release
	}
	return b
}

// read takes over what the go command says about a program of ours.
func (b *Build) read(info *debug.BuildInfo) {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == modulePath && m.Version != "" {
			b.Version = m.Version
		}
	}
	ours := info.Main.Path == modulePath || strings.HasPrefix(info.Main.Path, modulePath+"/")
	for _, s := range info.Settings {
		switch {
		case s.Key == "GO"+strings.ToUpper(runtime.GOARCH):
			b.Level = s.Value
		case s.Key == "vcs.revision" && ours:
			b.Revision = s.Value
		case s.Key == "vcs.modified" && ours:
			b.Modified = s.Value == "true"
		}
	}
}

// Released reports whether the version of a build is that of a release: v1.2.3, and not the name that the go command
// makes up for another commit, v0.0.0-20261119120000-0123456789ab or v1.2.3+dirty.
func (b *Build) Released() bool {
	rest, ok := strings.CutPrefix(b.Version, "v")
	if !ok || strings.Contains(rest, "+") {
		return false
	}
	i := strings.LastIndexByte(rest, '-')
	return i < 0 || !commitTime(rest[:i]) || len(rest)-i-1 != 12
}

// commitTime reports whether a version ends with the time of a commit, in 14 digits.
func commitTime(version string) bool {
	at := strings.TrimRight(version, "0123456789")
	return len(version)-len(at) == 14 && (strings.HasSuffix(at, "-") || strings.HasSuffix(at, "."))
}

// Title names a build for people: its version, or that it has none.
func (b *Build) Title() string {
	if b.Released() {
		return b.Version
	}
	return "from source, no release"
}

// Words returns the lines that a program says about its build.
func (b *Build) Words(program string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s\n", program, b.Title())
	if b.Revision != "" {
		changed := ""
		if b.Modified {
			changed = " (changed since)"
		}
		fmt.Fprintf(&out, "revision  %s%s\n", b.Revision, changed)
	}
	fmt.Fprintf(&out, "compiler  %s\nsystem    %s\nprocessor %s %s", b.Go, runtime.GOOS, b.Arch, b.Level)
	return out.String()
}
