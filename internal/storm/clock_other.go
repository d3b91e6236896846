//go:build !linux

package storm

import "time"

var start = time.Now()

// threadTime returns the time on the wall: the system does not say how long a thread has worked.
func threadTime() time.Duration { return time.Since(start) }
