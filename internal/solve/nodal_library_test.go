package solve

import (
	"testing"

	"github.com/toile-sim/toile/internal/problems"
)

// C22, a part: 99.5 % of the library, every other problem with contacts of up to four blocks, are solved, of those that
// are known to have a solution. Where normals point anywhere, friction may jam what normals alone would let pass; such
// problems are not solved, and nothing is claimed of them without a proof. What the dual solver finds is compared by
// the way: more than one solution may exist, and both have a residual below tolerance then.
func TestLibrary(t *testing.T) {
	count := 200
	if !testing.Short() {
		count = 2000
	}
	var failed, jammed, flagged, same, other int
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
		checkClaims(t, given(p, 1e-8), out)
		switch {
		case marked > 0:
			flagged++
			if !wild {
				t.Errorf("seed %d: %d of %d contacts called infeasible, though all can hold", seed, marked, p.Set.Len())
			}
		case !out.Converged:
			if wild {
				jammed++
			} else {
				failed++
			}
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
		"%d problems: %d not solved, and %d with normals anywhere, %d with infeasible contacts; against the dual solver %d same velocities, %d other solutions",
		count,
		failed,
		jammed,
		flagged,
		same,
		other,
	)
	if failed*200 > count || jammed*100 > count {
		t.Errorf("%d of %d not solved, and %d with normals anywhere", failed, count, jammed)
	}
}
