package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// repeated is the problem with each contact several times on its node, which says nothing new.
func repeated(p *problems.Problem, times int) *problems.Problem {
	many := &problems.Problem{A: p.A, B: p.B, Mass: p.Mass, Fixed: p.Fixed}
	for _, c := range p.Set.Contacts {
		for k := range times {
			c.ID.B.ID = int64(k)
			many.Set.Add(c)
		}
	}
	return many
}

// A11, as far as a solver without copies has it: a contact repeated p times on its node says nothing new, so the
// velocities are those with one.
func TestRepeatedContactsChangeNothing(t *testing.T) {
	one := problems.OnBall(12, 400, 0.3)
	s := DefaultNodal()
	want := solveTo(1e-12, &s, one)
	for p := 2; p <= 8; p++ {
		many := repeated(one, p)
		got := solveTo(1e-12, &s, many)
		worst := 0.0
		for i := range got.V {
			worst = max(worst, got.V[i].Sub(want.V[i]).Norm())
		}
		if !want.Converged || !got.Converged || !(worst <= 1e-10) {
			t.Errorf("%d times: converged %v, %v; velocities differ by %g", p, want.Converged, got.Converged, worst)
		}
	}
}

// masses are free bodies with the given velocities.
func masses(m []float64, v []r3.Vec) *problems.Problem {
	p := &problems.Problem{
		A:     sparse.NewBSR(len(m), nil),
		B:     make([]r3.Vec, len(m)),
		Mass:  m,
		Fixed: make([]bool, len(m)),
	}
	for i := range m {
		p.A.Val[i] = r3.Diagonal(m[i])
		p.B[i] = v[i].Scale(-m[i])
	}
	return p
}

// A12: two nodes that meet keep their momentum, and stick or slide as the closed form says: r_N = μ̄ |u_N|, μ̄ the
// reduced mass, and friction takes min(μ̄ ‖u_T‖, μ r_N).
func TestTwoNodesMeet(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 12))
	for range 200 {
		m := []float64{math.Exp(rng.NormFloat64()), math.Exp(rng.NormFloat64())}
		v := []r3.Vec{
			{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()},
			{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()},
		}
		normal := v[1].Sub(v[0]).Add(r3.V(0.3, 0.2, -0.1)).Unit()
		p := masses(m, v)
		k := contact.Contact{
			A:     0,
			B:     1,
			Frame: contact.FrameOf(normal),
			Mu:    rng.Float64(),
			ID:    contact.ID{B: contact.Feature{ID: 1}},
		}
		p.Set.Add(k)
		s := DefaultNodal()
		out := solveTo(1e-13, &s, p)
		before := v[0].Scale(m[0]).Add(v[1].Scale(m[1]))
		after := out.V[0].Scale(m[0]).Add(out.V[1].Scale(m[1]))
		if d := after.Sub(before).Norm(); !(d <= 1e-12) {
			t.Fatalf("momentum changed by %g", d)
		}
		u := k.Frame.MulVec(v[0].Sub(v[1]))
		reduced := m[0] * m[1] / (m[0] + m[1])
		slip := math.Hypot(u.Y, u.Z)
		want := r3.V(max(0, -reduced*u.X), 0, 0)
		if slip > 0 {
			friction := min(reduced*slip, k.Mu*want.X)
			want.Y, want.Z = -friction*u.Y/slip, -friction*u.Z/slip
		}
		if d := out.R[0].Sub(want).Norm(); !(d <= 1e-12) {
			t.Fatalf("impulse %v, want %v", out.R[0], want)
		}
		// Swapping sides and turning the normal describes the same event.
		q := masses(m, v)
		k.A, k.B, k.Frame = 1, 0, contact.FrameOf(normal.Neg())
		q.Set.Add(k)
		if d := solveTo(1e-13, &s, q).V[0].Sub(out.V[0]).Norm(); !(d <= 1e-12) {
			t.Fatalf("seen from the other side the velocity differs by %g", d)
		}
	}
}

