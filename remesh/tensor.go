package remesh

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Sizing tensors: symmetric, positive semidefinite 2x2 matrices in material space.

func isotropic(l float64) Tensor { return Tensor{XX: l, YY: l} }

// outer returns s g gᵀ.
func outer(s float64, g r3.Vec2) Tensor { return Tensor{s * g.X * g.X, s * g.X * g.Y, s * g.Y * g.Y} }

// gram returns s DᵀD of the 3x2 matrix with columns a and b.
func gram(s float64, a, b r3.Vec) Tensor { return Tensor{s * a.Dot(a), s * a.Dot(b), s * b.Dot(b)} }

// Add returns t + u.
func (t Tensor) Add(u Tensor) Tensor { return Tensor{t.XX + u.XX, t.XY + u.XY, t.YY + u.YY} }

// Scale returns s t.
func (t Tensor) Scale(s float64) Tensor { return Tensor{s * t.XX, s * t.XY, s * t.YY} }

// Of returns d·t d, the square of the size of an edge d.
func (t Tensor) Of(d r3.Vec2) float64 { return t.XX*d.X*d.X + 2*t.XY*d.X*d.Y + t.YY*d.Y*d.Y }

// Between returns a·t b.
func (t Tensor) Between(a, b r3.Vec2) float64 {
	return t.XX*a.X*b.X + t.XY*(a.X*b.Y+a.Y*b.X) + t.YY*a.Y*b.Y
}

func (t Tensor) det() float64 { return t.XX*t.YY - t.XY*t.XY }

// Eigen returns the eigenvalues, the larger first, and the unit eigenvector of the larger.
func (t Tensor) Eigen() (large, small float64, axis r3.Vec2) {
	mean, half := (t.XX+t.YY)/2, (t.XX-t.YY)/2
	radius := math.Hypot(half, t.XY)
	if radius == 0 {
		return mean, mean, r3.Vec2{X: 1}
	}
	// The larger of the two columns of t − small, so that nothing cancels.
	axis = r3.Vec2{X: half + radius, Y: t.XY}
	if half < 0 {
		axis = r3.Vec2{X: t.XY, Y: radius - half}
	}
	return mean + radius, mean - radius, axis.Scale(1 / axis.Norm())
}

// fromEigen is the inverse of Eigen.
func fromEigen(large, small float64, axis r3.Vec2) Tensor {
	return outer(large, axis).Add(outer(small, r3.Vec2{X: -axis.Y, Y: axis.X}))
}

// within returns t with its eigenvalues limited to [lo, hi].
func (t Tensor) within(lo, hi float64) Tensor {
	large, small, axis := t.Eigen()
	if large <= hi && small >= lo {
		return t
	}
	return fromEigen(min(max(large, lo), hi), min(max(small, lo), hi), axis)
}

// rounded returns t with its smaller eigenvalue raised to at least aspect² times the larger.
func (t Tensor) rounded(aspect float64) Tensor {
	large, small, axis := t.Eigen()
	if least := aspect * aspect * large; small < least {
		return fromEigen(large, least, axis)
	}
	return t
}

// Combine returns the tensor with the least determinant that wants every edge at least as short as t and u do, after [Narain13]: in
// axes in which t is the identity and u diagonal, the larger entries. t must be positive definite.
func (t Tensor) Combine(u Tensor) Tensor {
	// t = L Lᵀ with L = (a 0; b c), and L⁻¹ u L⁻ᵀ = Q Λ Qᵀ.
	a := math.Sqrt(t.XX)
	b := t.XY / a
	c := math.Sqrt(t.YY - b*b)
	xx := u.XX / (a * a)
	xy := (u.XY - b*u.XX/a) / (a * c)
	yy := (u.YY - 2*b*u.XY/a + b*b*u.XX/(a*a)) / (c * c)
	large, small, axis := Tensor{xx, xy, yy}.Eigen()
	if large <= 1 {
		return t
	}
	if small >= 1 {
		return u
	}
	m := fromEigen(large, 1, axis)
	return Tensor{
		XX: a * a * m.XX,
		XY: a * (b*m.XX + c*m.XY),
		YY: b*b*m.XX + 2*b*c*m.XY + c*c*m.YY,
	}
}
