package solve

import (
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/r3"
)

// refereed returns a problem as the referee takes it.
func refereed(p *ContactProblem, void []bool) *referee.Problem {
	q := problems.Plain(p.A, p.B, p.Mass, p.Fixed, p.Set, void)
	for _, part := range p.Partly {
		q.Rails = append(q.Rails, referee.Rail{Block: part.Block, Free: part.Free})
	}
	return q
}

// checkClaims has the referee check that what an answer leaves out is proven to contradict itself, that this is what
// has multipliers, and that the answer has not converged then. It returns how much is left out.
func checkClaims(t *testing.T, p *ContactProblem, out *Contacts) (marked int) {
	t.Helper()
	some := false
	for c, m := range out.Proof {
		some = some || m != r3.Vec{}
		if out.Infeasible[c] {
			marked++
		}
		if tied := p.Set.Contacts[c].Law == contact.Bilateral; out.Infeasible[c] != (m != r3.Vec{} && !tied) {
			t.Errorf("contact %d: infeasible %v with the multiplier %v, a tie: %v", c, out.Infeasible[c], m, tied)
		}
	}
	if !some {
		return marked
	}
	found := referee.Contradict(refereed(p, nil), out.V, out.Proof)
	if found.Wrong > 0 || !(found.Felt <= 1e-10) || !(found.Speed > p.Tolerance) {
		t.Errorf("%d contacts are left out without a proof: %+v", marked, found)
	}
	if out.Converged {
		t.Errorf("%d contacts contradict each other, and the answer has converged", marked)
	}
	return marked
}

// TestNoContradictionIsClaimed of random problems that have none: all their contacts push up, so that what rises fast
// enough obeys.
func TestNoContradictionIsClaimed(t *testing.T) {
	s := DefaultNodal()
	for seed := range uint64(400) {
		p, wild := problems.Random(5000 + seed)
		if wild {
			continue
		}
		if seed%2 == 1 {
			p = problems.Spread(p, seed)
		}
		q := given(p, 1e-8)
		out := q.Start()
		if err := s.Solve(q, out); err != nil {
			t.Fatal(err)
		}
		if marked := checkClaims(t, q, out); marked > 0 {
			t.Errorf("seed %d: %d of %d contacts are called contradictory", seed, marked, p.Set.Len())
		}
	}
}

// TestContradictionsAreProven: random problems to which contacts were added that cannot hold together. Their answers
// have a proof that the referee accepts, and the rest is solved.
func TestContradictionsAreProven(t *testing.T) {
	s := DefaultNodal()
	count, solved := 0, 0
	for seed := range uint64(300) {
		p, wild := problems.Random(5000 + seed)
		if wild {
			continue
		}
		problems.Contradict(p, seed)
		q := given(p, 1e-8)
		out := q.Start()
		if err := s.Solve(q, out); err != nil {
			t.Fatal(err)
		}
		count++
		if checkClaims(t, q, out) == 0 {
			t.Errorf("seed %d: nothing is called contradictory, residual %g m/s", seed, out.Residual.Worst())
		}
		if referee.Judge(refereed(q, out.Infeasible), out.V, out.R).Worst() <= 1.5e-8 {
			solved++
		}
	}
	t.Logf("%d of %d are solved but for what contradicts itself", solved, count)
	if float64(solved) < 0.95*float64(count) {
		t.Errorf("of %d problems %d are solved but for what contradicts itself", count, solved)
	}
}

