package yarn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// curl returns n points of a random smooth curve.
func curl(r *rand.Rand, n int, closed bool) []r3.Vec {
	points := make([]r3.Vec, n)
	turn := 2 * math.Pi
	if !closed {
		turn = 3
	}
	for i := range points {
		t := turn * float64(i) / float64(n)
		points[i] = r3.V(math.Cos(t), math.Sin(t), 0.3*math.Sin(2*t)).Scale(0.02)
		points[i] = points[i].Add(r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(1e-3))
	}
	return points
}

// bentRods returns rods with a random rest shape and random frames.
func bentRods(r *rand.Rand, closed bool) (*rods, []r3.Vec) {
	lay := &layout{}
	x := curl(r, 9, closed)
	lay.add(x, closed)
	m := Kaldor()
	m.Bend, m.Twist = 2e-9, 3e-9
	rods := newRods(lay, &m)
	rods.framed = true
	rods.measure(nil, x)
	rods.layFrames()
	rods.twistBy(0, 7)
	for i := range rods.shape {
		for k := range 4 {
			rods.shape[i][k] = r.NormFloat64()
		}
	}
	return rods, x
}

// energyAt returns the energy when edges carry their frames to other positions, without turning them.
func energyAt(r *rods, x []r3.Vec) float64 {
	c := *r
	c.tangent, c.length = append([]r3.Vec(nil), r.tangent...), append([]float64(nil), r.length...)
	c.director, c.kb = append([]r3.Vec(nil), r.director...), append([]r3.Vec(nil), r.kb...)
	c.twist = append([]float64(nil), r.twist...)
	c.pos = x
	c.carryFrames(0, len(x))
	c.measureBends(0, len(x))
	c.followTwist(0, len(x))
	bend, twist := c.energy()
	return bend + twist
}

// K14: forces are minus the derivative of the energy, with frames carried along in time, and depend on three points at
// a bend only.
func TestForcesAreDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, closed := range []bool{false, true} {
		for range 5 {
			rods, x := bentRods(r, closed)
			force := make([]r3.Vec, len(x))
			rods.addForces(nil, force)
			size := 0.0
			for _, f := range force {
				size = max(size, f.Norm())
			}
			// Lengths are of 1e-2 m: h = 1e-7 m has truncation errors of 1e-10 and rounding errors of 1e-9.
			const h = 1e-7
			for i := range x {
				for _, axis := range []r3.Vec{r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1)} {
					at := x[i]
					x[i] = at.AddScaled(h, axis)
					up := energyAt(rods, x)
					x[i] = at.AddScaled(-h, axis)
					down := energyAt(rods, x)
					x[i] = at
					if got, want := force[i].Dot(axis), -(up-down)/(2*h); math.Abs(got-want) > 1e-6*size {
						t.Errorf("closed %v, point %d: force %g, derivative of the energy %g", closed, i, got, want)
					}
				}
			}
		}
	}
}

// Forces of rods have neither a sum nor a moment, but for the moment that frames hold against.
func TestForcesKeepMomentum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rods, x := bentRods(r, true)
	if left := rods.relaxFrames(nil); left > frameTolerance {
		t.Fatalf("frames did not come to rest: %g", left)
	}
	force := make([]r3.Vec, len(x))
	rods.addForces(nil, force)
	var sum, moment r3.Vec
	size := 0.0
	for i, f := range force {
		sum, moment, size = sum.Add(f), moment.Add(x[i].Cross(f)), size+f.Norm()
	}
	if sum.Norm() > 1e-14*size {
		t.Errorf("sum of forces %g of %g", sum.Norm(), size)
	}
	// At rest frames exert no moment on edges, up to their tolerance (EI+GJ)/l.
	if limit := 1e-7 * size * 0.02; moment.Norm() > limit {
		t.Errorf("moment of forces %g, at most %g", moment.Norm(), limit)
	}
}

// Slopes are the derivatives of the energy by the angles of frames.
func TestSlopesAreDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, closed := range []bool{false, true} {
		rods, _ := bentRods(r, closed)
		rods.slopes(0, len(rods.slope))
		slope := append([]float64(nil), rods.slope...)
		energy := func(j int, by float64) float64 {
			clear(rods.theta)
			rods.theta[j] = by
			rods.turnFrames(0, len(rods.theta))
			bend, twist := rods.energy()
			return bend + twist
		}
		const h = 1e-5
		for j := range slope {
			if !rods.lay.hasSegment(j) {
				continue
			}
			// energy turns the frame each time: forward, then back twice as far, then to where it was.
			up, down := energy(j, h), energy(j, -2*h)
			energy(j, h)
			want := (up - down) / (2 * h)
			if math.Abs(slope[j]-want) > 1e-6*rods.bend/0.005 {
				t.Errorf("closed %v, edge %d: slope %g, derivative %g", closed, j, slope[j], want)
			}
		}
	}
}

// The twist of a yarn is counted beyond a turn, and a closed yarn keeps what it was given.
func TestTwistIsCounted(t *testing.T) {
	lay := &layout{}
	n := 24
	x := make([]r3.Vec, n)
	for i := range x {
		a := 2 * math.Pi * float64(i) / float64(n)
		x[i] = r3.V(math.Cos(a), math.Sin(a), 0).Scale(0.05)
	}
	lay.add(x, true)
	m := Kaldor()
	m.Plastic = 0
	rods := newRods(lay, &m)
	rods.measure(nil, x)
	rods.layFrames()
	rods.twistBy(0, 20)
	pose := r3.Pose{R: r3.Rotation(r3.V(1, 2, 3), 0.1), T: r3.V(0.01, 0, 0)}
	for range 100 { // ten radians about a skew axis
		for i := range x {
			x[i] = pose.Apply(x[i])
		}
		rods.advance(nil, x)
	}
	for i, m := range rods.twist {
		if math.Abs(m-20/float64(n)) > 1e-9 {
			t.Fatalf("twist at point %d is %g, laid with %g", i, m, 20/float64(n))
		}
	}
}

func TestTridiagonal(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, cyclic := range []bool{false, true} {
		for n := 1; n < 9; n++ {
			d, next, want := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range n {
				d[i], next[i], want[i] = 3+r.Float64(), r.NormFloat64()/2, r.NormFloat64()
			}
			around := cyclic && n > 2
			if !around {
				next[n-1] = 0
			}
			x := make([]float64, n)
			for i := range n {
				x[i] += d[i] * want[i]
				if i+1 < n || around {
					k := (i + 1) % n
					x[i] += next[i] * want[k]
					x[k] += next[i] * want[i]
				}
			}
			solveTridiagonal(d, next, x, cyclic, 0)
			for i := range n {
				if math.Abs(x[i]-want[i]) > 1e-13*float64(n) {
					t.Errorf("cyclic %v, %d unknowns: x[%d] = %g, want %g", cyclic, n, i, x[i], want[i])
				}
			}
		}
	}
}
