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
	if m.XY == 0 && m.XZ == 0 && m.YZ == 0 {
		return min(m.XX, m.YY, m.ZZ)
	}
	size := m.MaxAbs() // so that squares of entries are numbers
	n := m.Scale(1 / size)
	a := [3][3]float64{{n.XX, n.XY, n.XZ}, {n.YX, n.YY, n.YZ}, {n.ZX, n.ZY, n.ZZ}}
	var v [3][3]float64
	Diagonalize(&a, &v)
	return size * min(a[0][0], a[1][1], a[2][2])
}

// Diagonalize makes the symmetric matrix a diagonal by cyclic Jacobi rotations and multiplies them
// onto v, whose columns become the eigenvectors. Convergence is quadratic; ten sweeps are more than
// any 3x3 matrix needs.
func Diagonalize(a, v *[3][3]float64) {
	for range 10 {
		off := a[0][1]*a[0][1] + a[0][2]*a[0][2] + a[1][2]*a[1][2]
		if off <= 1e-32*(a[0][0]*a[0][0]+a[1][1]*a[1][1]+a[2][2]*a[2][2]) {
			return
		}
		for p := range 2 {
			for q := p + 1; q < 3; q++ {
				rotate3(a, v, p, q)
			}
		}
	}
}

// rotate3 makes a[p][q] zero.
func rotate3(a, v *[3][3]float64, p, q int) {
	if a[p][q] == 0 {
		return
	}
	theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
	t := math.Copysign(1, theta) / (math.Abs(theta) + math.Sqrt(theta*theta+1))
	c := 1 / math.Sqrt(t*t+1)
	s := t * c
	r := 3 - p - q
	apq := a[p][q]
	a[p][p] -= t * apq
	a[q][q] += t * apq
	arp, arq := a[r][p], a[r][q]
	a[r][p], a[r][q] = c*arp-s*arq, s*arp+c*arq
	a[p][r], a[q][r] = a[r][p], a[r][q]
	a[p][q], a[q][p] = 0, 0
	for i := range 3 {
		vp, vq := v[i][p], v[i][q]
		v[i][p], v[i][q] = c*vp-s*vq, s*vp+c*vq
	}
}
