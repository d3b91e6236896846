package runfolder

import (
	"io"
	"os"
	"time"
)

// The largest files of a run folder that are read into memory whole [byte], so that a folder from elsewhere cannot take
// all of it.
const (
	maxManifest = 1 << 28
	maxFrame    = 1 << 30 // 12 million vertices
	maxState    = 1 << 31 // a million vertices need 48 MB, and their contacts as much again
	maxStats    = 1 << 31 // three million steps; programs that read line by line have no bound
	maxLock     = 1 << 12
)

// fileStamp tells whether a file has been written since.
type fileStamp struct {
	size     int64
	modified time.Time
}

// readWhole reads a regular file of at most so many bytes. Anything else could make a reader wait for ever.
func readWhole(path string, most int64) ([]byte, fileStamp, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fileStamp{}, err
	}
	if !info.Mode().IsRegular() {
		return nil, fileStamp{}, damaged(path, "it is not a file")
	}
	if info.Size() > most {
		return nil, fileStamp{}, damaged(path, "it has %d bytes, and at most %d can be read", info.Size(), most)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fileStamp{}, err
	}
	defer func() { _ = f.Close() }() // read only
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fileStamp{}, damaged(path, "it was cut short while it was read: %v", err)
	}
	return data, fileStamp{info.Size(), info.ModTime()}, nil
}
