//go:build !unix

package bench

import "time"

// CPUTime returns 0: the system does not tell how long cores have worked for this process.
func CPUTime() time.Duration { return 0 }
