package referee

import "github.com/toile-sim/toile/r3"

// Flips returns how often a free box with the given half sides that begins with the spin w, in its own axes, turns over
// about their second within a time: how often the spin about it changes its sign, by Euler's equations
//
//	I₁ ẇ₁ = (I₂ - I₃) w₂ w₃,   and so around,
//
// and the classical method of fourth order with steps of 0.1 ms.
func Flips(half, w r3.Vec, end float64) (flips int) {
	i := r3.V(half.Y*half.Y+half.Z*half.Z, half.Z*half.Z+half.X*half.X, half.X*half.X+half.Y*half.Y)
	rate := func(w r3.Vec) r3.Vec {
		return r3.V((i.Y-i.Z)/i.X*w.Y*w.Z, (i.Z-i.X)/i.Y*w.Z*w.X, (i.X-i.Y)/i.Z*w.X*w.Y)
	}
	const h = 1e-4
	for range int(end / h) {
		a := rate(w)
		b := rate(w.AddScaled(h/2, a))
		c := rate(w.AddScaled(h/2, b))
		d := rate(w.AddScaled(h, c))
		next := w.AddScaled(h/6, a).AddScaled(h/3, b).AddScaled(h/3, c).AddScaled(h/6, d)
		if next.Y > 0 != (w.Y > 0) {
			flips++
		}
		w = next
	}
	return flips
}
