package elastic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// bendingCase is a family of bending elements with its rest shape.
type bendingCase struct {
	name  string
	elems Elements
	rest  []r3.Vec
	size  float64 // of triangles [m]
}

// bowl bends the plane into a shape with curvature of both signs.
func bowl(at []r3.Vec2) []r3.Vec {
	x := make([]r3.Vec, len(at))
	for i, p := range at {
		x[i] = r3.V(p.X, p.Y, 2*p.X*p.X-1.5*p.Y*p.Y+p.X*p.Y)
	}
	return x
}

func flat(at []r3.Vec2) []r3.Vec {
	x := make([]r3.Vec, len(at))
	for i, p := range at {
		x[i] = r3.V(p.X, p.Y, 0)
	}
	return x
}

func bendingCases(t testing.TB) []bendingCase {
	const size = 0.05
	m, at := shape.Strip(shape.Random, 0.25, 0.2, size, 0.3, 5)
	law := PlateLaw{Warp: 3e-5, Weft: 1e-5, Twist: 0.5e-5, Poisson: 0.2}
	plate, curved := mustPlate(t, m, law, nil), mustPlate(t, m, law, nil)
	curved.RestFrom(bowl(at))
	hinge, err := NewHinge(m, func(int32) HingeLaw { return HingeLaw{Warp: 4e-5, Bias: 2e-5, Weft: 3e-5} })
	if err != nil {
		t.Fatal(err)
	}
	bent, err := NewHinge(m, func(int32) HingeLaw { return IsotropicHinge(4e-5) })
	if err != nil {
		t.Fatal(err)
	}
	bent.RestFrom(bowl(at))
	isometric, err := NewIsometric(m, 1e-5)
	if err != nil {
		t.Fatal(err)
	}
	return []bendingCase{
		{"plate", plate, flat(at), size},
		{"curved plate", curved, bowl(at), size},
		{"hinge", hinge, flat(at), size},
		{"bent hinge", bent, bowl(at), size},
		{"isometric", isometric, flat(at), size},
	}
}

// shaken returns x with every coordinate moved by up to a times a standard normal number.
func shaken(x []r3.Vec, a float64, rng *rand.Rand) []r3.Vec {
	y := make([]r3.Vec, len(x))
	for i := range x {
		y[i] = x[i].Add(r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(a))
	}
	return y
}

// elementHessian returns the dense Hessian of element e.
func elementHessian(f Elements, e int, material, geometric float64) [][]float64 {
	n := len(f.Nodes(e))
	at := make([]int32, n)
	for l := range at {
		at[l] = int32(l)
	}
	h := make([][]float64, 3*n)
	for k := range n {
		val := make([]r3.Mat, n)
		f.AddRow(e, k, at, val, material, geometric)
		for r := range 3 {
			h[3*k+r] = make([]float64, 3*n)
			for l := range n {
				row := rows(&val[l])[r]
				copy(h[3*k+r][3*l:], row[:])
			}
		}
	}
	return h
}

func largest(h [][]float64) float64 {
	s := 0.0
	for _, row := range h {
		for _, v := range row {
			s = max(s, math.Abs(v))
		}
	}
	return s
}

// Energy, force and Hessian agree: central differences with steps d and d/2 have errors of order d²,
// and their extrapolation (4 f(d/2) - f(d))/3 of order d⁴.
func TestBendingDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range bendingCases(t) {
		for _, shake := range []float64{0.02, 0.3} {
			x := shaken(c.rest, shake*c.size, rng)
			for e := 0; e < c.elems.Len(); e += 5 {
				checkDerivatives(t, &c, x, e)
			}
		}
	}
}

