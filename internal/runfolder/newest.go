package runfolder

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// checkpoints returns the steps that there are checkpoints of, ascending.
func (f *Folder) checkpoints() ([]int, error) {
	return numbered(filepath.Join(f.Dir, CheckpointName), checkpointExt, 9)
}

// Newest returns the newest checkpoint that is whole, belongs to this run and is accepted, or nil if
// there is none. What had to be passed over is returned too. A nil accept accepts everything.
func (f *Folder) Newest(accept func(*Checkpoint) error) (c *Checkpoint, skipped []*Damage, err error) {
	steps, err := f.checkpoints()
	if err != nil {
		return nil, nil, err
	}
	for _, step := range slices.Backward(steps) {
		path := f.CheckpointPath(step)
		c, err := ReadCheckpoint(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed meanwhile, because there are newer ones
		}
		if err == nil {
			err = f.judge(c, step, accept)
		}
		if err == nil {
			return c, skipped, nil
		}
		d, ok := err.(*Damage)
		if !ok {
			d = &Damage{File: path, Msg: err.Error()}
		}
		skipped = append(skipped, d)
	}
	return nil, skipped, nil
}

// judge says why a whole checkpoint cannot be used.
func (f *Folder) judge(c *Checkpoint, step int, accept func(*Checkpoint) error) error {
	t := &f.Manifest.Time
	run, err := f.Manifest.identity()
	switch {
	case err != nil:
		return err
	case c.Run != run:
		return fmt.Errorf("it belongs to another run")
	case c.Step != step:
		return fmt.Errorf("it is the checkpoint of step %d", c.Step)
	case c.Frame >= t.Frames || c.Substep >= max(t.Substeps, 1):
		return fmt.Errorf(
			"it is at frame %d and substep %d of a run of %d frames of %d steps",
			c.Frame,
			c.Substep,
			t.Frames,
			t.Substeps,
		)
	case accept != nil:
		return accept(c)
	}
	return nil
}
