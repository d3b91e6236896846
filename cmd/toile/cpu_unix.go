//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime returns how long all cores together have worked for this process; 0 if the system does not tell.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
