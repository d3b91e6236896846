package r3

import "math"

// Mat is a 3x3 matrix, row by row.
type Mat struct {
	XX, XY, XZ float64
	YX, YY, YZ float64
	ZX, ZY, ZZ float64
}

// Identity returns the unit matrix.
func Identity() Mat { return Mat{XX: 1, YY: 1, ZZ: 1} }

// Diagonal returns s times the unit matrix.
func Diagonal(s float64) Mat { return Mat{XX: s, YY: s, ZZ: s} }

// Outer returns a bᵀ.
func Outer(a, b Vec) Mat {
	return Mat{
		a.X * b.X, a.X * b.Y, a.X * b.Z,
		a.Y * b.X, a.Y * b.Y, a.Y * b.Z,
		a.Z * b.X, a.Z * b.Y, a.Z * b.Z,
	}
}

// Cross returns the matrix of w ↦ a x w.
func Cross(a Vec) Mat {
	return Mat{0, -a.Z, a.Y, a.Z, 0, -a.X, -a.Y, a.X, 0}
}

// Rows returns the matrix with rows a, b and c.
func Rows(a, b, c Vec) Mat { return Mat{a.X, a.Y, a.Z, b.X, b.Y, b.Z, c.X, c.Y, c.Z} }

// Columns returns the matrix with columns a, b and c.
func Columns(a, b, c Vec) Mat { return Mat{a.X, b.X, c.X, a.Y, b.Y, c.Y, a.Z, b.Z, c.Z} }

// MulVec returns m v.
func (m *Mat) MulVec(v Vec) Vec {
	return Vec{
		m.XX*v.X + m.XY*v.Y + m.XZ*v.Z,
		m.YX*v.X + m.YY*v.Y + m.YZ*v.Z,
		m.ZX*v.X + m.ZY*v.Y + m.ZZ*v.Z,
	}
}

// MulVecT returns mᵀ v.
func (m *Mat) MulVecT(v Vec) Vec {
	return Vec{
		m.XX*v.X + m.YX*v.Y + m.ZX*v.Z,
		m.XY*v.X + m.YY*v.Y + m.ZY*v.Z,
		m.XZ*v.X + m.YZ*v.Y + m.ZZ*v.Z,
	}
}

// Mul returns m n.
func (m *Mat) Mul(n *Mat) Mat {
	return Mat{
		m.XX*n.XX + m.XY*n.YX + m.XZ*n.ZX, m.XX*n.XY + m.XY*n.YY + m.XZ*n.ZY, m.XX*n.XZ + m.XY*n.YZ + m.XZ*n.ZZ,
		m.YX*n.XX + m.YY*n.YX + m.YZ*n.ZX, m.YX*n.XY + m.YY*n.YY + m.YZ*n.ZY, m.YX*n.XZ + m.YY*n.YZ + m.YZ*n.ZZ,
		m.ZX*n.XX + m.ZY*n.YX + m.ZZ*n.ZX, m.ZX*n.XY + m.ZY*n.YY + m.ZZ*n.ZY, m.ZX*n.XZ + m.ZY*n.YZ + m.ZZ*n.ZZ,
	}
}

// Add adds n to m in place.
func (m *Mat) Add(n *Mat) {
	m.XX += n.XX
	m.XY += n.XY
	m.XZ += n.XZ
	m.YX += n.YX
	m.YY += n.YY
	m.YZ += n.YZ
	m.ZX += n.ZX
	m.ZY += n.ZY
	m.ZZ += n.ZZ
}

// AddScaled adds s n to m in place.
func (m *Mat) AddScaled(s float64, n *Mat) {
	m.XX += s * n.XX
	m.XY += s * n.XY
	m.XZ += s * n.XZ
	m.YX += s * n.YX
	m.YY += s * n.YY
	m.YZ += s * n.YZ
	m.ZX += s * n.ZX
	m.ZY += s * n.ZY
	m.ZZ += s * n.ZZ
}

// AddOuter adds s a bᵀ to m in place.
func (m *Mat) AddOuter(s float64, a, b Vec) {
	x, y, z := s*a.X, s*a.Y, s*a.Z
	m.XX += x * b.X
	m.XY += x * b.Y
	m.XZ += x * b.Z
	m.YX += y * b.X
	m.YY += y * b.Y
	m.YZ += y * b.Z
	m.ZX += z * b.X
	m.ZY += z * b.Y
	m.ZZ += z * b.Z
}

