package meshio

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/format/glb"
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/obj"
	"github.com/toile-sim/toile/internal/format/ply"
	"github.com/toile-sim/toile/internal/words"
)

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

// formats are what the formats can do. Files of an ending are of the first that has it.
var formats = [...]struct {
	name   string
	ending string
	read   func(data []byte, weld bool) (*Mesh, error)
	write  func(m *Mesh, fr model.Frame, opt *WriteOptions) ([]byte, error)
	yUp    bool // unless options say otherwise
	welds  bool // the reader welds, if it is asked to
}{
	OBJ:          {name: "OBJ", ending: ".obj", read: obj.Read, write: writeOBJ},
	PLY:          {name: "PLY", ending: ".ply", read: ply.Read, write: writePLY(ply.LittleEndian)},
	PLYBigEndian: {name: "PLY (big endian)", ending: ".ply", read: ply.Read, write: writePLY(ply.BigEndian)},
	PLYASCII:     {name: "PLY (ASCII)", ending: ".ply", read: ply.Read, write: writePLY(ply.ASCII)},
	GLB:          {name: "GLB", ending: ".glb", read: glb.Read, write: writeGLB, yUp: true, welds: true},
}

// unread tells of endings of formats that are not read what to do instead.
var unread = map[string]string{
	".gltf": "text glTF with separate buffers is not read; export a single .glb instead",
}

func writeOBJ(m *Mesh, fr model.Frame, opt *WriteOptions) ([]byte, error) {
	return obj.Append(nil, m, fr, opt.Short)
}

func writePLY(e ply.Encoding) func(m *Mesh, fr model.Frame, opt *WriteOptions) ([]byte, error) {
	return func(m *Mesh, fr model.Frame, opt *WriteOptions) ([]byte, error) {
		return ply.Append(nil, m, fr, e, opt.Precise)
	}
}

func writeGLB(m *Mesh, fr model.Frame, _ *WriteOptions) ([]byte, error) {
	return glb.Append(nil, m, fr)
}

// String returns the name of the format.
func (f Format) String() string {
	if int(f) < len(formats) {
		return formats[f].name
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// Formats returns the extensions that stand for a format, each once.
func Formats() []string {
	var out []string
	for f := range formats {
		if e := formats[f].ending; !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// FormatOf returns the format that the extension of path stands for.
func FormatOf(path string) (Format, error) {
	ending := strings.ToLower(filepath.Ext(path))
	for f := range formats {
		if formats[f].ending == ending {
			return Format(f), nil
		}
	}
	msg, ok := unread[ending]
	if !ok {
		msg = fmt.Sprintf("unknown mesh format %q; write %s", filepath.Ext(path), words.Or(Formats()))
	}
	return 0, &Error{File: path, Offset: -1, Msg: msg}
}
