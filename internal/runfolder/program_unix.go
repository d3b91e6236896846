//go:build unix

package runfolder

import (
	"fmt"
	"os"
	"syscall"
)

// fileIdentity returns what no other file of this machine has, empty if that is unknown.
func fileIdentity(f *os.File) string {
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d %d %d %d", stat.Dev, stat.Ino, info.Size(), info.ModTime().UnixNano())
}
