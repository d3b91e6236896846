package draw

import "math"

// smoothstep rises from 0 at lo to 1 at hi.
func smoothstep(lo, hi, x float64) float64 {
	t := min(max((x-lo)/(hi-lo), 0), 1)
	return t * t * (3 - 2*t)
}

// turns is the largest number of samples of a pixel, each with its own turn of the taps.
const turns = 16

// spirals returns for each sample of a pixel count points spread evenly over the unit disc by the
// golden angle, turned differently for each sample.
func spirals(count int) (table [turns][][2]float64) {
	const golden = 2.399963229728653 // golden angle [rad]
	for k := range table {
		for tap := range count {
			radius := math.Sqrt((float64(tap) + 0.5) / float64(count))
			// Turning by the golden ratio in radians keeps the points of all samples apart.
			sin, cos := math.Sincos(golden*float64(tap) + math.Phi*float64(k))
			table[k] = append(table[k], [2]float64{radius * cos, radius * sin})
		}
	}
	return table
}

// nearest returns the whole number nearest to x.
func nearest(x float64) int { return int(math.Floor(x + 0.5)) }
