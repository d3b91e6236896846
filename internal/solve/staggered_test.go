package solve

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
)

func solveStaggered(t *testing.T, s *Staggered, q *ContactProblem) *Contacts {
	t.Helper()
	out := q.Start()
	if err := s.Solve(q, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// L26, small: with all of A as metric staggered projections find what the nodal solver does, with disks of either form.
// Projections end at 1e-10 of their own, so that a tenth of the usual tolerance is asked for and not less.
func TestStaggeredAgreesWithNodal(t *testing.T) {
	for _, mu := range []float64{0.3, 0, 0.6} {
		for name, p := range sheets(7, 50, mu) {
			if testing.Short() && (name == "heap" || mu > 0.3) {
				continue
			}
			for _, polar := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%g/%v", name, mu, polar), func(t *testing.T) {
					n := DefaultNodal()
					nodal := solveTo(1e-9, &n, p)
					s := Staggered{StaggeredSettings: StaggeredSettings{Polar: polar}}
					got := solveStaggered(t, &s, given(p, 1e-9))
					if !nodal.Converged || !got.Converged {
						t.Fatalf("nodal %+v, staggered %+v after %d", nodal.Residual, got.Residual, got.Sweeps)
					}
					if d := farthest(nodal, got); !(d <= 1e-7) {
						t.Errorf("velocities differ by %g m/s", d)
					}
				})
			}
		}
	}
}

// Random nets of masses, some of which contradict themselves. What converges obeys the residual that all share.
func TestStaggeredOnRandomProblems(t *testing.T) {
	unsolved := 0
	for seed := range uint64(200) {
		p, wild := problems.Random(seed)
		if p.Set.Len() == 0 {
			continue
		}
		var s Staggered
		q := given(p, 1e-8)
		out := solveStaggered(t, &s, q)
		var m Measure
		if worst := m.Of(q, out.V, out.R, nil).Worst(); out.Converged != (worst <= 1e-8) {
			t.Errorf("seed %d says %v of %g m/s", seed, out.Converged, worst)
		}
		if !out.Converged && !wild {
			unsolved++
		}
	}
	// Staggered projections need not converge where friction and normals couple much.
	if t.Logf("%d of 200 unsolved", unsolved); unsolved > 10 {
		t.Errorf("%d of 200 problems are not solved", unsolved)
	}
}

// Where A couples nothing, as of rigid bodies, the mass is all of A and W is sparse: the two metrics answer the same.
// Towers are low: in high ones friction and normal forces of all storeys depend on each other, and it takes too long.
func TestStaggeredTowers(t *testing.T) {
	for _, force := range []float64{0, 3, 6} {
		p := tower(3, force, 0.5)
		n := DefaultNodal()
		nodal := p.Start()
		if err := n.Solve(p, nodal); err != nil {
			t.Fatal(err)
		}
		var full Staggered
		out := solveStaggered(t, &full, p)
		if far := farthest(nodal, out); !out.Converged || far > 1e-6 {
			t.Errorf("force %g N: %+v after %d, %g m/s from nodal", force, out.Residual, out.Sweeps, far)
		}
		if got, most := len(full.w.val), 4*8+4*12+4*8; got != most {
			t.Errorf("%d entries, not %d: the contacts of a face meet those of the next faces", got, most)
		}
		mass := Staggered{StaggeredSettings: StaggeredSettings{Mass: true}}
		if out = solveStaggered(t, &mass, p); out.Residual.Dynamics > 1e-8 {
			t.Errorf("force %g N, by mass: %+v", force, out.Residual)
		}
	}
}

// The corrected velocities of the metric of the mass obey the law of contact, and miss the balance by
// (A - M) M⁻¹ Jᵀ (r - r*): without a change of impulses by nothing.
func TestStaggeredByMass(t *testing.T) {
	p := problems.OnPlane(7, 400, 0.3, r3.V(0.5, 0.2, 0), 0.01)
	q := given(p, 1e-8)
	s := Staggered{StaggeredSettings: StaggeredSettings{Mass: true}}
	out := solveStaggered(t, &s, q)
	if !out.Settled || out.Converged || out.Residual.Dynamics < 1e-3 {
		t.Errorf("settled %v, converged %v, %+v", out.Settled, out.Converged, out.Residual)
	}
	if out.Residual.Law > 1e-8 { // on a plane normals do not feel friction: one pair is exact
		t.Errorf("the law: %+v", out.Residual)
	}
	if out.Sweeps < 1 || out.Sweeps > mostByMass || out.Newton < 1 {
		t.Errorf("%d friction steps, %d inner iterations", out.Sweeps, out.Newton)
	}
	// Forwarded from the solution with all of A, friction is where it belongs already.
	var exact Staggered
	right := solveStaggered(t, &exact, given(p, 1e-10))
	q.R = append([]r3.Vec(nil), right.R...)
	if out = solveStaggered(t, &s, q); !(out.Residual.Max() <= 1e-7) || farthest(right, out) > 1e-7 {
		t.Errorf("from the solution: %+v, %g m/s from it", out.Residual, farthest(right, out))
	}
	s.Fresh = true
	if out = solveStaggered(t, &s, q); out.Residual.Dynamics < 1e-3 {
		t.Errorf("nothing was to be forwarded, but %+v", out.Residual)
	}
}