func checkDerivatives(t *testing.T, c *bendingCase, x []r3.Vec, e int) {
	t.Helper()
	f := c.elems
	node := f.Nodes(e)
	f.Update(x, Exact, e, e+1)
	force := make([]r3.Vec, len(node))
	for k := range node {
		force[k] = f.Force(e, k)
	}
	h := elementHessian(f, e, 1, 1)
	stiffness := largest(h)
	if f.Energy(e) == 0 {
		t.Fatalf("%s %d: no energy", c.name, e)
	}
	for k, i := range node {
		for a := range 3 {
			var dE [2]float64
			var dF [2][]r3.Vec
			d := 2e-4 * c.size
			for j, d := range []float64{d, d / 2} {
				var energy [2]float64
				var forces [2][]r3.Vec
				for s, sign := range []float64{1, -1} {
					old := x[i]
					*component(&x[i], a) += sign * d
					f.Update(x, Exact, e, e+1)
					energy[s] = f.Energy(e)
					for l := range node {
						forces[s] = append(forces[s], f.Force(e, l))
					}
					x[i] = old
				}
				dE[j] = (energy[0] - energy[1]) / (2 * d)
				for l := range node {
					dF[j] = append(dF[j], forces[0][l].Sub(forces[1][l]).Scale(1/(2*d)))
				}
			}
			// Fourth-order error of a function that varies over the size of a triangle, with room
			// for a factor of ten in each derivative.
			tol := 1e-7 * stiffness
			if got, want := -(4*dE[1]-dE[0])/3, *component(&force[k], a); math.Abs(got-want) > tol*c.size {
				t.Errorf("%s %d: force %d,%d is %g, differences say %g", c.name, e, k, a, want, got)
			}
			for l := range node {
				df := dF[1][l].Scale(4.0/3).AddScaled(-1.0/3, dF[0][l])
				for b := range 3 {
					if got, want := -*component(&df, b), h[3*l+b][3*k+a]; math.Abs(got-want) > 30*tol {
						t.Fatalf(
							"%s %d: Hessian %d,%d %d,%d is %g, differences say %g (of %g)",
							c.name,
							e,
							l,
							b,
							k,
							a,
							want,
							got,
							stiffness,
						)
					}
				}
			}
		}
	}
}

// spectrum returns the eigenvalues of a symmetric matrix by Jacobi rotations.
func spectrum(a [][]float64) []float64 {
	n := len(a)
	for range 30 {
		off, all := 0.0, 0.0
		for p := range n {
			for q := range n {
				all += a[p][q] * a[p][q]
				if p != q {
					off += a[p][q] * a[p][q]
				}
			}
		}
		if off <= 1e-28*all {
			break
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				if a[p][q] == 0 {
					continue
				}
				theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
				t := math.Copysign(1, theta) / (math.Abs(theta) + math.Sqrt(1+theta*theta))
				c := 1 / math.Sqrt(1+t*t)
				s := t * c
				for i := range n {
					a[i][p], a[i][q] = c*a[i][p]-s*a[i][q], s*a[i][p]+c*a[i][q]
				}
				for i := range n {
					a[p][i], a[q][i] = c*a[p][i]-s*a[q][i], s*a[p][i]+c*a[q][i]
				}
			}
		}
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = a[i][i]
	}
	return values
}

func TestBendingProjectedIsPositive(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range bendingCases(t) {
		for _, shake := range []float64{0, 0.1, 3} {
			x := shaken(c.rest, shake*c.size, rng)
			c.elems.Update(x, Projected, 0, c.elems.Len())
			for e := 0; e < c.elems.Len(); e += 7 {
				for _, part := range [][2]float64{{1, 1}, {1, 0}, {3, 1}} {
					h := elementHessian(c.elems, e, part[0], part[1])
					scale := largest(h)
					for _, v := range spectrum(h) {
						if v < -1e-12*scale {
							t.Errorf("%s %d at %g: eigenvalue %g of %g", c.name, e, part, v, scale)
						}
					}
				}
			}
		}
	}
}

func TestBendingRigidMotion(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range bendingCases(t) {
		// Scale of energy and force: a bump as high as a triangle is long.
		bumped := shaken(c.rest, c.size, rng)
		c.elems.Update(bumped, WithForce, 0, c.elems.Len())
		energy, force := 0.0, 0.0
		for e := range c.elems.Len() {
			energy = max(energy, c.elems.Energy(e))
			for k := range c.elems.Nodes(e) {
				force = max(force, c.elems.Force(e, k).Norm())
			}
		}
		pose := randomPose(rng)
		x := make([]r3.Vec, len(c.rest))
		for i, p := range c.rest {
			x[i] = pose.Apply(p)
		}
		c.elems.Update(x, WithForce, 0, c.elems.Len())
		for e := range c.elems.Len() {
			// Coordinates of size 1 are rounded to 1e-16, and curvature is that over size².
			if c.elems.Energy(e) > 1e-20*energy {
				t.Errorf("%s %d: energy %g at rest (of %g)", c.name, e, c.elems.Energy(e), energy)
			}
			for k := range c.elems.Nodes(e) {
				if f := c.elems.Force(e, k).Norm(); f > 1e-11*force {
					t.Fatalf("%s %d: force %g at rest (of %g)", c.name, e, f, force)
				}
			}
		}
	}
}