// TestWhatContradicts: held blocks that move, ties and rails take part in contradictions; ties are never left out.
func TestWhatContradicts(t *testing.T) {
	up := contact.FrameOf(r3.V(0, 0, 1))
	down := contact.FrameOf(r3.V(0, 0, -1))
	build := func() *ContactProblem {
		p := given(masses([]float64{1, 2, 0.5}, make([]r3.Vec, 3)), 1e-8)
		p.V = make([]r3.Vec, 3)
		return p
	}
	for name, c := range map[string]struct {
		add    func(p *ContactProblem)
		marked int
	}{
		"a held block that comes down": {func(p *ContactProblem) {
			p.Fixed[2], p.V[2] = true, r3.V(0.3, 0, -0.2)
			p.Set.Add(contact.Contact{ID: numbered(0), A: 0, B: contact.None, Frame: up, Mu: 0.5})
			p.Set.Add(contact.Contact{ID: numbered(1), A: 2, B: 0, Frame: up, Mu: 0.5})
		}, 2},
		"a held block that goes up": {func(p *ContactProblem) {
			p.Fixed[2], p.V[2] = true, r3.V(0.3, 0, 0.2)
			p.Set.Add(contact.Contact{ID: numbered(0), A: 0, B: contact.None, Frame: up, Mu: 0.5})
			p.Set.Add(contact.Contact{ID: numbered(1), A: 2, B: 0, Frame: up, Mu: 0.5})
		}, 0},
		"a wall that closes on what is tied": {func(p *ContactProblem) {
			p.Fixed[2] = true
			p.Set.Add(contact.Contact{ID: numbered(0), A: 0, B: 2, Frame: up, Law: contact.Bilateral})
			p.Set.Add(contact.Contact{ID: numbered(1), A: 0, B: contact.None, Frame: down, Uf: r3.V(-0.1, 0, 0)})
		}, 1},
		"a wall that closes along a rail": {func(p *ContactProblem) {
			p.Partly = []contact.Partial{contact.Along(0, r3.V(0, 0.6, 0.8))}
			p.Set.Add(contact.Contact{ID: numbered(0), A: 1, B: 0, Frame: up})
			p.Set.Add(contact.Contact{ID: numbered(1), A: 1, B: contact.None, Frame: down, Uf: r3.V(-0.1, 0, 0)})
			p.Set.Add(contact.Contact{ID: numbered(2), A: 0, B: contact.None, Frame: up, Uf: r3.V(-0.1, 0, 0)})
		}, 3},
		"a wall that closes on what gives way along a rail": {func(p *ContactProblem) {
			p.Partly = []contact.Partial{contact.Along(0, r3.V(0, 0.6, 0.8))}
			p.Set.Add(contact.Contact{ID: numbered(0), A: 1, B: 0, Frame: up})
			p.Set.Add(contact.Contact{ID: numbered(1), A: 1, B: contact.None, Frame: down, Uf: r3.V(-0.1, 0, 0)})
		}, 0},
	} {
		p := build()
		c.add(p)
		s, out := DefaultNodal(), p.Start()
		if err := s.Solve(p, out); err != nil {
			t.Fatal(err)
		}
		if marked := checkClaims(t, p, out); marked != c.marked || (marked == 0) != out.Converged {
			t.Errorf("%s: %d contacts are left out, not %d; converged %v, residual %g m/s",
				name, marked, c.marked, out.Converged, out.Residual.Worst())
		}
	}
}

// TestProofsAreChecked: of a proof nothing can be changed that matters.
func TestProofsAreChecked(t *testing.T) {
	walls := masses([]float64{1, 1}, make([]r3.Vec, 2))
	p := given(walls, 1e-8)
	p.Set.Add(contact.Contact{ID: numbered(0), A: 0, B: contact.None, Frame: contact.FrameOf(r3.V(0, 0, 1)), Uf: r3.V(-0.3, 0, 0)})
	p.Set.Add(contact.Contact{ID: numbered(1), A: 1, B: 0, Frame: contact.FrameOf(r3.V(0, 0, 1))})
	p.Set.Add(contact.Contact{ID: numbered(2), A: 1, B: contact.None, Frame: contact.FrameOf(r3.V(0, 0, -1))})
	v := make([]r3.Vec, 2)
	proof := []r3.Vec{{X: 1}, {X: 1}, {X: 1}}
	if speed, err := CheckProof(p, v, proof); err != nil || !(speed > 0.0999 && speed < 0.1001) {
		t.Errorf("walls that close at 0.3 m/s: %g m/s, %v", speed, err)
	}
	for name, change := range map[string]func(m []r3.Vec){
		"felt":       func(m []r3.Vec) { m[1].X += 3e-10 },
		"along":      func(m []r3.Vec) { m[0].Y, m[1].Y, m[2].Y = 1, 1, 1 },
		"incomplete": func(m []r3.Vec) { m[2] = r3.Vec{} },
		"empty":      func(m []r3.Vec) { clear(m) },
	} {
		changed := slices.Clone(proof)
		change(changed)
		if _, err := CheckProof(p, v, changed); err == nil {
			t.Errorf("%s: the proof is accepted", name)
		}
	}
	p.Set.Contacts[0].Uf.X = 0.3
	if speed, err := CheckProof(p, v, []r3.Vec{{X: -1}, {X: -1}, {X: -1}}); err == nil {
		t.Errorf("walls that part, and pull: %g m/s", speed)
	}
	p.Set.Contacts[0].Uf.X = -0.3
	p.Set.Contacts[2].Uf.X = 0.3
	if speed, err := CheckProof(p, v, proof); err == nil {
		t.Errorf("walls that keep their distance: %g m/s", speed)
	}
	p.Set.Contacts[2].Uf.X, p.Tolerance = 0, 0.2
	if speed, err := CheckProof(p, v, proof); err == nil {
		t.Errorf("walls that close by less than is tolerated: %g m/s", speed)
	}
}
