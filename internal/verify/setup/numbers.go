// Package setup has what cases of several families build worlds of, and measure them with.
package setup

import (
	"math"
	"time"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/r3"
)

// Exactly returns options under which the nonlinear equations are solved to rounding.
func Exactly(theta float64) engine.Options {
	opt := engine.DefaultOptions()
	opt.Theta = theta
	opt.Newton = engine.NewtonOptions{Iterations: 60, Tolerance: 1e-12, Exact: true}
	opt.Linear.Method = engine.Direct
	opt.Linear.Tolerance = 1e-12
	return opt
}

// AtLeast lifts values to a floor, for logarithmic axes.
func AtLeast(floor float64, values ...float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = max(floor, v)
	}
	return out
}

// StepOfMode returns what a step of h seconds multiplies the amplitude of a mode by, and how far it turns it [rad].
func StepOfMode(theta, square, d, h float64) (factor, turn float64) {
	q := h * h * square
	D := 1 + theta*h*square*(theta*h+d)
	trace := 2 - (theta*q+(D-1)/theta)/D
	det := (1-theta*q/D)*(1-(D-1)/(theta*D)) + q/(D*D)
	return math.Sqrt(det), math.Acos(trace / 2 / math.Sqrt(det))
}

func ScaledBy(values []float64, by float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v * by
	}
	return out
}

// Scaled returns a curve of the given order through the last point.
func Scaled(x []float64, order, last float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = last * math.Pow(x[i]/x[len(x)-1], order)
	}
	return y
}

// OrderOf returns the order of errors between the two finest sizes.
func OrderOf(sizes, errs []float64) float64 {
	n := len(sizes)
	return math.Log(errs[n-2]/errs[n-1]) / math.Log(sizes[n-2]/sizes[n-1])
}

// Worked returns how long cores work for a call, all together; how long it takes if the system does not tell.
func Worked(call func()) time.Duration {
	began, before := time.Now(), bench.CPUTime()
	call()
	if took := bench.CPUTime() - before; took > 0 {
		return took
	}
	return time.Since(began)
}

// Roundness returns the least, the mean and the largest distance of the smooth surface of a cylinder around z from its
// axis, near its middle.
func Roundness(x []r3.Vec, tri [][3]int32, o smooth.Options) (least, mean, most float64) {
	s := smooth.New(tri, x, 0, o, 0)
	least = math.Inf(1)
	height := 0.02 * r3.BoxOf(x).Size().Z
	const count = 720
	for k := range count {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / count)
		far := FarFromAxis(s, x, r3.V(cos, sin, 0), height*float64(k%5))
		least, most, mean = min(least, far), max(most, far), mean+far/count
	}
	return least, mean, most
}

// FarFromAxis returns how far the smooth surface of a cylinder around z is from its axis, in a direction and at a
// height.
func FarFromAxis(s *smooth.Surface, x []r3.Vec, direction r3.Vec, height float64) float64 {
	var p smooth.Place
	far := r3.BoxOf(x).Size().X / 2
	for range 20 {
		s.Look(&p, direction.Scale(far).Add(r3.V(0, 0, height)), 0)
		far -= p.Value / p.Gradient.Dot(direction)
	}
	return far
}

// Bisect returns where below turns from true to false between lo and hi, to the relative tolerance rel.
func Bisect(lo, hi, rel float64, below func(float64) bool) float64 {
	for hi-lo > rel*hi {
		mid := (lo + hi) / 2
		if below(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}
