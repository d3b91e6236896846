package view

import "math"

// How the values of a quantity are spread, in a size that does not grow with their number.
//
// A few values far above all others, such as of contacts met at speed, would take nearly all colours for
// themselves. The top of a scale is therefore not the largest value but one that 99 of 100 do not exceed, if it
// is less than half as far from the smallest. Positive values are counted in bins of 1/16 octave: the upper 12 bits
// of a float32 without its sign are the exponent and four bits of the mantissa.

const (
	binShift = 19
	bins     = 1 << (31 - binShift)
	share    = 100 // one in so many may be above
)

// tally counts values.
type tally struct {
	lo, hi float32
	count  int
	bin    [bins]uint32
}

func newTally() *tally { return &tally{lo: float32(math.Inf(1)), hi: float32(math.Inf(-1))} }

// add takes in a finite value.
func (t *tally) add(x float32) {
	t.lo, t.hi = min(t.lo, x), max(t.hi, x)
	t.count++
	if x > 0 {
		t.bin[math.Float32bits(x)>>binShift]++
	}
}

// merge takes in all values of another tally.
func (t *tally) merge(u *tally) {
	t.lo, t.hi = min(t.lo, u.lo), max(t.hi, u.hi)
	t.count += u.count
	for i, n := range u.bin {
		t.bin[i] += n
	}
}

// top returns where a scale of the values ends.
func (t *tally) top() float32 {
	above := t.count / share
	for i := bins - 1; i >= 0; i-- {
		above -= int(t.bin[i])
		if above >= 0 {
			continue
		}
		if edge := math.Float32frombits(uint32(i+1) << binShift); edge-t.lo < (t.hi-t.lo)/2 && edge > t.lo {
			return edge
		}
		break
	}
	return t.hi
}
