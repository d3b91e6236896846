package meshio

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/toile-sim/toile/internal/format/msh"
	"github.com/toile-sim/toile/internal/format/tetgen"
	"github.com/toile-sim/toile/internal/format/tets"
	"github.com/toile-sim/toile/internal/format/vtk"
)

// ReadTets reads the solid in a file of Gmsh (.msh, versions 2.2 and 4.1), VTK (.vtk, legacy unstructured grids), both
// as text or binary, or TetGen (.node and .ele, of which either names both). Z is up unless the options say otherwise;
// they cannot ask for welding, which is for surfaces.
func ReadTets(path string, opt ReadOptions) (*Tets, error) {
	return ReadTetsBy(func(path string) ([]byte, error) { return readRegular(path, opt.MaxBytes) }, path, opt)
}

// ReadTetsBy is ReadTets with files read by read.
func ReadTetsBy(read func(path string) ([]byte, error), path string, opt ReadOptions) (*Tets, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if opt.Weld {
		return nil, &Error{File: path, Offset: -1, Msg: "vertices of tets are not welded"}
	}
	r := &tets.Reader{Open: read}
	var err error
	switch base, ext := strings.TrimSuffix(path, filepath.Ext(path)), strings.ToLower(filepath.Ext(path)); ext {
	case ".msh":
		err = r.File(path, msh.Read)
	case ".vtk":
		err = r.File(path, vtk.Read)
	case ".node", ".ele":
		if err = r.File(base+".node", tetgen.ReadNode); err == nil {
			err = r.File(base+".ele", tetgen.ReadEle)
		}
	default:
		return nil, &Error{
			File:   path,
			Offset: -1,
			Msg:    fmt.Sprintf("unknown format of tets %q; write .msh, .vtk, .node or .ele", filepath.Ext(path)),
		}
	}
	if err != nil {
		return nil, err
	}
	return r.Finish(path, frameOf(false, opt.Up, opt.Unit))
}

// readRegular reads a regular file of at most so many bytes.
func readRegular(path string, most int64) ([]byte, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	data, err := readAll(f, size, most)
	if e, ok := err.(*Error); ok {
		e.File = path
	}
	return data, err
}
