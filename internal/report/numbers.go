package report

// least returns the smallest of some values, whatever is not a number among them.
func least(values []float64) float64 {
	low := values[0]
	for _, x := range values {
		if x < low || low != low {
			low = x
		}
	}
	return low
}

// most returns the largest of some values, whatever is not a number among them.
func most(values []float64) float64 {
	high := values[0]
	for _, x := range values {
		if x > high || high != high {
			high = x
		}
	}
	return high
}

func sumOf(values []float64) (total float64) {
	for _, x := range values {
		total += x
	}
	return total
}

// scaled returns values in another unit.
func scaled(y []float64, by float64) []float64 {
	out := make([]float64, len(y))
	for i := range y {
		out[i] = by * y[i]
	}
	return out
}
