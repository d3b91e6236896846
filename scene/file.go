package scene

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

	"github.com/toile-sim/toile/meshio"
)

// fileMesh is a mesh file that was read.
type fileMesh struct{ *meshio.Mesh }

// readFiles reads the mesh files that cloths name and notes their hashes.
func (s *Scene) readFiles(d *decoder, files fs.FS) {
	seen := map[string][]byte{}
	for i := range s.Cloths {
		shape := &s.Cloths[i].Shape
		if shape.File == "" || shape.Unit == 0 { // no file, or a shape with faults
			continue
		}
		data, ok := seen[shape.File]
		if !ok {
			var err error
			if data, err = readConfined(files, shape.File); err != nil {
				d.faults.add(shape.key("file"), "%v", err)
				continue
			}
			seen[shape.File] = data
			sum := sha256.Sum256(data)
			s.inputs = append(s.inputs, Input{path.Clean(shape.File), hex.EncodeToString(sum[:])})
		}
		m, err := readMesh(shape, data)
		if err != nil {
			d.faults.add(shape.key("file"), "%v", err)
			continue
		}
		shape.mesh = &fileMesh{m}
		if shape.Rest == "uv" {
			shape.checkUV(d)
		}
	}
}

// readConfined reads a file below the folder of the scene. files does not follow links out of it.
func readConfined(files fs.FS, name string) ([]byte, error) {
	switch {
	case strings.Contains(name, `\`):
		return nil, fmt.Errorf("file %s: write folders with forward slashes", shown(name))
	case path.IsAbs(name) || len(name) > 1 && name[1] == ':':
		return nil, fmt.Errorf("file %s: write a path relative to the folder of the scene", shown(name))
	case slices.Contains(strings.Split(name, "/"), ".."):
		return nil, fmt.Errorf("file %s leads out of the folder of the scene; files must be inside it", shown(name))
	}
	clean := path.Clean(name)
	if files == nil || !fs.ValidPath(clean) {
		return nil, fmt.Errorf("file %s cannot be read here", shown(name))
	}
	// Asked before opening: to open a pipe would wait for somebody to write into it.
	info, err := fs.Stat(files, clean)
	if err != nil {
		return nil, fileFault(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("file %s is not a regular file", shown(name))
	}
	if info.Size() > maxMeshBytes {
		return nil, fmt.Errorf("file %s has %d bytes; at most %d are read", shown(name), info.Size(), maxMeshBytes)
	}
	f, err := files.Open(clean)
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

func fileFault(name string, err error) error {
	var pathErr *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("file %s does not exist in the folder of the scene", shown(name))
	case errors.As(err, &pathErr) && strings.Contains(pathErr.Err.Error(), "escapes"):
		return fmt.Errorf("file %s is a link that leads out of the folder of the scene; files must be inside it", shown(name))
	case errors.As(err, &pathErr):
		err = pathErr.Err
	}
	return fmt.Errorf("file %s cannot be read: %w", shown(name), err)
}

func readMesh(s *Shape, data []byte) (*meshio.Mesh, error) {
	format, err := meshio.FormatOf(s.File)
	if err != nil {
		return nil, err
	}
	opt := meshio.DefaultReadOptions()
	opt.Unit, opt.Weld, opt.MaxBytes = s.Unit, s.Weld, maxMeshBytes
	switch s.Up {
	case "y":
		opt.Up = meshio.UpY
	case "z":
		opt.Up = meshio.UpZ
	}
	m, err := meshio.Read(bytes.NewReader(data), format, opt)
	var fault *meshio.Error
	if errors.As(err, &fault) {
		fault.File = s.File
	}
	if err != nil {
		return nil, err
	}
	if len(m.Triangles) == 0 {
		return nil, fmt.Errorf("%s has no triangles", s.File)
	}
	return m, nil
}

// checkUV looks for corners without a pattern point.
func (s *Shape) checkUV(d *decoder) {
	m := s.mesh
	if len(m.UV) == 0 {
		d.faults.add(s.key("rest"), "rest: uv, but %s has no UVs; write rest: shape", s.File)
		return
	}
	for t, c := range m.CornerUV {
		if slices.Contains(c[:], -1) {
			d.faults.add(s.key("rest"), "rest: uv, but triangle %d of %s has no UVs", t, s.File)
			return
		}
	}
}

// vertices returns how many vertices the shape has, as a number that cannot overflow; 0 for a shape
// with faults.
func (s *Shape) vertices() float64 {
	switch {
	case s.Grid != nil:
		return s.Grid.vertices()
	case s.mesh != nil:
		return float64(len(s.mesh.Positions))
	}
	return 0
}
