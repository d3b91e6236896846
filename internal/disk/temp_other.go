//go:build !unix || solaris || illumos || aix

package disk

import "os"

// Temp opens a new file .NAME.*.tmp in dir. One that a killed process has left stays.
func Temp(dir, name string) (*os.File, error) { return os.CreateTemp(dir, "."+name+".*"+TempExt) }

// settle closes f and gives it the name path. Not every system renames a file that is open.
func settle(f *os.File, path string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
