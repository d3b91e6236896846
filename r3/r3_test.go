package r3

import (
	"math"
	"math/rand/v2"
	"testing"
)

func random(rng *rand.Rand) Vec { return V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()) }

func randomMat(rng *rand.Rand) Mat { return Rows(random(rng), random(rng), random(rng)) }

func near(t *testing.T, what string, got, want Vec, tol float64) {
	t.Helper()
	if !(got.Sub(want).Norm() <= tol) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// Properties of products: a x b is orthogonal to both and as long as the parallelogram is large.
func TestVectorProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		a, b := random(rng), random(rng)
		c := a.Cross(b)
		if math.Abs(c.Dot(a)) > 1e-14*a.Norm2()*b.Norm() || math.Abs(c.Dot(b)) > 1e-14*a.Norm()*b.Norm2() {
			t.Fatalf("%v x %v = %v is not orthogonal to them", a, b, c)
		}
		// Lagrange's identity.
		if got, want := c.Norm2(), a.Norm2()*b.Norm2()-a.Dot(
			b,
		)*a.Dot(
			b,
		); math.Abs(
			got-want,
		) > 1e-13*a.Norm2()*b.Norm2() {
			t.Fatalf("|a x b|² = %v, want %v", got, want)
		}
		u := a.Unit()
		o := u.Orthogonal()
		if math.Abs(o.Dot(u)) > 1e-15 || math.Abs(o.Norm()-1) > 1e-15 {
			t.Fatalf("%v is not a unit vector orthogonal to %v", o, u)
		}
		near(t, "cross matrix", func() Vec { m := Cross(a); return m.MulVec(b) }(), c, 1e-15*10)
		m := Outer(a, b)
		near(t, "outer product", m.MulVec(c), a.Scale(b.Dot(c)), 1e-13)
	}
	if (Vec{}).Unit() != (Vec{}) {
		t.Error("the zero vector has a direction")
	}
}

func TestMatrixAlgebra(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 100 {
		a, b, v := randomMat(rng), randomMat(rng), random(rng)
		ab := a.Mul(&b)
		near(t, "(ab)v", ab.MulVec(v), a.MulVec(b.MulVec(v)), 1e-13)
		at := a.T()
		near(t, "aᵀv", a.MulVecT(v), at.MulVec(v), 1e-15)
		if d := ab.Det() - a.Det()*b.Det(); math.Abs(d) > 1e-12 {
			t.Fatalf("det ab differs from det a det b by %v", d)
		}
		inv, ok := a.Inverse()
		if !ok {
			t.Fatal("a random matrix is singular")
		}
		near(t, "a⁻¹ a v", inv.MulVec(a.MulVec(v)), v, 1e-14*inv.MaxAbs()*a.MaxAbs()*10*v.Norm())
		sum := a
		sum.AddScaled(2, &b)
		sum.AddOuter(3, v, v)
		sum.AddDiagonal(4)
		want := a.MulVec(v).AddScaled(2, b.MulVec(v)).AddScaled(3*v.Norm2(), v).AddScaled(4, v)
		near(t, "sum", sum.MulVec(v), want, 1e-12)
	}
	var singular Mat
	if _, ok := singular.Inverse(); ok {
		t.Error("the zero matrix has an inverse")
	}
}

