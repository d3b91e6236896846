package axis

import (
	"math"
	"strconv"
	"strings"
)

// Tick is a round value on an axis.
type Tick struct {
	Value float64
	Label string // empty for a tick between labelled ones
}

// rounding is how far off a count of steps may be.
const rounding = 1e-9

// Ticks returns the ticks of an axis in rising order, of which about n are labelled. On a logarithmic axis these are
// powers of ten, every few of them if the axis is long, 1, 2 and 5 times such powers if it is short, and multiples of a
// step if it is so short that these are too few.
func (a Axis) Ticks(n int) []Tick {
	if a.Log {
		return a.logTicks(n)
	}
	return a.linearTicks(n)
}

// roundStep returns the number among 1, 2 and 5 times powers of ten that is near x, at most 1.4 times smaller.
func roundStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	switch m := x / power; {
	case m < 1.4:
		return power
	case m < 2.8:
		return 2 * power
	case m < 7:
		return 5 * power
	}
	return 10 * power
}

// step returns the step of about n ticks on a linear axis.
func (a Axis) step(n int) float64 {
	step := roundStep((a.Top - a.Low) / float64(max(n, 1)))
	if a.Counts {
		return max(step, 1)
	}
	return step
}

// linearTicks returns the multiples of a round step, all labelled with the decimals that the step needs.
func (a Axis) linearTicks(n int) []Tick {
	step := a.step(n)
	if !(step > 0) {
		return nil
	}
	var ticks []Tick
	first, last := math.Ceil(a.Low/step-rounding), math.Floor(a.Top/step+rounding)
	largest := max(math.Abs(a.Low), math.Abs(a.Top))
	for k := first; k <= last && k-first < 4*float64(n); k++ {
		ticks = append(ticks, Tick{k * step, stepLabel(k*step, step, largest)})
	}
	return ticks
}

// stepLabel writes a multiple of step; largest is the largest magnitude on the axis, by whose power of ten all
// labels of very large or small numbers are written.
func stepLabel(value, step, largest float64) string {
	if math.Abs(value) < step/2 {
		return "0"
	}
	figures := int(math.Floor(math.Log10(step) + rounding))
	if largest < 1e5 && largest >= 1e-3 {
		return tidy(strconv.FormatFloat(value, 'f', max(0, -figures), 64))
	}
	power := int(math.Floor(math.Log10(largest) + rounding))
	mantissa := strconv.FormatFloat(value/math.Pow(10, float64(power)), 'f', max(0, power-figures), 64)
	return tidy(mantissa + "e" + strconv.Itoa(power))
}

// Most decades that each have ticks at 2 to 9, and that each have a tick.
const fineDecades, tickedDecades = 7, 50

// logTicks returns what Ticks says of logarithmic axes.
func (a Axis) logTicks(n int) []Tick {
	first, last := int(math.Floor(math.Log10(a.Low))), int(math.Ceil(math.Log10(a.Top)))
	every := a.labelled(first, last, n)
	// too short for powers of ten
	if every < 0 {
		return Axis{Low: a.Low, Top: a.Top, Counts: a.Counts}.linearTicks(n)
	}
	var ticks []Tick
	for e := first; e <= last; e++ {
		for m := 1; m <= 9; m++ {
			v := float64(m) * math.Pow(10, float64(e))
			if v < a.Low*(1-rounding) || v > a.Top*(1+rounding) {
				continue
			}
			// labels at what labelled has counted, short ticks where there is room
			named := isNamed(m, e, every)
			fine := last-first <= fineDecades || m == 1 && last-first <= tickedDecades
			if named {
				ticks = append(ticks, Tick{v, powerLabel(m, e, first < -3 || last > 4)})
			} else if fine {
				ticks = append(ticks, Tick{Value: v})
			}
		}
	}
	return ticks
}

// labelled returns which ticks have labels: every so many decades, 0 for 1, 2 and 5 times each power, or -1 for none,
// since they would be less than three.
func (a Axis) labelled(first, last, n int) int {
	for _, every := range []int{0, 1, 2, 3, 5, 10, 20, 50, 100} {
		count := 0
		for e := first; e <= last; e++ {
			for m := 1; m <= 9; m++ {
				v := float64(m) * math.Pow(10, float64(e))
				if isNamed(m, e, every) && v >= a.Low*(1-rounding) && v <= a.Top*(1+rounding) {
					count++
				}
			}
		}
		if every == 0 && count < 3 {
			return -1
		}
		if count <= n+2 {
			return every
		}
	}
	return 200
}

// isNamed reports whether the tick at m times ten to the e has a label.
func isNamed(m, e, every int) bool {
	if every == 0 {
		return m == 1 || m == 2 || m == 5
	}
	return m == 1 && e%every == 0
}

// powerLabel writes m times ten to the e, as a power or in full.
func powerLabel(m, e int, power bool) string {
	if power && e != 0 {
		return tidy(strconv.Itoa(m) + "e" + strconv.Itoa(e))
	}
	return strconv.FormatFloat(float64(m)*math.Pow(10, float64(e)), 'f', max(0, -e), 64)
}

// Number writes a value with three figures.
func Number(x float64) string { return tidy(strconv.FormatFloat(x, 'g', 3, 64)) }

// tidy writes a formatted number for readers: a true minus sign, and 2·10⁻⁵ for 2e-05.
func tidy(s string) string {
	mantissa, exponent, scientific := strings.Cut(s, "e")
	mantissa = strings.ReplaceAll(mantissa, "-", "−")
	n, err := strconv.Atoi(exponent)
	if !scientific || err != nil {
		return mantissa
	}
	power := "10" + superscript.Replace(strconv.Itoa(n))
	switch mantissa {
	case "1":
		return power
	case "−1":
		return "−" + power
	}
	return mantissa + "·" + power
}

var superscript = strings.NewReplacer(
	"-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹",
)
