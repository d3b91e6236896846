package contact

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C26: impacts without restitution, in the sense of Moreau: v is such that u_N = 0 where there is an impulse. With u_f
// = 0 the energy ½ vᵀ A v cannot rise: its change is r·u - ½ rᵀ W r ≤ 0. A row of n equal nodes hit by one more at its
// end goes on together with 1/n of its speed. Contacts that Painlevé's rod would jam in are solved or said not to be,
// never NaN.
var inelastic = verify.Case{
	ID: "C26", Title: "impacts without restitution", Source: "Moreau's impact law",
	Body: func(t *verify.Trial) {
		impactEnergy(t)
		cradle(t)
		painleve(t)
		landing(t)
		pushedOut(t)
		fallenSheet(t)
	},
}

// impactEnergy takes the problems of the library with given velocities before the impact.
func impactEnergy(t *verify.Trial) {
	count := 300
	if t.Options.Full {
		count = 5000
	}
	worst, solved := math.Inf(-1), 0
	var before, after []float64
	for seed := range uint64(count) {
		// a problem of the library, unless it is wild
		p, wild := problems.Random(seed)
		if wild {
			continue
		}
		// all nodes are free, with random velocities before the impact
		rng := rand.New(rand.NewPCG(seed, 26))
		first := make([]r3.Vec, p.A.N)
		for i := range first {
			p.Fixed[i] = false
			first[i] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()-1)
		}
		for c := range p.Set.Contacts {
			p.Set.Contacts[c].Uf = r3.Vec{}
		}
		// energy before
		p.A.Mul(nil, first, p.B)
		e0 := 0.0
		for i := range first {
			e0 += first[i].Dot(p.B[i]) / 2
			p.B[i] = p.B[i].Neg()
		}
		// the impact
		solver := solve.DefaultNodal()
		out := setup.SolveNodal(t, &solver, p)
		if !out.Converged {
			continue
		}
		solved++
		// energy after it
		image := make([]r3.Vec, p.A.N)
		p.A.Mul(nil, out.V, image)
		e1 := 0.0
		for i := range image {
			e1 += out.V[i].Dot(image[i]) / 2
		}
		worst = max(worst, (e1-e0)/e0)
		before, after = append(before, e0), append(after, e1/e0)
	}
	// no impact gains energy
	t.Row(
		verify.Row{
			Quantity: fmt.Sprintf("largest gain of energy in %d impacts, relative", solved),
			Measured: worst,
			Bar:      verify.AtMost,
			Limit:    64 * verify.Rounding,
			From:     "64 roundings",
		},
	)
	t.Plot("c26-energy", draw.Plot{
		Title: "C26: energy left after impacts without restitution",
		X:     "energy before [J]",
		Y:     "share left",
		LogX:  true,
		Series: []draw.Series{
			{Name: "bound", X: []float64{1, 1e6}, Y: []float64{1, 1}, Style: draw.Dashed},
			{Name: "measured", X: before, Y: after, Style: draw.Points},
		},
	})
}

// cradle hits rows of touching nodes at their end.
func cradle(t *verify.Trial) {
	worst := 0.0
	// rows of touching nodes, all of one mass
	for n := 2; n <= 40; n++ {
		p := &problems.Problem{
			A:     sparse.NewPattern(n).Build(),
			B:     make([]r3.Vec, n),
			Mass:  make([]float64, n),
			Fixed: make([]bool, n),
		}
		for i := range n {
			p.A.Val[p.A.Diag[i]], p.Mass[i] = r3.Diagonal(1e-3), 1e-3
			if i > 0 {
				p.Set.Add(
					contact.Contact{
						ID:    contact.ID{A: contact.Feature{ID: int64(i)}},
						A:     int32(i),
						B:     int32(i - 1),
						Frame: contact.FrameOf(r3.V(1, 0, 0)),
						Mu:    0.3,
					},
				)
			}
		}
		// the first is hit
		p.B[0] = r3.V(-1e-3, 0, 0)
		// all go on together
		solver := solve.DefaultNodal()
		out := setup.SolveTo(t, 1e-12, &solver, p)
		for i := range n {
			worst = max(worst, out.V[i].Sub(r3.V(1/float64(n), 0, 0)).Norm()*float64(n))
		}
	}
	t.Row(
		verify.Row{
			Quantity: "velocities of rows of 2 to 40 nodes hit at the end, relative error",
			Measured: worst,
			Bar:      verify.AtMost,
			Limit:    5e-9,
			From:     "a residual of 1e-12 m/s, times 40 nodes and the speed of the last",
		},
	)
}

