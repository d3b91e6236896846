// Package scene reads scene files and builds worlds of them, with faults that name file, line and column.
//
// A scene file is YAML or JSON; docs/scene.md is its reference. Load reads one, applies overrides and reports all that
// is wrong with it at once, as Faults. Reading is strict: an unknown key is a fault, and so is a value out of its
// range. Files that a scene names are read from its own folder and nowhere else.
//
// Package run plays a scene into a folder, which goes on where it was stopped. Build is for programs that step a scene
// by themselves.
package scene

import (
	"errors"
	"io/fs"

	"github.com/toile-sim/toile/internal/bridge"
	"github.com/toile-sim/toile/internal/scenefile"
)

// Scene is a scene file after defaults and overrides.
type Scene struct{ file *scenefile.Scene }

func init() {
	bridge.File = func(s any) *scenefile.Scene { return s.(*Scene).file }
}

// Load reads a scene file and applies overrides such as "time.end=2 s" to it. What is wrong with the scene is returned
// as Faults.
func Load(path string, sets []string) (*Scene, error) { return made(scenefile.Load(path, sets)) }

// Parse reads a scene from data. Faults call it by name; files are read from files, which may be nil if the scene names
// none.
func Parse(name string, data []byte, files fs.FS, sets []string) (*Scene, error) {
	return made(scenefile.Parse(name, data, files, sets))
}

func made(s *scenefile.Scene, err error) (*Scene, error) {
	if err != nil {
		return nil, public(err)
	}
	return &Scene{s}, nil
}

// Title returns the name of the scene, or of its file if it has none.
func (s *Scene) Title() string { return s.file.Title() }

// Resolved returns the scene after defaults and overrides as JSON in SI units: the same bytes for all files that mean
// the same. It is itself a scene file.
func (s *Scene) Resolved() []byte { return s.file.Resolved() }

// Files returns the paths of the files that the scene was made from, relative to its folder, itself first.
func (s *Scene) Files() []string {
	inputs := s.file.Inputs()
	paths := make([]string, len(inputs))
	for i, in := range inputs {
		paths[i] = in.Path
	}
	return paths
}

// Schema returns the JSON schema of scene files, for editors.
func Schema() []byte { return scenefile.Schema() }

// Fault is one thing that is wrong with a scene.
type Fault struct {
	File string // name of the scene file, or "--set" for an override
	Line int    // counted from 1; for overrides the number of the override
	Col  int    // counted from 1, in characters
	Msg  string // what is wrong and what to write instead
	Text string // the line of the file
}

// Error formats the fault as file:line:column: message, and the line with a caret below the column.
func (f *Fault) Error() string { return (*scenefile.Fault)(f).Error() }

// Faults is all that is wrong with a scene, in the order of the file.
type Faults []*Fault

// Error lists the faults, one after the other.
func (f Faults) Error() string {
	all := make(scenefile.Faults, len(f))
	for i, x := range f {
		all[i] = (*scenefile.Fault)(x)
	}
	return all.Error()
}

// Unwrap gives errors.As the single faults.
func (f Faults) Unwrap() []error {
	all := make([]error, len(f))
	for i, x := range f {
		all[i] = x
	}
	return all
}

// public returns faults of a scene as Faults, and other errors as they are.
func public(err error) error {
	var found scenefile.Faults
	if !errors.As(err, &found) {
		return err
	}
	all := make(Faults, len(found))
	for i, x := range found {
		all[i] = (*Fault)(x)
	}
	return all
}
