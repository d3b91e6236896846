package runfolder

import "fmt"

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

// ends tells whether the run ended with a checkpoint, at the time that it was to end or by a condition.
func (f *Folder) ends(c *Checkpoint) (bool, error) {
	if c.Substep > 0 {
		return false, nil
	}
	if f.Manifest.Time.Last(c) {
		return true, nil
	}
	met, err := f.stoppedBy(c.Step)
	return met != nil, err
}
