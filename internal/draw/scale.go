package draw

import (
	"image/color"
	"math"
)

// Scale is the range of a scalar and what to write beside its colours.
type Scale struct {
	// Label and Unit name the quantity, such as "speed" and "m/s"; the legend writes "speed [m/s]".
	Label, Unit string
	// Min and Max are the values of the first and last colour.
	Min, Max float64
	// Beyond says that there are values above Max, which have its colour.
	Beyond bool
	// Classes, if there are any, make the scalars names: a value is rounded to the number of its class,
	// and Min and Max are not looked at. Every point has the class of the nearest vertex.
	Classes []Class
}

// Class is one of a few things that a scalar can mean.
type Class struct {
	Name  string
	Color color.RGBA
}

// class returns the colour of the class of a value; that of no class is grey.
func (s *Scale) class(x float64) linear {
	if i := math.Round(x); i >= 0 && i < float64(len(s.Classes)) {
		return fromRGBA(s.Classes[int(i)].Color)
	}
	return mapped(math.NaN())
}

// ScaleOf returns the scale from the least to the largest finite scalar of the surfaces, 0 to 0 if
// there is none.
func ScaleOf(surfaces []Surface, label, unit string) Scale {
	s := Scale{Label: label, Unit: unit, Min: math.Inf(1), Max: math.Inf(-1)}
	for i := range surfaces {
		for _, x := range surfaces[i].Scalar {
			if x-x == 0 {
				s.Min, s.Max = min(s.Min, x), max(s.Max, x)
			}
		}
	}
	if s.Min > s.Max {
		s.Min, s.Max = 0, 0
	}
	return s
}

// place returns where a value is between Min (0) and Max (1); the middle if the range is empty.
func (s Scale) place(x float64) float64 {
	if x != x {
		return x
	}
	if !(s.Max > s.Min) {
		return 0.5
	}
	return (x - s.Min) / (s.Max - s.Min)
}

// roundLength returns the number among 1, 2 and 5 times powers of ten that is nearest below x, or 0 if
// x is not positive and finite.
func roundLength(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{5, 2} {
		if m*power <= x {
			return m * power
		}
	}
	return power
}
