package runfolder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Format is the version of the folder's layout that this package writes, and oldestFormat the first that
// it reads. Version 2 has contacts and obstacles, version 3 columns
// of the fail-safe in stats.csv, version 4 those of untangling, version 5 those of remeshing and
// meshes that differ from frame to frame, version 6 what rounding leaves of residuals, and
// how deep cloth is inside shapes, version 7 the energy of seams and the time that untangling takes, version 8 the
// energy of solids, version 9 runs that keep some frames only, end early or probe, and small obstacles in obstacles.glb
// too, version 10 the fingerprint of the program, version 11 the columns of smooth surfaces, version 12 those of
// contradictions and of what is jammed, version 13 those of joints, version 14 those of what one more linearization
// would do, version 15 those of what steps take of spin and energy, version 16 whether their budget was spent. A run is
// only continued in its own version.
const (
	Format       = 16
	oldestFormat = 1
)

// The names in a run folder.
const (
	ManifestName   = "run.json"
	FramesName     = "frames"
	CheckpointName = "checkpoints"
	StatsName      = "stats.csv"
	ObstaclesName  = "obstacles.glb"
	DressedName    = "dressed.state"
	DressingName   = "dressing.state"
	ProblemsName   = "problems"
	lockName       = ".lock"
)

const (
	frameExt      = ".glb"
	checkpointExt = ".ckpt"
	problemExt    = ".problem"
	damagedExt    = ".damaged"
)

// numbered lists the files in dir whose names are a number of at least the given digits and ext.
func numbered(dir, ext string, digits int) ([]int, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ns []int
	for _, e := range entries {
		stem, ok := strings.CutSuffix(e.Name(), ext)
		if !ok || len(stem) < digits {
			continue
		}
		n, err := strconv.Atoi(stem)
		if err != nil || n < 0 || fmt.Sprintf("%0*d", digits, n) != stem {
			continue
		}
		ns = append(ns, n)
	}
	slices.Sort(ns)
	return ns, nil
}
