package runfolder

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/toile-sim/toile/internal/disk"
)

// writeAtomic makes data the contents of path, completely or not at all.
func writeAtomic(path string, data []byte) error {
	return explain(disk.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}))
}

// explain adds what to do to an error that a user can mend.
func explain(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf(
			"the disk is full (%w): free some space and run the same command again; the run goes on from its last checkpoint",
			err,
		)
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
		if strings.HasPrefix(e.Name(), ".") && strings.HasSuffix(e.Name(), disk.TempExt) && e.Type().IsRegular() {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return names, err
			}
			names = append(names, e.Name())
		}
	}
	return names, nil
}
