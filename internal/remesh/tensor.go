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
	radius := math.Sqrt(half*half + t.XY*t.XY)
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
	if lo == 0 && t.XX+t.YY <= hi {
		return t // the trace is above the larger eigenvalue
	}
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

// Combine returns the tensor with the least trace that wants every edge at least as short as t and u do [Narain13]. A
// tensor is the disk with middle ((XX−YY)/2, XY) and radius (XX+YY)/2; one is above another if its disk contains the
// other's, and the answer is the smallest disk around both.
func (t Tensor) Combine(u Tensor) Tensor {
	r, s := (t.XX+t.YY)/2, (u.XX+u.YY)/2
	dx, dy := (u.XX-u.YY-t.XX+t.YY)/2, u.XY-t.XY
	apart := math.Sqrt(dx*dx + dy*dy)
	switch {
	case apart+s <= r:
		return t
	case apart+r <= s:
		return u
	}
	radius := (apart + r + s) / 2
	way := (radius - r) / apart
	x, y := (t.XX-t.YY)/2+way*dx, t.XY+way*dy
	return Tensor{radius + x, y, radius - x}
}
