package cli

import "os"

// IsFolder reports whether path is a folder.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Exists reports whether there is something at path.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
