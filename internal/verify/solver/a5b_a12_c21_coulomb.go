package solver

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
)

// A5b: a node of mass m lies on a plane under the normal impulse r_N and is pushed sideways by three times what
// friction can hold. Coulomb's cone is round: ‖r_T‖ = μ r_N against the motion, whatever the direction of the push.
// The pyramid |r_1|, |r_2| ≤ μ r_N around the same frame, which many solvers use instead, gives min(3|cos|, 1) and
// min(3|sin|, 1) of μ r_N along its axes, and up to √2 together.
var isotropic = verify.Case{
	ID: "A5b", Title: "one node pushed in 360 directions", Source: "Coulomb's law",
	Body: func(t *verify.Trial) {
		spread, off := 0.0, 0.0
		var angles, ratios, pyramid []float64
		for _, mu := range []float64{0.05, 0.1, 0.3, 0.6, 0.9, 1.2} {
			low, high := math.Inf(1), 0.0
			for degree := range 360 {
				ratio, turn := pushed(t, mu, float64(degree)*math.Pi/180)
				low, high = min(low, ratio), max(high, ratio)
				off = max(off, turn)
				if mu == 0.3 {
					sin, cos := math.Sincos(float64(degree) * math.Pi / 180)
					angles, ratios = append(angles, float64(degree)), append(ratios, ratio)
					pyramid = append(pyramid, math.Hypot(min(3*math.Abs(cos), 1), min(3*math.Abs(sin), 1)))
				}
			}
			spread = max(spread, high-low, math.Abs(high-1), math.Abs(low-1))
		}
		t.Row(
			verify.Row{
				Quantity: "spread of ‖r_T‖/(μ r_N) around 1, μ 0.05 to 1.2",
				Measured: spread,
				Bar:      verify.AtMost,
				Limit:    64 * verify.Rounding,
				From:     "64 roundings",
			},
		)
		t.Row(verify.Row{
			Quantity: "angle between friction and motion", Unit: "rad", Measured: off, Bar: verify.AtMost,
			Limit: 64 * verify.Rounding,
		})
		most := 0.0
		for _, p := range pyramid {
			most = max(most, p)
		}
		t.Note("for comparison, a pyramid with four sides reaches %.4f μ r_N between its axes", most)
		t.Plot("a5b-directions", draw.Plot{
			Title: "A5b: friction of one node, by direction of the push (μ 0.3)",
			X:     "direction [°]",
			Y:     "|r_T| / (μ r_N)",
			Series: []draw.Series{
				{Name: "pyramid with four sides", X: angles, Y: pyramid, Style: draw.Dashed},
				{Name: "measured", X: angles, Y: ratios, Style: draw.Points},
			},
		})
	},
}

// pushed returns ‖r_T‖/(μ r_N) of a node pushed at the given angle in the tangent plane, and how far the impulse is off
// the motion, and the motion off the push [rad].
func pushed(t *verify.Trial, mu, angle float64) (ratio, off float64) {
	const mass, normal = 2e-3, 1e-2
	sin, cos := math.Sincos(angle)
	push := 3 * mu * normal
	w := r3.Diagonal(mass)
	p := problems.Single(&w, r3.V(normal, -push*cos, -push*sin), mu, r3.V(0.3, -0.2, 0.9).Unit())
	solver := solve.DefaultNodal()
	out := setup.SolveTo(t, 1e-13, &solver, p)
	u, r := out.U[0], out.R[0]
	against := math.Abs(math.Atan2(u.Y*r.Z-u.Z*r.Y, -(u.Y*r.Y + u.Z*r.Z)))
	along := math.Abs(math.Atan2(cos*u.Z-sin*u.Y, cos*u.Y+sin*u.Z))
	return math.Hypot(r.Y, r.Z) / (mu * r.X), max(against, along)
}