// AddDiagonal adds s times the unit matrix to m in place.
func (m *Mat) AddDiagonal(s float64) {
	m.XX += s
	m.YY += s
	m.ZZ += s
}

// Scale returns s m.
func (m *Mat) Scale(s float64) Mat {
	return Mat{
		s * m.XX, s * m.XY, s * m.XZ,
		s * m.YX, s * m.YY, s * m.YZ,
		s * m.ZX, s * m.ZY, s * m.ZZ,
	}
}

// T returns the transpose of m.
func (m *Mat) T() Mat {
	return Mat{m.XX, m.YX, m.ZX, m.XY, m.YY, m.ZY, m.XZ, m.YZ, m.ZZ}
}

// Trace returns the sum of the diagonal.
func (m *Mat) Trace() float64 { return m.XX + m.YY + m.ZZ }

// Norm2 returns the sum of the squares of all entries.
func (m *Mat) Norm2() float64 {
	return m.XX*m.XX + m.XY*m.XY + m.XZ*m.XZ + m.YX*m.YX + m.YY*m.YY + m.YZ*m.YZ + m.ZX*m.ZX + m.ZY*m.ZY + m.ZZ*m.ZZ
}

// Det returns the determinant.
func (m *Mat) Det() float64 {
	return m.XX*(m.YY*m.ZZ-m.YZ*m.ZY) - m.XY*(m.YX*m.ZZ-m.YZ*m.ZX) + m.XZ*(m.YX*m.ZY-m.YY*m.ZX)
}

// Inverse returns the inverse of m by cofactors, and false if m is singular to working
// precision or not finite.
func (m *Mat) Inverse() (Mat, bool) {
	c := Mat{
		m.YY*m.ZZ - m.YZ*m.ZY, m.XZ*m.ZY - m.XY*m.ZZ, m.XY*m.YZ - m.XZ*m.YY,
		m.YZ*m.ZX - m.YX*m.ZZ, m.XX*m.ZZ - m.XZ*m.ZX, m.XZ*m.YX - m.XX*m.YZ,
		m.YX*m.ZY - m.YY*m.ZX, m.XY*m.ZX - m.XX*m.ZY, m.XX*m.YY - m.XY*m.YX,
	}
	det := m.XX*c.XX + m.XY*c.YX + m.XZ*c.ZX
	if det == 0 || det-det != 0 {
		return Mat{}, false
	}
	return c.Scale(1 / det), true
}

// MaxAbs returns the largest magnitude of the nine entries.
func (m *Mat) MaxAbs() float64 {
	return max(
		math.Abs(m.XX), math.Abs(m.XY), math.Abs(m.XZ),
		math.Abs(m.YX), math.Abs(m.YY), math.Abs(m.YZ),
		math.Abs(m.ZX), math.Abs(m.ZY), math.Abs(m.ZZ),
	)
}

// Finite reports whether no entry is infinite or not a number.
func (m *Mat) Finite() bool {
	s := (m.XX - m.XX) + (m.XY - m.XY) + (m.XZ - m.XZ) +
		(m.YX - m.YX) + (m.YY - m.YY) + (m.YZ - m.YZ) +
		(m.ZX - m.ZX) + (m.ZY - m.ZY) + (m.ZZ - m.ZZ)
	return s == 0
}

// LeastEigenvalue returns the least eigenvalue of a symmetric matrix, exactly if it is diagonal.
func (m *Mat) LeastEigenvalue() float64 {
	off := m.XY*m.XY + m.XZ*m.XZ + m.YZ*m.YZ
	if off == 0 {
		return min(m.XX, m.YY, m.ZZ)
	}
	// The roots of the characteristic polynomial by the cosine of a third of an angle [Smith61].
	mean := m.Trace() / 3
	x, y, z := m.XX-mean, m.YY-mean, m.ZZ-mean
	spread := math.Sqrt((x*x + y*y + z*z + 2*off) / 6)
	b := *m
	b.AddDiagonal(-mean)
	b = b.Scale(1 / spread)
	angle := math.Acos(max(-1, min(1, b.Det()/2))) / 3
	return mean + 2*spread*math.Cos(angle+2*math.Pi/3)
}
