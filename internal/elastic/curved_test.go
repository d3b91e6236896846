package elastic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func ExampleNewCurved() {
	// A strip rolled up by 0.5 rad from one column of vertices to the next. Along the chords it is a
	// hundredth shorter than at rest, along the arcs it is not.
	const size, angle = 0.01, 0.5
	m, at := shape.Strip(shape.Right, 0.1, 0.04, size, 0, 0)
	plate, _ := NewPlate(m, Everywhere(IsotropicPlate(1e-5, 0)), nil, nil)
	law := StVK(material.NewStretch(100, 100, 50, 0))
	chords, arcs := NewMembrane(m, law), NewCurved(m, law, plate)
	x := rolled(at, angle/size)
	chords.Update(x, EnergyOnly, 0, chords.Len())
	arcs.Update(x, EnergyOnly, 0, arcs.Len())
	_, chord := chords.Stretch(0)
	major, arc := arcs.Stretch(0)
	fmt.Printf("%.4f %.4f %.4f", chord, arc, major)
	// Output: 0.9896 0.9997 1.0000
}

// rolled rolls the plane about the y axis without stretching it.
func rolled(at []r3.Vec2, kappa float64) []r3.Vec {
	x := make([]r3.Vec, len(at))
	for i, p := range at {
		s, c := math.Sincos(kappa * p.X)
		x[i] = r3.V(s/kappa, p.Y, (1-c)/kappa)
	}
	return x
}

// curvedCases are membranes of a crooked strip: flat at rest, with a clamped end, curved at rest.
func curvedCases(t testing.TB) []bendingCase {
	const size = 0.05
	var cases []bendingCase
	for lawName, law := range testLaws() {
		s := newFlatStrip(shape.Random, 0.25, 0.2, size, 0.3)
		plate := IsotropicPlate(1e-5, 0.2)
		bent := NewCurved(s.mesh, law, mustPlate(t, s.mesh, plate, nil))
		bent.RestFrom(bowl(s.at))
		cases = append(
			cases,
			bendingCase{"flat, " + lawName, NewCurved(s.mesh, law, mustPlate(t, s.mesh, plate, nil)), s.x, size},
			bendingCase{
				"clamped, " + lawName,
				NewCurved(s.mesh, law, mustPlate(t, s.mesh, plate, s.clamps)),
				s.x,
				size,
			},
			bendingCase{"bent, " + lawName, bent, bowl(s.at), size},
		)
	}
	return cases
}

func TestCurvedDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	for _, c := range curvedCases(t) {
		for _, shake := range []float64{0.02, 0.2} {
			x := shaken(c.rest, shake*c.size, rng)
			for e := 0; e < c.elems.Len(); e += 11 {
				checkDerivatives(t, &c, x, e)
			}
		}
	}
}