// A12: two nodes that touch each other. What one gets the other loses, so that Σ m v is what it was; and the law is the
// same when u, with all of u_f, is multiplied by a positive number and r divided by it, such as the 1/√2 that makes the
// nodal G orthogonal [Li18] eq. (9). The scaled rows go to the dual solver.
var twoNodes = verify.Case{
	ID: "A12", Title: "two nodes in self-contact", Source: "[Li18] eq. (9); conservation of momentum",
	Body: func(t *verify.Trial) {
		pairs := 300
		if t.Options.Full {
			pairs = 10_000
		}
		scales := []float64{math.Sqrt2 / 2, 0.01, 3.7, 1000}
		misses := make([]float64, len(scales))
		lost := 0.0
		states := map[solve.State]int{}
		for seed := range pairs {
			p := problems.TwoMasses(uint64(seed))
			solver := solve.DefaultNodal()
			out := setup.SolveTo(t, 1e-14, &solver, p)
			states[out.State[0]]++
			before, after := p.B[0].Add(p.B[1]).Neg(), r3.Vec{}
			size := 0.0
			for i := range out.V {
				m := p.A.Val[p.A.Diag[i]].XX
				after = after.AddScaled(m, out.V[i])
				size += p.B[i].Norm()
			}
			lost = max(lost, after.Sub(before).Norm()/size)
			speed := max(out.V[0].Norm(), out.V[1].Norm())
			for k, s := range scales {
				dual := setup.SolveDual(t, scaledRow(p, s), 1e-15*s, 1000)
				misses[k] = max(misses[k], dual.V[0].Sub(out.V[0]).Norm()/speed, dual.V[1].Sub(out.V[1]).Norm()/speed)
			}
		}
		t.Row(
			verify.Row{
				Quantity: fmt.Sprintf("momentum lost in %d contacts, relative", pairs),
				Measured: lost,
				Bar:      verify.AtMost,
				Limit:    16 * verify.Rounding,
				From:     "16 roundings",
			},
		)
		for k, s := range scales {
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf("velocities with rows times %.4g, relative difference", s),
					Measured: misses[k],
					Bar:      verify.AtMost,
					Limit:    1e-13,
					From:     "residuals of 1e-14 m/s of both solvers, times the ratio of masses",
				},
			)
		}
		t.Note(
			"of the contacts %d separate, %d stick, %d slide",
			states[solve.TakeOff],
			states[solve.Stick],
			states[solve.Slide],
		)
		t.Plot("a12-scale", draw.Plot{
			Title: "A12: the law does not feel the scale of its rows",
			X:     "factor of u",
			Y:     "largest relative difference of velocities",
			LogX:  true,
			LogY:  true,
			Series: []draw.Series{
				{Name: "allowed", X: []float64{0.01, 1000}, Y: []float64{1e-12, 1e-12}, Style: draw.Dashed},
				{
					Name:  "measured",
					X:     []float64{scales[1], scales[0], scales[2], scales[3]},
					Y:     setup.AtLeast(1e-17, misses[1], misses[0], misses[2], misses[3]),
					Style: draw.Points,
				},
			},
		})
	},
}

// scaledRow returns the problem with the row and u_f of its contact times s.
func scaledRow(p *problems.Problem, s float64) *problems.Problem {
	q := &problems.Problem{A: p.A, B: p.B, Mass: p.Mass, Fixed: p.Fixed}
	c := p.Set.Contacts[0]
	c.Uf = c.Uf.Scale(s)
	q.Set.AddWeighted(c, contact.Weight{Block: 0, W: s}, contact.Weight{Block: 1, W: -s})
	return q
}

