package solve

import (
	"testing"

	"github.com/toile-sim/toile/internal/problems"
)

// C22, a part: 99.5 % of the library, every other problem with contacts of up to four blocks, are solved, contacts that
// contradict each other excepted. What the dual solver finds is compared by the way: more than one solution may exist,
// and both have a residual below tolerance then.
func TestLibrary(t *testing.T) {
	count := 200
	if !testing.Short() {
		count = 2000
	}
	var failed, flagged, tame, same, other int
	s := DefaultNodal()
	for seed := range uint64(count) {
		p, wild := problems.Random(seed)
		if seed%2 == 1 {
			p = problems.Spread(p, seed)
		}
		if err := p.Set.Validate(p.A.N); err != nil {
			t.Fatal(err)
		}
		out := solveNodal(&s, p)
		marked := 0
		for c := range out.Infeasible {
			if out.Infeasible[c] {
				marked++
			}
			if !out.R[c].Finite() || !out.U[c].Finite() {
				t.Fatalf("seed %d: not finite", seed)
			}
		}
		switch {
		case !out.Converged:
			failed++
			t.Logf(
				"seed %d: %d blocks, %d contacts, wild %v: %+v after %d sweeps, %d steps; %d marked",
				seed,
				p.A.N,
				p.Set.Len(),
				wild,
				out.Residual,
				out.Sweeps,
				out.Newton,
				marked,
			)
		case marked > 0:
			flagged++
			if !wild {
				tame++
				t.Logf("seed %d: %d of %d contacts called infeasible, though all can hold", seed, marked, p.Set.Len())
			}
		case seed%10 < 2:
			if dual := solveDual(t, p, 1e-8); dual.Converged {
				if farthest(out, dual) <= 1e-6 {
					same++
				} else {
					other++
				}
			}
		}
	}
	t.Logf(
		"%d problems: %d not solved, %d with infeasible contacts; against the dual solver %d same velocities, %d other solutions",
		count,
		failed,
		flagged,
		same,
		other,
	)
	if (failed+tame)*200 > count {
		t.Errorf("%d of %d not solved, %d wrongly called infeasible", failed, count, tame)
	}
}
