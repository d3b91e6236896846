package runfolder

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/toile-sim/toile/internal/engine"
)

// ErrLocked says that another process is writing the folder.
var ErrLocked = errors.New("another process is writing this folder")

// ErrOtherRun says that the folder holds a run of something else.
var ErrOtherRun = errors.New("this folder holds another run")

// Writer is a run folder being written. Only one process at a time has it.
type Writer struct {
	Folder
	// Notes say what was found and put right when the folder was taken, for people.
	Notes []string
	// Columns are those of the statistics, with units, after the number, the frame and the time of a step; nil in a run
	// of cloths and bodies, which has its own. Set them before Resume.
	Columns []string
	// More are columns of the statistics after those of probes, with units. Set them before Resume.
	More []string

	run   string // identity of the manifest
	lock  *os.File
	stats *statsLog
	stop  *stopper // nil without conditions

	columns []string  // of the statistics, all of them
	cells   []float64 // of a row
}

// WriteProblem writes the contact problem of a step, in the format of package solve.
func (w *Writer) WriteProblem(step int, problem []byte) error {
	if err := os.MkdirAll(filepath.Join(w.Dir, ProblemsName), 0o755); err != nil {
		return explain(err)
	}
	return writeAtomic(w.ProblemPath(step), problem)
}

// cutFrames removes all frames after last.
func (w *Writer) cutFrames(last int) error {
	frames, err := w.Frames()
	if err != nil {
		return err
	}
	for _, n := range frames {
		if n > last {
			if err := os.Remove(w.FramePath(n)); err != nil {
				return err
			}
		}
	}
	return nil
}

