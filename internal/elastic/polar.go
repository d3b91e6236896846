package elastic

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// The polar decomposition F = R S, with S symmetric and R a rotation, also where F is inverted: R is the rotation with
// the largest tr(RᵀF). With the singular values σ1 ≥ σ2 ≥ |σ3| of F, of which the last takes the sign of det F, that is
// the R of F = U Σ Vᵀ, R = U Vᵀ, with det U = det V = 1.
//
// tr(RᵀF) is a quadratic form qᵀ N q of the unit quaternion q of R [Horn87]. N is symmetric, and its eigenvalues are
//
//	σ1+σ2+σ3,  σ1-σ2-σ3,  -σ1+σ2-σ3,  -σ1-σ2+σ3
//
// the first of which belongs to R, and the others to R followed by half a turn about u1, u2 and u3, the columns of U.
// Jacobi rotations of N therefore give all that derivatives of R need, the sums σi+σj and their axes, to rounding of
// the largest of them: nothing is squared or divided, so that F may be of any rank and of any size, and equal singular
// values are no special case. Where σ2+σ3 is zero R is not unique, and one is taken; of F = 0 it is the identity.

// polar is a polar decomposition.
type polar struct {
	r r3.Mat
	// For a rotation of R about axis[t], of unit length in space: the sum of the two singular values across it, which
	// is how fast tr(RᵀF) falls with half the square of the angle. In no order; never negative.
	axis [3]r3.Vec
	sum  [3]float64
}

// polarOf decomposes f.
func polarOf(f *r3.Mat) polar {
	size := f.MaxAbs()
	if size == 0 {
		return polar{r: r3.Identity(), axis: [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}}
	}
	g := f.Scale(1 / size)
	n := [4][4]float64{
		{g.XX + g.YY + g.ZZ, g.ZY - g.YZ, g.XZ - g.ZX, g.YX - g.XY},
		{g.ZY - g.YZ, g.XX - g.YY - g.ZZ, g.XY + g.YX, g.XZ + g.ZX},
		{g.XZ - g.ZX, g.XY + g.YX, g.YY - g.XX - g.ZZ, g.YZ + g.ZY},
		{g.YX - g.XY, g.XZ + g.ZX, g.YZ + g.ZY, g.ZZ - g.XX - g.YY},
	}
	v := [4][4]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}
	diagonalize4(&n, &v)
	best := 0
	for i := 1; i < 4; i++ {
		if n[i][i] > n[best][best] {
			best = i
		}
	}
	q := column4(&v, best).Unit()
	p := polar{r: q.Mat()}
	for t := range p.axis {
		i := (best + 1 + t) % 4
		// Half a turn about u after q is the quaternion (0, u) q.
		half := column4(&v, i).Mul(q.Conj())
		p.axis[t] = r3.V(half.X, half.Y, half.Z)
		p.sum[t] = size * (n[best][best] - n[i][i]) / 2
	}
	return p
}

func column4(v *[4][4]float64, i int) r3.Quat {
	return r3.Quat{W: v[0][i], X: v[1][i], Y: v[2][i], Z: v[3][i]}
}

// diagonalize4 makes the symmetric matrix a diagonal by cyclic Jacobi rotations and multiplies them onto v, whose
// columns become the eigenvectors. Convergence is quadratic; twelve sweeps are more than any 4x4 matrix needs.
func diagonalize4(a, v *[4][4]float64) {
	for range 12 {
		off, diagonal := 0.0, 0.0
		for p := range 4 {
			diagonal += a[p][p] * a[p][p]
			for q := p + 1; q < 4; q++ {
				off += a[p][q] * a[p][q]
			}
		}
		if off <= 1e-34*diagonal {
			return
		}
		for p := range 3 {
			for q := p + 1; q < 4; q++ {
				rotate4(a, v, p, q)
			}
		}
	}
}

// rotate4 makes a[p][q] zero.
func rotate4(a, v *[4][4]float64, p, q int) {
	apq := a[p][q]
	if apq == 0 {
		return
	}
	theta := (a[q][q] - a[p][p]) / (2 * apq)
	t := math.Copysign(1, theta) / (math.Abs(theta) + math.Sqrt(theta*theta+1))
	c := 1 / math.Sqrt(t*t+1)
	s := t * c
	a[p][p] -= t * apq
	a[q][q] += t * apq
	a[p][q], a[q][p] = 0, 0
	for i := range 4 {
		if i != p && i != q {
			ip, iq := a[i][p], a[i][q]
			a[i][p], a[i][q] = c*ip-s*iq, s*ip+c*iq
			a[p][i], a[q][i] = a[i][p], a[i][q]
		}
		vp, vq := v[i][p], v[i][q]
		v[i][p], v[i][q] = c*vp-s*vq, s*vp+c*vq
	}
}
