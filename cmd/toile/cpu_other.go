//go:build !unix

package main

import "time"

// cpuTime returns 0: the system does not tell how long cores have worked for this process.
func cpuTime() time.Duration { return 0 }
