package main

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/meshio"
)

// meshFlags say how a mesh file is to be understood.
type meshFlags struct {
	unit string
	up   string
	weld bool
}

func addMeshFlags(cmd *cobra.Command, f *meshFlags) {
	cmd.Flags().
		StringVar(&f.unit, "unit", "m", "`length` of one unit of a mesh file: m, cm, mm, in, ft or a number of metres")
	cmd.Flags().StringVar(&f.up, "up", "", "`axis` that is up in a mesh file, y or z (default y in .glb, z in others)")
	cmd.Flags().BoolVar(&f.weld, "weld", false, "join vertices of a mesh file that are at exactly the same place")
	completeFlag(cmd, "unit", "m", "cm", "mm", "in", "ft")
	completeFlag(cmd, "up", "y", "z")
}

// lengthUnits are units of length [m].
var lengthUnits = map[string]float64{"m": 1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}

func (f *meshFlags) options() (meshio.ReadOptions, error) {
	opt := meshio.DefaultReadOptions()
	opt.Weld = f.weld
	unit, known := lengthUnits[f.unit]
	if !known {
		var err error
		if unit, err = strconv.ParseFloat(f.unit, 64); err != nil || !(unit > 0) || unit > 1e6 {
			return opt, badUsage("--unit %s: write m, cm, mm, in, ft or a number of metres", f.unit)
		}
	}
	opt.Unit = unit
	switch f.up {
	case "":
	case "y", "Y":
		opt.Up = meshio.UpY
	case "z", "Z":
		opt.Up = meshio.UpZ
	default:
		return opt, badUsage("--up %s: write y or z", f.up)
	}
	return opt, nil
}

// read reads a mesh file.
func (f *meshFlags) read(path string) (*meshio.Mesh, error) {
	opt, err := f.options()
	if err != nil {
		return nil, err
	}
	m, err := meshio.ReadFile(path, opt)
	return m, badInput(err)
}

// isMeshFile tells mesh files from scenes by their names.
func isMeshFile(path string) bool {
	return slices.Contains(meshEndings, strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."))
}

// parseLength reads a length such as 0.1mm or 2e-4 [m].
func parseLength(flag, text string) (float64, error) {
	number, unit := text, 1.0
	for _, name := range []string{"mm", "cm", "in", "ft", "m"} {
		if rest, ok := strings.CutSuffix(text, name); ok {
			number, unit = strings.TrimSpace(rest), lengthUnits[name]
			break
		}
	}
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !(x >= 0) || x*unit > 1e6 {
		return 0, badUsage("%s %s: write a length such as 0.1mm", flag, text)
	}
	return x * unit, nil
}
