package runfolder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Tail follows stats.csv while it grows: each call of Refresh reads what was added since the last one and nothing
// else. A run that is resumed cuts the file back; Tail notices and begins again.
type Tail struct {
	Table
	folder *Folder
	path   string
	header []byte // with its end of line
	last   []byte // the last whole row read, to know the file again
	offset int64  // where what was not yet read begins

	check      statsCheck
	checkpoint int // the step of the newest, which the file was compared with
}

// Tail returns a follower of the statistics, still without rows.
func (f *Folder) Tail() *Tail { return &Tail{folder: f, path: f.StatsPath(), checkpoint: -1} }

// again forgets all that was read.
func (t *Tail) again() { *t = *t.folder.Tail() }

// Refresh reads the rows added since the last call. A file that is not there has no rows; a row that does not fit the
// header is an error that names its line, and a file that is not what the newest checkpoint says a *Damage.
func (t *Tail) Refresh() error {
	if info, err := os.Stat(t.path); err == nil && !info.Mode().IsRegular() {
		return damaged(t.path, "it is not a file") // opening it might wait for ever
	}
	f, err := os.Open(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		t.again()
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // read only
	if !t.known(f) {
		t.again()
	}
	if err := t.compare(f); err != nil {
		return err
	}
	added, err := io.ReadAll(io.NewSectionReader(f, t.offset, 1<<62-t.offset))
	if err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	added = added[:bytes.LastIndexByte(added, '\n')+1]
	if len(added) == 0 {
		return nil
	}
	return t.add(added)
}

// compare checks the file if there is a checkpoint that it was not yet compared with.
func (t *Tail) compare(f io.ReaderAt) error {
	steps, err := t.folder.checkpoints()
	if err != nil || len(steps) == 0 || steps[len(steps)-1] == t.checkpoint {
		return err
	}
	c, _, err := t.folder.Newest(nil)
	if err != nil || c == nil {
		return err
	}
	if err := t.check.to(t.path, f, c.Stats); err != nil {
		return err
	}
	t.checkpoint = c.Step
	return nil
}

// known reports whether the file still has what was read from it: the clocks of its last row are not met twice.
func (t *Tail) known(f io.ReaderAt) bool {
	there := make([]byte, len(t.last))
	_, err := f.ReadAt(there, t.offset-int64(len(t.last)))
	return (err == nil || err == io.EOF) && bytes.Equal(there, t.last)
}

// add takes in whole rows, the first of them the header if nothing was read before.
func (t *Tail) add(rows []byte) error {
	text := rows
	if t.offset > 0 {
		text = append(bytes.Clone(t.header), rows...)
	}
	step := 0.0
	if rows := t.Rows(); rows > 0 {
		step = t.Values[0][rows-1]
	}
	part, err := parseStats(t.path, text, t.Rows(), step)
	if err != nil {
		return err
	}
	if t.offset == 0 {
		t.header = bytes.Clone(rows[:bytes.IndexByte(rows, '\n')+1])
		t.Columns, t.Values = part.Columns, part.Values
	} else {
		for c := range t.Values {
			t.Values[c] = append(t.Values[c], part.Values[c]...)
		}
	}
	t.offset += int64(len(rows))
	from := bytes.LastIndexByte(rows[:len(rows)-1], '\n') + 1
	t.last = bytes.Clone(rows[from:])
	return nil
}
