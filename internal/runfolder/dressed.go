package runfolder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteDressed keeps the state that dressing ended with, which frame 0 starts from, in the form of a checkpoint. A run
// that goes on needs it to build its world, and would have to sew again without.
func (w *Writer) WriteDressed(state []byte) error {
	if err := w.writeState(DressedName, state); err != nil {
		return err
	}
	err := os.Remove(filepath.Join(w.Dir, DressingName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return explain(err)
}

// WriteDressing keeps the state of a dressing under way, in the form of a checkpoint.
func (w *Writer) WriteDressing(state []byte) error { return w.writeState(DressingName, state) }

// Dressed returns the state that dressing ended with, nil if the folder has none of this run. One that is damaged is as
// good as none, and mentioned in Notes: dressing again gives the same.
func (w *Writer) Dressed() ([]byte, error) { return w.readState(DressedName) }

// Dressing returns the state of a dressing that was interrupted, nil if the folder has none of this run, as Dressed
// does.
func (w *Writer) Dressing() ([]byte, error) { return w.readState(DressingName) }

func (w *Writer) writeState(name string, state []byte) error {
	c := Checkpoint{Run: w.run, State: state}
	data, err := c.AppendBinary(nil)
	if err != nil {
		return err
	}
	return writeAtomic(filepath.Join(w.Dir, name), data)
}

func (w *Writer) readState(name string) ([]byte, error) {
	data, _, err := readWhole(filepath.Join(w.Dir, name), maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if damage, ok := err.(*Damage); ok {
		w.note("%v; dressing again", damage)
		return nil, nil
	}
	if err != nil {
		return nil, explain(err)
	}
	var c Checkpoint
	if err := c.UnmarshalBinary(data); err != nil {
		w.note("%s cannot be used: %v; dressing again", name, err)
		return nil, nil
	}
	if c.Run != w.run {
		w.note("%s belongs to another run; dressing again", name)
		return nil, nil
	}
	return c.State, nil
}
