//go:build (!unix && !windows) || solaris || illumos || aix

package runfolder

import "os"

// takeLock opens the file at path. It locks nothing: a browser has one process, and the other systems have no lock that
// ends with it.
func takeLock(path string) (f *os.File, held bool, err error) {
	f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	return f, false, err
}

// Busy reports whether a process is writing the folder, which cannot be known here.
func (f *Folder) Busy() bool { return false }
