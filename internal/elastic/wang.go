package elastic

import (
	"math"

	"github.com/toile-sim/toile/material"
)

// The tabulated law of [Wang11] (the piecewise linear elastic model): the four coefficients of StVK
// depend on the strain. One row holds at small strain and five at large strain, for angles
// of 0, 22.5, 45, 67.5 and 90 degrees between the direction of the major principal stretch and the
// warp; the large rows have full weight at a major stretch of 1 + 1/6. Coefficients below zero,
// which the fit to measurements gives here and there, count as zero.
//
// Commonly the coefficients are blended linearly and the tension is taken as K(g) g, which is the
// gradient of no energy. Here
//
//	W = ½ gᵀ K g,   K = S + τ(u) (L - S),   L = L₀ + D (Λ(θ) - L₀)
//
// and force and Hessian are its exact derivatives. S is the small row, and with m = (G00 + G11)/2,
// x = (G00 - G11)/2, y = G01, r = √(x² + y²) (principal strains m ± r):
//
//	θ     twice the angle, the one of the vector (x, y)
//	Λ(θ)  = Σ_j K_j φ(θ - jπ/4) over the rows and their mirror images, with the Fejér kernel
//	      φ(t) = (sin 4t / (8 sin t/2))²: weights are not negative, sum to one, and are one and zero
//	      at the angles of the rows. It is a cosine sum of degree seven.
//	D     = σ(2r²/(r² + m²)) up to 1, σ(v) = 10v³ - 15v⁴ + 6v⁵: near equal stretches, where the
//	      direction means nothing, the rows are replaced by their mean L₀; at a strain along one
//	      direction only (r = |m|) and beyond, D is one.
//	u     = (m + √(r² + β² m²))/e₁, with e₁ the Green strain at the stretch of full weight: the
//	      major strain m + r, rounded at r = 0.
//	τ(u)  = 2/u² ∫₀ᵘ v σ(v) dv, so that under proportional strain (g growing along a ray) the work
//	      rate is that of the table, g·s = gᵀ (S + σ(u)(L - S)) g, although the energy also contains
//	      the derivative of K.
//
// Departures from [Wang11] and their reasons: σ in place of the linear ramp, over Green strain in
// place of stretch (the law must have two continuous derivatives, and then τ is a polynomial); Λ and
// D in place of linear interpolation over the angle (the same, and equal stretches); coefficients
// clamped before the blend, not after (a clamp after it would have a kink), and the coupling k1 of a
// row limited to √(k0 k2) (one measured row would otherwise have negative energies); β = 0.2
// overrates the major strain by 1 % in uniaxial strain and 20 % at equal stretches.
//
// Invariants: K is a convex combination of positive semi-definite rows, so W ≥ 0; W has continuous
// second derivatives everywhere; m, r, u are homogeneous in g, so D and θ are constant along rays.

// Wang is the tabulated law of [Wang11]. It is made by NewWang.
type Wang struct {
	table    *material.StretchTable
	small    [4]float64             // S, clamped
	mean     [4]float64             // L₀ - S
	harmonic [wangDegree][4]float64 // Λ - L₀ = Σ harmonic[n-1] cos(nθ)
}

var _ MembraneLaw = (*Wang)(nil)

// Validate lists what is wrong with the table.
func (w *Wang) Validate() error { return w.table.Validate() }

const (
	wangRows   = 5
	wangNodes  = 2 * (wangRows - 1) // the rows and their mirror images around the circle of θ
	wangDegree = wangNodes - 1
	wangFull   = 1 + 1.0/6                   // stretch at which the large rows have full weight
	wangStrain = (wangFull*wangFull - 1) / 2 // e₁
	wangBeta2  = 0.2 * 0.2                   // β²
)

// NewWang returns the law of a table.
func NewWang(t *material.StretchTable) *Wang {
	w := &Wang{table: t, small: t.Small.Admissible()}
	for j := range wangNodes {
		row := t.Large[min(j, wangNodes-j)].Admissible()
		for i, k := range row {
			w.mean[i] += k / wangNodes
			for n := 1; n <= wangDegree; n++ {
				a := 2.0 / wangNodes * (1 - float64(n)/wangNodes)
				w.harmonic[n-1][i] += a * k * math.Cos(float64(n*j)*2*math.Pi/wangNodes)
			}
		}
	}
	for i := range w.mean {
		w.mean[i] -= w.small[i]
	}
	return w
}

