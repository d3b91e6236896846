package main

import (
	"math"
	"time"
)

// lineEvery is the time between lines where there is no terminal.
const lineEvery = 5 * time.Second

// secondsLeft is an estimate for programs, null while it is unknown.
func secondsLeft(left time.Duration) real {
	if left < 0 {
		return real(math.NaN())
	}
	return real(left.Seconds())
}
