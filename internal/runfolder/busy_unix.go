//go:build unix && !solaris && !illumos && !aix

package runfolder

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// Busy reports whether a process is writing the folder. It takes the lock for an instant, shared: a writer that begins
// in that very instant is told that the folder is taken, so ask seldom.
func (f *Folder) Busy() bool {
	lock, err := os.Open(filepath.Join(f.Dir, lockName))
	if err != nil {
		return false
	}
	defer func() { _ = lock.Close() }() // gives the lock back
	err = syscall.Flock(int(lock.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	return errors.Is(err, syscall.EWOULDBLOCK)
}
