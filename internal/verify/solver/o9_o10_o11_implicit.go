package solver

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// O9: a chain of two springs, with a torsional one where they meet, whose free end c runs into a wall. The change of
// velocity that keeps it out and has the least energy ½ Δvᵀ A Δv, the metric of the step, follows from one Lagrange
// multiplier: with the depth d of the violation [m/s] and the normal n
//
//	E = ½ d² / (nᵀ (A⁻¹)_cc n).
//
// Moving c alone takes ½ d² nᵀ A_cc n, which is more whenever c is tied to anything. A⁻¹ is found here by elimination,
// on its own.
var globalResponse = verify.Case{
	ID: "O9", Title: "a chain that runs into a wall", Source: "[Otaduy09] fig. 2",
	Body: func(t *verify.Trial) {
		count := 100
		if t.Options.Full {
			count = 10_000
		}
		rng := rand.New(rand.NewPCG(9, 1))
		off, ratio, least := 0.0, 0.0, 1.0
		for range count {
			p, ahead, depth, normal := chainAtWall(rng)
			solver := solve.DefaultNodal()
			out := setup.SolveTo(t, 1e-13, &solver, p)
			dv := make([]r3.Vec, 3)
			for i := range dv {
				dv[i] = out.V[i].Sub(ahead[i])
			}
			spent := energyOf(p.A, dv)
			a := p.A.Val[p.A.Diag[2]]
			local := 0.5 * depth * depth * normal.Dot(a.MulVec(normal))
			best := 0.5 * depth * depth / mobilityAtEnd(p.A, normal)
			off = max(off, math.Abs(spent-best)/best)
			ratio, least = max(ratio, spent/local), min(least, spent/local)
		}
		t.Row(
			verify.Row{
				Quantity: fmt.Sprintf(
					"energy of the response against that of the optimum, %d chains, largest relative difference",
					count,
				),
				Measured: off,
				Bar:      verify.AtMost,
				Limit:    1e-11,
				From:     "residuals of 1e-13 m/s, times the condition of chains",
			},
		)
		t.Row(
			verify.Row{
				Quantity: "energy against that of moving the end alone, at most",
				Measured: ratio,
				Bar:      verify.AtMost,
				Limit:    1 - 1e-10,
			},
		)
		t.Note("energy against that of moving the end alone, at least: %.3g", least)
	},
}

// chainAtWall returns a chain whose first mass is held and whose last would end up behind a wall, the velocities it
// would have, by how much it violates the wall [m/s], and the normal.
func chainAtWall(rng *rand.Rand) (p *problems.Problem, ahead []r3.Vec, depth float64, normal r3.Vec) {
	a, b, c := r3.V(0, 0, 0), r3.V(1, 0.3*rng.NormFloat64(), 0), r3.V(1.8, 0.3*rng.NormFloat64(), 0)
	pattern := sparse.NewPattern(3)
	pattern.Add(0, 1, 2)
	p = &problems.Problem{
		A:     pattern.Build(),
		B:     make([]r3.Vec, 3),
		Mass:  []float64{1, 1, 1},
		Fixed: []bool{true, false, false},
	}
	for i := range 3 {
		p.A.Val[p.A.Diag[i]] = r3.Diagonal(1)
	}
	// Every spring adds k g gᵀ with the gradient g of its elongation; the torsional one that of the angle at b.
	spring := func(k float64, g ...r3.Vec) {
		for i := range g {
			for j := range g {
				m := r3.Outer(g[i], g[j])
				m = m.Scale(k)
				p.A.Val[p.A.Index(int32(i), int32(j))].Add(&m)
			}
		}
	}
	along := func(x, y r3.Vec) r3.Vec { return y.Sub(x).Unit() }
	turned := func(x, y r3.Vec) r3.Vec { return r3.V(0, 0, 1).Cross(y.Sub(x)).Scale(1 / y.Sub(x).Norm2()) }
	first, second := along(a, b), along(b, c)
	spring(math.Pow(10, 1+2*rng.Float64()), first.Scale(-1), first, r3.Vec{})
	spring(math.Pow(10, 1+2*rng.Float64()), r3.Vec{}, second.Scale(-1), second)
	// θ is the direction of bc less that of ab.
	spring(math.Pow(10, 2*rng.Float64()), turned(a, b), turned(a, b).Add(turned(b, c)).Scale(-1), turned(b, c))

	ahead = []r3.Vec{{}, r3.V(rng.NormFloat64(), rng.NormFloat64(), 0), r3.V(1+rng.Float64(), rng.NormFloat64(), 0)}
	normal = r3.V(-1, 0.5*rng.NormFloat64(), 0).Unit()
	depth = 0.1 + rng.Float64()
	for i := range p.B {
		p.B[i] = p.A.MulRow(i, ahead).Scale(-1)
	}
	p.Set.Add(
		contact.Contact{
			A:     2,
			B:     contact.None,
			Frame: contact.FrameOf(normal),
			Uf:    r3.V(-depth-normal.Dot(ahead[2]), 0, 0),
		},
	)
	return p, ahead, depth, normal
}

// energyOf returns ½ xᵀ A x.
func energyOf(a *sparse.BSR, x []r3.Vec) (e float64) {
	for i := range x {
		e += 0.5 * x[i].Dot(a.MulRow(i, x))
	}
	return e
}

