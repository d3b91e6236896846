//go:build !amd64 || purego

package lanes

const wide = false

func wideSums(*[3 * Width]float64, []float64, []float64, int, int, int)            {}
func wideColumns([]float64, []float64, int, []float64, int, int, int, *[6]float64) {}
func wideForward(*[4]float64, []float64, int, []float64)                           {}
func wideBack([]float64, []float64, int, *[3]float64)                              {}
func wideAdd([]float64, []float64)                                                 {}
