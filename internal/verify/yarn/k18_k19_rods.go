package yarn

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// elastica returns a material that is an elastic rod and nothing else: no contact, no plasticity, no damping.
func elastica(density, bend, twist float64) yarn.Material {
	return yarn.Material{Radius: 1e-3, Density: density, Bend: bend, Twist: twist}
}

// newYarns returns a world of yarns.
func newYarns(t *verify.Trial, m yarn.Material, gravity r3.Vec) *yarn.World {
	w, err := t.Yarns(yarn.Options{Material: m, Gravity: gravity, Strain: 1e-12, Workers: t.Options.Workers})
	t.Must(err)
	return w
}

// rodStep returns a step that explicit integration of a rod of edges of length l bears: a quarter of the limit 2/ω of
// its stiffest mode, ω² = 16 EI/(ρ l⁴). With half of it, stops between peaks of the energy may excite that mode.
func rodStep(m yarn.Material, l float64) float64 { return l * l / 8 * math.Sqrt(m.Density/m.Bend) }

// relaxYarns steps until yarns are at rest. All velocities are taken away whenever the kinetic energy has begun to fall
// [Barnes99]. At rest is when it has not risen above energy between two such moments [J], after a time at the least
// [s].
func relaxYarns(t *verify.Trial, w *yarn.World, h, least, energy float64, before func()) {
	const most = 400_000
	last, peak := 0.0, 0.0
	for range most {
		if before != nil {
			before()
		}
		s, err := w.Step(h)
		t.Must(err)
		peak = max(peak, s.Kinetic)
		if s.Kinetic < last {
			if peak < energy && w.Time() > least {
				return
			}
			w.Stop()
			last, peak = 0, 0
			continue
		}
		last = s.Kinetic
	}
	t.Note("yarns did not come to rest in %d steps", most)
}

// levelRod lays a rod of n edges along X, from its middle of the first edge at the origin to its end at length. Its
// first edge is held: the curvature that begins at its end belongs to half the edge before it too, so that the clamp is
// at the origin.
func levelRod(t *verify.Trial, w *yarn.World, length float64, n int) {
	l := length / (float64(n) - 0.5)
	x := make([]r3.Vec, n+1)
	for i := range x {
		x[i] = r3.V((float64(i)-0.5)*l, 0, 0)
	}
	_, err := w.AddYarn(yarn.Yarn{Name: "rod", Points: x})
	t.Must(err)
	t.Must(w.AddHold(yarn.Hold{Points: []int{0, 1}}))
}

