// Package scenefile reads scene files, with errors that name file, line and column.
//
// A scene file is YAML or JSON; docs/scene.md is its reference. Load reads one, applies overrides and
// reports everything that is wrong with it at once, as Faults. Reading is strict: a key that means
// nothing is an error, and so is a value out of its range. Files that a scene names are read from its
// own folder and nowhere else. Package build makes worlds of scenes, and package dress sews garments.
package scenefile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// Load reads a scene file and applies overrides such as "time.end=2 s" to it. Faults of the scene
// are returned as Faults.
func Load(path string, sets []string) (*Scene, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	// The scene itself may be a link to anywhere: the user named it. What it names may not.
	data, err := readScene(path)
	if err != nil {
		return nil, err
	}
	s, err := parse(path, data, root.FS(), sets, maxVertices)
	if s != nil {
		s.folder = filepath.Dir(path)
	}
	return s, err
}

func readScene(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name the scene file in it", path)
	}
	return io.ReadAll(io.LimitReader(f, maxSceneBytes+1))
}

// Parse reads a scene from data. Faults name it by name; files are read from files, which may be nil
// if the scene names none.
func Parse(name string, data []byte, files fs.FS, sets []string) (*Scene, error) {
	return parse(name, data, files, sets, maxVertices)
}

// parse is Parse with a limit on the vertices of all cloths together.
func parse(name string, data []byte, files fs.FS, sets []string, limit int) (*Scene, error) {
	// tree of the file, with overrides
	var faults faultList
	root := parseYAML(name, data, &faults)
	if root == nil {
		return nil, faults.err()
	}
	if root.kind == nullNode {
		faults.add(root.at, "the file is empty; a scene begins with the line toile: %d", Version)
		return nil, faults.err()
	}
	if root.kind == mappingNode {
		applySets(root, sets, &faults)
	}
	// scene as written, and names across it
	s := &Scene{}
	d := &decoder{faults: &faults}
	d.mapping(root, reflect.ValueOf(s).Elem(), "the scene")
	s.cross(d)
	// files it is made of, itself first
	sum := sha256.Sum256(data)
	s.inputs = []Input{{Path: filepath.Base(name), SHA256: hex.EncodeToString(sum[:])}}
	s.readFiles(d, files)
	if len(faults.list) == 0 { // they need bodies without faults
		s.cutGarments(d)
	}
	// limits of its size
	s.checkSize(d, limit)
	if err := faults.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// checkSize keeps the vertices of all cloths, or the points of all yarns, within the limit.
func (s *Scene) checkSize(d *decoder, limit int) {
	total := 0.0
	for i := range s.Yarns {
		p := &s.Yarns[i]
		if total += p.points(); total > float64(limit) {
			d.faults.add(p.key("size"), "all yarns up to here have %.0f control points; at most %d are allowed", total, limit)
			return
		}
	}
	for i := range s.Cloths {
		shape := &s.Cloths[i].Shape
		n, at := shape.vertices(), shape.at
		if shape.Grid != nil {
			at = shape.Grid.key("cells")
		}
		if total += n; n > 0 && total > float64(limit) {
			d.faults.add(
				at,
				"shape has %.0f vertices and all cloths up to here %.0f; at most %d are allowed",
				n,
				total,
				limit,
			)
			return
		}
	}
}

// Inputs returns the files the scene was made from, the scene itself first.
func (s *Scene) Inputs() []Input { return slices.Clone(s.inputs) }

// Resolved returns the scene after defaults and overrides as JSON in SI units, in a form that is the
// same for every file that means the same. It is itself a scene file.
func (s *Scene) Resolved() []byte {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		// Only strings and finite numbers are in a scene that was read.
		panic("scene: " + err.Error())
	}
	return append(data, '\n')
}

// Title returns the name of the scene, or of its file if it has none.
func (s *Scene) Title() string {
	if s.Name != "" {
		return s.Name
	}
	if len(s.inputs) == 0 {
		return ""
	}
	return strings.TrimSuffix(s.inputs[0].Path, filepath.Ext(s.inputs[0].Path))
}
