package cli

import (
	"math"
	"time"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/r3"
)

// Real is a number of an event. JSON has no infinity and no NaN: they become null.
type Real = bench.Real

// Numbers are the coordinates of v.
func Numbers(v r3.Vec) [3]Real { return [3]Real{Real(v.X), Real(v.Y), Real(v.Z)} }

// SecondsLeft is an estimate for programs, null while it is unknown.
func SecondsLeft(left time.Duration) Real {
	if left < 0 {
		return Real(math.NaN())
	}
	return Real(left.Seconds())
}
