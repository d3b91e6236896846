package elastic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// oneTriangle is a mesh of a single triangle with the given material points.
func oneTriangle(t testing.TB, a, b, c r3.Vec2) *mesh.Mesh {
	t.Helper()
	m, err := mesh.New(3, [][3]int32{{0, 1, 2}}, []r3.Vec2{a, b, c}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// crookedGrid is a grid of n x n cells over the unit square whose inner points are moved and whose
// diagonals are chosen at random.
func crookedGrid(t testing.TB, n int, rng *rand.Rand) *mesh.Mesh {
	t.Helper()
	var p []r3.Vec2
	h := 1 / float64(n)
	for j := range n + 1 {
		for i := range n + 1 {
			v := r3.Vec2{X: float64(i) * h, Y: float64(j) * h}
			if i > 0 && j > 0 && i < n && j < n {
				v = v.Add(r3.Vec2{X: rng.Float64() - 0.5, Y: rng.Float64() - 0.5}.Scale(0.5 * h))
			}
			p = append(p, v)
		}
	}
	var tri [][3]int32
	for j := range n {
		for i := range n {
			a := int32(j*(n+1) + i)
			b, c, d := a+1, a+int32(n)+2, a+int32(n)+1
			if rng.IntN(2) == 0 {
				tri = append(tri, [3]int32{a, b, c}, [3]int32{a, c, d})
			} else {
				tri = append(tri, [3]int32{a, b, d}, [3]int32{b, c, d})
			}
		}
	}
	m, err := mesh.New(len(p), tri, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func randomVec(rng *rand.Rand) r3.Vec {
	return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
}

func randomPose(rng *rand.Rand) r3.Pose {
	return r3.Pose{R: r3.Rotation(randomVec(rng).Unit(), 6*rng.Float64()), T: randomVec(rng)}
}

// flatPlace puts the material points into the plane z = 0.
func flatPlace(m *mesh.Mesh) []r3.Vec {
	x := make([]r3.Vec, len(m.Material))
	for i, p := range m.Material {
		x[i] = r3.V(p.X, p.Y, 0)
	}
	return x
}

// membraneHessian is the 9x9 Hessian of triangle 0.
func membraneHessian(m *Membrane, material, geometric float64) [9][9]float64 {
	var h [9][9]float64
	for k := range 3 {
		val := make([]r3.Mat, 3)
		m.AddRow(0, k, []int32{0, 1, 2}, val, material, geometric)
		for l, b := range val {
			for i, row := range [3][3]float64{{b.XX, b.XY, b.XZ}, {b.YX, b.YY, b.YZ}, {b.ZX, b.ZY, b.ZZ}} {
				copy(h[3*k+i][3*l:], row[:])
			}
		}
	}
	return h
}

func component(v *r3.Vec, i int) *float64 {
	return [3]*float64{&v.X, &v.Y, &v.Z}[i]
}

func testLaws() map[string]MembraneLaw {
	return map[string]MembraneLaw{
		"constant": StVK(material.NewStretch(300, 120, 40, 0.3)),
		"table":    interlockTable(),
	}
}

// triangleStates are places of the triangle (0,0) (0.1,0.01) (0.02,0.08), ordinary and degenerate.
func triangleStates(rng *rand.Rand) map[string][]r3.Vec {
	rest := []r3.Vec{r3.V(0, 0, 0), r3.V(0.1, 0.01, 0), r3.V(0.02, 0.08, 0)}
	change := func(f func(i int, v r3.Vec) r3.Vec) []r3.Vec {
		x := make([]r3.Vec, 3)
		for i, v := range rest {
			x[i] = f(i, v)
		}
		return x
	}
	states := map[string][]r3.Vec{
		"rest":         rest,
		"equal":        change(func(_ int, v r3.Vec) r3.Vec { return v.Scale(1.15) }),
		"huge":         change(func(_ int, v r3.Vec) r3.Vec { return r3.V(30*v.X, -20*v.Z, 10*v.Y) }),
		"point":        change(func(_ int, _ r3.Vec) r3.Vec { return r3.V(1, 2, 3) }),
		"line":         change(func(_ int, v r3.Vec) r3.Vec { return r3.V(1.2*v.X, 0, 0) }),
		"short edge":   {rest[0], rest[1], rest[1]},
		"turned over":  change(func(_ int, v r3.Vec) r3.Vec { return r3.V(-0.97*v.X, 1.1*v.Y, 0) }),
		"squeezed":     change(func(_ int, v r3.Vec) r3.Vec { return r3.V(0.6*v.X, 0.8*v.Y, 0) }),
		"nearly a dot": change(func(_ int, v r3.Vec) r3.Vec { return v.Scale(1e-7) }),
	}
	for i := range 20 {
		states[fmt.Sprint("random ", i)] = change(
			func(_ int, v r3.Vec) r3.Vec { return v.AddScaled(0.03, randomVec(rng)) },
		)
	}
	return states
}

// Central differences of a smooth function are wrong by c δ² plus rounding/δ: at two step sizes the
// error must be small, and the derivative must not depend on which one is taken.
func TestMembraneDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	states := triangleStates(rng)
	for lawName, law := range testLaws() {
		m := NewMembrane(oneTriangle(t, r3.Vec2{}, r3.Vec2{X: 0.1, Y: 0.01}, r3.Vec2{X: 0.02, Y: 0.08}), law)
		for name, x := range states {
			t.Run(lawName+"/"+name, func(t *testing.T) {
				for _, delta := range []float64{4e-6, 1e-6} {
					checkMembraneDerivatives(t, m, x, delta)
				}
			})
		}
	}
}

func checkMembraneDerivatives(t *testing.T, m *Membrane, x []r3.Vec, delta float64) {
	t.Helper()
	m.Update(x, Exact, 0, 1)
	exact := membraneHessian(m, 1, 1)
	var force [9]float64
	var forceScale, hessianScale float64
	for k := range 3 {
		f := m.Force(0, k)
		force[3*k], force[3*k+1], force[3*k+2] = f.X, f.Y, f.Z
		forceScale = max(forceScale, f.MaxAbs())
		for i := range 9 {
			for l := range 3 {
				hessianScale = max(hessianScale, math.Abs(exact[i][3*k+l]))
			}
		}
	}
	// Rounding of the energy over δ; then truncation, with third derivatives of the order of the
	// second ones over the size of the triangle (0.1 m).
	energyNoise := 1e-15 * (m.Energy(0) + forceScale*0.1 + hessianScale*0.01) / delta
	forceTol := energyNoise + 1e4*delta*delta*hessianScale
	hessianTol := 1e-15*(forceScale+hessianScale)/delta + 1e6*delta*delta*hessianScale + 1e-9*hessianScale
	y := append([]r3.Vec(nil), x...)
	for j := range 9 {
		c := component(&y[j/3], j%3)
		at := *c
		*c = at + delta
		m.Update(y, WithForce, 0, 1)
		ep, fp := m.Energy(0), [3]r3.Vec{m.Force(0, 0), m.Force(0, 1), m.Force(0, 2)}
		*c = at - delta
		m.Update(y, WithForce, 0, 1)
		em, fm := m.Energy(0), [3]r3.Vec{m.Force(0, 0), m.Force(0, 1), m.Force(0, 2)}
		*c = at
		if got, want := force[j], -(ep-em)/(2*delta); math.Abs(got-want) > forceTol {
			t.Errorf("δ %g: force %d is %g, differences say %g (tolerance %g)", delta, j, got, want, forceTol)
		}
		for i := range 9 {
			d := fp[i/3].Sub(fm[i/3])
			want := -*component(&d, i%3) / (2 * delta)
			if got := exact[i][j]; math.Abs(got-want) > hessianTol {
				t.Errorf(
					"δ %g: Hessian %d,%d is %g, differences say %g (tolerance %g)",
					delta,
					i,
					j,
					got,
					want,
					hessianTol,
				)
			}
		}
	}
}

// eigenvalues of a symmetric matrix by Jacobi rotations.
func eigenvalues(a [9][9]float64) []float64 {
	for range 30 {
		for p := range 8 {
			for q := p + 1; q < 9; q++ {
				if a[p][q] == 0 {
					continue
				}
				theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
				t := math.Copysign(1, theta) / (math.Abs(theta) + math.Hypot(theta, 1))
				c := 1 / math.Hypot(t, 1)
				s := t * c
				for i := range 9 {
					a[i][p], a[i][q] = c*a[i][p]-s*a[i][q], s*a[i][p]+c*a[i][q]
				}
				for i := range 9 {
					a[p][i], a[q][i] = c*a[p][i]-s*a[q][i], s*a[p][i]+c*a[q][i]
				}
			}
		}
	}
	var l []float64
	for i := range 9 {
		l = append(l, a[i][i])
	}
	return l
}

func TestMembraneProjectedIsPositive(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	indefinite := 0
	for lawName, law := range testLaws() {
		m := NewMembrane(oneTriangle(t, r3.Vec2{}, r3.Vec2{X: 0.1, Y: 0.01}, r3.Vec2{X: 0.02, Y: 0.08}), law)
		for name, x := range triangleStates(rng) {
			for _, part := range []struct{ material, geometric float64 }{{1, 1}, {1, 0}, {0, 1}} {
				m.Update(x, Projected, 0, 1)
				h := membraneHessian(m, part.material, part.geometric)
				lo, hi := span(eigenvalues(h))
				if lo < -1e-13*hi {
					t.Errorf("%s, %s, %v: eigenvalues from %g to %g", lawName, name, part, lo, hi)
				}
				for i := range 9 {
					for j := range i {
						if math.Abs(h[i][j]-h[j][i]) > 1e-13*hi {
							t.Errorf("%s, %s: Hessian is not symmetric", lawName, name)
						}
					}
				}
			}
			m.Update(x, Exact, 0, 1)
			if lo, hi := span(eigenvalues(membraneHessian(m, 1, 1))); lo < -1e-6*hi {
				indefinite++
			}
		}
	}
	if indefinite < 10 {
		t.Errorf(
			"only %d states have an indefinite exact Hessian: the test does not exercise the projection",
			indefinite,
		)
	}
}

func span(l []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range l {
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi
}

// Where nothing is in compression the projection must not change anything.
func TestMembraneProjectionKeepsTension(t *testing.T) {
	m := NewMembrane(oneTriangle(t, r3.Vec2{}, r3.Vec2{X: 0.1}, r3.Vec2{Y: 0.1}), StVK(material.NewStretch(300, 120, 40, 0.3)))
	x := []r3.Vec{{}, r3.V(0.11, 0.01, 0), r3.V(0, 0.12, 0.03)}
	m.Update(x, Exact, 0, 1)
	exact := membraneHessian(m, 1, 1)
	m.Update(x, Projected, 0, 1)
	if membraneHessian(m, 1, 1) != exact {
		t.Error("projected Hessian of a stretched triangle differs from the exact one")
	}
}

func TestMembraneRigidMotion(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for lawName, law := range testLaws() {
		mm := crookedGrid(t, 6, rng)
		m := NewMembrane(mm, law)
		x := flatPlace(mm)
		pose := randomPose(rng)
		for i := range x {
			x[i] = pose.Apply(x[i])
		}
		m.Update(x, WithForce, 0, m.Len())
		// Strains of rounding size: coordinates of about 3 over edges of at least 0.05.
		for e := range m.Len() {
			if m.Energy(e) > 1e-25 {
				t.Fatalf("%s: triangle %d has energy %g after a rigid motion", lawName, e, m.Energy(e))
			}
			for k := range 3 {
				if f := m.Force(e, k).Norm(); f > 1e-12 {
					t.Fatalf("%s: triangle %d has force %g after a rigid motion", lawName, e, f)
				}
			}
			if major, minor := m.Stretch(e); math.Abs(major-1) > 1e-13 || math.Abs(minor-1) > 1e-13 {
				t.Fatalf("%s: stretches %g, %g after a rigid motion", lawName, major, minor)
			}
		}
	}
}

// The material part of the Hessian vanishes on rigid velocities at any state, the geometric part on
// translations.
func TestMembraneMaterialPartIgnoresRigidVelocities(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for lawName, law := range testLaws() {
		m := NewMembrane(oneTriangle(t, r3.Vec2{}, r3.Vec2{X: 0.1, Y: 0.01}, r3.Vec2{X: 0.02, Y: 0.08}), law)
		for name, x := range triangleStates(rng) {
			m.Update(x, Exact, 0, 1)
			h := membraneHessian(m, 1, 0)
			lo, hi := span(eigenvalues(h))
			hi = max(hi, -lo)
			v, w := randomVec(rng), randomVec(rng)
			var size float64
			var u [9]float64
			for k := range 3 {
				p := v.Add(w.Cross(x[k]))
				u[3*k], u[3*k+1], u[3*k+2] = p.X, p.Y, p.Z
				size = max(size, p.MaxAbs())
			}
			for i := range 9 {
				var sum float64
				for j := range 9 {
					sum += h[i][j] * u[j]
				}
				if math.Abs(sum) > 1e-12*hi*size {
					t.Errorf("%s, %s: rigid velocity gives %g of %g", lawName, name, sum, hi*size)
				}
			}
		}
	}
}

func TestMembraneMomentum(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for lawName, law := range testLaws() {
		m := NewMembrane(oneTriangle(t, r3.Vec2{}, r3.Vec2{X: 0.1, Y: 0.01}, r3.Vec2{X: 0.02, Y: 0.08}), law)
		for name, x := range triangleStates(rng) {
			m.Update(x, WithForce, 0, 1)
			var sum, moment r3.Vec
			var size float64
			for k := range 3 {
				f := m.Force(0, k)
				sum, moment, size = sum.Add(f), moment.Add(x[k].Cross(f)), max(size, f.MaxAbs())
			}
			if sum.MaxAbs() > 1e-14*size || moment.MaxAbs() > 2e-14*size {
				t.Errorf("%s, %s: forces of up to %g sum to %v with moment %v", lawName, name, size, sum, moment)
			}
		}
	}
}

// C15: under a linear field of displacement every inner node of any mesh is in balance, and the
// energy is that of the strain, whatever the triangles.
func TestMembranePatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for lawName, law := range testLaws() {
		for range 20 {
			n := 2 + rng.IntN(8)
			mm := crookedGrid(t, n, rng)
			m := NewMembrane(mm, law)
			f0 := r3.V(1, 0, 0).AddScaled(0.2, randomVec(rng))
			f1 := r3.V(0, 1, 0).AddScaled(0.2, randomVec(rng))
			x := make([]r3.Vec, mm.Verts)
			for i, p := range mm.Material {
				x[i] = f0.Scale(p.X).AddScaled(p.Y, f1)
			}
			m.Update(x, WithForce, 0, m.Len())
			var energy float64
			force := make([]r3.Vec, mm.Verts)
			var largest float64
			for e := range m.Len() {
				energy += m.Energy(e)
				for k, v := range m.Nodes(e) {
					f := m.Force(e, k)
					force[v] = force[v].Add(f)
					largest = max(largest, f.MaxAbs())
				}
			}
			g := Strain{(f0.Norm2() - 1) / 2, (f1.Norm2() - 1) / 2, f0.Dot(f1)}
			want, _, _ := law.Eval(g, EnergyOnly) // over a unit square
			if math.Abs(energy-want) > 1e-12*want {
				t.Errorf("%s: energy %.17g, want %.17g", lawName, energy, want)
			}
			for j := 1; j < n; j++ {
				for i := 1; i < n; i++ {
					if f := force[j*(n+1)+i].MaxAbs(); f > 1e-12*largest {
						t.Errorf("%s: inner force %g beside element forces of %g", lawName, f, largest)
					}
				}
			}
		}
	}
}

func TestMembraneFrameIndifference(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for lawName, law := range testLaws() {
		m := NewMembrane(oneTriangle(t, r3.Vec2{}, r3.Vec2{X: 0.1, Y: 0.01}, r3.Vec2{X: 0.02, Y: 0.08}), law)
		for name, x := range triangleStates(rng) {
			pose := randomPose(rng)
			y := make([]r3.Vec, 3)
			for i := range x {
				y[i] = pose.Apply(x[i])
			}
			m.Update(x, WithForce, 0, 1)
			energy, force := m.Energy(0), [3]r3.Vec{m.Force(0, 0), m.Force(0, 1), m.Force(0, 2)}
			m.Update(y, WithForce, 0, 1)
			// Coordinates of size 3 over an edge of 0.1: strains carry 1e-14 of rounding or so.
			size := 10 + force[0].MaxAbs() + force[1].MaxAbs()
			if math.Abs(m.Energy(0)-energy) > 1e-12*(energy+size*0.1) {
				t.Errorf("%s, %s: energy %g, turned %g", lawName, name, energy, m.Energy(0))
			}
			for k := range 3 {
				if d := m.Force(0, k).Sub(pose.R.Rotate(force[k])).MaxAbs(); d > 1e-11*size {
					t.Errorf("%s, %s: force differs by %g after a turn", lawName, name, d)
				}
			}
		}
	}
}

// A mirrored material triangle behaves as the other one: the weft axis changes its sign and nothing
// else does, so with the mirrored law (the same, being orthotropic) energies and forces are equal.
func TestMembraneMirroredMaterial(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for lawName, law := range testLaws() {
		a := NewMembrane(oneTriangle(t, r3.Vec2{}, r3.Vec2{X: 0.1, Y: 0.01}, r3.Vec2{X: 0.02, Y: 0.08}), law)
		b := NewMembrane(oneTriangle(t, r3.Vec2{}, r3.Vec2{X: 0.1, Y: -0.01}, r3.Vec2{X: 0.02, Y: -0.08}), law)
		for name, x := range triangleStates(rng) {
			a.Update(x, Projected, 0, 1)
			b.Update(x, Projected, 0, 1)
			if a.Energy(0) != b.Energy(0) {
				t.Errorf("%s, %s: energies %g and %g", lawName, name, a.Energy(0), b.Energy(0))
			}
			for k := range 3 {
				if d := a.Force(0, k).Sub(b.Force(0, k)).MaxAbs(); d > 1e-13*a.Force(0, k).MaxAbs() {
					t.Errorf("%s, %s: forces differ by %g", lawName, name, d)
				}
			}
		}
	}
}