func TestCurvedProjectedIsPositive(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	for _, c := range curvedCases(t) {
		for _, shake := range []float64{0, 0.1, 2} {
			x := shaken(c.rest, shake*c.size, rng)
			c.elems.Update(x, Projected, 0, c.elems.Len())
			for e := 0; e < c.elems.Len(); e += 17 {
				for _, part := range [][2]float64{{1, 1}, {1, 0}, {0, 1}} {
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

// The energy does not see rigid motions, forces have no resultant and, without clamps, no moment; the
// material part vanishes on rigid velocities and MaterialForce is minus its product.
func TestCurvedMomentum(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 66))
	for _, c := range curvedCases(t) {
		clamped := c.elems.(*Curved).clamp != nil
		x := shaken(c.rest, 0.2*c.size, rng)
		pose, spin, drift := randomPose(rng), randomVec(rng), randomVec(rng)
		moved, rigid, other := make([]r3.Vec, len(x)), make([]r3.Vec, len(x)), make([]r3.Vec, len(x))
		for i := range x {
			moved[i], rigid[i], other[i] = pose.Apply(x[i]), spin.Cross(x[i]).Add(drift), randomVec(rng)
		}
		c.elems.Update(moved, EnergyOnly, 0, c.elems.Len())
		var energy []float64
		for e := range c.elems.Len() {
			energy = append(energy, c.elems.Energy(e))
		}
		c.elems.Update(x, Projected, 0, c.elems.Len())
		for e := range c.elems.Len() {
			// Coordinates of size 1 are rounded to 1e-16, and strain is that over the size, 1e-14.
			if got := c.elems.Energy(e); !clamped && math.Abs(got-energy[e]) > 1e-12*(1+got) {
				t.Errorf("%s %d: energy %g, and %g when moved", c.name, e, got, energy[e])
			}
			var sum, moment, product r3.Vec
			scale := 0.0
			h := elementHessian(c.elems, e, 1, 0)
			stiffness := largest(h)
			for k, i := range c.elems.Nodes(e) {
				f := c.elems.Force(e, k)
				sum, moment, scale = sum.Add(f), moment.Add(x[i].Cross(f)), scale+f.Norm()
				product = c.elems.MaterialForce(e, k, other)
				for l, j := range c.elems.Nodes(e) {
					for a := range 3 {
						for b := range 3 {
							*component(&product, a) += h[3*k+a][3*l+b] * *component(&other[j], b)
						}
					}
				}
				if product.Norm() > 1e-12*stiffness*float64(len(h)) {
					t.Fatalf("%s %d: material force is off by %g of %g", c.name, e, product.Norm(), stiffness)
				}
				if f := c.elems.MaterialForce(e, k, rigid).Norm(); !clamped && f > 1e-11*stiffness {
					t.Errorf("%s %d: a rigid velocity feels %g of %g", c.name, e, f, stiffness)
				}
			}
			if sum.Norm() > 1e-12*scale || !clamped && moment.Norm() > 1e-12*scale {
				t.Errorf("%s %d: net force %g, moment %g (of %g)", c.name, e, sum.Norm(), moment.Norm(), scale)
			}
		}
	}
}

// A sheet that is stretched and sheared alike everywhere is a Membrane.
func TestCurvedFlatIsMembrane(t *testing.T) {
	for _, p := range shape.Patterns() {
		m, at := shape.Strip(p, 0.3, 0.2, 0.05, 0.3, 7)
		law := interlockTable()
		chord, arc := NewMembrane(m, law), NewCurved(m, law, mustPlate(t, m, IsotropicPlate(1e-5, 0), nil))
		pose := randomPose(rand.New(rand.NewPCG(67, 68)))
		var x []r3.Vec
		for _, q := range at {
			x = append(x, pose.Apply(r3.V(1.1*q.X+0.1*q.Y, 0.95*q.Y, 0)))
		}
		chord.Update(x, Projected, 0, chord.Len())
		arc.Update(x, Projected, 0, arc.Len())
		for e := range m.Tri {
			a, b := elementHessian(chord, e, 1, 1), elementHessian(arc, e, 1, 1)
			scale := largest(a)
			for i := range b {
				for j := range b[i] {
					want := 0.0
					if i < 9 && j < 9 {
						want = a[i][j]
					}
					// The geometric part of bows, σ a a, is there in a flat sheet too.
					if i%3 == j%3 && math.Abs(b[i][j]-want) < 0.2*scale {
						continue
					}
					if math.Abs(b[i][j]-want) > 1e-11*scale {
						t.Fatalf(
							"%v %d: Hessian %d, %d is %g, of a membrane %g (of %g)",
							p,
							e,
							i,
							j,
							b[i][j],
							want,
							scale,
						)
					}
				}
			}
			if got, want := arc.Energy(e), chord.Energy(e); math.Abs(got-want) > 1e-12*want {
				t.Errorf("%v %d: energy %g, of a membrane %g", p, e, got, want)
			}
			for k := range arc.Nodes(e) {
				var want r3.Vec
				if k < 3 {
					want = chord.Force(e, k)
				}
				if got := arc.Force(e, k); got.Sub(want).Norm() > 1e-11*chord.Force(e, 0).Norm() {
					t.Errorf("%v %d: force %v, of a membrane %v", p, e, got, want)
				}
			}
		}
	}
}

// For a quadratic map the strain along every edge is the mean along it.
func TestCurvedQuadratic(t *testing.T) {
	place := func(q r3.Vec2) r3.Vec {
		return r3.V(q.X+0.3*q.X*q.Y, 0.9*q.Y-0.2*q.X*q.X, 2*q.X*q.X-1.5*q.Y*q.Y+q.X*q.Y)
	}
	rate := func(q, d r3.Vec2) r3.Vec {
		return r3.V(d.X+0.3*(d.X*q.Y+q.X*d.Y), 0.9*d.Y-0.4*q.X*d.X, 4*q.X*d.X-3*q.Y*d.Y+d.X*q.Y+q.X*d.Y)
	}
	for _, p := range shape.Patterns() {
		m, at := shape.Strip(p, 0.5, 0.4, 0.05, 0, 9)
		arc := NewCurved(m, StVK(material.NewStretch(1, 1, 1, 0)), mustPlate(t, m, IsotropicPlate(1e-5, 0), nil))
		var x []r3.Vec
		for _, q := range at {
			x = append(x, place(q))
		}
		arc.Update(x, EnergyOnly, 0, arc.Len())
		for e, v := range m.Tri {
			for k := range 3 {
				a := at[v[k]]
				d := at[v[(k+1)%3]].Sub(a)
				// Simpson's rule is exact for the square of a linear rate.
				want := (rate(a, d).Norm2() + 4*rate(a.Add(d.Scale(0.5)), d).Norm2() + rate(a.Add(d), d).Norm2()) / 6
				g := &arc.tri[e].strain
				got := d.X*d.X*(1+2*g.Warp) + d.Y*d.Y*(1+2*g.Weft) + 2*d.X*d.Y*g.Shear
				if math.Abs(got/want-1) > 1e-9 {
					t.Fatalf("%v: squared length of an edge of %d is %g, want %g", p, e, got, want)
				}
			}
		}
	}
}

// On a cylinder chords are shorter by θ²/24, and what is left along arcs is of fourth order.
func TestCurvedOrder(t *testing.T) {
	worst := func(p shape.Pattern, size float64) float64 {
		const kappa = 4
		m, at := shape.Strip(p, 0.5, 0.3, size, 0, 3)
		arc := NewCurved(m, StVK(material.NewStretch(1, 1, 1, 0)), mustPlate(t, m, IsotropicPlate(1e-5, 0), nil))
		arc.Update(rolled(at, kappa), EnergyOnly, 0, arc.Len())
		sum := 0.0
		for e := range arc.Len() {
			major, minor := arc.Stretch(e)
			sum += math.Abs(major-1) + math.Abs(minor-1)
		}
		return sum / float64(arc.Len())
	}
	for _, p := range shape.Patterns() {
		coarse, fine := worst(p, 0.05), worst(p, 0.025)
		order := math.Log2(coarse / fine)
		t.Logf("%v: mean strain %.2g at 0.2 rad, %.2g at 0.1 rad, order %.2f", p, coarse, fine, order)
		// A random mesh has triangles up to twice the size; third derivatives are seen at the boundary.
		if order < 2.7 || coarse > 0.2*0.2/24/4 {
			t.Errorf("%v: strain %g and %g, order %g", p, coarse, fine, order)
		}
	}
}

func TestCurvedDegenerate(t *testing.T) {
	states := map[string]func(p r3.Vec, i int) r3.Vec{
		"point":  func(r3.Vec, int) r3.Vec { return r3.V(1, 2, 3) },
		"line":   func(p r3.Vec, _ int) r3.Vec { return r3.V(p.X, 0, 0) },
		"folded": func(p r3.Vec, _ int) r3.Vec { return r3.V(math.Abs(p.X-0.1), p.Y, 0) },
		"nearly": func(p r3.Vec, i int) r3.Vec { return r3.V(p.X, 1e-160*p.Y, 1e-170*float64(i%3)) },
		"half": func(p r3.Vec, i int) r3.Vec {
			if i%2 == 0 {
				return r3.Vec{}
			}
			return p
		},
	}
	for _, c := range curvedCases(t) {
		for name, move := range states {
			x := make([]r3.Vec, len(c.rest))
			for i, p := range c.rest {
				x[i] = move(p, i)
			}
			for _, detail := range []Detail{Projected, Exact} {
				c.elems.Update(x, detail, 0, c.elems.Len())
				for e := range c.elems.Len() {
					energy, hessian := c.elems.Energy(e), largest(elementHessian(c.elems, e, 2, 1))
					if !(math.Abs(energy) < 1e6) || !(hessian < 1e12) { // for laws that grow like a square
						t.Fatalf("%s, %s: energy of %d is %g, want below 1e6 J; Hessian %g, want below 1e12 N/m",
							c.name, name, e, energy, hessian)
					}
					major, minor := c.elems.(*Curved).Stretch(e)
					if !(major >= minor) || !(minor >= 0) {
						t.Fatalf("%s, %s: stretches of %d are %g and %g", c.name, name, e, major, minor)
					}
				}
			}
		}
	}
}

func TestCurvedAllocatesNothing(t *testing.T) {
	for _, c := range curvedCases(t) {
		at := make([]int32, len(c.elems.Nodes(0)))
		val := make([]r3.Mat, 1)
		if n := testing.AllocsPerRun(5, func() {
			c.elems.Update(c.rest, Projected, 0, c.elems.Len())
			c.elems.AddRow(0, 0, at, val, 1, 1)
		}); n != 0 {
			t.Errorf("%s: %g allocations", c.name, n)
		}
	}
}

func BenchmarkCurved(b *testing.B) {
	m, at := shape.Strip(shape.Right, 0.7, 0.7, 0.01, 0, 0)
	plate := mustPlate(b, m, IsotropicPlate(1e-5, 0), nil)
	x := rolled(at, 20)
	law := StVK(material.NewStretch(300, 120, 40, 0.3))
	for name, f := range map[string]Elements{"chord": NewMembrane(m, law), "arc": NewCurved(m, law, plate), "plate": plate} {
		b.Run(name, func(b *testing.B) {
			val, at := make([]r3.Mat, 64), make([]int32, 64)
			for b.Loop() {
				f.Update(x, Projected, 0, f.Len())
				for e := range f.Len() {
					for k, n := 0, len(f.Nodes(e)); k < n; k++ {
						for l := range at[:n] {
							// As in an assembly, only on and above the diagonal.
							at[l] = int32(l)
							if l < k {
								at[l] = -1
							}
						}
						f.AddRow(e, k, at[:n], val, 1, 1)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(f.Len()), "ns/triangle")
		})
	}
}