// C26: with u_f = 0 and b = -A v₀ contacts only take energy: vᵀ(A v + b) = r·u ≤ 0, so vᵀA v ≤ v₀ᵀA v₀.
func TestImpactsTakeEnergy(t *testing.T) {
	s := DefaultNodal()
	for seed := range uint64(100) {
		p, _ := problems.Random(seed)
		rng := rand.New(rand.NewPCG(seed, 26))
		v := make([]r3.Vec, p.A.N)
		for i := range v {
			v[i] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
			p.Fixed[i] = false
		}
		p.A.Mul(nil, v, p.B)
		before := 0.0
		for i := range v {
			before += v[i].Dot(p.B[i])
			p.B[i] = p.B[i].Neg()
		}
		for c := range p.Set.Contacts {
			p.Set.Contacts[c].Uf = r3.Vec{}
		}
		out := solveNodal(&s, p)
		av := make([]r3.Vec, p.A.N)
		p.A.Mul(nil, out.V, av)
		after := 0.0
		for i := range av {
			after += out.V[i].Dot(av[i])
		}
		// Each unit of imbalance of a block can add ‖v_i‖ tr A_ii/3 times the residual.
		if !out.Converged || !(after <= before*(1+1e-6)) {
			t.Errorf("seed %d: converged %v; energy from %g to %g", seed, out.Converged, before/2, after/2)
		}
		for c := range out.R {
			if power := out.R[c].Dot(out.U[c]); power > 1e-6*before {
				t.Errorf("seed %d: contact %d gives %g J", seed, c, power)
			}
		}
	}
}

// Two walls that close on a node cannot both be kept out of: this is said, impulses stay bounded and the rest is
// solved. A wall that leaves makes the problem feasible.
func TestClosingWallsAreInfeasible(t *testing.T) {
	for _, closing := range []float64{1, 0.01, -0.01} {
		p := problems.OnPlane(8, 400, 0.3, r3.Vec{}, 0)
		p.Set.Reset()
		for i := range int32(p.A.N) {
			p.Set.Add(problems.VertexOn(i, r3.V(0, 0, 1), problems.Thickness, 0.3, 2e-3))
			if i == 27 {
				above := problems.VertexOn(i, r3.V(0, 0, -1), problems.Thickness, 0.3, 2e-3)
				above.Uf.X = -closing
				above.ID.B.ID = 1
				p.Set.Add(above)
			}
		}
		s := DefaultNodal()
		out := solveNodal(&s, p)
		marked := 0
		for c, bad := range out.Infeasible {
			if bad {
				marked++
				if a := p.Set.Contacts[c].A; a != 27 {
					t.Errorf("closing at %g m/s: a contact of block %d was called infeasible", closing, a)
				}
			}
			if s := out.R[c].Norm() / (p.A.Val[p.A.Diag[27]].Trace() / 3); !(s <= 1e6*math.Abs(closing)+1) {
				t.Errorf("closing at %g m/s: an impulse of %g m/s", closing, s)
			}
		}
		checkClaims(t, given(p, 1e-8), out)
		if !(out.Residual.Worst() <= 1e-8) || out.Converged == (closing > 0) || (marked > 0) != (closing > 0) {
			t.Errorf(
				"closing at %g m/s: %d marked, converged %v after %d steps, residual %+v",
				closing,
				marked,
				out.Converged,
				out.Newton,
				out.Residual,
			)
		}
	}
}

// A round that is told by an earlier one that walls close, and begins where that ended, need not find it out again, but
// only in haste.
func TestEarlierRoundsAreBelievedInHaste(t *testing.T) {
	walls := problems.OnPlane(8, 400, 0.3, r3.Vec{}, 0)
	walls.Set.Add(contact.Contact{
		ID: numbered(1000), A: 27, B: contact.None, Frame: contact.FrameOf(r3.V(0, 0, -1)), Mu: 0.3, Uf: r3.V(-1, 0, 0),
	})
	for _, hasty := range []bool{true, false} {
		s := DefaultNodal()
		s.Hasty = hasty
		p := given(walls, 1e-4)
		first := p.Start()
		if err := s.Solve(p, first); err != nil || !(first.Residual.Worst() <= 1e-4) || !first.Stalled || !slices.Contains(first.Infeasible, true) {
			t.Fatalf("hasty %v: %v, residual %g m/s, stalled %v", hasty, err, first.Residual.Worst(), first.Stalled)
		}
		for c := range p.Set.Contacts { // contacts ask for more
			p.Set.Contacts[c].Uf.X -= 1e-3
		}
		p.R = first.R
		anew, told := p.Start(), p.Start()
		if err := s.Solve(p, anew); err != nil {
			t.Fatal(err)
		}
		p.Earlier = Round{Stalled: first.Stalled, Bounded: first.Bounded, Proof: first.Proof}
		if err := s.Solve(p, told); err != nil {
			t.Fatal(err)
		}
		switch {
		case !(told.Residual.Worst() <= 1e-4) || !told.Stalled || !slices.Equal(told.Infeasible, anew.Infeasible):
			t.Errorf("hasty %v: residual %g m/s, stalled %v, marked %v and anew %v",
				hasty, told.Residual.Worst(), told.Stalled, told.Infeasible, anew.Infeasible)
		case hasty && 2*told.Newton > anew.Newton, !hasty && told.Newton != anew.Newton:
			t.Errorf("hasty %v: %d Newton steps, and %d without being told", hasty, told.Newton, anew.Newton)
		}
	}
}

