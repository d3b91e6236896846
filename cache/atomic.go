package cache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// tempExt ends the name of a file that is being written. Temporary names start with a dot.
const tempExt = ".tmp"

// writeAtomic makes data the contents of path, completely or not at all: it is written beside path,
// synced, renamed, and the directory synced. On failure nothing is left behind and an earlier file
// at path is as it was. The pieces are written one after the other.
func writeAtomic(path string, pieces ...[]byte) (err error) {
	dir, base := filepath.Split(path)
	f, err := os.CreateTemp(dir, "."+base+".*"+tempExt)
	if err != nil {
		return explain(err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
			err = explain(fmt.Errorf("%s: %w", path, err))
		}
	}()
	for _, p := range pieces {
		if _, err = f.Write(p); err != nil {
			return err
		}
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes renames in dir last through a power cut, where the system can do that.
func syncDir(dir string) error {
	if dir == "" {
		dir = "."
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, os.ErrPermission) {
		return nil
	}
	return err
}

// explain adds what to do to an error that a user can mend.
func explain(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("the disk is full (%w): free some space and run the same command again; the run goes on from its last checkpoint", err)
	}
	return err
}

// removeTemps removes what a killed process left half written in dir and returns the names. Only the
// holder of the lock may call it.
func removeTemps(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") && strings.HasSuffix(e.Name(), tempExt) && e.Type().IsRegular() {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return names, err
			}
			names = append(names, e.Name())
		}
	}
	return names, nil
}
