package referee

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// TestReferenceFindsEverySlide counts the slides of the reference against sign changes over the
// sliding angle. With u_T = ρ d, d⊥·(r_T) = 0 gives ρ or its absence, and the law along d is left:
//
//	F(θ) = (d⊥·H d)(d·b_T + μ b_N) - (d⊥·b_T)(d·H d + μ c·d) = 0.
func TestReferenceFindsEverySlide(t *testing.T) {
	const angles = 20_000
	rng := rand.New(rand.NewPCG(3, 9))
	several := 0
	for problem := range 400 {
		w := RandomStiffness(rng, 300, 3)
		b := gauss(rng)
		mu := 0.1 + 1.1*rng.Float64()
		if rng.IntN(2) == 0 {
			b = w.MulVec(r3.V(0.1*rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()))
		}
		slides := 0
		for _, s := range Coulomb(&w, b, mu).Solutions {
			if s.Case == Slide {
				slides++
			}
		}
		if slides > 1 {
			several++
		}
		at := func(i float64) (f, rho, rn float64) {
			sin, cos := math.Sincos(2 * math.Pi * (i + 0.5) / angles)
			hx, hy := w.YY*cos+w.YZ*sin, w.YZ*cos+w.ZZ*sin
			side, along := cos*hy-sin*hx, cos*hx+sin*hy+mu*(w.XY*cos+w.XZ*sin)
			bside, balong := cos*b.Z-sin*b.Y, cos*b.Y+sin*b.Z+mu*b.X
			// Least squares over both equations, since each coefficient alone can vanish.
			rho = -(side*bside + along*balong) / (side*side + along*along)
			return side*balong - bside*along, rho, rho*(w.XY*cos+w.XZ*sin) + b.X
		}
		found := 0
		last, _, _ := at(-1)
		for i := range angles {
			f, rho, rn := at(float64(i))
			if f*last < 0 {
				lo, hi := float64(i-1), float64(i)
				for range 60 {
					if f, rho, rn = at((lo + hi) / 2); f*last > 0 {
						lo = (lo + hi) / 2
					} else {
						hi = (lo + hi) / 2
					}
				}
				if rho > 0 && rn > 0 {
					found++
				}
				f, _, _ = at(float64(i))
			}
			last = f
		}
		if found != slides {
			t.Errorf("problem %d: %d slides, the scan finds %d", problem, slides, found)
		}
	}
	if several == 0 {
		t.Error("no problem had several slides")
	}
}

// A node pressed down and pushed sideways beyond the cone has one solution: it slides.
func ExampleCoulomb() {
	w := r3.Identity()
	all := Coulomb(&w, r3.V(1, -1, 0), 0.25)
	for _, s := range all.Solutions {
		fmt.Println(s.Case == Slide, s.U.Norm())
	}
	// Output: true 0.75
}
