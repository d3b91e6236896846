//go:build unix && !solaris && !illumos && !aix

package runfolder

import (
	"errors"
	"os"
	"syscall"
)

// takeLock opens and locks the file at path. The system gives the lock back when the process ends,
// however it ends, so there is no stale lock to judge. held means that another process has it.
func takeLock(path string) (f *os.File, held bool, err error) {
	f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil {
		_ = f.Close()
		return nil, errors.Is(err, syscall.EWOULDBLOCK), &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return f, false, nil
}
