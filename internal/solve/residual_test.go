package solve

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
)

// One mass of 2 kg on a floor, so that s = 1/2 1/kg: each part of the residual by hand.
func TestResidualParts(t *testing.T) {
	const mu = 0.5
	for _, c := range []struct {
		name string
		v, r r3.Vec
		want Residual // Dynamics by itself; Law is checked for zero or not
	}{
		{"rest", r3.V(0, 0, 0), r3.V(4, 1, 0), Residual{}},
		{"slide", r3.V(3, 0, 0), r3.V(4, -2, 0), Residual{}},
		{"take-off", r3.V(1, 1, 1), r3.V(0, 0, 0), Residual{}},
		{"too much friction", r3.V(0, 0, 0), r3.V(4, 3, 0), Residual{Law: 1, Cone: 0.5}},
		{"sinks", r3.V(0, 0, -1), r3.V(0, 0, 0), Residual{Law: 1, Complementarity: 1}},
		{"pulls", r3.V(0, 0, 0), r3.V(-2, 0, 0), Residual{Law: 1, Cone: 0.5, Complementarity: 1}},
		{"slips though it could stick", r3.V(1e-3, 0, 0), r3.V(4, -1, 0), Residual{Law: 1}},
		{"pushed aside", r3.V(3, 0, 0), r3.V(4, 0, -2), Residual{Law: 1, Misalignment: 3}},
		{"pushed along", r3.V(3, 0, 0), r3.V(4, 2, 0), Residual{Law: 1, Misalignment: 3}},
	} {
		p := masses([]float64{2}, make([]r3.Vec, 1))
		frame := r3.Rows(r3.V(0, 0, 1), r3.V(1, 0, 0), r3.V(0, 1, 0))
		p.Set.Add(contact.Contact{A: 0, B: contact.None, Frame: frame, Mu: mu})
		p.B[0] = frame.MulVecT(c.r).Sub(c.v.Scale(2))
		var m Measure
		got := m.Of(given(p, 1e-8), []r3.Vec{c.v}, []r3.Vec{c.r}, nil)
		if math.Abs(got.Dynamics) > 1e-15 || math.Abs(got.Cone-c.want.Cone) > 1e-15 ||
			math.Abs(
				got.Complementarity-c.want.Complementarity,
			) > 1e-15 || math.Abs(got.Misalignment-c.want.Misalignment) > 1e-15 {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if c.want.Law == 0 && got.Law > 1e-15 || c.want.Law > 0 && got.Law < 1e-4 {
			t.Errorf("%s: the law is off by %g", c.name, got.Law)
		}
		if skipped := m.Of(given(p, 1e-8), []r3.Vec{c.v}, []r3.Vec{c.r}, []bool{true}); skipped.Worst() > 1e-15 {
			t.Errorf("%s: a contact that was left out gave %+v", c.name, skipped)
		}
		p.B[0].Y += 0.2
		if got := m.Of(given(p, 1e-8), []r3.Vec{c.v}, []r3.Vec{c.r}, nil); math.Abs(got.Dynamics-0.1) > 1e-15 {
			t.Errorf("%s: an imbalance of 0.2 N s on 2 kg gave %g m/s", c.name, got.Dynamics)
		}
	}
}

func TestResidualIsNaNForNaN(t *testing.T) {
	p := problems.OnPlane(6, 50, 0.3, r3.Vec{}, 0)
	v, r := make([]r3.Vec, p.A.N), make([]r3.Vec, p.Set.Len())
	v[17].X = math.NaN()
	m := Measure{Team: par.New(2)}
	if got := m.Of(given(p, 1e-8), v, r, nil); !math.IsNaN(got.Max()) || !math.IsNaN(got.Worst()) {
		t.Errorf("%+v", got)
	}
}

// Rows that a few changed velocities do not matter to are not computed again, and the residual has the same bits.
func TestResidualFollowsFewChanges(t *testing.T) {
	p := problems.OnPlane(16, 50, 0.3, r3.Vec{}, 0)
	v, r := make([]r3.Vec, p.A.N), make([]r3.Vec, p.Set.Len())
	var m, fresh Measure
	team := m.begin(given(p, 1e-8), v, r, nil)
	team.For(p.Set.Len(), measureGrain, m.scales)
	for i := range 60 {
		v[(37*i)%len(v)] = r3.V(0.1*float64(i), -1, 0.3)
		r[i%len(r)].X = float64(i)
		if i%7 == 0 {
			v[0].X = math.Copysign(0, float64(i%2)-1) // zeros of both signs are equal
		}
		if got, want := m.measure(team), fresh.Of(given(p, 1e-8), v, r, nil); got != want {
			t.Fatalf("after %d changes: %+v, want %+v", i+1, got, want)
		}
	}
}