// K18: rods bend as the elastica does: the heavy cantilever of C1, the buckling loads of C6, and the end moment of C7
// that rolls a cantilever to a circle. Differences of second order over 40 edges that turn by half a radian each at the
// most are off by less than 1 %: of a heavy rod by some Γ/n², since it bends within Γ^(-1/2) of its length. A column of
// n edges buckles at 4 n² sin²(√p/2n) in place of p, which is a share of p/12n² less.
var rodStatics = verify.Case{
	ID: "K18", Title: "rods bend, buckle and roll up",
	Source: "heavy elastica [Romero21]; Euler's column; arc of constant curvature",
	Body: func(t *verify.Trial) {
		n := 40
		gammas := []float64{1, 50, 1000}
		if t.Options.Full {
			gammas = nil
			for _, e := range setup.HeavyElastica {
				gammas = append(gammas, e.Gamma)
			}
		}
		exact := draw.Series{Name: "heavy elastica", Style: draw.Line}
		got := draw.Series{Name: fmt.Sprint(n, " edges"), Style: draw.Points}
		for _, e := range setup.HeavyElastica {
			exact.X, exact.Y = append(exact.X, e.Gamma), append(exact.Y, e.Ratio)
			for _, gamma := range gammas {
				if gamma == e.Gamma {
					n := n
					if gamma > 50 {
						n = 200 // of 40 edges less than ten would be in the bend at the clamp, Γ^(-1/3) of the length
					}
					ratio := heavyRod(t, gamma, n)
					got.X, got.Y = append(got.X, gamma), append(got.Y, ratio)
					t.Row(verify.Row{
						Quantity: fmt.Sprintf("drop/run at Γ = %g, %d edges", gamma, n),
						Expected: e.Ratio, Measured: ratio, Bar: verify.Relative,
						Limit: min(0.01, (2+gamma)/float64(n*n)),
					})
				}
			}
		}
		for _, c := range setup.Columns {
			t.Row(verify.Row{
				Quantity: fmt.Sprintf("P L²/EI, %s, %d edges", c.Name, n), Expected: c.Euler,
				Measured: rodColumn(t, c, n),
				Bar:      verify.Relative, Limit: c.Euler / float64(6*n*n),
			})
		}
		// The energy of κb = 2 tan(φ/2) has the slope of φ (1 + φ²/3), so that a moment turns edges by a share of φ²/3
		// less than it should: a thousandth with 120 of them.
		const fine = 120
		turnOff := math.Pow(2*math.Pi/(fine-1), 2) / 3
		turn, off := rolledRod(t, fine)
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("turn of the tip by the moment 2π EI/L, %d edges", fine), Unit: "rad",
			Expected: 2 * math.Pi, Measured: turn, Bar: verify.Relative, Limit: turnOff,
		})
		t.Row(verify.Row{
			Quantity: "tip from the root, over the length", Measured: off, Bar: verify.AtMost, Limit: 1e-3,
		})
		t.Plot("k18-cantilever", draw.Plot{
			Title: "K18: heavy cantilever rod", X: "Γ = w L³/EI", Y: "tip drop / run", LogX: true, LogY: true,
			Series: []draw.Series{draw.Tolerance(exact, "±1 %", 0.01, 0), exact, got},
		})
	},
}

// heavyRod returns drop over run of the tip of a rod that hangs by its own weight.
func heavyRod(t *verify.Trial, gamma float64, n int) float64 {
	const length, density, g = 0.2, 1e-3, 9.81
	m := elastica(density, density*g*length*length*length/gamma, 0)
	w := newYarns(t, m, r3.V(0, 0, -g))
	levelRod(t, w, length, n)
	relaxYarns(t, w, rodStep(m, length/float64(n)), 0, 1e-9*density*length*g*length, nil)
	tip := w.Positions()[n]
	return -tip.Z / tip.X
}

// rodColumn returns P L²/EI of a rod that is held a little shorter than it is, in a bow of a hundredth of its length.
// That raises the load by a share of (π/100)²/8 only.
func rodColumn(t *verify.Trial, c setup.Column, n int) float64 {
	const density, bend, bow = 1e-3, 1e-6, 0.01
	m := elastica(density, bend, 0)
	w := newYarns(t, m, r3.Vec{})
	// A clamp is in the middle of an edge, a pin at a point.
	left, right := []int{0}, []int{n}
	start, end := 0.0, float64(n)
	if c.Clamps > 0 {
		left, start = []int{0, 1}, 0.5
	}
	if c.Clamps > 1 {
		right, end = []int{n - 1, n}, float64(n)-0.5
	}
	const l = 5e-3
	x := make([]r3.Vec, n+1)
	for i := range x {
		x[i].X = (float64(i) - start) * l
		if i > left[len(left)-1] && i < right[0] {
			s := (float64(i) - start) / (end - start)
			x[i].Z = bow * (end - start) * l * [3]float64{
				math.Sin(math.Pi * s), 4 * s * math.Sin(math.Pi*s) / math.Pi, math.Pow(math.Sin(math.Pi*s), 2),
			}[c.Clamps]
		}
	}
	length := 0.0
	for i := range n {
		length += x[i+1].Sub(x[i]).Norm() * min(1, max(0, float64(i)+1-start, 0)) * min(1, end-float64(i))
	}
	_, err := w.AddYarn(yarn.Yarn{Name: "column", Points: x})
	t.Must(err)
	t.Must(w.AddHold(yarn.Hold{Points: left}))
	t.Must(w.AddHold(yarn.Hold{Points: right}))
	relaxYarns(t, w, rodStep(m, l), 0, 1e-9*bend/length*bow*bow, nil)
	force := 0.0
	for _, i := range right {
		force += w.Reaction(i).X
	}
	return force * length * length / bend
}

