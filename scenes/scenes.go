// Package scenes holds the example scenes of Toile, for programs that bring them along.
package scenes

import (
	"embed"
	"io/fs"
)

//go:embed *.yaml *.obj *.png
var files embed.FS

// Files returns the scene files and what they read.
func Files() fs.FS { return files }
