package scenefile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/meshio"
)

// fileReader reads the files that a scene names, each once, and notes their hashes.
type fileReader struct {
	files  fs.FS // does not follow links out of the folder of the scene; may be nil
	seen   map[string][]byte
	inputs *[]Input
}

// tets reads a file of tetrahedra.
func (r *fileReader) tets(s *SolidShape) (*mesh.Tets, error) {
	opt := meshio.DefaultReadOptions()
	opt.Unit, opt.MaxBytes = s.Unit, maxMeshBytes
	if s.Up != "" {
		opt.Up = UpAxes[s.Up]
	}
	m, err := meshio.ReadTetsBy(r.read, s.File, opt)
	if err != nil {
		return nil, err
	}
	return &m.Tets, nil
}

// meshFile is a mesh file and how to read it.
type meshFile struct {
	name, up string
	unit     float64
	weld     bool
}

// mesh reads a mesh that is named at a place of the scene; nil comes with a fault.
func (r *fileReader) mesh(f meshFile, at place, d *decoder) *fileMesh {
	data, err := r.read(f.name)
	if err == nil {
		var m *meshio.Mesh
		if m, err = readMesh(f, data); err == nil {
			return &fileMesh{m}
		}
	}
	d.faults.add(at, "%v", err)
	return nil
}

func (r *fileReader) read(name string) ([]byte, error) {
	if data, ok := r.seen[name]; ok {
		return data, nil
	}
	data, err := readConfined(r.files, name)
	if err != nil {
		return nil, err
	}
	r.seen[name] = data
	sum := sha256.Sum256(data)
	*r.inputs = append(*r.inputs, Input{path.Clean(name), hex.EncodeToString(sum[:])})
	return data, nil
}

// readConfined reads a file below the folder of the scene. files does not follow links out of it.
func readConfined(files fs.FS, name string) ([]byte, error) {
	size, err := statConfined(files, name)
	if err != nil {
		return nil, err
	}
	if size > maxMeshBytes {
		return nil, fmt.Errorf("file %s has %d bytes; at most %d are read", shown(name), size, maxMeshBytes)
	}
	f, err := files.Open(path.Clean(name))
	if err != nil {
		return nil, fileFault(name, err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxMeshBytes))
	if err != nil {
		return nil, fileFault(name, err)
	}
	return data, nil
}

// statConfined returns the size of a file below the folder of the scene.
func statConfined(files fs.FS, name string) (int64, error) {
	switch {
	case strings.Contains(name, `\`):
		return 0, fmt.Errorf("file %s: write folders with forward slashes", shown(name))
	case path.IsAbs(name) || len(name) > 1 && name[1] == ':':
		return 0, fmt.Errorf("file %s: write a path relative to the folder of the scene", shown(name))
	case slices.Contains(strings.Split(name, "/"), ".."):
		return 0, fmt.Errorf("file %s leads out of the folder of the scene; files must be inside it", shown(name))
	}
	clean := path.Clean(name)
	if files == nil || !fs.ValidPath(clean) {
		return 0, fmt.Errorf("file %s cannot be read here", shown(name))
	}
	// Asked before opening: to open a pipe would wait for somebody to write into it.
	info, err := fs.Stat(files, clean)
	if err != nil {
		return 0, fileFault(name, err)
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("file %s is not a regular file", shown(name))
	}
	return info.Size(), nil
}

func fileFault(name string, err error) error {
	var pathErr *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("file %s does not exist in the folder of the scene", shown(name))
	case errors.As(err, &pathErr) && strings.Contains(pathErr.Err.Error(), "escapes"):
		return fmt.Errorf(
			"file %s is a link that leads out of the folder of the scene; files must be inside it",
			shown(name),
		)
	case errors.As(err, &pathErr):
		err = pathErr.Err
	}
	return fmt.Errorf("file %s cannot be read: %w", shown(name), err)
}

// UpAxes are the words for the axis that is up; no word leaves it to the format.
var UpAxes = map[string]meshio.Axis{"": meshio.UpByFormat, "y": meshio.UpY, "z": meshio.UpZ}

func readMesh(f meshFile, data []byte) (*meshio.Mesh, error) {
	format, err := meshio.FormatOf(f.name)
	if err != nil {
		return nil, err
	}
	opt := meshio.DefaultReadOptions()
	opt.Up, opt.Unit, opt.Weld, opt.MaxBytes = UpAxes[f.up], f.unit, f.weld, maxMeshBytes
	m, err := meshio.Read(bytes.NewReader(data), format, opt)
	var fault *meshio.Error
	if errors.As(err, &fault) {
		fault.File = f.name
	}
	if err != nil {
		return nil, err
	}
	if len(m.Triangles) == 0 {
		return nil, fmt.Errorf("%s has no triangles", f.name)
	}
	return m, nil
}

func readYarns(p *YarnPiece, data []byte) (*meshio.Curves, error) {
	if strings.ToLower(path.Ext(p.File)) != ".bcc" {
		return nil, fmt.Errorf("file %s is not one of yarns (.bcc)", shown(p.File))
	}
	opt := meshio.DefaultReadOptions()
	opt.Up, opt.Unit, opt.MaxBytes = UpAxes[p.Up], p.Unit, maxMeshBytes
	c, err := meshio.ReadBCC(bytes.NewReader(data), opt)
	var fault *meshio.Error
	if errors.As(err, &fault) {
		fault.File = p.File
	}
	if err != nil {
		return nil, err
	}
	if len(c.Points) == 0 {
		return nil, fmt.Errorf("%s has no yarns", p.File)
	}
	return c, c.Validate()
}
