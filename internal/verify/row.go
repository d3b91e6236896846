package verify

import (
	"fmt"
	"math"
)

// Row compares one quantity with what it must be.
type Row struct {
	Quantity string
	Unit     string
	Expected float64
	Measured float64
	Bar      Bar
	Limit    float64 // of the bar, in the unit of the quantity or relative
	From     string  // where the bar comes from; not empty if it is more than Wide times what is measured
	Asked    string  // the bar that was asked for, where this one is lower, in the words of Allowed; else empty
	Why      string  // and why it is, in one sentence
}

// Rounding is the spacing of numbers near 1.
const Rounding = 0x1p-52

// Wide is the ratio of a bar to what is measured from which on a row says where its bar comes from.
const Wide = 20

// Room returns how many times the bar is what is measured. It is 1 where there is nothing in between: a bar of zero, or
// one from below for what may be zero.
func (r Row) Room() float64 {
	bar, off := r.Limit, r.Measured
	switch r.Bar {
	case Relative:
		bar, off = r.Limit*math.Abs(r.Expected), math.Abs(r.Measured-r.Expected)
	case Absolute:
		off = math.Abs(r.Measured - r.Expected)
	case AtLeast:
		bar, off = r.Measured, r.Limit
		if off <= 0 {
			return 1
		}
	}
	switch {
	case bar == 0:
		return 1
	case off <= 0:
		return math.Inf(1)
	}
	return bar / off
}

// Bar is a way to compare.
type Bar int

const (
	// Relative asks for |measured - expected| <= limit |expected|.
	Relative Bar = iota
	// Absolute asks for |measured - expected| <= limit.
	Absolute
	// AtMost asks for measured <= limit.
	AtMost
	// AtLeast asks for measured >= limit.
	AtLeast
)

// Pass reports whether the quantity is within its bar. Nothing that is not a number passes.
func (r Row) Pass() bool {
	switch r.Bar {
	case Relative:
		return math.Abs(r.Measured-r.Expected) <= r.Limit*math.Abs(r.Expected)
	case Absolute:
		return math.Abs(r.Measured-r.Expected) <= r.Limit
	case AtMost:
		return r.Measured <= r.Limit
	case AtLeast:
		return r.Measured >= r.Limit
	}
	return false
}

// Allowed describes the bar in words.
func (r Row) Allowed() string {
	switch r.Bar {
	case Relative:
		return fmt.Sprintf("±%.3g %%", 100*r.Limit)
	case Absolute:
		return fmt.Sprintf("±%.3g", r.Limit)
	case AtMost:
		return fmt.Sprintf("at most %.4g", r.Limit)
	case AtLeast:
		return fmt.Sprintf("at least %.4g", r.Limit)
	}
	return "?"
}
