package elastic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
)

func TestMembraneScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	mm := crookedGrid(t, 2, rng)
	x := flatPlace(mm)
	for i := range x {
		x[i] = x[i].AddScaled(0.1, randomVec(rng))
	}
	for lawName, law := range testLaws() {
		plain, scaled := NewMembrane(mm, law), NewMembrane(mm, law)
		scaled.Scale = make([]float64, scaled.Len())
		for e := range scaled.Scale {
			scaled.Scale[e] = math.Ldexp(1, e) // powers of two: exact
		}
		plain.Update(x, Exact, 0, plain.Len())
		scaled.Update(x, Exact, 0, scaled.Len())
		for e := range plain.Len() {
			f := scaled.Scale[e]
			p, q := make([]r3.Mat, 1), make([]r3.Mat, 1)
			plain.AddRow(e, 1, []int32{-1, -1, 0}, p, 1, 1)
			scaled.AddRow(e, 1, []int32{-1, -1, 0}, q, 1, 1)
			if scaled.Energy(e) != f*plain.Energy(e) || scaled.Force(e, 2) != plain.Force(e, 2).Scale(f) ||
				q[0] != p[0].Scale(f) {
				t.Errorf("%s: triangle %d is not scaled by %g", lawName, e, f)
			}
			if scaled.EnergyDensity(e) != f*plain.EnergyDensity(e) {
				t.Errorf("%s: energy density of triangle %d is not scaled by %g", lawName, e, f)
			}
		}
	}
}

func TestMembraneStretch(t *testing.T) {
	m := NewMembrane(
		oneTriangle(t, r3.Vec2{}, r3.Vec2{X: 0.1, Y: 0.01}, r3.Vec2{X: 0.02, Y: 0.08}),
		StVK(material.NewStretch(1, 1, 1, 0)),
	)
	// Stretch by 3 and 0.2 along axes 30 degrees off the material ones, then turn.
	s, c := math.Sincos(math.Pi / 6)
	turn := r3.Rotation(r3.V(1, 2, 3).Unit(), 1)
	place := func(p r3.Vec2) r3.Vec {
		a, b := 3*(c*p.X+s*p.Y), 0.2*(-s*p.X+c*p.Y)
		return turn.Rotate(r3.V(a, b, 0))
	}
	x := []r3.Vec{place(r3.Vec2{}), place(r3.Vec2{X: 0.1, Y: 0.01}), place(r3.Vec2{X: 0.02, Y: 0.08})}
	m.Update(x, EnergyOnly, 0, 1)
	if major, minor := m.Stretch(0); math.Abs(major-3) > 1e-14 || math.Abs(minor-0.2) > 1e-14 {
		t.Errorf("stretches %.17g and %.17g, want 3 and 0.2", major, minor)
	}
	m.Update(make([]r3.Vec, 3), EnergyOnly, 0, 1)
	if major, minor := m.Stretch(0); major != 0 || minor != 0 {
		t.Errorf("stretches of a point are %g and %g", major, minor)
	}
}

func TestMembraneEnergyOnlyAgrees(t *testing.T) {
	for lawName, law := range testLaws() {
		m := NewMembrane(oneTriangle(t, r3.Vec2{}, r3.Vec2{X: 0.1, Y: 0.01}, r3.Vec2{X: 0.02, Y: 0.08}), law)
		for name, x := range triangleStates(rand.New(rand.NewPCG(3, 4))) {
			m.Update(x, EnergyOnly, 0, 1)
			lean := m.Energy(0)
			m.Update(x, Exact, 0, 1)
			if full := m.Energy(0); math.Abs(lean-full) > 1e-14*full {
				t.Errorf("%s, %s: energy %g alone, %g with derivatives", lawName, name, lean, full)
			}
		}
	}
}

func TestMembraneMaterialForceIsMaterialRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 30))
	for lawName, law := range testLaws() {
		m := NewMembrane(oneTriangle(t, r3.Vec2{}, r3.Vec2{X: 0.1, Y: 0.01}, r3.Vec2{X: 0.02, Y: 0.08}), law)
		for name, x := range triangleStates(rng) {
			for _, detail := range []Detail{Projected, Exact} {
				m.Update(x, detail, 0, 1)
				v := []r3.Vec{randomVec(rng), randomVec(rng), randomVec(rng)}
				for k := range 3 {
					val := make([]r3.Mat, 3)
					m.AddRow(0, k, []int32{0, 1, 2}, val, 1, 0)
					var want r3.Vec
					var size float64
					for l := range val {
						want = want.Sub(val[l].MulVec(v[l]))
						size = max(size, val[l].MaxAbs()*v[l].MaxAbs())
					}
					if d := m.MaterialForce(0, k, v).Sub(want).MaxAbs(); d > 1e-13*size {
						t.Errorf("%s, %s: material force %d is off by %g of %g", lawName, name, k, d, size)
					}
				}
			}
		}
	}
}