func TestBendingMomentum(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, c := range bendingCases(t) {
		x := shaken(c.rest, 0.5*c.size, rng)
		c.elems.Update(x, WithForce, 0, c.elems.Len())
		for e := range c.elems.Len() {
			var sum, moment r3.Vec
			scale := 0.0
			for k, i := range c.elems.Nodes(e) {
				f := c.elems.Force(e, k)
				sum, moment = sum.Add(f), moment.Add(x[i].Cross(f))
				scale += f.Norm()
			}
			if sum.Norm() > 1e-13*scale || moment.Norm() > 1e-13*scale {
				t.Errorf("%s %d: net force %g, moment %g (of %g)", c.name, e, sum.Norm(), moment.Norm(), scale)
			}
		}
	}
}

// The material part vanishes on rigid velocities and MaterialForce is minus its product.
func TestBendingMaterialPart(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, c := range bendingCases(t) {
		x := shaken(c.rest, 0.2*c.size, rng)
		c.elems.Update(x, Projected, 0, c.elems.Len())
		spin, drift := randomVec(rng), randomVec(rng)
		rigid, any := make([]r3.Vec, len(x)), make([]r3.Vec, len(x))
		for i := range x {
			rigid[i], any[i] = spin.Cross(x[i]).Add(drift), randomVec(rng)
		}
		for e := 0; e < c.elems.Len(); e += 3 {
			h := elementHessian(c.elems, e, 1, 0)
			scale := largest(h)
			for k := range c.elems.Nodes(e) {
				var want r3.Vec
				for l, i := range c.elems.Nodes(e) {
					for a := range 3 {
						for b := range 3 {
							*component(&want, a) -= h[3*k+a][3*l+b] * *component(&any[i], b)
						}
					}
				}
				if got := c.elems.MaterialForce(e, k, any); got.Sub(want).Norm() > 1e-12*scale*float64(len(h)) {
					t.Fatalf("%s %d: material force %v, want %v", c.name, e, got, want)
				}
				// Isometric counts |y| below its limp bound as flat: (1e-3)² at worst, here less.
				if f := c.elems.MaterialForce(e, k, rigid).
					Norm(); f > 1e-4*scale*c.size && c.name == "isometric" ||
					f > 1e-11*scale && c.name != "isometric" {
					t.Errorf("%s %d: a rigid velocity feels %g (of %g)", c.name, e, f, scale)
				}
			}
		}
	}
}

// Nothing is infinite or undefined when triangles have no area, vertices coincide or sheets fold
// onto themselves.
func TestBendingDegenerate(t *testing.T) {
	for _, c := range bendingCases(t) {
		states := map[string]func(p r3.Vec, i int) r3.Vec{
			"point":      func(r3.Vec, int) r3.Vec { return r3.V(1, 2, 3) },
			"line":       func(p r3.Vec, _ int) r3.Vec { return r3.V(p.X, 0, 0) },
			"line askew": func(p r3.Vec, _ int) r3.Vec { return r3.V(p.X, 0.1*p.X, 0.7*p.X) },
			"folded":     func(p r3.Vec, _ int) r3.Vec { return r3.V(math.Abs(p.X-0.1), p.Y, 0) },
			"mirrored":   func(p r3.Vec, _ int) r3.Vec { return r3.V(-p.X, p.Y, 0) },
			"nearly": func(p r3.Vec, i int) r3.Vec {
				return r3.V(p.X, 1e-160*p.Y, 1e-170*float64(i%3))
			},
			"half": func(p r3.Vec, i int) r3.Vec {
				if i%2 == 0 {
					return r3.Vec{}
				}
				return p
			},
		}
		for name, move := range states {
			x := make([]r3.Vec, len(c.rest))
			for i, p := range c.rest {
				x[i] = move(p, i)
			}
			for _, detail := range []Detail{EnergyOnly, WithForce, Projected, Exact} {
				c.elems.Update(x, detail, 0, c.elems.Len())
				for e := range c.elems.Len() {
					if v := c.elems.Energy(e); !(math.Abs(v) < 1e3) {
						t.Fatalf("%s, %s: energy of %d is %g", c.name, name, e, v)
					}
					for k := range c.elems.Nodes(e) {
						if detail >= WithForce && !c.elems.Force(e, k).Finite() {
							t.Fatalf("%s, %s: force of %d is %v", c.name, name, e, c.elems.Force(e, k))
						}
					}
					if detail < Projected {
						continue
					}
					if v := largest(elementHessian(c.elems, e, 2, 1)); !(v < 1e12) {
						t.Fatalf("%s, %s: Hessian of %d is %g", c.name, name, e, v)
					}
				}
			}
		}
	}
}