// painleve slides rods over the floor: half length 1, mass m, at an angle to it. The velocity at the foot answers to
// impulses with w_nn = (1 + 3 cos²)/m, w_nt = -3 sin cos/m, w_tt = (1 + 3 sin²)/m, and with μ > w_nn/|w_nt| (4/3 at the
// least) pushing the sliding foot down takes more normal impulse the more there is.
func painleve(t *verify.Trial) {
	// rods over angles, speeds and coefficients of friction
	bad, jammed, count := 0, 0, 0
	worst := 0.0
	for _, mu := range []float64{0.5, 1, 1.4, 2, 3} {
		for degree := 5; degree < 90; degree += 5 {
			for _, speed := range []float64{-1, -1e-3, 1e-3, 1} {
				sin, cos := math.Sincos(float64(degree) * math.Pi / 180)
				const m, fall = 0.1, 9.81e-3
				// what the velocity at the foot answers to impulses
				compliance := r3.Diagonal(1 / m)
				compliance.XX, compliance.YY = (1+3*cos*cos)/m, (1+3*sin*sin)/m
				compliance.XY, compliance.YX = -3*sin*cos/m, -3*sin*cos/m
				w, ok := compliance.Inverse()
				if !ok {
					t.Must(fmt.Errorf("the compliance of a rod at %d° is singular", degree))
				}
				// one contact, on a rod that falls and slides
				b := w.MulVec(r3.V(-fall, speed, 0)).Neg()
				p := problems.Single(&w, b, mu, r3.V(0, 0, 1))
				solver := solve.DefaultNodal()
				out := setup.SolveNodal(t, &solver, p)
				count++
				// solved with a small residual, or told that it is not
				if mu*3*sin*cos > 1+3*cos*cos {
					jammed++
				}
				flagged := !out.Converged || out.Infeasible[0]
				if !out.V[0].Finite() || !out.R[0].Finite() || !flagged && !(out.Residual.Worst() <= 1.01e-8) {
					bad++
				}
				if !flagged {
					worst = max(worst, out.Residual.Worst())
				}
			}
		}
	}
	// none is wrong without being told
	t.Row(
		verify.Row{
			Quantity: fmt.Sprintf("rods that are neither solved nor flagged, of %d (%d of Painlevé's)", count, jammed),
			Measured: float64(bad),
			Bar:      verify.AtMost,
			Limit:    0,
		},
	)
	t.Row(
		verify.Row{
			Quantity: "largest residual of rods that are solved",
			Unit:     "m/s",
			Measured: worst,
			Bar:      verify.AtMost,
			Limit:    64 * verify.Rounding,
			From:     "64 roundings: one contact is solved in closed form",
		},
	)
}

// above returns a flat sheet at a height above a floor.
func above(t *verify.Trial, height float64) (*engine.World, engine.ClothID) {
	m, x := shape.Grid(0.1, 0.1, 4, 4)
	for i := range x {
		x[i].Z = height
	}
	w, id := setup.Sheet(t, engine.DefaultOptions(), m, x, setup.SheetFabric{Density: 0.2, Stretch: 200, Bend: 1e-5})
	setup.Obstacle(t, w, "floor", shape.Plane{Normal: r3.V(0, 0, 1)}, r3.Still())
	return w, id
}

// landing lets a flat sheet fall. In the step in which it meets the floor it comes to the thickness above it, neither
// nearer nor farther, since the gap of a plane is linear in the motion; a ten-thousandth of it counts as none.
func landing(t *verify.Trial) {
	w, id := above(t, 0.05)
	for range 100 {
		if t.Step(w, 2e-3).Contacts > 0 {
			break
		}
	}
	thickness := w.Options().Contact.Thickness
	t.Row(
		verify.Row{
			Quantity: "height of a sheet when it has landed",
			Unit:     "m",
			Expected: thickness,
			Measured: w.Positions(id)[12].Z,
			Bar:      verify.Absolute,
			Limit:    1e-8 * thickness,
			From:     "1e-8 m/s for a step of 2 ms, over the thickness",
		},
	)
}

// pushedOut lays a sheet nearer to the floor than the thickness. Each step makes up a tenth of what is missing, at most
// at 0.1 m/s, which is the less of both in short steps.
func pushedOut(t *verify.Trial) {
	const start, steps = 0.4, 10
	for _, h := range []float64{2e-3, 2e-4} {
		w, id := above(t, start*engine.DefaultOptions().Contact.Thickness)
		c := w.Options().Contact
		want := start * c.Thickness
		for range steps {
			t.Step(w, h)
			want += min(c.PushFraction*(c.Thickness-want), c.PushSpeed*h)
		}
		t.Row(verify.Row{
			Quantity: fmt.Sprintf(
				"height after %d steps of %g ms from %g of the thickness",
				steps,
				1e3*h,
				start,
			),
			Unit:     "m",
			Expected: want,
			Measured: w.Positions(id)[12].Z,
			Bar:      verify.Relative,
			Limit:    1e-9,
			From:     "1e-8 m/s for a step, over the thickness; one contact a vertex is solved to rounding",
		})
	}
}

// fallenSheet drops a sheet flat onto a floor, and one onto a ball: no step may gain energy but what pushing out did.
func fallenSheet(t *verify.Trial) {
	// sheet above a floor or a ball
	for _, name := range []string{"floor", "ball"} {
		opt := engine.DefaultOptions()
		m, x := shape.Grid(0.3, 0.3, 12, 12)
		for i := range x {
			x[i] = x[i].Add(r3.V(-0.15, -0.15, 0.05))
		}
		w, id := setup.Sheet(t, opt, m, x, setup.SheetFabric{Density: 0.2, Stretch: 200, Bend: 1e-5})
		if name == "floor" {
			setup.Obstacle(t, w, name, shape.Plane{Normal: r3.V(0, 0, 1)}, r3.Still())
		} else {
			setup.Obstacle(t, w, name, shape.Sphere{Radius: 0.1}, r3.Translation(r3.V(0, 0, -0.1)))
		}
		setup.SetFriction(w, id, 0.3)
		// fall, with the largest gain of energy
		last := w.Energy().Total()
		gain := 0.0
		for range 200 {
			s := t.Step(w, 2e-3)
			gain = max(gain, s.Energy.Total()-last-s.PushWork)
			last = s.Energy.Total()
		}
		// relative to the energy of the whole fall
		t.Row(
			verify.Row{
				Quantity: "largest gain of energy in a step of a sheet that falls onto a " + name + ", over its fall",
				Measured: gain / (0.2 * 0.09 * 9.81 * 0.05),
				Bar:      verify.AtMost,
				Limit:    1e-9,
				From:     "what steps of 1e-8 m/s add to speeds of a metre a second",
			},
		)
	}
	t.StepsRow()
}
