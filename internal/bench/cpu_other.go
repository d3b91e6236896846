//go:build !unix

package bench

import (
	"os"
	"time"
)

// CPUTime returns 0: the system does not tell how long cores have worked for this process.
func CPUTime() time.Duration { return 0 }

// PeakMemory returns 0: the system does not tell how much memory a process had in use.
func PeakMemory(*os.ProcessState) int64 { return 0 }
