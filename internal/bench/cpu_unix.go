//go:build unix

package bench

import (
	"syscall"
	"time"
)

// CPUTime returns how long all cores together have worked for this process; 0 if the system does not tell.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
