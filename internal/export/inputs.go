package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// inputs are the mesh files of the cloths of a run.
type inputs struct {
	cloths  []clothInput
	hashes  map[string]string // SHA-256 by path
	folders []string          // where files are looked for
}

// clothInput is what the scene of a run says of a cloth. The keys are those of scene files.
type clothInput struct {
	Name  string `json:"name"`
	Shape struct {
		File    string  `json:"file"`
		Up      string  `json:"up"`
		Unit    float64 `json:"unit"` // [m]
		Weld    bool    `json:"weld"`
		Rest    string  `json:"rest"`
		UVScale float64 `json:"uv-scale"`
	} `json:"shape"`
	Place struct {
		Scale float64 `json:"scale"`
	} `json:"place"`
}

// readInputs reads what the run knows of its inputs.
func readInputs(folder *runfolder.Folder, dir string) (*inputs, error) {
	in := &inputs{hashes: map[string]string{}, folders: []string{dir}}
	if dir == "" {
		// By default a run is beside its scene.
		abs, err := filepath.Abs(folder.Dir)
		if err != nil {
			return nil, err
		}
		in.folders = []string{filepath.Dir(abs), "."}
	}
	var scene struct {
		Cloths []clothInput `json:"cloths"`
	}
	// A run that was made from Go may have a scene of any form: then there are no files.
	if json.Unmarshal(folder.Manifest.Scene, &scene) == nil {
		in.cloths = scene.Cloths
	}
	for _, i := range folder.Manifest.Inputs {
		in.hashes[i.Path] = i.SHA256
	}
	return in, nil
}

// of returns what is known of the file of a cloth; nil if it has none.
func (in *inputs) of(name string) *clothInput {
	i := slices.IndexFunc(
		in.cloths,
		func(c clothInput) bool { return c.Name == name && c.Shape.File != "" && c.Shape.Unit > 0 },
	)
	if i < 0 {
		return nil
	}
	return &in.cloths[i]
}

// up returns the axis that is up in the file.
func (c *clothInput) up() meshio.Axis {
	isGLB := false
	if f, err := meshio.FormatOf(c.Shape.File); err == nil {
		isGLB = f == meshio.GLB
	}
	if c.Shape.Up == "y" || c.Shape.Up == "" && isGLB {
		return meshio.UpY
	}
	return meshio.UpZ
}

// original returns the mesh of a cloth as the user gave it, and for each of its vertices that of the frame, nil if they
// are the same. A note says what cannot be had.
func (in *inputs) original(frame *meshio.Mesh) (m *meshio.Mesh, to []int32, note string) {
	kept := &meshio.Mesh{
		Name:      frame.Name,
		Triangles: frame.Triangles,
		UV:        frame.UV,
		CornerUV:  frame.CornerUV,
		Positions: frame.Positions,
	}
	c := in.of(frame.Name)
	if c == nil {
		return kept, nil, ""
	}
	m, to, err := in.load(c, frame)
	if err == nil {
		m.Name = frame.Name
		return m, to, ""
	}
	note = fmt.Sprintf("%s: %v; ", frame.Name, err)
	if c.Shape.Rest == "uv" {
		// The frame has them in metres of cloth.
		scale := 1 / (c.Shape.UVScale * c.Place.Scale)
		kept.UV = make([]r3.Vec2, len(frame.UV))
		for i, p := range frame.UV {
			kept.UV[i] = p.Scale(scale)
		}
		note += "its UVs are taken from the run, in single precision"
	} else {
		note += "the run has no UVs of it, and none are written"
	}
	if c.Shape.Weld {
		note += ", and vertices that were welded stay so"
	}
	return kept, nil, note + ". Name the folder of the scene with --inputs"
}

// load reads the file of a cloth and finds its vertices in the frame.
func (in *inputs) load(c *clothInput, frame *meshio.Mesh) (*meshio.Mesh, []int32, error) {
	// the file, as it was when it was read for the run
	data, err := in.find(c.Shape.File)
	if err != nil {
		return nil, nil, err
	}
	format, err := meshio.FormatOf(c.Shape.File)
	if err != nil {
		return nil, nil, err
	}
	// in the axes and units of the run
	opt := meshio.DefaultReadOptions()
	opt.Up, opt.Unit = c.up(), c.Shape.Unit
	m, err := meshio.Read(bytes.NewReader(data), format, opt)
	if err != nil {
		return nil, nil, err
	}
	// the run may have welded it
	used := m
	if c.Shape.Weld {
		opt.Weld = true
		if used, err = meshio.Read(bytes.NewReader(data), format, opt); err != nil {
			return nil, nil, err
		}
	}
	// the same mesh as in the frames
	if len(used.Positions) != len(frame.Positions) || !slices.Equal(used.Triangles, frame.Triangles) {
		return nil, nil, fmt.Errorf("%s does not have the triangles of the run", c.Shape.File)
	}
	// vertices as the file has them, and how welding numbered them
	out := &meshio.Mesh{Positions: m.Positions, Triangles: m.Triangles, UV: m.UV, CornerUV: m.CornerUV}
	if len(m.Positions) == len(used.Positions) {
		return out, nil, nil
	}
	return out, welded(m, used), nil
}

// welded returns for each vertex of a mesh the one that it became in the same mesh welded. Triangles tell; a vertex
// that none has is known by its position.
func welded(m, after *meshio.Mesh) []int32 {
	to := make([]int32, len(m.Positions))
	for v := range to {
		to[v] = -1
	}
	for t, tri := range m.Triangles {
		for k, v := range tri {
			to[v] = after.Triangles[t][k]
		}
	}
	at := make(map[r3.Vec]int32, len(after.Positions))
	for v, p := range after.Positions {
		at[p] = int32(v)
	}
	for v := range to {
		if to[v] < 0 {
			to[v] = at[m.Positions[v]]
		}
	}
	return to
}

// find reads a file of the scene that is still as it was.
func (in *inputs) find(file string) ([]byte, error) {
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return nil, fmt.Errorf("%s is not in the folder of the scene", file)
	}
	changed := false
	for _, dir := range in.folders {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			continue
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) == in.hashes[path.Clean(file)] {
			return data, nil
		}
		changed = true
	}
	if changed {
		return nil, fmt.Errorf("the file %s was changed since the run", file)
	}
	return nil, fmt.Errorf("the file %s is not found", file)
}