// cutCheckpoints removes all checkpoints after the given step.
func (w *Writer) cutCheckpoints(last int) error {
	steps, err := w.checkpoints()
	if err != nil {
		return err
	}
	for _, n := range steps {
		if n > last {
			if err := os.Remove(w.CheckpointPath(n)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Resume finds the newest usable checkpoint and cuts everything back to it. It returns nil if the run
// is to start from the beginning. Checkpoints that cannot be used are set aside under another name and
// mentioned in Notes. accept may refuse a checkpoint, for example because the state in it makes no
// sense; nil accepts.
func (w *Writer) Resume(accept func(*Checkpoint) error) (*Checkpoint, error) {
	// newest checkpoint, with all frames up to it
	c, skipped, err := w.Newest(accept)
	if err != nil {
		return nil, err
	}
	frame, mark := -1, StatsMark{}
	if c != nil {
		frame, mark = c.Frame, c.Stats
		if err := w.needFrames(c.Frame); err != nil {
			return nil, err
		}
	}
	// columns, and conditions that end the run
	w.columns = slices.Concat(w.Manifest.allColumns(w.Columns), w.More)
	if w.stop, err = newStopper(w.Manifest.Stop, w.columns); err != nil {
		return nil, err
	}
	// statistics, cut back to the checkpoint
	if w.stats, err = openStats(w.StatsPath(), mark, w.columns); err != nil {
		return nil, err
	}
	// conditions may have begun to hold before
	if w.stop != nil && mark.Size > 0 {
		look := func(_ []byte, cells []float64) error { w.stop.look(cells); return nil }
		if _, err := w.scanStats(func([]string) error { return nil }, look); err != nil {
			return nil, err
		}
	}
	w.cells = make([]float64, len(w.columns))
	// checkpoints that cannot be used
	for _, d := range skipped {
		if err := os.Rename(d.File, d.File+damagedExt); err != nil {
			return nil, err
		}
		w.note("%v; set aside as %s", d, filepath.Base(d.File)+damagedExt)
	}
	// frames after the checkpoint go, and those that are not kept
	if err := w.cutFrames(frame); err != nil || c == nil {
		return c, err
	}
	return c, w.dropFrames(w.Manifest.Time.Last(c) || w.Met() != nil)
}

// dropFrames removes frames that are not kept. The last that there is may be kept only because a run ended with it that
// goes on now.
func (w *Writer) dropFrames(ended bool) error {
	frames, err := w.Frames()
	if err != nil {
		return err
	}
	for i, n := range frames {
		if !w.Manifest.Keep.Keeps(n, ended && i == len(frames)-1) {
			if err := os.Remove(w.FramePath(n)); err != nil {
				return err
			}
		}
	}
	return nil
}

// needFrames checks that the frames up to last are there and whole, as far as they are kept: they cannot be made again
// from a checkpoint.
func (w *Writer) needFrames(last int) error {
	frames, err := w.Frames()
	if err != nil {
		return err
	}
	for n := range last + 1 {
		if !w.Manifest.Keep.Keeps(n, n == w.Manifest.Time.Frames-1) {
			continue
		}
		if _, ok := slices.BinarySearch(frames, n); !ok {
			return damaged(w.FramePath(n), "it is missing; put it back, or start over with --force")
		}
		frame, _, _, err := readRaw(w.FramePath(n), fileStamp{})
		if err == nil && frame.Number != n {
			err = damaged(w.FramePath(n), "it is frame %d under the name of frame %d", frame.Number, n)
		}
		if err != nil {
			return fmt.Errorf("%w; put it back as it was, or start over with --force", err)
		}
	}
	return nil
}

func (w *Writer) note(format string, args ...any) {
	w.Notes = append(w.Notes, fmt.Sprintf(format, args...))
}

// AddStats appends the row of one step of cloths and bodies on the way to the given frame, with the numbers of probes
// and of More. Rows reach readers with the next frame or checkpoint, and so do errors.
func (w *Writer) AddStats(frame int, s *engine.Stats, probes ...float64) {
	w.stats.row = appendStats(w.stats.row[:0], frame, s)
	w.addRow(probes)
}

// addRow writes the row under way, with the numbers of probes, and looks whether it ends the run.
func (w *Writer) addRow(probes []float64) {
	if len(probes) != 3*len(w.Manifest.Probes)+len(w.More) {
		panic(fmt.Sprintf("cache: %d numbers of %d probes and %d more columns", len(probes), len(w.Manifest.Probes), len(w.More)))
	}
	row := w.stats.row
	if len(probes) > 0 {
		row = row[:len(row)-1] // without its end
		for _, x := range probes {
			row = append(row, ',')
			if !math.IsNaN(x) {
				row = strconv.AppendFloat(row, x, 'g', -1, 64)
			}
		}
		row = append(row, '\n')
		w.stats.row = row
	}
	w.stats.write(row)
	if w.stop == nil {
		return
	}
	if err := parseRow(StatsName, 0, row[:len(row)-1], w.columns, w.cells); err != nil {
		panic(err) // it was just written
	}
	w.stop.look(w.cells)
}

// Met returns the condition that ends the run, at the next frame; nil while there is none.
func (w *Writer) Met() *Condition {
	if w.stop == nil {
		return nil
	}
	return w.stop.met
}

// AddRow appends the row of one step, which ends at a time [s], in a run that has other Columns: cells has a number for
// each of them, NaN where there is none to tell. Those without a unit are whole numbers. The numbers of probes follow.
func (w *Writer) AddRow(frame, step int, time float64, cells []float64, probes ...float64) {
	if len(cells) != len(w.Columns) {
		panic(fmt.Sprintf("cache: %d cells in a row of %d columns", len(cells), len(w.Columns)))
	}
	w.stats.row = appendRow(w.stats.row[:0], frame, step, time, w.Columns, cells)
	w.addRow(probes)
}

// Flush lets readers see the statistics so far.
func (w *Writer) Flush() error {
	if err := w.stats.flush(); err != nil {
		return fmt.Errorf("%s: %w", w.StatsPath(), err)
	}
	return nil
}

// WriteShapes writes the meshes that frames do not repeat to obstacles.glb, if there are any and the file is not there
// already. It comes before the first frame, on resuming too.
func (w *Writer) WriteShapes(bodies []Body) error {
	var kept Frame
	for _, o := range bodies {
		if o.apart {
			o.apart = false
			kept.Bodies = append(kept.Bodies, o)
		}
	}
	if len(kept.Bodies) == 0 {
		return nil
	}
	path := w.ObstaclesPath()
	data, err := kept.encode()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	at, _ := findSeal(data)
	w.shapes.digest = string(data[at : at+len(noDigest)])
	if there, _, err := readWhole(path, maxFrame); err == nil && bytes.Equal(there, data) {
		return nil
	}
	return writeAtomic(path, data)
}

// WriteFrame writes a frame in its place and lets readers see the statistics so far.
func (w *Writer) WriteFrame(f *Frame) error {
	if err := w.Flush(); err != nil {
		return err
	}
	f.shapes = w.shapes.digest
	data, err := f.encode()
	if err != nil {
		return fmt.Errorf("%s: %w", w.FramePath(f.Number), err)
	}
	return writeAtomic(w.FramePath(f.Number), data)
}

// WriteCheckpoint writes c, with Run and Stats filled in, and removes all but the newest two.
func (w *Writer) WriteCheckpoint(c *Checkpoint) error {
	mark, err := w.stats.sync()
	if err != nil {
		return fmt.Errorf("%s: %w", w.StatsPath(), err)
	}
	c.Run, c.Stats = w.run, mark
	data, err := c.AppendBinary(make([]byte, 0, checkpointHeader+len(c.State)+64))
	if err != nil {
		return err
	}
	if err := writeAtomic(w.CheckpointPath(c.Step), data); err != nil {
		return err
	}
	return w.prune(checkpointsKept)
}

// KeepNewest removes all checkpoints but the newest.
func (w *Writer) KeepNewest() error { return w.prune(1) }

// prune removes all checkpoints but the newest few.
func (w *Writer) prune(kept int) error {
	steps, err := w.checkpoints()
	if err != nil {
		return err
	}
	for len(steps) > kept {
		if err := os.Remove(w.CheckpointPath(steps[0])); err != nil {
			return err
		}
		steps = steps[1:]
	}
	return nil
}

// Close gives the folder back.
func (w *Writer) Close() error {
	var err error
	if w.stats != nil {
		err = w.stats.close()
		w.stats = nil
	}
	if w.lock != nil {
		err = errors.Join(err, w.lock.Close())
		w.lock = nil
	}
	return err
}
