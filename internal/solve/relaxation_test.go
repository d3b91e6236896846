package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// relaxed solves a problem by relaxation alone.
func relaxed(t *testing.T, form RelaxationForm, p *ContactProblem) *Contacts {
	t.Helper()
	s := DefaultRelaxation()
	s.RelaxationForm, s.Alone = form, true
	out := p.Start()
	if err := s.Solve(p, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Oracle: the residual, from v and r alone, and the velocities of Nodal.
func TestRelaxationAgreesWithNodal(t *testing.T) {
	for _, mu := range []float64{0, 0.3} {
		for name, p := range sheets(side(12), 400, mu) {
			for _, printed := range []bool{false, true} {
				if name == "heap" && (printed || testing.Short()) {
					continue // takes seconds, and friction leaves a choice
				}
				t.Run(fmt.Sprintf("%s/%g/printed=%v", name, mu, printed), func(t *testing.T) {
					out := relaxed(t, RelaxationForm{Printed: printed}, given(p, 1e-9))
					var m Measure
					if r := m.Of(given(p, 1e-9), out.V, out.R, nil); !out.Converged || r != out.Residual || r.Worst() > 1e-9 {
						t.Fatalf("converged %v after %d sweeps; residual %+v, measured again %+v", out.Converged, out.Sweeps, out.Residual, r)
					}
					s := DefaultNodal()
					// An error of the balance is multiplied by up to the condition number of M⁻¹ A, which is about 100.
					if far := farthest(solveTo(1e-9, &s, p), out); name != "heap" && far > 1e-7 {
						t.Errorf("velocities are %g m/s from those of Nodal", far)
					}
				})
			}
		}
	}
}

// Without friction pyramid and disk are one problem; with friction, what is solved is the pyramid, and Converged says
// that, while the residual says how far it is from Coulomb's law.
func TestRelaxationInThePyramid(t *testing.T) {
	smooth := given(problems.OnBall(14, 400, 0), 1e-9)
	disk, box := relaxed(t, RelaxationForm{}, smooth), relaxed(t, RelaxationForm{Pyramid: true}, smooth)
	if far := farthest(disk, box); !box.Converged || far > 1e-8 {
		t.Errorf("without friction they are %g m/s apart, residual %+v", far, box.Residual)
	}
	rough := given(problems.OnBall(14, 400, 0.3), 1e-9)
	box = relaxed(t, RelaxationForm{Pyramid: true}, rough)
	if !box.Converged || box.Residual.Dynamics > 1e-9 || box.Residual.Law < 1e-3 {
		t.Errorf("converged %v, residual %+v", box.Converged, box.Residual)
	}
	for c, r := range box.R {
		if size := math.Hypot(r.Y, r.Z); size > math.Sqrt2*0.3*r.X*(1+1e-12) {
			t.Errorf("contact %d: friction %g at a normal impulse of %g", c, size, r.X)
		}
	}
}

// The paper's rule ends earlier than the residual, and says so by its residual.
func TestRelaxationByThePapersRule(t *testing.T) {
	p := given(problems.OnBall(16, 2000, 0.3), 1e-9)
	p.H = 2e-3
	tight := relaxed(t, RelaxationForm{Printed: true}, p)
	s := DefaultRelaxation()
	s.RelaxationForm, s.Thickness = RelaxationForm{Printed: true, ByChange: true}, 1e-3
	out := p.Start()
	if err := s.Solve(p, out); err != nil {
		t.Fatal(err)
	}
	if !out.Converged || 3*out.Sweeps > tight.Sweeps || out.Residual.Worst() < 1e-9 {
		t.Errorf("converged %v after %d sweeps of %d at %g m/s", out.Converged, out.Sweeps, tight.Sweeps, out.Residual.Worst())
	}
	for c, u := range out.U {
		if u.X*p.H < -s.Thickness/2 {
			t.Errorf("contact %d ends %g m too near", c, -u.X*p.H)
		}
	}
}

// forms are all forms of relaxation.
func forms() []RelaxationForm {
	var all []RelaxationForm
	for k := range 8 {
		all = append(all, RelaxationForm{Pyramid: k&1 > 0, ByChange: k&2 > 0, Printed: k&4 > 0})
	}
	return all
}

// The same bits for any number of workers, also from a solver that has solved something else, or the same A, before.
func TestRelaxationDoesNotFeelWorkersOrHistory(t *testing.T) {
	for _, byVertex := range []bool{true, false} {
		for _, form := range forms() {
			p := given(problems.InLayers(8, 3, 400, 0.3, true), 1e-8)
			other := given(problems.OnBall(8, 50, 0.1), 1e-8)
			var want *Contacts
			for _, workers := range []int{1, 3, 2, 8} {
				s := DefaultRelaxation()
				s.RelaxationForm, s.ByVertex, s.Team = form, byVertex, par.New(workers)
				if workers > 1 {
					if err := s.Solve(other, other.Start()); err != nil {
						t.Fatal(err)
					}
				}
				got := p.Start()
				if err := s.Solve(p, got); err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want = got
				}
				if !slices.Equal(got.V, want.V) || !slices.Equal(got.R, want.R) || !slices.Equal(got.State, want.State) {
					t.Errorf("by vertex %v, %+v: %d workers changed the result", byVertex, form, workers)
				}
				if s.bodies.on != (!byVertex && !form.Printed) {
					t.Errorf("by vertex %v, %+v: whole bodies: %v", byVertex, form, s.bodies.on)
				}
			}
			if form.ByChange {
				continue // the same A tells it to go on from the guess
			}
			s := DefaultRelaxation()
			s.RelaxationForm, s.ByVertex = form, byVertex
			again := *p
			again.Again = true
			if err := s.Solve(p, p.Start()); err != nil {
				t.Fatal(err)
			}
			got := again.Start()
			if err := s.Solve(&again, got); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.V, want.V) || !slices.Equal(got.R, want.R) {
				t.Errorf("by vertex %v, %+v: solving it again changed the result", byVertex, form)
			}
		}
	}
}

