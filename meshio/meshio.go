// Package meshio turns one mesh into bytes and back: OBJ, PLY and binary glTF (.glb). A mesh that deforms
// is a Sequence, of numbered files or of a point cache (PC2, MDD), read frame by frame. Solids cut into tets are read
// from files of Gmsh, VTK and TetGen. Yarns are read and written as curves (BCC).
//
// In memory every mesh is Z-up and in metres, whatever the file says; ReadOptions and
// WriteOptions name the file's own axis and unit. A reader never trusts its input: it
// allocates only what the bytes at hand can back, never panics, opens no file it was not given, and
// every fault is an *Error that names the file and the place in it.
package meshio

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/r3"
)

// Mesh is what a file holds: plain arrays, nothing derived.
type Mesh struct {
	Name      string
	Positions []r3.Vec   // [m], Z-up
	Triangles [][3]int32 // indices into Positions; may be degenerate, never out of range

	// UV are texture or pattern points, v upwards. With CornerUV empty, UV is empty or has one
	// point for each vertex, index for index. Otherwise CornerUV has one triple for each
	// triangle, indices into UV, and -1 for a corner that has none.
	UV       []r3.Vec2
	CornerUV [][3]int32

	Normals    []r3.Vec          // empty, or one for each vertex
	Attributes []Attribute       // named numbers at the vertices
	Groups     []Group           // named sets of vertices
	Extra      map[string]string // small facts about the mesh, such as a state hash
	Notes      []string          // what a reader changed or left out, for people; never written
}

// Attribute is a named quantity at the vertices. It is stored as it is, neither turned to the
// file's axes nor scaled to its unit. "COLOR_0" is the vertex colour, of width 3 or 4, in 0..1.
type Attribute struct {
	Name  string
	Width int       // numbers for each vertex, 1 to 4
	Data  []float32 // Width numbers for each vertex, finite
}

// Group is a named set of vertices: what an OBJ file calls an object, group or material, and a
// glTF file a node or material.
type Group struct {
	Name     string
	Vertices []int32 // ascending, without repetition
}

// Format is a file format.
type Format uint8

// The formats. All PLY formats are the same to a reader, because the header says which it is.
const (
	OBJ          Format = iota // Wavefront OBJ, text
	PLY                        // Stanford PLY, binary little endian
	PLYBigEndian               // Stanford PLY, binary big endian
	PLYASCII                   // Stanford PLY, text
	GLB                        // binary glTF 2.0
)

var formatNames = [...]string{"OBJ", "PLY", "PLY (big endian)", "PLY (ASCII)", "GLB"}

// String returns the name of the format.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// FormatOf returns the format that the extension of path stands for.
func FormatOf(path string) (Format, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".obj":
		return OBJ, nil
	case ".ply":
		return PLY, nil
	case ".glb":
		return GLB, nil
	case ".gltf":
		return 0, &Error{
			File:   path,
			Offset: -1,
			Msg:    "text glTF with separate buffers is not read; export a single .glb instead",
		}
	}
	return 0, &Error{
		File:   path,
		Offset: -1,
		Msg:    fmt.Sprintf("unknown mesh format %q; write .obj, .ply or .glb", filepath.Ext(path)),
	}
}

// Axis says which way is up in a file.
type Axis uint8

// The axes a file can have upwards.
const (
	UpByFormat Axis = iota // Y in glTF, as its standard says; Z in OBJ and PLY
	UpZ                    // as in memory
	UpY                    // (x, y, z) in memory is (x, z, -y) in the file
)

// DefaultMaxBytes is the largest input read unless ReadOptions say otherwise [byte].
const DefaultMaxBytes = 1 << 31

// ReadOptions say how to understand a file.
type ReadOptions struct {
	// Up is the file's upward axis.
	Up Axis
	// Unit is the length of one file unit [m], positive. The default 1 is the standard of glTF
	// and the habit of Blender; 0.001 reads millimetres.
	Unit float64
	// Weld joins vertices at exactly the same position, in glTF only those of the same node.
	// Exporters split vertices at texture seams and hard edges, which would tear a cloth. Off
	// by default, as it also closes cuts that are meant.
	Weld bool
	// MaxBytes is the largest input accepted [byte], positive.
	MaxBytes int64
}

// DefaultReadOptions returns the format's own axis, metres, no welding, DefaultMaxBytes.
func DefaultReadOptions() ReadOptions { return ReadOptions{Unit: 1, MaxBytes: DefaultMaxBytes} }

// Validate lists everything wrong with the options.
func (o *ReadOptions) Validate() error {
	faults := frameFaults(o.Up, o.Unit)
	if o.MaxBytes <= 0 {
		faults = append(faults, fmt.Sprintf("MaxBytes is %d, it must be positive", o.MaxBytes))
	}
	return joinFaults("read options", faults)
}

