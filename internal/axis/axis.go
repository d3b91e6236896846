// Package axis decides what the axes of charts show: their ranges, round ticks, and how numbers are written at them.
//
// Charts as pictures (internal/draw) and charts on pages (internal/report) draw in their own ways, and agree here.
package axis

import "math"

// Axis is a range of values along a side of a chart, Low below Top, and above zero if it is logarithmic.
type Axis struct {
	Low, Top float64
	Log      bool
	Counts   bool // values are whole: there are no ticks between them
}

// Place returns where a value is along the axis: 0 at Low, 1 at Top.
func (a Axis) Place(v float64) float64 {
	if a.Log {
		return (math.Log(v) - math.Log(a.Low)) / (math.Log(a.Top) - math.Log(a.Low))
	}
	return (v - a.Low) / (a.Top - a.Low)
}

// Whole returns the axis, widened to whole steps of about n, or to whole decades.
func (a Axis) Whole(n int) Axis {
	if a.Log {
		low, top := math.Floor(math.Log10(a.Low)+rounding), math.Ceil(math.Log10(a.Top)-rounding)
		return Axis{Low: math.Pow(10, low), Top: math.Pow(10, max(top, low+1)), Log: true, Counts: a.Counts}
	}
	step := a.step(n)
	a.Low, a.Top = math.Floor(a.Low/step+rounding)*step, math.Ceil(a.Top/step-rounding)*step
	return a
}

// Range collects the values that an axis is to show.
type Range struct {
	Log      bool
	low, top float64
	any      bool
}

// beyond is a magnitude that no axis shows, so that ranges and their logarithms stay finite.
const beyond = 1e150

// Shows reports whether an axis can show a value: finite, of at most 1e150, and from 1e-150 on if it is logarithmic.
func (r *Range) Shows(v float64) bool {
	return math.Abs(v) < beyond && (v > 1/beyond || !r.Log)
}

// Add widens the range by a value, if an axis can show it.
func (r *Range) Add(v float64) {
	if !r.Shows(v) {
		return
	}
	if !r.any {
		r.low, r.top, r.any = v, v, true
	}
	r.low, r.top = min(r.low, v), max(r.top, v)
}

// Axis returns the axis of a range with a part of itself added at both ends; a linear one does not pass zero for that.
// It is never empty: a single value gets a range around it, and no value 0 to 1, or 0.1 to 10 if it is logarithmic.
func (r *Range) Axis(part float64) Axis {
	low, top := r.low, r.top
	// no values, and logarithmic axes
	switch {
	case !r.any && r.Log:
		return Axis{Low: 0.1, Top: 10, Log: true}
	case !r.any:
		return Axis{Low: 0, Top: 1}
	case r.Log && top/low < 1.0001:
		return Axis{Low: low / 2, Top: top * 2, Log: true}
	case r.Log:
		grow := math.Exp(part * (math.Log(top) - math.Log(low)))
		return Axis{Low: low / grow, Top: top * grow, Log: true}
	}
	// a range within rounding of one value would show noise alone
	size := top - low
	if magnitude := max(math.Abs(low), math.Abs(top)); size <= 1e-12*magnitude || size < 1/beyond {
		size, part = max(magnitude, 1/beyond), 0.5
		if magnitude == 0 {
			size = 2
		}
		return Axis{Low: low - part*size, Top: top + part*size}
	}
	// zero is a natural end
	a := Axis{Low: low - part*size, Top: top + part*size}
	if low > 0 {
		a.Low = max(a.Low, 0)
	}
	if top < 0 {
		a.Top = min(a.Top, 0)
	}
	return a
}
