//go:build unix && !solaris && !illumos && !aix

package disk

import (
	"os"
	"path/filepath"
	"syscall"
)

// Temp opens the file .NAME.tmp in dir, empty and for this writer alone. One that a killed process has left is taken
// over, because the system gave its lock back; one that somebody is writing is left alone, and another name found. Who
// has it renames or removes it before it is closed.
func Temp(dir, name string) (*os.File, error) {
	path := filepath.Join(dir, "."+name+TempExt)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil && stillAt(path, f) {
		return f, f.Truncate(0)
	}
	_ = f.Close() // nothing was written
	return os.CreateTemp(dir, "."+name+".*"+TempExt)
}

// stillAt tells whether path is where f is. The last who had its lock may have renamed it meanwhile.
func stillAt(path string, f *os.File) bool {
	there, err := os.Lstat(path)
	if err != nil {
		return false
	}
	here, err := f.Stat()
	return err == nil && os.SameFile(there, here)
}

// settle closes f and gives it the name path. A file that was closed first could be taken over by another writer.
func settle(f *os.File, path string) error {
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return f.Close()
}
