package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// room returns the largest t found with u_N - μ‖u_T‖ ≥ t at all contacts for some v. For t > 0 the
// problem has a solution [AcaryCadoux11]; it is found by ascent on a smoothed minimum.
func room(cones []Cone) float64 {
	best := math.Inf(-1)
	var v r3.Vec
	for _, sharp := range []float64{1, 10, 100, 1e3, 1e4} {
		step := 1 / sharp
		for range 400 {
			var grad r3.Vec
			low, total := math.Inf(1), 0.0
			for pass := range 2 {
				for k := range cones {
					c := &cones[k]
					u := c.E.MulVec(v).Add(c.F)
					n := math.Sqrt(u.Y*u.Y + u.Z*u.Z + 1/(sharp*sharp))
					t := u.X - c.Mu*n
					if pass == 0 {
						low = min(low, t)
						continue
					}
					weight := math.Exp(-sharp * (t - low))
					total += weight
					grad = grad.AddScaled(weight, c.E.MulVecT(r3.V(1, -c.Mu*u.Y/n, -c.Mu*u.Z/n)))
				}
			}
			best = max(best, low)
			if best > 0 {
				return best
			}
			v = v.AddScaled(step/total, grad)
		}
	}
	return best
}

// frame returns the rows of a frame with the given unit normal.
func frame(n r3.Vec) r3.Mat {
	t := n.Orthogonal()
	return r3.Rows(n, t, n.Cross(t))
}

// randomNode returns a node with contacts whose normals lean at most spread from a common direction.
func randomNode(rng *rand.Rand, p int, spread float64) (a r3.Mat, b r3.Vec, cones []Cone) {
	a = randomW(rng, math.Pow(10, 2*rng.Float64()), 1e-3)
	side := gauss(rng).Unit()
	for range p {
		n := side.AddScaled(spread, gauss(rng).Unit()).Unit()
		cones = append(cones, Cone{E: frame(n), F: gauss(rng).Scale(0.1), Mu: rng.Float64()})
	}
	return a, gauss(rng).Scale(1e-3), cones
}

func TestOneConeIsTheOneContactProblem(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for range 1000 {
		a, b, cones := randomNode(rng, 1, 1)
		v, residual, status := SolveCones(&a, b, cones, 1e-12)
		c := &cones[0]
		e := c.E.T()
		w := c.E.Mul(&a)
		w = w.Mul(&e)
		want, state, _ := SolveCoulomb(&w, c.E.MulVec(b).Sub(w.MulVec(c.F)), c.Mu, r3.Vec{})
		if miss := c.E.MulVec(v).Add(c.F).Sub(want).Norm(); status != ConesSolved || residual > 1e-12 || miss > 1e-13 || c.State != state {
			t.Fatalf("status %v, residual %.3g, %v instead of %v, %.3g m/s off", status, residual, c.State, state, miss)
		}
	}
}

// TestConesInACorner has a closed form: without friction and coupling every wall stops its own
// component.
func TestConesInACorner(t *testing.T) {
	a := r3.Diagonal(2e-3)
	b := r3.V(1, -2, 3).Scale(2e-3) // free velocity (-1, 2, -3)
	cones := []Cone{{E: frame(r3.V(1, 0, 0))}, {E: frame(r3.V(0, 1, 0))}, {E: frame(r3.V(0, 0, 1)), F: r3.V(0.5, 0, 0)}}
	v, _, status := SolveCones(&a, b, cones, 1e-12)
	if status != ConesSolved || v.Sub(r3.V(0, 2, -0.5)).Norm() > 1e-14 {
		t.Errorf("status %v, v %v", status, v)
	}
	want := []float64{2e-3, 0, 5e-3}
	for k := range cones {
		if math.Abs(cones[k].R.X-want[k]) > 1e-17 {
			t.Errorf("impulse %d is %v, want %v", k, cones[k].R.X, want[k])
		}
	}
}

// TestConesInAGroove presses a node into a groove of 90°: along the groove, friction holds up to √2 μ
// times the weight. Friction across the groove can leave both impulses near their cones, where a
// residual of 1e-12 m/s allows a creep of 1e-12/(μ sin) with the angle between impulse and motion.
func TestConesInAGroove(t *testing.T) {
	const mu, weight = 0.3, 1e-2
	a := r3.Diagonal(1e-3)
	h := math.Sqrt2 / 2
	for _, share := range []float64{0.99, 1.01} {
		cones := []Cone{{E: frame(r3.V(h, 0, h)), Mu: mu}, {E: frame(r3.V(-h, 0, h)), Mu: mu}}
		push := share * math.Sqrt2 * mu * weight
		v, _, status := SolveCones(&a, r3.V(0, -push, weight), cones, 1e-12)
		want := max(0, push-math.Sqrt2*mu*weight) / 1e-3
		if status != ConesSolved || v.Sub(r3.V(0, want, 0)).Norm() > 1e-10 {
			t.Errorf("pushed with %.2f of the limit: status %v, v %v, want %.3g", share, status, v, want)
		}
	}
}

