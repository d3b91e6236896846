package elastic

import (
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/shape"
)

// variedCases are sheets whose stiffness differs from triangle to triangle, by up to a factor of a hundred.
func variedCases(t testing.TB) []bendingCase {
	const size = 0.05
	m, at := shape.Strip(shape.Random, 0.25, 0.2, size, 0.3, 5)
	factor := func(i int32) float64 { return []float64{1, 0.1, 10, 3, 0.5}[i%5] }
	plate, err := NewPlate(m, func(i int32) PlateLaw {
		return PlateLaw{Warp: 3e-5 * factor(i), Weft: 1e-5 * factor(i+1), Twist: 0.5e-5 * factor(i+2), Poisson: 0.2}
	}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	hinge, err := NewHinge(m, func(i int32) HingeLaw {
		return HingeLaw{Warp: 4e-5 * factor(i), Bias: 2e-5 * factor(i+1), Weft: 3e-5 * factor(i+2)}
	})
	if err != nil {
		t.Fatal(err)
	}
	isometric, err := NewIsometric(m, 1e-5)
	if err != nil {
		t.Fatal(err)
	}
	rigidity := make([]float64, m.Verts)
	for v := range rigidity {
		rigidity[v] = 1e-5 * factor(int32(v))
	}
	isometric.Vary(rigidity)
	laws := variedLaws(len(m.Tri), factor)
	chord, arc := NewMembrane(m, StVK(laws[0])), NewCurved(m, StVK(laws[0]), mustPlate(t, m, IsotropicPlate(1e-5, 0), nil))
	chord.Vary(laws)
	arc.Vary(laws)
	return []bendingCase{
		{"plate", plate, flat(at), size},
		{"hinge", hinge, flat(at), size},
		{"isometric", isometric, flat(at), size},
		{"chord", chord, flat(at), size},
		{"arc", arc, flat(at), size},
	}
}

func variedLaws(n int, factor func(int32) float64) []material.Stretch {
	laws := make([]material.Stretch, n)
	for i := range laws {
		k := int32(i)
		laws[i] = material.NewStretch(300*factor(k), 120*factor(k+1), 40*factor(k+3), 0.3)
	}
	return laws
}

func TestVariedDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for _, c := range variedCases(t) {
		for _, shake := range []float64{0.02, 0.3} {
			x := shaken(c.rest, shake*c.size, rng)
			for e := 0; e < c.elems.Len(); e += 5 {
				checkDerivatives(t, &c, x, e)
			}
		}
	}
}

// A triangle of a varied membrane is, to the last bit, that of a sheet which has its law everywhere.
func TestVariedMembraneIsItsLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	m, at := shape.Strip(shape.Random, 0.25, 0.2, 0.05, 0.3, 5)
	x := shaken(flat(at), 0.01, rng)
	laws := variedLaws(len(m.Tri), func(i int32) float64 { return 1 + float64(i%7) })
	plate := mustPlate(t, m, IsotropicPlate(1e-5, 0), nil)
	type membrane interface {
		Elements
		Vary([]material.Stretch)
	}
	makers := map[string]func(StVK) membrane{
		"chord": func(l StVK) membrane { return NewMembrane(m, l) },
		"arc":   func(l StVK) membrane { return NewCurved(m, l, plate) },
	}
	for name, maker := range makers {
		varied := maker(StVK(laws[0]))
		varied.Vary(laws)
		varied.Update(x, Projected, 0, varied.Len())
		for e := range varied.Len() {
			same := maker(StVK(laws[e]))
			same.Update(x, Projected, e, e+1)
			if varied.Energy(e) != same.Energy(e) || varied.Force(e, 1) != same.Force(e, 1) ||
				varied.MaterialForce(e, 2, x) != same.MaterialForce(e, 2, x) {
				t.Fatalf("%s: triangle %d differs", name, e)
			}
		}
	}
}

// Scale multiplies arcs as it does chords.
func TestCurvedScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	m, at := shape.Strip(shape.Random, 0.25, 0.2, 0.05, 0.3, 5)
	x := shaken(flat(at), 0.01, rng)
	for name, law := range testLaws() {
		plate := mustPlate(t, m, IsotropicPlate(1e-5, 0), nil)
		plain, scaled := NewCurved(m, law, plate), NewCurved(m, law, plate)
		scaled.Scale = make([]float64, len(m.Tri))
		for e := range scaled.Scale {
			scaled.Scale[e] = float64(int(1) << (e % 5)) // powers of two: exact
		}
		plain.Update(x, Exact, 0, plain.Len())
		scaled.Update(x, Exact, 0, scaled.Len())
		for e, f := range scaled.Scale {
			if scaled.Energy(e) != f*plain.Energy(e) || scaled.Force(e, 1) != plain.Force(e, 1).Scale(f) ||
				scaled.MaterialForce(e, 0, x) != plain.MaterialForce(e, 0, x).Scale(f) {
				t.Fatalf("%s: triangle %d is not scaled by %g", name, e, f)
			}
		}
	}
}

// The energy of varied isometric bending is linear in the rigidity of each vertex.
func TestVariedIsometricScales(t *testing.T) {
	m, at := shape.Strip(shape.Random, 0.25, 0.2, 0.05, 0.3, 5)
	x := bowl(at)
	one, err := NewIsometric(m, 1e-5)
	if err != nil {
		t.Fatal(err)
	}
	two, _ := NewIsometric(m, 1)
	b := make([]float64, m.Verts)
	for v := range b {
		b[v] = 1e-5 * float64(int(1)<<(v%4))
	}
	two.Vary(b)
	one.Update(x, Projected, 0, one.Len())
	two.Update(x, Projected, 0, two.Len())
	for e := range one.Len() {
		f := float64(int(1) << (one.Nodes(e)[0] % 4)) // powers of two: exact
		if two.Energy(e) != f*one.Energy(e) || two.Force(e, 1) != one.Force(e, 1).Scale(f) {
			t.Errorf("vertex %d is not scaled by %g", e, f)
		}
	}
}
