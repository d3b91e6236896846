//go:build unix

package bench

import (
	"os"
	"runtime"
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

// PeakMemory returns how much memory a process that has ended had in use at most [byte]; 0 if the system does not tell.
func PeakMemory(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // which counts bytes, others kilobytes
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
