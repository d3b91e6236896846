// Package runfolder keeps a run in a directory: its manifest, frames, checkpoints and statistics.
//
//	run.json                    what was run, and what is needed to repeat it
//	frames/000123.glb           one file a frame, float32, for viewers and other programs
//	obstacles.glb               bodies that do not deform, once for all frames
//	checkpoints/000004567.ckpt  the float64 state after that many steps; the newest two are kept
//	stats.csv                   a row a step
//	dressed.state               where dressing left the cloths, in runs that dress
//	dressing.state              how far dressing was when it was interrupted
//	problems/000004567.problem  the contact problem of that step, where it was asked for
//
// Every file but stats.csv carries a SHA-256 of all its bytes and appears complete or not at all: it
// is written beside its place, synced and renamed. stats.csv only grows; a checkpoint knows how long
// it was and what it held: readers compare, and resuming cuts it back to that. So a process may be killed at any
// moment, and a reader never takes half a file for a whole one.
//
// One process at a time writes a folder (Begin takes a lock). Any number may read it meanwhile (Open).
package runfolder

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/toile-sim/toile/meshio"
)

// ErrNoRun says that a folder holds no run.
var ErrNoRun = errors.New("no run in this folder")

// Folder is a run folder as a reader sees it. The run may still be going on: Frames and Stats say
// what is there at the moment of asking.
type Folder struct {
	Dir      string
	Manifest Manifest

	shapes shapeFile
}

// Open reads the manifest of the run in dir. It fails with ErrNoRun if there is none and with a
// *Damage if the manifest is not as it was written.
func Open(dir string) (*Folder, error) {
	path := filepath.Join(dir, ManifestName)
	data, _, err := readWhole(path, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf(
			"%s: %w: it has no %s; give the folder that `toile run -o` wrote",
			dir,
			ErrNoRun,
			ManifestName,
		)
	}
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(path, data)
	if err != nil {
		return nil, err
	}
	return &Folder{Dir: dir, Manifest: *m}, nil
}

// FramePath returns where frame n is kept.
func (f *Folder) FramePath(n int) string {
	return filepath.Join(f.Dir, FramesName, fmt.Sprintf("%06d%s", n, frameExt))
}

// CheckpointPath returns where the checkpoint after the given number of steps is kept.
func (f *Folder) CheckpointPath(step int) string {
	return filepath.Join(f.Dir, CheckpointName, fmt.Sprintf("%09d%s", step, checkpointExt))
}

// StatsPath returns where the statistics are kept.
func (f *Folder) StatsPath() string { return filepath.Join(f.Dir, StatsName) }

// Frames returns the numbers of the frames present, ascending.
func (f *Folder) Frames() ([]int, error) {
	return numbered(filepath.Join(f.Dir, FramesName), frameExt, 6)
}

// ObstaclesPath returns where the meshes of bodies that do not deform are kept.
func (f *Folder) ObstaclesPath() string { return filepath.Join(f.Dir, ObstaclesName) }

// ProblemPath returns where the contact problem of a step is kept.
func (f *Folder) ProblemPath(step int) string {
	return filepath.Join(f.Dir, ProblemsName, fmt.Sprintf("%09d%s", step, problemExt))
}

// shapeFile is obstacles.glb, read when it is first needed.
type shapeFile struct {
	mu     sync.Mutex // readers may ask for frames at the same time
	read   bool
	digest string
	meshes []*meshio.Mesh
}
