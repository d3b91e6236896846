package referee

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// TestResidualIsNoFurtherThanALawfulAnswer: of lawful answers that are changed by d, the residual is at most d, and at
// least a third of the largest breach for μ up to 2.
func TestResidualIsNoFurtherThanALawfulAnswer(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 40))
	inBall := func(d float64) r3.Vec {
		return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit().Scale(d * rng.Float64())
	}
	largest := 0.0
	for range 200_000 {
		mu, d := 2*rng.Float64(), math.Pow(10, -6*rng.Float64())
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		along := r3.V(0, cos, sin)
		var u, r r3.Vec
		switch rng.IntN(3) {
		case 0:
			u = along.Scale(rng.NormFloat64()).Add(r3.V(rng.Float64(), 0, 0))
		case 1:
			r = r3.V(rng.Float64(), 0, 0)
			r = r.Add(along.Scale(mu * r.X * rng.Float64()))
		case 2:
			u, r = along.Scale(rng.Float64()), r3.V(rng.Float64(), 0, 0)
			r = r.Add(along.Scale(-mu * r.X))
		}
		var exact, off Breach
		exact.law(u, r, mu)
		off.law(u.Add(inBall(d)), r.Add(inBall(d)), mu)
		if exact.Residual > 1e-15 || off.Residual > d*(1+1e-9)+1e-15 || 3*off.Residual < off.Worst()*(1-1e-9) {
			t.Fatalf("u = %v, r = %v, mu = %g: %+v, changed by %g: %+v", u, r, mu, exact, d, off)
		}
		largest = max(largest, off.Residual/d)
	}
	if largest < 0.9 {
		t.Errorf("of changes the residual finds a share of %g at most", largest)
	}
}

// TestResidualCountsBalanceAndTies: what a block lacks, and what moves of a tie, are in it.
func TestResidualCountsBalanceAndTies(t *testing.T) {
	p := &Problem{Mass: []float64{2}, B: []r3.Vec{{X: 1}}, Held: []bool{false}}
	if got := Judge(p, []r3.Vec{{}}, nil).Residual; got != 0.5 {
		t.Errorf("a momentum of 1 that 2 kg lack: %g m/s", got)
	}
	p.Contacts = []Contact{{Offset: r3.V(3, 0, 0), Tied: true, Row: []Term{{M: r3.Identity()}}}}
	if got := Judge(p, []r3.Vec{{}}, []r3.Vec{{X: 1}}).Residual; got != 3 {
		t.Errorf("a tie that moves by 3 m/s: %g m/s", got)
	}
}