// What is forwarded is for the length of the step, turns with the normal and ends with the contact.
func TestForwarding(t *testing.T) {
	var before, now contact.Set
	add := func(set *contact.Set, id int64, normal r3.Vec) {
		set.Add(contact.Contact{
			ID: contact.ID{A: contact.Feature{ID: id}}, A: int32(id), B: contact.None, Frame: contact.FrameOf(normal), Mu: 0.3,
		})
	}
	up, tilted := r3.V(0, 0, 1), r3.V(0.1, 0, 1).Unit()
	for _, id := range []int64{0, 1, 2} {
		add(&before, id, up)
	}
	add(&now, 0, up)
	add(&now, 2, tilted)
	add(&now, 3, up)
	r := []r3.Vec{r3.V(5, 1, 2), r3.V(1, 1, 1), r3.V(2, 0.3, 0.4)}
	p := masses([]float64{1, 1, 1, 1}, make([]r3.Vec, 4))
	q := given(p, 1e-8)
	q.Set, q.H, q.Past = &now, 2e-3, Past{Set: &before, R: r, H: 1e-3}
	s := Staggered{given: q, out: q.Start()}
	s.forward()
	if got := s.forwarded[0]; got != r3.V(0, 2, 4) {
		t.Errorf("twice the step forwards %v", got)
	}
	if got := s.forwarded[1]; math.Abs(got.Norm()-1) > 1e-14 || got.X != 0 {
		t.Errorf("a contact that turned has %v", got)
	}
	if got := s.forwarded[2]; got != (r3.Vec{}) {
		t.Errorf("a new contact has %v", got)
	}
}

// The same bits for any number of workers, and no allocation when solved again.
func TestStaggeredWorkersAndMemory(t *testing.T) {
	p := problems.OnBall(12, 100, 0.3)
	for _, mass := range []bool{false, true} {
		var first *Contacts
		for _, workers := range []int{1, 2, 8} {
			s := Staggered{StaggeredSettings: StaggeredSettings{Mass: mass}, Team: par.New(workers)}
			out := solveStaggered(t, &s, given(p, 1e-8))
			if first == nil {
				first = out
			}
			for i := range out.V {
				if out.V[i] != first.V[i] {
					t.Fatalf("%d workers, mass %v: block %d has %v, not %v", workers, mass, i, out.V[i], first.V[i])
				}
			}
		}
		s := Staggered{StaggeredSettings: StaggeredSettings{Mass: mass}}
		q := given(p, 1e-8)
		out := q.Start()
		if n := testing.AllocsPerRun(2, func() {
			clear(out.R)
			clear(out.V)
			if err := s.Solve(q, out); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("mass %v: %g allocations", mass, n)
		}
	}
}

func TestStaggeredSaysWhyNot(t *testing.T) {
	var s Staggered
	p := given(masses([]float64{1, 1}, make([]r3.Vec, 2)), 1e-8)
	p.A.Val[0].XX = -1
	if err := s.Solve(p, p.Start()); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "inverse of A") {
		t.Errorf("an indefinite matrix gives %v", err)
	}
	many := given(problems.OnPlane(55, 400, 0.3, r3.Vec{}, 0), 1e-8)
	if err := s.Supports(many); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "3025 contacts") {
		t.Errorf("3025 contacts give %v", err)
	}
	s.Mass = true
	if err := s.Supports(many); err != nil {
		t.Errorf("with the mass they give %v", err)
	}
}

// A solver that nobody waits for ends soon, and does not say that it converged.
func TestStaggeredStops(t *testing.T) {
	for _, mass := range []bool{false, true} {
		team := par.New(1)
		stop := new(atomic.Bool)
		stop.Store(true)
		team.Heed(stop)
		s := Staggered{StaggeredSettings: StaggeredSettings{Mass: mass}, Team: team}
		out := solveStaggered(t, &s, given(problems.OnBall(12, 100, 0.3), 1e-8))
		if out.Converged || out.Settled || out.Sweeps > 0 {
			t.Errorf("mass %v: converged %v, settled %v after %d", mass, out.Converged, out.Settled, out.Sweeps)
		}
	}
}
