package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
)

// onCopies solves by copies alone.
func onCopies(p *problems.Problem, tolerance float64, sweeps int) *Contacts {
	q := given(p, tolerance)
	out := q.Start()
	s := DefaultNodal()
	s.MaxSweeps = copyShare * sweeps
	team := s.begin(q, out)
	s.prepare(team)
	s.assess(team)
	s.copies.split(team, s.MaxSweeps)
	s.finish()
	return out
}

// A11: a vertex split into p = 2..8 copies has the velocity that it has unsplit. The contacts of each node are
// repeated, which says nothing new but makes copies.
func TestSplitNodesMoveAsOne(t *testing.T) {
	one := problems.OnBall(10, 50, 0.3)
	s := DefaultNodal()
	want := solveTo(1e-13, &s, one)
	for p := 2; p <= 8; p++ {
		many := repeated(one, p)
		got := onCopies(many, 1e-12, 4000)
		worst := 0.0
		for i := range got.V {
			worst = max(worst, got.V[i].Sub(want.V[i]).Norm())
		}
		if !want.Converged || !got.Converged || !(worst <= 1e-10) {
			t.Errorf(
				"%d copies: converged %v after %d sweeps, residual %g; velocities differ by %g",
				p,
				got.Converged,
				got.Sweeps,
				got.Residual.Worst(),
				worst,
			)
		}
	}
}

// Several different contacts on a node, and pairs of split nodes. Oracle: the solver without copies, where the solution
// is unique.
func TestCopiesAgreeWithSets(t *testing.T) {
	for _, mu := range []float64{0, 0.3} {
		p := problems.InLayers(6, 3, 50, mu, true)
		s := DefaultNodal()
		want, got := solveTo(1e-12, &s, p), onCopies(p, 1e-11, 4000)
		if d := farthest(want, got); !want.Converged || !got.Converged || !(d <= 1e-9) {
			t.Errorf(
				"friction %g: converged %v, %v after %d sweeps, residual %g; velocities differ by %g",
				mu,
				want.Converged,
				got.Converged,
				got.Sweeps,
				got.Residual.Worst(),
				d,
			)
		}
	}
}

// A11: C, which makes the pins, is an orthogonal projection: π = -C Jᵀ r has C π = π, and π·w = 0 for velocities w on
// which all copies agree. G is orthogonal: the change of variables of [Li18] eq. (9) with its 1/√2 keeps lengths.
func TestPinsAreAProjection(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	random := func() r3.Vec { return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()) }
	p := problems.IrregularPile(5, 50, 0.3)
	var out Contacts
	out.Resize(p.A.N, p.Set.Len())
	s := DefaultNodal()
	team := s.begin(given(p, 1e-8), &out)
	s.prepare(team)
	for c := range out.R {
		out.R[c] = random()
	}
	s.copies.begin(team)
	sum := make([]r3.Vec, p.A.N)
	power, size := 0.0, 0.0
	w := make([]r3.Vec, p.A.N)
	for i := range w {
		w[i] = random()
	}
	for c := range p.Set.Contacts {
		for side, term := range p.Set.Row(c) {
			pin := s.copies.pin[side][c]
			sum[term.Block] = sum[term.Block].Add(pin) // C π = π iff the pins of a block add up to zero
			power += pin.Dot(w[term.Block])
			size += pin.Norm() * w[term.Block].Norm()
		}
	}
	for i := range sum {
		if sum[i].Norm() > 1e-12 {
			t.Fatalf("the pins of block %d add up to %v", i, sum[i])
		}
	}
	if math.Abs(power) > 1e-14*size {
		t.Errorf("pins do %g of work on copies that agree", power)
	}
	for range 100 {
		e := contact.FrameOf(random().Unit())
		v, w := random(), random()
		u, sum := e.MulVec(v.Sub(w)).Scale(math.Sqrt2/2), e.MulVec(v.Add(w)).Scale(math.Sqrt2/2)
		if before, after := v.Norm2()+w.Norm2(), u.Norm2()+sum.Norm2(); math.Abs(after-before) > 1e-14*before {
			t.Fatal(fmt.Sprint("G changes lengths: ", before, after))
		}
	}
}
