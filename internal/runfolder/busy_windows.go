package runfolder

import (
	"errors"
	"path/filepath"
	"syscall"
)

// Busy reports whether a process is writing the folder. It opens the lock for an instant: a writer that begins in that
// very instant is told that the folder is taken, so ask seldom.
func (f *Folder) Busy() bool {
	name, err := syscall.UTF16PtrFromString(filepath.Join(f.Dir, lockName))
	if err != nil {
		return false
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ|syscall.FILE_SHARE_WRITE,
		nil, syscall.OPEN_EXISTING, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return errors.Is(err, errSharingViolation)
	}
	_ = syscall.CloseHandle(h) // nothing was written
	return false
}
