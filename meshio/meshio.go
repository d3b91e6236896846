// Package meshio turns one mesh into bytes and back: OBJ, PLY and binary glTF (.glb). A mesh that deforms
// is a Sequence, of numbered files or of a point cache (PC2, MDD), read frame by frame. Solids cut into tets are read
// from files of Gmsh, VTK and TetGen. Yarns are read and written as curves (BCC).
//
// In memory every mesh is Z-up and in metres, whatever the file says; ReadOptions and
// WriteOptions name the file's own axis and unit. A reader never trusts its input: it
// allocates only what the bytes at hand can back, never panics, opens no file it was not given, and
// every fault is an *Error that names the file and the place in it.
//
// Each format is a package in internal/format, and a line of the lists here. What they share, and here has other names
// (Mesh, Curves, Error), is described in internal/format/model.
package meshio

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/r3"
)

// Read reads one mesh. The whole of r belongs to it.
func Read(r io.Reader, format Format, opt ReadOptions) (*Mesh, error) {
	return read(r, 0, "", format, opt)
}

// ReadFile reads the mesh in a file whose extension names its format.
func ReadFile(path string, opt ReadOptions) (*Mesh, error) {
	format, err := FormatOf(path)
	if err != nil {
		return nil, err
	}
	f, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	return read(f, size, path, format, opt)
}

// openRegular opens a regular file and returns its size [byte].
func openRegular(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &Error{File: path, Offset: -1, Msg: "not a regular file"}
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// read reads r to its end, which is expected after size bytes, and parses what it got.
func read(r io.Reader, size int64, file string, format Format, opt ReadOptions) (*Mesh, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	// whole input
	data, err := readAll(r, size, opt.MaxBytes)
	if err != nil {
		if e, ok := err.(*Error); ok {
			e.File = file
		}
		return nil, err
	}
	// mesh in the axes and unit of the file
	if int(format) >= len(formats) {
		return nil, fmt.Errorf("meshio: cannot read %v", format)
	}
	f := &formats[format]
	m, err := f.read(data, opt.Weld)
	if err != nil {
		if e, ok := err.(*Error); ok {
			e.File = file
		}
		return nil, err
	}
	// mesh in ours
	fr := frameOf(f.yUp, opt.Up, opt.Unit)
	for i, p := range m.Positions {
		m.Positions[i] = fr.FromFile(p)
	}
	for i, n := range m.Normals {
		m.Normals[i] = fr.TurnFromFile(n)
	}
	if i := model.FirstNotFinite(m.Positions); i >= 0 {
		return nil, &Error{
			File:   file,
			Offset: -1,
			Msg:    fmt.Sprintf("vertex %d leaves the range of numbers in units of %v m", i, opt.Unit),
		}
	}
	// formats that do not weld while they read
	if opt.Weld && !f.welds {
		model.WeldMesh(m)
		// Fewer vertices may make the groups too crowded.
		if err := m.Validate(); err != nil {
			return nil, &Error{File: file, Offset: -1, Msg: fmt.Sprintf("when welded: %v", err)}
		}
	}
	return m, nil
}

func readAll(r io.Reader, size, limit int64) ([]byte, error) {
	// size that is known beforehand
	if size > limit {
		return nil, &Error{
			Offset: limit,
			Msg:    fmt.Sprintf("the file has %d bytes, more than the limit of %d", size, limit),
		}
	}
	// One byte more than expected, so that the end is seen without growing.
	data := make([]byte, 0, max(size, 4096)+1)
	limited := &io.LimitedReader{R: r, N: limit}
	// all there is, up to the limit
	for {
		n, err := limited.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = slices.Grow(data, len(data))
		}
	}
	// more than that
	if limited.N == 0 {
		var one [1]byte
		if n, _ := io.ReadFull(r, one[:]); n > 0 {
			return nil, &Error{Offset: limit, Msg: fmt.Sprintf("the input has more bytes than the limit of %d", limit)}
		}
	}
	return data, nil
}

// Write writes m. The same mesh and options give the same bytes.
func Write(w io.Writer, format Format, m *Mesh, opt WriteOptions) error {
	if err := opt.Validate(); err != nil {
		return err
	}
	if err := m.Validate(); err != nil {
		return err
	}
	if int(format) >= len(formats) {
		return fmt.Errorf("meshio: cannot write %v", format)
	}
	f := &formats[format]
	fr := frameOf(f.yUp, opt.Up, opt.Unit)
	if i := slices.IndexFunc(m.Positions, func(p r3.Vec) bool { return !fr.ToFile(p).Finite() }); i >= 0 {
		return fmt.Errorf(
			"meshio: mesh: vertex %d at %v leaves the range of numbers in units of %v m",
			i,
			m.Positions[i],
			opt.Unit,
		)
	}
	data, err := f.write(m, fr, &opt)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// WriteFile writes m to a file whose extension names its format. The file is complete or
// absent: it is written beside path, synced and renamed.
func WriteFile(path string, m *Mesh, opt WriteOptions) error {
	format, err := FormatOf(path)
	if err != nil {
		return err
	}
	return disk.WriteFile(path, func(w io.Writer) error { return Write(w, format, m, opt) })
}