// hingePair is two triangles over the unit square, folded along the diagonal by θ.
func TestHingeAngle(t *testing.T) {
	m, err := mesh.New(
		4,
		[][3]int32{{0, 1, 2}, {1, 0, 3}},
		[]r3.Vec2{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 0.3, Y: 1}, {X: 0.6, Y: -1}},
		nil,
	)
	if err != nil {
		t.Fatal(err)
	}
	h, err := NewHinge(m, func(int32) HingeLaw { return IsotropicHinge(8) })
	if err != nil {
		t.Fatal(err)
	}
	for _, theta := range []float64{0, 0.5, -1, 3, math.Pi, -3} {
		s, c := math.Sincos(theta)
		x := []r3.Vec{{}, {X: 1}, {X: 0.3, Y: 1}, {X: 0.6, Y: -c, Z: -s}}
		h.Update(x, Exact, 0, 1)
		// k l²/(2a) θ²/4 with l = 1 and a = 1.
		if want := 8.0 / 2 * theta * theta / 4; math.Abs(h.Energy(0)-want) > 1e-12 {
			t.Errorf("energy at %g is %g, want %g", theta, h.Energy(0), want)
		}
	}
}

// cylinder rolls a strip about the y axis with curvature kappa so that columns of a grid of side
// size keep their distance.
func cylinder(at []r3.Vec2, kappa, size float64) []r3.Vec {
	x := make([]r3.Vec, len(at))
	r := size / 2 / math.Sin(kappa*size/2)
	for i, p := range at {
		s, c := math.Sincos(kappa * p.X)
		x[i] = r3.V(r*s, p.Y, r*(1-c))
	}
	return x
}

// On a grid bent about one of its edge directions all families are a plate: B κ²/2 for each unit of
// area that has elements.
func TestBendingOfCylinder(t *testing.T) {
	const size, kappa, b = 0.01, 5, 2e-5
	m, at := shape.Strip(shape.Right, 0.3, 0.2, size, 0, 0)
	hinge, _ := NewHinge(m, func(int32) HingeLaw { return IsotropicHinge(4 * b) })
	isometric, _ := NewIsometric(m, b)
	for name, c := range map[string]struct {
		f    Elements
		area float64
	}{
		"plate":     {mustPlate(t, m, IsotropicPlate(b, 0.3), nil), 0.3 * 0.2},
		"hinge":     {hinge, 0.29 * 0.2},
		"isometric": {isometric, 0.29 * 0.19},
	} {
		x := cylinder(at, kappa, size)
		c.f.Update(x, EnergyOnly, 0, c.f.Len())
		sum := 0.0
		for e := range c.f.Len() {
			sum += c.f.Energy(e)
		}
		want := b * kappa * kappa / 2 * c.area
		// Chords instead of arcs: (κ size)²/12 = 2e-4.
		if math.Abs(sum/want-1) > 1e-3 {
			t.Errorf("%s: energy %g, want %g", name, sum, want)
		}
	}
}

// Elements do not know how the range was divided.
func TestBendingUpdateInParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, c := range bendingCases(t) {
		x := shaken(c.rest, c.size, rng)
		sum := func(workers int) (h uint64) {
			team := par.New(workers)
			team.Enter()
			team.For(c.elems.Len(), 5, func(lo, hi int) { c.elems.Update(x, Exact, lo, hi) })
			team.Leave()
			for e := range c.elems.Len() {
				h = h*31 + math.Float64bits(c.elems.Energy(e))
				for k := range c.elems.Nodes(e) {
					f := c.elems.Force(e, k)
					h = h*31 + math.Float64bits(f.X) ^ math.Float64bits(f.Y)<<1 ^ math.Float64bits(f.Z)<<2
				}
			}
			return h
		}
		if a, b := sum(1), sum(4); a != b {
			t.Errorf("%s: %x with one worker, %x with four", c.name, a, b)
		}
	}
}