func TestRotations(t *testing.T) {
	near(t, "quarter turn", Rotation(V(0, 0, 2), math.Pi/2).Rotate(V(1, 0, 0)), V(0, 1, 0), 1e-15)
	rng := rand.New(rand.NewPCG(3, 1))
	for range 100 {
		p := Pose{Rotation(random(rng), 3*rng.Float64()), random(rng)}
		q := Pose{Rotation(random(rng), 3*rng.Float64()), random(rng)}
		x := random(rng)
		near(t, "pose product", p.Mul(q).Apply(x), p.Apply(q.Apply(x)), 1e-14)
		near(t, "inverse", p.Inverse().Apply(p.Apply(x)), x, 1e-14)
		m := p.R.Mat()
		near(t, "matrix", m.MulVec(x), p.R.Rotate(x), 1e-14)
		near(
			t,
			"halfway twice",
			p.R.Slerp(q.R, 0.5).Mul(p.R.Conj()).Mul(p.R.Slerp(q.R, 0.5)).Rotate(x),
			q.R.Rotate(x),
			1e-13,
		)
		near(t, "slerp ends", p.R.Slerp(q.R, 1).Rotate(x), q.R.Rotate(x), 1e-14)
	}
	for _, angle := range []float64{0, 1e-200, 1e-9, 1, 3.14} {
		v := V(1, -2, 2).Scale(angle / 3)
		near(t, "vector", Rotation(v, angle).Vector(), v, 1e-15*(1+angle))
		q := Rotation(v, angle-2*math.Pi)
		near(t, "vector, the long way", q.Vector(), v, 1e-15*(1+angle))
	}
	if Rotation(Vec{}, 1) != NoRotation() || (Quat{}).Unit() != NoRotation() {
		t.Error("a rotation about nothing turns")
	}
}

func TestFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, v := range []Vec{V(bad, 0, 0), V(0, bad, 0), V(0, 0, bad), V(bad, -bad, 0)} {
			if v.Finite() {
				t.Errorf("%v is called finite", v)
			}
		}
		m := Mat{ZY: bad}
		if m.Finite() || (Vec2{X: bad}).Finite() {
			t.Errorf("%v is called finite", bad)
		}
	}
	m := Diagonal(math.MaxFloat64)
	if !V(math.MaxFloat64, -1, 0).Finite() || !m.Finite() {
		t.Error("a large number is called infinite")
	}
}

func TestBoxes(t *testing.T) {
	b := BoxOf([]Vec{V(1, 2, 3), V(-1, 4, 0)})
	if b.Min != V(-1, 2, 0) || b.Max != V(1, 4, 3) || b.Empty() || !EmptyBox().Empty() {
		t.Errorf("box %v", b)
	}
	if b.Center() != V(0, 3, 1.5) || b.Size() != V(2, 2, 3) || !b.Contains(V(1, 4, 3)) || b.Contains(V(1.1, 3, 1)) {
		t.Errorf("box %v has the wrong middle, size or inside", b)
	}
	if u := b.Union(EmptyBox()); u != b {
		t.Errorf("union with nothing is %v", u)
	}
}

// TestLeastEigenvalue: of Q diag(λ) Qᵀ it is the least λ, to roundings of the largest, whatever their size and
// however equal they are; of a diagonal matrix it is exact.
func TestLeastEigenvalue(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for _, values := range [][3]float64{
		{1, 2, 3}, {1, 1, 1}, {1, 1, 2}, {1, 2, 2}, {1, 1 + 1e-12, 1}, {1e-9, 1, 1}, {1e-9, 1e-9, 1}, {-2, 1, 3}, {0, 0, 1},
	} {
		for _, size := range []float64{1, 1e-12, 1e12, 1e-170, 1e170} {
			m := Mat{XX: size * values[2], YY: size * values[0], ZZ: size * values[1]}
			if got := m.LeastEigenvalue(); got != size*values[0] {
				t.Errorf("diagonal %v times %g: %g", values, size, got)
			}
			for range 20 {
				q := Rotation(random(rng).Unit(), 3*rng.Float64()).Mat()
				turned := q.Mul(&m)
				back := q.T()
				turned = turned.Mul(&back)
				for _, e := range [][2]*float64{
					{&turned.XY, &turned.YX}, {&turned.XZ, &turned.ZX}, {&turned.YZ, &turned.ZY},
				} {
					*e[1] = *e[0]
				}
				if off := math.Abs(turned.LeastEigenvalue()/size - values[0]); !(off <= 1e-14) {
					t.Errorf("%v times %g, turned: off by %g", values, size, off)
				}
			}
		}
	}
}