// TestConesOnOneSide wants nearly every node solved whose contacts lie within a cone, as on an
// obstacle. A failure must be reported and bounded.
func TestConesOnOneSide(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	const problems = 1500
	failed := 0
	for i := range problems {
		a, b, cones := randomNode(rng, 2+i%4, 0.8)
		v, residual, status := SolveCones(&a, b, cones, 1e-10)
		s := 3 / a.Trace()
		balance := a.MulVec(v).Add(b)
		for k := range cones {
			c := &cones[k]
			balance = balance.Sub(c.E.MulVecT(c.R))
			if status == ConesSolved {
				if law := CoulombResidual(c.E.MulVec(v).Add(c.F), c.R, c.Mu, s); law > 1e-10 {
					t.Errorf("problem %d: law broken by %.3g m/s", i, law)
				}
			}
			if s*c.R.Norm() > 1000 {
				t.Errorf("problem %d: impulse %.3g m/s", i, s*c.R.Norm())
			}
		}
		if s*balance.Norm() > 1e-10 {
			t.Errorf("problem %d: %v with momentum off by %.3g m/s", i, status, s*balance.Norm())
		}
		switch {
		case status == ConesInfeasible && room(cones) > 0:
			t.Errorf("problem %d: called infeasible with %.3g m/s to spare", i, room(cones))
		case status != ConesSolved:
			failed++
		case residual > 1e-10:
			t.Errorf("problem %d: called solved at %.3g m/s", i, residual)
		}
	}
	if failed > problems/200 {
		t.Errorf("%d of %d not solved", failed, problems)
	}
}

// TestFarkas builds nodes that can be parted and nodes that cannot.
func TestFarkas(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for i := range 3000 {
		p := 2 + i%5
		possible := node{cones: make([]Cone, p)}
		v := gauss(rng)
		for k := range possible.cones {
			n := gauss(rng).Unit()
			possible.cones[k] = Cone{E: frame(n), F: r3.V(rng.Float64()-n.Dot(v), 0, 0)}
		}
		if !possible.feasible() {
			t.Fatalf("%d contacts that %v parts: called infeasible", p, v)
		}
		// Weighted normals that close a polygon, in space, in a plane or on a line.
		impossible := node{cones: make([]Cone, min(p, 4))}
		var sum r3.Vec
		balance := 0.0
		plane := [2]r3.Vec{gauss(rng).Unit(), gauss(rng).Unit()}
		for k := range impossible.cones {
			n := gauss(rng)
			if len(impossible.cones) == 3 {
				n = plane[0].Scale(n.X).AddScaled(n.Y, plane[1])
			}
			if k == len(impossible.cones)-1 {
				n = sum.Neg()
			}
			sum = sum.Add(n)
			f := rng.NormFloat64()
			if k == len(impossible.cones)-1 {
				f = -(balance + 0.01) / n.Norm()
			}
			balance += n.Norm() * f
			impossible.cones[k] = Cone{E: frame(n.Unit()), F: r3.V(f, 0, 0)}
		}
		if impossible.feasible() {
			t.Fatalf("%d contacts that exclude each other: called feasible", len(impossible.cones))
		}
	}
}

// TestClosingPlates is a node between two plates that leave it no room, and then open again.
func TestClosingPlates(t *testing.T) {
	a := r3.Diagonal(1e-3)
	plates := func(speed float64) []Cone {
		return []Cone{
			{E: frame(r3.V(0, 0, 1)), F: r3.V(-speed, 0.1, 0), Mu: 0.5},
			{E: frame(r3.V(0, 0, -1)), F: r3.V(-speed, 0.1, 0), Mu: 0.5},
		}
	}
	closing := plates(0.2)
	v, residual, status := SolveCones(&a, r3.V(1e-4, 0, 0), closing, 1e-10)
	if status != ConesInfeasible || !(residual > 0.1) || math.Abs(v.Z) > 1e-12 {
		t.Errorf("closing: status %v, residual %.3g, v %v", status, residual, v)
	}
	for k := range closing {
		if r := closing[k].R.Norm() / 1e-3; !(r > 0 && r < 0.2*coneStiff*1.5) {
			t.Errorf("closing: impulse of %.3g m/s", r)
		}
	}
	opening := plates(-0.2)
	opening[0].R, opening[1].R = closing[0].R, closing[1].R
	if v, residual, status = SolveCones(&a, r3.V(1e-4, 0, 0), opening, 1e-10); status != ConesSolved || v.Sub(r3.V(-0.1, 0, 0)).Norm() > 1e-10 {
		t.Errorf("opening: status %v, residual %.3g, v %v", status, residual, v)
	}
}

func TestConesBadInput(t *testing.T) {
	a := r3.Identity()
	nan := math.NaN()
	for _, cones := range [][]Cone{
		nil,
		{{E: r3.Identity(), F: r3.V(nan, 0, 0)}},
		{{E: r3.Identity(), Mu: -1}},
		{{E: r3.Diagonal(nan)}},
	} {
		if v, residual, status := SolveCones(&a, r3.V(1, 1, 1), cones, 1e-10); status != ConesUnsolved || !math.IsInf(residual, 1) || !v.Finite() {
			t.Errorf("%v: status %v, residual %v, v %v", cones, status, residual, v)
		}
	}
}

func BenchmarkCones(bench *testing.B) {
	for _, p := range []int{2, 4} {
		rng := rand.New(rand.NewPCG(2, uint64(p)))
		a, b, cones := randomNode(rng, p, 0.5)
		bench.Run(string(rune('0'+p)), func(bench *testing.B) {
			bench.ReportAllocs()
			for range bench.N {
				SolveCones(&a, b, cones, 1e-10)
			}
		})
	}
}