// rolledRod bends a cantilever by the moment 2π EI/L at its tip, a couple of forces on its last edge that turns with
// it. It returns by how much the tip turned and how far it is from the root, over the length.
func rolledRod(t *verify.Trial, n int) (turn, off float64) {
	const length, density, bend = 0.2, 1e-3, 1e-6
	m := elastica(density, bend, 0)
	w := newYarns(t, m, r3.Vec{})
	// The moment acts in the middle of the last edge.
	levelRod(t, w, length*(1+0.5/float64(n-1)), n)
	x := w.Positions
	moment := 2 * math.Pi * bend / length
	grown := 0.0
	load := func() {
		grown = min(1, grown+1e-3)
		e := x()[n].Sub(x()[n-1])
		up := r3.V(0, -1, 0).Cross(e).Scale(grown * moment / e.Norm2())
		w.SetForce(n, up)
		w.SetForce(n-1, up.Neg())
	}
	h := rodStep(m, length/float64(n))
	relaxYarns(t, w, h, 1000*h, 1e-12*bend/length, load)
	tip := x()[n-1].Lerp(x()[n], 0.5)
	for i := 2; i <= n; i++ {
		a, b := x()[i-1].Sub(x()[i-2]), x()[i].Sub(x()[i-1])
		turn += math.Atan2(a.Cross(b).Norm(), a.Dot(b))
	}
	return turn, tip.Norm() / length
}

// K19: a ring bent from a straight rod stays in its plane up to a twist of 2π √3 EI/GJ [Goriely06], and writhes beyond.
// A ring that is a little out of its plane, in the shape that it first leaves it in, comes back or goes on.
var michell = verify.Case{
	ID: "K19", Title: "a twisted ring writhes", Source: "Michell 1889, in [Goriely06]",
	Body: func(t *verify.Trial) {
		ratios := []float64{1}
		if t.Options.Full {
			ratios = []float64{0.7, 1, 1.5}
		}
		for _, ratio := range ratios {
			want := 2 * math.Pi * math.Sqrt(3) / ratio
			got := setup.Bisect(
				0.8*want, 1.25*want, 2e-3, func(twist float64) bool { return !writhes(t, ratio, twist, 60) },
			)
			t.Row(verify.Row{
				Quantity: fmt.Sprintf("twist at which it writhes, GJ/EI = %g", ratio), Unit: "rad",
				Expected: want, Measured: got, Bar: verify.Relative, Limit: 0.03,
			})
		}
	},
}

// writhes reports whether a ring of n edges with so much twist leaves its plane.
func writhes(t *verify.Trial, ratio, twist float64, n int) bool {
	const radius, density, bend, out = 0.05, 1e-3, 1e-7, 1e-4
	m := elastica(density, bend, ratio*bend)
	w := newYarns(t, m, r3.Vec{})
	x := make([]r3.Vec, n)
	for i := range x {
		a := 2 * math.Pi * float64(i) / float64(n)
		x[i] = r3.V(math.Cos(a), math.Sin(a), out*math.Cos(2*a)).Scale(radius)
	}
	_, err := w.AddYarn(yarn.Yarn{Name: "ring", Points: x, Closed: true, Twist: twist})
	t.Must(err)
	l := 2 * math.Pi * radius / float64(n)
	h := 2 * rodStep(m, l)
	// The slowest motions of a ring take some R² √(ρ/EI).
	period := radius * radius * math.Sqrt(density/bend)
	most := 0.0
	for w.Time() < 10*2*math.Pi*period {
		_, err := w.Step(h)
		t.Must(err)
		for _, p := range w.Positions() {
			most = max(most, math.Abs(p.Z)/(radius*out))
		}
		if most > 20 {
			return true
		}
	}
	return false
}
