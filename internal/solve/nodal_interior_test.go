package solve

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
)

// throughInterior solves a problem by the way through the interior alone.
func throughInterior(p *ContactProblem, workers int) (*Contacts, bool) {
	s := DefaultNodal()
	s.Interior, s.Team = true, par.New(workers)
	out := p.Start()
	err := s.Solve(p, out)
	return out, err == nil && out.Converged
}

// Towers have more contacts than freedoms, of which friction makes some slide: the way through the interior solves them
// alone.
func TestThroughInterior(t *testing.T) {
	const cubes = 50
	for _, mu := range []float64{0, 0.2, 0.5} {
		for _, force := range []float64{0, 3, 6} {
			if mu == 0 && force > 0 {
				continue // nothing would hold the top
			}
			p := tower(cubes, force, mu)
			out, done := throughInterior(p, 1)
			if worst := breach(p, out); !done || worst > 3e-8 {
				t.Errorf("μ %g, %g N: done %t, referee %g m/s, %d steps", mu, force, done, worst, out.Newton)
			}
			for c, state := range out.State {
				if state == TakeOff && out.R[c] != (r3.Vec{}) {
					t.Errorf("μ %g, %g N: contact %d takes off with an impulse of %v", mu, force, c, out.R[c])
				}
			}
		}
	}
}

// A tie among contacts is held on the way.
func TestInteriorHoldsTies(t *testing.T) {
	p := tower(50, 6, 0.5) // its top would slide off
	e := contact.FrameOf(r3.V(1, 0, 0))
	p.Set.AddRow(contact.Contact{
		ID: contact.ID{A: contact.Feature{Surface: 99}, B: contact.Feature{Surface: 99}}, Law: contact.Bilateral,
		A: 98, B: contact.None, Frame: e,
	}, contact.Term{Block: 98, W: 1, M: r3.Mat{XX: 1}})
	out, done := throughInterior(p, 1)
	if worst := breach(p, out); !done || worst > 3e-8 {
		t.Errorf("done %t, referee %g m/s", done, worst)
	}
	if v := out.V[98].X; v > 1e-7 || v < -1e-7 {
		t.Errorf("the tied cube moves at %g m/s", v)
	}
}

func TestInteriorIsDeterministic(t *testing.T) {
	var want string
	for _, workers := range []int{1, 2, 8} {
		out, _ := throughInterior(tower(50, 6, 0.5), workers)
		got := fmt.Sprintf("%x %x", out.V, out.R)
		if want == "" {
			want = got
		} else if got != want {
			t.Errorf("%d workers find something else than one", workers)
		}
	}
}

// A sheet is pulled from under a brick: the vertices between brick and floor say the same, slide on both sides, and
// have a ten thousandth of its mass. The way through the interior solves this alone, also for few contacts.
func TestSheetsUnderBricks(t *testing.T) {
	for _, n := range []int{5, 9, 16, 24} {
		for _, speed := range []float64{0, 0.02, 1, 4} {
			for _, mu := range []float64{0.2, 0.5} {
				p := given(problems.UnderBrick(n, 1000, mu, speed), 1e-8)
				out, done := throughInterior(p, 1)
				if worst := breach(p, out); !done || worst > 3e-8 || slices.Contains(out.Infeasible, true) {
					t.Errorf("%d², %g m/s, μ %g: done %t, residual %.2g, referee %.2g m/s, %d steps",
						n, speed, mu, done, out.Residual.Worst(), worst, out.Newton)
				}
			}
		}
	}
}

// A way that failed leaves nothing for the next problem.
func TestInteriorForgets(t *testing.T) {
	p := given(problems.UnderBrick(9, 1000, 0.5, 1), 1e-8)
	s := DefaultNodal()
	s.Interior = true
	first, again := p.Start(), p.Start()
	s.Solve(p, first)
	for c := range s.interior.dr {
		s.interior.dr[c], s.interior.dy[c] = r3.V(math.NaN(), 0, 0), math.Inf(1)
	}
	s.Solve(p, again)
	if len(s.interior.dr) == 0 || fmt.Sprint(first.V, first.R) != fmt.Sprint(again.V, again.R) {
		t.Errorf("%d changes; the second solve takes %d steps and the first %d", len(s.interior.dr), again.Newton, first.Newton)
	}
}

// What solved the problems before comes first, until sets are to be tried again.
func TestHabit(t *testing.T) {
	for _, test := range []struct {
		step, round uint8
		first       bool  // the interior comes first,
		want        uint8 // and is counted
	}{
		{step: habit, first: true, want: habit + 1},
		{round: habit, first: true, want: habit + 1},
		{step: mostInARow - 1, round: 1, first: true, want: mostInARow},
		{},
		{step: habit - 1},
		{step: mostInARow},
	} {
		p := tower(50, 6, 0.5)
		p.Past.Unsettled, p.Earlier.Unsettled = test.step, test.round
		s, out := DefaultNodal(), p.Start()
		if err := s.Solve(p, out); err != nil {
			t.Fatal(err)
		}
		if first := out.Sweeps == 0; first != test.first || !out.Converged || first && out.Unsettled != test.want {
			t.Errorf("%+v: %d, %d sweeps, converged %t", test, out.Unsettled, out.Sweeps, out.Converged)
		}
	}
}
