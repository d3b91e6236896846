package smooth

import "math"

// Kernel is how much a sample counts at a distance.
type Kernel uint8

// The kernels.
const (
	Cubic         Kernel = iota // 1 − 3 q² + 2 q³, q = r/R: smoother, and rounds more
	Interpolating               // [Larionov21] eq. (10), which comes the nearer to the samples the smaller ε is
	kernels                     // how many
)

func (k Kernel) valid() bool { return k < kernels }

// String returns the word for k.
func (k Kernel) String() string {
	switch k {
	case Cubic:
		return "cubic"
	case Interpolating:
		return "interpolating"
	}
	return "unknown"
}

// weight returns w̃ at a squared distance below R², and what its derivatives are made of: with d = x − s,
//
//	∇w̃ = first d,   ∇∇w̃ = first 1 + second d dᵀ.
//
// That of the interpolating kernel does not vanish at R: a sample that comes in or goes changes ∇Ψ by the order of ε²
// of the weight of the nearest, while the cubic one is C¹.
func (s *Surface) weight(distance2 float64) (w, first, second float64) {
	u := distance2 / (s.Radius * s.Radius)
	r2 := 1 / (s.Radius * s.Radius)
	if s.Kernel == Cubic {
		q := math.Sqrt(u)
		w, first = 1-u*(3-2*q), 6*(q-1)*r2
		if q > 0 {
			second = 6 * r2 * r2 / q
		}
		return w, first, second
	}
	e := s.epsilon()
	full := 1/(e*e) - 1/((1+e)*(1+e))
	inverse := 1 / (u + e)
	square := inverse * inverse
	w = (square - 1/((1+e)*(1+e))) / full
	first = -4 * r2 * square * inverse / full
	second = 24 * r2 * r2 * square * square / full
	return w, first, second
}
