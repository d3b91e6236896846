package bench

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/toile-sim/toile/internal/bench"
)

// median returns the middle value of a quantity.
func median[T any, V cmp.Ordered](items []T, of func(*T) V) V {
	values := make([]V, len(items))
	for i := range items {
		values[i] = of(&items[i])
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// mean returns the mean of a quantity.
func mean[T any](items []T, of func(*T) float64) float64 {
	sum := 0.0
	for i := range items {
		sum += of(&items[i])
	}
	return sum / float64(len(items))
}

// most returns the largest of a quantity.
func most[T any](items []T, of func(*T) int) int {
	value := 0
	for i := range items {
		value = max(value, of(&items[i]))
	}
	return value
}

func inSeconds(d *time.Duration) float64 { return d.Seconds() }

// exponent returns the slope of log y over log x by least squares.
func exponent(x, y []float64) float64 {
	var mx, my float64
	for i := range x {
		mx += math.Log(x[i]) / float64(len(x))
		my += math.Log(y[i]) / float64(len(x))
	}
	var xx, xy float64
	for i := range x {
		dx := math.Log(x[i]) - mx
		xx += dx * dx
		xy += dx * (math.Log(y[i]) - my)
	}
	return xy / xx
}

// medianOf returns the median of a quantity over repeats.
func medianOf(results []*bench.Result, of func(*bench.Result) float64) float64 {
	if len(results) == 0 {
		return math.NaN()
	}
	var values []float64
	for _, r := range results {
		values = append(values, of(r))
	}
	return bench.Median(values)
}