// A sheet at rest presses on the floor with its weight.
func TestFloorCarriesTheWeight(t *testing.T) {
	for _, layers := range []int{1, 3} {
		p := problems.AtRest(12, layers, 400, 0.3)
		s := DefaultNodal()
		out := solveTo(1e-10, &s, p) // a node's share of its weight is h g = 0.02 m/s, so that 1e-8 of it is 2e-10 m/s
		sum, weight := 0.0, 0.0
		for i := range p.B {
			weight += p.B[i].Z
		}
		for k := range out.R {
			if p.Set.Contacts[k].B == contact.None {
				sum += out.R[k].X
			}
		}
		if !(math.Abs(sum/weight-1) <= 1e-8) {
			t.Errorf("%d layers: the floor gives %g N s, the weight is %g", layers, sum, weight)
		}
	}
}

// What was not reached is said.
func TestNodalSaysWhatItDidNotReach(t *testing.T) {
	p := problems.OnBall(20, 2000, 0.3)
	s := DefaultNodal()
	s.MaxNewton, s.MaxSweeps = 0, 3
	out := solveNodal(&s, p)
	if out.Converged || !(out.Residual.Worst() > 1e-8) || out.Sweeps < 3 {
		t.Errorf("after %d sweeps: converged %v, residual %+v", out.Sweeps, out.Converged, out.Residual)
	}
}

// Contacts between blocks with prescribed velocities have no impulse and are counted.
func TestPrescribedBlocksAreIdle(t *testing.T) {
	p := masses([]float64{1, 1, 1}, make([]r3.Vec, 3))
	p.Fixed = []bool{true, true, false}
	for i, pair := range [][2]int32{{0, contact.None}, {0, 1}, {2, 1}} {
		p.Set.Add(contact.Contact{
			ID: contact.ID{
				A: contact.Feature{ID: int64(i)},
			},
			A:     pair[0],
			B:     pair[1],
			Frame: contact.FrameOf(r3.V(0, 0, 1)),
			Mu:    0.5,
			Uf:    r3.V(-1, 0, 0),
		})
	}
	s := DefaultNodal()
	out := solveNodal(&s, p)
	if !out.Converged || out.Idle != 2 || out.R[0] != (r3.Vec{}) || out.R[1] != (r3.Vec{}) ||
		out.R[2].Sub(r3.V(1, 0, 0)).Norm() > 1e-12 {
		t.Error(fmt.Sprint(out.Converged, out.Idle, out.R))
	}
}

// tent is a sheet on a ball, and on its middle node seven more contacts with normals all around, as a node has that
// sits on a tip: more than its velocity can obey at once.
func tent(rng *rand.Rand) *problems.Problem {
	const h = 2e-3
	p := problems.OnBall(30, 400, 0.2)
	middle := int32(15*30 + 15)
	for k := range 7 {
		sin, cos := math.Sincos(2*math.Pi*float64(k)/7 + rng.Float64())
		c := problems.VertexOn(
			middle,
			r3.V(cos, sin, 0.2+0.6*rng.Float64()).Unit(),
			problems.Thickness*(1+0.1*rng.NormFloat64()),
			0.2,
			h,
		)
		c.ID.B.ID = int64(k + 1)
		p.Set.Add(c)
	}
	p.Set.Sort()
	return p
}

// Where a node has more contacts than it can obey, Newton steps go astray and are taken back; sweeps find which of them
// hold. Without that it took up to 30 steps.
func TestTents(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for k := range 20 {
		p := tent(rng)
		s := DefaultNodal()
		if out := solveNodal(&s, p); !out.Converged || out.Newton > 20 {
			t.Errorf(
				"%d: %d contacts: %+v after %d sweeps and %d steps",
				k,
				p.Set.Len(),
				out.Residual,
				out.Sweeps,
				out.Newton,
			)
		}
	}
}