// wangPoint is a strain in the coordinates of the law.
type wangPoint struct {
	m, x, y, r2, n float64 // n = √(r² + β² m²)
}

func newWangPoint(g Strain) wangPoint {
	p := wangPoint{m: 0.5 * (g.Warp + g.Weft), x: 0.5 * (g.Warp - g.Weft), y: 0.5 * g.Shear}
	p.r2 = p.x*p.x + p.y*p.y
	p.n = math.Sqrt(p.r2 + wangBeta2*p.m*p.m)
	return p
}

func (p *wangPoint) u() float64 { return (p.m + p.n) / wangStrain }

// direction is 2r²/(r² + m²), the argument of D.
func (p *wangPoint) direction() float64 { return 2 * p.r2 / (p.r2 + p.m*p.m) }

const (
	wangRest      = 1e-9 // below this u, τ is zero to rounding
	wangIsotropic = 1e-7 // below this argument, D is zero to rounding, with two derivatives
)

// Eval returns energy, tension and tangent.
func (w *Wang) Eval(g Strain, detail Detail) (float64, Tension, Tangent) {
	p := newWangPoint(g)
	if detail == EnergyOnly {
		return w.energy(&p), Tension{}, Tangent{}
	}
	total := p.form(&w.small)
	if u := p.u(); u > wangRest {
		large := p.form(&w.mean)
		if v := p.direction(); v > wangIsotropic {
			angular := w.angular(&p)
			if v < 1 {
				d := p.directionJet().compose(smoothStep(v))
				angular = d.times(&angular)
			}
			large.add(&angular)
		}
		tau := p.majorJet().compose(wangBlend(u))
		blend := tau.times(&large)
		total.add(&blend)
	}
	return total.strainDerivatives()
}

// energy is the value of Eval alone.
func (w *Wang) energy(p *wangPoint) float64 {
	// squares and products of strain
	a, b := p.m+p.x, p.m-p.x
	q := [4]float64{0.5 * a * a, a * b, 0.5 * b * b, 0.5 * p.y * p.y}
	dot := func(k *[4]float64) float64 { return q[0]*k[0] + q[1]*k[1] + q[2]*k[2] + q[3]*k[3] }
	// small strains
	total := dot(&w.small)
	u := p.u()
	if u <= wangRest {
		return total
	}
	// large strains: the mean over directions
	large := dot(&w.mean)
	// and how they depend on the direction
	if v := p.direction(); v > wangIsotropic {
		var angular float64
		r := math.Sqrt(p.r2)
		c, s := p.x/r, p.y/r
		cn, sn := c, s
		for n := range w.harmonic {
			angular += cn * dot(&w.harmonic[n])
			cn, sn = cn*c-sn*s, sn*c+cn*s
		}
		// less so where strain is the same in all directions
		if v < 1 {
			d, _, _ := smoothStep(v)
			angular *= d
		}
		large += angular
	}
	// blended by how large strain is
	tau, _, _ := wangBlend(u)
	return total + tau*large
}

// smoothStep is σ with its first two derivatives, for v between 0 and 1.
func smoothStep(v float64) (f, d, dd float64) {
	return v * v * v * (10 + v*(-15+6*v)), 30 * v * v * (1 + v*(-2+v)), 60 * v * (1 + v*(-3+2*v))
}

// wangBlend is τ with its first two derivatives, for u > 0.
func wangBlend(u float64) (f, d, dd float64) {
	if u < 1 {
		return u * u * u * (4 + u*(-5+12.0/7*u)), u * u * (12 + u*(-20+60.0/7*u)), u * (24 + u*(-60+240.0/7*u))
	}
	i := 1 / u
	return 1 - 2.0/7*i*i, 4.0 / 7 * i * i * i, -12.0 / 7 * i * i * i * i
}
