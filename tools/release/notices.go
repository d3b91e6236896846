package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/licensecheck"
)

// own begins the paths of our own modules, whose licence is LICENSE.
const own = "github.com/toile-sim/toile"

// notices are the licences of everything that programs are linked from, as its authors wrote them.
type notices struct {
	modules map[string]*notice // by path; the Go project's own library is std
}

// notice is what a module says about its licence.
type notice struct {
	path, version string
	files         map[string][]byte // by name, from the module's folder on
}

func newNotices() *notices { return &notices{modules: map[string]*notice{}} }

// legal matches the names of files about licences.
var legal = regexp.MustCompile(`(?i)^(un)?(licen[cs]es?|copying|copyright|notice|patents|third.?party)([-._].*)?$`)

// listed is a package as the go command lists it.
type listed struct {
	ImportPath, Dir string
	Standard        bool
	EmbedFiles      []string
	Module          *struct {
		Path, Version, Dir string
	}
}

// collect adds what the packages of a program say: files about licences in the folder of each module, of each package
// and embedded file, and of all folders between.
func (o *order) collect(ctx context.Context, n *notices, p *program, s system) error {
	cmd := o.goCommand(
		ctx, p.module, s, "list", "-deps", "-json=ImportPath,Dir,Standard,EmbedFiles,Module", "./cmd/"+p.name,
	)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list: %w\n%s", err, said(err))
	}
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := in.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if err := n.add(&l); err != nil {
			return err
		}
	}
	return n.addGo(ctx, o, s, p.info.GoVersion)
}

// add adds what is in the folders of a package.
func (n *notices) add(l *listed) error {
	if l.Standard || l.Module == nil {
		return nil
	}
	m := n.modules[l.Module.Path]
	if m == nil {
		m = &notice{path: l.Module.Path, version: l.Module.Version, files: map[string][]byte{}}
		n.modules[m.path] = m
	}
	folders := map[string]bool{l.Dir: true}
	for _, embedded := range l.EmbedFiles {
		folders[filepath.Join(l.Dir, filepath.Dir(embedded))] = true
	}

	// from each folder up to that of the module
	for folder := range folders {
		for ; len(folder) >= len(l.Module.Dir); folder = filepath.Dir(folder) {
			if err := m.read(l.Module.Dir, folder); err != nil {
				return err
			}
		}
	}
	return m.read(l.Module.Dir, filepath.Join(l.Module.Dir, "licenses")) // where some keep theirs
}

// read takes files about licences from a folder of a module, if there is one.
func (m *notice) read(root, folder string) error {
	if strings.HasPrefix(m.path, own) && folder == root {
		return nil // LICENSE is in the archive
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for _, e := range entries {
		all := filepath.Base(folder) == "licenses"
		if !e.Type().IsRegular() || strings.HasSuffix(e.Name(), ".go") || !all && !legal.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		m.files[filepath.ToSlash(name)] = text
	}
	return nil
}

// addGo adds the Go project's own library and runtime.
func (n *notices) addGo(ctx context.Context, o *order, s system, version string) error {
	out, err := o.goCommand(ctx, ".", s, "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	m := &notice{path: "std", version: version, files: map[string][]byte{}}
	root := strings.TrimSpace(string(out))
	if err := m.read(root, root); err != nil {
		return err
	}
	if len(m.files) == 0 {
		return fmt.Errorf("%s has no licence of Go", root)
	}
	n.modules[m.path] = m
	return nil
}

// cover fails if a module of a program has no notice.
func (n *notices) cover(info *buildinfo.BuildInfo) error {
	for _, d := range info.Deps {
		if strings.HasPrefix(d.Path, own) {
			continue
		}
		if d.Replace != nil {
			return fmt.Errorf("%s is replaced by %s, whose licence is not known", d.Path, d.Replace.Path)
		}
		m := n.modules[d.Path]
		if m == nil || len(m.files) == 0 {
			return fmt.Errorf("%s %s has no licence in its folder: it cannot be passed on", d.Path, d.Version)
		}
	}
	return nil
}

// spdx matches what a text says of itself, where it leaves a choice that its wording does not tell.
var spdx = regexp.MustCompile(`SPDX-License-Identifier: ([-.+() 0-9A-Za-z]*[-.+)0-9A-Za-z])`)

// licences returns the short names of the licences that a module's files hold, as SPDX lists them.
func (m *notice) licences() []string {
	found := map[string]bool{}
	for _, text := range m.files {
		if says := spdx.FindSubmatch(text); says != nil {
			found[string(says[1])] = true
			continue
		}
		for _, match := range licensecheck.Scan(text).Match {
			if !match.IsURL {
				found[match.ID] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// sorted returns all that say something, by path.
func (n *notices) sorted() (out []*notice) {
	for _, path := range slices.Sorted(maps.Keys(n.modules)) {
		if m := n.modules[path]; len(m.files) > 0 {
			out = append(out, m)
		}
	}
	return out
}

// title names a module for people.
func (m *notice) title() string {
	switch {
	case m.path == "std":
		return "Go's library and runtime, " + m.version
	case strings.HasPrefix(m.path, own):
		return "embedded in Toile"
	}
	return m.path + " " + m.version
}

// text writes NOTICES.txt: a list, and each licence as its authors wrote it.
func (n *notices) text() []byte {
	var out bytes.Buffer
	out.WriteString("Toile is under the licence in LICENSE. Its programs contain work of others, under these:\n\n")
	for _, m := range n.sorted() {
		fmt.Fprintf(&out, "  %s: %s\n", m.title(), strings.Join(m.licences(), ", "))
	}
	for _, m := range n.sorted() {
		for _, name := range slices.Sorted(maps.Keys(m.files)) {
			fmt.Fprintf(&out, "\n%s\n%s, %s\n%[1]s\n\n", strings.Repeat("=", 78), m.title(), name)
			out.WriteString(strings.TrimRight(readable(m.files[name]), "\n"))
			out.WriteString("\n")
		}
	}
	return out.Bytes()
}

// readable returns a text as UTF-8. What is not UTF-8 is taken for Latin-1, as old licences are written in.
func readable(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	runes := make([]rune, len(text))
	for i, b := range text {
		runes[i] = rune(b)
	}
	return string(runes)
}

// said returns what a failed command wrote to standard error.
func said(err error) string {
	var exit *osexec.ExitError
	if errors.As(err, &exit) {
		return strings.TrimSpace(string(exit.Stderr))
	}
	return ""
}