// A steady sequence of problems does not allocate.
func TestRelaxationDoesNotAllocate(t *testing.T) {
	p := given(problems.OnBall(side(16), 400, 0.3), 1e-8)
	for _, form := range forms() {
		s := DefaultRelaxation()
		s.RelaxationForm, s.Team = form, par.New(2)
		var out Contacts
		solve := func() {
			out.Resize(p.A.N, p.Set.Len())
			clear(out.V)
			if err := s.Solve(p, &out); err != nil {
				t.Fatal(err)
			}
		}
		if n := testing.AllocsPerRun(1, solve); n > 0 {
			t.Errorf("%+v: %g allocations", form, n)
		}
	}
}

// Rigid bodies, ties and blocks that are prescribed in whole or in part are as with Nodal.
func TestRelaxationOfAllRows(t *testing.T) {
	tied := given(masses([]float64{1, 2, 0.3, 1}, []r3.Vec{r3.V(0, 0, -1), r3.V(0.3, 0, -1), r3.V(0.1, 0.2, 0.3), r3.V(1, 0, 0)}), 1e-9)
	tied.Partly = []contact.Partial{contact.Along(0, r3.V(0, 0, 1))}
	tied.Fixed[3] = true
	tied.V = make([]r3.Vec, 4)
	tied.V[3] = r3.V(0.2, 0, 0)
	e := contact.FrameOf(r3.V(0, 0, 1))
	tied.Set.Add(contact.Contact{ID: numbered(0), A: 0, B: contact.None, Frame: e, Mu: 0.5})
	tied.Set.Add(contact.Contact{ID: numbered(1), A: 1, B: contact.None, Frame: e, Law: contact.NormalOnly})
	tied.Set.Add(contact.Contact{ID: numbered(2), A: 1, B: 2, Frame: e, Law: contact.Bilateral})
	tied.Set.Add(contact.Contact{ID: numbered(3), A: 2, B: 3, Frame: e, Mu: 0.1, Uf: r3.V(-0.1, 0, 0)})
	brick := given(problems.UnderBrick(6, 50, 0.3, 0.2), 1e-9)
	for name, p := range map[string]*ContactProblem{"tied": tied, "brick": brick, "tower": tower(4, 3, 0.5)} {
		s := DefaultNodal()
		want, _, err := p.SolveBy(&s)
		if err != nil {
			t.Fatal(err)
		}
		for _, printed := range []bool{false, true} {
			out := relaxed(t, RelaxationForm{Printed: printed}, p)
			if far := farthest(want, out); !out.Converged || far > 1e-6 {
				t.Errorf("%s, printed %v: converged %v, %+v, %g m/s from Nodal", name, printed, out.Converged, out.Residual, far)
			}
		}
		if out := relaxed(t, RelaxationForm{Pyramid: true}, p); !out.Converged {
			t.Errorf("%s: in the pyramid %+v", name, out.Residual)
		}
	}
	if v := relaxed(t, RelaxationForm{}, tied).V; v[3] != r3.V(0.2, 0, 0) || v[0].X != 0 || v[0].Y != 0 {
		t.Errorf("prescribed velocities became %v and %v", v[3], v[0])
	}
}

