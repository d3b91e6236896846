package cli

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/meshio"
)

// MeshFlags say how a mesh file is to be understood.
type MeshFlags struct {
	Unit string
	Up   string
	Weld bool
}

// AddMeshFlags gives a command the flags.
func AddMeshFlags(cmd *cobra.Command, f *MeshFlags) {
	cmd.Flags().StringVar(
		&f.Unit, "unit", "m", "`length` of one unit of a mesh file: m, cm, mm, in, ft or a number of metres",
	)
	cmd.Flags().StringVar(&f.Up, "up", "", "`axis` that is up in a mesh file, y or z (default y in .glb, z in others)")
	cmd.Flags().BoolVar(&f.Weld, "weld", false, "join vertices of a mesh file that are at exactly the same place")
	CompleteFlag(cmd, "unit", "m", "cm", "mm", "in", "ft")
	CompleteFlag(cmd, "up", "y", "z")
}

// LengthUnits are units of length [m].
var LengthUnits = map[string]float64{"m": 1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}

// Options returns how files are to be read.
func (f *MeshFlags) Options() (meshio.ReadOptions, error) {
	opt := meshio.DefaultReadOptions()
	opt.Weld = f.Weld
	unit, known := LengthUnits[f.Unit]
	if !known {
		var err error
		if unit, err = strconv.ParseFloat(f.Unit, 64); err != nil || !(unit > 0) || unit > 1e6 {
			return opt, BadUsage("--unit %s: write m, cm, mm, in, ft or a number of metres", f.Unit)
		}
	}
	opt.Unit = unit
	switch f.Up {
	case "":
	case "y", "Y":
		opt.Up = meshio.UpY
	case "z", "Z":
		opt.Up = meshio.UpZ
	default:
		return opt, BadUsage("--up %s: write y or z", f.Up)
	}
	return opt, nil
}

// Read reads a mesh file.
func (f *MeshFlags) Read(path string) (*meshio.Mesh, error) {
	opt, err := f.Options()
	if err != nil {
		return nil, err
	}
	m, err := meshio.ReadFile(path, opt)
	return m, BadInput(err)
}

// IsMeshFile tells mesh files from scenes by their names.
func IsMeshFile(path string) bool {
	return slices.Contains(MeshEndings, strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."))
}

// ParseLength reads a length such as 0.1mm or 2e-4 [m].
func ParseLength(flag, text string) (float64, error) {
	number, unit := text, 1.0
	for _, name := range []string{"mm", "cm", "in", "ft", "m"} {
		if rest, ok := strings.CutSuffix(text, name); ok {
			number, unit = strings.TrimSpace(rest), LengthUnits[name]
			break
		}
	}
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !(x >= 0) || x*unit > 1e6 {
		return 0, BadUsage("%s %s: write a length such as 0.1mm", flag, text)
	}
	return x * unit, nil
}
