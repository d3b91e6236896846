package draw

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// extent is the range of the values that an axis shows.
type extent struct {
	log      bool
	any      bool
	low, top float64
}

// beyond is a magnitude that no axis shows, so that ranges and their logarithms stay finite.
const beyond = 1e150

// shows reports whether the axis can show a value.
func (e *extent) shows(v float64) bool {
	return math.Abs(v) < beyond && (v > 1/beyond || !e.log)
}

// add widens the range by a value, if the axis can show it.
func (e *extent) add(v float64) {
	if !e.shows(v) {
		return
	}
	if !e.any {
		e.low, e.top, e.any = v, v, true
	}
	e.low, e.top = min(e.low, v), max(e.top, v)
}

// margin returns the range with a part of itself added at both ends, never empty: a single value gets
// a range around it, and no value 0 to 1, or 0.1 to 10 on a logarithmic axis.
func (e *extent) margin(part float64) (low, top float64) {
	low, top = e.low, e.top
	switch {
	case !e.any && e.log:
		return 0.1, 10
	case !e.any:
		return 0, 1
	case e.log:
		if top/low < 1.0001 {
			return low / 2, top * 2
		}
		grow := math.Exp(part * (math.Log(top) - math.Log(low)))
		return low / grow, top * grow
	}
	size := top - low
	// A range within rounding of one value would only show noise.
	if magnitude := max(math.Abs(low), math.Abs(top)); size <= 1e-12*magnitude || size == 0 {
		size = max(magnitude, 1/beyond)
		part = 0.5
	}
	return low - part*size, top + part*size
}

// wantedTicks is about how many labelled ticks an axis has.
const wantedTicks = 7

// linearTicks returns ticks at multiples of a round step, with as many decimals as the step needs.
func linearTicks(low, top float64) []plot.Tick {
	raw := (top - low) / wantedTicks
	step := roundLength(raw)
	if step == 0 {
		return nil
	}
	// roundLength goes down by up to 2.5; take the next round step if that gives too many ticks.
	if raw/step > 1.4 {
		step = roundLength(step * 2.5001)
	}
	var ticks []plot.Tick
	first, last := math.Ceil(low/step-1e-9), math.Floor(top/step+1e-9)
	for k := first; k <= last && k-first < 4*wantedTicks; k++ {
		ticks = append(
			ticks,
			plot.Tick{Value: k * step, Label: tickLabel(k*step, step, max(math.Abs(low), math.Abs(top)))},
		)
	}
	return ticks
}

// tickLabel writes a multiple of step; largest is the largest magnitude on the axis.
func tickLabel(value, step, largest float64) string {
	if math.Abs(value) < step/2 {
		return "0"
	}
	figures := math.Floor(math.Log10(step) + 1e-9)
	if largest >= 1e5 || largest < 1e-3 {
		digits := max(0, int(math.Floor(math.Log10(math.Abs(value))+1e-9)-figures))
		return tidy(strconv.FormatFloat(value, 'e', digits, 64))
	}
	return tidy(strconv.FormatFloat(value, 'f', max(0, int(-figures)), 64))
}

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

// number writes a value with three figures for a legend.
func number(x float64) string { return tidy(strconv.FormatFloat(x, 'g', 3, 64)) }

// logTicks returns labelled ticks at powers of ten, every few of them on a long axis, or at 1, 2 and 5
// times such powers on a short one, and blank ticks between.
func logTicks(low, top float64) []plot.Tick {
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(top)))
	every := 1 + (last-first)/(wantedTicks+2)
	decades := math.Log10(top) - math.Log10(low)
	var ticks []plot.Tick
	for e := first; e <= last; e++ {
		power := math.Pow(10, float64(e))
		for m := 1; m <= 9; m++ {
			v := float64(m) * power
			if v < low || v > top {
				continue
			}
			tick := plot.Tick{Value: v}
			named := m == 1 && e%every == 0
			if decades < 2 && (m == 2 || m == 5) || decades < 0.6 {
				named = true
			}
			if named {
				tick.Label = powerLabel(m, e, first < -3 || last > 4)
			}
			if named || decades < wantedTicks {
				ticks = append(ticks, tick)
			}
		}
	}
	return ticks
}

// powerLabel writes m times ten to the e, as a power or in full.
func powerLabel(m, e int, power bool) string {
	if power && e != 0 {
		return tidy(strconv.Itoa(m) + "e" + strconv.Itoa(e))
	}
	return strconv.FormatFloat(float64(m)*math.Pow(10, float64(e)), 'f', max(0, -e), 64)
}
