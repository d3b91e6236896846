package elastic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
)

// A strip pulled along the warp, free across, has the tension over strain that material.NewStretch was given.
func TestStVKEngineeringConstants(t *testing.T) {
	k := StVK(material.NewStretch(300, 120, 40, 0.3))
	if err := k.Validate(); err != nil {
		t.Fatal(err)
	}
	const e = 1e-3
	across := -k.Coupling / k.Weft * e
	_, s, _ := k.Eval(Strain{Warp: e, Weft: across}, Exact)
	if math.Abs(s.Warp-300*e) > 1e-13 || math.Abs(s.Weft) > 1e-13 {
		t.Errorf("pulled along the warp by %g: tension %v, want 0.3 along and 0 across", e, s)
	}
	if _, s, _ = k.Eval(Strain{Shear: e}, Exact); math.Abs(s.Shear-40*e) > 1e-13 {
		t.Errorf("sheared by %g: tension %v, want 0.04", e, s)
	}
	// The other Poisson ratio, and their geometric mean.
	if nu := math.Sqrt(k.Coupling / k.Weft * k.Coupling / k.Warp); math.Abs(nu-0.3) > 1e-15 {
		t.Errorf("mean Poisson ratio %g, want 0.3", nu)
	}
	warp, weft, shear, poisson := material.Stretch(k).Engineering()
	for i, d := range []float64{warp - 300, weft - 120, shear - 40, poisson - 0.3} {
		if math.Abs(d) > 1e-12 {
			t.Errorf("engineering constant %d is off by %g", i, d)
		}
	}
}

func TestMembraneOfAnInvalidLawPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a membrane was made with a law that is not valid")
		}
	}()
	NewMembrane(oneTriangle(t, r3.Vec2{}, r3.Vec2{X: 1}, r3.Vec2{Y: 1}), StVK{})
}

func TestTangentProjection(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range 2000 {
		// V diag(l) Vᵀ with known l; the projection must be V diag(max(l, 0)) Vᵀ.
		q := r3.Rotation(randomVec(rng).Unit(), 3*rng.Float64()).Mat()
		l := randomVec(rng)
		make3 := func(l r3.Vec) Tangent {
			d := r3.Mat{XX: l.X, YY: l.Y, ZZ: l.Z}
			qt := q.T()
			a := q.Mul(&d)
			a = a.Mul(&qt)
			return Tangent{a.XX, a.XY, a.XZ, a.YY, a.YZ, a.ZZ}
		}
		got, want := make3(l), make3(l.Max(r3.Vec{}))
		got.project()
		for i, d := range []float64{got.C00 - want.C00, got.C01 - want.C01, got.C02 - want.C02, got.C11 - want.C11, got.C12 - want.C12, got.C22 - want.C22} {
			if math.Abs(d) > 1e-14*(1+l.MaxAbs()) {
				t.Fatalf("entry %d of the projection is off by %g (eigenvalues %v)", i, d, l)
			}
		}
	}
}
