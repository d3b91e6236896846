package view

import (
	"math"
	"testing"
)

// TestFewLargeValuesDoNotTakeAllColors: the top of a scale is what 99 of 100 values do not exceed, but only if that is
// far from the largest.
func TestFewLargeValuesDoNotTakeAllColors(t *testing.T) {
	even, skewed := newTally(), newTally()
	for i := range 1000 {
		even.add(float32(i) / 1000)
		skewed.add(float32(i) / 1000)
	}
	if top := even.top(); top != even.hi {
		t.Errorf("values spread evenly up to %g end at %g", even.hi, top)
	}
	half := newTally()
	for range 5 {
		half.add(40)
	}
	skewed.merge(half)
	// 0.5 % are above 0.999, and a bin is 1/16 octave wide.
	if top := float64(skewed.top()); top < 0.99 || top > 0.999*math.Exp2(1./16)+1e-6 {
		t.Errorf("the scale ends at %g", top)
	}
	if skewed.hi != 40 || skewed.count != 1005 {
		t.Errorf("%d values up to %g", skewed.count, skewed.hi)
	}
	zeros := newTally()
	zeros.add(0)
	if zeros.top() != 0 {
		t.Errorf("zeros end at %g", zeros.top())
	}
}
