package runfolder

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
)

// Readers check stats.csv against the newest checkpoint, which knows how long it was and what it held. Rows that came
// later are those of a run that goes on or was killed, and nothing vouches for them but their numbers: they are counted
// apart, and cut off when the run is resumed. A run that has ended has no such rows.

// statsCheck follows stats.csv and compares it with checkpoints on the way.
type statsCheck struct {
	sum  hash.Hash // of what is before size
	size int64
}

// to reads the file from where the last check ended up to the mark, and compares all before it.
func (s *statsCheck) to(path string, file io.ReaderAt, mark StatsMark) error {
	if s.sum == nil || mark.Size < s.size {
		*s = statsCheck{sum: sha256.New()}
	}
	n, err := io.Copy(s.sum, io.NewSectionReader(file, s.size, mark.Size-s.size))
	s.size += n
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	case s.size < mark.Size:
		return damaged(path, "it has %d bytes, and the newest checkpoint was made at %d", s.size, mark.Size)
	case [sha256.Size]byte(s.sum.Sum(nil)) != mark.Sum:
		return damaged(path, "it is not what it was when the newest checkpoint was made; it was altered")
	}
	return nil
}

// checkStats fails with a *Damage if stats.csv is not what the newest checkpoint says, and returns how much of it that
// vouches for [byte]. Without a checkpoint that is nothing.
func (f *Folder) checkStats() (int64, error) {
	c, _, err := f.Newest(nil) // first: the file grows meanwhile
	if err != nil || c == nil {
		return 0, err
	}
	path := f.StatsPath()
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return 0, damaged(path, "it is not a file") // opening it might wait for ever
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, damaged(path, "it is missing, and the newest checkpoint was made when it had %d bytes", c.Stats.Size)
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }() // read only
	if err := new(statsCheck).to(path, file, c.Stats); err != nil {
		return 0, err
	}
	info, err := file.Stat()
	if err != nil || info.Size() == c.Stats.Size {
		return c.Stats.Size, err
	}
	ended, err := f.ends(c)
	if err == nil && ended {
		err = damaged(path, "it has %d bytes more than when the run ended", info.Size()-c.Stats.Size)
	}
	return c.Stats.Size, err
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