// WriteOptions say how to write a file.
type WriteOptions struct {
	// Up is the file's upward axis.
	Up Axis
	// Unit is the length of one file unit [m], positive; see ReadOptions.
	Unit float64
	// Precise writes PLY positions, normals and UVs as double instead of float. OBJ is exact unless
	// Short, GLB always float.
	Precise bool
	// Short writes OBJ numbers with the digits of single precision, in about half the room. For
	// positions that were read from single precision nothing is lost.
	Short bool
}

// DefaultWriteOptions returns the format's own axis, metres, single precision.
func DefaultWriteOptions() WriteOptions { return WriteOptions{Unit: 1} }

// Validate lists everything wrong with the options.
func (o *WriteOptions) Validate() error {
	return joinFaults("write options", frameFaults(o.Up, o.Unit))
}

func frameFaults(up Axis, unit float64) []string {
	var faults []string
	if up > UpY {
		faults = append(faults, fmt.Sprintf("Up is %d, it must be UpByFormat, UpZ or UpY", up))
	}
	if !(unit > 0) || math.IsInf(unit, 1) {
		faults = append(faults, fmt.Sprintf("Unit is %v, it must be a positive length in metres", unit))
	}
	return faults
}

func joinFaults(of string, faults []string) error {
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("meshio: %s: %s", of, strings.Join(faults, "; "))
}

// Error is a fault in a file, with its place.
type Error struct {
	File   string // as given, or empty if unknown
	Line   int    // from 1, in text; 0 if the place is an Offset
	Column int    // from 1, in bytes; 0 if the whole line is meant
	Offset int64  // [byte] from 0, in binary data; -1 if the whole file is meant
	Path   string // in glTF, the JSON property, as in accessors[2].count
	Msg    string
}

// Error returns "file:line:column: message" or "file: byte offset (path): message".
func (e *Error) Error() string {
	file := e.File
	if file == "" {
		file = "mesh"
	}
	switch {
	case e.Line > 0 && e.Column > 0:
		return fmt.Sprintf("%s:%d:%d: %s", file, e.Line, e.Column, e.Msg)
	case e.Line > 0:
		return fmt.Sprintf("%s:%d: %s", file, e.Line, e.Msg)
	case e.Path != "":
		return fmt.Sprintf("%s: byte %d (%s): %s", file, e.Offset, e.Path, e.Msg)
	case e.Offset >= 0:
		return fmt.Sprintf("%s: byte %d: %s", file, e.Offset, e.Msg)
	}
	return fmt.Sprintf("%s: %s", file, e.Msg)
}

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
	data, err := readAll(r, size, opt.MaxBytes)
	if err != nil {
		if e, ok := err.(*Error); ok {
			e.File = file
		}
		return nil, err
	}
	var m *Mesh
	switch format {
	case OBJ:
		m, err = readOBJ(data)
	case PLY, PLYBigEndian, PLYASCII:
		m, err = readPLY(data)
	case GLB:
		m, err = readGLB(data, opt.Weld)
	default:
		return nil, fmt.Errorf("meshio: cannot read %v", format)
	}
	if err != nil {
		if e, ok := err.(*Error); ok {
			e.File = file
		}
		return nil, err
	}
	fr := frameOf(format, opt.Up, opt.Unit)
	for i, p := range m.Positions {
		m.Positions[i] = fr.fromFile(p)
	}
	for i, n := range m.Normals {
		m.Normals[i] = fr.turnFromFile(n)
	}
	if i := firstNotFinite(m.Positions); i >= 0 {
		return nil, &Error{
			File:   file,
			Offset: -1,
			Msg:    fmt.Sprintf("vertex %d leaves the range of numbers in units of %v m", i, opt.Unit),
		}
	}
	if opt.Weld && format != GLB {
		weldMesh(m)
		// Fewer vertices may make the groups too crowded.
		if err := m.Validate(); err != nil {
			return nil, &Error{File: file, Offset: -1, Msg: fmt.Sprintf("when welded: %v", err)}
		}
	}
	return m, nil
}

func readAll(r io.Reader, size, limit int64) ([]byte, error) {
	if size > limit {
		return nil, &Error{
			Offset: limit,
			Msg:    fmt.Sprintf("the file has %d bytes, more than the limit of %d", size, limit),
		}
	}
	// One byte more than expected, so that the end is seen without growing.
	data := make([]byte, 0, max(size, 4096)+1)
	limited := &io.LimitedReader{R: r, N: limit}
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
	fr := frameOf(format, opt.Up, opt.Unit)
	if i := slices.IndexFunc(m.Positions, func(p r3.Vec) bool { return !fr.toFile(p).Finite() }); i >= 0 {
		return fmt.Errorf(
			"meshio: mesh: vertex %d at %v leaves the range of numbers in units of %v m",
			i,
			m.Positions[i],
			opt.Unit,
		)
	}
	var data []byte
	var err error
	switch format {
	case OBJ:
		data, err = appendOBJ(nil, m, fr, opt.Short)
	case PLY, PLYBigEndian, PLYASCII:
		data, err = appendPLY(nil, m, fr, format, opt.Precise)
	case GLB:
		data, err = appendGLB(nil, m, fr)
	default:
		err = fmt.Errorf("meshio: cannot write %v", format)
	}
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
