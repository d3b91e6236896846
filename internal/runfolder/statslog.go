package runfolder

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"os"
	"strings"
)

// statsLog appends rows to stats.csv and knows the SHA-256 of all that is in it.
type statsLog struct {
	file *os.File
	buf  *bufio.Writer
	hash hash.Hash
	size int64
	row  []byte
}

// openStats opens stats.csv cut back to the mark, or new with the given columns if the mark is zero.
func openStats(path string, mark StatsMark, columns []string) (*statsLog, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, explain(err)
	}
	l := &statsLog{file: f, buf: bufio.NewWriterSize(f, 1<<16), hash: sha256.New()}
	if err := l.cut(path, mark); err != nil {
		_ = f.Close()
		return nil, err
	}
	if mark.Size == 0 {
		l.write([]byte(strings.Join(columns, ",") + "\n"))
	}
	return l, nil
}

func (l *statsLog) cut(path string, mark StatsMark) error {
	n, err := io.CopyN(l.hash, l.file, mark.Size)
	if err == io.EOF {
		return damaged(
			path,
			"it has %d bytes, and the checkpoint was made at %d; put it back, or start over with --force",
			n,
			mark.Size,
		)
	}
	if err != nil {
		return err
	}
	if mark.Size > 0 && [sha256.Size]byte(l.hash.Sum(nil)) != mark.Sum {
		return damaged(path, "it was changed after it was written; put it back, or start over with --force")
	}
	l.size = mark.Size
	return l.file.Truncate(mark.Size)
}

// write buffers b. An error stays with the buffer and is returned by sync.
func (l *statsLog) write(b []byte) {
	_, _ = l.buf.Write(b)
	l.hash.Write(b)
	l.size += int64(len(b))
}

// flush hands all rows to the system, for readers.
func (l *statsLog) flush() error { return explain(l.buf.Flush()) }

// sync makes all rows last and returns where the file is now.
func (l *statsLog) sync() (StatsMark, error) {
	if err := l.flush(); err != nil {
		return StatsMark{}, err
	}
	if err := l.file.Sync(); err != nil {
		return StatsMark{}, explain(err)
	}
	return StatsMark{Size: l.size, Sum: [sha256.Size]byte(l.hash.Sum(nil))}, nil
}

func (l *statsLog) close() error { return errors.Join(l.flush(), l.file.Close()) }
