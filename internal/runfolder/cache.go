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
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
// would do, version 15 those of what steps take of spin and energy. A run is only continued in its own version.
const (
	Format       = 15
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

// Damage is a file that is not what was written: cut short, altered, or never finished.
type Damage struct {
	File string
	Msg  string
}

func (d *Damage) Error() string { return fmt.Sprintf("%s is damaged: %s", d.File, d.Msg) }

func damaged(file, format string, args ...any) error {
	return &Damage{File: file, Msg: fmt.Sprintf(format, args...)}
}

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

// Frame reads frame n and checks that it is what was written.
func (f *Folder) Frame(n int) (*Frame, error) {
	frame, err := ReadFrame(f.FramePath(n))
	if err != nil {
		return nil, err
	}
	if frame.Number != n {
		return nil, damaged(f.FramePath(n), "it is frame %d under the name of frame %d", frame.Number, n)
	}
	if err := f.fillIn(frame); err != nil {
		return nil, err
	}
	return frame, nil
}

// ObstaclesPath returns where the meshes of bodies that do not deform are kept.
func (f *Folder) ObstaclesPath() string { return filepath.Join(f.Dir, ObstaclesName) }

// ProblemPath returns where the contact problem of a step is kept.
func (f *Folder) ProblemPath(step int) string {
	return filepath.Join(f.Dir, ProblemsName, fmt.Sprintf("%09d%s", step, problemExt))
}

// Stats reads the statistics written so far. It fails with a *Damage if they are not what the newest checkpoint says;
// rows that are newer are not in Table.Checked.
func (f *Folder) Stats() (*Table, error) {
	size, err := f.checkStats()
	if err != nil {
		return nil, err
	}
	data, _, err := readWhole(f.StatsPath(), maxStats)
	if err != nil {
		return nil, err
	}
	t, err := parseStats(f.StatsPath(), data, 0, 0)
	if err != nil {
		return nil, err
	}
	t.Checked = max(0, bytes.Count(data[:min(size, int64(len(data)))], []byte{'\n'})-1)
	return t, nil
}

// Complete reports whether the run has reached its last frame.
func (f *Folder) Complete() (bool, error) {
	end, err := f.End()
	return end != nil, err
}

// End returns the checkpoint that the run ended with, at the time that it was to end or by a condition; nil if the run
// is not complete. A newest checkpoint that is not what was written is a *Damage, because the run may have ended with
// it.
func (f *Folder) End() (*Checkpoint, error) {
	c, skipped, err := f.Newest(nil)
	if err == nil && len(skipped) > 0 {
		err = fmt.Errorf("%w; run the same command again to go on from the one before", skipped[0])
	}
	if err != nil || c == nil {
		return nil, err
	}
	ended, err := f.ends(c)
	if err != nil || !ended {
		return nil, err
	}
	return c, nil
}

// Stopped returns the condition that ended the run early; nil if none has.
func (f *Folder) Stopped() (*Condition, error) {
	c, err := f.End()
	if err != nil || c == nil {
		return nil, err
	}
	return f.stoppedBy(c.Step)
}

// stoppedBy returns the condition that was met up to a step, or nil.
func (f *Folder) stoppedBy(step int) (*Condition, error) {
	if len(f.Manifest.Stop) == 0 || step == 0 {
		return nil, nil
	}
	var s *stopper
	_, err := f.scanStats(
		func(columns []string) (err error) {
			s, err = newStopper(f.Manifest.Stop, columns)
			return err
		},
		func(_ []byte, cells []float64) error {
			if cells[0] <= float64(step) { // later ones will be cut back
				s.look(cells)
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return s.met, nil
}

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
