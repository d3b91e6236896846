package elastic

import "math"

// Exact derivatives of the tabulated law by second-order forward differentiation: a jet is a
// function's value, gradient and Hessian by (m, x, y), the coordinates of wang.go. Sums and products
// of jets are the sum and product rules; what is not a sum or product below is differentiated by
// hand.

// jet is a value with its first and second derivatives by m, x and y.
type jet struct {
	f                      float64
	m, x, y                float64
	mm, mx, my, xx, xy, yy float64
}

func (a *jet) add(b *jet) {
	a.f += b.f
	a.m += b.m
	a.x += b.x
	a.y += b.y
	a.mm += b.mm
	a.mx += b.mx
	a.my += b.my
	a.xx += b.xx
	a.xy += b.xy
	a.yy += b.yy
}

// times returns a b.
func (a *jet) times(b *jet) jet {
	return jet{
		f:  a.f * b.f,
		m:  a.f*b.m + a.m*b.f,
		x:  a.f*b.x + a.x*b.f,
		y:  a.f*b.y + a.y*b.f,
		mm: a.f*b.mm + 2*a.m*b.m + a.mm*b.f,
		mx: a.f*b.mx + a.m*b.x + a.x*b.m + a.mx*b.f,
		my: a.f*b.my + a.m*b.y + a.y*b.m + a.my*b.f,
		xx: a.f*b.xx + 2*a.x*b.x + a.xx*b.f,
		xy: a.f*b.xy + a.x*b.y + a.y*b.x + a.xy*b.f,
		yy: a.f*b.yy + 2*a.y*b.y + a.yy*b.f,
	}
}

// compose returns h(a), given h and its derivatives d and dd at the value of a.
func (a jet) compose(h, d, dd float64) jet {
	return jet{
		f:  h,
		m:  d * a.m,
		x:  d * a.x,
		y:  d * a.y,
		mm: d*a.mm + dd*a.m*a.m,
		mx: d*a.mx + dd*a.m*a.x,
		my: d*a.my + dd*a.m*a.y,
		xx: d*a.xx + dd*a.x*a.x,
		xy: d*a.xy + dd*a.x*a.y,
		yy: d*a.yy + dd*a.y*a.y,
	}
}

// form is the quadratic form ½ gᵀ K g with constant coefficients k:
// ½ k0 (m + x)² + k1 (m² - x²) + ½ k2 (m - x)² + ½ k3 y².
func (p *wangPoint) form(k *[4]float64) jet {
	mm, mx, xx, yy := k[0]+2*k[1]+k[2], k[0]-k[2], k[0]-2*k[1]+k[2], k[3]
	m, x, y := mm*p.m+mx*p.x, mx*p.m+xx*p.x, yy*p.y
	return jet{
		f: 0.5 * (m*p.m + x*p.x + y*p.y),
		m: m, x: x, y: y,
		mm: mm, mx: mx, xx: xx, yy: yy,
	}
}

// majorJet is u.
func (p *wangPoint) majorJet() jet {
	i := 1 / p.n
	nm, nx, ny := wangBeta2*p.m*i, p.x*i, p.y*i
	const e = 1 / wangStrain
	i *= e
	return jet{
		f: p.u(),
		m: e * (1 + nm), x: e * nx, y: e * ny,
		mm: i * (wangBeta2 - nm*nm), mx: -i * nm * nx, my: -i * nm * ny,
		xx: i * (1 - nx*nx), xy: -i * nx * ny, yy: i * (1 - ny*ny),
	}
}

// directionJet is 2r²/d with d = r² + m².
func (p *wangPoint) directionJet() jet {
	m2 := p.m * p.m
	i := 1 / (p.r2 + m2)
	a := 4 * i * i      // of the gradient
	b := 16 * i * i * i // of the Hessian
	return jet{
		f: 2 * p.r2 * i,
		m: -a * p.m * p.r2, x: a * m2 * p.x, y: a * m2 * p.y,
		mm: p.r2 * (b*m2 - a), mx: p.m * p.x * (b*p.r2 - 2*a), my: p.m * p.y * (b*p.r2 - 2*a),
		xx: m2 * (a - b*p.x*p.x), xy: -b * m2 * p.x * p.y, yy: m2 * (a - b*p.y*p.y),
	}
}

// angular is ½ gᵀ (Λ(θ) - L₀) g, for r > 0. For each n the coefficients of cos nθ are constant, so
// it is a sum of products of a cosine and a quadratic form; terms with the same derivative of the
// cosine are summed before they are multiplied.
func (w *Wang) angular(p *wangPoint) jet {
	r := math.Sqrt(p.r2)
	c, s := p.x/r, p.y/r
	// k, d and dd are Λ - L₀ and its derivatives by θ.
	var k, d, dd [4]float64
	cn, sn := c, s
	for i := range w.harmonic {
		h := &w.harmonic[i]
		n := float64(i + 1)
		for j, a := range h {
			k[j] += a * cn
			d[j] -= a * n * sn
			dd[j] -= a * n * n * cn
		}
		cn, sn = cn*c-sn*s, sn*c+cn*s
	}
	// W = Σ q_j k_j(θ): product rule with θ as the only variable of k.
	i := 1 / r
	tx, ty := -s*i, c*i
	txx, txy := 2*s*c*i*i, (s*s-c*c)*i*i
	q, qd, qdd := p.form(&k), p.form(&d), p.form(&dd)
	return jet{
		f: q.f,
		m: q.m, x: q.x + qd.f*tx, y: q.y + qd.f*ty,
		mm: q.mm,
		mx: q.mx + qd.m*tx,
		my: q.my + qd.m*ty,
		xx: q.xx + 2*qd.x*tx + qd.f*txx + qdd.f*tx*tx,
		xy: q.xy + qd.x*ty + qd.y*tx + qd.f*txy + qdd.f*tx*ty,
		yy: q.yy + 2*qd.y*ty - qd.f*txx + qdd.f*ty*ty,
	}
}

// strainDerivatives returns the value and the derivatives by (G00, G11, 2 G01), where
// m = (G00 + G11)/2, x = (G00 - G11)/2 and y = (2 G01)/2.
func (a *jet) strainDerivatives() (float64, Tension, Tangent) {
	return a.f,
		Tension{0.5 * (a.m + a.x), 0.5 * (a.m - a.x), 0.5 * a.y},
		Tangent{
			C00: 0.25 * (a.mm + 2*a.mx + a.xx),
			C01: 0.25 * (a.mm - a.xx),
			C02: 0.25 * (a.my + a.xy),
			C11: 0.25 * (a.mm - 2*a.mx + a.xx),
			C12: 0.25 * (a.my - a.xy),
			C22: 0.25 * a.yy,
		}
}