// mobilityAtEnd returns nᵀ (A⁻¹)_cc n of a chain whose first mass is held, by elimination of the second.
func mobilityAtEnd(a *sparse.BSR, n r3.Vec) float64 {
	bb, bc, cb, cc := a.Val[a.Diag[1]], a.Val[a.Index(1, 2)], a.Val[a.Index(2, 1)], a.Val[a.Diag[2]]
	inverse, _ := bb.Inverse()
	m := inverse.Mul(&bc)
	m = cb.Mul(&m)
	m = m.Scale(-1)
	cc.Add(&m)
	schur, _ := cc.Inverse()
	return n.Dot(schur.MulVec(n))
}

// O10: problems without friction that start free of collisions, u_f ≥ 0, always have a solution, because v = 0 violates
// nothing. Each is solved to its tolerance, with no contact called infeasible and no more energy ½ vᵀ A v + bᵀ v than v
// = 0 has, which is 0: the solution is the minimum over what is feasible.
var frictionless = verify.Case{
	ID: "O10", Title: "frictionless contact always has a solution", Source: "[Otaduy09] section 5.6",
	Body: func(t *verify.Trial) {
		count := 1000
		if t.Options.Full {
			count = 10_000
		}
		failures, contacts, largest, worst := 0, 0, 0, 0.0
		for seed := range uint64(count) {
			p, _ := problems.Random(seed)
			if seed%2 == 1 {
				p = problems.Spread(p, seed)
			}
			for c := range p.Set.Contacts {
				k := &p.Set.Contacts[c]
				k.Mu, k.Uf = 0, r3.V(math.Abs(k.Uf.X), 0, 0)
			}
			solver := solve.DefaultNodal()
			out := setup.SolveNodal(t, &solver, p)
			var m solve.Measure
			residual := m.Of(setup.Given(p, 1e-8), out.V, out.R, nil).Max()
			energy := energyOf(p.A, out.V)
			for i, v := range out.V {
				energy += p.B[i].Dot(v)
			}
			infeasible := false
			for c := range out.Infeasible {
				infeasible = infeasible || out.Infeasible[c]
			}
			if !out.Converged || infeasible || energy > 1e-8 {
				failures++
				t.Note(
					"problem %d: %d contacts, residual %.2g m/s, energy %.2g J, called infeasible: %v",
					seed,
					p.Set.Len(),
					residual,
					energy,
					infeasible,
				)
			}
			worst = max(worst, residual)
			contacts, largest = contacts+p.Set.Len(), max(largest, p.Set.Len())
		}
		t.Row(
			verify.Row{
				Quantity: fmt.Sprintf("failures in %d problems", count),
				Measured: float64(failures),
				Bar:      verify.AtMost,
				Limit:    0,
			},
		)
		t.Row(
			verify.Row{
				Quantity: "largest residual, all contacts counted",
				Unit:     "m/s",
				Measured: worst,
				Bar:      verify.AtMost,
				Limit:    1.01e-8,
			},
		)
		t.Note("%.1f contacts on average, %d at most", float64(contacts)/float64(count), largest)
	},
}

// O11: matrices for which relaxation need not converge. [Otaduy09] watches the residual, halves the step where it does
// not fall, and starts again. A = M + h² K has any sign if a sheet is compressed and the Hessian K of its energy is
// used as it is: its geometric part is then negative. For a strain G < 0, A is indefinite where 8 h² k |G| > m, the
// mass of a vertex [kg]; here that is 3.7e-3 kg against 5e-4 kg. Half of h makes it a quarter. Steps with such matrices
// are refused, and Advance gets through with shorter ones, to the tolerance.
var divergence = verify.Case{
	ID: "O11", Title: "matrices that are not positive", Source: "[Otaduy09] section 5.6",
	Body: func(t *verify.Trial) {
		count := 10
		if t.Options.Full {
			count = 100
		}
		refused, recovered, halves := 0, 0, 0
		for seed := range uint64(count) {
			rng := rand.New(rand.NewPCG(seed, 11))
			w := compressed(t, rng)
			before := w.Snapshot()
			const h = 2e-3
			if _, err := w.TryStep(h); err != nil {
				refused++
			}
			t.Must(w.Restore(before))
			solved := true
			t.Must(w.Advance(h, h, func(s engine.Stats) {
				solved = solved && s.Converged
				if s.Halvings > 0 {
					halves++
				}
			}))
			if solved {
				recovered++
			}
		}
		t.Row(
			verify.Row{
				Quantity: fmt.Sprintf("of %d steps with such a matrix, refused", count),
				Measured: float64(refused),
				Bar:      verify.AtLeast,
				Limit:    float64(count),
			},
		)
		t.Row(
			verify.Row{
				Quantity: "of these, solved to the tolerance in shorter ones",
				Measured: float64(recovered),
				Bar:      verify.AtLeast,
				Limit:    float64(count),
			},
		)
		t.Note("%d halves and quarters for %d steps", halves, count)
	},
}

// compressed returns a sheet that is compressed by 30 to 40 % in its plane, with exact Hessians, over a floor.
func compressed(t *verify.Trial, rng *rand.Rand) *engine.World {
	opt := engine.DefaultOptions()
	opt.Newton.Exact, opt.Contact.Halvings = true, 4
	m, x := shape.Grid(0.2, 0.2, 4, 4)
	squeeze := 0.6 + 0.1*rng.Float64()
	for i := range x {
		x[i] = x[i].Scale(squeeze).Add(r3.V(0, 0, 1e-3+2e-3*rng.Float64()))
	}
	w, _ := setup.Sheet(t, opt, m, x, setup.SheetFabric{Density: 0.2, Stretch: 400, Bend: 1e-5})
	setup.Obstacle(t, w, "floor", shape.Plane{Normal: r3.V(0, 0, 1)}, r3.Still())
	return w
}