// C21: the contact of one node, r = W u + b, against an enumeration of all its solutions in 240-bit arithmetic. The
// answer must be one of them, and the one that the rule selects: stick, take-off, then the slide with the smallest
// ‖u_T‖. Problems within 1e-10 of where a case begins or ends are only asked for their residual. The error allowed is
// 1e-10 of the data's velocity, and where the problem itself magnifies more, 16 roundings of the data times its gain.
var oneContact = verify.Case{
	ID: "C21", Title: "the problem of one contact", Source: "all solutions, enumerated in 240-bit arithmetic",
	Body: func(t *verify.Trial) {
		count := 100_000
		if t.Options.Full {
			count = 1_000_000
		}
		const shards = 64
		tallies := make([]coulombTally, shards)
		t.Parallel(shards, func(shard int) {
			rng := rand.New(rand.NewPCG(21, uint64(shard)))
			for i := 0; i < count/shards && (i%1000 > 0 || t.Context().Err() == nil); i++ {
				tallies[shard].examine(t, rng)
			}
		})
		t.Must(nil)
		var all coulombTally
		for i := range tallies {
			all.add(&tallies[i])
		}
		none := verify.Row{
			Quantity: fmt.Sprintf("answers that are no solution, of %d problems", all.problems),
			Measured: float64(all.none),
			Bar:      verify.AtMost,
			Limit:    0,
		}
		t.Row(t.Shortened(none, "at most 0 of 10,000,000"))
		t.Row(
			verify.Row{
				Quantity: fmt.Sprintf("other solutions than the rule selects, of %d with several", all.several),
				Measured: float64(all.other),
				Bar:      verify.AtMost,
				Limit:    0,
			},
		)
		t.Row(
			verify.Row{
				Quantity: "largest residual, relative to the data's velocity",
				Measured: all.residual,
				Bar:      verify.AtMost,
				Limit:    1e-14,
			},
		)
		t.Row(
			verify.Row{
				Quantity: "problems in the least frequent case, share",
				Measured: float64(min(all.cases[0], all.cases[1], all.cases[2])) / float64(all.problems),
				Bar:      verify.AtLeast,
				Limit:    0.05,
			},
		)
		t.Note(
			"%d separate, %d stick, %d slide; %d problems lie within 1e-10 of a boundary",
			all.cases[solve.TakeOff],
			all.cases[solve.Stick],
			all.cases[solve.Slide],
			all.near,
		)
		var decades []float64
		for k := range all.miss {
			decades = append(decades, math.Pow(10, float64(k)+0.5))
		}
		t.Plot("c21-miss", draw.Plot{
			Title: "C21: one contact against the enumeration",
			X:     "condition of W",
			Y:     "largest error / error allowed",
			LogX:  true,
			LogY:  true,
			Series: []draw.Series{
				{Name: "allowed", X: []float64{1, 1e10}, Y: []float64{1, 1}, Style: draw.Dashed},
				{Name: "measured", X: decades, Y: all.miss[:], Style: draw.Points},
			},
		})
	},
}

// coulombTally counts what one-contact problems came to.
type coulombTally struct {
	problems, near, several, none, other int

	cases    [3]int
	residual float64     // the largest, relative
	miss     [10]float64 // by decade of the condition of W: the largest error over the error allowed
}

func (c *coulombTally) examine(t *verify.Trial, rng *rand.Rand) {
	w, b, mu, guess := referee.RandomCoulomb(rng)
	u, state, residual := t.OneContact(&w, b, mu, guess)
	c.problems++
	c.cases[state]++
	scale := u.Norm() + 3/w.Trace()*b.Norm()
	c.residual = max(c.residual, residual/scale)
	all := referee.Coulomb(&w, b, mu)
	if all.StickBand < 1e-10 || all.LiftBand < 1e-10 {
		c.near++
		return
	}
	if len(all.Solutions) > 1 {
		c.several++
	}
	best, at := math.Inf(1), -1
	for i, s := range all.Solutions {
		tolerance := scale * max(1e-10, 16*0x1p-53*s.Gain*w.Trace())
		if miss := u.Sub(s.U).Norm() / tolerance; miss < best {
			best, at = miss, i
		}
	}
	switch {
	case !(best <= 1) || referee.Case(state) != all.Solutions[at].Case:
		c.none++
	case at > 0:
		c.other++
	}
	decade := 9
	if inverse, ok := w.Inverse(); ok {
		decade = int(
			min(9, max(0, math.Log10(math.Abs(w.Trace()*inverse.Trace())/3))),
		) // within a factor of 3 of the condition
	}
	c.miss[decade] = max(c.miss[decade], best, 1e-7)
}

func (c *coulombTally) add(d *coulombTally) {
	c.problems, c.near, c.several = c.problems+d.problems, c.near+d.near, c.several+d.several
	c.none, c.other, c.residual = c.none+d.none, c.other+d.other, max(c.residual, d.residual)
	for i := range c.cases {
		c.cases[i] += d.cases[i]
	}
	for i := range c.miss {
		c.miss[i] = max(c.miss[i], d.miss[i])
	}
}
