package meshio

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/toile-sim/toile/internal/format/msh"
	"github.com/toile-sim/toile/internal/format/tetgen"
	"github.com/toile-sim/toile/internal/format/tets"
	"github.com/toile-sim/toile/internal/format/vtk"
	"github.com/toile-sim/toile/internal/words"
)

// solids are the formats of solids, which are Z-up unless options say otherwise: the files that they consist of, of
// which any names all.
var solids = [][]solidFile{
	{{".msh", msh.Read}},
	{{".vtk", vtk.Read}},
	{{".node", tetgen.ReadNode}, {".ele", tetgen.ReadEle}},
}

type solidFile struct {
	ending string
	read   func(*tets.Reader) *Error
}

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
	parts, err := solidFiles(path)
	if err != nil {
		return nil, err
	}
	r := &tets.Reader{Open: read}
	for _, part := range parts {
		name := path
		if len(parts) > 1 {
			name = strings.TrimSuffix(path, filepath.Ext(path)) + part.ending
		}
		if err := r.File(name, part.read); err != nil {
			return nil, err
		}
	}
	return r.Finish(path, frameOf(false, opt.Up, opt.Unit))
}

// solidFiles returns the files of the format that the extension of path stands for.
func solidFiles(path string) ([]solidFile, error) {
	var known []string
	for _, parts := range solids {
		for _, part := range parts {
			if part.ending == strings.ToLower(filepath.Ext(path)) {
				return parts, nil
			}
			known = append(known, part.ending)
		}
	}
	return nil, &Error{
		File:   path,
		Offset: -1,
		Msg:    fmt.Sprintf("unknown format of tets %q; write %s", filepath.Ext(path), words.Or(known)),
	}
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
