// Package disk writes files completely or not at all.
package disk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// TempExt ends the name of a file that is being written. Temporary names start with a dot.
const TempExt = ".tmp"

// WriteFile makes what write produces the contents of path, completely or not at all: it is written beside path,
// synced, renamed, and the directory synced. On failure nothing is left behind and an earlier file at path is as it
// was. A process that is killed may leave a file named .NAME.tmp, which the next that writes the same file takes over.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	// file beside the path
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	f, err := Temp(dir, base)
	if err != nil {
		return err
	}
	// nothing is left behind on failure
	defer func() {
		if err != nil {
			Discard(f)
			err = fmt.Errorf("%s: %w", path, err)
		}
	}()
	// contents and rights, on the disk
	if err = write(f); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	// in its place
	if err = settle(f, path); err != nil {
		return err
	}
	return syncDir(dir)
}

// Discard removes a file that Temp opened.
func Discard(f *os.File) {
	open := os.Remove(f.Name()) != nil // not every system removes a file that is open
	_ = f.Close()                      // nobody will read it
	if open {
		_ = os.Remove(f.Name())
	}
}

// syncDir makes renames in dir last through a power cut, where the system can do that.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }() // nothing was written
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, os.ErrPermission) {
		return nil
	}
	return err
}