// stiffNet is a frictionless problem whose A is positive definite, and 2 D - A mostly not: masses on a line that are
// tied to many others by up to 1,000 times their mass, and rows of several of them.
func stiffNet(seed uint64) *ContactProblem {
	rng := rand.New(rand.NewPCG(seed, 9))
	n := 6 + rng.IntN(8)
	rows := 1 + rng.IntN(n-1)
	pattern := sparse.NewPattern(n)
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	pattern.Add(all...)
	p := &ContactProblem{
		A: pattern.Build(), B: make([]r3.Vec, n), Mass: make([]float64, n), Set: &contact.Set{}, Tolerance: 1e-8,
	}
	stiffness := math.Pow(10, 4*rng.Float64()-1)
	for range 2 * (1 + rng.IntN(4)) {
		d := make([]float64, n)
		for i := range d {
			if rng.IntN(2) == 0 {
				d[i] = rng.NormFloat64()
			}
		}
		for i := range all {
			for j := range all {
				p.A.Val[p.A.Index(int32(i), int32(j))].XX += stiffness * d[i] * d[j]
			}
		}
	}
	free := make([]r3.Vec, n) // the velocity without contact
	for i := range n {
		p.A.Val[p.A.Diag[i]].AddDiagonal(1)
		p.Mass[i], free[i] = 1, r3.V(rng.NormFloat64(), 0, 0)
	}
	p.A.Mul(nil, free, p.B)
	for i := range p.B {
		p.B[i] = p.B[i].Neg()
	}
	for c := range rows {
		w := make([]float64, n)
		for range 3 {
			w[rng.IntN(n)] += rng.NormFloat64()
		}
		w[rng.IntN(n)]++
		var weights []contact.Weight
		for i := range w {
			if w[i] != 0 {
				weights = append(weights, contact.Weight{Block: int32(i), W: w[i]})
			}
		}
		k := contact.Contact{
			ID: numbered(c), A: weights[0].Block, B: contact.None, Frame: r3.Identity(), Law: contact.NormalOnly,
		}
		p.Set.AddWeighted(k, weights...)
	}
	return p
}

// O11, O24, small: where anticipating by Jacobi's method does not converge, ω is halved; the residual never ends above
// that of the start, and what relaxation alone does not solve Nodal does.
func TestRelaxationThatDiverges(t *testing.T) {
	const nets = 150
	for _, printed := range []bool{true, false} {
		halved, handed := 0, 0
		for seed := range uint64(nets) {
			p := stiffNet(seed)
			start := p.Start()
			var m Measure
			begun := m.Of(p, start.V, start.R, nil).Max()
			s := DefaultRelaxation()
			s.Printed, s.ByVertex, s.Alone = printed, true, true
			alone := p.Start()
			if err := s.Solve(p, alone); err != nil {
				t.Fatal(err)
			}
			if s.omega < 1 {
				halved++
			}
			if !(alone.Residual.Max() <= begun) {
				t.Errorf("net %d: the residual grew from %g to %g m/s", seed, begun, alone.Residual.Max())
			}
			if alone.Converged {
				continue
			}
			handed++
			s.Alone = false
			out := p.Start()
			if err := s.Solve(p, out); err != nil {
				t.Fatal(err)
			}
			if !out.Converged || out.Sweeps < alone.Sweeps {
				t.Errorf("net %d: Nodal ends at %+v after %d sweeps", seed, out.Residual, out.Sweeps)
			}
		}
		if t.Logf("printed %v: of %d nets %d had ω halved, %d went to Nodal", printed, nets, halved, handed); printed && (halved == 0 || handed == 0) {
			t.Error("nothing diverges")
		}
		if !printed && handed > nets/20 {
			t.Error("mixing does not help")
		}
	}
}

// What anticipation by vertex does not solve, that by whole bodies does, and by the paper's rule momentum is balanced.
func TestRelaxationOfWholeBodies(t *testing.T) {
	const nets = 150
	unsolved, sweeps, byVertex := 0, 0, 0
	for seed := range uint64(nets) {
		p := stiffNet(seed)
		out := relaxed(t, RelaxationForm{}, p)
		sweeps += out.Sweeps
		if !out.Converged {
			unsolved++
		}
		s := DefaultRelaxation()
		s.Alone, s.ByVertex = true, true
		vertices, _, err := p.SolveBy(&s)
		if err != nil {
			t.Fatal(err)
		}
		byVertex += vertices.Sweeps
		if far := farthest(vertices, out); out.Converged && vertices.Converged && far > 1e-6 {
			t.Errorf("net %d: velocities are %g m/s from those by vertex", seed, far)
		}
		if left := relaxed(t, RelaxationForm{ByChange: true}, p).Residual.Dynamics; left > 1e-9 {
			t.Errorf("net %d: the paper's rule leaves momentum at %g m/s", seed, left)
		}
	}
	t.Logf("%d sweeps instead of %d; %d not solved", sweeps, byVertex, unsolved)
	if unsolved > 0 || sweeps > byVertex/2 {
		t.Error("whole bodies do not help")
	}
}

// A solver that is told to stop does, with what it has.
func TestRelaxationStops(t *testing.T) {
	p := given(problems.IrregularPile(10, 2000, 0.3), 1e-12)
	s := DefaultRelaxation()
	s.Team = par.New(2)
	var stop atomic.Bool
	s.Team.Heed(&stop)
	iterations := 0
	s.Each = func(int) {
		if iterations++; iterations == 3 {
			stop.Store(true)
		}
	}
	out := p.Start()
	if err := s.Solve(p, out); err != nil {
		t.Fatal(err)
	}
	if out.Converged || out.Sweeps > 4 || out.Newton > 0 {
		t.Errorf("%d sweeps, %d Newton steps, converged %v", out.Sweeps, out.Newton, out.Converged)
	}
}
