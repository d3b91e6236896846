package film

import (
	"bufio"
	"os"
	"path/filepath"

	"github.com/toile-sim/toile/internal/disk"
)

// Spool is a temporary file beside the one that is being written, for what has to come after something that is not
// known yet.
type Spool struct {
	*bufio.Writer
	file *os.File
}

// NewSpool opens one for a part of the file at path.
func NewSpool(path, part string) (*Spool, error) {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	f, err := disk.Temp(dir, base+"."+part)
	if err != nil {
		return nil, err
	}
	return &Spool{bufio.NewWriterSize(f, 1<<18), f}, nil
}

// CopyTo appends all that was written to w.
func (s *Spool) CopyTo(w *bufio.Writer) error {
	if err := s.Flush(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, 0); err != nil {
		return err
	}
	_, err := w.ReadFrom(s.file)
	return err
}

// Remove removes the file.
func (s *Spool) Remove() {
	disk.Discard(s.file) // nobody needs it any more
}
